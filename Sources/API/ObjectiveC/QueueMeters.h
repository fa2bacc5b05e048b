/* SPDX-License-Identifier: Apache-2.0 */
/* The levels of an audio queue in dB, as they were at the last reading. */
#ifndef QUEUEMETERS_H
#define QUEUEMETERS_H

#include <AudioToolbox/AudioToolbox.h>
#include <stdbool.h>

enum { QUEUE_CHANNELS = 8 };

struct queue_meters {
    AudioQueueLevelMeterState states[QUEUE_CHANNELS];
};

void queue_meters_enable(AudioQueueRef queue, bool on);
void queue_meters_clear(struct queue_meters *meters);
/* A queue that does not run is silent. */
void queue_meters_read(struct queue_meters *meters, AudioQueueRef queue);
/* Silence for a channel that does not exist. */
AudioQueueLevelMeterState queue_meters_state(const struct queue_meters *meters, unsigned long channel);

#endif
