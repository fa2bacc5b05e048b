/* SPDX-License-Identifier: Apache-2.0 */
/* A file player in the platform's own style: ExtAudioFile reads and decodes a sound file, an audio queue plays it. A line on
   standard input goes to a place in the file, in seconds.

       cc song.c $(pkg-config --cflags --libs audiotoolbox) -o song
       ./song FILE */
#include <AudioToolbox/AudioToolbox.h>
#include <AudioToolbox/AudioSessionLinux.h>
#include <AudioToolbox/AudioToolboxLinux.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BUFFERS = 3 };

static ExtAudioFileRef file;
static AudioStreamBasicDescription fileFormat, format;
static AudioQueueRef queue;
/* The queue's thread reads the file, and the main thread moves the position. */
static pthread_mutex_t fileLock = PTHREAD_MUTEX_INITIALIZER;
static int hasEnded;
static int ended[2]; /* a pipe: the main thread waits for the end */

static void check(OSStatus status, const char *what) {
    if (status == noErr) return;
    fprintf(stderr, "song: %s: %s\n", what, AudioToolboxLinuxStatusName(status));
    exit(1);
}

/* Called on the queue's thread when a buffer has been played: reads the next one. */
static void fill(void *data, AudioQueueRef caller, AudioQueueBufferRef buffer) {
    AudioBufferList list = {1, {{format.mChannelsPerFrame, buffer->mAudioDataBytesCapacity, buffer->mAudioData}}};
    UInt32 frames = buffer->mAudioDataBytesCapacity / format.mBytesPerFrame;
    (void)data;
    pthread_mutex_lock(&fileLock);
    check(ExtAudioFileRead(file, &frames, &list), "reading");
    hasEnded = frames == 0;
    pthread_mutex_unlock(&fileLock);
    buffer->mAudioDataByteSize = frames * format.mBytesPerFrame;
    if (frames > 0)
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
    else if (hasEnded && write(ended[1], "", 1) != 1)
        exit(1);
}

static void interruptionChanged(void *data, UInt32 state) {
    (void)data;
    if (state == kAudioSessionBeginInterruption)
        puts("interrupted"); /* the queue has paused by itself */
    else
        check(AudioQueueStart(queue, NULL), "starting again");
}

/* Whatever the file has, the program gets 16-bit samples at its rate. */
static void openFile(const char *path) {
    UInt32 size = sizeof fileFormat;
    check(ExtAudioFileLinuxOpenPath(path, &file), path);
    check(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileDataFormat, &size, &fileFormat), "the format");
    format.mSampleRate = fileFormat.mSampleRate;
    format.mFormatID = kAudioFormatLinearPCM;
    format.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
    format.mChannelsPerFrame = fileFormat.mChannelsPerFrame;
    format.mBytesPerPacket = format.mBytesPerFrame = 2 * format.mChannelsPerFrame;
    format.mFramesPerPacket = 1;
    format.mBitsPerChannel = 16;
    /* Without the codec: 'fmt?', and AUDIOSESSION_DEBUG=1 names the package. */
    check(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof format, &format), "the codec");
}

static void makeQueue(void) {
    check(AudioQueueNewOutput(&format, fill, NULL, NULL, NULL, 0, &queue), "making the queue");
    check(AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, runningChanged, NULL), "adding the listener");
    for (int i = 0; i < BUFFERS; i++) {
        AudioQueueBufferRef buffer;
        UInt32 tenth = (UInt32)(format.mSampleRate / 10) * format.mBytesPerFrame;
        check(AudioQueueAllocateBuffer(queue, tenth, &buffer), "allocating a buffer");
        fill(NULL, queue, buffer);
    }
}

static void seek(double seconds) {
    pthread_mutex_lock(&fileLock);
    OSStatus status = ExtAudioFileSeek(file, (SInt64)(seconds * fileFormat.mSampleRate));
    pthread_mutex_unlock(&fileLock);
    if (status == noErr)
        printf("at %g s\n", seconds);
    else
        printf("no such place: %s\n", AudioToolboxLinuxStatusName(status));
}

int main(int count, char **arguments) {
    UInt32 category = kAudioSessionCategory_MediaPlayback;
    char line[64];
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (count != 2 || pipe(ended) != 0) {
        fputs("usage: song FILE\n", stderr);
        return 2;
    }
    openFile(arguments[1]);
    check(AudioSessionInitialize(NULL, NULL, interruptionChanged, NULL), "the session");
    check(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category), "the category");
    makeQueue();
    check(AudioQueueStart(queue, NULL), "starting");
    struct pollfd waiting[] = {{ended[0], POLLIN, 0}, {AudioSessionLinuxEventDescriptor(), POLLIN, 0}, {0, POLLIN, 0}};
    while (poll(waiting, 3, -1) > 0 && !waiting[0].revents) {
        AudioSessionLinuxDispatchEvents();
        if (!waiting[2].revents) continue;
        if (fgets(line, sizeof line, stdin))
            seek(atof(line));
        else
            waiting[2].fd = -1; /* the end of the input */
    }
    check(AudioQueueDispose(queue, true), "disposing of the queue");
    check(ExtAudioFileDispose(file), "closing the file");
    puts("done");
    return 0;
}
