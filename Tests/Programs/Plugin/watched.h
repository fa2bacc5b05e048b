/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that must not wait, watched by the kernel: it counts locks and allocations, and a system call ends the test. */
#ifndef WATCHED_H
#define WATCHED_H

#include "../Conformance/conformance.h"

#include <dlfcn.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

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
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
void *malloc(size_t size);
void *malloc(size_t size) {
    if (is_watched) allocations++;
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size);
void *calloc(size_t count, size_t size) {
    if (is_watched) allocations++;
    return __libc_calloc(count, size);
}
/* The allocations of Swift. */
int posix_memalign(void **memory, size_t alignment, size_t size);
int posix_memalign(void **memory, size_t alignment, size_t size) {
    if (is_watched) allocations++;
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}
#ifdef __cplusplus
}
#endif
#endif

/* The code is the plug-in's or a library's. */
static bool is_plugin(const void *address) {
    Dl_info info;
    return dladdr(address, &info) && info.dli_fname &&
        (strstr(info.dli_fname, "pcm_audiosession") || strstr(info.dli_fname, "libAudioSession") ||
            strstr(info.dli_fname, "libAudioToolbox"));
}

/* The locks of the plug-in and the libraries. libasound has one of its own around each call. */
int pthread_mutex_lock(pthread_mutex_t *mutex) __attribute__((visibility("default")));
int pthread_mutex_lock(pthread_mutex_t *mutex) {
    static int (*real)(pthread_mutex_t *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "pthread_mutex_lock");
    if (is_watched && is_plugin(__builtin_return_address(0))) locks++;
    return real(mutex);
}

/* The loaded number of a call or an operation. */
#define ALLOW_IF(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* For this thread, until its end: these operations of a futex are left. */
static void forbid_system_calls(unsigned futex_operation, unsigned other_operation) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        ALLOW_IF(__NR_exit),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_futex, 0, 5),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        ALLOW_IF(futex_operation),
        ALLOW_IF(other_operation),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog program;
    program.len = sizeof filter / sizeof *filter;
    program.filter = filter;
    REQUIRE(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    REQUIRE(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

#endif
