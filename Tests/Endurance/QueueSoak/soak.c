/* SPDX-License-Identifier: Apache-2.0 */
/* soak SECONDS SEED: twenty queues of one program get random calls, while devices come and go, calls interrupt the session and
   buffers come back on the threads of the queues. Each buffer is the program's or the queue's, and comes back once for each time
   that it was enqueued. At the end no thread, descriptor or mapping is left over. */
#define _GNU_SOURCE
#include <AudioToolbox/AudioSessionLinux.h>
#include <AudioToolbox/AudioToolbox.h>

#include "../../Programs/ToolboxConformance/formats.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { QUEUES = 20, BUFFERS = 6, RECORDERS = 4, HISTORY = 40, WAIT_LIMIT_S = 60 };

struct buffer {
    AudioQueueBufferRef reference;
    int is_enqueued; /* atomic */
};

struct queue {
    AudioQueueRef reference;
    struct buffer buffers[BUFFERS];
    bool is_input;
    int callbacks, changes, is_disposed; /* atomic */
};

static struct queue queues[QUEUES];
static char history[HISTORY][64];
static unsigned long steps, callbacks_of_all;
static uint64_t random_state;

__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("queue soak: ", stdout);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\nafter %lu steps; the last ones:\n", steps);
    for (unsigned i = 0; i < HISTORY; i++) puts(history[(steps + 1 + i) % HISTORY]);
    fflush(stdout);
    _exit(1);
}

static uint32_t random_below(uint32_t sides) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state >> 20) % sides);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* ---- results ---- */

/* The results that a call may have: 0, and those that the state of the queue and of the session explains. */
static void expect(const char *call, OSStatus status, const OSStatus *allowed) {
    if (status == 0) return;
    for (; *allowed; allowed++)
        if (status == *allowed) return;
    fail("%s gives %d (%s)", call, (int)status, AudioSessionLinuxStatusName(status));
}
#define EXPECT(call, ...) expect(#call, call, (const OSStatus[]){__VA_ARGS__ __VA_OPT__(, ) 0})

/* Results that a start may have. */
#define REFUSALS \
    kAudioSessionNotActiveError, kAudioServicesNoHardwareError, kAudioSessionIncompatibleCategory, kAudioSessionUnspecifiedError

/* ---- buffers ---- */

static struct buffer *find(struct queue *queue, AudioQueueBufferRef reference) {
    for (int i = 0; i < BUFFERS; i++)
        if (queue->buffers[i].reference == reference) return &queue->buffers[i];
    fail("a callback has a buffer that the queue does not have");
}

/* A callback is under way while the program disposes of the queue. */
static bool is_refusal_of_disposed(struct queue *queue, OSStatus status) {
    return status == kAudioQueueErr_QueueInvalidated && __atomic_load_n(&queue->is_disposed, __ATOMIC_SEQ_CST);
}

/* A buffer that the queue has stays there. */
static void enqueue(struct queue *queue, struct buffer *buffer) {
    if (__atomic_exchange_n(&buffer->is_enqueued, 1, __ATOMIC_SEQ_CST)) return;
    OSStatus status = AudioQueueEnqueueBuffer(queue->reference, buffer->reference, 0, NULL);
    if (status == 0) return;
    __atomic_store_n(&buffer->is_enqueued, 0, __ATOMIC_SEQ_CST);
    if (!is_refusal_of_disposed(queue, status) && status != kAudioQueueErr_EnqueueDuringReset)
        fail("enqueuing gives %d", (int)status);
}

static void come_back(struct queue *queue, AudioQueueBufferRef reference) {
    struct buffer *buffer = find(queue, reference);
    if (!__atomic_exchange_n(&buffer->is_enqueued, 0, __ATOMIC_SEQ_CST)) fail("a buffer comes back that was not enqueued");
    __atomic_add_fetch(&queue->callbacks, 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&callbacks_of_all, 1, __ATOMIC_SEQ_CST);
    if (queue->callbacks % 16) enqueue(queue, buffer);
}

static void played(void *data, AudioQueueRef reference, AudioQueueBufferRef buffer) {
    (void)reference;
    come_back(data, buffer);
}

static void recorded(void *data, AudioQueueRef reference, AudioQueueBufferRef buffer, const AudioTimeStamp *start, UInt32 packets,
    const AudioStreamPacketDescription *descriptions) {
    (void)reference, (void)start, (void)descriptions;
    if (buffer->mAudioDataByteSize > buffer->mAudioDataBytesCapacity || packets > buffer->mAudioDataByteSize)
        fail("%u bytes, %u packets", buffer->mAudioDataByteSize, packets);
    come_back(data, buffer);
}

static void changed(void *data, AudioQueueRef reference, AudioQueuePropertyID id) {
    UInt32 value = 99, size = sizeof value;
    struct queue *queue = data;
    OSStatus status = AudioQueueGetProperty(reference, id, &value, &size);
    if (!is_refusal_of_disposed(queue, status) && (status != 0 || value > 1))
        fail("IsRunning gives %d and %u", (int)status, value);
    __atomic_add_fetch(&queue->changes, 1, __ATOMIC_SEQ_CST);
}

/* ---- queues ---- */

static void make(struct queue *queue) {
    static const double rates[] = {44100, 48000, 22050, 8000};
    UInt32 channels = 1 + random_below(2), bytes = 256 << random_below(5);
    AudioStreamBasicDescription format = integers(rates[random_below(4)], channels);
    queue->is_input = queue - queues < RECORDERS;
    __atomic_store_n(&queue->is_disposed, 0, __ATOMIC_SEQ_CST);
    if (queue->is_input)
        EXPECT(AudioQueueNewInput(&format, recorded, queue, NULL, NULL, 0, &queue->reference));
    else
        EXPECT(AudioQueueNewOutput(&format, played, queue, NULL, NULL, 0, &queue->reference));
    EXPECT(AudioQueueAddPropertyListener(queue->reference, kAudioQueueProperty_IsRunning, changed, queue));
    for (int i = 0; i < BUFFERS; i++) {
        struct buffer *buffer = &queue->buffers[i];
        EXPECT(AudioQueueAllocateBuffer(queue->reference, bytes, &buffer->reference));
        memset(buffer->reference->mAudioData, i, bytes);
        buffer->reference->mAudioDataByteSize = bytes;
        buffer->is_enqueued = 0;
    }
}

/* No callback comes after the return. */
static void dispose(struct queue *queue) {
    AudioQueueRef reference = queue->reference;
    __atomic_store_n(&queue->is_disposed, 1, __ATOMIC_SEQ_CST);
    EXPECT(AudioQueueDispose(reference, true));
    int callbacks = queue->callbacks, changes = queue->changes;
    if (AudioQueueStart(reference, NULL) != kAudioQueueErr_QueueInvalidated) fail("a disposed queue starts");
    if (queue->callbacks != callbacks || queue->changes != changes) fail("a disposed queue calls the program");
}

static void look(struct queue *queue) {
    AudioTimeStamp time;
    UInt32 value, size = sizeof value;
    EXPECT(AudioQueueGetCurrentTime(queue->reference, NULL, &time, NULL), kAudioQueueErr_InvalidRunState, 0x73746F70);
    EXPECT(AudioQueueGetProperty(queue->reference, kAudioQueueProperty_IsRunning, &value, &size));
}

static void set_parameter(struct queue *queue) {
    if (queue->is_input) return;
    EXPECT(AudioQueueSetParameter(queue->reference, kAudioQueueParam_VolumeRampTime, (Float32)random_below(3) / 10));
    EXPECT(AudioQueueSetParameter(queue->reference, kAudioQueueParam_Volume, (Float32)random_below(5) / 4));
    EXPECT(AudioQueueSetParameter(queue->reference, kAudioQueueParam_Pan, (Float32)random_below(5) / 2 - 1));
}

static void call_queue(struct queue *queue) {
    switch (random_below(11)) {
    case 0:
    case 1: EXPECT(AudioQueueStart(queue->reference, NULL), REFUSALS); break;
    case 2: EXPECT(AudioQueuePause(queue->reference)); break;
    case 3: EXPECT(AudioQueueStop(queue->reference, true)); break;
    case 4: EXPECT(AudioQueueStop(queue->reference, false)); break;
    case 5: EXPECT(AudioQueueReset(queue->reference)); break;
    case 6:
    case 7: enqueue(queue, &queue->buffers[random_below(BUFFERS)]); break;
    case 8: set_parameter(queue); break;
    case 9: look(queue); break;
    case 10:
        if (random_below(4)) break;
        dispose(queue);
        make(queue);
        break;
    }
}

/* ---- the machine and the session ---- */

static void call_session(void) {
    static const char *const lines[] = {"plug headphones", "unplug headphones", "plug usb", "unplug usb", "plug hdmi",
        "unplug hdmi", "unplug microphone", "plug microphone", "interrupt begin", "interrupt end", "interrupt end", "server die",
        "server restart", "server restart"};
    static const UInt32 categories[] = {
        kAudioSessionCategory_PlayAndRecord, kAudioSessionCategory_PlayAndRecord, kAudioSessionCategory_MediaPlayback};
    UInt32 category = categories[random_below(3)];
    switch (random_below(4)) {
    case 0: EXPECT(AudioSessionSetActive(random_below(3) != 0), REFUSALS); break;
    case 1: EXPECT(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category), REFUSALS); break;
    default: EXPECT(AudioSessionLinuxSimulate(lines[random_below(sizeof lines / sizeof *lines)]), REFUSALS); break;
    }
    AudioSessionLinuxDispatchEvents();
}

/* ---- resources ---- */

static int count_entries(const char *path) {
    int count = 0;
    DIR *directory = opendir(path);
    while (directory && readdir(directory)) count++;
    if (directory) closedir(directory);
    return count;
}

struct resources {
    int threads, descriptors;
};

static struct resources count_resources(void) {
    return (struct resources){count_entries("/proc/self/task"), count_entries("/proc/self/fd")};
}

/* Threads end a moment after their queues. */
static void expect_resources(struct resources usual) {
    struct resources last = count_resources();
    for (double end = now() + WAIT_LIMIT_S; now() < end; last = count_resources()) {
        if (last.threads <= usual.threads && last.descriptors <= usual.descriptors) return;
        usleep(1000);
    }
    fail("%d threads and %d descriptors are left, not %d and %d", last.threads, last.descriptors, usual.threads,
        usual.descriptors);
}

static void make_all(void) {
    for (int i = 0; i < QUEUES; i++) make(&queues[i]);
}

static void dispose_all(void) {
    for (int i = 0; i < QUEUES; i++) dispose(&queues[i]);
}

/* A queue that plays and one that records, so that the threads and descriptors that stay are there. */
static struct resources usual_resources(void) {
    UInt32 category = kAudioSessionCategory_PlayAndRecord;
    EXPECT(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category));
    make_all();
    for (int i = RECORDERS - 1; i <= RECORDERS; i++) {
        enqueue(&queues[i], &queues[i].buffers[0]);
        EXPECT(AudioQueueStart(queues[i].reference, NULL));
        for (double end = now() + WAIT_LIMIT_S; !__atomic_load_n(&queues[i].callbacks, __ATOMIC_SEQ_CST);) {
            if (now() > end) fail("queue %d calls the program after %d s not at all", i, WAIT_LIMIT_S);
            usleep(1000);
        }
    }
    int threads = count_entries("/proc/self/task");
    dispose_all();
    /* Each queue has a thread of its own. */
    struct resources usual = {threads - QUEUES, count_entries("/proc/self/fd")};
    expect_resources(usual);
    return usual;
}

int main(int count, char **arguments) {
    double seconds = count > 1 ? atof(arguments[1]) : 15;
    uint64_t seed = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
    random_state = seed * 0x9E3779B97F4A7C15u + 1;
    EXPECT(AudioSessionInitialize(NULL, NULL, NULL, NULL));
    struct resources usual = usual_resources();
    make_all();
    double begin = now(), shown = begin;
    for (; now() - begin < seconds; steps++) {
        int queue = (int)random_below(QUEUES);
        uint64_t state = random_state;
        snprintf(history[steps % HISTORY], sizeof history[0], "queue %d, state %llx", queue, (unsigned long long)state);
        if (random_below(8) == 0)
            call_session();
        else
            call_queue(&queues[queue]);
        /* Slices pass between the calls. */
        if (random_below(4) == 0) usleep(random_below(3000));
        if (now() - shown < 60) continue;
        shown = now();
        printf("queue soak: %.0f s, %lu calls, %lu buffers came back\n", shown - begin, steps, callbacks_of_all);
        fflush(stdout);
    }
    dispose_all();
    expect_resources(usual);
    if (callbacks_of_all < QUEUES) fail("only %lu buffers came back", callbacks_of_all);
    printf("ok - queue soak: %d queues, %lu calls, %lu buffers came back, seed %llu\n", QUEUES, steps, callbacks_of_all,
        (unsigned long long)seed);
    return 0;
}
