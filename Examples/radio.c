/* SPDX-License-Identifier: Apache-2.0 */
/* An internet radio that reads a pipe: AudioFileStream finds the packets of whatever arrives, AudioConverter decodes them, and
   an audio queue plays. A station may be joined in the middle. MP3 and AAC need a codec module.

       cc radio.c $(pkg-config --cflags --libs audiotoolbox) -o radio
       curl -sL http://STATION | ./radio */
#include <AudioToolbox/AudioToolbox.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFERS = 4, FRAMES = 8192, MOST = 4096 /* packets that wait */ };
enum { NOTHING = 1000 /* the result of the supply without a packet */ };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static AudioQueueBufferRef unused[BUFFERS];
static int unusedCount, isStarted;
static AudioQueueRef queue;
static AudioConverterRef converter;

/* Packets that are not decoded yet: their bytes one after another. */
static unsigned char *waiting;
static size_t waitingBytes, waitingRoom;
static AudioStreamPacketDescription packets[MOST];
static UInt32 packetCount;
/* The packets that the converter has now. */
static unsigned char *given;
static AudioStreamPacketDescription descriptions[MOST];

static void check(OSStatus status, const char *what) {
    if (status == noErr) return;
    fprintf(stderr, "radio: %s: error %d\n", what, (int)status);
    exit(1);
}

static void *checkMemory(void *memory) {
    if (!memory) check(kAudio_MemFullError, "memory");
    return memory;
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

static void openQueue(AudioFileStreamID stream, const AudioStreamBasicDescription *source) {
    AudioStreamBasicDescription sound = {source->mSampleRate, kAudioFormatLinearPCM,
        kAudioFormatFlagIsSignedInteger | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked, 4, 1, 4, 2, 16, 0};
    unsigned char cookie[1024];
    UInt32 size = sizeof cookie;
    check(AudioConverterNew(source, &sound, &converter), "no converter for this station");
    if (AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_MagicCookieData, &size, cookie) == noErr)
        check(AudioConverterSetProperty(converter, kAudioConverterDecompressionMagicCookie, size, cookie), "the magic cookie");
    check(AudioQueueNewOutput(&sound, played, NULL, NULL, NULL, 0, &queue), "AudioQueueNewOutput");
    for (unusedCount = 0; unusedCount < BUFFERS; unusedCount++)
        check(AudioQueueAllocateBuffer(queue, FRAMES * 4, &unused[unusedCount]), "AudioQueueAllocateBuffer");
}

static AudioQueueBufferRef unusedBuffer(void) {
    pthread_mutex_lock(&mutex);
    while (unusedCount == 0) pthread_cond_wait(&changed, &mutex);
    AudioQueueBufferRef buffer = unused[--unusedCount];
    pthread_mutex_unlock(&mutex);
    return buffer;
}

/* ---- The converter ---- */

/* Gives all packets that wait. Without any it asks again later. */
static OSStatus supply(
    AudioConverterRef asking, UInt32 *count, AudioBufferList *list, AudioStreamPacketDescription **described, void *data) {
    (void)asking, (void)data;
    if (packetCount == 0) {
        *count = 0;
        return NOTHING;
    }
    free(given);
    given = waiting;
    memcpy(descriptions, packets, packetCount * sizeof *packets);
    list->mBuffers[0].mData = given;
    list->mBuffers[0].mDataByteSize = (UInt32)waitingBytes;
    *count = packetCount;
    if (described) *described = descriptions;
    waiting = NULL, waitingBytes = waitingRoom = 0, packetCount = 0;
    return noErr;
}

/* Decodes what waits, and plays it. */
static void decode(void) {
    while (packetCount > 0) {
        AudioQueueBufferRef buffer = unusedBuffer();
        AudioBufferList list = {1, {{2, FRAMES * 4, buffer->mAudioData}}};
        UInt32 frames = FRAMES;
        OSStatus status = AudioConverterFillComplexBuffer(converter, supply, NULL, &frames, &list, NULL);
        if (status != noErr && status != NOTHING) check(status, "the station cannot be decoded");
        if (frames == 0) {
            played(NULL, queue, buffer);
            return;
        }
        buffer->mAudioDataByteSize = frames * 4;
        check(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL), "AudioQueueEnqueueBuffer");
        if (!isStarted) check(AudioQueueStart(queue, NULL), "AudioQueueStart");
        isStarted = 1;
    }
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

static void hasPackets(void *data, UInt32 bytes, UInt32 count, const void *sound, AudioStreamPacketDescription *described) {
    (void)data;
    for (UInt32 i = 0; i < count; i++) {
        UInt32 size = described ? described[i].mDataByteSize : bytes / count;
        SInt64 offset = described ? described[i].mStartOffset : (SInt64)i * size;
        if (packetCount == MOST) decode();
        if (waitingBytes + size > waitingRoom) {
            waitingRoom = 2 * (waitingBytes + size);
            waiting = (unsigned char *)checkMemory(realloc(waiting, waitingRoom));
        }
        memcpy(waiting + waitingBytes, (const char *)sound + offset, size);
        packets[packetCount].mStartOffset = (SInt64)waitingBytes;
        packets[packetCount].mVariableFramesInPacket = described ? described[i].mVariableFramesInPacket : 0;
        packets[packetCount++].mDataByteSize = size;
        waitingBytes += size;
    }
    decode();
}

int main(void) {
    static unsigned char piece[4096];
    AudioFileStreamID stream;
    ssize_t count;
    check(AudioFileStreamOpen(NULL, hasProperty, hasPackets, 0, &stream), "AudioFileStreamOpen");
    while ((count = read(STDIN_FILENO, piece, sizeof piece)) > 0)
        check(AudioFileStreamParseBytes(stream, (UInt32)count, piece, 0), "this is no station");
    check(AudioFileStreamClose(stream), "AudioFileStreamClose");
    if (!isStarted) return fprintf(stderr, "radio: nothing was sent\n"), 1;
    /* The queue plays its buffers to the end. */
    check(AudioQueueStop(queue, false), "AudioQueueStop");
    for (int i = 0; i < BUFFERS; i++) unusedBuffer();
    printf("radio: the station has ended\n");
    check(AudioQueueDispose(queue, true), "AudioQueueDispose");
    return 0;
}
