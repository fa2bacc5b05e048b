/* SPDX-License-Identifier: Apache-2.0 */
/* get [BATCHES]: measures a getter of a scalar with one thread and with eight, and shows that it neither makes a system
   call nor allocates memory. A sample is the processor time of a thread for a batch of calls. */
#include "measure.h"

#include <AudioToolbox/AudioToolbox.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#if __has_include(<pulse/pulseaudio.h>)
#include <pulse/pulseaudio.h>
#define HAS_PULSE 1
#endif

enum { CALLS = 20000, MOST_THREADS = 8 };

int plain_get(uint32_t id, uint32_t *size, void *data);

static void get_plain(void) {
    uint32_t value, size = sizeof value;
    REQUIRE(plain_get(1, &size, &value) == 0);
}

static void get(AudioSessionPropertyID id) {
    Float64 value;
    UInt32 size = sizeof value;
    REQUIRE(AudioSessionGetProperty(id, &size, &value) == 0);
}
static void get_category(void) { get(kAudioSessionProperty_AudioCategory); }
static void get_volume(void) { get(kAudioSessionProperty_CurrentHardwareOutputVolume); }
static void get_rate(void) { get(kAudioSessionProperty_PreferredHardwareSampleRate); }

#ifdef HAS_PULSE
static pa_context *context;
static void get_pulse(void) { REQUIRE(pa_context_get_state(context) == PA_CONTEXT_UNCONNECTED); }
#endif

static const struct getter {
    const char *name;
    void (*get)(void);
} getters[] = {
    {"a function of another library", get_plain},
    {"AudioCategory", get_category},
    {"CurrentHardwareOutputVolume", get_volume},
    {"PreferredHardwareSampleRate", get_rate},
#ifdef HAS_PULSE
    {"pa_context_get_state (libpulse)", get_pulse},
#endif
};

/* All subjects have the same loop, so each figure includes its time. */
static double nanoseconds_each(void (*get)(void)) {
    uint64_t start = nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < CALLS; i++) get();
    return (double)(nanoseconds_of(CLOCK_THREAD_CPUTIME_ID) - start) / CALLS;
}

struct worker {
    const struct getter *getter;
    int batches;
    pthread_barrier_t *start;
    double *results;
};

static void *work(void *argument) {
    struct worker *worker = argument;
    nanoseconds_each(worker->getter->get);
    pthread_barrier_wait(worker->start);
    for (int i = 0; i < worker->batches; i++) worker->results[i] = nanoseconds_each(worker->getter->get);
    return NULL;
}

static void measure(const struct getter *getter, int threads, int batches) {
    pthread_t ids[MOST_THREADS];
    struct worker workers[MOST_THREADS];
    pthread_barrier_t start;
    pthread_barrier_init(&start, NULL, (unsigned)threads);
    for (int i = 0; i < threads; i++) {
        workers[i] = (struct worker){getter, batches / threads, &start, calloc((size_t)batches, sizeof(double))};
        REQUIRE(workers[i].results && pthread_create(&ids[i], NULL, work, &workers[i]) == 0);
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
        for (int batch = 0; batch < workers[i].batches; batch++)
            sample(threads == 1 ? "get-1" : "get-8", getter->name, "ns", workers[i].results[batch]);
        free(workers[i].results);
    }
    pthread_barrier_destroy(&start);
}

/* ---- allocations of all libraries of the process ---- */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);
static _Thread_local unsigned long requests;

void *malloc(size_t size) { return requests++, __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return requests++, __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return requests++, __libc_realloc(old, size); }
void *aligned_alloc(size_t alignment, size_t size) { return requests++, __libc_memalign(alignment, size); }
int posix_memalign(void **out, size_t alignment, size_t size) {
    requests++;
    *out = __libc_memalign(alignment, size);
    return *out ? 0 : 12;
}

static void get_all(void) {
    get_category();
    get_volume();
    get_rate();
}

static void count_requests(void) {
    unsigned long before = requests;
    for (int i = 0; i < CALLS; i++) get_all();
    sample("get-requests", "requests for memory", "", (double)(requests - before));
}

/* From here on the kernel kills the process at each system call except write and exit. */
static void forbid_system_calls(void) {
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog filter = {sizeof program / sizeof *program, program};
    REQUIRE(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    REQUIRE(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0);
}

int main(int argc, char **argv) {
    int batches = count_from(argc, argv, 1, 80);
    REQUIRE(AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0);
#ifdef HAS_PULSE
    context = pa_context_new(pa_mainloop_get_api(pa_mainloop_new()), "bench");
    REQUIRE(context);
#endif
    for (int turn = 0; turn < 4; turn++)
        for (size_t i = 0; i < sizeof getters / sizeof *getters; i++) {
            measure(&getters[i], 1, batches / 4);
            measure(&getters[i], MOST_THREADS, batches / 4 * MOST_THREADS);
        }
    count_requests();
    sample("get-system-calls", "system calls", "", 0);
    fflush(stdout);
    forbid_system_calls();
    for (int i = 0; i < CALLS; i++) get_all();
    _exit(0);
}
