/* SPDX-License-Identifier: Apache-2.0 */
/* For programs that call CoreFoundation: the run loop, and route changes in plain C. */
#ifndef COREFOUNDATION_H
#define COREFOUNDATION_H

#include "conformance.h"

static MAYBE_UNUSED bool turn_of_run_loop(long long deadline) {
    long long left = deadline - milliseconds();
    return CFRunLoopRunInMode(kCFRunLoopDefaultMode, left > 0 ? (double)left / 1000 : 0, 1) == kCFRunLoopRunHandledSource;
}

static MAYBE_UNUSED void begin_on_run_loop_at(const char *file, int line, AudioSessionInterruptionListener listener) {
    turn = turn_of_run_loop;
    expect_status(file, line, "AudioSessionInitialize", AudioSessionInitialize(NULL, NULL, listener, NULL), 0);
    if (failures) exit(1);
}

#define BEGIN_ON_RUN_LOOP() begin_on_run_loop_at(__FILE__, __LINE__, record_interruption)

enum { TEXT = 256 };

static MAYBE_UNUSED const char *text_of(CFStringRef string, char text[TEXT]) {
    text[0] = 0;
    if (!string || CFGetTypeID(string) != CFStringGetTypeID()) return strcpy(text, "(no string)");
    if (!CFStringGetCString(string, text, TEXT, kCFStringEncodingUTF8)) strcpy(text, "(too long)");
    return text;
}

static MAYBE_UNUSED void append_types(CFDictionaryRef description, CFStringRef key, char text[TEXT]) {
    char type[TEXT];
    CFArrayRef ports = (CFArrayRef)CFDictionaryGetValue(description, key);
    if (!ports || CFGetTypeID(ports) != CFArrayGetTypeID()) {
        strcat(text, "(no array)");
        return;
    }
    for (CFIndex i = 0; i < CFArrayGetCount(ports); i++) {
        CFDictionaryRef port = (CFDictionaryRef)CFArrayGetValueAtIndex(ports, i);
        if (i > 0) strcat(text, "+");
        strcat(text, text_of((CFStringRef)CFDictionaryGetValue(port, kAudioSession_AudioRouteKey_Type), type));
    }
}

/* "MicrophoneBuiltIn>Speaker": types of the inputs and of the outputs. */
static MAYBE_UNUSED const char *ports_of(CFDictionaryRef description, char text[TEXT]) {
    text[0] = 0;
    if (!description || CFGetTypeID(description) != CFDictionaryGetTypeID()) return strcpy(text, "(no dictionary)");
    append_types(description, kAudioSession_AudioRouteKey_Inputs, text);
    strcat(text, ">");
    append_types(description, kAudioSession_AudioRouteKey_Outputs, text);
    return text;
}

static MAYBE_UNUSED const char *current_ports(void) {
    static char text[TEXT];
    CFDictionaryRef description = NULL;
    UInt32 size = sizeof description;
    OSStatus status = AudioSessionGetProperty(kAudioSessionProperty_AudioRouteDescription, &size, &description);
    if (status != 0) return AudioSessionLinuxStatusName(status);
    ports_of(description, text);
    CFRelease(description);
    return text;
}

static MAYBE_UNUSED const char *current_route(void) {
    static char text[TEXT];
    CFStringRef route = NULL;
    UInt32 size = sizeof route;
    OSStatus status = AudioSessionGetProperty(kAudioSessionProperty_AudioRoute, &size, &route);
    if (status != 0) return AudioSessionLinuxStatusName(status);
    if (!route) return "(NULL)";
    text_of(route, text);
    CFRelease(route);
    return text;
}

struct route_change {
    SInt32 reason;
    char old_route[TEXT], new_route[TEXT], previous[TEXT], current[TEXT];
    /* The values of the gets at that moment. */
    char ports_then[TEXT];
};

enum { MOST_CHANGES = 256 };
static struct route_change changes[MOST_CHANGES];
static int change_count;
static int delivered_changes MAYBE_UNUSED;

static MAYBE_UNUSED void record_route(void *data, AudioSessionPropertyID id, UInt32 size, const void *value) {
    CFDictionaryRef payload = (CFDictionaryRef)value;
    struct route_change *change = &changes[change_count % MOST_CHANGES];
    record_event(data, id, size, value);
    EXPECT_INTEGER(id, kAudioSessionProperty_AudioRouteChange);
    EXPECT_INTEGER(size, sizeof(CFDictionaryRef));
    REQUIRE(payload != NULL && CFGetTypeID(payload) == CFDictionaryGetTypeID());
    CFNumberRef reason = (CFNumberRef)CFDictionaryGetValue(payload, CFSTR(kAudioSession_AudioRouteChangeKey_Reason));
    REQUIRE(reason != NULL && CFGetTypeID(reason) == CFNumberGetTypeID());
    change->reason = -1;
    EXPECT(CFNumberGetValue(reason, kCFNumberSInt32Type, &change->reason));
    text_of((CFStringRef)CFDictionaryGetValue(payload, CFSTR(kAudioSession_AudioRouteChangeKey_OldRoute)), change->old_route);
    text_of((CFStringRef)CFDictionaryGetValue(payload, CFSTR("OutputDeviceDidChange_NewRoute")), change->new_route);
    ports_of((CFDictionaryRef)CFDictionaryGetValue(payload, kAudioSession_AudioRouteChangeKey_PreviousRouteDescription),
        change->previous);
    ports_of((CFDictionaryRef)CFDictionaryGetValue(payload, kAudioSession_AudioRouteChangeKey_CurrentRouteDescription),
        change->current);
    snprintf(change->ports_then, TEXT, "%s", current_ports());
    change_count++;
}

static MAYBE_UNUSED void expect_change(const char *file, int line, int reason, const char *previous, const char *current,
    const char *old_route, const char *new_route) {
    struct route_change *last = &changes[(change_count - 1 + MOST_CHANGES) % MOST_CHANGES];
    expect_integer(file, line, "the reason", last->reason, reason);
    expect_text(file, line, "the previous route", last->previous, previous);
    expect_text(file, line, "the current route", last->current, current);
    expect_text(file, line, "the old route's name", last->old_route, old_route);
    expect_text(file, line, "the new route's name", last->new_route, new_route);
}

/* Exactly one route change was delivered since the last call, and it was this one. */
#define EXPECT_CHANGE(reason, previous, current, old_route, new_route) \
    do { \
        DELIVER_ALL_EVENTS(); \
        EXPECT_INTEGER(change_count - delivered_changes, 1); \
        expect_change(__FILE__, __LINE__, reason, previous, current, old_route, new_route); \
        delivered_changes = change_count; \
    } while (0)

#define EXPECT_NO_CHANGE() \
    do { \
        DELIVER_ALL_EVENTS(); \
        EXPECT_INTEGER(change_count - delivered_changes, 0); \
        delivered_changes = change_count; \
    } while (0)

#endif
