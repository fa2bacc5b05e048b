/* SPDX-License-Identifier: Apache-2.0 */
#include "SoundPlayback.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "LoadedToolbox.h"
#include "QueueMeters.h"

/* 0.6 s are decoded ahead: a disk that answers late causes no gap, and a change of the loops is heard in time. */
enum { BUFFERS = 3 };
static const double secondsOfBuffer = 0.2;

enum playback_state { PLAYBACK_STOPPED, PLAYBACK_PLAYING, PLAYBACK_PAUSED };

struct sound_playback {
    ExtAudioFileRef sound;
    AudioFileID file; /* NULL for a path */
    const unsigned char *bytes;
    size_t size;
    AudioStreamBasicDescription format, client;
    SInt64 length;
    void (*notify)(void);

    /* Only the thread that calls the functions of the header uses these. */
    AudioQueueRef queue;
    AudioQueueBufferRef buffers[BUFFERS];
    bool hasMeters;
    struct queue_meters meters;
    bool enablesRate, hasTimePitch; /* the program wants it, and the queue has it */
    float rate;

    /* Under the lock. The thread that fills buffers holds it while it decodes. */
    pthread_mutex_t lock;
    enum playback_state state;
    bool isPrepared;   /* the buffers hold frames from `start` on */
    bool isFilling;    /* callbacks fill buffers again */
    bool hasEnded;     /* the last frame is in a buffer */
    bool willStop;     /* the queue stops after the last buffer */
    bool isBroken;     /* frames of this playback could not be read or enqueued */
    bool isHeld;       /* the queue is paused, and a stop would return its buffers at once */
    bool wasStopped;   /* by an interruption or another event, not by the program */
    bool isStarting;   /* the queue has not reported yet that it runs */
    unsigned enqueued; /* buffers in the queue */
    SInt64 start;      /* the frame of the sound at the start of the queue's time */
    long loops, loopsLeft;
    struct playback_events events;
};

/* An object without a sound, which plain init makes, has NULL: nothing plays or records. */
static const AudioStreamBasicDescription noFormat;

/* ---- Opening ---- */

static OSStatus readBytes(void *context, SInt64 position, UInt32 wanted, void *buffer, UInt32 *actual) {
    struct sound_playback *playback = context;
    size_t left = position >= 0 && (UInt64)position < playback->size ? playback->size - (size_t)position : 0;
    *actual = wanted < left ? wanted : (UInt32)left;
    memcpy(buffer, playback->bytes + position, *actual);
    return noErr;
}

static SInt64 sizeOfBytes(void *context) { return (SInt64)((struct sound_playback *)context)->size; }

static OSStatus openSound(struct sound_playback *playback, const char *path, AudioFileTypeID hint) {
    OSStatus status = path
        ? toolbox.AudioFileLinuxOpenPath(path, kAudioFileReadPermission, hint, &playback->file)
        : toolbox.AudioFileOpenWithCallbacks(playback, readBytes, NULL, sizeOfBytes, NULL, hint, &playback->file);
    return status ? status : toolbox.ExtAudioFileWrapAudioFileID(playback->file, false, &playback->sound);
}

/* 32-bit floating point has every sample of a file with 24 bits or less. */
static AudioStreamBasicDescription clientFormat(const AudioStreamBasicDescription *format) {
    AudioStreamBasicDescription client = {0};
    client.mSampleRate = format->mSampleRate;
    client.mFormatID = kAudioFormatLinearPCM;
    client.mFormatFlags = kAudioFormatFlagsNativeFloatPacked;
    client.mChannelsPerFrame = format->mChannelsPerFrame;
    client.mBitsPerChannel = 32;
    client.mFramesPerPacket = 1;
    client.mBytesPerFrame = client.mBytesPerPacket = 4 * client.mChannelsPerFrame;
    return client;
}

static OSStatus readFormat(struct sound_playback *playback) {
    UInt32 size = sizeof playback->format;
    OSStatus status =
        toolbox.ExtAudioFileGetProperty(playback->sound, kExtAudioFileProperty_FileDataFormat, &size, &playback->format);
    if (status) return status;
    playback->client = clientFormat(&playback->format);
    status = toolbox.ExtAudioFileSetProperty(
        playback->sound, kExtAudioFileProperty_ClientDataFormat, sizeof playback->client, &playback->client);
    if (status) return status;
    size = sizeof playback->length;
    return toolbox.ExtAudioFileGetProperty(playback->sound, kExtAudioFileProperty_FileLengthFrames, &size, &playback->length);
}

static void fillBuffer(void *context, AudioQueueRef queue, AudioQueueBufferRef buffer);
static void queueRuns(void *context, AudioQueueRef queue, AudioQueuePropertyID property);

static OSStatus openQueue(struct sound_playback *playback) {
    OSStatus status = toolbox.AudioQueueNewOutput(&playback->client, fillBuffer, playback, NULL, NULL, 0, &playback->queue);
    if (status) return status;
    UInt32 bytes = (UInt32)(playback->client.mSampleRate * secondsOfBuffer) * playback->client.mBytesPerFrame;
    for (unsigned i = 0; i < BUFFERS && !status; i++)
        status = toolbox.AudioQueueAllocateBuffer(playback->queue, bytes, &playback->buffers[i]);
    return status ? status
                  : toolbox.AudioQueueAddPropertyListener(playback->queue, kAudioQueueProperty_IsRunning, queueRuns, playback);
}

OSStatus playback_open(const char *path, const void *bytes, size_t size, AudioFileTypeID hint, void (*notify)(void),
    struct sound_playback **result) {
    struct sound_playback *playback = calloc(1, sizeof *playback);
    *result = NULL;
    if (!playback) return kAudio_MemFullError;
    pthread_mutex_init(&playback->lock, NULL);
    playback->bytes = bytes;
    playback->size = size;
    playback->notify = notify;
    playback->rate = 1;
    queue_meters_clear(&playback->meters);
    OSStatus status = openSound(playback, path, hint);
    if (!status) status = readFormat(playback);
    if (!status) status = openQueue(playback);
    if (status)
        playback_close(playback);
    else
        *result = playback;
    return status;
}

void playback_close(struct sound_playback *playback) {
    pthread_mutex_lock(&playback->lock);
    playback->isFilling = false;
    playback->state = PLAYBACK_STOPPED;
    pthread_mutex_unlock(&playback->lock);
    if (playback->queue) toolbox.AudioQueueDispose(playback->queue, true);
    if (playback->sound) toolbox.ExtAudioFileDispose(playback->sound);
    if (playback->file) toolbox.AudioFileClose(playback->file);
    pthread_mutex_destroy(&playback->lock);
    free(playback);
}

const AudioStreamBasicDescription *playback_format(const struct sound_playback *playback) {
    if (!playback) return &noFormat;
    return &playback->format;
}

double playback_duration(const struct sound_playback *playback) {
    if (!playback) return 0;
    return (double)playback->length / playback->client.mSampleRate;
}

/* ---- Filling buffers: under the lock ---- */

/* Returns whether the status is no failure. */
static bool succeeds(struct sound_playback *playback, OSStatus status) {
    if (!status) return true;
    playback->isBroken = playback->events.hasFailed = true;
    playback->events.error = status;
    return false;
}

/* Moves to the start of the sound if it is to be played once more. */
static bool beginsAgain(struct sound_playback *playback) {
    if (playback->loopsLeft == 0 || playback->length <= 0) return false;
    if (!succeeds(playback, toolbox.ExtAudioFileSeek(playback->sound, 0))) return false;
    if (playback->loopsLeft > 0) playback->loopsLeft--;
    return true;
}

/* Returns the number of frames that it decoded, fewer than wanted at the end of the last loop only. */
static UInt32 decode(struct sound_playback *playback, char *target, UInt32 wanted) {
    UInt32 decoded = 0;
    bool hasJustBegun = false;
    while (decoded < wanted) {
        UInt32 count = wanted - decoded;
        AudioBufferList list = {.mNumberBuffers = 1};
        list.mBuffers[0].mNumberChannels = playback->client.mChannelsPerFrame;
        list.mBuffers[0].mDataByteSize = count * playback->client.mBytesPerFrame;
        list.mBuffers[0].mData = target + (size_t)decoded * playback->client.mBytesPerFrame;
        if (!succeeds(playback, toolbox.ExtAudioFileRead(playback->sound, &count, &list))) break;
        decoded += count;
        /* A sound whose frames cannot be read again is not repeated forever. */
        if (count == 0 && (hasJustBegun || !beginsAgain(playback))) break;
        hasJustBegun = count == 0;
    }
    return decoded;
}

static void fill(struct sound_playback *playback, AudioQueueBufferRef buffer) {
    UInt32 wanted = buffer->mAudioDataBytesCapacity / playback->client.mBytesPerFrame;
    UInt32 decoded = playback->hasEnded ? 0 : decode(playback, buffer->mAudioData, wanted);
    playback->hasEnded = decoded < wanted;
    if (decoded == 0) return;
    buffer->mAudioDataByteSize = decoded * playback->client.mBytesPerFrame;
    if (succeeds(playback, toolbox.AudioQueueEnqueueBuffer(playback->queue, buffer, 0, NULL)))
        playback->enqueued++;
    else
        playback->hasEnded = true;
}

/* The queue stops when it has played all buffers. A paused queue gets the stop with its next start, and a queue that has refused it
   with the next buffer. */
static void stopAtEnd(struct sound_playback *playback) {
    if (!playback->hasEnded || playback->willStop || playback->isHeld) return;
    playback->willStop = toolbox.AudioQueueStop(playback->queue, false) == noErr;
}

/* The queue has played everything. Returns whether that is new. */
static bool finish(struct sound_playback *playback) {
    if (playback->state == PLAYBACK_STOPPED || !playback->hasEnded || playback->enqueued > 0) return false;
    playback->state = PLAYBACK_STOPPED;
    playback->isPrepared = playback->wasStopped = false;
    playback->start = 0;
    playback->events.hasFinished = true;
    playback->events.isSuccess = !playback->isBroken;
    return true;
}

static void fillBuffer(void *context, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    (void)queue;
    struct sound_playback *playback = context;
    pthread_mutex_lock(&playback->lock);
    playback->enqueued--;
    bool hadFailed = playback->events.hasFailed;
    if (playback->isFilling) {
        if (!playback->hasEnded) fill(playback, buffer);
        stopAtEnd(playback);
    }
    bool isNew = (playback->events.hasFailed && !hadFailed) || (playback->wasStopped && finish(playback));
    pthread_mutex_unlock(&playback->lock);
    if (isNew) playback->notify();
}

/* The queue has stopped: at the end of the sound, or by an event of the session. The report of a stop can come when the program has
   already started the queue again. */
static void queueRuns(void *context, AudioQueueRef queue, AudioQueuePropertyID property) {
    struct sound_playback *playback = context;
    UInt32 isRunning = 0, size = sizeof isRunning;
    bool isKnown = toolbox.AudioQueueGetProperty(queue, property, &isRunning, &size) == noErr, isNew = false;
    pthread_mutex_lock(&playback->lock);
    if (isRunning) {
        playback->isStarting = false;
    } else if (finish(playback)) {
        isNew = true;
    } else if (isKnown && playback->state == PLAYBACK_PLAYING && !playback->isStarting) {
        playback->state = PLAYBACK_PAUSED;
        playback->isHeld = playback->wasStopped = true;
    }
    pthread_mutex_unlock(&playback->lock);
    if (isNew) playback->notify();
}

/* ---- Start and stop ---- */

/* Empties the queue. Its callbacks return the buffers before the return. */
static void emptyQueue(struct sound_playback *playback, enum playback_state state) {
    pthread_mutex_lock(&playback->lock);
    playback->isFilling = false;
    playback->isPrepared = false;
    playback->state = state;
    playback->wasStopped = false;
    pthread_mutex_unlock(&playback->lock);
    toolbox.AudioQueueStop(playback->queue, true);
}

/* The queue has stopped. */
static OSStatus applyRate(struct sound_playback *playback) {
    UInt32 wanted = playback->enablesRate;
    if (playback->enablesRate != playback->hasTimePitch) {
        OSStatus status =
            toolbox.AudioQueueSetProperty(playback->queue, kAudioQueueProperty_EnableTimePitch, &wanted, sizeof wanted);
        if (status) return status;
        playback->hasTimePitch = playback->enablesRate;
    }
    return playback->hasTimePitch ? toolbox.AudioQueueSetParameter(playback->queue, kAudioQueueParam_PlayRate, playback->rate)
                                  : noErr;
}

/* Without a frame to play the next call tries again. */
static void prepareLocked(struct sound_playback *playback) {
    if (playback->start >= playback->length) playback->start = 0;
    playback->willStop = playback->isHeld = playback->isBroken = false;
    playback->hasEnded = !succeeds(playback, toolbox.ExtAudioFileSeek(playback->sound, playback->start));
    playback->loopsLeft = playback->loops;
    for (unsigned i = 0; i < BUFFERS; i++)
        if (!playback->hasEnded) fill(playback, playback->buffers[i]);
    playback->isFilling = playback->isPrepared = playback->enqueued > 0;
    if (playback->isPrepared) stopAtEnd(playback);
}

OSStatus playback_prepare(struct sound_playback *playback) {
    if (!playback) return kAudio_ParamError;
    pthread_mutex_lock(&playback->lock);
    bool isReady = playback->isPrepared, hasOldBuffers = !isReady && playback->enqueued > 0;
    pthread_mutex_unlock(&playback->lock);
    if (isReady) return noErr;
    /* The queue has refused to give them back before. Time pitch needs a queue that has stopped. */
    if (hasOldBuffers || playback->enablesRate != playback->hasTimePitch) emptyQueue(playback, PLAYBACK_STOPPED);
    OSStatus status = applyRate(playback);
    if (status) return status;
    pthread_mutex_lock(&playback->lock);
    prepareLocked(playback);
    bool hasFailed = playback->events.hasFailed, hasSound = playback->isPrepared;
    OSStatus error = playback->events.error;
    pthread_mutex_unlock(&playback->lock);
    if (hasFailed) playback->notify();
    return hasSound ? noErr : hasFailed ? error : kAudioFileEndOfFileError;
}

OSStatus playback_start(struct sound_playback *playback, const AudioTimeStamp *start) {
    if (!playback) return kAudio_ParamError;
    if (playback_is_playing(playback)) return noErr; /* the queue would forget to stop at the end */
    OSStatus status = playback_prepare(playback);
    if (status) return status;
    UInt32 isRunning = 0, size = sizeof isRunning;
    toolbox.AudioQueueGetProperty(playback->queue, kAudioQueueProperty_IsRunning, &isRunning, &size);
    pthread_mutex_lock(&playback->lock);
    enum playback_state before = playback->state;
    playback->state = PLAYBACK_PLAYING;
    playback->wasStopped = false;
    playback->isStarting = !isRunning;
    pthread_mutex_unlock(&playback->lock);
    status = toolbox.AudioQueueStart(playback->queue, start);
    pthread_mutex_lock(&playback->lock);
    if (status) {
        playback->state = before;
    } else if (playback->state == PLAYBACK_PLAYING) {
        playback->isHeld = playback->willStop = false;
        stopAtEnd(playback);
    }
    pthread_mutex_unlock(&playback->lock);
    return status;
}

void playback_pause(struct sound_playback *playback) {
    if (!playback) return;
    pthread_mutex_lock(&playback->lock);
    bool isPlaying = playback->state == PLAYBACK_PLAYING;
    if (isPlaying) {
        playback->state = PLAYBACK_PAUSED;
        playback->isHeld = true;
    }
    playback->wasStopped = false;
    pthread_mutex_unlock(&playback->lock);
    if (isPlaying) toolbox.AudioQueuePause(playback->queue);
}

/* The frame of the sound that is heard now. */
static SInt64 position(struct sound_playback *playback) {
    AudioTimeStamp now = {0};
    pthread_mutex_lock(&playback->lock);
    SInt64 start = playback->start;
    bool isPrepared = playback->isPrepared;
    pthread_mutex_unlock(&playback->lock);
    if (!isPrepared || toolbox.AudioQueueGetCurrentTime(playback->queue, NULL, &now, NULL) || now.mSampleTime < 0) return start;
    SInt64 frame = start + (SInt64)now.mSampleTime;
    return playback->length > 0 && frame > playback->length ? frame % playback->length : frame;
}

void playback_stop(struct sound_playback *playback) {
    if (!playback) return;
    SInt64 now = position(playback);
    emptyQueue(playback, PLAYBACK_STOPPED);
    pthread_mutex_lock(&playback->lock);
    playback->start = now;
    pthread_mutex_unlock(&playback->lock);
}

bool playback_is_playing(struct sound_playback *playback) {
    if (!playback) return false;
    pthread_mutex_lock(&playback->lock);
    bool isPlaying = playback->state == PLAYBACK_PLAYING;
    pthread_mutex_unlock(&playback->lock);
    return isPlaying;
}

/* ---- Time, loops, levels ---- */

double playback_time(struct sound_playback *playback) {
    if (!playback) return 0;
    return (double)position(playback) / playback->client.mSampleRate;
}

OSStatus playback_set_time(struct sound_playback *playback, double seconds) {
    if (!playback) return kAudio_ParamError;
    double frame = seconds * playback->client.mSampleRate;
    if (!(frame >= 0)) frame = 0;
    if (frame > (double)playback->length) frame = (double)playback->length;
    bool wasPlaying = playback_is_playing(playback);
    emptyQueue(playback, PLAYBACK_STOPPED);
    pthread_mutex_lock(&playback->lock);
    playback->start = (SInt64)(frame + 0.5);
    pthread_mutex_unlock(&playback->lock);
    return wasPlaying ? playback_start(playback, NULL) : noErr;
}

long playback_loops(struct sound_playback *playback) {
    if (!playback) return 0;
    pthread_mutex_lock(&playback->lock);
    long loops = playback->loops;
    pthread_mutex_unlock(&playback->lock);
    return loops;
}

void playback_set_loops(struct sound_playback *playback, long loops) {
    if (!playback) return;
    pthread_mutex_lock(&playback->lock);
    playback->loops = playback->loopsLeft = loops;
    pthread_mutex_unlock(&playback->lock);
}

void playback_set_parameter(struct sound_playback *playback, AudioQueueParameterID parameter, float value) {
    if (!playback) return;
    toolbox.AudioQueueSetParameter(playback->queue, parameter, value);
}

float playback_parameter(struct sound_playback *playback, AudioQueueParameterID parameter) {
    if (!playback) return 0;
    AudioQueueParameterValue value = 0;
    toolbox.AudioQueueGetParameter(playback->queue, parameter, &value);
    return value;
}

bool playback_enables_rate(const struct sound_playback *playback) {
    if (!playback) return false;
    return playback->enablesRate;
}

void playback_enable_rate(struct sound_playback *playback, bool on) {
    if (!playback) return;
    playback->enablesRate = on;
}

float playback_rate(const struct sound_playback *playback) {
    if (!playback) return 0;
    return playback->rate;
}

void playback_set_rate(struct sound_playback *playback, float rate) {
    if (!playback || rate != rate) return;
    playback->rate = rate < 0.5f ? 0.5f : rate > 2 ? 2 : rate;
    if (playback->hasTimePitch) toolbox.AudioQueueSetParameter(playback->queue, kAudioQueueParam_PlayRate, playback->rate);
}

bool playback_has_meters(const struct sound_playback *playback) {
    if (!playback) return false;
    return playback->hasMeters;
}

void playback_enable_meters(struct sound_playback *playback, bool on) {
    if (!playback) return;
    playback->hasMeters = on;
    queue_meters_enable(playback->queue, on);
    if (!on) queue_meters_clear(&playback->meters);
}

void playback_read_meters(struct sound_playback *playback) {
    if (!playback) return;
    if (playback->hasMeters) queue_meters_read(&playback->meters, playback->queue);
}

AudioQueueLevelMeterState playback_meter(const struct sound_playback *playback, unsigned long channel) {
    if (!playback) return queue_meters_state(NULL, 0);
    return queue_meters_state(&playback->meters, channel);
}

/* ---- Events ---- */

struct playback_events playback_take_events(struct sound_playback *playback) {
    struct playback_events none = {false, false, false, noErr};
    if (!playback) return none;
    pthread_mutex_lock(&playback->lock);
    struct playback_events events = playback->events;
    playback->events = none;
    pthread_mutex_unlock(&playback->lock);
    return events;
}

bool playback_interrupt(struct sound_playback *playback) {
    if (!playback) return false;
    pthread_mutex_lock(&playback->lock);
    bool wasStopped = playback->wasStopped || playback->state == PLAYBACK_PLAYING;
    if (wasStopped) {
        playback->state = PLAYBACK_PAUSED;
        playback->isHeld = true;
    }
    playback->wasStopped = false;
    pthread_mutex_unlock(&playback->lock);
    return wasStopped;
}

void playback_hold(struct sound_playback *playback) {
    if (playback_interrupt(playback)) toolbox.AudioQueuePause(playback->queue);
}
