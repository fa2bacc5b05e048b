/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CAudioStreams.h"

#include <unistd.h>

#include "linux_words.h"

int64_t stream_ring_available(const struct stream_ring *ring) {
    int64_t ahead = (int64_t)(stream_ring_program(ring) - stream_load(&ring->device));
    return ring->is_capture ? -ahead : (int64_t)ring->buffer - ahead;
}

bool stream_ring_is_ready(const struct stream_ring *ring) {
    if (__atomic_load_n(&ring->fault, __ATOMIC_ACQUIRE)) return true;
    if (__atomic_load_n(&ring->is_draining, __ATOMIC_ACQUIRE) && !ring->is_capture)
        return stream_load(&ring->played) >= stream_ring_program(ring);
    return stream_ring_available(ring) >= (int64_t)ring->avail_min;
}

void stream_ring_signal(struct stream_ring *ring) {
    uint64_t one = 1;
    if (__atomic_exchange_n(&ring->is_signalled, 1, __ATOMIC_ACQ_REL)) return;
    enum { TRIES = 3 };
    for (int tries = 0; tries < TRIES; tries++)
        if (write(ring->ready, &one, sizeof one) > 0) return;
    /* The write has failed. The next signal tries again. */
    __atomic_store_n(&ring->is_signalled, 0, __ATOMIC_RELEASE);
}

void stream_ring_advance(struct stream_ring *ring, uint64_t device, uint64_t played) {
    stream_store(&ring->played, played);
    stream_store(&ring->device, device);
    /* The positions are visible before `is_draining` is read. The program stores `is_draining` and then reads the positions, with the
       other fence between, in stream_ring_rest. Without the fences both could read the former values, on x86-64 as well: the thread
       would not signal the end of a drain, and the program would wait for it. */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (stream_ring_is_ready(ring)) stream_ring_signal(ring);
}

void stream_ring_fail(struct stream_ring *ring, uint32_t fault) {
    /* A write of the program that finds the ring closed reads the fault. */
    __atomic_store_n(&ring->fault, fault, __ATOMIC_RELEASE);
    __atomic_fetch_or(&ring->program, STREAM_IS_CLOSED, __ATOMIC_ACQ_REL);
    stream_ring_signal(ring);
}

bool stream_ring_close(struct stream_ring *ring, uint64_t position) {
    return __atomic_compare_exchange_n(
        &ring->program, &position, position | STREAM_IS_CLOSED, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

void stream_ring_restart(struct stream_ring *ring) {
    stream_store(&ring->program, 0);
    __atomic_store_n(&ring->fault, 0, __ATOMIC_RELEASE);
    stream_ring_advance(ring, 0, 0);
}

bool stream_ring_rest(struct stream_ring *ring) {
    uint64_t count;
    if (stream_ring_is_ready(ring)) return false;
    /* The read precedes the exchange. In the other order the read could consume a signal that arrives between them:
       `is_signalled` would be 1 without a readable `ready`, and no later signal would write. A signal that the read misses makes
       one poll return without an event. */
    ssize_t result = read(ring->ready, &count, sizeof count);
    (void)result;
    __atomic_exchange_n(&ring->is_signalled, 0, __ATOMIC_ACQ_REL);
    /* See stream_ring_advance. On arm64 the exchange alone orders no earlier store before a later load. */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (!stream_ring_is_ready(ring)) return true;
    stream_ring_signal(ring);
    return false;
}

bool stream_ring_program_advance(struct stream_ring *ring, uint64_t position) {
    uint64_t before = stream_ring_program(ring);
    if (!__atomic_compare_exchange_n(&ring->program, &before, position, false, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE)) return false;
    if (__atomic_load_n(&ring->wants_wake, __ATOMIC_SEQ_CST) && __atomic_exchange_n(&ring->wants_wake, 0, __ATOMIC_ACQ_REL))
        stream_ring_wake(ring);
    return true;
}

bool stream_ring_await_program(struct stream_ring *ring, uint64_t position) {
    __atomic_store_n(&ring->wants_wake, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&ring->program, __ATOMIC_SEQ_CST) == position) return true;
    __atomic_store_n(&ring->wants_wake, 0, __ATOMIC_RELEASE);
    return false;
}

void stream_ring_wake(struct stream_ring *ring) { linux_signal_thread(&ring->is_woken); }
void stream_ring_sleep(struct stream_ring *ring, uint64_t deadline) { linux_await_signal(&ring->is_woken, deadline); }
