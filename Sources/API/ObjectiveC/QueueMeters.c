/* SPDX-License-Identifier: Apache-2.0 */
#include "QueueMeters.h"

#include "LoadedToolbox.h"

static const AudioQueueLevelMeterState silence = {-160, -160};

void queue_meters_enable(AudioQueueRef queue, bool on) {
    UInt32 flag = on;
    toolbox.AudioQueueSetProperty(queue, kAudioQueueProperty_EnableLevelMetering, &flag, sizeof flag);
}

void queue_meters_clear(struct queue_meters *meters) {
    for (unsigned i = 0; i < QUEUE_CHANNELS; i++) meters->states[i] = silence;
}

void queue_meters_read(struct queue_meters *meters, AudioQueueRef queue) {
    AudioStreamBasicDescription format;
    UInt32 size = sizeof format;
    queue_meters_clear(meters);
    if (!queue || toolbox.AudioQueueGetProperty(queue, kAudioQueueProperty_StreamDescription, &format, &size)) return;
    UInt32 channels = format.mChannelsPerFrame < QUEUE_CHANNELS ? format.mChannelsPerFrame : QUEUE_CHANNELS;
    size = channels * (UInt32)sizeof *meters->states;
    if (toolbox.AudioQueueGetProperty(queue, kAudioQueueProperty_CurrentLevelMeterDB, meters->states, &size))
        queue_meters_clear(meters);
}

AudioQueueLevelMeterState queue_meters_state(const struct queue_meters *meters, unsigned long channel) {
    return meters && channel < QUEUE_CHANNELS ? meters->states[channel] : silence;
}
