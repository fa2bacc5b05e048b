/* SPDX-License-Identifier: Apache-2.0 */
/* pull SECONDS [duplex|late|times FILE]: plays numbered frames, as order.c reads them, through the engine's table, as units and queues play.
   `late`: in each tenth of a second one callback takes longer: 5 ms, 5.5 ms and so on, up to 25 ms. The card has frames for about 10 ms
   then: some slices are ready just before it has played them, and some just after. `times`: writes the
   first frame of each slice and its time, "FRAME NANOSECONDS". Prints "cycles COUNT underruns COUNT rate SCALAR
   delay MOST slice FRAMES", with `duplex` "input FRAMES drift DRIFT clock SHARED" of the last cycle, and with `late` "stall
   MILLISECONDS": the longest time for which the machine did not run a thread that was due. */
#define _GNU_SOURCE
#include "CEngineTable.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* LIMIT: the seconds that the test waits longer than the sound lasts. */
enum { SLICE = 480, RATE = 48000, HIGHEST = 30000, LIMIT = 60, TENTH = RATE / 10, MOST_SLICES = 1000 };

static struct pull_format format;
/* The main thread reads what the render has written after `all_written`, and after the stop. */
static sem_t all_written;
static uint64_t written, total, input_frames;
static uint32_t longest_delay;
static double scalar, drift;
static bool is_late;
/* The first frame and the time of each slice. */
static struct { uint64_t frame, time; } slices[MOST_SLICES];
static int slice_count;

static void configure(void *context, const struct pull_format *new_format) {
    (void)context;
    format = *new_format;
}

static void render(void *context, struct pull_cycle *cycle) {
    (void)context;
    cycle->consumed = cycle->input_frames;
    input_frames += cycle->input_frames;
    scalar = cycle->rate_scalar;
    drift = cycle->drift;
    if (cycle->output_delay > longest_delay) longest_delay = cycle->output_delay;
    if (slice_count < MOST_SLICES) {
        slices[slice_count].frame = written;
        slices[slice_count++].time = cycle->output_time;
    }
    /* A second of silence follows: the last frame has been heard then. */
    uint64_t end = total + RATE;
    /* The frames before a late slice do not end with a period. */
    uint32_t count = format.slice - (is_late ? 7 : 0);
    uint64_t tenth = written / TENTH;
    if (is_late && tenth != (written + count) / TENTH)
        nanosleep(&(struct timespec){.tv_nsec = 5000000 + (long)(tenth % 40) * 500000}, NULL);
    if (written < end && written + count >= end) sem_post(&all_written);
    for (uint32_t i = 0; i < count; i++, written++) {
        float *frame = cycle->output + (size_t)i * format.output_channels;
        for (uint32_t channel = 0; channel < format.output_channels; channel++) frame[channel] = 0;
        if (written >= total || format.output_channels < 2) continue;
        frame[0] = (float)(written % HIGHEST + 1) / 32768;
        frame[1] = (float)(written / HIGHEST + 1) / 32768;
    }
    cycle->produced = count;
}

static double longest_stall;
static atomic_bool ends;

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* A thread that is due each millisecond. The program and the library do not delay it, but a machine that stands still does. */
static void *watch_machine(void *unused) {
    (void)unused;
    while (!atomic_load(&ends)) {
        double due = milliseconds() + 1;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        double stall = milliseconds() - due;
        if (stall > longest_stall) longest_stall = stall;
    }
    return NULL;
}

/* False after the limit. */
static bool wait_for_all(void) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)(total / RATE) + 1 + LIMIT;
    return sem_clockwait(&all_written, CLOCK_MONOTONIC, &until) == 0;
}

static bool write_times(const char *name) {
    FILE *file = fopen(name, "w");
    if (!file) return false;
    for (int i = 0; i < slice_count; i++)
        fprintf(file, "%llu %llu\n", (unsigned long long)slices[i].frame, (unsigned long long)slices[i].time);
    return fclose(file) == 0;
}

int main(int count, char **words) {
    const char *version = NULL;
    struct pull_callbacks callbacks = {.render = render, .configure = configure};
    struct pull_counters counters;
    void *stream = NULL;
    if (count < 2) return 2;
    bool is_duplex = count > 2 && strcmp(words[2], "duplex") == 0;
    is_late = count > 2 && strcmp(words[2], "late") == 0;
    total = (uint64_t)atoi(words[1]) * RATE;
    sem_init(&all_written, 0, 0);
    audiosession_engine("", &version);
    const struct audiosession_engine *engine = audiosession_engine(version, NULL);
    if (!engine) return 2;
    pthread_t watcher;
    if (is_late && pthread_create(&watcher, NULL, watch_machine, NULL) != 0) return 2;
    int32_t status = engine->pull_create(&callbacks, NULL, is_duplex ? PULL_OUTPUT | PULL_INPUT : PULL_OUTPUT, &stream);
    if (status == 0) status = engine->pull_start(stream, SLICE, RATE);
    if (status != 0) {
        fprintf(stderr, "pull: refused with %d\n", status);
        return 1;
    }
    bool has_ended = wait_for_all();
    engine->pull_stop(stream);
    engine->pull_read_counters(stream, &counters);
    if (!has_ended) {
        fprintf(stderr, "pull: awaited %llu frames; seen: %llu in %llu cycles\n", (unsigned long long)(total + RATE),
            (unsigned long long)written, (unsigned long long)counters.cycles);
        return 1;
    }
    printf("cycles %llu underruns %llu rate %.4f delay %u slice %u\n", (unsigned long long)counters.cycles,
        (unsigned long long)counters.underruns, scalar, longest_delay, format.slice);
    if (is_duplex) printf("input %llu drift %.4f clock %d\n", (unsigned long long)input_frames, drift, format.shares_clock);
    engine->pull_destroy(stream);
    if (is_late) {
        atomic_store(&ends, true);
        pthread_join(watcher, NULL);
        printf("stall %.1f\n", longest_stall);
    }
    if (count > 3 && strcmp(words[2], "times") == 0) return write_times(words[3]) ? 0 : 1;
    return 0;
}
