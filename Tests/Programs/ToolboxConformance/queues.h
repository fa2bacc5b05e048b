/* SPDX-License-Identifier: Apache-2.0 */
/* For programs with audio queues: formats, counters that threads of the queue write, and what the machine played. */
#ifndef QUEUES_H
#define QUEUES_H

#include "corefoundation.h"
#include "formats.h"

/* A count that a callback increases and the test waits for. */
static MAYBE_UNUSED void add_one(volatile int *count) { __atomic_add_fetch(count, 1, __ATOMIC_RELEASE); }
static MAYBE_UNUSED int count_of(const volatile int *count) { return __atomic_load_n(count, __ATOMIC_ACQUIRE); }

static MAYBE_UNUSED void wait_for_count(const char *file, int line, const volatile int *count, int value) {
    const struct timespec moment = {0, 1000000};
    long long deadline = milliseconds() + TIME_LIMIT_MS;
    while (count_of(count) < value) {
        if (milliseconds() > deadline) {
            failed(file, line, "the count is %d, not %d", count_of(count), value);
            exit(1);
        }
        nanosleep(&moment, NULL);
    }
}
#define WAIT_FOR_COUNT(count, value) wait_for_count(__FILE__, __LINE__, &(count), (value))

/* Waits until the queue has played so many frames. */
static MAYBE_UNUSED void wait_for_time(AudioQueueRef queue, Float64 frames) {
    const struct timespec moment = {0, 1000000};
    AudioTimeStamp time;
    long long deadline = milliseconds() + TIME_LIMIT_MS;
    memset(&time, 0, sizeof time);
    while (time.mSampleTime < frames && milliseconds() < deadline) {
        nanosleep(&moment, NULL);
        EXPECT_OK(AudioQueueGetCurrentTime(queue, NULL, &time, NULL));
    }
    EXPECT(time.mSampleTime >= frames);
}

#define PLAYED "played.wav"
static MAYBE_UNUSED void record_what_is_played(void) { setenv("AUDIOSESSION_SIMULATION_WAV", PLAYED, 1); }

/* The stereo frames that the machine has played. The stream of the queues can end after them: it then removes from the file
   the silence that it had written ahead. */
static MAYBE_UNUSED float *played(size_t *frames) {
    FILE *file = fopen(PLAYED, "rb");
    REQUIRE(file != NULL);
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    REQUIRE(length >= 44);
    *frames = ((size_t)length - 44) / 8;
    float *samples = (float *)calloc(*frames + 1, 8);
    REQUIRE(samples != NULL);
    fseek(file, 44, SEEK_SET);
    *frames = fread(samples, 8, *frames, file);
    fclose(file);
    return samples;
}

static MAYBE_UNUSED UInt32 is_running(AudioQueueRef queue) {
    UInt32 value = 99, size = sizeof value;
    EXPECT_OK(AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &value, &size));
    EXPECT_INTEGER(size, 4);
    return value;
}

#endif
