/* SPDX-License-Identifier: Apache-2.0 */
/* A file that an audio queue records: the queue delivers linear PCM, and an ExtAudioFile converts and encodes it. */
#ifndef SOUNDRECORDING_H
#define SOUNDRECORDING_H

#include <AudioToolbox/AudioToolbox.h>
#include <stdbool.h>

struct sound_recording;

enum { RECORDING_MOST_CHANNELS = 8 };

struct recording_settings {
    AudioFileTypeID type;
    AudioStreamBasicDescription format;
    /* With room for the descriptions of all channels. */
    AudioChannelLayout layout;
    AudioChannelDescription further[RECORDING_MOST_CHANNELS - 1];
    bool hasLayout;
    /* Settings of the encoder. 0: the encoder selects the value. `quality` and `rateQuality` are the converter's value plus 1. */
    UInt32 bitRate, bitDepth, quality, rateQuality;
};

/* The events since the last call of recording_take_events, and the state at this call. */
struct recording_events {
    bool hasEnded;  /* as recording_has_ended */
    bool hasFailed; /* since the last call, also in a former recording */
    OSStatus error;
};

/* The type of files with this extension; 0 for one that is not known. */
AudioFileTypeID recording_type(const char *extension);
/* Whether such files can have such sound. */
OSStatus recording_check(const struct recording_settings *settings);

/* `notify` is called on the queue's thread when there are events. */
OSStatus recording_open(
    const char *path, const struct recording_settings *settings, void (*notify)(void), struct sound_recording **recording);
void recording_close(struct sound_recording *recording);

/* Creates the file. */
OSStatus recording_prepare(struct sound_recording *recording);
/* NULL: as soon as possible. A limit of 0 frames: none. */
OSStatus recording_start(struct sound_recording *recording, const AudioTimeStamp *start, SInt64 limit);
void recording_pause(struct sound_recording *recording);
/* Completes the file. False if there was none, or if it could not be written. */
bool recording_stop(struct sound_recording *recording);
bool recording_has_file(struct sound_recording *recording);
bool recording_is_running(struct sound_recording *recording);
const AudioStreamBasicDescription *recording_format(const struct sound_recording *recording);
double recording_rate(const struct sound_recording *recording);
double recording_time(struct sound_recording *recording);
/* The frames of the microphone that the file lacks, because the machine was too slow. */
SInt64 recording_lost_frames(struct sound_recording *recording);

bool recording_has_meters(const struct sound_recording *recording);
void recording_enable_meters(struct sound_recording *recording, bool on);
void recording_read_meters(struct sound_recording *recording);
AudioQueueLevelMeterState recording_meter(const struct sound_recording *recording, unsigned long channel);

struct recording_events recording_take_events(struct sound_recording *recording);
/* The present recording has the wanted frames, or has failed. */
bool recording_has_ended(struct sound_recording *recording);
/* The session has been interrupted. Returns whether the recording was stopped by that. */
bool recording_interrupt(struct sound_recording *recording);
/* The session stops the sound without an interruption: the queue may not have been told yet, and does not run after the return. */
void recording_hold(struct sound_recording *recording);

#endif
