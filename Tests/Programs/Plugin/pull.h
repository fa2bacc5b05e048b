/* SPDX-License-Identifier: Apache-2.0 */
/* For programs that play and record through the engine's table, as units and queues do. */
#ifndef PULL_H
#define PULL_H

#include "pcm.h"

#ifdef __cplusplus
extern "C" {
#endif
#include "CEngineTable.h"
#ifdef __cplusplus
}
#endif

static MAYBE_UNUSED const struct audiosession_engine *engine(void) {
    static const struct audiosession_engine *found;
    const char *version = NULL;
    if (found) return found;
    found = audiosession_engine("", &version);
    REQUIRE(!found && version);
    found = audiosession_engine(version, NULL);
    REQUIRE(found != NULL);
    return found;
}

/* A program with one stream. The threads of the stream write the counters. */
struct puller {
    void *stream;
    struct pull_format format;
    volatile int cycles, stops, configurations, changes;
    volatile int reason;
    volatile bool was_running_when_stopped;
    void (*work)(struct puller *, struct pull_cycle *);
};

/* A slice of ones. */
static MAYBE_UNUSED void play_ones(struct puller *puller, struct pull_cycle *cycle) {
    uint32_t count = cycle->output_frames ? cycle->output_frames - PULL_EXTRA_FRAMES : 0;
    for (uint32_t i = 0; i < count * puller->format.output_channels; i++) cycle->output[i] = 0.5f;
    cycle->produced = count;
    cycle->consumed = cycle->input_frames;
}

static MAYBE_UNUSED void puller_renders(void *context, struct pull_cycle *cycle) {
    struct puller *puller = (struct puller *)context;
    puller->work(puller, cycle);
    __atomic_add_fetch(&puller->cycles, 1, __ATOMIC_RELEASE);
}

static MAYBE_UNUSED void puller_is_configured(void *context, const struct pull_format *format) {
    struct puller *puller = (struct puller *)context;
    puller->format = *format;
    __atomic_add_fetch(&puller->configurations, 1, __ATOMIC_RELEASE);
}

static MAYBE_UNUSED void puller_has_stopped(void *context, enum pull_stop_reason reason) {
    struct puller *puller = (struct puller *)context;
    puller->reason = (int)reason;
    puller->was_running_when_stopped = engine()->pull_is_running(puller->stream);
    __atomic_add_fetch(&puller->stops, 1, __ATOMIC_RELEASE);
}

static MAYBE_UNUSED void puller_has_another_format(void *context) {
    __atomic_add_fetch(&((struct puller *)context)->changes, 1, __ATOMIC_RELEASE);
}

static MAYBE_UNUSED void create_puller(
    struct puller *puller, unsigned directions, void (*work)(struct puller *, struct pull_cycle *)) {
    struct pull_callbacks callbacks;
    memset(puller, 0, sizeof *puller);
    memset(&callbacks, 0, sizeof callbacks);
    puller->work = work;
    callbacks.render = puller_renders;
    callbacks.configure = puller_is_configured;
    callbacks.stopped = puller_has_stopped;
    callbacks.format_changed = puller_has_another_format;
    REQUIRE(engine()->pull_create(&callbacks, puller, directions, &puller->stream) == 0);
}

/* Waits until a counter that a thread of the stream writes has this value. */
static MAYBE_UNUSED void wait_until_counted(const char *file, int line, const volatile int *counter, int value) {
    const struct timespec moment = {0, 1000000};
    long long deadline = milliseconds() + LIMIT;
    while (__atomic_load_n(counter, __ATOMIC_ACQUIRE) < value) {
        if (milliseconds() > deadline) {
            failed(file, line, "the counter is %d, not %d", *counter, value);
            exit(1);
        }
        nanosleep(&moment, NULL);
    }
}

#define WAIT_UNTIL_COUNTED(counter, value) wait_until_counted(__FILE__, __LINE__, &(counter), (value))

#endif
