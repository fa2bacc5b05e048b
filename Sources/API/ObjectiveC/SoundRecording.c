/* SPDX-License-Identifier: Apache-2.0 */
#include "SoundRecording.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "DiscardedFile.h"
#include "LoadedToolbox.h"
#include "QueueMeters.h"

/* Levels and the current time advance with each buffer; a disk that answers half a second late loses nothing. */
enum { BUFFERS = 5 };
static const double secondsOfBuffer = 0.1;

enum recording_state { RECORDING_STOPPED, RECORDING_RUNNING, RECORDING_PAUSED };

struct sound_recording {
    char *path;
    struct recording_settings settings;
    AudioStreamBasicDescription client;
    void (*notify)(void);

    /* Only the thread that calls the functions of the header changes these. */
    ExtAudioFileRef file;
    struct discarded_file discarded;
    AudioQueueRef queue;
    bool hasMeters;
    struct queue_meters meters;

    pthread_mutex_t lock;
    enum recording_state state;
    bool isStopping; /* buffers return for the last time */
    bool wasStopped; /* by an interruption or another event, not by the program */
    bool isStarting; /* the queue has not reported yet that it runs */
    SInt64 frames, limit;
    SInt64 lost;    /* frames that the file lacks */
    double next;    /* the number of the next frame, if none is lost; negative before the first */
    double behind;  /* the number behind the last buffer that is written or dropped */
    bool hasFailed; /* frames of the file could not be recorded */
    struct recording_events events;
};

/* An object without a sound, which plain init makes, has NULL: nothing plays or records. */
static const AudioStreamBasicDescription noFormat;

/* ---- Types and settings ---- */

AudioFileTypeID recording_type(const char *extension) {
    static const struct {
        const char *extension;
        AudioFileTypeID type;
    } types[] = {
        {"caf", kAudioFileCAFType},
        {"wav", kAudioFileWAVEType},
        {"wave", kAudioFileWAVEType},
        {"aif", kAudioFileAIFFType},
        {"aiff", kAudioFileAIFFType},
        {"aifc", kAudioFileAIFCType},
        {"au", kAudioFileNextType},
        {"snd", kAudioFileNextType},
        {"m4a", kAudioFileM4AType},
        {"mp4", kAudioFileMPEG4Type},
        {"aac", kAudioFileAAC_ADTSType},
        {"mp3", kAudioFileMP3Type},
    };
    for (unsigned i = 0; extension && i < sizeof types / sizeof *types; i++)
        if (strcasecmp(extension, types[i].extension) == 0) return types[i].type;
    return 0;
}

OSStatus recording_check(const struct recording_settings *settings) {
    AudioFileTypeAndFormatID pair = {settings->type, settings->format.mFormatID};
    UInt32 size = 0;
    return toolbox.AudioFileGetGlobalInfoSize(
        kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, sizeof pair, &pair, &size);
}

/* 32-bit floating point has every sample of a device, except that 16 bits are enough for a file with 16 bits or less. */
static AudioStreamBasicDescription clientFormat(const AudioStreamBasicDescription *format) {
    AudioStreamBasicDescription client = {0};
    bool isShort = format->mFormatID == kAudioFormatLinearPCM && format->mBitsPerChannel <= 16;
    client.mSampleRate = format->mSampleRate;
    client.mFormatID = kAudioFormatLinearPCM;
    client.mFormatFlags = isShort ? kAudioFormatFlagIsSignedInteger | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked
                                  : kAudioFormatFlagsNativeFloatPacked;
    client.mChannelsPerFrame = format->mChannelsPerFrame;
    client.mBitsPerChannel = isShort ? 16 : 32;
    client.mFramesPerPacket = 1;
    client.mBytesPerFrame = client.mBytesPerPacket = client.mBitsPerChannel / 8 * client.mChannelsPerFrame;
    return client;
}

OSStatus recording_open(
    const char *path, const struct recording_settings *settings, void (*notify)(void), struct sound_recording **result) {
    *result = NULL;
    OSStatus status = recording_check(settings);
    if (status) return status;
    struct sound_recording *recording = calloc(1, sizeof *recording);
    if (!recording || !(recording->path = strdup(path))) {
        free(recording);
        return kAudio_MemFullError;
    }
    pthread_mutex_init(&recording->lock, NULL);
    recording->settings = *settings;
    recording->client = clientFormat(&settings->format);
    recording->notify = notify;
    queue_meters_clear(&recording->meters);
    *result = recording;
    return noErr;
}

void recording_close(struct sound_recording *recording) {
    recording_stop(recording);
    pthread_mutex_destroy(&recording->lock);
    free(recording->path);
    free(recording);
}

/* ---- The file ---- */

static void setEncoder(AudioConverterRef converter, AudioConverterPropertyID property, UInt32 value) {
    /* An encoder that refuses the value keeps its own. */
    toolbox.AudioConverterSetProperty(converter, property, sizeof value, &value);
}

/* The settings of the encoder, if the file has one. */
static void configureEncoder(struct sound_recording *recording) {
    const struct recording_settings *settings = &recording->settings;
    AudioConverterRef converter = NULL;
    UInt32 size = sizeof converter;
    if (toolbox.ExtAudioFileGetProperty(recording->file, kExtAudioFileProperty_AudioConverter, &size, &converter) || !converter)
        return;
    if (settings->bitRate) setEncoder(converter, kAudioConverterEncodeBitRate, settings->bitRate);
    if (settings->bitDepth) setEncoder(converter, kAudioConverterPropertyBitDepthHint, settings->bitDepth);
    if (settings->quality) setEncoder(converter, kAudioConverterCodecQuality, settings->quality - 1);
    if (settings->rateQuality) setEncoder(converter, kAudioConverterSampleRateConverterQuality, settings->rateQuality - 1);
    const void *changed = NULL;
    toolbox.ExtAudioFileSetProperty(recording->file, kExtAudioFileProperty_ConverterConfig, sizeof changed, &changed);
}

static OSStatus createFile(struct sound_recording *recording) {
    const struct recording_settings *settings = &recording->settings;
    OSStatus status = discarded_path(recording->path)
        ? discarded_create(&recording->discarded, settings->type, &settings->format, &recording->file)
        : toolbox.ExtAudioFileLinuxCreateWithPath(recording->path, settings->type, &settings->format,
              settings->hasLayout ? &settings->layout : NULL, kAudioFileFlags_EraseFile, &recording->file);
    if (status) return status;
    status = toolbox.ExtAudioFileSetProperty(
        recording->file, kExtAudioFileProperty_ClientDataFormat, sizeof recording->client, &recording->client);
    if (!status) configureEncoder(recording);
    return status;
}

static void fail(struct sound_recording *recording, OSStatus status) {
    recording->hasFailed = recording->events.hasFailed = true;
    recording->events.error = status;
}

/* The frames up to the limit. */
static UInt32 wantedFrames(const struct sound_recording *recording, AudioQueueBufferRef buffer) {
    UInt32 frames = buffer->mAudioDataByteSize / recording->client.mBytesPerFrame;
    SInt64 left = recording->limit - recording->frames;
    if (recording->limit > 0 && frames > left) frames = left > 0 ? (UInt32)left : 0;
    return recording->hasFailed ? 0 : frames;
}

/* Before the frames of the buffer are written. A queue numbers the frames that it loses as well. */
static void countLoss(struct sound_recording *recording, const AudioTimeStamp *start, UInt32 frames) {
    double missing = start->mSampleTime - recording->next;
    if (recording->next >= 0 && missing > 0) recording->lost += (SInt64)missing;
    recording->next = start->mSampleTime + frames;
}

static OSStatus writeFrames(struct sound_recording *recording, AudioQueueBufferRef buffer, UInt32 frames) {
    AudioBufferList list = {.mNumberBuffers = 1};
    list.mBuffers[0].mNumberChannels = recording->client.mChannelsPerFrame;
    list.mBuffers[0].mDataByteSize = frames * recording->client.mBytesPerFrame;
    list.mBuffers[0].mData = buffer->mAudioData;
    return toolbox.ExtAudioFileWrite(recording->file, frames, &list);
}

static bool isComplete(const struct sound_recording *recording) {
    return recording->limit > 0 && recording->frames >= recording->limit;
}

/* The thread of the queue writes without the lock: a disk that takes its time does not hold the main thread. */
static void receiveBuffer(void *context, AudioQueueRef queue, AudioQueueBufferRef buffer, const AudioTimeStamp *start,
    UInt32 count, const AudioStreamPacketDescription *packets) {
    (void)count, (void)packets;
    struct sound_recording *recording = context;
    pthread_mutex_lock(&recording->lock);
    bool wasComplete = isComplete(recording), hadFailed = recording->hasFailed;
    UInt32 frames = wantedFrames(recording, buffer);
    if (frames > 0) countLoss(recording, start, buffer->mAudioDataByteSize / recording->client.mBytesPerFrame);
    pthread_mutex_unlock(&recording->lock);
    OSStatus written = frames > 0 ? writeFrames(recording, buffer, frames) : noErr;
    pthread_mutex_lock(&recording->lock);
    if (written)
        fail(recording, written);
    else
        recording->frames += frames;
    recording->behind = start->mSampleTime + buffer->mAudioDataByteSize / recording->client.mBytesPerFrame;
    bool ends = isComplete(recording) && !wasComplete;
    /* Without the buffer the next sound would have a gap. */
    OSStatus status = recording->isStopping ? noErr : toolbox.AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
    if (status && !isComplete(recording) && !recording->hasFailed) fail(recording, status);
    bool isNew = ends || (recording->hasFailed && !hadFailed);
    pthread_mutex_unlock(&recording->lock);
    if (isNew) recording->notify();
}

/* The queue has stopped by an event of the session. The report can come when the program has already started the queue again. */
static void queueRuns(void *context, AudioQueueRef queue, AudioQueuePropertyID property) {
    struct sound_recording *recording = context;
    UInt32 isRunning = 0, size = sizeof isRunning;
    if (toolbox.AudioQueueGetProperty(queue, property, &isRunning, &size)) return;
    pthread_mutex_lock(&recording->lock);
    if (isRunning) {
        recording->isStarting = false;
    } else if (recording->state == RECORDING_RUNNING && !recording->isStopping && !recording->isStarting) {
        recording->state = RECORDING_PAUSED;
        recording->wasStopped = true;
    }
    pthread_mutex_unlock(&recording->lock);
}

static OSStatus openQueue(struct sound_recording *recording) {
    OSStatus status = toolbox.AudioQueueNewInput(&recording->client, receiveBuffer, recording, NULL, NULL, 0, &recording->queue);
    UInt32 bytes = (UInt32)(recording->client.mSampleRate * secondsOfBuffer) * recording->client.mBytesPerFrame;
    for (unsigned i = 0; i < BUFFERS && !status; i++) {
        AudioQueueBufferRef buffer;
        status = toolbox.AudioQueueAllocateBuffer(recording->queue, bytes, &buffer);
        if (!status) status = toolbox.AudioQueueEnqueueBuffer(recording->queue, buffer, 0, NULL);
    }
    if (status) return status;
    queue_meters_enable(recording->queue, recording->hasMeters);
    return toolbox.AudioQueueAddPropertyListener(recording->queue, kAudioQueueProperty_IsRunning, queueRuns, recording);
}

OSStatus recording_prepare(struct sound_recording *recording) {
    if (!recording) return kAudio_ParamError;
    if (recording->file) return noErr;
    recording->isStopping = recording->hasFailed = false;
    recording->frames = recording->limit = recording->lost = 0;
    recording->next = -1;
    recording->behind = 0;
    OSStatus status = createFile(recording);
    if (!status) status = openQueue(recording);
    if (status) recording_stop(recording);
    return status;
}

/* ---- Start and stop ---- */

/* The frames of the file, and those that are captured and not yet written. */
static SInt64 capturedFrames(struct sound_recording *recording) {
    AudioTimeStamp now = {0};
    bool isKnown = toolbox.AudioQueueGetCurrentTime(recording->queue, NULL, &now, NULL) == noErr;
    pthread_mutex_lock(&recording->lock);
    double waiting = isKnown ? now.mSampleTime - recording->behind : 0;
    SInt64 frames = recording->frames + (waiting > 0 ? (SInt64)waiting : 0);
    pthread_mutex_unlock(&recording->lock);
    return frames;
}

OSStatus recording_start(struct sound_recording *recording, const AudioTimeStamp *start, SInt64 limit) {
    if (!recording) return kAudio_ParamError;
    OSStatus status = recording_prepare(recording);
    if (status) return status;
    UInt32 isRunning = 0, size = sizeof isRunning;
    toolbox.AudioQueueGetProperty(recording->queue, kAudioQueueProperty_IsRunning, &isRunning, &size);
    SInt64 end = limit > 0 ? capturedFrames(recording) + limit : 0;
    pthread_mutex_lock(&recording->lock);
    enum recording_state before = recording->state;
    recording->state = RECORDING_RUNNING;
    recording->wasStopped = false;
    if (before != RECORDING_RUNNING) recording->isStarting = !isRunning;
    recording->limit = end;
    pthread_mutex_unlock(&recording->lock);
    if (before != RECORDING_RUNNING) status = toolbox.AudioQueueStart(recording->queue, start);
    if (status) {
        pthread_mutex_lock(&recording->lock);
        recording->state = before;
        pthread_mutex_unlock(&recording->lock);
    }
    return status;
}

void recording_pause(struct sound_recording *recording) {
    if (!recording) return;
    pthread_mutex_lock(&recording->lock);
    bool isRunning = recording->state == RECORDING_RUNNING;
    if (isRunning) recording->state = RECORDING_PAUSED;
    recording->wasStopped = false;
    pthread_mutex_unlock(&recording->lock);
    if (isRunning) toolbox.AudioQueuePause(recording->queue);
}

bool recording_stop(struct sound_recording *recording) {
    if (!recording) return false;
    bool hadFile = recording->file != NULL;
    pthread_mutex_lock(&recording->lock);
    recording->isStopping = true;
    recording->state = RECORDING_STOPPED;
    recording->wasStopped = false;
    pthread_mutex_unlock(&recording->lock);
    /* The queue returns the frames of its last buffer by the callback. */
    OSStatus status = recording->queue ? toolbox.AudioQueueStop(recording->queue, true) : noErr;
    if (recording->queue) toolbox.AudioQueueDispose(recording->queue, true);
    OSStatus closing = recording->file ? toolbox.ExtAudioFileDispose(recording->file) : noErr;
    discarded_close(&recording->discarded);
    recording->queue = NULL;
    recording->file = NULL;
    bool isWhole = !status || isComplete(recording);
    return hadFile && isWhole && !closing && !recording->hasFailed;
}

bool recording_has_file(struct sound_recording *recording) {
    if (!recording) return false;
    return recording->file != NULL;
}

bool recording_is_running(struct sound_recording *recording) {
    if (!recording) return false;
    pthread_mutex_lock(&recording->lock);
    bool isRunning = recording->state == RECORDING_RUNNING;
    pthread_mutex_unlock(&recording->lock);
    return isRunning;
}

const AudioStreamBasicDescription *recording_format(const struct sound_recording *recording) {
    if (!recording) return &noFormat;
    return &recording->settings.format;
}

double recording_rate(const struct sound_recording *recording) {
    if (!recording) return 0;
    return recording->client.mSampleRate;
}

double recording_time(struct sound_recording *recording) {
    if (!recording) return 0;
    AudioTimeStamp now = {0};
    pthread_mutex_lock(&recording->lock);
    SInt64 frames = recording->state == RECORDING_STOPPED ? 0 : recording->frames, limit = recording->limit;
    bool hasTime = recording->state != RECORDING_STOPPED;
    pthread_mutex_unlock(&recording->lock);
    /* The queue has recorded more than it has delivered. */
    if (hasTime && toolbox.AudioQueueGetCurrentTime(recording->queue, NULL, &now, NULL) == noErr &&
        now.mSampleTime > (double)frames)
        frames = (SInt64)now.mSampleTime;
    if (limit > 0 && frames > limit) frames = limit;
    return (double)frames / recording->client.mSampleRate;
}

SInt64 recording_lost_frames(struct sound_recording *recording) {
    if (!recording) return 0;
    pthread_mutex_lock(&recording->lock);
    SInt64 lost = recording->lost;
    pthread_mutex_unlock(&recording->lock);
    return lost;
}

/* ---- Levels and events ---- */

bool recording_has_meters(const struct sound_recording *recording) {
    if (!recording) return false;
    return recording->hasMeters;
}

void recording_enable_meters(struct sound_recording *recording, bool on) {
    if (!recording) return;
    recording->hasMeters = on;
    if (recording->queue) queue_meters_enable(recording->queue, on);
    if (!on) queue_meters_clear(&recording->meters);
}

void recording_read_meters(struct sound_recording *recording) {
    if (!recording) return;
    if (recording->hasMeters) queue_meters_read(&recording->meters, recording->queue);
}

AudioQueueLevelMeterState recording_meter(const struct sound_recording *recording, unsigned long channel) {
    if (!recording) return queue_meters_state(NULL, 0);
    return queue_meters_state(&recording->meters, channel);
}

static bool hasEnded(const struct sound_recording *recording) { return isComplete(recording) || recording->hasFailed; }

struct recording_events recording_take_events(struct sound_recording *recording) {
    struct recording_events none = {false, false, noErr};
    if (!recording) return none;
    pthread_mutex_lock(&recording->lock);
    struct recording_events events = recording->events;
    recording->events = none;
    /* Not stored: the program may have begun another recording since the end of this one. */
    events.hasEnded = hasEnded(recording);
    pthread_mutex_unlock(&recording->lock);
    return events;
}

bool recording_has_ended(struct sound_recording *recording) {
    if (!recording) return false;
    pthread_mutex_lock(&recording->lock);
    bool has = hasEnded(recording);
    pthread_mutex_unlock(&recording->lock);
    return has;
}

bool recording_interrupt(struct sound_recording *recording) {
    if (!recording) return false;
    pthread_mutex_lock(&recording->lock);
    bool wasStopped = recording->wasStopped || recording->state == RECORDING_RUNNING;
    if (wasStopped) recording->state = RECORDING_PAUSED;
    recording->wasStopped = false;
    pthread_mutex_unlock(&recording->lock);
    return wasStopped;
}

void recording_hold(struct sound_recording *recording) {
    if (recording_interrupt(recording)) toolbox.AudioQueuePause(recording->queue);
}
