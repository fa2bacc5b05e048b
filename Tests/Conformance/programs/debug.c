/* What AUDIOSESSION_DEBUG=1 says, and that nothing is said without it. */
#include "conformance.h"
#include "properties.h"

#define EXPECT_LOGGED(text) \
    do { \
        if (!strstr(log_, (text))) failed(__FILE__, __LINE__, "the log lacks \"%s\": %s", (text), log_); \
    } while (0)

TEST(silence, "nothing is printed unless asked for, whatever the mistake") {
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
    LET_EVERYTHING_BE_TOLD();
    /* The runner fails a test that leaves anything on standard error. */
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
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, hear, NULL));
    log_ = take_log();
    EXPECT_LOGGED("AudioSessionAddPropertyListener");
    EXPECT_LOGGED("kAudioSessionProperty_AudioRouteChange");
    EXPECT_OK(AudioSessionRemovePropertyListener(kAudioSessionProperty_AudioRouteChange));
    log_ = take_log();
    EXPECT_LOGGED("AudioSessionRemovePropertyListener");
    EXPECT_OK(AudioSessionRemovePropertyListenerWithUserData(kAudioSessionProperty_AudioRouteChange, hear, NULL));
    log_ = take_log();
    EXPECT_LOGGED("AudioSessionRemovePropertyListenerWithUserData");
    EXPECT_OK(AudioSessionGetPropertySize(kAudioSessionProperty_Mode, &size));
    log_ = take_log();
    EXPECT_LOGGED("AudioSessionGetPropertySize");
    EXPECT_LOGGED("kAudioSessionProperty_Mode");
}

TEST(results_and_mistakes, "an error is logged with its name, and what the mistake may be") {
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

TEST(listeners_are_logged, "and every listener that is told") {
    const char *log_;
    begin_log();
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareOutputVolume, hear, NULL));
    SIMULATE("volume 0.75");
    SIMULATE("interrupt begin");
    (void)take_log();
    WAIT_UNTIL(heard_count == 2);
    log_ = take_log();
    EXPECT_LOGGED("CurrentHardwareOutputVolume");
    EXPECT_LOGGED("0.75");
    EXPECT_LOGGED("nterruption");
}

TEST(any_bytes_in_the_log, "random calls are logged line by line, and the log never breaks") {
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
