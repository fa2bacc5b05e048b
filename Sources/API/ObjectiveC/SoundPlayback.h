/* SPDX-License-Identifier: Apache-2.0 */
/* A sound that an audio queue plays: the decoded frames of an ExtAudioFile, with loops and positions that are exact to a frame. */
#ifndef SOUNDPLAYBACK_H
#define SOUNDPLAYBACK_H

#include <AudioToolbox/AudioToolbox.h>
#include <stdbool.h>

struct sound_playback;

/* The events since the last call of playback_take_events. */
struct playback_events {
    bool hasFinished, isSuccess, hasFailed;
    OSStatus error;
};

/* `notify` is called on the queue's thread when there are events. The bytes, if there is no path, stay valid. */
OSStatus playback_open(const char *path, const void *bytes, size_t size, AudioFileTypeID hint, void (*notify)(void),
    struct sound_playback **playback);
/* The caller holds no lock. No callback runs after the return. */
void playback_close(struct sound_playback *playback);

const AudioStreamBasicDescription *playback_format(const struct sound_playback *playback);
double playback_duration(const struct sound_playback *playback);

OSStatus playback_prepare(struct sound_playback *playback);
/* NULL: as soon as possible. */
OSStatus playback_start(struct sound_playback *playback, const AudioTimeStamp *start);
void playback_pause(struct sound_playback *playback);
void playback_stop(struct sound_playback *playback);
bool playback_is_playing(struct sound_playback *playback);

double playback_time(struct sound_playback *playback);
OSStatus playback_set_time(struct sound_playback *playback, double seconds);
long playback_loops(struct sound_playback *playback);
void playback_set_loops(struct sound_playback *playback, long loops);
/* A parameter of the queue. */
void playback_set_parameter(struct sound_playback *playback, AudioQueueParameterID parameter, float value);
float playback_parameter(struct sound_playback *playback, AudioQueueParameterID parameter);
/* A change takes effect when the buffers are prepared again. */
bool playback_enables_rate(const struct sound_playback *playback);
void playback_enable_rate(struct sound_playback *playback, bool on);
/* 0.5 to 2; NaN changes nothing. It has an effect while the rate is enabled. */
float playback_rate(const struct sound_playback *playback);
void playback_set_rate(struct sound_playback *playback, float rate);
bool playback_has_meters(const struct sound_playback *playback);
void playback_enable_meters(struct sound_playback *playback, bool on);
/* The levels of the last playback_read_meters; -160 dB for a channel that does not exist. */
void playback_read_meters(struct sound_playback *playback);
AudioQueueLevelMeterState playback_meter(const struct sound_playback *playback, unsigned long channel);

struct playback_events playback_take_events(struct sound_playback *playback);
/* The session has been interrupted. Returns whether the sound was stopped by that. */
bool playback_interrupt(struct sound_playback *playback);
/* The session stops the sound without an interruption: the queue may not have been told yet, and does not run after the return. */
void playback_hold(struct sound_playback *playback);

#endif
