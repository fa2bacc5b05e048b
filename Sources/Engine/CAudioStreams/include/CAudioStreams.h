/* SPDX-License-Identifier: Apache-2.0 */
/* The ring that the program's thread and the stream's thread share, and the loops over samples. No function takes a lock,
   allocates memory or, except stream_ring_sleep, waits: the program's thread may be an audio thread. */
#ifndef CAUDIOSTREAMS_H
#define CAUDIOSTREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "CPulledStreams.h"

/* Set in `program` when the stream has ended. The program's position is compared and exchanged, so that the ring accepts no frame
   that a late stream would discard. */
#define STREAM_IS_CLOSED (1ULL << 63)

/* A ring of frames. Positions count frames since the stream was prepared, and never wrap. One side writes each
   field. */
struct stream_ring {
    uint8_t *bytes;
    uint64_t capacity; /* frames: the program's buffer plus the device's queue */
    uint32_t frame_size;
    bool is_capture;

    uint64_t program; /* program: the position up to which it has written, or read. Thread: STREAM_IS_CLOSED */
    uint64_t device;  /* thread: the device's position as the program sees it */
    uint64_t played;  /* thread: the frames that were played; less than `device` on a device with long periods */

    /* program, before the stream starts: */
    uint64_t buffer, avail_min, stop_threshold;

    uint32_t fault;        /* thread: an errno value that ends the stream, or 0 */
    uint32_t is_draining;  /* program */
    uint32_t wants_wake;   /* thread: it waits for the next write of the program */
    uint32_t is_woken;     /* both: the stream's thread has a wake-up */
    uint32_t is_signalled; /* both: `ready` is readable */
    int ready;             /* an eventfd, readable when the program can continue */
};

/* Copies floats; the areas may overlap. In code that is compiled for size, `update(from:)` of Swift's pointers makes a call for
   each float. */
static inline void stream_copy(float *to, const float *from, size_t count) { memmove(to, from, count * sizeof *to); }

static inline uint64_t stream_load(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
static inline void stream_store(uint64_t *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }

/* The position of the program. */
static inline uint64_t stream_ring_program(const struct stream_ring *ring) {
    return stream_load(&ring->program) & ~STREAM_IS_CLOSED;
}
/* The number of frames that the program can write, or read. */
int64_t stream_ring_available(const struct stream_ring *ring);
bool stream_ring_is_ready(const struct stream_ring *ring);
/* Thread: publishes positions, and signals the program when `avail_min` frames are available. */
void stream_ring_advance(struct stream_ring *ring, uint64_t device, uint64_t played);
/* Thread: ends the stream with an error. Closes the ring. */
void stream_ring_fail(struct stream_ring *ring, uint32_t fault);
/* Thread: refuses all later frames of the program. False if the program is no longer at this position. */
bool stream_ring_close(struct stream_ring *ring, uint64_t position);
/* Thread: opens the ring again, at position 0. The program waits meanwhile. */
void stream_ring_restart(struct stream_ring *ring);
/* Any thread: makes `ready` readable. */
void stream_ring_signal(struct stream_ring *ring);
/* Program: makes `ready` unreadable before a wait. False if the program can continue at once. */
bool stream_ring_rest(struct stream_ring *ring);
/* Program: publishes its position. False if the ring is closed. At most one system call, which wakes the stream's thread. */
bool stream_ring_program_advance(struct stream_ring *ring, uint64_t position);
/* Thread: requests a wake-up by the program's next write. False if the program has written meanwhile. */
bool stream_ring_await_program(struct stream_ring *ring, uint64_t position);

/* Any thread: wakes the stream's thread. A futex cannot fail, unlike an eventfd. */
void stream_ring_wake(struct stream_ring *ring);
/* Thread: sleeps until a wake-up, or until `deadline` in nanoseconds of the monotonic clock. */
void stream_ring_sleep(struct stream_ring *ring, uint64_t deadline);

/* ---- samples ---- */
enum stream_sample {
    STREAM_S16 = 2,
    STREAM_S24 = 6,
    STREAM_S32 = 10,
    STREAM_FLOAT = 14,
    STREAM_S24_PACKED = 32
};                                           /* ALSA's numbers */
uint32_t stream_sample_size(int32_t sample); /* 0 for any other */

/* A gain with a ramp: `now` becomes `target` in `left` frames. */
struct stream_gain {
    float now, target;
    uint32_t left;
};
void stream_gain_ramp(struct stream_gain *gain, float target, uint32_t frames);
static inline bool stream_gain_is_unity(const struct stream_gain *gain) { return gain->left == 0 && gain->now == 1; }
void stream_gain_advance(struct stream_gain *gain, uint64_t frames);
/* Applies the gain to a copy of the frames. Does not advance the gain. */
void stream_gain_apply(
    const struct stream_gain *gain, int32_t sample, uint32_t channels, const void *from, void *to, uint64_t frames);

/* Converts from native floats. Floats beyond -1 and 1 are limited, and NaN becomes silence. */
void stream_from_float(int32_t sample, const float *from, void *to, size_t count);
void stream_to_float(int32_t sample, const void *from, float *to, size_t count);

#endif
