/* SPDX-License-Identifier: Apache-2.0 */
/* The log of AUDIOSESSION_DEBUG=1. Without the variable nothing is logged. */
#include "conformance.h"
#include "properties.h"

#define EXPECT_LOGGED(text) \
    do { \
        if (!strstr(log_, (text))) failed(__FILE__, __LINE__, "the log lacks \"%s\": %s", (text), log_); \
    } while (0)

#define EXPECT_NOT_LOGGED(text) \
    do { \
        if (strstr(log_, (text))) failed(__FILE__, __LINE__, "the log has \"%s\": %s", (text), log_); \
    } while (0)

TEST(silence, "without AUDIOSESSION_DEBUG nothing is printed") {
    UInt32 data[2] = {0, 0}, size = 1;
    (void)AudioSessionSetActive(1);
    BEGIN_SESSION();
    (void)AudioSessionInitialize(NULL, NULL, NULL, NULL);
    (void)AudioSessionGetProperty(0, NULL, NULL);
    (void)AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, 99, data);
    (void)AudioSessionGetProperty(kAudioSessionProperty_AudioCategory, &size, data);
    (void)AudioSessionLinuxSimulate("nonsense");
    (void)AudioSessionLinuxSimulate("plug headphones");
    (void)AudioSessionSetActive(1);
    (void)AudioSessionLinuxSimulate("interrupt begin");
    DELIVER_ALL_EVENTS();
    /* The runner fails a test that prints on standard error. */
}

TEST(names_for_numbers, "every call is logged with names, values and result") {
    UInt32 size = 4, data = 0;
    begin_log();
    BEGIN_SESSION();
    const char *log_ = take_log();
    EXPECT_LOGGED("AudioSessionInitialize");
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    log_ = take_log();
    EXPECT_LOGGED("AudioSessionSetProperty");
    EXPECT_LOGGED("kAudioSessionProperty_AudioCategory");
    EXPECT_LOGGED("MediaPlayback");
    EXPECT_OK(AudioSessionGetProperty(kAudioSessionProperty_AudioCategory, &size, &data));
    log_ = take_log();
    EXPECT_LOGGED("AudioSessionGetProperty");
    EXPECT_LOGGED("MediaPlayback");
    EXPECT_OK(AudioSessionSetActiveWithFlags(1, 1));
    log_ = take_log();
    EXPECT_LOGGED("AudioSessionSetActiveWithFlags");
    EXPECT_LOGGED("NotifyOthersOnDeactivation");
    EXPECT_OK(AudioSessionSetActive(0));
    log_ = take_log();
    EXPECT_LOGGED("AudioSessionSetActive");
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, record_event, NULL));
    log_ = take_log();
    EXPECT_LOGGED("AudioSessionAddPropertyListener");
    EXPECT_LOGGED("kAudioSessionProperty_AudioRouteChange");
    EXPECT_OK(AudioSessionRemovePropertyListener(kAudioSessionProperty_AudioRouteChange));
    log_ = take_log();
    EXPECT_LOGGED("AudioSessionRemovePropertyListener");
    EXPECT_OK(AudioSessionRemovePropertyListenerWithUserData(kAudioSessionProperty_AudioRouteChange, record_event, NULL));
    log_ = take_log();
    EXPECT_LOGGED("AudioSessionRemovePropertyListenerWithUserData");
    EXPECT_OK(AudioSessionGetPropertySize(kAudioSessionProperty_Mode, &size));
    log_ = take_log();
    EXPECT_LOGGED("AudioSessionGetPropertySize");
    EXPECT_LOGGED("kAudioSessionProperty_Mode");
}

TEST(results_and_mistakes, "an error is logged with its name and the likely mistake") {
    UInt32 data = 0, size = 1;
    const char *log_;
    begin_log();
    EXPECT_STATUS(AudioSessionSetActive(1), kAudioSessionNotInitialized);
    log_ = take_log();
    EXPECT_LOGGED("'!ini'");
    EXPECT_LOGGED("AudioSessionInitialize");
    BEGIN_SESSION();
    EXPECT_STATUS(AudioSessionGetProperty(kAudioSessionProperty_AudioCategory, &size, &data), kAudioSessionBadPropertySizeError);
    log_ = take_log();
    EXPECT_LOGGED("'!siz'");
    EXPECT_STATUS(AudioSessionGetProperty(kAudioSessionProperty_AudioCategory, NULL, &data), kAudio_ParamError);
    log_ = take_log();
    EXPECT_LOGGED("-50");
    EXPECT_LOGGED("NULL");
    EXPECT_STATUS(set_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers, 1), kAudioSessionIncompatibleCategory);
    log_ = take_log();
    EXPECT_LOGGED("'!cat'");
    EXPECT_STATUS(AudioSessionLinuxSimulate("plug nothing"), kAudioSessionUnsupportedPropertyError);
    log_ = take_log();
    EXPECT_LOGGED("expected");
    EXPECT_LOGGED("headphones");
}

TEST(which_pointer, "the log names the pointer that is NULL") {
    UInt32 data = 0, size = 4;
    const char *log_;
    begin_log();
    BEGIN_SESSION();
    EXPECT_STATUS(AudioSessionGetProperty(kAudioSessionProperty_AudioCategory, NULL, &data), kAudio_ParamError);
    log_ = take_log();
    EXPECT_LOGGED("ioDataSize is NULL");
    EXPECT_NOT_LOGGED("outData");
    EXPECT_STATUS(AudioSessionGetProperty(kAudioSessionProperty_AudioCategory, &size, NULL), kAudio_ParamError);
    log_ = take_log();
    EXPECT_LOGGED("outData is NULL");
    EXPECT_NOT_LOGGED("ioDataSize");
    EXPECT_STATUS(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, 4, NULL), kAudio_ParamError);
    log_ = take_log();
    EXPECT_LOGGED("inData is NULL");
    EXPECT_STATUS(AudioSessionGetPropertySize(kAudioSessionProperty_AudioCategory, NULL), kAudio_ParamError);
    log_ = take_log();
    EXPECT_LOGGED("outDataSize is NULL");
    EXPECT_STATUS(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, NULL, NULL), kAudio_ParamError);
    log_ = take_log();
    EXPECT_LOGGED("inProc is NULL");
    EXPECT_STATUS(AudioSessionLinuxCopyDeviceName(0, NULL, &size), kAudio_ParamError);
    log_ = take_log();
    EXPECT_LOGGED("buffer is NULL");
    EXPECT_NOT_LOGGED("ioSize");
    EXPECT_STATUS(AudioSessionLinuxSetDisplayName(NULL), kAudio_ParamError);
    log_ = take_log();
    EXPECT_LOGGED("utf8 is NULL");
}

TEST(which_size, "for a wrong size the log states the size and the expected type") {
    unsigned long wide = 1;
    UInt32 size = 0;
    double volume = 0;
    char name[4];
    const char *log_;
    begin_log();
    BEGIN_SESSION();
    EXPECT_STATUS(AudioSessionSetProperty(kAudioSessionProperty_OtherMixableAudioShouldDuck, sizeof wide, &wide),
        kAudioSessionBadPropertySizeError);
    log_ = take_log();
    EXPECT_LOGGED("expected a UInt32, 4 bytes; an unsigned long has 8");
    EXPECT_STATUS(
        AudioSessionSetProperty(kAudioSessionProperty_OtherMixableAudioShouldDuck, 3, &wide), kAudioSessionBadPropertySizeError);
    log_ = take_log();
    EXPECT_LOGGED("inDataSize is 3");
    EXPECT_STATUS(AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareOutputVolume, &size, &volume),
        kAudioSessionBadPropertySizeError);
    log_ = take_log();
    EXPECT_LOGGED("ioDataSize is 0");
    EXPECT_LOGGED("4 bytes for a Float32");
    size = sizeof volume;
    EXPECT_OK(AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareOutputVolume, &size, &volume));
    log_ = take_log();
    EXPECT_LOGGED("only 4 of the 8 bytes are written, a Float32");
    size = 1;
    EXPECT_STATUS(AudioSessionLinuxCopyDeviceName(0, name, &size), kAudioSessionBadPropertySizeError);
    log_ = take_log();
    snprintf(name, sizeof name, "%u", (unsigned)size);
    EXPECT_LOGGED(name);
}

TEST(which_category, "for a refused mode or override the log names the categories that allow it") {
    const char *log_;
    begin_log();
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    (void)take_log();
    EXPECT_STATUS(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_VoiceChat), kAudioSessionIncompatibleCategory);
    log_ = take_log();
    EXPECT_LOGGED("allowed in kAudioSessionCategory_PlayAndRecord only; the category is kAudioSessionCategory_MediaPlayback");
    EXPECT_STATUS(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_VideoRecording), kAudioSessionIncompatibleCategory);
    log_ = take_log();
    EXPECT_LOGGED("allowed in kAudioSessionCategory_RecordAudio, kAudioSessionCategory_PlayAndRecord only");
    EXPECT_STATUS(set_u32(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, 1), kAudioSessionIncompatibleCategory);
    log_ = take_log();
    EXPECT_LOGGED("allowed in kAudioSessionCategory_RecordAudio, kAudioSessionCategory_PlayAndRecord only");
    EXPECT_STATUS(set_u32(kAudioSessionProperty_OverrideAudioRoute, kAudioSessionOverrideAudioRoute_Speaker),
        kAudioSessionIncompatibleCategory);
    log_ = take_log();
    EXPECT_LOGGED("allowed in kAudioSessionCategory_PlayAndRecord only");
    EXPECT_STATUS(set_category(kAudioSessionMode_VoiceChat), kAudioSessionUnsupportedPropertyError);
    log_ = take_log();
    EXPECT_LOGGED("expected a kAudioSessionCategory_ constant");
}

TEST(who_interrupts, "for a refused activation the log names the call") {
    const char *log_;
    begin_log();
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    SIMULATE("interrupt begin");
    (void)take_log();
    EXPECT_STATUS(AudioSessionSetActive(1), kAudioSessionNotActiveError);
    log_ = take_log();
    EXPECT_LOGGED("\"call\" interrupts every session");
    SIMULATE("interrupt end");
    EXPECT_OK(AudioSessionSetActive(1));
    log_ = take_log();
    EXPECT_NOT_LOGGED("interrupts every");
}

TEST(where_to_listen, "for a property without listeners the log names the listener to use, if there is one") {
    const char *log_;
    begin_log();
    BEGIN_SESSION();
    EXPECT_STATUS(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRoute, record_event, NULL),
        kAudioSessionUnsupportedPropertyError);
    log_ = take_log();
    EXPECT_LOGGED("AudioRoute has no listeners; listen to kAudioSessionProperty_AudioRouteChange");
    EXPECT_STATUS(AudioSessionAddPropertyListener(kAudioSessionProperty_OtherAudioIsPlaying, record_event, NULL),
        kAudioSessionUnsupportedPropertyError);
    log_ = take_log();
    EXPECT_LOGGED("OtherAudioIsPlaying has no listeners\n");
}

TEST(undelivered_events, "for undelivered events the log states how to receive them, by the delivery that the program uses") {
    const char *log_;
    begin_log_for_waiting();
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareOutputVolume, record_event, NULL));
    REQUIRE(AudioSessionLinuxEventDescriptor() >= 0);
    SIMULATE("volume 0.75");
    log_ = wait_for_log("events are pending");
    EXPECT_LOGGED("AudioSessionLinuxDispatchEvents");
    EXPECT(event_count == 0);
    DELIVER_ALL_EVENTS();
    EXPECT(event_count == 1);
}

TEST(no_run_loop, "for undelivered events of a program without a run loop the log names the descriptor") {
    const char *log_;
    begin_log_for_waiting();
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("interrupt begin");
    log_ = wait_for_log("events are pending");
    EXPECT_LOGGED("AudioSessionLinuxEventDescriptor()");
    EXPECT_LOGGED("the session is interrupted");
}

TEST(a_misnamed_machine,
    "an unknown value of AUDIOSESSION_HARDWARE is an error line that lists the known values, also without AUDIOSESSION_DEBUG") {
    const char *log_;
    begin_log();
    unsetenv("AUDIOSESSION_DEBUG");
    setenv("AUDIOSESSION_HARDWARE", "simulate", 1);
    BEGIN_SESSION();
    log_ = take_log();
    EXPECT_LOGGED("AUDIOSESSION_HARDWARE is \"simulate\"");
    EXPECT_LOGGED("simulated, or alsa");
}

TEST(listeners_are_logged, "every call of a listener is logged") {
    const char *log_;
    begin_log();
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareOutputVolume, record_event, NULL));
    SIMULATE("volume 0.75");
    SIMULATE("interrupt begin");
    (void)take_log();
    WAIT_UNTIL(event_count == 2);
    log_ = take_log();
    EXPECT_LOGGED("CurrentHardwareOutputVolume");
    EXPECT_LOGGED("0.75");
    EXPECT_LOGGED("nterruption");
}

TEST(objects_are_logged, "the log shows the contents of CoreFoundation objects") {
    const char *log_;
    begin_log();
    BEGIN_SESSION();
    EXPECT_OK(get_status(kAudioSessionProperty_AudioRoute));
    log_ = take_log();
    EXPECT_LOGGED("-> \"Speaker\"");
    EXPECT_OK(get_status(kAudioSessionProperty_AudioRouteDescription));
    log_ = take_log();
    EXPECT_LOGGED("-> inputs [], outputs [Speaker]");
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    SIMULATE("plug usb");
    (void)take_log();
    EXPECT_OK(get_status(kAudioSessionProperty_InputSources));
    log_ = take_log();
    EXPECT_LOGGED("-> [1 \"Microphone\", 2 \"Line\"]");
    EXPECT_OK(get_status(kAudioSessionProperty_InputSource));
    log_ = take_log();
    EXPECT_LOGGED("kAudioSessionProperty_InputSource, 8) -> 1 = 0");
    EXPECT_OK(get_status(kAudioSessionProperty_InputGainScalar));
}

TEST(no_gain, "the log says why there is no input gain: the category, the route or the input") {
    const char *log_;
    begin_log();
    BEGIN_SESSION();
    EXPECT_STATUS(get_status(kAudioSessionProperty_InputGainScalar), kAudioServicesNoHardwareError);
    log_ = take_log();
    EXPECT_LOGGED("the category has no input; PlayAndRecord and RecordAudio have one");
    EXPECT_OK(set_category(kAudioSessionCategory_RecordAudio));
    SIMULATE("plug line-in");
    (void)take_log();
    EXPECT_STATUS(set_f32(kAudioSessionProperty_InputGainScalar, 1), kAudioServicesNoHardwareError);
    log_ = take_log();
    EXPECT_LOGGED("the input of the route has no gain");
    SIMULATE("unplug line-in");
    SIMULATE("unplug microphone");
    (void)take_log();
    EXPECT_STATUS(set_f32(kAudioSessionProperty_InputGainScalar, 1), kAudioServicesNoHardwareError);
    log_ = take_log();
    EXPECT_LOGGED("the route has no input");
}

TEST(reasons_of_what, "for 'what' the log states the reason: a call, the server or the simulation") {
    begin_log();
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    SIMULATE("interrupt begin");
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers, 1));
    EXPECT_OK(AudioSessionSetActive(1));
    (void)take_log();
    EXPECT_STATUS(set_category(kAudioSessionCategory_SoloAmbientSound), kAudioSessionUnspecifiedError);
    const char *log_ = take_log();
    EXPECT_LOGGED("while a call lasts, an active session cannot change to a category that does not mix");
    SIMULATE("interrupt end");
    EXPECT_OK(AudioSessionSetActive(0));
    SIMULATE("server die");
    (void)take_log();
    EXPECT_STATUS(AudioSessionSetActive(1), kAudioSessionUnspecifiedError);
    log_ = take_log();
    EXPECT_LOGGED("the sound server has died");
    EXPECT_STATUS(AudioSessionLinuxSimulate("plug headphones now"), kAudioSessionUnsupportedPropertyError);
    log_ = take_log();
    EXPECT_LOGGED("the end of the line instead of \"now\"");
}

TEST(any_bytes_in_the_log, "random calls are logged line by line") {
    const char *log_;
    begin_log();
    BEGIN_SESSION();
    for (UInt32 i = 0; i < 300; i++) {
        unsigned char data[64];
        UInt32 id = i * 0x9E3779B9u, size = i % 64;
        memset(data, (int)i, sizeof data);
        (void)AudioSessionSetProperty(id, size, data);
        (void)AudioSessionGetProperty(id, &size, data);
        (void)AudioSessionSetProperty(kAudioSessionProperty_Mode, 4, data);
        (void)AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareSampleRate, 8, data);
        log_ = take_log();
        size_t length = strlen(log_);
        EXPECT(length > 0 && log_[length - 1] == '\n');
    }
}
