/* SPDX-License-Identifier: Apache-2.0 */
/* The result of each function before and after initialization, and with NULL. */
#include "conformance.h"
#include "properties.h"

static UInt32 number, size = 4;

TEST(nothing_before_initialize, "before AudioSessionInitialize every other function gives '!ini'") {
    EXPECT_STATUS(AudioSessionSetActive(1), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionSetActiveWithFlags(0, 1), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionGetProperty(kAudioSessionProperty_AudioCategory, &size, &number), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, 4, &number), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionGetPropertySize(kAudioSessionProperty_AudioCategory, &size), kAudioSessionNotInitialized);
    EXPECT_STATUS(
        AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, record_event, NULL), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionRemovePropertyListener(kAudioSessionProperty_AudioRouteChange), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionRemovePropertyListenerWithUserData(kAudioSessionProperty_AudioRouteChange, record_event, NULL),
        kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionLinuxDispatchEvents(), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionLinuxSimulate("wake"), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionLinuxSetDisplayName("name"), kAudioSessionNotInitialized);
    EXPECT_INTEGER(AudioSessionLinuxEventDescriptor(), -1);
    EXPECT_INTEGER(size, 4);
    EXPECT_INTEGER(number, 0);
}

TEST(not_initialized_comes_first, "'!ini' comes before a NULL or an unknown property") {
    EXPECT_STATUS(AudioSessionGetProperty(0, NULL, NULL), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionSetProperty(0, 99, NULL), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionGetPropertySize(0, NULL), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionAddPropertyListener(0, NULL, NULL), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionRemovePropertyListener(0), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionRemovePropertyListenerWithUserData(0, NULL, NULL), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionLinuxCopyDeviceName(0, NULL, NULL), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionLinuxSimulate(NULL), kAudioSessionNotInitialized);
    EXPECT_STATUS(AudioSessionLinuxSetDisplayName(NULL), kAudioSessionNotInitialized);
}

TEST(every_function_after_initialize, "after AudioSessionInitialize every function gives 0") {
    EXPECT_OK(AudioSessionInitialize(NULL, NULL, record_interruption, NULL));
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_OK(AudioSessionSetActiveWithFlags(0, kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation));
    EXPECT_OK(AudioSessionGetProperty(kAudioSessionProperty_AudioCategory, &size, &number));
    EXPECT_OK(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, 4, &number));
    EXPECT_OK(AudioSessionGetPropertySize(kAudioSessionProperty_AudioCategory, &size));
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, record_event, NULL));
    EXPECT_OK(AudioSessionRemovePropertyListener(kAudioSessionProperty_AudioRouteChange));
    EXPECT_OK(AudioSessionRemovePropertyListenerWithUserData(kAudioSessionProperty_AudioRouteChange, record_event, NULL));
    EXPECT_OK(AudioSessionLinuxDispatchEvents());
    EXPECT_OK(AudioSessionLinuxSimulate("wake"));
    EXPECT_OK(AudioSessionLinuxSetDisplayName("name"));
    EXPECT(AudioSessionLinuxEventDescriptor() >= 0);
}

TEST(a_listener_may_be_null, "the interruption listener may be NULL") {
    EXPECT_OK(AudioSessionInitialize(NULL, NULL, NULL, NULL));
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("interrupt begin");
    SIMULATE("interrupt end");
    DELIVER_ALL_EVENTS();
}

static int first_data, second_data;

TEST(second_initialize, "a second AudioSessionInitialize gives 'init', and the first stays in force unchanged") {
    EXPECT_OK(AudioSessionInitialize(NULL, NULL, record_interruption, &first_data));
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    EXPECT_STATUS(AudioSessionInitialize(NULL, NULL, NULL, NULL), kAudioSessionAlreadyInitialized);
    EXPECT_INTEGER(AudioSessionInitialize(NULL, NULL, record_interruption, &second_data), 1768843636);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_AudioCategory), kAudioSessionCategory_MediaPlayback);
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("interrupt begin");
    WAIT_UNTIL(event_count == 1);
    EXPECT(events[0].client_data == &first_data);
}

TEST(null_pointers, "a NULL where a pointer is required gives -50, also for an unknown property") {
    const AudioSessionPropertyID ids[] = {
        kAudioSessionProperty_AudioCategory, kAudioSessionProperty_AudioRouteChange, 0, 0xFFFFFFFF};
    BEGIN_SESSION();
    for (int i = 0; i < 4; i++) {
        AudioSessionPropertyID id = ids[i];
        EXPECT_STATUS(AudioSessionGetProperty(id, NULL, &number), kAudio_ParamError);
        EXPECT_STATUS(AudioSessionGetProperty(id, &size, NULL), kAudio_ParamError);
        EXPECT_STATUS(AudioSessionGetProperty(id, NULL, NULL), kAudio_ParamError);
        EXPECT_STATUS(AudioSessionSetProperty(id, 4, NULL), kAudio_ParamError);
        EXPECT_STATUS(AudioSessionSetProperty(id, 99, NULL), kAudio_ParamError);
        EXPECT_STATUS(AudioSessionGetPropertySize(id, NULL), kAudio_ParamError);
        EXPECT_STATUS(AudioSessionAddPropertyListener(id, NULL, &number), kAudio_ParamError);
        EXPECT_STATUS(AudioSessionRemovePropertyListenerWithUserData(id, NULL, &number), kAudio_ParamError);
    }
    EXPECT_INTEGER(size, 4);
    EXPECT_INTEGER(number, 0);
}

TEST(null_client_data, "NULL client data is valid") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareOutputVolume, record_event, NULL));
    SIMULATE("volume 0.9");
    WAIT_UNTIL(event_count == 1);
    EXPECT(events[0].client_data == NULL);
    EXPECT_OK(
        AudioSessionRemovePropertyListenerWithUserData(kAudioSessionProperty_CurrentHardwareOutputVolume, record_event, NULL));
}

TEST(active_twice, "activating an active session and deactivating an inactive one give 0 and no event") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionSetActive(0));
    EXPECT_OK(AudioSessionSetActiveWithFlags(0, 1));
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_OK(AudioSessionSetActive(255));
    EXPECT_OK(AudioSessionSetActive(0));
    EXPECT_OK(AudioSessionSetActive(0));
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(event_count, 0);
}

TEST(unknown_flags, "unknown flag bits of SetActiveWithFlags are ignored") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionSetActiveWithFlags(1, 0xFFFFFFFF));
    EXPECT_OK(AudioSessionSetActiveWithFlags(0, 0xFFFFFFFE));
    EXPECT_OK(AudioSessionSetActiveWithFlags(1, 0x80000000));
}

/* One property and value for each step of the order. */
TEST(order_of_checks, "the checks come in order: pointers, property, access, size, hardware, value, category, state") {
    Float32 nan_value = NAN;
    UInt32 voice_chat = kAudioSessionMode_VoiceChat, nonsense = 17, speaker = kAudioSessionOverrideAudioRoute_Speaker;
    UInt32 large = 3;
    BEGIN_SESSION();
    /* pointers before property */
    EXPECT_STATUS(AudioSessionSetProperty(0, 0, NULL), kAudio_ParamError);
    /* property before size */
    EXPECT_STATUS(AudioSessionSetProperty(0, 0, &number), kAudioSessionUnsupportedPropertyError);
    /* access before size */
    EXPECT_STATUS(AudioSessionSetProperty(kAudioSessionProperty_CurrentHardwareSampleRate, 3, &number),
        kAudioSessionUnsupportedPropertyError);
    EXPECT_STATUS(AudioSessionGetProperty(kAudioSessionProperty_OverrideAudioRoute, &large, &number),
        kAudioSessionUnsupportedPropertyError);
    /* size before hardware */
    EXPECT_STATUS(
        AudioSessionSetProperty(kAudioSessionProperty_InputGainScalar, 3, &nan_value), kAudioSessionBadPropertySizeError);
    EXPECT_STATUS(
        AudioSessionGetProperty(kAudioSessionProperty_InputGainScalar, &large, &number), kAudioSessionBadPropertySizeError);
    EXPECT_STATUS(AudioSessionGetProperty(kAudioSessionProperty_InputSource, &large, &number), kAudioSessionBadPropertySizeError);
    /* hardware before value */
    EXPECT_STATUS(AudioSessionSetProperty(kAudioSessionProperty_InputGainScalar, 4, &nan_value), kAudioServicesNoHardwareError);
    /* size before category */
    EXPECT_STATUS(AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareInputNumberChannels, &large, &number),
        kAudioSessionBadPropertySizeError);
    EXPECT_STATUS(
        AudioSessionSetProperty(kAudioSessionProperty_OverrideAudioRoute, 8, &speaker), kAudioSessionBadPropertySizeError);
    /* value before category */
    EXPECT_STATUS(
        AudioSessionSetProperty(kAudioSessionProperty_OverrideAudioRoute, 4, &nonsense), kAudioSessionUnsupportedPropertyError);
    EXPECT_STATUS(AudioSessionSetProperty(kAudioSessionProperty_Mode, 4, &nonsense), kAudioSessionUnsupportedPropertyError);
    /* category before state */
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_STATUS(AudioSessionSetProperty(kAudioSessionProperty_Mode, 4, &nonsense), kAudioSessionUnsupportedPropertyError);
    EXPECT_STATUS(AudioSessionSetProperty(kAudioSessionProperty_Mode, 4, &voice_chat), kAudioSessionIncompatibleCategory);
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_STATUS(AudioSessionSetProperty(kAudioSessionProperty_Mode, 4, &voice_chat), kAudioSessionUnspecifiedError);
    EXPECT_INTEGER(number, 0);
    EXPECT_INTEGER(large, 3);
}

TEST(a_failed_call_changes_nothing, "a failed call changes nothing and sends no event") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, record_event, NULL));
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_InputGainScalar, record_event, NULL));
    EXPECT_STATUS(set_category(CODE("none")), kAudioSessionUnsupportedPropertyError);
    EXPECT_STATUS(set_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers, 1), kAudioSessionIncompatibleCategory);
    EXPECT_STATUS(set_u32(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, 1), kAudioSessionIncompatibleCategory);
    EXPECT_STATUS(set_u32(kAudioSessionProperty_OverrideAudioRoute, kAudioSessionOverrideAudioRoute_Speaker),
        kAudioSessionIncompatibleCategory);
    EXPECT_STATUS(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_VoiceChat), kAudioSessionIncompatibleCategory);
    EXPECT_STATUS(set_f64(kAudioSessionProperty_PreferredHardwareSampleRate, -1), kAudioSessionUnsupportedPropertyError);
    EXPECT_STATUS(set_f32(kAudioSessionProperty_InputGainScalar, 0.5f), kAudioServicesNoHardwareError);
    EXPECT_STATUS(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, 8, &number), kAudioSessionBadPropertySizeError);
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(event_count, 0);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_AudioCategory), kAudioSessionCategory_SoloAmbientSound);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers), 0);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker), 0);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_Mode), kAudioSessionMode_Default);
    EXPECT_NUMBER(get_f64(kAudioSessionProperty_PreferredHardwareSampleRate), 0);
}
