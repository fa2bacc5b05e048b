/* SPDX-License-Identifier: Apache-2.0 */
#include "CAudioQueues.h"

#include <stdlib.h>

#include "CLinux.h"

void *queue_memory_allocate(size_t bytes) { return calloc(1, bytes); }
void queue_memory_free(void *memory) { free(memory); }

enum { RECORD_WORDS = sizeof(struct heard_record) / sizeof(uint64_t) };

void heard_clock_write(struct heard_clock *clock, const struct heard_record *record) {
    uint32_t begun = linux_sequence_begin(&clock->sequence);
    linux_copy_words(&clock->record, record, RECORD_WORDS);
    linux_sequence_end(&clock->sequence, begun);
}

bool heard_clock_read(struct heard_clock *clock, struct heard_record *record) {
    for (;;) {
        uint32_t sequence = linux_sequence_read(&clock->sequence);
        if (sequence == 0) return false;
        linux_copy_words(record, &clock->record, RECORD_WORDS);
        if (linux_sequence_is(&clock->sequence, sequence)) return true;
    }
}

void heard_clock_reset(struct heard_clock *clock) { __atomic_store_n(&clock->sequence, 0, __ATOMIC_RELEASE); }
