/* SPDX-License-Identifier: Apache-2.0 */
/* The name of a test is a sentence of the contract. Each test runs in a separate process, on simulated hardware in a
   scratch folder. It also fails when it prints on standard error or exceeds its time limit. The programs compile as C
   and as C++. */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <AudioToolbox/AudioToolbox.h>
#include <AudioToolbox/AudioSessionLinux.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAYBE_UNUSED __attribute__((unused))

/* The number of four characters. */
#define CODE(text) \
    ((UInt32)(unsigned char)(text)[0] << 24 | (UInt32)(unsigned char)(text)[1] << 16 | (UInt32)(unsigned char)(text)[2] << 8 | \
        (UInt32)(unsigned char)(text)[3])

/* ---- Tests ---- */

struct test {
    const char *name;
    const char *sentence;
    void (*run)(void);
    struct test *next;
};

static struct test *first_test;
static struct test **last_test = &first_test;
static const char *failure_file;
static int failures;

static MAYBE_UNUSED void register_test(struct test *test) {
    *last_test = test;
    last_test = &test->next;
}

#define TEST(name, sentence) \
    static void name(void); \
    __attribute__((constructor)) static void register_##name(void) { \
        static struct test test = {#name, sentence, name, NULL}; \
        register_test(&test); \
    } \
    static void name(void)

/* ---- Expectations ---- */

__attribute__((format(printf, 3, 4))) static MAYBE_UNUSED void failed(const char *file, int line, const char *format, ...) {
    va_list arguments;
    const char *base = strrchr(file, '/');
    __atomic_add_fetch(&failures, 1, __ATOMIC_SEQ_CST);
    FILE *out = failure_file ? fopen(failure_file, "a") : stdout;
    if (!out) abort();
    fprintf(out, "#   %s:%d: ", base ? base + 1 : file, line);
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    fputc('\n', out);
    if (out == stdout)
        fflush(out);
    else
        fclose(out);
}

static MAYBE_UNUSED void expect_true(const char *file, int line, const char *what, bool holds) {
    if (!holds) failed(file, line, "%s does not hold", what);
}

static MAYBE_UNUSED void expect_status(const char *file, int line, const char *call, OSStatus found, OSStatus expected) {
    /* The name is valid until the next call on this thread: copied. */
    char name[64];
    if (found == expected) return;
    snprintf(name, sizeof name, "%s", AudioSessionLinuxStatusName(found));
    failed(file, line, "%s gives %s, not %s", call, name, AudioSessionLinuxStatusName(expected));
}

static MAYBE_UNUSED void expect_integer(const char *file, int line, const char *what, long long found, long long expected) {
    if (found != expected)
        failed(file, line, "%s is %lld (0x%llX), not %lld (0x%llX)", what, found, (unsigned long long)found, expected,
            (unsigned long long)expected);
}

static MAYBE_UNUSED void expect_number(const char *file, int line, const char *what, double found, double expected) {
    if (!(found == expected)) failed(file, line, "%s is %.9g, not %.9g", what, found, expected);
}

static MAYBE_UNUSED void expect_text(const char *file, int line, const char *what, const char *found, const char *expected) {
    if (!found || strcmp(found, expected) != 0)
        failed(file, line, "%s is \"%s\", not \"%s\"", what, found ? found : "(null)", expected);
}

#define EXPECT(condition) expect_true(__FILE__, __LINE__, #condition, (condition) ? true : false)
#define EXPECT_STATUS(call, expected) expect_status(__FILE__, __LINE__, #call, (call), (OSStatus)(expected))
#define EXPECT_OK(call) EXPECT_STATUS(call, kAudioSessionNoError)
#define EXPECT_INTEGER(found, expected) expect_integer(__FILE__, __LINE__, #found, (long long)(found), (long long)(expected))
#define EXPECT_NUMBER(found, expected) expect_number(__FILE__, __LINE__, #found, (double)(found), (double)(expected))
#define EXPECT_TEXT(found, expected) expect_text(__FILE__, __LINE__, #found, (found), (expected))
/* Ends the test when the condition does not hold. */
#define REQUIRE(condition) \
    do { \
        if (!(condition)) { \
            failed(__FILE__, __LINE__, "%s does not hold; the rest was not tried", #condition); \
            exit(1); \
        } \
    } while (0)

/* ---- Properties ---- */

static MAYBE_UNUSED OSStatus set_u32(AudioSessionPropertyID id, UInt32 value) {
    return AudioSessionSetProperty(id, sizeof value, &value);
}

static MAYBE_UNUSED OSStatus set_f32(AudioSessionPropertyID id, Float32 value) {
    return AudioSessionSetProperty(id, sizeof value, &value);
}

static MAYBE_UNUSED OSStatus set_f64(AudioSessionPropertyID id, Float64 value) {
    return AudioSessionSetProperty(id, sizeof value, &value);
}

static MAYBE_UNUSED UInt32 get_u32_at(const char *file, int line, AudioSessionPropertyID id) {
    UInt32 value = 0xDEADBEEF, size = sizeof value;
    expect_status(file, line, "the get", AudioSessionGetProperty(id, &size, &value), kAudioSessionNoError);
    return value;
}

static MAYBE_UNUSED Float32 get_f32_at(const char *file, int line, AudioSessionPropertyID id) {
    Float32 value = -12345;
    UInt32 size = sizeof value;
    expect_status(file, line, "the get", AudioSessionGetProperty(id, &size, &value), kAudioSessionNoError);
    return value;
}

static MAYBE_UNUSED Float64 get_f64_at(const char *file, int line, AudioSessionPropertyID id) {
    Float64 value = -12345;
    UInt32 size = sizeof value;
    expect_status(file, line, "the get", AudioSessionGetProperty(id, &size, &value), kAudioSessionNoError);
    return value;
}

#define get_u32(id) get_u32_at(__FILE__, __LINE__, (id))
#define get_f32(id) get_f32_at(__FILE__, __LINE__, (id))
#define get_f64(id) get_f64_at(__FILE__, __LINE__, (id))

static MAYBE_UNUSED OSStatus get_status(AudioSessionPropertyID id) {
    unsigned char data[8];
    UInt32 size = sizeof data;
    return AudioSessionGetProperty(id, &size, data);
}

static MAYBE_UNUSED OSStatus set_category(UInt32 category) { return set_u32(kAudioSessionProperty_AudioCategory, category); }

#define SIMULATE(command) EXPECT_OK(AudioSessionLinuxSimulate(command))

/* ---- Events ---- */

/* A call of a listener: the property and its number, or an interruption state with id 0. */
struct event {
    AudioSessionPropertyID id;
    UInt32 size;
    const void *payload;
    double number;
    UInt32 whole;
    void *client_data;
};

enum { MOST_EVENTS = 4096 };
static struct event events[MOST_EVENTS];
static volatile int event_count;

static MAYBE_UNUSED void record_interruption(void *client_data, UInt32 state) {
    struct event event;
    memset(&event, 0, sizeof event);
    event.whole = state;
    event.client_data = client_data;
    if (event_count < MOST_EVENTS) events[event_count++] = event;
}

static MAYBE_UNUSED void record_event(void *client_data, AudioSessionPropertyID id, UInt32 size, const void *data) {
    struct event event;
    memset(&event, 0, sizeof event);
    event.id = id;
    event.size = size;
    event.payload = data;
    event.client_data = client_data;
    if (size == sizeof(UInt32) && data) {
        Float32 number;
        memcpy(&event.whole, data, sizeof event.whole);
        memcpy(&number, data, sizeof number);
        event.number = number;
    }
    if (event_count < MOST_EVENTS) events[event_count++] = event;
}

static MAYBE_UNUSED int events_of(AudioSessionPropertyID id) {
    int count = 0;
    for (int i = 0; i < event_count; i++) count += events[i].id == id;
    return count;
}

static MAYBE_UNUSED const struct event *last_event(AudioSessionPropertyID id) {
    for (int i = event_count - 1; i >= 0; i--)
        if (events[i].id == id) return &events[i];
    return NULL;
}

static MAYBE_UNUSED long long milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* Waits for events and delivers them. False when none came before the deadline. */
static MAYBE_UNUSED bool turn_of_descriptor(long long deadline) {
    struct pollfd waiting;
    waiting.fd = AudioSessionLinuxEventDescriptor();
    waiting.events = POLLIN;
    long long left = deadline - milliseconds();
    if (waiting.fd < 0 || poll(&waiting, 1, left > 0 ? (int)left : 0) != 1) return false;
    return AudioSessionLinuxDispatchEvents() == kAudioSessionNoError;
}

static bool (*turn)(long long deadline) = turn_of_descriptor;

/* No test waits longer than this for one event. */
enum { TIME_LIMIT_MS = 60000 };

/* Ends the test. Prints what it awaited and the last events that came instead. */
static MAYBE_UNUSED void end_of_time(const char *file, int line, const char *awaited) {
    enum { SHOWN = 16 };
    char text[SHOWN * 24] = "";
    size_t length = 0;
    for (int i = event_count > SHOWN ? event_count - SHOWN : 0; i < event_count; i++) {
        UInt32 id = events[i].id;
        if (id)
            length += (size_t)snprintf(text + length, sizeof text - length, " '%c%c%c%c' %u", (int)(id >> 24),
                (int)(id >> 16 & 255), (int)(id >> 8 & 255), (int)(id & 255), events[i].whole);
        else
            length += (size_t)snprintf(
                text + length, sizeof text - length, " %s", events[i].whole == kAudioSessionBeginInterruption ? "begin" : "end");
    }
    failed(file, line, "awaited %s: not so after %d s; %d events came:%s", awaited, TIME_LIMIT_MS / 1000, event_count, text);
    exit(1);
}

#define WAIT_UNTIL(condition) \
    do { \
        long long deadline_ = milliseconds() + TIME_LIMIT_MS; \
        while (!(condition)) \
            if (!turn(deadline_)) end_of_time(__FILE__, __LINE__, #condition); \
    } while (0)

/* All events up to now are delivered when this returns: events come in order, and the last one is a change of the
   volume to a new value. Without a volume in the route, the events that the program caused are pending when its call
   returns. */
static MAYBE_UNUSED void deliver_all_events_at(const char *file, int line) {
    static int fence;
    static char data;
    char command[64];
    int before = event_count;
    bool passed = false;
    Float32 level, now = -1;
    UInt32 size = sizeof now;
    expect_status(file, line, "adding the volume's listener",
        AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareOutputVolume, record_event, &data), 0);
    /* Another program may have set the same level. */
    expect_status(file, line, "reading the volume",
        AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareOutputVolume, &size, &now), 0);
    do level = 0.25f + (float)++fence / 4096;
    while (level == now);
    snprintf(command, sizeof command, "volume %.9f", level);
    expect_status(file, line, "changing the volume", AudioSessionLinuxSimulate(command), 0);
    expect_status(file, line, "reading the volume",
        AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareOutputVolume, &size, &now), 0);
    long long deadline = now == level ? milliseconds() + TIME_LIMIT_MS : 0;
    while (!passed && turn(deadline))
        for (int i = before; i < event_count; i++)
            passed = passed || (events[i].client_data == &data && events[i].number == level);
    if (now == level && !passed) end_of_time(file, line, "the listener's call for the new volume");
    AudioSessionRemovePropertyListenerWithUserData(kAudioSessionProperty_CurrentHardwareOutputVolume, record_event, &data);
    /* The events of this function are removed. */
    int kept = before;
    for (int i = before; i < event_count; i++)
        if (events[i].client_data != &data) events[kept++] = events[i];
    event_count = kept;
}

#define DELIVER_ALL_EVENTS() deliver_all_events_at(__FILE__, __LINE__)

/* A session whose events are delivered through the descriptor. */
static MAYBE_UNUSED void begin_session_at(const char *file, int line) {
    expect_status(file, line, "AudioSessionInitialize", AudioSessionInitialize(NULL, NULL, record_interruption, NULL), 0);
    if (failures) exit(1);
}

#define BEGIN_SESSION() begin_session_at(__FILE__, __LINE__)

/* ---- The log of AUDIOSESSION_DEBUG=1 ---- */

static int saved_standard_error = -1;

/* Redirects the library's log to a file. Call it before the first call of the library. */
static MAYBE_UNUSED void begin_log(void) {
    setenv("AUDIOSESSION_DEBUG", "1", 1);
    int file = open("log", O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);
    saved_standard_error = dup(2);
    dup2(file, 2);
    close(file);
}

/* Returns the log since the last call, and clears it. */
static MAYBE_UNUSED const char *take_log(void) {
    static char text[1 << 16];
    int file = open("log", O_RDWR);
    ssize_t count = read(file, text, sizeof text - 1);
    text[count > 0 ? count : 0] = 0;
    if (ftruncate(file, 0) != 0) abort();
    close(file);
    return text;
}

static int log_pipe = -1;

/* The same for a log that a test waits for. */
static MAYBE_UNUSED void begin_log_for_waiting(void) {
    int ends[2];
    setenv("AUDIOSESSION_DEBUG", "1", 1);
    if (pipe(ends) != 0) abort();
    dup2(ends[1], 2);
    close(ends[1]);
    log_pipe = ends[0];
}

/* Returns the log up to these words. Ends the test when they do not come. */
static MAYBE_UNUSED const char *wait_for_log(const char *words) {
    static char text[1 << 16];
    size_t length = 0;
    while (text[length] = 0, !strstr(text, words)) {
        struct pollfd waiting;
        waiting.fd = log_pipe;
        waiting.events = POLLIN;
        ssize_t count = poll(&waiting, 1, TIME_LIMIT_MS) == 1 ? read(log_pipe, text + length, sizeof text - 1 - length) : 0;
        if (count <= 0) {
            failed(__FILE__, __LINE__, "awaited \"%s\" in the log; it says: %s", words, text);
            exit(1);
        }
        length += (size_t)count;
    }
    return text;
}

/* ---- The runner of one program ---- */

static MAYBE_UNUSED void run_in_child(const struct test *test) {
    alarm(120);
    test->run();
    exit(failures ? 1 : 0);
}

static MAYBE_UNUSED void show_file(const char *path, const char *title) {
    char line[512];
    int lines = 0;
    FILE *file = fopen(path, "r");
    if (!file) return;
    while (fgets(line, sizeof line, file) && lines++ < 40) {
        line[strcspn(line, "\n")] = 0;
        printf("%s%s\n", title, line);
    }
    fclose(file);
}

static MAYBE_UNUSED bool is_empty(const char *path) {
    struct stat status;
    return stat(path, &status) != 0 || status.st_size == 0;
}

/* A test has a process of its own, which loads the libraries again. With CONFORMANCE_FORK it begins with the libraries of the runner,
   none of which has been called: Valgrind needs two seconds to load those of Objective-C. */
static MAYBE_UNUSED void start_child(const char *program, const struct test *test, const char *scratch, char *complaints) {
    struct rlimit no_core = {0, 0};
    int standard_error = open("stderr", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    setrlimit(RLIMIT_CORE, &no_core);
    dup2(standard_error, 2);
    close(standard_error);
    setenv("AUDIOSESSION_HARDWARE", "simulated", 1);
    setenv("AUDIOSESSION_RUNTIME_DIR", scratch, 1);
    setenv("CONFORMANCE_FAILURES", complaints, 1);
    unsetenv("AUDIOSESSION_DEBUG");
    unsetenv("AUDIOSESSION_SIMULATION");
    if (getenv("CONFORMANCE_FORK")) {
        failure_file = complaints;
        run_in_child(test);
    }
    execl(program, program, "--run", test->name, (char *)NULL);
    _exit(127);
}

static MAYBE_UNUSED bool run_test(const char *program, const char *label, const struct test *test) {
    char scratch[] = "/tmp/conformance.XXXXXX", complaints[64], command[64];
    int status = 0;
    if (!mkdtemp(scratch) || chdir(scratch) != 0) return false;
    chmod(scratch, 0700);
    snprintf(complaints, sizeof complaints, "%s/failures", scratch);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) start_child(program, test, scratch, complaints);
    waitpid(child, &status, 0);
    bool passed = WIFEXITED(status) && WEXITSTATUS(status) == 0 && is_empty("stderr") && is_empty(complaints);
    printf("%s - %s: %s\n", passed ? "ok" : "not ok", label, test->sentence);
    if (!passed) {
        printf("#   %s\n", test->name);
        show_file(complaints, "");
        show_file("stderr", "#   on standard error: ");
        if (WIFSIGNALED(status))
            printf("#   killed: %s\n", strsignal(WTERMSIG(status)));
        else if (WEXITSTATUS(status) > 1)
            printf("#   exit status %d\n", WEXITSTATUS(status));
    }
    snprintf(command, sizeof command, "rm -rf %s", scratch);
    if (chdir("/") != 0 || system(command) != 0) return false;
    return passed;
}

int main(int count, char **arguments) {
    bool all = true;
    failure_file = getenv("CONFORMANCE_FAILURES");
    if (count == 3 && strcmp(arguments[1], "--run") == 0) {
        for (struct test *test = first_test; test; test = test->next)
            if (strcmp(test->name, arguments[2]) == 0) run_in_child(test);
        return 2;
    }
    failure_file = NULL;
    char *program = realpath(arguments[0], NULL);
    const char *label = count > 1 ? arguments[1] : strrchr(program, '/') + 1;
    for (struct test *test = first_test; test; test = test->next) {
        if (count > 2 && strcmp(test->name, arguments[2]) != 0) continue;
        all = run_test(program, label, test) && all;
    }
    free(program);
    return all ? 0 : 1;
}

#endif
