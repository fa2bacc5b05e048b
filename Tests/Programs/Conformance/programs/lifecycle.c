/* SPDX-License-Identifier: Apache-2.0 */
/* A long random history on one machine. Each cause sends at most one route change, with one of its reasons, from the
   last delivered route to the present one, and one event for each value that it changed. */
#include "corefoundation.h"
#include "properties.h"

enum { STEPS = 500 };

static uint64_t seed;

static uint32_t chance(uint32_t count) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed * 0x2545F4914F6CDD1Du) >> 33) % count;
}

/* ---- Properties with listeners ---- */

static const AudioSessionPropertyID watched[] = {
    kAudioSessionProperty_CurrentHardwareInputNumberChannels,
    kAudioSessionProperty_CurrentHardwareOutputNumberChannels,
    kAudioSessionProperty_CurrentHardwareOutputVolume,
    kAudioSessionProperty_AudioInputAvailable,
    kAudioSessionProperty_InputGainAvailable,
    kAudioSessionProperty_InputGainScalar,
};

enum { WATCHED = sizeof watched / sizeof watched[0], VOLUME = 2, GAIN = 5 };

/* The payload of a listener: input channels are 0 in a category without input. A gain that does not exist has no
   event. */
static bool now(int which, UInt32 *value) {
    UInt32 size = sizeof *value;
    OSStatus status = AudioSessionGetProperty(watched[which], &size, value);
    if (status == kAudioSessionIncompatibleCategory) *value = 0;
    return status == 0 || status == kAudioSessionIncompatibleCategory;
}

static UInt32 known[WATCHED];

static void expect_values_received(const char *cause) {
    for (int i = 0; i < WATCHED; i++) {
        UInt32 value = known[i];
        /* The delivery of all events changes the volume. */
        if (i == VOLUME) continue;
        bool is_there = now(i, &value);
        int expected = is_there && value != known[i], received = events_of(watched[i]);
        char name[5];
        /* A gain that exists again is an event, also with the same value. */
        if (i == GAIN && received == 1 && is_there) expected = 1;
        if (received != expected)
            failed(__FILE__, __LINE__, "%s: '%s' has %d events", cause, code_text(watched[i], name), received);
        if (received) EXPECT_INTEGER(last_event(watched[i])->whole, value);
        known[i] = value;
    }
}

/* A headset and headphones have the same port type: distinguishes them. */
static void current_uids(char text[TEXT]) {
    const CFStringRef keys[] = {kAudioSession_AudioRouteKey_Inputs, kAudioSession_AudioRouteKey_Outputs};
    CFDictionaryRef description = NULL;
    UInt32 size = sizeof description;
    char uid[TEXT];
    text[0] = 0;
    EXPECT_OK(AudioSessionGetProperty(kAudioSessionProperty_AudioRouteDescription, &size, &description));
    REQUIRE(description != NULL);
    for (int i = 0; i < 2; i++) {
        CFArrayRef all = (CFArrayRef)CFDictionaryGetValue(description, keys[i]);
        for (CFIndex j = 0; j < CFArrayGetCount(all); j++) {
            CFDictionaryRef port = (CFDictionaryRef)CFArrayGetValueAtIndex(all, j);
            strncat(text, text_of((CFStringRef)CFDictionaryGetValue(port, CFSTR("RouteDetailedDescription_UID")), uid), 40);
        }
    }
    CFRelease(description);
}

/* ---- Causes ---- */

static const char *ports[] = {"headphones", "headset", "line-out", "line-in", "hdmi", "usb", "bluetooth-hfp", "bluetooth-a2dp",
    "airplay", "receiver", "speaker", "microphone"};

/* The reasons that a cause may have, as bits. */
static unsigned act(char *cause, size_t room) {
    const unsigned nothing = 1 << 7;
    char code[5];
    switch (chance(12)) {
    case 0:
    case 1:
    case 2:
        snprintf(cause, room, "plug %s", ports[chance(12)]);
        SIMULATE(cause);
        return 1 << 1;
    case 3:
    case 4:
    case 5:
        snprintf(cause, room, "unplug %s", ports[chance(12)]);
        SIMULATE(cause);
        return 1 << 2 | nothing;
    case 6: {
        UInt32 category = categories[chance(CATEGORY_COUNT)];
        snprintf(cause, room, "category '%s'", code_text(category, code));
        EXPECT_OK(set_category(category));
        return 1 << 3 | nothing;
    }
    case 7: {
        UInt32 mode = modes[chance(MODE_COUNT)];
        snprintf(cause, room, "mode '%s'", code_text(mode, code));
        return set_u32(kAudioSessionProperty_Mode, mode) == 0 ? 1 << 3 | nothing : 0;
    }
    case 8: {
        const AudioSessionPropertyID ids[] = {
            kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, kAudioSessionProperty_OverrideCategoryEnableBluetoothInput};
        AudioSessionPropertyID id = ids[chance(2)];
        UInt32 value = chance(2);
        snprintf(cause, room, "'%s' %u", code_text(id, code), (unsigned)value);
        return set_u32(id, value) == 0 ? 1 << 4 | nothing : 0;
    }
    case 9: {
        UInt32 value = chance(3) ? kAudioSessionOverrideAudioRoute_Speaker : kAudioSessionOverrideAudioRoute_None;
        snprintf(cause, room, "override %X", (unsigned)value);
        return set_u32(kAudioSessionProperty_OverrideAudioRoute, value) == 0 ? 1 << 4 : 0;
    }
    case 10: {
        const char *commands[] = {"silent on", "silent off", "lock on", "lock off", "server die", "server restart", "wake"};
        const char *command = commands[chance(7)];
        snprintf(cause, room, "%s", command);
        SIMULATE(command);
        return strcmp(command, "wake") == 0 ? 1 << 6 : 0;
    }
    default:
        if (chance(3)) {
            Boolean active = (Boolean)chance(2);
            snprintf(cause, room, "active %d", active);
            (void)AudioSessionSetActive(active);
            return 0;
        }
        snprintf(cause, room, "an interruption");
        SIMULATE("interrupt begin");
        SIMULATE("interrupt end");
        /* It ends the override. */
        return 1 << 4;
    }
}

static void run_history(uint64_t from) {
    char before[TEXT], uids_before[TEXT], uids[TEXT], cause[64];
    seed = from;
    begin_on_run_loop_at(__FILE__, __LINE__, record_interruption);
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, record_route, NULL));
    for (int i = 0; i < WATCHED; i++) {
        EXPECT_OK(AudioSessionAddPropertyListener(watched[i], record_event, NULL));
        (void)now(i, &known[i]);
    }
    snprintf(before, sizeof before, "%s", current_ports());
    current_uids(uids_before);
    for (int step = 0; step < STEPS && failures == 0; step++) {
        event_count = change_count = 0;
        unsigned reasons = act(cause, sizeof cause);
        DELIVER_ALL_EVENTS();
        current_uids(uids);
        bool differs = strcmp(uids_before, uids) != 0;
        EXPECT_INTEGER(change_count, differs || reasons == 1 << 6 ? 1 : 0);
        if (change_count) {
            EXPECT(reasons & 1u << changes[0].reason);
            EXPECT_TEXT(changes[0].previous, before);
            EXPECT_TEXT(changes[0].current, current_ports());
            EXPECT_TEXT(changes[0].ports_then, current_ports());
            int first = 0;
            while (events[first].id == 0) first++;
            EXPECT_INTEGER(events[first].id, kAudioSessionProperty_AudioRouteChange);
            if (changes[0].reason == kAudioSessionRouteChangeReason_NoSuitableRouteForCategory) EXPECT_TEXT(current_ports(), ">");
        }
        expect_values_received(cause);
        if (failures) failed(__FILE__, __LINE__, "step %d: %s, from %s to %s", step, cause, before, current_ports());
        snprintf(before, sizeof before, "%s", current_ports());
        snprintf(uids_before, sizeof uids_before, "%s", uids);
    }
}

TEST(first, "a random history keeps the contract") { run_history(1); }
TEST(second, "a second random history keeps the contract") { run_history(0x9E3779B97F4A7C15u); }
TEST(third, "a history with a new seed each time keeps the contract") {
    run_history((uint64_t)milliseconds() << 20 | (uint64_t)getpid());
}
