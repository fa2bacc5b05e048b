/* SPDX-License-Identifier: Apache-2.0 */
/* soak SECONDS SEED FILE: twenty programs act at random. After each step the events of each are compared with the model.
   Programs are killed now and then, and others begin in their place. Each second a line is written into FILE: seconds, and
   descriptors and KB of the programs that are never killed. */
#include "soak.h"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OLD = 5 /* never killed */, WAIT_LIMIT = 60000 /* milliseconds, for any event */, HISTORY = 40 };

static struct program {
    pid_t pid;
    int line;
} programs[PROGRAMS];

static struct model model;
static char history[HISTORY][96];
static unsigned long steps, kills;

static const char *const actions[] = {"activates", "deactivates", "deactivates and lets others resume", "sets its category",
    "sets mixing", "sets ducking", "begins a call", "ends the call", "ends the call for good", "confirms the call", "plugs",
    "unplugs", "sets the silent switch", "sets the screen lock", "counts"};

static void print_model(void) {
    for (int i = 0; i < PROGRAMS; i++) {
        const struct session *session = &model.sessions[i];
        if (!session->runs) continue;
        printf("%d (process %d): %s%s%s, interrupters %x%s\n", i, programs[i].pid, session->is_active ? "active" : "inactive",
            session->is_interrupted ? ", interrupted" : "", session->must_not_resume ? ", not to resume" : "",
            session->interrupters, session->is_interrupted_by_call ? " and the call" : "");
    }
}

__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("soak: ", stdout);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\nafter %lu steps; the last ones:\n", steps);
    for (unsigned i = 0; i < HISTORY; i++) puts(history[(steps + 1 + i) % HISTORY]);
    print_model();
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static uint64_t random_state;

static uint32_t random_below(uint32_t sides) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state >> 20) % sides);
}

/* ---- The programs ---- */

static struct answer read_answer(int program) {
    struct answer answer;
    struct pollfd waiting = {.fd = programs[program].line, .events = POLLIN};
    if (poll(&waiting, 1, WAIT_LIMIT) != 1)
        fail("awaited an answer of program %d for %d s; seen: nothing", program, WAIT_LIMIT / 1000);
    if (read(waiting.fd, &answer, sizeof answer) != (ssize_t)sizeof answer) fail("program %d is gone", program);
    if (answer.out_of_turn) fail("program %d has got two begins or two ends in a row", program);
    return answer;
}

static struct answer order(int program, struct order order) {
    if (write(programs[program].line, &order, sizeof order) != (ssize_t)sizeof order) fail("program %d is gone", program);
    return read_answer(program);
}

/* A program without an inotify instance does not notice changes of the machine. A user usually has 128. */
static void require_inotify(void) {
    enum { OF_A_PROGRAM = 2 };
    int instances[OF_A_PROGRAM];
    for (int i = 0; i < OF_A_PROGRAM; i++)
        if ((instances[i] = inotify_init1(IN_CLOEXEC)) < 0) fail("other programs leave this user no inotify instance");
    for (int i = 0; i < OF_A_PROGRAM; i++) close(instances[i]);
}

static void begin(int program) {
    int ends[2];
    require_inotify();
    fflush(NULL);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) fail("no line");
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (int i = 0; i < PROGRAMS; i++)
            if (programs[i].pid) close(programs[i].line);
        close(ends[0]);
        run_program(ends[1]);
    }
    close(ends[1]);
    programs[program] = (struct program){pid, ends[0]};
    if (read_answer(program).status != 0) fail("program %d has no session", program);
    model_begin(&model, program);
}

static int endpoints(void) {
    int count = 0;
    DIR *folder = opendir(getenv("AUDIOSESSION_RUNTIME_DIR"));
    for (struct dirent *entry; folder && (entry = readdir(folder));) count += strstr(entry->d_name, ".wakeup") != NULL;
    if (folder) closedir(folder);
    return count;
}

/* The other programs notice a death and remove the FIFOs of the dead program. The count is repeated whenever an entry of the
   folder goes. */
static void await_removal(int removals) {
    char events[4096];
    int running = 0;
    struct pollfd waiting = {.fd = removals, .events = POLLIN};
    for (int i = 0; i < PROGRAMS; i++) running += programs[i].pid != 0;
    while (endpoints() != running) {
        if (poll(&waiting, 1, WAIT_LIMIT) != 1)
            fail("awaited the removal of a dead program's FIFOs for %d s; seen: those of %d programs, %d run", WAIT_LIMIT / 1000,
                endpoints(), running);
        (void)!read(removals, events, sizeof events);
    }
    close(removals);
}

static void end(int program) {
    int removals = inotify_init1(IN_CLOEXEC);
    if (inotify_add_watch(removals, getenv("AUDIOSESSION_RUNTIME_DIR"), IN_DELETE) < 0) fail("the folder cannot be watched");
    kill(programs[program].pid, SIGKILL);
    waitpid(programs[program].pid, NULL, 0);
    close(programs[program].line);
    programs[program].pid = 0;
    model_kill(&model, program);
    kills++;
    await_removal(removals);
}

/* ---- Comparing ---- */

static bool are_equal(struct events a, struct events b) {
    return a.begins == b.begins && a.ends == b.ends && a.resumes == b.resumes && a.routes == b.routes;
}

/* Waits until a program has got the events of the model. */
static void await_events(int program) {
    double limit = now() + WAIT_LIMIT / 1e3;
    for (;;) {
        struct answer answer = order(program, (struct order){COUNT, 0});
        struct events wanted = model.sessions[program].events, events = answer.events;
        bool others_play = model_others_play(&model, program);
        if (are_equal(events, wanted) && (answer.others_play != 0) == others_play) return;
        if (now() > limit)
            fail("program %d has got %u begins, %u ends (%u to resume), %u routes, others play: %u; not %u, %u (%u), %u, %d",
                program, events.begins, events.ends, events.resumes, events.routes, answer.others_play, wanted.begins,
                wanted.ends, wanted.resumes, wanted.routes, others_play);
        usleep(200);
    }
}

static void await_all_events(void) {
    for (int i = 0; i < PROGRAMS; i++)
        if (programs[i].pid) await_events(i);
}

static struct order any_order(void) {
    static const enum action likely[] = {ACTIVATE, ACTIVATE, ACTIVATE, ACTIVATE, DEACTIVATE, DEACTIVATE_NOTIFYING,
        DEACTIVATE_NOTIFYING, SET_CATEGORY, SET_CATEGORY, SET_MIXING, SET_DUCKING, CALL_BEGINS, CALL_ENDS, CALL_ENDS,
        CALL_ENDS_FOR_GOOD, CALL_IS_CONFIRMED, PLUG, UNPLUG, SILENT, LOCKED};
    struct order order = {likely[random_below(sizeof likely / sizeof likely[0])], 0};
    switch (order.action) {
    case SET_CATEGORY: order.value = random_below(CATEGORIES); break;
    case PLUG:
    case UNPLUG: order.value = random_below(3); break;
    default: order.value = random_below(2);
    }
    return order;
}

static void step(void) {
    int program = (int)random_below(PROGRAMS);
    char *line = history[++steps % HISTORY];
    if (!programs[program].pid) {
        snprintf(line, sizeof history[0], "%d begins", program);
        begin(program);
    } else if (program >= OLD && random_below(12) == 0) {
        snprintf(line, sizeof history[0], "%d is killed", program);
        end(program);
    } else {
        struct order next = any_order();
        snprintf(line, sizeof history[0], "%d %s %u", program, actions[next.action], next.value);
        bool is_granted = model_do(&model, program, next);
        int32_t status = order(program, next).status;
        if ((status == 0) != is_granted) fail("program %d was %s", program, is_granted ? "refused" : "not refused");
    }
    await_all_events();
}

/* ---- Resources ---- */

struct need {
    long descriptors, kilobytes;
};

static struct need measure(FILE *file, double seconds) {
    struct need need = {0, 0};
    for (int i = 0; i < OLD; i++) {
        struct answer answer = order(i, (struct order){COUNT, 1});
        need.descriptors += answer.descriptors;
        need.kilobytes += answer.kilobytes;
    }
    fprintf(file, "%.1f %ld %ld\n", seconds, need.descriptors, need.kilobytes);
    return need;
}

static bool is_there(const struct session *session) { return session->runs; }
static bool is_active(const struct session *session) { return session->is_active; }
static bool is_interrupted(const struct session *session) { return session->is_interrupted; }

static int times(const char *text, const char *word) {
    int count = 0;
    for (const char *place = text; (place = strstr(place, word)); place += strlen(word)) count++;
    return count;
}

/* Compares the output of audiosessionctl with the model. */
static void compare_status(void) {
    static char text[1 << 20];
    FILE *status = popen("audiosessionctl status --json", "r");
    size_t length = status ? fread(text, 1, sizeof text - 1, status) : 0;
    text[length] = 0;
    if (!status || pclose(status) != 0) fail("no status: %s", text);
    int there = times(text, "\"pid\":"), active = times(text, "\"active\":true");
    if (there != model_count(&model, is_there) || active != model_count(&model, is_active))
        fail("the table has %d sessions, %d active: %s", there, active, text);
}

int main(int count, char **arguments) {
    if (count != 4) return 2;
    double begun = now(), seconds = atof(arguments[1]), next = 0;
    random_state = strtoull(arguments[2], NULL, 10) * 2654435761u + 88172645463325252u;
    FILE *file = fopen(arguments[3], "w");
    if (!file) fail("%s cannot be written", arguments[3]);
    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < PROGRAMS; i++) begin(i);
    await_all_events();
    /* The maximum of the first quarter of the time must be enough for the rest. */
    struct need first = {0, 0}, rest = {0, 0};
    for (double passed = 0; passed < seconds; passed = now() - begun) {
        step();
        if (passed < next) continue;
        next = passed + 1;
        struct need need = measure(file, passed), *most = passed < seconds / 4 ? &first : &rest;
        if (need.descriptors > most->descriptors) most->descriptors = need.descriptors;
        if (need.kilobytes > most->kilobytes) most->kilobytes = need.kilobytes;
    }
    fclose(file);
    printf("soak: %lu steps, %lu programs killed, %d sessions, %d active, %d interrupted: as the model says\n", steps, kills,
        model_count(&model, is_there), model_count(&model, is_active), model_count(&model, is_interrupted));
    printf("soak: descriptors of %d programs %ld, then %ld; KB %ld, then %ld\n", OLD, first.descriptors, rest.descriptors,
        first.kilobytes, rest.kilobytes);
    /* A transaction may run during the count. Eight wake-up FIFOs and eight liveness FIFOs of others are kept open. */
    if (rest.descriptors > first.descriptors + (2 + 8 + 8) * OLD) fail("the descriptors grow");
    if (rest.kilobytes > first.kilobytes + 128 * OLD) fail("the memory grows");
    compare_status();
    for (int i = 0; i < PROGRAMS; i++)
        if (programs[i].pid) kill(programs[i].pid, SIGKILL);
    return 0;
}
