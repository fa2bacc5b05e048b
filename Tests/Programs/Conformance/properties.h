/* SPDX-License-Identifier: Apache-2.0 */
/* The properties as they were promised: id, size, and access (G get, S set, L listen). */
#ifndef PROPERTIES_H
#define PROPERTIES_H

struct property {
    AudioSessionPropertyID id;
    UInt32 size;
    const char *access;
};

static const struct property properties[] = {
    {kAudioSessionProperty_PreferredHardwareSampleRate, 8, "GS"},
    {kAudioSessionProperty_PreferredHardwareIOBufferDuration, 4, "GS"},
    {kAudioSessionProperty_AudioCategory, 4, "GS"},
    {kAudioSessionProperty_AudioRouteChange, 8, "L"},
    {kAudioSessionProperty_CurrentHardwareSampleRate, 8, "G"},
    {kAudioSessionProperty_CurrentHardwareInputNumberChannels, 4, "GL"},
    {kAudioSessionProperty_CurrentHardwareOutputNumberChannels, 4, "GL"},
    {kAudioSessionProperty_CurrentHardwareOutputVolume, 4, "GL"},
    {kAudioSessionProperty_CurrentHardwareInputLatency, 4, "G"},
    {kAudioSessionProperty_CurrentHardwareOutputLatency, 4, "G"},
    {kAudioSessionProperty_CurrentHardwareIOBufferDuration, 4, "G"},
    {kAudioSessionProperty_OtherAudioIsPlaying, 4, "G"},
    {kAudioSessionProperty_OverrideAudioRoute, 4, "S"},
    {kAudioSessionProperty_AudioInputAvailable, 4, "GL"},
    {kAudioSessionProperty_ServerDied, 4, "L"},
    {kAudioSessionProperty_OtherMixableAudioShouldDuck, 4, "GS"},
    {kAudioSessionProperty_OverrideCategoryMixWithOthers, 4, "GS"},
    {kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, 4, "GS"},
    {kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, 4, "GS"},
    {kAudioSessionProperty_InterruptionType, 4, "G"},
    {kAudioSessionProperty_Mode, 4, "GS"},
    {kAudioSessionProperty_InputSources, 8, "GL"},
    {kAudioSessionProperty_OutputDestinations, 8, "GL"},
    {kAudioSessionProperty_InputSource, 8, "GS"},
    {kAudioSessionProperty_OutputDestination, 8, "GS"},
    {kAudioSessionProperty_InputGainAvailable, 4, "GL"},
    {kAudioSessionProperty_InputGainScalar, 4, "GSL"},
    {kAudioSessionProperty_AudioRouteDescription, 8, "G"},
    {kAudioSessionProperty_AudioRoute, 8, "G"},
    {kAudioSessionLinuxProperty_OutputDevice, 8, "G"},
    {kAudioSessionLinuxProperty_InputDevice, 8, "G"},
};

enum { PROPERTY_COUNT = sizeof properties / sizeof properties[0] };

static MAYBE_UNUSED bool allows(const struct property *property, char access) { return strchr(property->access, access) != NULL; }

static MAYBE_UNUSED const struct property *property_of(AudioSessionPropertyID id) {
    for (int i = 0; i < PROPERTY_COUNT; i++)
        if (properties[i].id == id) return &properties[i];
    return NULL;
}

static const UInt32 categories[] = {
    kAudioSessionCategory_AmbientSound,
    kAudioSessionCategory_UserInterfaceSoundEffects,
    kAudioSessionCategory_SoloAmbientSound,
    kAudioSessionCategory_MediaPlayback,
    kAudioSessionCategory_LiveAudio,
    kAudioSessionCategory_RecordAudio,
    kAudioSessionCategory_PlayAndRecord,
    kAudioSessionCategory_AudioProcessing,
    kAudioSessionLinuxCategory_MultiRoute,
};

enum { CATEGORY_COUNT = sizeof categories / sizeof categories[0] };

static const UInt32 modes[] = {
    kAudioSessionMode_Default,
    kAudioSessionMode_VoiceChat,
    kAudioSessionMode_GameChat,
    kAudioSessionMode_VideoRecording,
    kAudioSessionMode_Measurement,
    kAudioSessionLinuxMode_MoviePlayback,
    kAudioSessionLinuxMode_VideoChat,
    kAudioSessionLinuxMode_SpokenAudio,
    kAudioSessionLinuxMode_VoicePrompt,
};

enum { MODE_COUNT = sizeof modes / sizeof modes[0] };

static MAYBE_UNUSED const char *code_text(UInt32 code, char text[5]) {
    for (int i = 0; i < 4; i++) text[i] = (char)(code >> (24 - 8 * i));
    text[4] = 0;
    return text;
}

#endif
