/* SPDX-License-Identifier: Apache-2.0 */
/* Words of memory that threads share without a lock: waiting for a change, the wake-up of one thread, and records that one thread
   writes and others copy. No system header is included, as in CLinux.h. The ALSA plug-in contains words.c as well. */
#ifndef LINUX_WORDS_H
#define LINUX_WORDS_H

#include <stdbool.h>
#include <stdint.h>

/* ---- waiting ---- */

#define LINUX_NO_DEADLINE UINT64_MAX

/* Sleeps while the word has this value, until another thread changes it and wakes the waiting threads. False when the deadline, in
   nanoseconds of CLOCK_MONOTONIC, has passed. Takes no lock: a signal handler may call it. */
bool linux_wait_until(uint32_t *word, uint32_t value, uint64_t deadline);
static inline void linux_wait_while(uint32_t *word, uint32_t value) { linux_wait_until(word, value, LINUX_NO_DEADLINE); }
void linux_wake_waiting(uint32_t *word);

/* ---- the wake-up of one thread ---- */

/* A word that is 0 at first. */
enum linux_wake_state { LINUX_AWAKE, LINUX_ASLEEP, LINUX_SIGNALLED };

/* Any thread: makes a system call only if the other thread sleeps. */
static inline void linux_signal_thread(uint32_t *word) {
    if (__atomic_exchange_n(word, LINUX_SIGNALLED, __ATOMIC_ACQ_REL) == LINUX_ASLEEP) linux_wake_waiting(word);
}

/* The one thread: sleeps until there has been a signal since its last call, or until the deadline. */
static inline void linux_await_signal(uint32_t *word, uint64_t deadline) {
    uint32_t awake = LINUX_AWAKE;
    if (__atomic_compare_exchange_n(word, &awake, LINUX_ASLEEP, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        linux_wait_until(word, LINUX_ASLEEP, deadline);
    /* Acquires the data that the signalling thread has written. */
    __atomic_exchange_n(word, LINUX_AWAKE, __ATOMIC_ACQ_REL);
}

/* ---- records under a sequence number, which is odd while a thread writes the record ---- */

/* Copies a record, which other threads may access at the same time, in words of 64 bits. */
static inline void linux_copy_words(void *to, const void *from, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        uint64_t word = __atomic_load_n((const uint64_t *)from + i, __ATOMIC_RELAXED);
        __atomic_store_n((uint64_t *)to + i, word, __ATOMIC_RELAXED);
    }
}

/* One writer at a time: excludes other writers, whose writes consist of few stores. Returns a number for the end. */
static inline uint32_t linux_sequence_begin(uint32_t *sequence) {
    uint32_t even = __atomic_load_n(sequence, __ATOMIC_RELAXED) & ~1u;
    while (!__atomic_compare_exchange_n(sequence, &even, even | 1, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) even &= ~1u;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    return even;
}
static inline void linux_sequence_end(uint32_t *sequence, uint32_t begun) {
    __atomic_store_n(sequence, begun + 2, __ATOMIC_RELEASE);
}

/* Readers: a copy between the two calls is complete if the second one returns true. */
static inline uint32_t linux_sequence_read(const uint32_t *sequence) { return __atomic_load_n(sequence, __ATOMIC_ACQUIRE); }
static inline bool linux_sequence_is(const uint32_t *sequence, uint32_t read) {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return read % 2 == 0 && __atomic_load_n(sequence, __ATOMIC_RELAXED) == read;
}

/* ---- a pointer that one thread uses and others replace ---- */

enum linux_visit_state { LINUX_NO_VISIT, LINUX_IN_VISIT, LINUX_VISIT_AWAITED };

struct linux_cell {
    uint32_t state;
    uint32_t visits; /* that have begun */
    void *value;
};

/* The one thread: begins a visit. The value is valid until the end of the visit. The exchange of the state and the load of the value
   must not be reordered: a thread that replaces the value stores the value first and then loads the state. */
static inline void *linux_cell_enter(struct linux_cell *cell) {
    __atomic_store_n(&cell->visits, cell->visits + 1, __ATOMIC_RELAXED);
    __atomic_exchange_n(&cell->state, LINUX_IN_VISIT, __ATOMIC_SEQ_CST);
    return __atomic_load_n(&cell->value, __ATOMIC_SEQ_CST);
}

/* The one thread: ends a visit. Makes a system call only if a thread waits. */
static inline void linux_cell_leave(struct linux_cell *cell) {
    if (__atomic_exchange_n(&cell->state, LINUX_NO_VISIT, __ATOMIC_SEQ_CST) == LINUX_VISIT_AWAITED)
        linux_wake_waiting(&cell->state);
}

/* Others, one at a time: a visit that begins from now on sees the new value. */
static inline void linux_cell_set(struct linux_cell *cell, void *value) {
    __atomic_exchange_n(&cell->value, value, __ATOMIC_SEQ_CST);
}

/* Others: true while a visit is under way. `visit` is its number, or that of a later one. */
static inline bool linux_cell_is_visited(struct linux_cell *cell, uint32_t *visit) {
    bool is_visited = __atomic_load_n(&cell->state, __ATOMIC_SEQ_CST) != LINUX_NO_VISIT;
    *visit = __atomic_load_n(&cell->visits, __ATOMIC_ACQUIRE);
    return is_visited;
}

/* Others, one at a time: returns when no visit uses a former value. */
static inline void linux_cell_await_end(struct linux_cell *cell) {
    uint32_t in_visit = LINUX_IN_VISIT;
    if (__atomic_compare_exchange_n(&cell->state, &in_visit, LINUX_VISIT_AWAITED, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        linux_wait_while(&cell->state, LINUX_VISIT_AWAITED);
}

#endif
