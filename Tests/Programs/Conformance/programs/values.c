/* SPDX-License-Identifier: Apache-2.0 */
/* The values of the platform's constants. Programs have them compiled in, compare with them as numbers,
   and store them. */
#include "conformance.h"

struct value {
    const char *name;
    int constant;
    UInt32 recorded;
};

static const struct value platform_values[] = {
    {"kAudioSessionNoError", kAudioSessionNoError, 0},
    {"kAudioSessionNotInitialized", kAudioSessionNotInitialized, CODE("!ini")},
    {"kAudioSessionAlreadyInitialized", kAudioSessionAlreadyInitialized, CODE("init")},
    {"kAudioSessionInitializationError", kAudioSessionInitializationError, CODE("ini?")},
    {"kAudioSessionUnsupportedPropertyError", kAudioSessionUnsupportedPropertyError, CODE("pty?")},
    {"kAudioSessionBadPropertySizeError", kAudioSessionBadPropertySizeError, CODE("!siz")},
    {"kAudioSessionNotActiveError", kAudioSessionNotActiveError, CODE("!act")},
    {"kAudioServicesNoHardwareError", kAudioServicesNoHardwareError, CODE("nohw")},
    {"kAudioSessionNoCategorySet", kAudioSessionNoCategorySet, CODE("?cat")},
    {"kAudioSessionIncompatibleCategory", kAudioSessionIncompatibleCategory, CODE("!cat")},
    {"kAudioSessionUnspecifiedError", kAudioSessionUnspecifiedError, CODE("what")},
    {"kAudioSessionProperty_PreferredHardwareSampleRate", kAudioSessionProperty_PreferredHardwareSampleRate, CODE("hwsr")},
    {"kAudioSessionProperty_PreferredHardwareIOBufferDuration", kAudioSessionProperty_PreferredHardwareIOBufferDuration,
        CODE("iobd")},
    {"kAudioSessionProperty_AudioCategory", kAudioSessionProperty_AudioCategory, CODE("acat")},
    {"kAudioSessionProperty_AudioRouteChange", kAudioSessionProperty_AudioRouteChange, CODE("roch")},
    {"kAudioSessionProperty_CurrentHardwareSampleRate", kAudioSessionProperty_CurrentHardwareSampleRate, CODE("chsr")},
    {"kAudioSessionProperty_CurrentHardwareInputNumberChannels", kAudioSessionProperty_CurrentHardwareInputNumberChannels,
        CODE("chic")},
    {"kAudioSessionProperty_CurrentHardwareOutputNumberChannels", kAudioSessionProperty_CurrentHardwareOutputNumberChannels,
        CODE("choc")},
    {"kAudioSessionProperty_CurrentHardwareOutputVolume", kAudioSessionProperty_CurrentHardwareOutputVolume, CODE("chov")},
    {"kAudioSessionProperty_CurrentHardwareInputLatency", kAudioSessionProperty_CurrentHardwareInputLatency, CODE("cilt")},
    {"kAudioSessionProperty_CurrentHardwareOutputLatency", kAudioSessionProperty_CurrentHardwareOutputLatency, CODE("colt")},
    {"kAudioSessionProperty_CurrentHardwareIOBufferDuration", kAudioSessionProperty_CurrentHardwareIOBufferDuration,
        CODE("chbd")},
    {"kAudioSessionProperty_OtherAudioIsPlaying", kAudioSessionProperty_OtherAudioIsPlaying, CODE("othr")},
    {"kAudioSessionProperty_OverrideAudioRoute", kAudioSessionProperty_OverrideAudioRoute, CODE("ovrd")},
    {"kAudioSessionProperty_AudioInputAvailable", kAudioSessionProperty_AudioInputAvailable, CODE("aiav")},
    {"kAudioSessionProperty_ServerDied", kAudioSessionProperty_ServerDied, CODE("died")},
    {"kAudioSessionProperty_OtherMixableAudioShouldDuck", kAudioSessionProperty_OtherMixableAudioShouldDuck, CODE("duck")},
    {"kAudioSessionProperty_OverrideCategoryMixWithOthers", kAudioSessionProperty_OverrideCategoryMixWithOthers, CODE("cmix")},
    {"kAudioSessionProperty_OverrideCategoryDefaultToSpeaker", kAudioSessionProperty_OverrideCategoryDefaultToSpeaker,
        CODE("cspk")},
    {"kAudioSessionProperty_OverrideCategoryEnableBluetoothInput", kAudioSessionProperty_OverrideCategoryEnableBluetoothInput,
        CODE("cblu")},
    {"kAudioSessionProperty_InterruptionType", kAudioSessionProperty_InterruptionType, CODE("type")},
    {"kAudioSessionProperty_Mode", kAudioSessionProperty_Mode, CODE("mode")},
    {"kAudioSessionProperty_InputSources", kAudioSessionProperty_InputSources, CODE("srcs")},
    {"kAudioSessionProperty_OutputDestinations", kAudioSessionProperty_OutputDestinations, CODE("dsts")},
    {"kAudioSessionProperty_InputSource", kAudioSessionProperty_InputSource, CODE("isrc")},
    {"kAudioSessionProperty_OutputDestination", kAudioSessionProperty_OutputDestination, CODE("odst")},
    {"kAudioSessionProperty_InputGainAvailable", kAudioSessionProperty_InputGainAvailable, CODE("igav")},
    {"kAudioSessionProperty_InputGainScalar", kAudioSessionProperty_InputGainScalar, CODE("igsc")},
    {"kAudioSessionProperty_AudioRouteDescription", kAudioSessionProperty_AudioRouteDescription, CODE("crar")},
    {"kAudioSessionCategory_AmbientSound", kAudioSessionCategory_AmbientSound, CODE("ambi")},
    {"kAudioSessionCategory_SoloAmbientSound", kAudioSessionCategory_SoloAmbientSound, CODE("solo")},
    {"kAudioSessionCategory_MediaPlayback", kAudioSessionCategory_MediaPlayback, CODE("medi")},
    {"kAudioSessionCategory_RecordAudio", kAudioSessionCategory_RecordAudio, CODE("reca")},
    {"kAudioSessionCategory_PlayAndRecord", kAudioSessionCategory_PlayAndRecord, CODE("plar")},
    {"kAudioSessionCategory_AudioProcessing", kAudioSessionCategory_AudioProcessing, CODE("proc")},
    {"kAudioSessionMode_Default", kAudioSessionMode_Default, CODE("dflt")},
    {"kAudioSessionMode_VoiceChat", kAudioSessionMode_VoiceChat, CODE("vcct")},
    {"kAudioSessionMode_VideoRecording", kAudioSessionMode_VideoRecording, CODE("vrcd")},
    {"kAudioSessionMode_Measurement", kAudioSessionMode_Measurement, CODE("msmt")},
    {"kAudioSessionRouteChangeReason_Unknown", kAudioSessionRouteChangeReason_Unknown, 0},
    {"kAudioSessionRouteChangeReason_NewDeviceAvailable", kAudioSessionRouteChangeReason_NewDeviceAvailable, 1},
    {"kAudioSessionRouteChangeReason_OldDeviceUnavailable", kAudioSessionRouteChangeReason_OldDeviceUnavailable, 2},
    {"kAudioSessionRouteChangeReason_CategoryChange", kAudioSessionRouteChangeReason_CategoryChange, 3},
    {"kAudioSessionRouteChangeReason_Override", kAudioSessionRouteChangeReason_Override, 4},
    {"kAudioSessionRouteChangeReason_WakeFromSleep", kAudioSessionRouteChangeReason_WakeFromSleep, 6},
    {"kAudioSessionRouteChangeReason_NoSuitableRouteForCategory", kAudioSessionRouteChangeReason_NoSuitableRouteForCategory, 7},
    {"kAudioSessionOverrideAudioRoute_None", kAudioSessionOverrideAudioRoute_None, 0},
    {"kAudioSessionOverrideAudioRoute_Speaker", kAudioSessionOverrideAudioRoute_Speaker, CODE("spkr")},
    {"kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation", kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation, 1},
    {"kAudioSessionInterruptionType_ShouldResume", kAudioSessionInterruptionType_ShouldResume, CODE("irsm")},
    {"kAudioSessionInterruptionType_ShouldNotResume", kAudioSessionInterruptionType_ShouldNotResume, CODE("!rsm")},
    {"kAudioSessionBeginInterruption", kAudioSessionBeginInterruption, 1},
    {"kAudioSessionEndInterruption", kAudioSessionEndInterruption, 0},
    {"kAudioSessionCategory_UserInterfaceSoundEffects", kAudioSessionCategory_UserInterfaceSoundEffects, CODE("uifx")},
    {"kAudioSessionCategory_LiveAudio", kAudioSessionCategory_LiveAudio, CODE("live")},
    {"kAudioSessionProperty_AudioRoute", kAudioSessionProperty_AudioRoute, CODE("rout")},
    {"kAudioSessionMode_GameChat", kAudioSessionMode_GameChat, CODE("gmct")},
    {"kAudioSessionRouteChangeReason_RouteConfigurationChange", kAudioSessionRouteChangeReason_RouteConfigurationChange, 8},
};

TEST(values, "the 68 values are those of the platform") {
    EXPECT_INTEGER(sizeof platform_values / sizeof *platform_values, 68);
    for (size_t i = 0; i < sizeof platform_values / sizeof *platform_values; i++)
        if ((UInt32)platform_values[i].constant != platform_values[i].recorded)
            failed(__FILE__, __LINE__, "%s is 0x%08X, not 0x%08X", platform_values[i].name, (unsigned)platform_values[i].constant,
                (unsigned)platform_values[i].recorded);
    EXPECT_INTEGER(kAudio_ParamError, -50);
    EXPECT_TEXT(kAudioSession_AudioRouteChangeKey_Reason, "OutputDeviceDidChange_Reason");
    EXPECT_TEXT(kAudioSession_AudioRouteChangeKey_OldRoute, "OutputDeviceDidChange_OldRoute");
}

TEST(our_values, "the values of the Linux header differ from those of the platform") {
    EXPECT_INTEGER(kAudioSessionLinuxCategory_MultiRoute, CODE("mult"));
    EXPECT_INTEGER(kAudioSessionLinuxMode_MoviePlayback, CODE("mvpb"));
    EXPECT_INTEGER(kAudioSessionLinuxMode_VideoChat, CODE("vdct"));
    EXPECT_INTEGER(kAudioSessionLinuxMode_SpokenAudio, CODE("spka"));
    EXPECT_INTEGER(kAudioSessionLinuxMode_VoicePrompt, CODE("vpmt"));
    EXPECT_INTEGER(kAudioSessionLinuxProperty_OutputDevice, CODE("lodv"));
    EXPECT_INTEGER(kAudioSessionLinuxProperty_InputDevice, CODE("lidv"));
}

TEST(types, "the types have the platform's sizes") {
    EXPECT_INTEGER(sizeof(OSStatus), 4);
    EXPECT_INTEGER(sizeof(UInt32), 4);
    EXPECT_INTEGER(sizeof(Boolean), 1);
    EXPECT_INTEGER(sizeof(Float32), 4);
    EXPECT_INTEGER(sizeof(Float64), 8);
    EXPECT_INTEGER(sizeof(AudioSessionPropertyID), 4);
    EXPECT_INTEGER(sizeof(AudioSessionInterruptionType), 4);
    EXPECT((OSStatus)-1 < 0);
    EXPECT((UInt32)-1 > 0);
    EXPECT((Boolean)-1 > 0);
#ifndef __cplusplus
    /* The enumerations have no names: in C the constants are numbers. */
    EXPECT(__builtin_types_compatible_p(__typeof__(kAudioSessionBeginInterruption), int));
    EXPECT(__builtin_types_compatible_p(__typeof__(kAudioSessionNotInitialized), int));
    EXPECT(__builtin_types_compatible_p(__typeof__(kAudioSessionLinuxMode_VideoChat), int));
    EXPECT(__builtin_types_compatible_p(OSStatus, int32_t));
    EXPECT(__builtin_types_compatible_p(UInt32, unsigned int));
    EXPECT(__builtin_types_compatible_p(Boolean, unsigned char));
#endif
}

/* Code for the platform uses these conditions. */
#if !defined(TARGET_OS_IPHONE) || !defined(TARGET_IPHONE_SIMULATOR)
#error "TargetConditionals is not known"
#endif

static OSStatus (*const initialize)(CFRunLoopRef, CFStringRef, AudioSessionInterruptionListener, void *) = AudioSessionInitialize;
static OSStatus (*const set_active)(Boolean) = AudioSessionSetActive;
static OSStatus (*const set_active_with_flags)(Boolean, UInt32) = AudioSessionSetActiveWithFlags;
static OSStatus (*const get_property)(AudioSessionPropertyID, UInt32 *, void *) = AudioSessionGetProperty;
static OSStatus (*const set_property)(AudioSessionPropertyID, UInt32, const void *) = AudioSessionSetProperty;
static OSStatus (*const get_property_size)(AudioSessionPropertyID, UInt32 *) = AudioSessionGetPropertySize;
static OSStatus (*const add_listener)(
    AudioSessionPropertyID, AudioSessionPropertyListener, void *) = AudioSessionAddPropertyListener;
static OSStatus (*const remove_listener)(AudioSessionPropertyID) = AudioSessionRemovePropertyListener;
static OSStatus (*const remove_listener_with_data)(
    AudioSessionPropertyID, AudioSessionPropertyListener, void *) = AudioSessionRemovePropertyListenerWithUserData;

TEST(functions, "the nine functions exist with the types of the platform") {
    EXPECT(initialize && set_active && set_active_with_flags && get_property && set_property && get_property_size);
    EXPECT(add_listener && remove_listener && remove_listener_with_data);
}
