/* SPDX-License-Identifier: Apache-2.0 */
/* An internet radio that reads a pipe: AudioFileStream finds the packets of whatever arrives, and an audio queue decodes and
   plays them. A station may be joined in the middle. MP3 and AAC need a codec module.

       cc radio.c $(pkg-config --cflags --libs audiotoolbox) -o radio
       curl -sL http://STATION | ./radio */
#include <AudioToolbox/AudioToolboxLinux.h>
#include <AudioToolbox/AudioToolbox.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFERS = 4, BYTES = 16384, PACKETS = 512 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static AudioQueueBufferRef unused[BUFFERS];
static int unusedCount, isStarted;
static AudioQueueRef queue;
static AudioQueueBufferRef filling; /* or NULL */

static void check(OSStatus status, const char *what) {
    if (status == noErr) return;
    fprintf(stderr, "radio: %s: %s\n", what, AudioToolboxLinuxStatusName(status));
    exit(1);
}

/* ---- The queue ---- */

/* On the thread of the queue. */
static void played(void *data, AudioQueueRef playing, AudioQueueBufferRef buffer) {
    (void)data, (void)playing;
    pthread_mutex_lock(&mutex);
    unused[unusedCount++] = buffer;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}

static void openQueue(AudioFileStreamID stream, const AudioStreamBasicDescription *format) {
    unsigned char cookie[1024];
    UInt32 size = sizeof cookie;
    check(AudioQueueNewOutput(format, played, NULL, NULL, NULL, 0, &queue), "no queue for this station");
    if (AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_MagicCookieData, &size, cookie) == noErr)
        check(AudioQueueSetProperty(queue, kAudioQueueProperty_MagicCookie, cookie, size), "the magic cookie");
    for (unusedCount = 0; unusedCount < BUFFERS; unusedCount++)
        check(AudioQueueAllocateBufferWithPacketDescriptions(queue, BYTES, PACKETS, &unused[unusedCount]), "a buffer");
}

static AudioQueueBufferRef unusedBuffer(void) {
    pthread_mutex_lock(&mutex);
    while (unusedCount == 0) pthread_cond_wait(&changed, &mutex);
    AudioQueueBufferRef buffer = unused[--unusedCount];
    pthread_mutex_unlock(&mutex);
    return buffer;
}

/* Plays the buffer that is being filled. */
static void enqueue(void) {
    if (!filling) return;
    /* Its descriptions are in the buffer. */
    check(AudioQueueEnqueueBuffer(queue, filling, 0, NULL), "AudioQueueEnqueueBuffer");
    filling = NULL;
    if (!isStarted) check(AudioQueueStart(queue, NULL), "AudioQueueStart");
    isStarted = 1;
}

/* ---- The stream ---- */

static void hasProperty(void *data, AudioFileStreamID stream, AudioFileStreamPropertyID property, UInt32 *flags) {
    AudioStreamBasicDescription format;
    UInt32 size = sizeof format;
    (void)data, (void)flags;
    if (property != kAudioFileStreamProperty_ReadyToProducePackets) return;
    check(AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_DataFormat, &size, &format), "the format");
    openQueue(stream, &format);
    printf("radio: %.0f Hz, %u channels\n", format.mSampleRate, (unsigned)format.mChannelsPerFrame);
    fflush(stdout);
}

/* Packets of one size have no descriptions. */
static void hasPackets(void *data, UInt32 bytes, UInt32 count, const void *sound, AudioStreamPacketDescription *described) {
    (void)data;
    for (UInt32 i = 0; i < count; i++) {
        UInt32 size = described ? described[i].mDataByteSize : bytes / count;
        SInt64 offset = described ? described[i].mStartOffset : (SInt64)i * size;
        if (size > BYTES) continue;
        if (filling && (filling->mAudioDataByteSize + size > BYTES || filling->mPacketDescriptionCount == PACKETS)) enqueue();
        if (!filling) {
            filling = unusedBuffer();
            filling->mAudioDataByteSize = filling->mPacketDescriptionCount = 0;
        }
        if (described) {
            AudioStreamPacketDescription *packet = &filling->mPacketDescriptions[filling->mPacketDescriptionCount++];
            *packet = described[i];
            packet->mStartOffset = filling->mAudioDataByteSize;
        }
        memcpy((char *)filling->mAudioData + filling->mAudioDataByteSize, (const char *)sound + offset, size);
        filling->mAudioDataByteSize += size;
    }
}

int main(void) {
    static unsigned char piece[4096];
    AudioFileStreamID stream;
    ssize_t count;
    check(AudioFileStreamOpen(NULL, hasProperty, hasPackets, 0, &stream), "AudioFileStreamOpen");
    while ((count = read(STDIN_FILENO, piece, sizeof piece)) > 0)
        check(AudioFileStreamParseBytes(stream, (UInt32)count, piece, 0), "this is no station");
    check(AudioFileStreamClose(stream), "AudioFileStreamClose");
    enqueue();
    if (!isStarted) return fprintf(stderr, "radio: nothing was sent\n"), 1;
    /* The queue plays its buffers to the end. */
    check(AudioQueueStop(queue, false), "AudioQueueStop");
    for (int i = 0; i < BUFFERS; i++) unusedBuffer();
    printf("radio: the station has ended\n");
    check(AudioQueueDispose(queue, true), "AudioQueueDispose");
    return 0;
}
