#include "failures.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Of AddressSanitizer, where the program is built with it. */
extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));
extern void __lsan_enable(void) __attribute__((weak));

/* ---- what may go wrong ---- */

struct trouble {
    enum failing_how how;
    int error;
    bool from_there_on;
    const char *name;
};

static const struct trouble troubles[] = {
    {FAILING_ERROR, EIO, false, "EIO"},
    {FAILING_ERROR, EIO, true, "EIO from there on"},
    {FAILING_ERROR, EMFILE, false, "EMFILE"},
    {FAILING_ERROR, EMFILE, true, "EMFILE from there on"},
    {FAILING_ERROR, ENOMEM, false, "ENOMEM"},
    {FAILING_ERROR, ENOENT, false, "ENOENT"},
    {FAILING_ERROR, EAGAIN, false, "EAGAIN"},
    {FAILING_ERROR, 500000, false, "an error of libasound's own"},
    {FAILING_ERROR, EINTR, false, "EINTR"},
    {FAILING_SHORT, 0, false, "half of a transfer"},
    {FAILING_SHORT, 0, true, "halves of all transfers"},
};
enum { TROUBLES = sizeof troubles / sizeof *troubles };

static const struct trouble *trouble;
static const struct step *step;
static uint64_t nth;

bool nothing_may_be_seen(void) { return trouble->how == FAILING_SHORT || trouble->error == EINTR; }

/* A shortage of descriptors may pass. And a bell that says that it is full has rung. */
bool goes_alone(void) { return (trouble->from_there_on && trouble->error == EIO) || trouble->error == EAGAIN; }

bool machine_may_be_another(void) { return trouble->error == ENOENT; }

bool may_go_deaf(void) { return trouble->from_there_on; }

/* ---- complaints ---- */

static bool has_complained;

void complain(const char *format, ...) {
    va_list arguments;
    const char *call = failing_struck();
    has_complained = true;
    printf("not ok - %s, %s in call %llu (%s): ", step->name, trouble->name, (unsigned long long)nth, call ? call : "none");
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

/* ---- the neighbour ---- */

static int to_neighbour, from_neighbour;
static int heard_by_neighbour;

static void hear(void *data, UInt32 state) { (void)data, (void)state, heard_by_neighbour++; }

int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool is_interrupted(int milliseconds) {
    int64_t end = now_ms() + milliseconds, left = milliseconds;
    do {
        struct pollfd item = {.fd = AudioSessionLinuxEventDescriptor(), .events = POLLIN};
        poll(&item, 1, (int)left);
        AudioSessionLinuxDispatchEvents();
        left = end - now_ms();
    } while (heard_by_neighbour == 0 && left > 0);
    return heard_by_neighbour != 0;
}

static bool change_category(UInt32 category) {
    return AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category) == 0;
}

static bool run_errand(char errand) {
    UInt32 others = 1, size = sizeof others;
    switch (errand) {
    case PLAY_ALONE: return change_category(kAudioSessionCategory_MediaPlayback) && AudioSessionSetActive(true) == 0;
    case SAY_WHETHER_INTERRUPTED:
        if (is_interrupted(WAIT_LIMIT_MS)) return true;
        printf("# awaited for %d ms: an interruption of the neighbour; seen: no event\n", WAIT_LIMIT_MS);
        return false;
    case SAY_WHETHER_LEFT_ALONE: return !is_interrupted(0);
    case PLAY_WITH_OTHERS:
        heard_by_neighbour = 0;
        return AudioSessionSetActive(false) == 0 && change_category(kAudioSessionCategory_AmbientSound) && AudioSessionSetActive(true) == 0;
    case PLUG: return AudioSessionLinuxSimulate("plug headphones") == 0;
    case UNPLUG: return AudioSessionLinuxSimulate("unplug headphones") == 0;
    case CALL: return AudioSessionLinuxSimulate("interrupt begin") == 0;
    case HANG_UP: return AudioSessionLinuxSimulate("interrupt end") == 0;
    }
    /* Nobody else is there any more, and nobody has disturbed it. */
    if (AudioSessionSetActive(false) || AudioSessionSetActive(true)) return puts("# the neighbour can't work"), false;
    /* No event tells of this property. */
    for (int64_t end = now_ms() + WAIT_LIMIT_MS; others && now_ms() < end;) {
        OSStatus status = AudioSessionGetProperty(kAudioSessionProperty_OtherAudioIsPlaying, &size, &others);
        if (status) return printf("# the neighbour's OtherAudioIsPlaying gives %s\n", AudioSessionLinuxStatusName(status)), false;
        if (others) usleep(10000);
    }
    if (others) {
        printf("# awaited for %d ms: that the neighbour's OtherAudioIsPlaying is 0; seen: %u\n", WAIT_LIMIT_MS, (unsigned)others);
        return false;
    }
    AudioSessionLinuxDispatchEvents();
    if (heard_by_neighbour) return puts("# the neighbour was disturbed"), false;
    return true;
}

static void live_next_door(int in, int out) {
    char errand;
    setenv("AUDIOSESSION_HARDWARE", "simulated", 1);
    if (AudioSessionInitialize(NULL, NULL, hear, NULL) || AudioSessionLinuxEventDescriptor() < 0 ||
        !change_category(kAudioSessionCategory_AmbientSound) || AudioSessionSetActive(true))
        _exit(1);
    while (read(in, &errand, 1) == 1) {
        bool well = run_errand(errand);
        AudioSessionLinuxDispatchEvents();
        if (errand == CALL || errand == HANG_UP) heard_by_neighbour = 0;
        fflush(stdout);
        if (write(out, well ? "y" : "n", 1) != 1) break;
    }
    _exit(0);
}

bool neighbour(enum errand errand) {
    char answer = 'n', text = (char)errand;
    return write(to_neighbour, &text, 1) == 1 && read(from_neighbour, &answer, 1) == 1 && answer == 'y';
}

static void move_in_next_door(void) {
    int there[2], back[2];
    if (pipe(there) || pipe(back)) exit(2);
    if (fork() == 0) {
        close(there[1]);
        close(back[0]);
        live_next_door(there[0], back[1]);
    }
    close(there[0]);
    close(back[1]);
    to_neighbour = there[1];
    from_neighbour = back[0];
    if (!neighbour(ARE_YOU_WELL)) exit(2);
}

static void move_out_next_door(void) {
    close(to_neighbour);
    close(from_neighbour);
    wait(NULL);
}

/* ---- what a process has ---- */

struct belongings {
    int descriptors, threads, mappings;
};

/* Those that wait for the deaths of others not among them: how many others there are is chance. */
static int count_descriptors(void) {
    int count = 0, lives = 0;
    struct dirent *entry;
    DIR *directory = opendir("/proc/self/fd");
    while (directory && (entry = readdir(directory))) {
        char target[256] = "";
        ssize_t length = readlinkat(dirfd(directory), entry->d_name, target, sizeof target - 1);
        if (length > 0 && strstr(target, ".life")) lives++;
        else count++;
    }
    if (directory) closedir(directory);
    enum { OWN = 1, OTHERS = 3 };
    if (lives > OWN + OTHERS) complain("watches %d processes", lives - OWN);
    return count;
}

static void show_descriptors(void) {
    struct dirent *entry;
    DIR *directory = opendir("/proc/self/fd");
    while (directory && (entry = readdir(directory))) {
        char target[256] = "";
        if (readlinkat(dirfd(directory), entry->d_name, target, sizeof target - 1) > 0) printf("#   %s: %s\n", entry->d_name, target);
    }
    if (directory) closedir(directory);
}

static int count_threads(void) {
    int count = 0;
    DIR *directory = opendir("/proc/self/task");
    while (directory && readdir(directory)) count++;
    if (directory) closedir(directory);
    return count;
}

static int count_mappings(void) {
    int count = 0;
    char line[1024];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) count++;
    if (maps) fclose(maps);
    return count;
}

static struct belongings take_stock(void) {
    return (struct belongings){count_descriptors(), count_threads(), count_mappings()};
}

/* Of a process in which nothing has failed, for the same step; and of this one, once it has a session,
   before anything fails: others that come and go make a difference too. */
static struct belongings *usual, before;

static int larger(int a, int b) { return a > b ? a : b; }
static struct belongings most_allowed(void) {
    return (struct belongings){
        larger(usual->descriptors, before.descriptors), larger(usual->threads, before.threads), larger(usual->mappings, before.mappings)};
}

static int by_size(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* Threads open and close what they look at: what is seen most of the time counts. */
static struct belongings usual_stock(void) {
    enum { LOOKS = 9 };
    int descriptors[LOOKS], threads[LOOKS], mappings[LOOKS];
    for (int look = 0; look < LOOKS; look++) {
        struct belongings now = take_stock();
        descriptors[look] = now.descriptors;
        threads[look] = now.threads;
        mappings[look] = now.mappings;
        usleep(500);
    }
    qsort(descriptors, LOOKS, sizeof(int), by_size);
    qsort(threads, LOOKS, sizeof(int), by_size);
    qsort(mappings, LOOKS, sizeof(int), by_size);
    return (struct belongings){descriptors[LOOKS / 2], threads[LOOKS / 2], mappings[LOOKS / 2]};
}

static struct belongings stock_in_the_end(void) {
    struct belongings least = take_stock(), most = most_allowed();
    for (int64_t end = now_ms() + WAIT_LIMIT_MS; now_ms() < end;) {
        if (least.descriptors <= most.descriptors && least.threads <= most.threads) break;
        usleep(10000);
        struct belongings now = take_stock();
        if (now.descriptors < least.descriptors) least.descriptors = now.descriptors;
        if (now.threads < least.threads) least.threads = now.threads;
        if (now.mappings < least.mappings) least.mappings = now.mappings;
        if (__lsan_do_recoverable_leak_check) least.mappings = 0;
    }
    return least;
}

static void compare_belongings(void) {
    if (nth == 0) {
        *usual = usual_stock();
        return;
    }
    if ((step->habits & ENDS) && trouble->from_there_on && trouble->error == EIO) return;
    struct belongings now = stock_in_the_end(), most = most_allowed();
    if (now.descriptors > most.descriptors) complain("%d descriptors too many", now.descriptors - most.descriptors), show_descriptors();
    if (now.threads > most.threads) complain("%d threads too many", now.threads - most.threads);
    /* A heap that grows makes some. AddressSanitizer maps what it likes; it also looks for leaks. */
    enum { OF_HEAP = 3 };
    if (!__lsan_do_recoverable_leak_check && now.mappings > most.mappings + OF_HEAP)
        complain("%d mappings too many", now.mappings - most.mappings);
    if (__lsan_do_recoverable_leak_check && !(step->habits & LOADS) && __lsan_do_recoverable_leak_check()) complain("memory was lost");
}

/* ---- one process, in which one call fails ---- */

enum verdict { WELL = 0, BAD = 1, NOTHING_FAILED = 3 };

static bool is_allowed(OSStatus status) {
    if (status == 0) return true;
    if (nothing_may_be_seen()) return false;
    for (int i = 0; i < 3 && step->allowed[i]; i++)
        if (step->allowed[i] == status) return true;
    return false;
}

static void go_through(void) {
    struct failing_plan plan = {
        .how = trouble->how, .where = step->where, .error = trouble->error, .nth = nth, .from_there_on = trouble->from_there_on};
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    /* Longer than two waits that reach their limits, so that these print what they awaited. */
    alarm(3 * WAIT_LIMIT_MS / 1000);
    step->prepare();
    if (nth && AudioSessionLinuxEventDescriptor() >= 0) before = usual_stock();
    if (nth) failing_begin(plan);
    OSStatus status = step->act();
    failing_end();
    if (!is_allowed(status)) complain("gives %s", AudioSessionLinuxStatusName(status));
    step->check(status);
    compare_belongings();
    if (!has_complained && nth && !failing_struck()) _exit(NOTHING_FAILED);
    _exit(has_complained ? BAD : WELL);
}

static void run(const char *format, const char *folder) {
    char command[128];
    snprintf(command, sizeof command, format, folder);
    if (system(command)) exit(2);
}

/* What a process that could not clear up has left behind, and nobody else missed. */
static void sweep(const char *folder) {
    char path[400];
    struct dirent *entry;
    DIR *directory = opendir(folder);
    while (directory && (entry = readdir(directory))) {
        const char *ending = strrchr(entry->d_name, '.');
        if (!ending || (strcmp(ending, ".bell") && strcmp(ending, ".life"))) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        int fd = open(path, O_WRONLY | O_NONBLOCK);
        if (fd < 0) unlink(path);
        else close(fd);
    }
    if (directory) closedir(directory);
    snprintf(path, sizeof path, "%s/new", folder);
    if (access(path, F_OK) == 0) run("rm -rf %s/new", folder);
}

static void clear_folder(const char *folder) {
    run("rm -rf %s", folder);
    if (mkdir(folder, 0700)) exit(2);
}

static enum verdict try_one(const char *folder) {
    int status;
    bool was_well = true;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) go_through();
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) complain("killed: %s", strsignal(WTERMSIG(status))), was_well = false;
    if (!neighbour(ARE_YOU_WELL)) {
        complain("the neighbour is not well");
        was_well = false;
        move_out_next_door();
        clear_folder(folder);
        move_in_next_door();
    }
    sweep(folder);
    return !was_well ? BAD : (enum verdict)WEXITSTATUS(status);
}

/* ---- all of them ---- */

/* All steps, or the one that is named; with --list, their names. */
int main(int count, char **arguments) {
    const char *wanted = count > 1 ? arguments[1] : NULL;
    char folder[] = "/tmp/failing.XXXXXX";
    bool all_well = true;
    const char *number = getenv("FAILING_EVERY");
    uint64_t every = number && atoi(number) > 0 ? (uint64_t)atoi(number) : 3;
    if (wanted && strcmp(wanted, "--list") == 0) {
        for (int i = 0; i < step_count; i++) puts(steps[i].name);
        return 0;
    }
    if (!mkdtemp(folder)) return 2;
    setenv("AUDIOSESSION_RUNTIME_DIR", folder, 1);
    unsetenv("AUDIOSESSION_DEBUG");
    usual = mmap(NULL, sizeof *usual, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (usual == MAP_FAILED) return 2;
    signal(SIGPIPE, SIG_IGN);
    /* One heap for all threads: which of them comes first makes no mappings. */
    mallopt(M_ARENA_MAX, 1);
    /* AddressSanitizer is slow: there only what leads to other ways. */
    int few = __lsan_do_recoverable_leak_check ? 2 : TROUBLES;
    for (step = steps; step < steps + step_count; step++) {
        unsigned long long calls = 0;
        uint64_t stride = step->habits & LONG ? every : 1;
        int bad = 0;
        if (wanted && strcmp(wanted, step->name) != 0) continue;
        clear_folder(folder);
        move_in_next_door();
        trouble = troubles;
        nth = 0;
        if (try_one(folder) == BAD) bad++;
        for (trouble = troubles; trouble < troubles + few; trouble++) {
            int quiet = 0;
            nth = 1 + (uint64_t)(trouble - troubles) % stride;
            /* Threads take turns: once without a failure may be by chance. */
            while (quiet < 2 && bad < 20) {
                enum verdict verdict = try_one(folder);
                if (verdict == BAD) bad++;
                quiet = verdict == NOTHING_FAILED ? quiet + 1 : 0;
                if (quiet == 0) nth += stride, calls++;
            }
            nth = 0;
        }
        move_out_next_door();
        printf("%s - %s: %llu failures\n", bad ? "not ok" : "ok", step->name, calls);
        fflush(stdout);
        if (bad) all_well = false;
    }
    clear_folder(folder);
    rmdir(folder);
    return all_well ? 0 : 1;
}
