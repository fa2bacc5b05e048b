/* SPDX-License-Identifier: Apache-2.0 */
#include "failures.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- for most steps ---- */

static int begins, ends, routes, volumes;
static Float32 last_volume;

static void on_interruption(void *data, UInt32 state) {
    (void)data;
    if (state == kAudioSessionBeginInterruption)
        begins++;
    else
        ends++;
}

static void on_property_change(void *data, AudioSessionPropertyID property, UInt32 size, const void *value) {
    (void)data;
    if (property == kAudioSessionProperty_AudioRouteChange) routes++;
    if (property == kAudioSessionProperty_CurrentHardwareOutputVolume && size == 4) {
        memcpy(&last_volume, value, 4);
        volumes++;
    }
}

static void require(bool holds, const char *what) {
    if (holds) return;
    complain("before: %s does not hold", what);
    exit(2);
}
#define REQUIRE(condition) require(condition, #condition)
#define REQUIRE_OK(call) require((call) == 0, #call)

static UInt32 get_u32(AudioSessionPropertyID property) {
    UInt32 value = 0xDEAD, size = sizeof value;
    EXPECT_OK(AudioSessionGetProperty(property, &size, &value));
    return value;
}

static OSStatus set_u32(AudioSessionPropertyID property, UInt32 value) {
    return AudioSessionSetProperty(property, sizeof value, &value);
}

static void on_simulated_hardware(void) { setenv("AUDIOSESSION_HARDWARE", "simulated", 1); }

static void with_session(void) {
    on_simulated_hardware();
    REQUIRE_OK(AudioSessionInitialize(NULL, NULL, on_interruption, NULL));
    REQUIRE(AudioSessionLinuxEventDescriptor() >= 0);
    REQUIRE_OK(AudioSessionLinuxSimulate("unplug headphones"));
}

static void with_active_session(void) {
    with_session();
    REQUIRE_OK(AudioSessionSetActive(true));
}

/* The session can be deactivated, changed and activated again. */
static void still_works(void) {
    EXPECT_OK(AudioSessionSetActive(false));
    EXPECT_OK(set_u32(kAudioSessionProperty_AudioCategory, kAudioSessionCategory_MediaPlayback));
    EXPECT(get_u32(kAudioSessionProperty_AudioCategory) == kAudioSessionCategory_MediaPlayback);
    EXPECT_OK(AudioSessionSetActive(true));
    EXPECT_OK(AudioSessionSetActive(false));
    EXPECT(AudioSessionInitialize(NULL, NULL, NULL, NULL) == kAudioSessionAlreadyInitialized);
}

/* ---- Initialize ---- */

static OSStatus initialize(void) { return AudioSessionInitialize(NULL, NULL, on_interruption, NULL); }

static void initialized(OSStatus status) {
    if (status) EXPECT(AudioSessionSetActive(true) == kAudioSessionNotInitialized);
    if (status) EXPECT_OK(initialize());
    EXPECT(AudioSessionLinuxEventDescriptor() >= 0);
    EXPECT(get_u32(kAudioSessionProperty_AudioCategory) == kAudioSessionCategory_SoloAmbientSound);
    still_works();
}

/* The name contains the version of the layout. */
#define TABLE "sessions.8"

/* Another program damages or removes the shared files. */
static void damage(const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", getenv("AUDIOSESSION_RUNTIME_DIR"), name);
    int file = open(path, O_WRONLY);
    REQUIRE(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
}

static void on_damaged_table(void) {
    on_simulated_hardware();
    damage(TABLE, "garbage in place of a table");
}

static void on_damaged_simulation(void) {
    char path[256];
    on_simulated_hardware();
    snprintf(path, sizeof path, "%s/my machine", getenv("AUDIOSESSION_RUNTIME_DIR"));
    FILE *file = fopen(path, "w");
    REQUIRE(file && fputs("plug something\n", file) >= 0 && fclose(file) == 0);
    setenv("AUDIOSESSION_SIMULATION", path, 1);
}

static void without_folder(void) {
    char path[256];
    on_simulated_hardware();
    snprintf(path, sizeof path, "%s/new", getenv("AUDIOSESSION_RUNTIME_DIR"));
    setenv("AUDIOSESSION_RUNTIME_DIR", path, 1);
}

/* ---- SetActive ---- */

static OSStatus activate(void) { return AudioSessionSetActive(true); }
static OSStatus deactivate(void) { return AudioSessionSetActive(false); }
static OSStatus deactivate_and_notify(void) {
    return AudioSessionSetActiveWithFlags(false, kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation);
}
static void worked(OSStatus status) {
    (void)status;
    still_works();
}

/* ---- SetActive, interrupting the peer ---- */

static void beside_player(void) {
    with_session();
    REQUIRE(peer(PLAY_EXCLUSIVELY));
}

/* The peer is interrupted exactly when the activation succeeded. A process that cannot use the shared table for longer uses
   a private one. */
static void peer_is_interrupted(OSStatus status) {
    EXPECT_OK(AudioSessionSetActive(status == 0));
    if (status)
        EXPECT(peer(CHECK_UNDISTURBED));
    else if (!may_use_private_table())
        EXPECT(peer(AWAIT_INTERRUPTION));
    EXPECT(peer(PLAY_MIXED));
    still_works();
}

static void with_damaged_table(void) {
    with_session();
    damage(TABLE, "garbage in place of a table");
}

static void with_lost_table(void) {
    char path[256];
    with_session();
    snprintf(path, sizeof path, "%s/" TABLE, getenv("AUDIOSESSION_RUNTIME_DIR"));
    REQUIRE(unlink(path) == 0);
}

static void with_cut_table(void) {
    char path[256];
    with_session();
    snprintf(path, sizeof path, "%s/" TABLE, getenv("AUDIOSESSION_RUNTIME_DIR"));
    REQUIRE(truncate(path, 3000) == 0);
}

/* ---- an interruption of this session by a call that another process has begun ---- */

/* Delivers events until the count has the wanted value. `what` is printed when that must happen and does not. A
   failed call may have left the descriptor unreadable: events are delivered every TURN_MS all the same. */
static bool deliver_until(const char *what, const int *count, int wanted, int milliseconds) {
    enum { TURN_MS = 50 };
    for (int64_t end = now_ms() + milliseconds, left = milliseconds; *count < wanted && left > 0; left = end - now_ms()) {
        struct pollfd item = {.fd = AudioSessionLinuxEventDescriptor(), .events = POLLIN};
        poll(&item, 1, TURN_MS);
        EXPECT_OK(AudioSessionLinuxDispatchEvents());
    }
    if (*count < wanted && milliseconds == WAIT_LIMIT_MS)
        complain("awaited for %d ms: %s, %d times; seen: %d times", milliseconds, what, wanted, *count);
    return *count >= wanted;
}

/* ---- properties ---- */

static OSStatus get_category_size(void) {
    UInt32 size = 0;
    return AudioSessionGetPropertySize(kAudioSessionProperty_AudioCategory, &size);
}

static OSStatus get_everything(void) {
    static const AudioSessionPropertyID all[] = {'hwsr', 'iobd', 'acat', 'chsr', 'chic', 'choc', 'chov', 'cilt', 'colt', 'chbd',
        'othr', 'aiav', 'duck', 'cmix', 'cspk', 'cblu', 'mode', 'igav', 'igsc'};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        unsigned char value[8];
        UInt32 size = sizeof value;
        OSStatus status = AudioSessionGetProperty(all[i], &size, value);
        if (status) return status;
    }
    return 0;
}

static void record(void) { REQUIRE_OK(set_u32(kAudioSessionProperty_AudioCategory, kAudioSessionCategory_PlayAndRecord)); }

static void with_recording_session(void) {
    with_session();
    record();
}

/* To the peer, a process that uses a private table has ended: the peer restores the gain that this process has changed. */
static bool may_be_restored(AudioSessionPropertyID property) {
    return property == kAudioSessionProperty_InputGainScalar && may_use_private_table();
}

/* A set that fails changes nothing. A get returns the value of a set that succeeds. */
#define SETTING(name, property, type, value, before) \
    static OSStatus set_##name(void) { \
        type new = value; \
        return AudioSessionSetProperty(property, sizeof new, &new); \
    } \
    static void name##_was_set(OSStatus status) { \
        type now; \
        UInt32 size = sizeof now; \
        EXPECT_OK(AudioSessionGetProperty(property, &size, &now)); \
        EXPECT(now == (status ? (type)(before) : (type)(value)) || may_use_default_machine()); \
        EXPECT_OK(set_##name()); \
        EXPECT_OK(AudioSessionGetProperty(property, &size, &now)); \
        EXPECT(now == (type)(value) || may_be_restored(property)); \
        still_works(); \
    }

SETTING(rate, kAudioSessionProperty_PreferredHardwareSampleRate, Float64, 44100, 0)
SETTING(duration, kAudioSessionProperty_PreferredHardwareIOBufferDuration, Float32, 0.01f, 0)
SETTING(category, kAudioSessionProperty_AudioCategory, UInt32, kAudioSessionCategory_MediaPlayback,
    kAudioSessionCategory_PlayAndRecord)
SETTING(mode, kAudioSessionProperty_Mode, UInt32, kAudioSessionMode_VoiceChat, kAudioSessionMode_Default)
SETTING(duck, kAudioSessionProperty_OtherMixableAudioShouldDuck, UInt32, 1, 0)
SETTING(mixing, kAudioSessionProperty_OverrideCategoryMixWithOthers, UInt32, 1, 0)
SETTING(speaker, kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, UInt32, 1, 0)
SETTING(bluetooth, kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, UInt32, 1, 0)

static Float32 gain_before;
static void with_gain(void) {
    UInt32 size = sizeof gain_before;
    Float32 before = 0.75f;
    with_recording_session();
    REQUIRE_OK(AudioSessionLinuxSimulate("plug usb"));
    REQUIRE_OK(AudioSessionSetActive(true));
    REQUIRE_OK(AudioSessionSetProperty(kAudioSessionProperty_InputGainScalar, sizeof before, &before));
    REQUIRE_OK(AudioSessionGetProperty(kAudioSessionProperty_InputGainScalar, &size, &gain_before));
    REQUIRE(gain_before != 0.25f);
}
SETTING(gain, kAudioSessionProperty_InputGainScalar, Float32, 0.25f, gain_before)

static OSStatus override_route(void) {
    return set_u32(kAudioSessionProperty_OverrideAudioRoute, kAudioSessionOverrideAudioRoute_Speaker);
}

/* ---- listeners ---- */

static void with_listeners(void) {
    with_active_session();
    REQUIRE_OK(AudioSessionLinuxSimulate("volume 0.5"));
    REQUIRE_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareOutputVolume, on_property_change, NULL));
    REQUIRE_OK(AudioSessionLinuxDispatchEvents());
    volumes = 0;
}

static OSStatus add_and_remove(void) {
    OSStatus status = AudioSessionAddPropertyListener(kAudioSessionProperty_AudioInputAvailable, on_property_change, NULL);
    if (!status)
        status =
            AudioSessionRemovePropertyListenerWithUserData(kAudioSessionProperty_AudioInputAvailable, on_property_change, NULL);
    return status;
}

static OSStatus change_volume(void) { return AudioSessionLinuxSimulate("volume 0.125"); }

static void volume_is_delivered(OSStatus status) {
    EXPECT_OK(AudioSessionLinuxDispatchEvents());
    EXPECT(status ? volumes == 0 : volumes == 1 && last_volume == 0.125f);
    EXPECT_OK(AudioSessionLinuxSimulate("volume 0.75"));
    EXPECT_OK(AudioSessionLinuxDispatchEvents());
    EXPECT(last_volume == 0.75f);
    still_works();
}

static void with_waiting_volume(void) {
    with_listeners();
    REQUIRE_OK(change_volume());
}

static void all_is_delivered(OSStatus status) {
    (void)status;
    EXPECT_OK(AudioSessionLinuxDispatchEvents());
    EXPECT(volumes == 1 && last_volume == 0.125f);
    still_works();
}

/* ---- events that the threads of the library notice ---- */

/* An event that one failure delays is delivered with the next event at the latest. */
enum { SHORT_WHILE_MS = 200 };

static OSStatus await_call(void) {
    EXPECT(peer(BEGIN_CALL));
    deliver_until("the begin of an interruption", &begins, 1, SHORT_WHILE_MS);
    return 0;
}

static void call_is_delivered(OSStatus status) {
    (void)status;
    EXPECT(peer(END_CALL));
    if (!may_lose_events()) deliver_until("the end of an interruption", &ends, begins, WAIT_LIMIT_MS);
    EXPECT(begins == ends || may_lose_events());
    still_works();
}

static int plugged;
static void on_route_change(void *data, AudioSessionPropertyID property, UInt32 size, const void *value) {
    (void)data, (void)property, (void)size, (void)value;
    plugged++;
}

static void with_route_listener(void) {
    with_active_session();
    REQUIRE_OK(set_u32(kAudioSessionProperty_AudioCategory, kAudioSessionCategory_PlayAndRecord));
    /* The receiver has one channel, headphones have two. */
    REQUIRE_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareOutputNumberChannels, on_route_change, NULL));
}

static OSStatus await_plug(void) {
    EXPECT(peer(PLUG));
    deliver_until("a change of the channels", &plugged, 1, SHORT_WHILE_MS);
    return 0;
}

static void plug_is_delivered(OSStatus status) {
    int before = plugged;
    (void)status;
    EXPECT(peer(UNPLUG));
    EXPECT_OK(AudioSessionLinuxSimulate("plug line-out"));
    EXPECT_OK(AudioSessionLinuxSimulate("unplug line-out"));
    if (before) EXPECT(deliver_until("a change of the channels", &plugged, before + 1, WAIT_LIMIT_MS));
    EXPECT(get_u32(kAudioSessionProperty_CurrentHardwareOutputNumberChannels) == 1);
    still_works();
}

static OSStatus plug(void) { return AudioSessionLinuxSimulate("plug headphones"); }

static void is_plugged_in(OSStatus status) {
    EXPECT(get_u32(kAudioSessionProperty_CurrentHardwareOutputNumberChannels) == (status ? 1 : 2));
    EXPECT_OK(plug());
    EXPECT(deliver_until("a change of the channels", &plugged, 1, WAIT_LIMIT_MS));
    EXPECT_OK(AudioSessionLinuxSimulate("unplug headphones"));
    EXPECT(deliver_until("a change of the channels", &plugged, 2, WAIT_LIMIT_MS));
    EXPECT(get_u32(kAudioSessionProperty_CurrentHardwareOutputNumberChannels) == 1);
    still_works();
}

/* ---- no sound card, but a port of the user's configuration, which plays into ALSA's null ---- */

static void on_cards(void) {
    static const char configuration[] = "pcm.!default { type null }\n"
                                        "defaults.audiosession { ports.car { kind line-out device null name car channels 6 } }\n";
    char path[256];
    snprintf(path, sizeof path, "%s/asound.conf", getenv("AUDIOSESSION_RUNTIME_DIR"));
    FILE *file = fopen(path, "w");
    REQUIRE(file && fputs(configuration, file) >= 0 && fclose(file) == 0);
    setenv("ALSA_CONFIG_PATH", path, 1);
    setenv("AUDIOSESSION_HARDWARE", "alsa", 1);
}

static void has_cards(OSStatus status) {
    if (fault_is_invisible()) EXPECT(get_u32(kAudioSessionProperty_CurrentHardwareOutputNumberChannels) == 6);
    initialized(status);
}

static void with_cards(void) {
    on_cards();
    REQUIRE_OK(initialize());
    REQUIRE(AudioSessionLinuxEventDescriptor() >= 0);
    REQUIRE(get_u32(kAudioSessionProperty_CurrentHardwareOutputNumberChannels) == 6);
}

static OSStatus ask_card(void) {
    Float64 rate = 0;
    UInt32 size = sizeof rate;
    return AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareSampleRate, &size, &rate);
}

static void card_answers(OSStatus status) {
    (void)status;
    EXPECT_OK(ask_card());
    EXPECT(get_u32(kAudioSessionProperty_CurrentHardwareOutputNumberChannels) == 6);
    still_works();
}

const struct step steps[] = {
    {"Initialize", FAULT_ALL_THREADS, on_simulated_hardware, initialize, {kAudioSessionInitializationError}, initialized, 0},
    {"Initialize, with the table damaged", FAULT_ALL_THREADS, on_damaged_table, initialize, {kAudioSessionInitializationError},
        initialized, 0},
    {"Initialize, with the simulation damaged", FAULT_ALL_THREADS, on_damaged_simulation, initialize,
        {kAudioSessionInitializationError}, initialized, 0},
    {"Initialize, with the folder still to be made", FAULT_ALL_THREADS, without_folder, initialize,
        {kAudioSessionInitializationError}, initialized, 0},
    {"Initialize, looking for sound cards", FAULT_ALL_THREADS, on_cards, initialize, {kAudioSessionInitializationError},
        has_cards, 0},
    {"a question to a sound card", FAULT_ALL_THREADS, with_cards, ask_card, {kAudioServicesNoHardwareError}, card_answers, 0},
    {"SetActive(true)", FAULT_THIS_THREAD, with_session, activate, {kAudioSessionUnspecifiedError}, worked, 0},
    {"SetActive(true), interrupting another process", FAULT_THIS_THREAD, beside_player, activate, {kAudioSessionUnspecifiedError},
        peer_is_interrupted, 0},
    {"SetActive(false)", FAULT_THIS_THREAD, with_active_session, deactivate, {kAudioSessionUnspecifiedError}, worked, 0},
    {"SetActive(false), notifying others", FAULT_THIS_THREAD, with_active_session, deactivate_and_notify,
        {kAudioSessionUnspecifiedError}, worked, 0},
    {"SetActive(true), with the table damaged", FAULT_THIS_THREAD, with_damaged_table, activate, {kAudioSessionUnspecifiedError},
        worked, 0},
    {"SetActive(true), with the table lost", FAULT_THIS_THREAD, with_lost_table, activate, {kAudioSessionUnspecifiedError},
        worked, 0},
    {"SetActive(true), with the table cut off", FAULT_THIS_THREAD, with_cut_table, activate, {kAudioSessionUnspecifiedError},
        worked, 0},
    {"GetPropertySize", FAULT_THIS_THREAD, with_session, get_category_size, {0}, worked, 0},
    {"GetProperty of every number", FAULT_THIS_THREAD, with_recording_session, get_everything, {0}, worked, 0},
    {"set of PreferredHardwareSampleRate", FAULT_THIS_THREAD, with_recording_session, set_rate, {kAudioSessionUnspecifiedError},
        rate_was_set, 0},
    {"set of PreferredHardwareIOBufferDuration", FAULT_THIS_THREAD, with_recording_session, set_duration,
        {kAudioSessionUnspecifiedError}, duration_was_set, 0},
    {"set of AudioCategory", FAULT_THIS_THREAD, with_recording_session, set_category, {kAudioSessionUnspecifiedError},
        category_was_set, 0},
    {"set of Mode", FAULT_THIS_THREAD, with_recording_session, set_mode, {kAudioSessionUnspecifiedError}, mode_was_set, 0},
    {"set of OtherMixableAudioShouldDuck", FAULT_THIS_THREAD, with_recording_session, set_duck, {kAudioSessionUnspecifiedError},
        duck_was_set, 0},
    {"set of OverrideCategoryMixWithOthers", FAULT_THIS_THREAD, with_recording_session, set_mixing,
        {kAudioSessionUnspecifiedError}, mixing_was_set, 0},
    {"set of OverrideCategoryDefaultToSpeaker", FAULT_THIS_THREAD, with_recording_session, set_speaker,
        {kAudioSessionUnspecifiedError}, speaker_was_set, 0},
    {"set of OverrideCategoryEnableBluetoothInput", FAULT_THIS_THREAD, with_recording_session, set_bluetooth,
        {kAudioSessionUnspecifiedError}, bluetooth_was_set, 0},
    {"set of OverrideAudioRoute", FAULT_THIS_THREAD, with_recording_session, override_route, {kAudioSessionUnspecifiedError},
        worked, 0},
    {"set of InputGainScalar", FAULT_THIS_THREAD, with_gain, set_gain, {kAudioSessionUnspecifiedError}, gain_was_set, 0},
    {"adding and removing a listener", FAULT_THIS_THREAD, with_session, add_and_remove, {0}, worked, 0},
    {"a change of the volume", FAULT_THIS_THREAD, with_listeners, change_volume, {kAudioSessionUnspecifiedError},
        volume_is_delivered, 0},
    {"DispatchEvents", FAULT_THIS_THREAD, with_waiting_volume, AudioSessionLinuxDispatchEvents, {0}, all_is_delivered, 0},
    {"a plug", FAULT_THIS_THREAD, with_route_listener, plug, {kAudioSessionUnspecifiedError}, is_plugged_in, 0},
    {"a plug by another process", FAULT_OTHER_THREADS, with_route_listener, await_plug, {0}, plug_is_delivered, 0},
    {"an interruption by another process", FAULT_OTHER_THREADS, with_active_session, await_call, {0}, call_is_delivered, 0},
};
const int step_count = sizeof steps / sizeof *steps;
