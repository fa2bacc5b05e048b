/* What the program's thread and the thread that moves its sound share, and the loops over samples.
   No lock, no allocation and no call that waits is in here: the program's side may be an audio thread. */
#ifndef CAUDIOSTREAMS_H
#define CAUDIOSTREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A ring of frames. Positions count frames since the stream was prepared, and never wrap. Each is written
   by one side alone. */
struct stream_ring {
    uint8_t *bytes;
    uint64_t capacity; /* frames: the program's buffer, and what is on its way to the device behind it */
    uint32_t frame_size;
    bool is_capture;

    uint64_t program; /* program: how far it has written, or read */
    uint64_t device;  /* mover: how far the device has got, as the program is told */
    uint64_t heard;   /* mover: how far the sound has really got; behind `device` where that is coarse */

    /* program, before the stream starts: */
    uint64_t buffer, avail_min, stop_threshold;

    uint32_t fault;        /* mover: an errno value that ends the stream, or 0 */
    uint32_t is_draining;  /* program */
    uint32_t wants_wake;   /* mover: nothing is left to do until the program has written */
    uint32_t is_woken;     /* both: the mover is to look */
    uint32_t is_signalled; /* both: `ready` is readable */
    int ready;             /* an eventfd, readable when the program may go on */
};

static inline uint64_t stream_load(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
static inline void stream_store(uint64_t *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }

/* Frames that the program may write, or read, now. */
int64_t stream_ring_available(const struct stream_ring *ring);
bool stream_ring_is_ready(const struct stream_ring *ring);
/* Mover: the device has got this far; wakes the program when there is enough for it. */
void stream_ring_advance(struct stream_ring *ring, uint64_t device, uint64_t heard);
/* Mover: the stream has ended by this. */
void stream_ring_fail(struct stream_ring *ring, uint32_t fault);
/* Either: the program is to look. */
void stream_ring_signal(struct stream_ring *ring);
/* Program: nothing to do until it is signalled again. False when there is something to do after all. */
bool stream_ring_rest(struct stream_ring *ring);
/* Program: it has got this far. At most one call of the kernel, which wakes the mover. */
void stream_ring_program_reaches(struct stream_ring *ring, uint64_t position);
/* Mover: asks to be woken by the program's next write. False when it has written meanwhile. */
bool stream_ring_await_program(struct stream_ring *ring, uint64_t position);

/* Any thread: the mover is to look. This cannot fail, as an eventfd might. */
void stream_ring_wake(struct stream_ring *ring);
/* Mover: sleeps until it is woken, or until `deadline` in nanoseconds of the monotonic clock. */
void stream_ring_sleep(struct stream_ring *ring, uint64_t deadline);

/* ---- samples ---- */
enum stream_sample { STREAM_S16 = 2, STREAM_S24 = 6, STREAM_S32 = 10, STREAM_FLOAT = 14, STREAM_S24_PACKED = 32 }; /* as ALSA counts them */
uint32_t stream_sample_size(int32_t sample); /* 0 for any other */

/* A gain on its way: `now` becomes `target` in `left` frames. */
struct stream_gain { float now, target; uint32_t left; };
void stream_gain_aim(struct stream_gain *gain, float target, uint32_t frames);
static inline bool stream_gain_is_unity(const struct stream_gain *gain) { return gain->left == 0 && gain->now == 1; }
void stream_gain_advance(struct stream_gain *gain, uint64_t frames);
/* Applies the gain to a copy; does not advance it. */
void stream_gain_apply(
    const struct stream_gain *gain, int32_t sample, uint32_t channels, const void *from, void *to, uint64_t frames);

#endif
