/* SPDX-License-Identifier: Apache-2.0 */
/* One program for all targets, because it takes long to link: FUZZ_TARGET=names chooses the target. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#define TARGETS(USE) \
    USE(arguments) USE(calls) USE(options) USE(command) USE(machine) USE(names) USE(overrides) USE(sounds) USE(table) USE(units)

#define DECLARE(name) bool fuzz_##name(const void *bytes, ptrdiff_t count);
TARGETS(DECLARE)

#define ROW(name) {#name, fuzz_##name},
static const struct {
    const char *name;
    bool (*run)(const void *bytes, ptrdiff_t count);
} targets[] = {TARGETS(ROW)};
static bool (*target)(const void *bytes, ptrdiff_t count);

int LLVMFuzzerInitialize(int *count, char ***words);
int LLVMFuzzerInitialize(int *count, char ***words) {
    const char *wanted = getenv("FUZZ_TARGET");
    for (size_t i = 0; wanted && i < sizeof targets / sizeof *targets; i++)
        if (strcmp(targets[i].name, wanted) == 0) target = targets[i].run;
    if (target) return 0;
    fprintf(
        stderr, "%s: FUZZ_TARGET is %s: name a target of Fuzz/main.c\n", *count ? **words : "fuzz", wanted ? wanted : "not set");
    exit(2);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    if (!target(bytes, (ptrdiff_t)count)) abort();
    return 0;
}

/* The kernel needs about ten milliseconds to close a descriptor of inotify, which is most of a run. Here the library closes
   its descriptor at once; threads of the fuzzer close a duplicate and wait for the kernel. There are few instances at a time:
   Linux gives a user 128, and other tests of the user need some meanwhile. */

enum { NUMBERS = 512, CLOSERS = 16, MOST_INSTANCES = 32 };
static atomic_bool is_inotify[NUMBERS];
static int to_closers[2];
/* The open instances of the library and of the closers. The library gets no more than MOST_INSTANCES. */
static atomic_int instances;

static void *close_slowly(void *nothing) {
    int number;
    while (read(to_closers[0], &number, sizeof number) == sizeof number) {
        close(number);
        atomic_fetch_sub(&instances, 1);
    }
    return nothing;
}

static void start_closers(void) {
    pthread_t thread;
    if (pipe(to_closers)) abort();
    for (int i = 0; i < CLOSERS; i++)
        if (pthread_create(&thread, NULL, close_slowly, NULL)) abort();
}

int __real_inotify_init1(int flags);
int __wrap_inotify_init1(int flags);
int __wrap_inotify_init1(int flags) {
    if (atomic_load(&instances) >= MOST_INSTANCES) {
        errno = EMFILE;
        return -1;
    }
    int number = __real_inotify_init1(flags);
    if (number >= 0) atomic_fetch_add(&instances, 1);
    if (number >= 0 && number < NUMBERS) atomic_store(&is_inotify[number], true);
    return number;
}

int __real_close(int number);
int __wrap_close(int number);
int __wrap_close(int number) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (number < 0 || number >= NUMBERS || !atomic_exchange(&is_inotify[number], false)) return __real_close(number);
    pthread_once(&once, start_closers);
    /* The library waits for the kernel where there are more instances than closers. */
    int held = atomic_load(&instances) > CLOSERS ? -1 : fcntl(number, F_DUPFD_CLOEXEC, NUMBERS);
    int result = __real_close(number);
    if (held < 0)
        atomic_fetch_sub(&instances, 1);
    else if (write(to_closers[1], &held, sizeof held) != sizeof held)
        abort();
    return result;
}
