/* SPDX-License-Identifier: Apache-2.0 */
/* One initialization for all threads. */
#define _GNU_SOURCE
#include "CLinux.h"

#include <pthread.h>

/* A predicate is 0 before the initialization and negative after it. During the initialization it is the generation of the process
   that runs it, shifted above the bit AWAITED. The futex is the lower half. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the futex is the first half of the predicate");
enum { DONE = -1, AWAITED = 1, GENERATION_SHIFT = 1, LAST_GENERATION = INT32_MAX };

/* The number of forks from the first ancestor to this process, plus 1. */
static int64_t generation = 1;
static void begin_generation(void) { generation = generation == LAST_GENERATION ? 1 : generation + 1; }
__attribute__((constructor)) static void install_handler(void) { pthread_atfork(NULL, NULL, begin_generation); }

void linux_once(int64_t *predicate, void (*initialize)(void *), void *context) {
    uint32_t *futex = (uint32_t *)predicate;
    const int64_t running = generation << GENERATION_SHIFT;
    int64_t found = __atomic_load_n(predicate, __ATOMIC_ACQUIRE);
    while (found != DONE) {
        /* fork() did not copy the initializing thread to this process. */
        if (found >> GENERATION_SHIFT != generation) {
            if (!__atomic_compare_exchange_n(predicate, &found, running, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) continue;
            initialize(context);
            if (__atomic_exchange_n(predicate, DONE, __ATOMIC_ACQ_REL) & AWAITED) linux_wake_waiting(futex);
            return;
        }
        if (found & AWAITED ||
            __atomic_compare_exchange_n(predicate, &found, found | AWAITED, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            linux_wait_while(futex, (uint32_t)(running | AWAITED));
            found = __atomic_load_n(predicate, __ATOMIC_ACQUIRE);
        }
    }
}

#ifdef EMBEDDED_SWIFT
/* Swift calls this before the first use of a global with an initializer. The weak definition of Embedded Swift loops while
   another thread initializes: for ever at real-time priority on the processor of that thread, and in a child of fork(). */
void swift_once(int64_t *predicate, void (*initialize)(void *), void *context);
__attribute__((visibility("hidden"))) void swift_once(int64_t *predicate, void (*initialize)(void *), void *context) {
    linux_once(predicate, initialize, context);
}
#endif
