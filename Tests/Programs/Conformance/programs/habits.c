/* SPDX-License-Identifier: Apache-2.0 */
/* Habits of programs that were written for the platform. */
#include "corefoundation.h"

#define ROUTE kAudioSessionProperty_AudioRouteChange
#define VOLUME kAudioSessionProperty_CurrentHardwareOutputVolume

TEST(the_payload_is_the_dictionary, "the payload of a route change is the CFDictionaryRef itself, its size 8") {
    BEGIN_ON_RUN_LOOP();
    EXPECT_OK(AudioSessionAddPropertyListener(ROUTE, record_route, NULL));
    SIMULATE("plug headphones");
    WAIT_UNTIL(change_count == 1);
    EXPECT_INTEGER(events[0].size, 8);
}

static CFIndex sources_delivered = -1;

static void record_sources(void *data, AudioSessionPropertyID id, UInt32 size, const void *value) {
    record_event(data, id, size, value);
    REQUIRE(value != NULL && CFGetTypeID(value) == CFArrayGetTypeID());
    sources_delivered = CFArrayGetCount((CFArrayRef)value);
}

TEST(other_payloads,
    "the other CoreFoundation payloads are objects of size 8; the payload of a number is an address and never NULL") {
    BEGIN_ON_RUN_LOOP();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_InputSources, record_sources, NULL));
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioInputAvailable, record_event, NULL));
    SIMULATE("plug usb");
    WAIT_UNTIL(sources_delivered == 2);
    EXPECT_INTEGER(last_event(kAudioSessionProperty_InputSources)->size, 8);
    SIMULATE("unplug usb");
    SIMULATE("unplug microphone");
    WAIT_UNTIL(sources_delivered == 0 && events_of(kAudioSessionProperty_AudioInputAvailable) == 1);
    EXPECT(last_event(kAudioSessionProperty_AudioInputAvailable)->payload != NULL);
    EXPECT_INTEGER(last_event(kAudioSessionProperty_AudioInputAvailable)->whole, 0);
}

static CFNumberType reason_type;
static int reason_as_int = -1;

static void record_reason(void *data, AudioSessionPropertyID id, UInt32 size, const void *value) {
    CFNumberRef reason =
        (CFNumberRef)CFDictionaryGetValue((CFDictionaryRef)value, CFSTR(kAudioSession_AudioRouteChangeKey_Reason));
    record_event(data, id, size, value);
    /* Into an int, by the number's own type. */
    reason_type = CFNumberGetType(reason);
    CFNumberGetValue(reason, reason_type, &reason_as_int);
}

TEST(the_reason_is_32_bits, "the reason is a 32-bit number: read by its own type into an int") {
    BEGIN_ON_RUN_LOOP();
    EXPECT_OK(AudioSessionAddPropertyListener(ROUTE, record_reason, NULL));
    SIMULATE("plug headphones");
    WAIT_UNTIL(event_count == 1);
    EXPECT_INTEGER(reason_type, kCFNumberSInt32Type);
    EXPECT_INTEGER(reason_as_int, kAudioSessionRouteChangeReason_NewDeviceAvailable);
}

TEST(active_before_a_category, "SetActive(true) before any category is set") {
    BEGIN_ON_RUN_LOOP();
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_AudioCategory), kAudioSessionCategory_SoloAmbientSound);
}

static OSStatus resumed = -1;

static void resume_at_once(void *data, UInt32 state) {
    record_interruption(data, state);
    if (state == kAudioSessionBeginInterruption) {
        EXPECT_OK(AudioSessionSetActive(0));
        resumed = AudioSessionSetActive(1);
    }
}

TEST(resuming_by_themselves, "SetActive(true) inside the begin: a mixing session resumes, and no end follows") {
    begin_on_run_loop_at(__FILE__, __LINE__, resume_at_once);
    EXPECT_OK(set_category(kAudioSessionCategory_AmbientSound));
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("interrupt begin");
    WAIT_UNTIL(event_count == 1);
    EXPECT_OK(resumed);
    SIMULATE("interrupt end");
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(event_count, 1);
}

TEST(initialize_again, "a second Initialize is tested by value, in decimal") {
    BEGIN_ON_RUN_LOOP();
    for (int i = 0; i < 3; i++) EXPECT(AudioSessionInitialize(NULL, NULL, NULL, NULL) == 1768843636);
    EXPECT(kAudioSessionAlreadyInitialized == 1768843636);
}

static int set_in_listener;

static void set_category_in_listener(void *data, AudioSessionPropertyID id, UInt32 size, const void *value) {
    int before = change_count;
    record_route(data, id, size, value);
    if (set_in_listener++ == 0) {
        EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
        /* No recursion: delivered later. */
        EXPECT_INTEGER(change_count, before + 1);
    }
}

TEST(category_inside_the_route_listener,
    "a set of the category inside the route listener does not recurse: the change is delivered later, with reason 3") {
    BEGIN_ON_RUN_LOOP();
    EXPECT_OK(AudioSessionAddPropertyListener(ROUTE, set_category_in_listener, NULL));
    SIMULATE("plug line-out");
    WAIT_UNTIL(change_count == 2);
    EXPECT_INTEGER(changes[0].reason, kAudioSessionRouteChangeReason_NewDeviceAvailable);
    EXPECT_INTEGER(changes[1].reason, kAudioSessionRouteChangeReason_CategoryChange);
}

TEST(preferred_values_read_back, "preferred values read back exactly as set, compared with ==") {
    Float32 duration = 0.0053333f;
    BEGIN_ON_RUN_LOOP();
    EXPECT_OK(set_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration, duration));
    EXPECT(get_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration) == duration);
    EXPECT_OK(set_f64(kAudioSessionProperty_PreferredHardwareSampleRate, 22051.25));
    EXPECT(get_f64(kAudioSessionProperty_PreferredHardwareSampleRate) == 22051.25);
}

TEST(retry_with_input, "input channels in a category without input: '!cat', and after a change to PlayAndRecord the number") {
    BEGIN_ON_RUN_LOOP();
    EXPECT_STATUS(get_status(kAudioSessionProperty_CurrentHardwareInputNumberChannels), kAudioSessionIncompatibleCategory);
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_CurrentHardwareInputNumberChannels), 1);
}

TEST(the_route_string, "the route string may be released or kept, and is never NULL") {
    const char *ports[] = {"headphones", "headset", "line-out", "hdmi", "usb", "bluetooth-a2dp", "airplay"};
    char text[TEXT], command[TEXT];
    BEGIN_ON_RUN_LOOP();
    for (int i = 0; i < 7; i++) {
        snprintf(command, sizeof command, "plug %s", ports[i]);
        SIMULATE(command);
        CFStringRef route = NULL;
        for (int j = 0; j < 100; j++) {
            UInt32 size = sizeof route;
            EXPECT_OK(AudioSessionGetProperty(kAudioSessionProperty_AudioRoute, &size, &route));
            REQUIRE(route != NULL);
            CFRelease(route);
            CFRelease(route);
        }
        EXPECT(strlen(text_of(route, text)) > 0);
        EXPECT(CFStringGetLength(route) > 0);
    }
}

TEST(comparing_the_route_string, "the route string compares with the program's own constants") {
    CFStringRef route = NULL;
    UInt32 size = sizeof route;
    BEGIN_ON_RUN_LOOP();
    SIMULATE("plug headphones");
    EXPECT_OK(AudioSessionGetProperty(kAudioSessionProperty_AudioRoute, &size, &route));
    EXPECT_INTEGER(CFStringCompare(route, CFSTR("Headphone"), 0), kCFCompareEqualTo);
    EXPECT(CFStringHasPrefix(route, CFSTR("Head")));
    EXPECT(CFEqual(route, CFSTR("Headphone")));
    EXPECT_INTEGER(CFHash(route), CFHash(CFSTR("Headphone")));
}

TEST(one_size_variable, "one size variable for several gets, and &size as the data too") {
    UInt32 size = 8, value = 0;
    Float64 rate = 0;
    BEGIN_ON_RUN_LOOP();
    EXPECT_OK(AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareSampleRate, &size, &rate));
    EXPECT_INTEGER(size, 8);
    EXPECT_OK(AudioSessionGetProperty(kAudioSessionProperty_AudioInputAvailable, &size, &value));
    EXPECT_INTEGER(size, 4);
    size = 4;
    EXPECT_OK(AudioSessionGetProperty(kAudioSessionProperty_OtherAudioIsPlaying, &size, &size));
    EXPECT_INTEGER(size, 0);
}

TEST(sixty_four_bits, "with an unsigned long for a UInt32 a set gives '!siz', a get succeeds and returns the true size") {
    unsigned long wide = kAudioSessionCategory_MediaPlayback;
    double wide_float = -1;
    UInt32 size = sizeof wide;
    BEGIN_ON_RUN_LOOP();
    EXPECT_STATUS(
        AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof wide, &wide), kAudioSessionBadPropertySizeError);
    wide = 0;
    EXPECT_OK(AudioSessionGetProperty(kAudioSessionProperty_AudioCategory, &size, &wide));
    EXPECT_INTEGER(size, 4);
    EXPECT_INTEGER(wide, kAudioSessionCategory_SoloAmbientSound);
    size = sizeof wide_float;
    EXPECT_OK(AudioSessionGetProperty(VOLUME, &size, &wide_float));
    EXPECT_INTEGER(size, 4);
}

TEST(one_procedure_for_many,
    "the same procedure and NULL data for eight properties, again and again, and removed under a wrong id") {
    const AudioSessionPropertyID ids[] = {ROUTE, VOLUME, kAudioSessionProperty_AudioInputAvailable,
        kAudioSessionProperty_ServerDied, kAudioSessionProperty_InputGainAvailable,
        kAudioSessionProperty_CurrentHardwareOutputNumberChannels, kAudioSessionProperty_CurrentHardwareInputNumberChannels,
        kAudioSessionProperty_InputSources};
    BEGIN_ON_RUN_LOOP();
    for (int round = 0; round < 10; round++)
        for (int i = 0; i < 8; i++) EXPECT_OK(AudioSessionAddPropertyListener(ids[i], record_event, NULL));
    (void)AudioSessionAddPropertyListener(kAudioSessionProperty_AudioCategory, record_event, NULL);
    EXPECT_OK(AudioSessionRemovePropertyListenerWithUserData(kAudioSessionProperty_AudioCategory, record_event, NULL));
    SIMULATE("volume 0.75");
    SIMULATE("unplug microphone");
    SIMULATE("server die");
    SIMULATE("plug headphones");
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(events_of(kAudioSessionProperty_AudioInputAvailable), 1);
    EXPECT_INTEGER(events_of(kAudioSessionProperty_ServerDied), 1);
    EXPECT_INTEGER(events_of(ROUTE), 1);
}

TEST(a_category_as_the_property, "a category in place of the property is an error, and the log names the property") {
    UInt32 category = kAudioSessionCategory_MediaPlayback;
    begin_log();
    BEGIN_ON_RUN_LOOP();
    (void)take_log();
    EXPECT_STATUS(AudioSessionSetProperty(category, sizeof category, &category), kAudioSessionUnsupportedPropertyError);
    EXPECT(strstr(take_log(), "unknown property 'medi' (a category; did you mean kAudioSessionProperty_AudioCategory?)") != NULL);
}

TEST(the_expected_type, "for a set of a wrong size the log names the expected type") {
    unsigned long wide = 1;
    double wide_float = 0.005;
    begin_log();
    BEGIN_ON_RUN_LOOP();
    (void)take_log();
    EXPECT_STATUS(AudioSessionSetProperty(kAudioSessionProperty_OverrideCategoryMixWithOthers, sizeof wide, &wide),
        kAudioSessionBadPropertySizeError);
    EXPECT(strstr(take_log(), "UInt32") != NULL);
    EXPECT_STATUS(
        AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareIOBufferDuration, sizeof wide_float, &wide_float),
        kAudioSessionBadPropertySizeError);
    EXPECT(strstr(take_log(), "Float32") != NULL);
}

TEST(the_silent_switch, "the silent switch shows as the route \"\"") {
    BEGIN_ON_RUN_LOOP();
    SIMULATE("silent on");
    EXPECT_TEXT(current_route(), "");
    SIMULATE("silent off");
    EXPECT_TEXT(current_route(), "Speaker");
}

TEST(no_reason_above_seven, "no reason above 7 for anything that older programs know") {
    const char *commands[] = {"plug headphones", "plug headset", "unplug headset", "unplug headphones", "plug usb", "unplug usb",
        "unplug speaker", "plug speaker", "unplug receiver", "unplug speaker", "plug hdmi", "wake", "plug receiver",
        "plug speaker", "unplug hdmi"};
    BEGIN_ON_RUN_LOOP();
    EXPECT_OK(AudioSessionAddPropertyListener(ROUTE, record_route, NULL));
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) SIMULATE(commands[i]);
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideAudioRoute, kAudioSessionOverrideAudioRoute_Speaker));
    EXPECT_OK(set_category(kAudioSessionCategory_RecordAudio));
    DELIVER_ALL_EVENTS();
    EXPECT(change_count > 10);
    for (int i = 0; i < change_count; i++) EXPECT(changes[i].reason >= 1 && changes[i].reason <= 7);
}

static UInt32 asserted;

static void assert_type(void *data, UInt32 state) {
    record_interruption(data, state);
    if (state != kAudioSessionEndInterruption) return;
    UInt32 type = 0, size = sizeof type;
    EXPECT_OK(AudioSessionGetProperty(kAudioSessionProperty_InterruptionType, &size, &type));
    EXPECT(type == kAudioSessionInterruptionType_ShouldResume || type == kAudioSessionInterruptionType_ShouldNotResume);
    asserted++;
}

TEST(the_type_is_one_of_two, "InterruptionType is one of its two values inside the end callback") {
    begin_on_run_loop_at(__FILE__, __LINE__, assert_type);
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    for (UInt32 i = 1; i <= 4; i++) {
        EXPECT_OK(AudioSessionSetActive(1));
        SIMULATE("interrupt begin");
        SIMULATE(i % 2 ? "interrupt end" : "interrupt end --should-not-resume");
        WAIT_UNTIL(asserted == i);
    }
}

static volatile int stop_calling;

static void *audio_thread(void *unused) {
    while (!stop_calling) {
        (void)get_status(kAudioSessionProperty_CurrentHardwareSampleRate);
        (void)get_status(VOLUME);
        (void)set_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration, 0.01f);
    }
    return unused;
}

TEST(audio_threads, "an audio thread gets and sets while the main thread receives changes") {
    pthread_t thread;
    BEGIN_ON_RUN_LOOP();
    EXPECT_OK(AudioSessionAddPropertyListener(ROUTE, record_route, NULL));
    pthread_create(&thread, NULL, audio_thread, NULL);
    for (int i = 0; i < 50; i++) {
        SIMULATE(i % 2 ? "unplug headphones" : "plug headphones");
        WAIT_UNTIL(change_count == i + 1);
    }
    stop_calling = 1;
    pthread_join(thread, NULL);
}
