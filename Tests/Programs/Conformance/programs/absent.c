/* SPDX-License-Identifier: Apache-2.0 */
/* Without CoreFoundation. The runner makes the library search for it in a folder that has only that of another project. */
#include "conformance.h"

#include <dlfcn.h>

#define EXPECT_REASON() \
    do { \
        const char *log_ = take_log(); \
        if (!strstr(log_, "CoreFoundation")) failed(__FILE__, __LINE__, "the log does not say why: %s", log_); \
    } while (0)

TEST(values, "a CoreFoundation value gives 'what', and the log states the reason; the buffer stays unchanged") {
    const AudioSessionPropertyID ids[] = {kAudioSessionProperty_AudioRoute, kAudioSessionProperty_AudioRouteDescription,
        kAudioSessionProperty_InputSources, kAudioSessionLinuxProperty_OutputDevice};
    begin_log();
    BEGIN_SESSION();
    for (int i = 0; i < 4; i++) {
        void *value = &events[0];
        UInt32 size = sizeof value;
        (void)take_log();
        EXPECT_STATUS(AudioSessionGetProperty(ids[i], &size, &value), kAudioSessionUnspecifiedError);
        EXPECT_REASON();
        EXPECT(value == &events[0]);
        EXPECT_INTEGER(size, 8);
    }
}

TEST(everything_else, "everything else works: numbers, listeners, interruptions, device names") {
    char name[64];
    UInt32 size = sizeof name;
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareInputNumberChannels, record_event, NULL));
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("plug usb");
    SIMULATE("interrupt begin");
    SIMULATE("interrupt end");
    WAIT_UNTIL(event_count == 3);
    EXPECT_INTEGER(events[0].whole, 2);
    EXPECT_OK(AudioSessionLinuxCopyDeviceName(0, name, &size));
}

TEST(route_listeners, "a route listener is called with a NULL payload") {
    begin_log();
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, record_event, NULL));
    SIMULATE("plug headphones");
    WAIT_UNTIL(event_count == 1);
    EXPECT(events[0].payload == NULL);
    EXPECT_INTEGER(events[0].size, 0);
    EXPECT_REASON();
}

TEST(another_project, "the CoreFoundation of another project in the process is as none: no function of it is called") {
    BEGIN_SESSION();
    REQUIRE(dlopen("libOther.so", RTLD_NOW | RTLD_GLOBAL) != NULL);
    REQUIRE(dlsym(RTLD_DEFAULT, "CFDictionaryCreate") != NULL && dlsym(RTLD_DEFAULT, "kCFRunLoopDefaultMode") != NULL);
    void *value = &events[0];
    UInt32 size = sizeof value;
    EXPECT_STATUS(
        AudioSessionGetProperty(kAudioSessionProperty_AudioRouteDescription, &size, &value), kAudioSessionUnspecifiedError);
    EXPECT_STATUS(AudioSessionGetProperty(kAudioSessionProperty_AudioRoute, &size, &value), kAudioSessionUnspecifiedError);
    EXPECT(value == &events[0]);
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, record_event, NULL));
    SIMULATE("plug headphones");
    WAIT_UNTIL(event_count == 1);
    EXPECT(events[0].payload == NULL);
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("interrupt begin");
    WAIT_UNTIL(event_count == 3);
}
