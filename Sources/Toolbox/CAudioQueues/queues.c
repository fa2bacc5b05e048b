/* SPDX-License-Identifier: Apache-2.0 */
#include "CAudioQueues.h"

#include <stdlib.h>

#include "CLinux.h"

void *queue_memory_allocate(size_t bytes) { return calloc(1, bytes); }
void queue_memory_free(void *memory) { free(memory); }

/* The exchange of the state and the load of the value must not be reordered: the thread that replaces the value stores
   the value first and then loads the state. */
void *render_gate_enter(struct render_gate *gate) {
    __atomic_exchange_n(&gate->state, GATE_ENTERED, __ATOMIC_SEQ_CST);
    return __atomic_load_n(&gate->value, __ATOMIC_SEQ_CST);
}

void render_gate_leave(struct render_gate *gate) {
    if (__atomic_exchange_n(&gate->state, GATE_FREE, __ATOMIC_SEQ_CST) == GATE_AWAITED) linux_wake_waiting(&gate->state);
}

void *render_gate_exchange(struct render_gate *gate, void *value) {
    void *former = __atomic_exchange_n(&gate->value, value, __ATOMIC_SEQ_CST);
    uint32_t entered = GATE_ENTERED;
    /* A render that enters now sees the new value. */
    if (__atomic_compare_exchange_n(&gate->state, &entered, GATE_AWAITED, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        linux_wait_while(&gate->state, GATE_AWAITED);
    return former;
}

void wake_signal(uint32_t *word) {
    for (;;) {
        if (linux_load(word) == WAKE_SIGNALLED) return;
        if (linux_compare_and_store(word, WAKE_AWAKE, WAKE_SIGNALLED)) return;
        if (!linux_compare_and_store(word, WAKE_ASLEEP, WAKE_SIGNALLED)) continue;
        linux_wake_waiting(word);
        return;
    }
}

void wake_await(uint32_t *word) {
    if (linux_compare_and_store(word, WAKE_AWAKE, WAKE_ASLEEP)) linux_wait_while(word, WAKE_ASLEEP);
    linux_store(word, WAKE_AWAKE);
}

enum { RECORD_WORDS = sizeof(struct heard_record) / sizeof(uint64_t) };

/* Copied word by word, because the reader and the writer may access the record at the same time. The sequence number tells
   the reader. */
union record_words {
    struct heard_record record;
    uint64_t words[RECORD_WORDS];
};

void heard_clock_write(struct heard_clock *clock, const struct heard_record *record) {
    union record_words copy = {.record = *record};
    uint32_t sequence = __atomic_load_n(&clock->sequence, __ATOMIC_RELAXED);
    __atomic_exchange_n(&clock->sequence, sequence + 1, __ATOMIC_SEQ_CST);
    for (int word = 0; word < RECORD_WORDS; word++) __atomic_store_n(&clock->words[word], copy.words[word], __ATOMIC_RELEASE);
    __atomic_store_n(&clock->sequence, sequence + 2, __ATOMIC_RELEASE);
}

bool heard_clock_read(struct heard_clock *clock, struct heard_record *record) {
    union record_words copy;
    for (;;) {
        uint32_t sequence = __atomic_load_n(&clock->sequence, __ATOMIC_ACQUIRE);
        if (sequence == 0) return false;
        for (int word = 0; word < RECORD_WORDS; word++) copy.words[word] = __atomic_load_n(&clock->words[word], __ATOMIC_ACQUIRE);
        if (sequence % 2 == 0 && __atomic_load_n(&clock->sequence, __ATOMIC_RELAXED) == sequence) break;
    }
    *record = copy.record;
    return true;
}

void heard_clock_reset(struct heard_clock *clock) { __atomic_store_n(&clock->sequence, 0, __ATOMIC_RELEASE); }
