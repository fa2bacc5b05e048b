/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that do not call CoreFoundation: it is not loaded until a value needs it, and where it
   comes later, because the program loads it, delivery moves to its run loop. */
#include "conformance.h"

#include <dlfcn.h>
#include <link.h>

#define VOLUME kAudioSessionProperty_CurrentHardwareOutputVolume

static int note_foundation(struct dl_phdr_info *info, size_t size, void *found) {
    (void)size;
    if (strstr(info->dlpi_name, "libFoundation.so")) *(bool *)found = true;
    return 0;
}

static bool foundation_is_loaded(void) {
    bool found = false;
    dl_iterate_phdr(note_foundation, &found);
    return found;
}

TEST(not_loaded, "a program that uses no CoreFoundation value never loads it") {
    EXPECT(!foundation_is_loaded());
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, NULL));
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioInputAvailable, record_event, NULL));
    SIMULATE("plug usb");
    SIMULATE("volume 0.75");
    SIMULATE("interrupt begin");
    SIMULATE("interrupt end");
    WAIT_UNTIL(events_of(0) == 2);
    EXPECT(!foundation_is_loaded());
}

typedef Boolean (*string_get)(CFStringRef, char *, CFIndex, UInt32);

TEST(loaded_on_demand, "a get of a CoreFoundation value loads CoreFoundation") {
    CFStringRef route = NULL;
    UInt32 size = sizeof route;
    char text[64] = "";
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionGetProperty(kAudioSessionProperty_AudioRoute, &size, &route));
    REQUIRE(route != NULL);
    EXPECT(foundation_is_loaded());
    string_get get = (string_get)dlsym(RTLD_DEFAULT, "CFStringGetCString");
    REQUIRE(get != NULL);
    EXPECT(get(route, text, sizeof text, 0x08000100));
    EXPECT_TEXT(text, "Speaker");
    /* The constants are complete as well. */
    EXPECT(get(kAudioSessionOutputRoute_BuiltInSpeaker, text, sizeof text, 0x08000100));
    EXPECT_TEXT(text, "Speaker");
}

TEST(loading_it_moves_nothing, "CoreFoundation that the library loads itself does not move delivery") {
    CFStringRef route = NULL;
    UInt32 size = sizeof route;
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, NULL));
    EXPECT_OK(AudioSessionGetProperty(kAudioSessionProperty_AudioRoute, &size, &route));
    SIMULATE("volume 0.75");
    EXPECT_OK(AudioSessionLinuxDispatchEvents());
    EXPECT_INTEGER(event_count, 1);
}

TEST(a_route_change_loads_it, "a route listener gets its dictionary without having linked CoreFoundation") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, record_event, NULL));
    SIMULATE("plug headphones");
    WAIT_UNTIL(event_count == 1);
    EXPECT(events[0].payload != NULL);
    EXPECT_INTEGER(events[0].size, 8);
    EXPECT(foundation_is_loaded());
}

typedef SInt32 (*run_in_mode)(CFStringRef, double, Boolean);

static bool load_foundation(void) {
    /* From the folder of the toolchain. */
    const char *folder = getenv("CONFORMANCE_FOUNDATION");
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/libFoundation.so", folder ? folder : ".");
    return dlopen(path, RTLD_NOW | RTLD_GLOBAL) != NULL;
}

TEST(loaded_later, "when the program loads CoreFoundation after Initialize, delivery moves to its run loop") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, NULL));
    SIMULATE("volume 0.75");
    REQUIRE(load_foundation());
    run_in_mode run = (run_in_mode)dlsym(RTLD_DEFAULT, "CFRunLoopRunInMode");
    CFStringRef *mode = (CFStringRef *)dlsym(RTLD_DEFAULT, "kCFRunLoopDefaultMode");
    REQUIRE(run != NULL && mode != NULL);
    SIMULATE("volume 0.25");
    long long deadline = milliseconds() + TIME_LIMIT_MS;
    while (event_count == 0 && milliseconds() < deadline) (void)run(*mode, (double)(deadline - milliseconds()) / 1000, 1);
    EXPECT(event_count > 0);
    EXPECT_NUMBER(events[event_count - 1].number, 0.25);
}

TEST(the_descriptor_stays, "once the program has the descriptor, delivery stays there") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, NULL));
    EXPECT(AudioSessionLinuxEventDescriptor() >= 0);
    REQUIRE(load_foundation());
    SIMULATE("volume 0.75");
    WAIT_UNTIL(event_count == 1);
}

TEST(signal_handlers_stay, "loading CoreFoundation leaves the program's signal handlers as they were") {
    struct sigaction before[32], after;
    CFStringRef route = NULL;
    UInt32 size = sizeof route;
    BEGIN_SESSION();
    for (int i = 1; i < 32; i++) sigaction(i, NULL, &before[i]);
    EXPECT_OK(AudioSessionGetProperty(kAudioSessionProperty_AudioRoute, &size, &route));
    for (int i = 1; i < 32; i++) {
        sigaction(i, NULL, &after);
        EXPECT(after.sa_handler == before[i].sa_handler);
    }
}
