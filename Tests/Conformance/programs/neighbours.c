/* Several programs at once: who interrupts whom, when that ends and how, who is said to play. */
#include "corefoundation.h"

#include <dlfcn.h>

#define OTHERS_PLAY kAudioSessionProperty_OtherAudioIsPlaying
#define MIX kAudioSessionProperty_OverrideCategoryMixWithOthers
#define NOTIFY kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation
#define RESUME kAudioSessionInterruptionType_ShouldResume
#define DO_NOT_RESUME kAudioSessionInterruptionType_ShouldNotResume

/* ---- What a program has been told ---- */

/* The last interruption: 0 none so far, 1 a begin, or the type of an end. */
static UInt32 last_told, begins_told, ends_told;

static void note(void *data, UInt32 state) {
    UInt32 size = sizeof last_told;
    hear_interruption(data, state);
    if (state == kAudioSessionBeginInterruption) {
        EXPECT(last_told != 1);
        begins_told++;
        last_told = 1;
    } else {
        EXPECT_INTEGER(last_told, 1);
        ends_told++;
        EXPECT_OK(AudioSessionGetProperty(kAudioSessionProperty_InterruptionType, &size, &last_told));
    }
}

static void begin_as(UInt32 category) {
    EXPECT_OK(AudioSessionInitialize(NULL, NULL, note, NULL));
    EXPECT_OK(set_category(category));
}

/* ---- The neighbours ---- */

/* Each does what it is told, with its own session, and answers with the result. */
struct neighbour {
    pid_t pid;
    int orders, answers;
};

enum what { ACTIVATE, DEACTIVATE, SET, GET, SIMULATE_IT, WHAT_WAS_TOLD, AWAIT_THE_END, EXIT };

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
        /* Its own activation ends its being interrupted. */
        if (status == 0) last_told = 0;
        break;
    case DEACTIVATE: status = AudioSessionSetActiveWithFlags(0, value); break;
    case SET: status = AudioSessionSetProperty(order->id, size, &value); break;
    case GET: return AudioSessionGetProperty(order->id, &size, &value) == 0 ? value : 0xDEADBEEF;
    case SIMULATE_IT: status = AudioSessionLinuxSimulate(order->words); break;
    case WHAT_WAS_TOLD: LET_EVERYTHING_BE_TOLD(); return last_told;
    case AWAIT_THE_END: WAIT_UNTIL(last_told > 1); return last_told;
    case EXIT: exit(failures ? 1 : 0);
    }
    return (UInt32)status;
}

enum { MOST_NEIGHBOURS = 8 };
static pid_t parent, neighbours[MOST_NEIGHBOURS];
static int neighbour_count;

/* They end before the test does: they use its folder. */
static void dismiss_neighbours(void) {
    if (getpid() != parent) return;
    for (int i = 0; i < neighbour_count; i++) {
        kill(neighbours[i], SIGKILL);
        waitpid(neighbours[i], NULL, 0);
    }
}

static struct neighbour start_neighbour(UInt32 category) {
    struct neighbour neighbour;
    int orders[2], answers[2];
    if (!parent) atexit(dismiss_neighbours);
    parent = getpid();
    REQUIRE(neighbour_count < MOST_NEIGHBOURS);
    REQUIRE(pipe(orders) == 0 && pipe(answers) == 0);
    neighbour.pid = fork();
    REQUIRE(neighbour.pid >= 0);
    if (neighbour.pid == 0) {
        struct order order;
        failures = 0;
        heard_count = 0;
        last_told = 0;
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
    neighbours[neighbour_count++] = neighbour.pid;
    close(orders[0]);
    close(answers[1]);
    neighbour.orders = orders[1];
    neighbour.answers = answers[0];
    return neighbour;
}

static UInt32 order(struct neighbour neighbour, enum what what, UInt32 id, UInt32 value, const char *words) {
    struct order order;
    UInt32 answer = 0xDEADBEEF;
    memset(&order, 0, sizeof order);
    order.what = what;
    order.id = id;
    order.value = value;
    snprintf(order.words, sizeof order.words, "%s", words);
    REQUIRE(write(neighbour.orders, &order, sizeof order) == sizeof order);
    if (what != EXIT) REQUIRE(read(neighbour.answers, &answer, sizeof answer) == sizeof answer);
    return answer;
}

static OSStatus activate(struct neighbour neighbour) { return (OSStatus)order(neighbour, ACTIVATE, 0, 0, ""); }
static OSStatus leave(struct neighbour neighbour, UInt32 flags) { return (OSStatus)order(neighbour, DEACTIVATE, 0, flags, ""); }
static OSStatus set_its(struct neighbour neighbour, UInt32 id, UInt32 value) { return (OSStatus)order(neighbour, SET, id, value, ""); }
static UInt32 get_its(struct neighbour neighbour, UInt32 id) { return order(neighbour, GET, id, 0, ""); }
static OSStatus simulate_there(struct neighbour neighbour, const char *words) { return (OSStatus)order(neighbour, SIMULATE_IT, 0, 0, words); }
static UInt32 told(struct neighbour neighbour) { return order(neighbour, WHAT_WAS_TOLD, 0, 0, ""); }

static void end_by(struct neighbour neighbour, bool killing) {
    int status = -1;
    if (killing) kill(neighbour.pid, SIGKILL);
    else (void)order(neighbour, EXIT, 0, 0, "");
    waitpid(neighbour.pid, &status, 0);
    if (!killing) EXPECT_INTEGER(status, 0);
    for (int i = 0; i < neighbour_count; i++)
        if (neighbours[i] == neighbour.pid) neighbours[i] = neighbours[--neighbour_count];
}

static struct neighbour start_player(void) { return start_neighbour(kAudioSessionCategory_MediaPlayback); }

/* What this program knows by now. */
#define EXPECT_TOLD(what) \
    do { \
        LET_EVERYTHING_BE_TOLD(); \
        EXPECT_INTEGER(last_told, (what)); \
    } while (0)

/* Not by a program's own call: then it comes when it comes. */
#define AWAIT_TOLD(what) \
    do { \
        WAIT_UNTIL(last_told == (what)); \
        EXPECT_TOLD(what); \
    } while (0)

static void resume(void) {
    EXPECT_OK(AudioSessionSetActive(1));
    last_told = 0;
}

static void begin_playing(void) {
    begin_as(kAudioSessionCategory_MediaPlayback);
    resume();
}

/* ---- Who interrupts whom ---- */

TEST(who_does_not_mix, "activating a session that does not mix interrupts the active one that does not either, and leaves those that mix") {
    struct neighbour player = start_player(), ambient = start_neighbour(kAudioSessionCategory_AmbientSound);
    begin_playing();
    EXPECT_OK(activate(ambient));
    EXPECT_TOLD(0);
    EXPECT_OK(activate(player));
    EXPECT_TOLD(1);
    EXPECT_INTEGER(told(ambient), 0);
    EXPECT_INTEGER(told(player), 0);
    /* Nor do those that mix interrupt anybody. */
    EXPECT_OK(leave(ambient, 0));
    EXPECT_OK(activate(ambient));
    EXPECT_INTEGER(told(player), 0);
    EXPECT_INTEGER(begins_told, 1);
}

TEST(each_category, "who interrupts by itself: all but AmbientSound; who does so unless told to mix: MediaPlayback, PlayAndRecord, MultiRoute") {
    const struct { UInt32 category; bool interrupts, may_mix; } rows[] = {
        {kAudioSessionCategory_AmbientSound, false, false},    {kAudioSessionCategory_UserInterfaceSoundEffects, false, false},
        {kAudioSessionCategory_SoloAmbientSound, true, false}, {kAudioSessionCategory_MediaPlayback, true, true},
        {kAudioSessionCategory_LiveAudio, true, true},         {kAudioSessionCategory_RecordAudio, true, false},
        {kAudioSessionCategory_PlayAndRecord, true, true},     {kAudioSessionCategory_AudioProcessing, true, false},
        {kAudioSessionLinuxCategory_MultiRoute, true, true},
    };
    struct neighbour other = start_player();
    begin_playing();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (UInt32 mixes = 0; mixes <= (rows[i].may_mix ? 1 : 0); mixes++) {
            EXPECT_OK(set_its(other, kAudioSessionProperty_AudioCategory, rows[i].category));
            EXPECT_OK(set_its(other, MIX, mixes));
            EXPECT_OK(activate(other));
            EXPECT_TOLD(rows[i].interrupts && !mixes ? 1 : 0);
            EXPECT_OK(leave(other, NOTIFY));
            resume();
        }
    }
}

TEST(stopping_to_mix, "a session that stops mixing while it is active interrupts the others at once") {
    struct neighbour other = start_player();
    begin_playing();
    EXPECT_OK(set_its(other, MIX, 1));
    EXPECT_OK(activate(other));
    EXPECT_TOLD(0);
    EXPECT_OK(set_its(other, MIX, 0));
    EXPECT_TOLD(1);
    EXPECT_OK(leave(other, NOTIFY));
    EXPECT_TOLD(RESUME);
    resume();
    EXPECT_OK(set_its(other, kAudioSessionProperty_AudioCategory, kAudioSessionCategory_AmbientSound));
    EXPECT_OK(activate(other));
    EXPECT_TOLD(0);
    EXPECT_OK(set_its(other, kAudioSessionProperty_AudioCategory, kAudioSessionCategory_SoloAmbientSound));
    EXPECT_TOLD(1);
    EXPECT_INTEGER(told(other), 0);
}

TEST(the_last_activation_wins, "the last activation wins: resuming interrupts the interrupter, and no end follows") {
    struct neighbour other = start_player();
    begin_playing();
    EXPECT_OK(activate(other));
    EXPECT_TOLD(1);
    resume();
    EXPECT_INTEGER(told(other), 1);
    EXPECT_OK(leave(other, NOTIFY));
    EXPECT_TOLD(0);
    EXPECT_INTEGER(ends_told, 0);
    /* And the other's end, though it has left meanwhile, comes when this one leaves. */
    EXPECT_OK(AudioSessionSetActiveWithFlags(0, NOTIFY));
    EXPECT_INTEGER(told(other), RESUME);
}

/* ---- When it ends, and how ---- */

TEST(should_resume, "the end says resume when the interrupter left with the flag, or died, and not when it left without") {
    struct neighbour other = start_player();
    begin_playing();
    EXPECT_OK(activate(other));
    EXPECT_TOLD(1);
    EXPECT_OK(leave(other, NOTIFY));
    EXPECT_TOLD(RESUME);
    resume();
    EXPECT_OK(activate(other));
    EXPECT_TOLD(1);
    EXPECT_OK(leave(other, 0));
    EXPECT_TOLD(DO_NOT_RESUME);
    resume();
    EXPECT_OK(activate(other));
    EXPECT_TOLD(1);
    /* Unknown flag bits are ignored. */
    EXPECT_OK(leave(other, ~(UInt32)NOTIFY));
    EXPECT_TOLD(DO_NOT_RESUME);
    for (int killing = 0; killing < 2; killing++) {
        struct neighbour mortal = start_player();
        resume();
        EXPECT_OK(activate(mortal));
        EXPECT_TOLD(1);
        end_by(mortal, killing == 1);
        AWAIT_TOLD(RESUME);
    }
}

TEST(the_flag_when_activating, "NotifyOthersOnDeactivation counts only when deactivating; an unknown flag never") {
    struct neighbour other = start_player();
    begin_playing();
    EXPECT_OK((OSStatus)order(other, ACTIVATE, 0, NOTIFY, ""));
    EXPECT_TOLD(1);
    EXPECT_OK(leave(other, 0xFFFFFFFE));
    EXPECT_TOLD(DO_NOT_RESUME);
    resume();
    EXPECT_OK(activate(other));
    EXPECT_TOLD(1);
    EXPECT_OK(leave(other, 0xFFFFFFFF));
    EXPECT_TOLD(RESUME);
}

TEST(the_last_to_leave, "the end comes when the last interrupter has left; being interrupted is not leaving") {
    struct neighbour second = start_player(), third = start_player();
    begin_playing();
    EXPECT_OK(activate(second));
    EXPECT_TOLD(1);
    EXPECT_OK(activate(third));
    EXPECT_INTEGER(told(second), 1);
    EXPECT_OK(leave(third, NOTIFY));
    EXPECT_INTEGER(told(second), RESUME);
    EXPECT_TOLD(1);
    EXPECT_OK(leave(second, NOTIFY));
    EXPECT_TOLD(RESUME);
    EXPECT_INTEGER(begins_told, 1);
    EXPECT_INTEGER(ends_told, 1);
}

TEST(one_without_the_flag, "where any of the interrupters left without the flag, the end says not to resume") {
    struct neighbour second = start_player(), third = start_player();
    begin_playing();
    EXPECT_OK(activate(second));
    EXPECT_OK(activate(third));
    EXPECT_OK(leave(second, 0));
    EXPECT_TOLD(1);
    EXPECT_OK(leave(third, NOTIFY));
    EXPECT_TOLD(DO_NOT_RESUME);
}

TEST(those_that_mix, "one that mixes is nobody's interrupter, until it stops mixing: then it is one more of all who do not mix") {
    struct neighbour second = start_player(), third = start_player();
    begin_playing();
    EXPECT_OK(set_its(third, MIX, 1));
    for (UInt32 stops = 0; stops < 2; stops++) {
        resume();
        EXPECT_OK(activate(second));
        EXPECT_TOLD(1);
        EXPECT_OK(activate(third));
        if (stops) {
            EXPECT_OK(set_its(third, MIX, 0));
            EXPECT_INTEGER(told(second), 1);
        }
        EXPECT_OK(leave(second, NOTIFY));
        EXPECT_TOLD(stops ? 1 : RESUME);
        EXPECT_OK(leave(third, NOTIFY));
        EXPECT_TOLD(RESUME);
    }
}

TEST(a_chain, "an interrupted session that is told to resume is still an interrupter, until it deactivates or dies") {
    struct neighbour second = start_player(), third = start_player();
    begin_playing();
    EXPECT_OK(activate(second));
    EXPECT_OK(activate(third));
    end_by(third, true);
    EXPECT_INTEGER(order(second, AWAIT_THE_END, 0, 0, ""), RESUME);
    EXPECT_TOLD(1);
    end_by(second, true);
    AWAIT_TOLD(RESUME);
    EXPECT_INTEGER(begins_told, 1);
    EXPECT_INTEGER(ends_told, 1);
}

TEST(passed_on, "an interrupter that is told not to resume leaves by that") {
    struct neighbour second = start_player(), third = start_player();
    begin_playing();
    EXPECT_OK(activate(second));
    EXPECT_OK(activate(third));
    /* The third would have interrupted this one too: it goes last. */
    EXPECT_OK(leave(third, 0));
    EXPECT_INTEGER(told(second), DO_NOT_RESUME);
    EXPECT_TOLD(DO_NOT_RESUME);
}

TEST(beginning_to_mix, "an interrupter that begins to mix has not left") {
    struct neighbour other = start_player();
    begin_playing();
    EXPECT_OK(activate(other));
    EXPECT_OK(set_its(other, MIX, 1));
    EXPECT_TOLD(1);
    EXPECT_OK(leave(other, NOTIFY));
    EXPECT_TOLD(RESUME);
}

TEST(leaving_while_interrupted, "deactivating while interrupted gives 0, and the end still comes") {
    struct neighbour other = start_player();
    begin_playing();
    EXPECT_OK(activate(other));
    EXPECT_TOLD(1);
    EXPECT_OK(AudioSessionSetActive(0));
    EXPECT_TOLD(1);
    EXPECT_OK(leave(other, NOTIFY));
    EXPECT_TOLD(RESUME);
}

/* ---- Calls ---- */

TEST(a_call_on_top, "a call is one interrupter more of who is interrupted already: no second begin, and no end before the others have left") {
    struct neighbour other = start_player(), phone = start_player();
    begin_playing();
    EXPECT_OK(activate(other));
    EXPECT_TOLD(1);
    EXPECT_OK(simulate_there(phone, "interrupt begin"));
    EXPECT_INTEGER(told(other), 1);
    EXPECT_INTEGER(activate(phone), kAudioSessionNotActiveError);
    EXPECT_TOLD(1);
    EXPECT_INTEGER(begins_told, 1);
    EXPECT_OK(simulate_there(phone, "interrupt end"));
    EXPECT_INTEGER(told(other), RESUME);
    EXPECT_TOLD(1);
    EXPECT_OK(leave(other, NOTIFY));
    EXPECT_TOLD(RESUME);
}

TEST(a_call_that_says_no, "a call that ends without resuming says so to all whom it held, also through who left with the flag") {
    struct neighbour other = start_player();
    begin_playing();
    EXPECT_OK(activate(other));
    SIMULATE("interrupt begin");
    EXPECT_OK(leave(other, NOTIFY));
    EXPECT_TOLD(1);
    SIMULATE("interrupt end --should-not-resume");
    EXPECT_INTEGER(told(other), DO_NOT_RESUME);
    EXPECT_TOLD(DO_NOT_RESUME);
}

TEST(a_call_that_was_taken, "a call that the user takes gives nobody an end; who is held by another gets that one's; nobody activates before it is over") {
    struct neighbour other = start_player();
    begin_playing();
    EXPECT_OK(activate(other));
    EXPECT_TOLD(1);
    SIMULATE("interrupt begin");
    SIMULATE("interrupt confirm");
    EXPECT_INTEGER(told(other), 1);
    EXPECT_INTEGER(activate(other), kAudioSessionNotActiveError);
    EXPECT_INTEGER(simulate_there(other, "interrupt begin"), kAudioSessionNotActiveError);
    SIMULATE("interrupt end");
    EXPECT_INTEGER(told(other), 1);
    EXPECT_TOLD(1);
    EXPECT_OK(activate(other));
    EXPECT_OK(leave(other, NOTIFY));
    EXPECT_TOLD(RESUME);
    EXPECT_INTEGER(begins_told, 1);
    EXPECT_INTEGER(ends_told, 1);
}

TEST(one_call_for_all, "a call is everybody's: a second one is refused wherever it comes from, and anybody ends it") {
    struct neighbour other = start_player();
    begin_playing();
    SIMULATE("interrupt begin");
    EXPECT_INTEGER(simulate_there(other, "interrupt begin"), kAudioSessionNotActiveError);
    EXPECT_OK(simulate_there(other, "interrupt end"));
    EXPECT_TOLD(RESUME);
}

/* ---- Who is said to play ---- */

TEST(others_that_play, "other audio plays while another process is active in a category with output") {
    const struct { UInt32 category, plays; } rows[] = {
        {kAudioSessionCategory_AmbientSound, 1},    {kAudioSessionCategory_UserInterfaceSoundEffects, 1},
        {kAudioSessionCategory_SoloAmbientSound, 1}, {kAudioSessionCategory_MediaPlayback, 1},
        {kAudioSessionCategory_LiveAudio, 1},       {kAudioSessionCategory_RecordAudio, 0},
        {kAudioSessionCategory_PlayAndRecord, 1},   {kAudioSessionCategory_AudioProcessing, 0},
        {kAudioSessionLinuxCategory_MultiRoute, 1},
    };
    struct neighbour other = start_player();
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

TEST(not_those, "a process is no other to itself, an interrupted one does not play, and a dead one neither") {
    struct neighbour other = start_player();
    begin_playing();
    EXPECT_INTEGER(get_u32(OTHERS_PLAY), 0);
    EXPECT_INTEGER(get_its(other, OTHERS_PLAY), 1);
    EXPECT_OK(activate(other));
    EXPECT_INTEGER(get_u32(OTHERS_PLAY), 1);
    EXPECT_INTEGER(get_its(other, OTHERS_PLAY), 0);
    end_by(other, true);
    AWAIT_TOLD(RESUME);
    EXPECT_INTEGER(get_u32(OTHERS_PLAY), 0);
}

/* ---- What is everybody's ---- */

TEST(the_silent_switch, "the silent switch is the user's: all programs obey it, each by its category") {
    struct neighbour other = start_player();
    begin_as(kAudioSessionCategory_SoloAmbientSound);
    EXPECT_OK(simulate_there(other, "silent on"));
    LET_EVERYTHING_BE_TOLD();
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
    LET_EVERYTHING_BE_TOLD();
    EXPECT_TEXT(current_route(), "Speaker");
}

/* What the installed tool says of the sessions. */
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

TEST(names, "others see the program's name until it sets one: UTF-8, cut after 63 bytes where a character ends") {
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

TEST(the_server, "the audio server's death ends all activity and interruptions without a word, and each may activate when it is back") {
    struct neighbour other = start_player(), third = start_player();
    begin_playing();
    EXPECT_OK(activate(other));
    EXPECT_TOLD(1);
    EXPECT_OK(simulate_there(third, "server die"));
    LET_EVERYTHING_BE_TOLD();
    EXPECT_INTEGER(told(other), 0);
    EXPECT_INTEGER(activate(other), kAudioSessionUnspecifiedError);
    EXPECT_STATUS(AudioSessionSetActive(1), kAudioSessionUnspecifiedError);
    EXPECT_INTEGER(get_u32(OTHERS_PLAY), 0);
    EXPECT_OK(simulate_there(third, "server restart"));
    EXPECT_TOLD(1);
    EXPECT_INTEGER(ends_told, 0);
    resume();
    EXPECT_INTEGER(told(other), 0);
    EXPECT_OK(activate(other));
    EXPECT_TOLD(1);
}
