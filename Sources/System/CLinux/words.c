/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "linux_words.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

bool linux_wait_until(uint32_t *word, uint32_t value, uint64_t deadline) {
    enum { SECOND = 1000000000 };
    struct timespec end = {.tv_sec = (time_t)(deadline / SECOND), .tv_nsec = (long)(deadline % SECOND)};
    const struct timespec *until = deadline == LINUX_NO_DEADLINE ? NULL : &end;
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == value)
        if (syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value, until, NULL, FUTEX_BITSET_MATCH_ANY) != 0 &&
            errno == ETIMEDOUT)
            return false;
    return true;
}

void linux_wake_waiting(uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0); }
