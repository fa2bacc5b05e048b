/* SPDX-License-Identifier: Apache-2.0 */
/* In the style of the radio players that parse their stream: a thread reads a socket and passes what arrives to the parser. A
   listener of the parser makes the queue, and its callback copies packets into buffers, whose descriptions it keeps beside
   them. The thread waits where all buffers are in the queue. */
#include <AudioToolbox/AudioToolbox.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define kNumAQBufs 4
#define kAQBufSize 1024
#define kAQMaxPacketDescs 512

typedef struct {
    int socket;
    pthread_t thread;
    AudioFileStreamID parser;
    AudioQueueRef queue;
    AudioQueueBufferRef buffers[kNumAQBufs];
    AudioStreamPacketDescription descs[kAQMaxPacketDescs];
    unsigned fillIndex;
    UInt32 bytesFilled, packetsFilled;
    bool inUse[kNumAQBufs];
    bool started, running, discontinuous;
    int packets;
    OSStatus error;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} RadioPlayer;

extern void RadioPlayerNote(const char *what);

static void RadioPlayerFail(RadioPlayer *me, OSStatus error, const char *what) {
    char line[100];
    if (me->error) return;
    snprintf(line, sizeof(line), "%s: error %d", what, (int)error);
    RadioPlayerNote(line);
    pthread_mutex_lock(&me->mutex);
    me->error = error;
    pthread_cond_broadcast(&me->changed);
    pthread_mutex_unlock(&me->mutex);
}

/* On the thread of the queue. */
static void RadioPlayerBufferComplete(void *inClientData, AudioQueueRef inAQ, AudioQueueBufferRef inBuffer) {
    RadioPlayer *me = (RadioPlayer *)inClientData;
    unsigned i;
    (void)inAQ;
    pthread_mutex_lock(&me->mutex);
    for (i = 0; i < kNumAQBufs; i++)
        if (me->buffers[i] == inBuffer) me->inUse[i] = false;
    pthread_cond_broadcast(&me->changed);
    pthread_mutex_unlock(&me->mutex);
}

static void RadioPlayerIsRunning(void *inClientData, AudioQueueRef inAQ, AudioQueuePropertyID inID) {
    RadioPlayer *me = (RadioPlayer *)inClientData;
    UInt32 running = 0, size = sizeof(running);
    AudioQueueGetProperty(inAQ, inID, &running, &size);
    pthread_mutex_lock(&me->mutex);
    me->running = running != 0;
    pthread_cond_broadcast(&me->changed);
    pthread_mutex_unlock(&me->mutex);
}

static void RadioPlayerCreateQueue(RadioPlayer *me) {
    AudioStreamBasicDescription asbd;
    UInt32 size = sizeof(asbd), cookieSize = 0;
    Boolean writable;
    unsigned i;
    OSStatus err = AudioFileStreamGetProperty(me->parser, kAudioFileStreamProperty_DataFormat, &size, &asbd);
    if (!err) err = AudioQueueNewOutput(&asbd, RadioPlayerBufferComplete, me, NULL, NULL, 0, &me->queue);
    if (!err) err = AudioQueueAddPropertyListener(me->queue, kAudioQueueProperty_IsRunning, RadioPlayerIsRunning, me);
    for (i = 0; i < kNumAQBufs && !err; i++) err = AudioQueueAllocateBuffer(me->queue, kAQBufSize, &me->buffers[i]);
    if (err) {
        RadioPlayerFail(me, err, "no queue");
        return;
    }
    /* A stream without a cookie is no error. */
    if (AudioFileStreamGetPropertyInfo(me->parser, kAudioFileStreamProperty_MagicCookieData, &cookieSize, &writable) == noErr) {
        void *cookie = calloc(1, cookieSize);
        if (AudioFileStreamGetProperty(me->parser, kAudioFileStreamProperty_MagicCookieData, &cookieSize, cookie) == noErr)
            AudioQueueSetProperty(me->queue, kAudioQueueProperty_MagicCookie, cookie, cookieSize);
        free(cookie);
    }
}

static void RadioPlayerProperty(void *inClientData, AudioFileStreamID inStream, AudioFileStreamPropertyID inID, UInt32 *ioFlags) {
    RadioPlayer *me = (RadioPlayer *)inClientData;
    (void)inStream, (void)ioFlags;
    if (inID != kAudioFileStreamProperty_ReadyToProducePackets) return;
    me->discontinuous = true;
    RadioPlayerNote("ready to produce packets");
    RadioPlayerCreateQueue(me);
}

/* Enqueues the buffer and waits for the next one. The queue starts when all are enqueued. */
static void RadioPlayerEnqueue(RadioPlayer *me) {
    AudioQueueBufferRef buffer = me->buffers[me->fillIndex];
    OSStatus err;
    pthread_mutex_lock(&me->mutex);
    me->inUse[me->fillIndex] = true;
    pthread_mutex_unlock(&me->mutex);
    buffer->mAudioDataByteSize = me->bytesFilled;
    err = AudioQueueEnqueueBuffer(me->queue, buffer, me->packetsFilled, me->descs);
    if (err) {
        RadioPlayerFail(me, err, "cannot enqueue");
        return;
    }
    if (++me->fillIndex == kNumAQBufs) {
        me->fillIndex = 0;
        if (!me->started) {
            err = AudioQueueStart(me->queue, NULL);
            if (err) RadioPlayerFail(me, err, "cannot start");
            me->started = true;
        }
    }
    me->bytesFilled = me->packetsFilled = 0;
    pthread_mutex_lock(&me->mutex);
    while (me->inUse[me->fillIndex] && !me->error) pthread_cond_wait(&me->changed, &me->mutex);
    pthread_mutex_unlock(&me->mutex);
}

static void RadioPlayerPackets(void *inClientData, UInt32 inNumberBytes, UInt32 inNumberPackets, const void *inInputData,
    AudioStreamPacketDescription *inPacketDescriptions) {
    RadioPlayer *me = (RadioPlayer *)inClientData;
    UInt32 i;
    (void)inNumberBytes;
    for (i = 0; i < inNumberPackets && !me->error; i++) {
        SInt64 offset = inPacketDescriptions[i].mStartOffset;
        UInt32 size = inPacketDescriptions[i].mDataByteSize;
        if (size > kAQBufSize) {
            RadioPlayerFail(me, -1, "packet too large");
            return;
        }
        if (kAQBufSize - me->bytesFilled < size || me->packetsFilled == kAQMaxPacketDescs) RadioPlayerEnqueue(me);
        memcpy((char *)me->buffers[me->fillIndex]->mAudioData + me->bytesFilled, (const char *)inInputData + offset, size);
        me->descs[me->packetsFilled] = inPacketDescriptions[i];
        me->descs[me->packetsFilled].mStartOffset = me->bytesFilled;
        me->bytesFilled += size;
        me->packetsFilled++;
        me->packets++;
    }
}

/* The end of the stream: what waits is played, and the queue stops after it. */
static void RadioPlayerFinish(RadioPlayer *me) {
    if (me->bytesFilled && !me->error) RadioPlayerEnqueue(me);
    if (!me->started || me->error) return;
    if (AudioQueueFlush(me->queue) || AudioQueueStop(me->queue, false)) RadioPlayerFail(me, -1, "cannot stop");
    pthread_mutex_lock(&me->mutex);
    while (me->running && !me->error) pthread_cond_wait(&me->changed, &me->mutex);
    pthread_mutex_unlock(&me->mutex);
}

static void *RadioPlayerThread(void *inClientData) {
    RadioPlayer *me = (RadioPlayer *)inClientData;
    unsigned char bytes[700];
    ssize_t count;
    OSStatus err = AudioFileStreamOpen(me, RadioPlayerProperty, RadioPlayerPackets, kAudioFileAAC_ADTSType, &me->parser);
    if (err) RadioPlayerFail(me, err, "no parser");
    while (!me->error && (count = read(me->socket, bytes, sizeof(bytes))) > 0) {
        err = AudioFileStreamParseBytes(
            me->parser, (UInt32)count, bytes, me->discontinuous ? kAudioFileStreamParseFlag_Discontinuity : 0);
        me->discontinuous = false;
        if (err) RadioPlayerFail(me, err, "cannot parse");
    }
    RadioPlayerNote("end of the stream");
    RadioPlayerFinish(me);
    AudioFileStreamClose(me->parser);
    if (me->queue) AudioQueueDispose(me->queue, true);
    close(me->socket);
    RadioPlayerNote(me->error ? "failed" : "over");
    return NULL;
}

static void RadioPlayerInterruption(void *inClientData, UInt32 inInterruptionState) {
    RadioPlayer *me = (RadioPlayer *)inClientData;
    if (inInterruptionState == kAudioSessionBeginInterruption) {
        AudioQueuePause(me->queue);
        RadioPlayerNote("interrupted");
    } else {
        OSStatus err = AudioSessionSetActive(true);
        if (!err) err = AudioQueueStart(me->queue, NULL);
        if (err)
            RadioPlayerFail(me, err, "cannot resume");
        else
            RadioPlayerNote("resumed");
    }
}

static void RadioPlayerStart(RadioPlayer *me, int socket) {
    UInt32 category = kAudioSessionCategory_MediaPlayback;
    OSStatus err;
    memset(me, 0, sizeof(*me));
    me->socket = socket;
    pthread_mutex_init(&me->mutex, NULL);
    pthread_cond_init(&me->changed, NULL);
    err = AudioSessionInitialize(NULL, NULL, RadioPlayerInterruption, me);
    if (!err) err = AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof(category), &category);
    if (!err) err = AudioSessionSetActive(true);
    if (err) RadioPlayerFail(me, err, "no session");
    if (pthread_create(&me->thread, NULL, RadioPlayerThread, me)) RadioPlayerFail(me, -1, "no thread");
}
