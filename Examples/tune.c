/* SPDX-License-Identifier: Apache-2.0 */
/* A tune in the platform's own style: an audio queue plays what its callback computes, stops by itself during a call, and
   goes on afterwards.

       cc tune.c $(pkg-config --cflags --libs audiotoolbox) -lm -o tune
       ./tune [TIMES] */
#include <AudioToolbox/AudioToolbox.h>
#include <AudioToolbox/AudioSessionLinux.h>
#include <AudioToolbox/AudioToolboxLinux.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RATE = 44100, BUFFERS = 3, BUFFER_FRAMES = RATE / 20, NOTE_FRAMES = RATE / 5 };

static const int notes[] = {60, 62, 64, 65, 67, 67, 69, 69, 69, 69, 67};
enum { NOTES = sizeof notes / sizeof *notes };

static AudioQueueRef queue;
static long frame, last_frame;
static int ended[2]; /* a pipe: the main thread waits for the end */

static void check(OSStatus status, const char *what) {
    if (status == 0) return;
    fprintf(stderr, "tune: %s: %s\n", what, AudioToolboxLinuxStatusName(status));
    exit(1);
}

static int16_t sample(long index) {
    double frequency = 440 * pow(2, (notes[index / NOTE_FRAMES % NOTES] - 69) / 12.0);
    double place = (double)(index % NOTE_FRAMES) / NOTE_FRAMES;
    return (int16_t)(12000 * sin(M_PI * place) * sin(2 * M_PI * frequency * (double)index / RATE));
}

/* Called on the queue's thread when a buffer has been played: fills it again. */
static void fill(void *data, AudioQueueRef caller, AudioQueueBufferRef buffer) {
    int16_t *samples = buffer->mAudioData;
    UInt32 count = 0;
    (void)data;
    while (count < BUFFER_FRAMES && frame < last_frame) samples[count++] = sample(frame++);
    buffer->mAudioDataByteSize = count * (UInt32)sizeof *samples;
    if (count > 0)
        AudioQueueEnqueueBuffer(caller, buffer, 0, NULL);
    else
        AudioQueueStop(caller, false); /* after what is enqueued */
}

static void runningChanged(void *data, AudioQueueRef caller, AudioQueuePropertyID id) {
    UInt32 isRunning = 0, size = sizeof isRunning;
    (void)data;
    check(AudioQueueGetProperty(caller, id, &isRunning, &size), "IsRunning");
    if (isRunning)
        puts("playing");
    else if (frame >= last_frame && write(ended[1], "", 1) != 1)
        exit(1);
}

static void interruptionChanged(void *data, UInt32 state) {
    (void)data;
    if (state == kAudioSessionBeginInterruption)
        puts("interrupted"); /* the queue has paused by itself */
    else
        check(AudioQueueStart(queue, NULL), "starting again"); /* activates the session */
}

static void makeQueue(void) {
    AudioStreamBasicDescription format = {
        .mSampleRate = RATE,
        .mFormatID = kAudioFormatLinearPCM,
        .mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
        .mBytesPerPacket = 2,
        .mFramesPerPacket = 1,
        .mBytesPerFrame = 2,
        .mChannelsPerFrame = 1,
        .mBitsPerChannel = 16,
    };
    check(AudioQueueNewOutput(&format, fill, NULL, NULL, NULL, 0, &queue), "making the queue");
    check(AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, runningChanged, NULL), "adding the listener");
    for (int i = 0; i < BUFFERS; i++) {
        AudioQueueBufferRef buffer;
        check(AudioQueueAllocateBuffer(queue, BUFFER_FRAMES * 2, &buffer), "allocating a buffer");
        fill(NULL, queue, buffer);
    }
}

int main(int count, char **arguments) {
    UInt32 category = kAudioSessionCategory_MediaPlayback;
    last_frame = (long)NOTES * NOTE_FRAMES * (count > 1 ? atoi(arguments[1]) : 1);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (pipe(ended) != 0) return 1;
    check(AudioSessionInitialize(NULL, NULL, interruptionChanged, NULL), "the session");
    check(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category), "the category");
    makeQueue();
    check(AudioQueueStart(queue, NULL), "starting");
    struct pollfd waiting[] = {{ended[0], POLLIN, 0}, {AudioSessionLinuxEventDescriptor(), POLLIN, 0}};
    while (poll(waiting, 2, -1) > 0 && !waiting[0].revents) AudioSessionLinuxDispatchEvents();
    check(AudioQueueDispose(queue, true), "disposing of the queue");
    puts("done");
    return 0;
}
