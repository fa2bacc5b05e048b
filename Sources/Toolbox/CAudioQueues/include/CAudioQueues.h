/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that threads of a program share with the audio thread. The audio thread takes no lock and allocates nothing. The
   parts are a chain of buffers and a record of the time. */
#ifndef CAUDIOQUEUES_H
#define CAUDIOQUEUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns zeroed memory; NULL when memory is exhausted. */
void *queue_memory_allocate(size_t bytes);
void queue_memory_free(void *memory);

/* ---- the chain of buffers ---- */

enum { QUEUE_SETS_VOLUME = 1, QUEUE_SETS_PAN = 2, QUEUE_SETS_RAMP = 4, QUEUE_HAS_START = 8 };

/* A link of the chain. One thread appends links and one thread follows the chain. The follower stays at the last link that it
   has finished: this link and all later links must not be freed. Earlier links belong to the appending thread again. */
struct queue_link {
    struct queue_link *next;
    uint64_t number; /* in the order of the chain, from 1 */
    uint64_t buffer; /* the index of the buffer in its queue */
    uint8_t *bytes;
    uint64_t first;  /* the first frame to play */
    uint64_t frames; /* the end of what is played, or the room of what is recorded */
    double start;    /* in frames of the queue */
    float volume, pan, ramp;
    uint32_t sets;      /* QUEUE_SETS_… */
    uint64_t completes; /* the number of buffers that are finished with this link, counted from the first buffer */
    void *decoded;      /* the memory of the link; NULL if `bytes` belong to a buffer */

    /* Written by the follower before it finishes the link. */
    uint64_t recorded;       /* frames */
    uint64_t recorded_frame; /* of the first, since the start of the queue */
    uint64_t recorded_time;
};

static inline struct queue_link *queue_link_next(const struct queue_link *link) {
    return __atomic_load_n(&link->next, __ATOMIC_ACQUIRE);
}
static inline void queue_link_append(struct queue_link *link, struct queue_link *next) {
    __atomic_store_n(&link->next, next, __ATOMIC_RELEASE);
}

/* ---- a record that one thread writes and others read ---- */

/* The position of the sound of a slice on the time line of its queue. */
struct heard_record {
    uint64_t time;   /* when the slice's first frame of the queue is heard */
    double position; /* of this frame */
    double end;      /* of the frame after the last one of the slice */
    double floor;    /* of the first frame since sound was missing */
    double frames_per_second;
    double device_frame; /* of the slice's first frame */
    double device_rate;
    double rate_scalar;
};

struct heard_clock {
    uint32_t sequence;   /* odd while it is written */
    uint32_t is_written; /* since the last reset */
    struct heard_record record;
};

void heard_clock_write(struct heard_clock *clock, const struct heard_record *record);
/* False when nothing has been written. */
bool heard_clock_read(struct heard_clock *clock, struct heard_record *record);
void heard_clock_reset(struct heard_clock *clock);

/* ---- blocks, and queues of libdispatch ---- */

/* The functions of libdispatch and of libBlocksRuntime are found by name. The others are called only if this is true. */
bool queue_dispatch_is_available(void);
void queue_dispatch_retain(void *dispatch_queue);
void queue_dispatch_release(void *dispatch_queue);
void queue_dispatch_async(void *dispatch_queue, void *context, void (*work)(void *context));
/* NULL when memory is exhausted. */
void *queue_block_copy(const void *block);
void queue_block_release(void *block);
void queue_block_call_output(void *block, void *queue, void *buffer);
void queue_block_call_input(
    void *block, void *queue, void *buffer, const void *start, uint32_t packets, const void *descriptions);

#endif
