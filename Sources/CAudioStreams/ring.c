#include "CAudioStreams.h"

#include <unistd.h>

static void signal_descriptor(int fd) {
    uint64_t one = 1;
    /* It can fail only where the descriptor is readable already. */
    ssize_t written = write(fd, &one, sizeof one);
    (void)written;
}

int64_t stream_ring_available(const struct stream_ring *ring) {
    int64_t ahead = (int64_t)(stream_load(&ring->program) - stream_load(&ring->device));
    return ring->is_capture ? -ahead : (int64_t)ring->buffer - ahead;
}

bool stream_ring_is_ready(const struct stream_ring *ring) {
    if (__atomic_load_n(&ring->fault, __ATOMIC_ACQUIRE)) return true;
    if (__atomic_load_n(&ring->is_draining, __ATOMIC_ACQUIRE) && !ring->is_capture)
        return stream_load(&ring->heard) >= stream_load(&ring->program);
    return stream_ring_available(ring) >= (int64_t)ring->avail_min;
}

void stream_ring_signal(struct stream_ring *ring) {
    if (!__atomic_exchange_n(&ring->is_signalled, 1, __ATOMIC_ACQ_REL)) signal_descriptor(ring->ready);
}

void stream_ring_advance(struct stream_ring *ring, uint64_t device, uint64_t heard) {
    stream_store(&ring->heard, heard);
    stream_store(&ring->device, device);
    if (stream_ring_is_ready(ring)) stream_ring_signal(ring);
}

void stream_ring_fail(struct stream_ring *ring, uint32_t fault) {
    __atomic_store_n(&ring->fault, fault, __ATOMIC_RELEASE);
    stream_ring_signal(ring);
}

bool stream_ring_rest(struct stream_ring *ring) {
    uint64_t count;
    if (stream_ring_is_ready(ring)) return false;
    if (__atomic_exchange_n(&ring->is_signalled, 0, __ATOMIC_ACQ_REL)) {
        ssize_t taken = read(ring->ready, &count, sizeof count);
        (void)taken;
    }
    if (!stream_ring_is_ready(ring)) return true;
    stream_ring_signal(ring);
    return false;
}

void stream_ring_program_reaches(struct stream_ring *ring, uint64_t position) {
    __atomic_store_n(&ring->program, position, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&ring->wants_wake, __ATOMIC_SEQ_CST) && __atomic_exchange_n(&ring->wants_wake, 0, __ATOMIC_ACQ_REL))
        signal_descriptor(ring->wake);
}

bool stream_ring_await_program(struct stream_ring *ring, uint64_t position) {
    __atomic_store_n(&ring->wants_wake, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&ring->program, __ATOMIC_SEQ_CST) == position) return true;
    __atomic_store_n(&ring->wants_wake, 0, __ATOMIC_RELEASE);
    return false;
}
