/* SPDX-License-Identifier: Apache-2.0 */
/* sound unit|queue|pauses|record-unit|record-queue SECONDS [FILE]: a program with a unit or a queue, 16 bits, two channels, 48,000 Hz.
   `unit`, `queue`: plays numbered frames, as order.c reads them; the buffers of the queue have 147 frames. After the end of an
   interruption it starts again. `pauses`: a queue plays a tone of 1 kHz, pauses two times for 300 ms, and ramps its volume to a quarter
   in half a second. `record-…`: writes the input to FILE. Prints the number of its callbacks. */
#include <AudioToolbox/AudioSessionLinux.h>
#include <AudioToolbox/AudioToolbox.h>

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RATE = 48000, CHANNELS = 2, FRAME = 4, PER_TURN = 30000, SMALL = 147, LONG = 480, BUFFERS = 32, MOST = 8192 };

static const AudioStreamBasicDescription int16 = {
    RATE, kAudioFormatLinearPCM, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, FRAME, 1, FRAME, CHANNELS, 16, 0};

#define REQUIRE(call) require(call, #call)
static void require(OSStatus status, const char *call) {
    if (status == 0) return;
    fprintf(stderr, "sound: %s: %s\n", call, AudioSessionLinuxStatusName(status));
    exit(1);
}

/* Written by callbacks, and read by the main thread. */
static long done, callbacks;
static long total;
static bool plays_tone;
static FILE *file;
static AudioUnit unit;
static AudioQueueRef queue;

static long frames_done(void) { return __atomic_load_n(&done, __ATOMIC_ACQUIRE); }
static void add_frames(UInt32 count) {
    __atomic_fetch_add(&callbacks, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&done, count, __ATOMIC_RELEASE);
}

static void play(int16_t *frames, UInt32 count) {
    for (UInt32 i = 0; i < count; i++) {
        long number = done + i;
        bool is_over = number >= total;
        frames[i * CHANNELS] = is_over ? 0 : (int16_t)(number % PER_TURN + 1);
        frames[i * CHANNELS + 1] = is_over ? 0 : (int16_t)(number / PER_TURN + 1);
        if (!plays_tone || is_over) continue;
        int16_t level = (int16_t)(16000 * sin(2 * M_PI * 1000 * (double)number / RATE));
        /* No frame is digital silence. */
        frames[i * CHANNELS] = frames[i * CHANNELS + 1] = level ? level : 1;
    }
    add_frames(count);
}

static void record(const void *frames, UInt32 count) {
    fwrite(frames, FRAME, count, file);
    add_frames(count);
}

/* ---- a unit ---- */

static OSStatus render(
    void *data, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *list) {
    (void)data, (void)flags, (void)time, (void)bus;
    play(list->mBuffers[0].mData, frames);
    return 0;
}

static OSStatus capture(
    void *data, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *none) {
    static int16_t samples[MOST * CHANNELS];
    AudioBufferList list = {1, {{CHANNELS, frames * FRAME, samples}}};
    (void)data, (void)none;
    if (AudioUnitRender(unit, flags, time, bus, frames, &list) == 0) record(samples, frames);
    return 0;
}

static void make_unit(bool records) {
    AudioComponentDescription io = {kAudioUnitType_Output, kAudioUnitSubType_RemoteIO, kAudioUnitManufacturer_Apple, 0, 0};
    AURenderCallbackStruct callback = {records ? capture : render, NULL};
    UInt32 enabled = 1, disabled = 0;
    REQUIRE(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &io), &unit));
    if (records) {
        REQUIRE(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &enabled, 4));
        REQUIRE(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, &disabled, 4));
        REQUIRE(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &int16, sizeof int16));
        REQUIRE(AudioUnitSetProperty(
            unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 1, &callback, sizeof callback));
    } else {
        REQUIRE(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &int16, sizeof int16));
        REQUIRE(AudioUnitSetProperty(
            unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback));
    }
    REQUIRE(AudioUnitInitialize(unit));
}

/* ---- a queue ---- */

static void fill(void *data, AudioQueueRef ready, AudioQueueBufferRef buffer) {
    (void)data;
    play(buffer->mAudioData, buffer->mAudioDataBytesCapacity / FRAME);
    buffer->mAudioDataByteSize = buffer->mAudioDataBytesCapacity;
    AudioQueueEnqueueBuffer(ready, buffer, 0, NULL);
}

static void empty(void *data, AudioQueueRef ready, AudioQueueBufferRef buffer, const AudioTimeStamp *start, UInt32 packets,
    const AudioStreamPacketDescription *descriptions) {
    (void)data, (void)start, (void)packets, (void)descriptions;
    record(buffer->mAudioData, buffer->mAudioDataByteSize / FRAME);
    AudioQueueEnqueueBuffer(ready, buffer, 0, NULL);
}

/* 32 buffers of 147 frames are more than four slices. */
static void make_queue(bool records, UInt32 frames) {
    AudioQueueBufferRef buffer;
    if (records)
        REQUIRE(AudioQueueNewInput(&int16, empty, NULL, NULL, NULL, 0, &queue));
    else
        REQUIRE(AudioQueueNewOutput(&int16, fill, NULL, NULL, NULL, 0, &queue));
    for (int i = 0; i < BUFFERS; i++) {
        REQUIRE(AudioQueueAllocateBuffer(queue, frames * FRAME, &buffer));
        if (records)
            REQUIRE(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
        else
            fill(NULL, queue, buffer);
    }
}

/* ---- the program ---- */

static void start(void) {
    if (unit) REQUIRE(AudioOutputUnitStart(unit));
    if (queue) REQUIRE(AudioQueueStart(queue, NULL));
}

static void on_interruption(void *data, UInt32 state) {
    (void)data;
    if (state != kAudioSessionEndInterruption) return;
    REQUIRE(AudioSessionSetActive(true));
    start();
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Dispatches events until so many frames are played or recorded. */
static void run_until(long frames) {
    struct pollfd events = {AudioSessionLinuxEventDescriptor(), POLLIN, 0};
    double limit = now() + (double)frames / RATE + 60;
    while (frames_done() < frames) {
        if (now() > limit) {
            fprintf(stderr, "sound: awaited %ld frames; seen: %ld\n", frames, frames_done());
            exit(1);
        }
        if (poll(&events, 1, 5) > 0) REQUIRE(AudioSessionLinuxDispatchEvents());
    }
}

static void pause_and_ramp(void) {
    for (int i = 1; i <= 2; i++) {
        run_until(i * RATE);
        REQUIRE(AudioQueuePause(queue));
        nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
        REQUIRE(AudioQueueStart(queue, NULL));
    }
    run_until(3 * RATE);
    REQUIRE(AudioQueueSetParameter(queue, kAudioQueueParam_VolumeRampTime, 0.5f));
    REQUIRE(AudioQueueSetParameter(queue, kAudioQueueParam_Volume, 0.25f));
}

int main(int count, char **words) {
    const char *what = count > 2 ? words[1] : "";
    bool records = strncmp(what, "record-", 7) == 0;
    UInt32 category = records ? kAudioSessionCategory_RecordAudio : kAudioSessionCategory_MediaPlayback;
    if (count < 3 || (records && (count < 4 || !(file = fopen(words[3], "wb"))))) return 2;
    total = atol(words[2]) * RATE;
    plays_tone = strcmp(what, "pauses") == 0;
    REQUIRE(AudioSessionInitialize(NULL, NULL, on_interruption, NULL));
    REQUIRE(AudioSessionLinuxSetDisplayName("music"));
    REQUIRE(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category));
    if (strstr(what, "unit"))
        make_unit(records);
    else
        make_queue(records, plays_tone ? LONG : SMALL);
    start();
    if (plays_tone) pause_and_ramp();
    /* A second of silence follows: the last frame has been heard then. */
    run_until(records ? total : total + RATE);
    if (unit) REQUIRE(AudioComponentInstanceDispose(unit));
    if (queue) REQUIRE(AudioQueueDispose(queue, true));
    if (file) fclose(file);
    printf("callbacks %ld\n", callbacks);
    return 0;
}
