/* SPDX-License-Identifier: Apache-2.0 */
/* Several processes: interruptions, their ends, and other audio. */
#include "corefoundation.h"

#include <dlfcn.h>

#define OTHERS_PLAY kAudioSessionProperty_OtherAudioIsPlaying
#define MIX kAudioSessionProperty_OverrideCategoryMixWithOthers
#define NOTIFY kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation
#define RESUME kAudioSessionInterruptionType_ShouldResume
#define DO_NOT_RESUME kAudioSessionInterruptionType_ShouldNotResume

/* ---- Delivered interruptions ---- */

/* The last interruption: 0 none so far, 1 a begin, or the type of an end. */
static UInt32 last_received, begins_received, ends_received;

static void note(void *data, UInt32 state) {
    UInt32 size = sizeof last_received;
    record_interruption(data, state);
    if (state == kAudioSessionBeginInterruption) {
        EXPECT(last_received != 1);
        begins_received++;
        last_received = 1;
    } else {
        EXPECT_INTEGER(last_received, 1);
        ends_received++;
        EXPECT_OK(AudioSessionGetProperty(kAudioSessionProperty_InterruptionType, &size, &last_received));
    }
}

static void begin_as(UInt32 category) {
    EXPECT_OK(AudioSessionInitialize(NULL, NULL, note, NULL));
    EXPECT_OK(set_category(category));
}

/* ---- Peers ---- */

/* Each peer has a session, executes the orders of the test, and returns the results. */
struct peer {
    pid_t pid;
    int orders, answers;
};

enum what { ACTIVATE, DEACTIVATE, SET, GET, SIMULATE_IT, WHAT_WAS_RECEIVED, AWAIT_THE_END, EXIT };

struct order {
    enum what what;
    UInt32 id, value;
    char words[48];
};

static UInt32 follow(const struct order *order) {
    UInt32 value = order->value, size = sizeof value;
    OSStatus status = 0;
    switch (order->what) {
    case ACTIVATE:
        status = AudioSessionSetActiveWithFlags(1, value);
        /* Its activation ends the interruption. */
        if (status == 0) last_received = 0;
        break;
    case DEACTIVATE: status = AudioSessionSetActiveWithFlags(0, value); break;
    case SET: status = AudioSessionSetProperty(order->id, size, &value); break;
    case GET: return AudioSessionGetProperty(order->id, &size, &value) == 0 ? value : 0xDEADBEEF;
    case SIMULATE_IT: status = AudioSessionLinuxSimulate(order->words); break;
    case WHAT_WAS_RECEIVED: DELIVER_ALL_EVENTS(); return last_received;
    case AWAIT_THE_END: WAIT_UNTIL(last_received > 1); return last_received;
    case EXIT: exit(failures ? 1 : 0);
    }
    return (UInt32)status;
}

enum { MOST_PEERS = 8 };
static pid_t parent, peers[MOST_PEERS];
static int peer_count;

/* They end before the test: they use its folder. */
static void end_peers(void) {
    if (getpid() != parent) return;
    for (int i = 0; i < peer_count; i++) {
        kill(peers[i], SIGKILL);
        waitpid(peers[i], NULL, 0);
    }
}

static struct peer start_peer(UInt32 category) {
    struct peer peer;
    int orders[2], answers[2];
    if (!parent) atexit(end_peers);
    parent = getpid();
    REQUIRE(peer_count < MOST_PEERS);
    REQUIRE(pipe(orders) == 0 && pipe(answers) == 0);
    peer.pid = fork();
    REQUIRE(peer.pid >= 0);
    if (peer.pid == 0) {
        struct order order;
        failures = 0;
        event_count = 0;
        last_received = 0;
        alarm(120);
        close(orders[1]);
        close(answers[0]);
        begin_as(category);
        while (read(orders[0], &order, sizeof order) == sizeof order) {
            UInt32 answer = follow(&order);
            if (write(answers[1], &answer, sizeof answer) != sizeof answer) break;
        }
        _exit(0);
    }
    peers[peer_count++] = peer.pid;
    close(orders[0]);
    close(answers[1]);
    peer.orders = orders[1];
    peer.answers = answers[0];
    return peer;
}

static UInt32 order(struct peer peer, enum what what, UInt32 id, UInt32 value, const char *words) {
    struct order order;
    UInt32 answer = 0xDEADBEEF;
    memset(&order, 0, sizeof order);
    order.what = what;
    order.id = id;
    order.value = value;
    snprintf(order.words, sizeof order.words, "%s", words);
    REQUIRE(write(peer.orders, &order, sizeof order) == sizeof order);
    if (what != EXIT) REQUIRE(read(peer.answers, &answer, sizeof answer) == sizeof answer);
    return answer;
}

static OSStatus activate(struct peer peer) { return (OSStatus)order(peer, ACTIVATE, 0, 0, ""); }
static OSStatus leave(struct peer peer, UInt32 flags) { return (OSStatus)order(peer, DEACTIVATE, 0, flags, ""); }
static OSStatus set_its(struct peer peer, UInt32 id, UInt32 value) { return (OSStatus)order(peer, SET, id, value, ""); }
static UInt32 get_its(struct peer peer, UInt32 id) { return order(peer, GET, id, 0, ""); }
static OSStatus simulate_there(struct peer peer, const char *words) { return (OSStatus)order(peer, SIMULATE_IT, 0, 0, words); }
static UInt32 received(struct peer peer) { return order(peer, WHAT_WAS_RECEIVED, 0, 0, ""); }

static void end_by(struct peer peer, bool killing) {
    int status = -1;
    if (killing)
        kill(peer.pid, SIGKILL);
    else
        (void)order(peer, EXIT, 0, 0, "");
    waitpid(peer.pid, &status, 0);
    if (!killing) EXPECT_INTEGER(status, 0);
    for (int i = 0; i < peer_count; i++)
        if (peers[i] == peer.pid) peers[i] = peers[--peer_count];
}

static struct peer start_player(void) { return start_peer(kAudioSessionCategory_MediaPlayback); }

/* The last delivered interruption of this process. */
#define EXPECT_RECEIVED(what) \
    do { \
        DELIVER_ALL_EVENTS(); \
        EXPECT_INTEGER(last_received, (what)); \
    } while (0)

/* Not by a program's own call: then it comes when it comes. */
#define AWAIT_RECEIVED(what) \
    do { \
        WAIT_UNTIL(last_received == (what)); \
        EXPECT_RECEIVED(what); \
    } while (0)

static void resume(void) {
    EXPECT_OK(AudioSessionSetActive(1));
    last_received = 0;
}

static void begin_playing(void) {
    begin_as(kAudioSessionCategory_MediaPlayback);
    resume();
}

/* ---- Interruptions ---- */

TEST(who_does_not_mix,
    "the activation of a session that does not mix interrupts the active session that does not mix, and no session that mixes") {
    struct peer player = start_player(), ambient = start_peer(kAudioSessionCategory_AmbientSound);
    begin_playing();
    EXPECT_OK(activate(ambient));
    EXPECT_RECEIVED(0);
    EXPECT_OK(activate(player));
    EXPECT_RECEIVED(1);
    EXPECT_INTEGER(received(ambient), 0);
    EXPECT_INTEGER(received(player), 0);
    /* A session that mixes interrupts no other. */
    EXPECT_OK(leave(ambient, 0));
    EXPECT_OK(activate(ambient));
    EXPECT_INTEGER(received(player), 0);
    EXPECT_INTEGER(begins_received, 1);
}

TEST(each_category,
    "every category but AmbientSound interrupts; MediaPlayback, PlayAndRecord and MultiRoute do not when they mix") {
    const struct {
        UInt32 category;
        bool interrupts, may_mix;
    } rows[] = {
        {kAudioSessionCategory_AmbientSound, false, false},
        {kAudioSessionCategory_UserInterfaceSoundEffects, false, false},
        {kAudioSessionCategory_SoloAmbientSound, true, false},
        {kAudioSessionCategory_MediaPlayback, true, true},
        {kAudioSessionCategory_LiveAudio, true, true},
        {kAudioSessionCategory_RecordAudio, true, false},
        {kAudioSessionCategory_PlayAndRecord, true, true},
        {kAudioSessionCategory_AudioProcessing, true, false},
        {kAudioSessionLinuxCategory_MultiRoute, true, true},
    };
    struct peer other = start_player();
    begin_playing();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (UInt32 mixes = 0; mixes <= (rows[i].may_mix ? 1 : 0); mixes++) {
            EXPECT_OK(set_its(other, kAudioSessionProperty_AudioCategory, rows[i].category));
            EXPECT_OK(set_its(other, MIX, mixes));
            EXPECT_OK(activate(other));
            EXPECT_RECEIVED(rows[i].interrupts && !mixes ? 1 : 0);
            EXPECT_OK(leave(other, NOTIFY));
            resume();
        }
    }
}

TEST(stopping_to_mix, "a session that stops mixing while it is active interrupts the others at once") {
    struct peer other = start_player();
    begin_playing();
    EXPECT_OK(set_its(other, MIX, 1));
    EXPECT_OK(activate(other));
    EXPECT_RECEIVED(0);
    EXPECT_OK(set_its(other, MIX, 0));
    EXPECT_RECEIVED(1);
    EXPECT_OK(leave(other, NOTIFY));
    EXPECT_RECEIVED(RESUME);
    resume();
    EXPECT_OK(set_its(other, kAudioSessionProperty_AudioCategory, kAudioSessionCategory_AmbientSound));
    EXPECT_OK(activate(other));
    EXPECT_RECEIVED(0);
    EXPECT_OK(set_its(other, kAudioSessionProperty_AudioCategory, kAudioSessionCategory_SoloAmbientSound));
    EXPECT_RECEIVED(1);
    EXPECT_INTEGER(received(other), 0);
}

TEST(the_last_activation_wins, "the last activation wins: a resumed session interrupts its interrupter, and no end follows") {
    struct peer other = start_player();
    begin_playing();
    EXPECT_OK(activate(other));
    EXPECT_RECEIVED(1);
    resume();
    EXPECT_INTEGER(received(other), 1);
    EXPECT_OK(leave(other, NOTIFY));
    EXPECT_RECEIVED(0);
    EXPECT_INTEGER(ends_received, 0);
    /* The other session has deactivated meanwhile; its end comes when this one deactivates. */
    EXPECT_OK(AudioSessionSetActiveWithFlags(0, NOTIFY));
    EXPECT_INTEGER(received(other), RESUME);
}

/* ---- Ends of interruptions ---- */

TEST(should_resume, "the end has ShouldResume when the interrupter left with the flag or died, and not when it left without") {
    struct peer other = start_player();
    begin_playing();
    EXPECT_OK(activate(other));
    EXPECT_RECEIVED(1);
    EXPECT_OK(leave(other, NOTIFY));
    EXPECT_RECEIVED(RESUME);
    resume();
    EXPECT_OK(activate(other));
    EXPECT_RECEIVED(1);
    EXPECT_OK(leave(other, 0));
    EXPECT_RECEIVED(DO_NOT_RESUME);
    resume();
    EXPECT_OK(activate(other));
    EXPECT_RECEIVED(1);
    /* Unknown flag bits are ignored. */
    EXPECT_OK(leave(other, ~(UInt32)NOTIFY));
    EXPECT_RECEIVED(DO_NOT_RESUME);
    for (int killing = 0; killing < 2; killing++) {
        struct peer mortal = start_player();
        resume();
        EXPECT_OK(activate(mortal));
        EXPECT_RECEIVED(1);
        end_by(mortal, killing == 1);
        AWAIT_RECEIVED(RESUME);
    }
}

TEST(the_flag_when_activating, "NotifyOthersOnDeactivation has an effect on deactivation only; an unknown flag has none") {
    struct peer other = start_player();
    begin_playing();
    EXPECT_OK((OSStatus)order(other, ACTIVATE, 0, NOTIFY, ""));
    EXPECT_RECEIVED(1);
    EXPECT_OK(leave(other, 0xFFFFFFFE));
    EXPECT_RECEIVED(DO_NOT_RESUME);
    resume();
    EXPECT_OK(activate(other));
    EXPECT_RECEIVED(1);
    EXPECT_OK(leave(other, 0xFFFFFFFF));
    EXPECT_RECEIVED(RESUME);
}

TEST(the_last_to_leave, "the end comes when the last interrupter has left; being interrupted is not leaving") {
    struct peer second = start_player(), third = start_player();
    begin_playing();
    EXPECT_OK(activate(second));
    EXPECT_RECEIVED(1);
    EXPECT_OK(activate(third));
    EXPECT_INTEGER(received(second), 1);
    EXPECT_OK(leave(third, NOTIFY));
    EXPECT_INTEGER(received(second), RESUME);
    EXPECT_RECEIVED(1);
    EXPECT_OK(leave(second, NOTIFY));
    EXPECT_RECEIVED(RESUME);
    EXPECT_INTEGER(begins_received, 1);
    EXPECT_INTEGER(ends_received, 1);
}

TEST(one_without_the_flag, "when any interrupter left without the flag, the end has ShouldNotResume") {
    struct peer second = start_player(), third = start_player();
    begin_playing();
    EXPECT_OK(activate(second));
    EXPECT_OK(activate(third));
    EXPECT_OK(leave(second, 0));
    EXPECT_RECEIVED(1);
    EXPECT_OK(leave(third, NOTIFY));
    EXPECT_RECEIVED(DO_NOT_RESUME);
}

TEST(those_that_mix,
    "a session that mixes interrupts none; when it stops mixing it is an interrupter of every session that does not mix") {
    struct peer second = start_player(), third = start_player();
    begin_playing();
    EXPECT_OK(set_its(third, MIX, 1));
    for (UInt32 stops = 0; stops < 2; stops++) {
        resume();
        EXPECT_OK(activate(second));
        EXPECT_RECEIVED(1);
        EXPECT_OK(activate(third));
        if (stops) {
            EXPECT_OK(set_its(third, MIX, 0));
            EXPECT_INTEGER(received(second), 1);
        }
        EXPECT_OK(leave(second, NOTIFY));
        EXPECT_RECEIVED(stops ? 1 : RESUME);
        EXPECT_OK(leave(third, NOTIFY));
        EXPECT_RECEIVED(RESUME);
    }
}

TEST(a_chain, "an interrupted session that gets ShouldResume stays an interrupter until it deactivates or dies") {
    struct peer second = start_player(), third = start_player();
    begin_playing();
    EXPECT_OK(activate(second));
    EXPECT_OK(activate(third));
    end_by(third, true);
    EXPECT_INTEGER(order(second, AWAIT_THE_END, 0, 0, ""), RESUME);
    EXPECT_RECEIVED(1);
    end_by(second, true);
    AWAIT_RECEIVED(RESUME);
    EXPECT_INTEGER(begins_received, 1);
    EXPECT_INTEGER(ends_received, 1);
}

TEST(passed_on, "an interrupter that gets ShouldNotResume leaves") {
    struct peer second = start_player(), third = start_player();
    begin_playing();
    EXPECT_OK(activate(second));
    EXPECT_OK(activate(third));
    /* The third would have interrupted this one too: it goes last. */
    EXPECT_OK(leave(third, 0));
    EXPECT_INTEGER(received(second), DO_NOT_RESUME);
    EXPECT_RECEIVED(DO_NOT_RESUME);
}

TEST(beginning_to_mix, "an interrupter that starts to mix has not left") {
    struct peer other = start_player();
    begin_playing();
    EXPECT_OK(activate(other));
    EXPECT_OK(set_its(other, MIX, 1));
    EXPECT_RECEIVED(1);
    EXPECT_OK(leave(other, NOTIFY));
    EXPECT_RECEIVED(RESUME);
}

TEST(leaving_while_interrupted, "deactivating while interrupted gives 0, and the end still comes") {
    struct peer other = start_player();
    begin_playing();
    EXPECT_OK(activate(other));
    EXPECT_RECEIVED(1);
    EXPECT_OK(AudioSessionSetActive(0));
    EXPECT_RECEIVED(1);
    EXPECT_OK(leave(other, NOTIFY));
    EXPECT_RECEIVED(RESUME);
}

/* ---- Phone calls ---- */

TEST(a_call_on_top,
    "a call is another interrupter of an interrupted session: no second begin, and no end before the others have left") {
    struct peer other = start_player(), phone = start_player();
    begin_playing();
    EXPECT_OK(activate(other));
    EXPECT_RECEIVED(1);
    EXPECT_OK(simulate_there(phone, "interrupt begin"));
    EXPECT_INTEGER(received(other), 1);
    EXPECT_INTEGER(activate(phone), kAudioSessionNotActiveError);
    EXPECT_RECEIVED(1);
    EXPECT_INTEGER(begins_received, 1);
    EXPECT_OK(simulate_there(phone, "interrupt end"));
    EXPECT_INTEGER(received(other), RESUME);
    EXPECT_RECEIVED(1);
    EXPECT_OK(leave(other, NOTIFY));
    EXPECT_RECEIVED(RESUME);
}

TEST(a_call_that_says_no,
    "a call that ends with ShouldNotResume passes that on to all sessions that it held, also through one that left with the "
    "flag") {
    struct peer other = start_player();
    begin_playing();
    EXPECT_OK(activate(other));
    SIMULATE("interrupt begin");
    EXPECT_OK(leave(other, NOTIFY));
    EXPECT_RECEIVED(1);
    SIMULATE("interrupt end --should-not-resume");
    EXPECT_INTEGER(received(other), DO_NOT_RESUME);
    EXPECT_RECEIVED(DO_NOT_RESUME);
}

TEST(a_call_that_was_taken,
    "a confirmed call sends no end; a session with another interrupter gets that end; no session that does not mix activates "
    "during the call") {
    struct peer other = start_player();
    begin_playing();
    EXPECT_OK(activate(other));
    EXPECT_RECEIVED(1);
    SIMULATE("interrupt begin");
    SIMULATE("interrupt confirm");
    EXPECT_INTEGER(received(other), 1);
    EXPECT_INTEGER(activate(other), kAudioSessionNotActiveError);
    EXPECT_INTEGER(simulate_there(other, "interrupt begin"), kAudioSessionNotActiveError);
    SIMULATE("interrupt end");
    EXPECT_INTEGER(received(other), 1);
    EXPECT_RECEIVED(1);
    EXPECT_OK(activate(other));
    EXPECT_OK(leave(other, NOTIFY));
    EXPECT_RECEIVED(RESUME);
    EXPECT_INTEGER(begins_received, 1);
    EXPECT_INTEGER(ends_received, 1);
}

TEST(one_call_for_all, "all processes share one call: a second one is refused, and any process can end it") {
    struct peer other = start_player();
    begin_playing();
    SIMULATE("interrupt begin");
    EXPECT_INTEGER(simulate_there(other, "interrupt begin"), kAudioSessionNotActiveError);
    EXPECT_OK(simulate_there(other, "interrupt end"));
    EXPECT_RECEIVED(RESUME);
}

/* ---- Other audio ---- */

TEST(others_that_play, "other audio plays while another process is active in a category with output") {
    const struct {
        UInt32 category, plays;
    } rows[] = {
        {kAudioSessionCategory_AmbientSound, 1},
        {kAudioSessionCategory_UserInterfaceSoundEffects, 1},
        {kAudioSessionCategory_SoloAmbientSound, 1},
        {kAudioSessionCategory_MediaPlayback, 1},
        {kAudioSessionCategory_LiveAudio, 1},
        {kAudioSessionCategory_RecordAudio, 0},
        {kAudioSessionCategory_PlayAndRecord, 1},
        {kAudioSessionCategory_AudioProcessing, 0},
        {kAudioSessionLinuxCategory_MultiRoute, 1},
    };
    struct peer other = start_player();
    begin_as(kAudioSessionCategory_AmbientSound);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        EXPECT_OK(set_its(other, kAudioSessionProperty_AudioCategory, rows[i].category));
        EXPECT_INTEGER(get_u32(OTHERS_PLAY), 0);
        EXPECT_OK(activate(other));
        EXPECT_INTEGER(get_u32(OTHERS_PLAY), rows[i].plays);
        EXPECT_OK(leave(other, 0));
    }
    EXPECT_INTEGER(get_u32(OTHERS_PLAY), 0);
}

TEST(not_those, "the own process, an interrupted process and a dead process are no other audio") {
    struct peer other = start_player();
    begin_playing();
    EXPECT_INTEGER(get_u32(OTHERS_PLAY), 0);
    EXPECT_INTEGER(get_its(other, OTHERS_PLAY), 1);
    EXPECT_OK(activate(other));
    EXPECT_INTEGER(get_u32(OTHERS_PLAY), 1);
    EXPECT_INTEGER(get_its(other, OTHERS_PLAY), 0);
    end_by(other, true);
    AWAIT_RECEIVED(RESUME);
    EXPECT_INTEGER(get_u32(OTHERS_PLAY), 0);
}

/* ---- States of the user ---- */

TEST(the_silent_switch, "all programs share the silent switch and obey it by their categories") {
    struct peer other = start_player();
    begin_as(kAudioSessionCategory_SoloAmbientSound);
    EXPECT_OK(simulate_there(other, "silent on"));
    DELIVER_ALL_EVENTS();
    EXPECT_TEXT(current_route(), "");
    EXPECT_OK(set_category(kAudioSessionCategory_UserInterfaceSoundEffects));
    EXPECT_TEXT(current_route(), "");
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_TEXT(current_route(), "ReceiverAndMicrophone");
    EXPECT_OK(set_category(kAudioSessionCategory_LiveAudio));
    EXPECT_TEXT(current_route(), "Speaker");
    EXPECT_OK(set_category(kAudioSessionLinuxCategory_MultiRoute));
    EXPECT_TEXT(current_route(), "Speaker");
    EXPECT_OK(simulate_there(other, "silent off"));
    EXPECT_OK(simulate_there(other, "lock on"));
    /* The screen lock silences without renaming the route. */
    EXPECT_OK(set_category(kAudioSessionCategory_SoloAmbientSound));
    DELIVER_ALL_EVENTS();
    EXPECT_TEXT(current_route(), "Speaker");
}

/* The sessions as the installed tool prints them. */
static const char *status_of_all(void) {
    static char text[1 << 14];
    char command[PATH_MAX + 64];
    Dl_info library;
    REQUIRE(dladdr((void *)AudioSessionInitialize, &library) != 0);
    snprintf(command, sizeof command, "%.*s/../bin/audiosessionctl status --json",
        (int)(strrchr(library.dli_fname, '/') - library.dli_fname), library.dli_fname);
    FILE *output = popen(command, "r");
    REQUIRE(output != NULL);
    text[fread(text, 1, sizeof text - 1, output)] = 0;
    EXPECT_INTEGER(pclose(output), 0);
    return text;
}

static void expect_seen(const char *name) {
    char entry[128];
    snprintf(entry, sizeof entry, "\"name\":\"%s\"", name);
    const char *text = status_of_all();
    if (!strstr(text, entry)) failed(__FILE__, __LINE__, "the status lacks %s: %s", entry, text);
}

TEST(names, "other processes see the program's name or its display name: UTF-8, at most 63 bytes, whole characters") {
    char digits[64], text[80];
    begin_as(kAudioSessionCategory_AmbientSound);
    expect_seen(program_invocation_short_name);
    EXPECT_OK(AudioSessionLinuxSetDisplayName("\xE9\x9F\xB3\xE6\xA5\xBD"));
    expect_seen("\xE9\x9F\xB3\xE6\xA5\xBD");
    for (int length = 60; length <= 63; length++) {
        memset(digits, '7', sizeof digits);
        digits[length] = 0;
        snprintf(text, sizeof text, "%s\xE9\x9F\xB3 and more", digits);
        EXPECT_OK(AudioSessionLinuxSetDisplayName(text));
        if (length == 60) strcat(digits, "\xE9\x9F\xB3");
        expect_seen(digits);
    }
}

TEST(the_server,
    "a server death ends all activity and interruptions without an event; each session may activate when the server is back") {
    struct peer other = start_player(), third = start_player();
    begin_playing();
    EXPECT_OK(activate(other));
    EXPECT_RECEIVED(1);
    EXPECT_OK(simulate_there(third, "server die"));
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(received(other), 0);
    EXPECT_INTEGER(activate(other), kAudioSessionUnspecifiedError);
    EXPECT_STATUS(AudioSessionSetActive(1), kAudioSessionUnspecifiedError);
    EXPECT_INTEGER(get_u32(OTHERS_PLAY), 0);
    EXPECT_OK(simulate_there(third, "server restart"));
    EXPECT_RECEIVED(1);
    EXPECT_INTEGER(ends_received, 0);
    resume();
    EXPECT_INTEGER(received(other), 0);
    EXPECT_OK(activate(other));
    EXPECT_RECEIVED(1);
}
