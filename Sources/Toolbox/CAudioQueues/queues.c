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
    __atomic_store_n(&clock->is_written, 1, __ATOMIC_RELAXED);
    linux_sequence_end(&clock->sequence, begun);
}

bool heard_clock_read(struct heard_clock *clock, struct heard_record *record) {
    for (;;) {
        uint32_t sequence = linux_sequence_read(&clock->sequence);
        uint32_t is_written = __atomic_load_n(&clock->is_written, __ATOMIC_RELAXED);
        linux_copy_words(record, &clock->record, RECORD_WORDS);
        if (linux_sequence_is(&clock->sequence, sequence)) return is_written;
    }
}

/* The sequence goes on. If it began again at 0, a reader that has slept could find the number that it had read, and half of another
   record. */
void heard_clock_reset(struct heard_clock *clock) {
    uint32_t begun = linux_sequence_begin(&clock->sequence);
    __atomic_store_n(&clock->is_written, 0, __ATOMIC_RELAXED);
    linux_sequence_end(&clock->sequence, begun);
}

/* ---- blocks, and queues of libdispatch ---- */

/* The beginning of a block, as its runtime defines it. */
struct block {
    void *isa;
    int32_t flags, reserved;
    void *invoke;
};

static void call(const char *name, void *argument) {
    void (*function)(void *) = linux_symbol(name);
    if (function) function(argument);
}

bool queue_dispatch_is_available(void) {
    static const char *const names[] = {
        "dispatch_async_f", "dispatch_retain", "dispatch_release", "_Block_copy", "_Block_release"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!linux_symbol(names[i])) return false;
    return true;
}

void queue_dispatch_retain(void *dispatch_queue) { call("dispatch_retain", dispatch_queue); }
void queue_dispatch_release(void *dispatch_queue) { call("dispatch_release", dispatch_queue); }

void queue_dispatch_async(void *dispatch_queue, void *context, void (*work)(void *context)) {
    void (*function)(void *, void *, void (*)(void *)) = linux_symbol("dispatch_async_f");
    if (function) function(dispatch_queue, context, work);
}

void *queue_block_copy(const void *block) {
    void *(*function)(const void *) = linux_symbol("_Block_copy");
    return function ? function(block) : NULL;
}
void queue_block_release(void *block) { call("_Block_release", block); }

void queue_block_call_output(void *block, void *queue, void *buffer) {
    void (*invoke)(void *, void *, void *) = ((struct block *)block)->invoke;
    invoke(block, queue, buffer);
}

void queue_block_call_input(
    void *block, void *queue, void *buffer, const void *start, uint32_t packets, const void *descriptions) {
    void (*invoke)(void *, void *, void *, const void *, uint32_t, const void *) = ((struct block *)block)->invoke;
    invoke(block, queue, buffer, start, packets, descriptions);
}
