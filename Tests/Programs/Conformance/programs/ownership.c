/* SPDX-License-Identifier: Apache-2.0 */
/* The ownership of CoreFoundation values. This program runs with leak detection. */
#include "corefoundation.h"

static const AudioSessionPropertyID owned[] = {
    kAudioSessionProperty_AudioRouteDescription,
    kAudioSessionProperty_InputSources,
    kAudioSessionProperty_OutputDestinations,
    kAudioSessionProperty_InputSource,
    kAudioSessionProperty_OutputDestination,
    kAudioSessionLinuxProperty_OutputDevice,
    kAudioSessionLinuxProperty_InputDevice,
};

enum { OWNED = sizeof owned / sizeof owned[0], ROUNDS = 200 };

static CFTypeRef copy(AudioSessionPropertyID id) {
    CFTypeRef value = NULL;
    UInt32 size = sizeof value;
    EXPECT_OK(AudioSessionGetProperty(id, &size, &value));
    REQUIRE(value != NULL);
    return value;
}

static void begin(void) {
    BEGIN_ON_RUN_LOOP();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    SIMULATE("plug usb");
}

TEST(gets_are_the_callers, "the caller owns the value of a get: it is valid after the next get, and a release frees it") {
    begin();
    for (int i = 0; i < OWNED; i++) {
        for (int round = 0; round < ROUNDS; round++) {
            CFTypeRef first = copy(owned[i]), second = copy(owned[i]);
            EXPECT(CFEqual(first, second));
            CFRelease(first);
            CFTypeID type = CFGetTypeID(second);
            EXPECT(type == CFArrayGetTypeID() || type == CFDictionaryGetTypeID() || type == CFNumberGetTypeID() ||
                type == CFStringGetTypeID());
            CFRelease(second);
        }
    }
}

TEST(values_outlive_changes, "a value that the caller keeps is valid after every change") {
    CFTypeRef kept[OWNED];
    begin();
    for (int i = 0; i < OWNED; i++) kept[i] = copy(owned[i]);
    SIMULATE("unplug usb");
    SIMULATE("plug headset");
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(CFArrayGetCount((CFArrayRef)kept[1]), 2);
    for (int i = 0; i < OWNED; i++) CFRelease(kept[i]);
}

static CFTypeRef retained;

static void retain_payload(void *data, AudioSessionPropertyID id, UInt32 size, const void *value) {
    record_event(data, id, size, value);
    if (!retained) retained = CFRetain(value);
}

TEST(payloads_are_borrowed, "a listener borrows its value: it retains a value that it keeps") {
    char text[TEXT];
    begin();
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, retain_payload, NULL));
    for (int i = 0; i < ROUNDS; i++) {
        SIMULATE(i % 2 ? "unplug headphones" : "plug headphones");
        WAIT_UNTIL(event_count == i + 1);
    }
    CFDictionaryRef current = (CFDictionaryRef)CFDictionaryGetValue(
        (CFDictionaryRef)retained, kAudioSession_AudioRouteChangeKey_CurrentRouteDescription);
    EXPECT_TEXT(ports_of(current, text), "USBInput>Headphones");
    CFRelease(retained);
}

TEST(sets_do_not_steal, "a set copies its value") {
    begin();
    for (int i = 0; i < ROUNDS; i++) {
        SInt32 id = i % 2 + 1, back = 0;
        CFNumberRef number = CFNumberCreate(NULL, kCFNumberSInt32Type, &id);
        EXPECT_OK(AudioSessionSetProperty(kAudioSessionProperty_InputSource, sizeof number, &number));
        EXPECT(CFNumberGetValue(number, kCFNumberSInt32Type, &back) && back == id);
        CFRelease(number);
        CFNumberRef chosen = (CFNumberRef)copy(kAudioSessionProperty_InputSource);
        EXPECT(CFNumberGetValue(chosen, kCFNumberSInt32Type, &back) && back == id);
        CFRelease(chosen);
    }
}

TEST(the_mode_is_retained, "the run loop and mode given to Initialize may be released afterwards") {
    CFMutableStringRef mode = CFStringCreateMutable(NULL, 0);
    CFStringAppend(mode, CFSTR("a mode of the program"));
    EXPECT_OK(AudioSessionInitialize(CFRunLoopGetMain(), mode, record_interruption, NULL));
    CFRelease(mode);
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareOutputVolume, record_event, NULL));
    SIMULATE("volume 0.75");
    EXPECT_INTEGER(CFRunLoopRunInMode(CFSTR("a mode of the program"), TIME_LIMIT_MS / 1000, 1), kCFRunLoopRunHandledSource);
    EXPECT_INTEGER(event_count, 1);
}
