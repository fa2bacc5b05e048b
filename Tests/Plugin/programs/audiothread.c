/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that must not wait: the plug-in copies, and does nothing else. The kernel ends the test on any system call of
   this thread but the wake-up of another one. */
#include "pcm.h"

#include <dlfcn.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

enum { FRAME = 4, TRANSFERS = 2000, PIECE = 16 };

static int16_t sound[48000 * 2];
static __thread volatile bool is_watched;
static volatile int allocations, locks;

#if defined(__SANITIZE_ADDRESS__)
#define WATCHES_MEMORY 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHES_MEMORY 0
#endif
#endif
#ifndef WATCHES_MEMORY
#define WATCHES_MEMORY 1
#endif

#if WATCHES_MEMORY
#ifdef __cplusplus
extern "C" {
#endif
extern void *__libc_malloc(size_t size);
void *malloc(size_t size);
void *malloc(size_t size) {
    if (is_watched) allocations++;
    return __libc_malloc(size);
}
#ifdef __cplusplus
}
#endif
#endif

/* The code is the plug-in's or the library's. */
static bool is_plugin(const void *address) {
    Dl_info info;
    return dladdr(address, &info) && info.dli_fname &&
        (strstr(info.dli_fname, "pcm_audiosession") || strstr(info.dli_fname, "libAudioSession"));
}

/* The locks of the plug-in and the library. libasound has one of its own around each call. */
int pthread_mutex_lock(pthread_mutex_t *mutex) __attribute__((visibility("default")));
int pthread_mutex_lock(pthread_mutex_t *mutex) {
    static int (*real)(pthread_mutex_t *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "pthread_mutex_lock");
    if (is_watched && is_plugin(__builtin_return_address(0))) locks++;
    return real(mutex);
}

#define ALLOW_IF_CALL(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* For this thread, until its end. */
static void forbid_system_calls(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        ALLOW_IF_CALL(__NR_exit),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_futex, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FUTEX_WAKE_PRIVATE, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog program;
    program.len = sizeof filter / sizeof *filter;
    program.filter = filter;
    REQUIRE(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    REQUIRE(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

static volatile snd_pcm_sframes_t worst;

static void *write_without_system_calls(void *argument) {
    snd_pcm_t *pcm = (snd_pcm_t *)argument;
    forbid_system_calls();
    is_watched = true;
    for (int i = 0; i < TRANSFERS; i++) {
        snd_pcm_sframes_t count = snd_pcm_writei(pcm, sound, PIECE), delay;
        if (count < 0 && count != -EAGAIN && count < worst) worst = count;
        if (snd_pcm_avail_update(pcm) < 0 || snd_pcm_delay(pcm, &delay) < 0) worst = -1000;
    }
    is_watched = false;
    syscall(__NR_exit, 0);
    return NULL;
}

TEST(copying, "A transfer takes no lock, allocates nothing, and makes no system call but one that wakes another thread") {
    struct setup setup = usual;
    /* On a busy machine the thread may wait for long: the buffer is long enough. */
    setup.buffer = 4 * 48000;
    snd_pcm_t *pcm = open_pcm(SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK, setup);
    for (int second = 0; second < 2; second++) EXPECT_ALSA(snd_pcm_writei(pcm, sound, 48000), 48000);
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_RUNNING);
    pthread_t thread;
    REQUIRE(pthread_create(&thread, NULL, write_without_system_calls, pcm) == 0);
    pthread_join(thread, NULL);
    EXPECT_ALSA(worst, 0);
    EXPECT_INTEGER(locks, 0);
    if (WATCHES_MEMORY) EXPECT_INTEGER(allocations, 0);
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_RUNNING);
    snd_pcm_close(pcm);
}
