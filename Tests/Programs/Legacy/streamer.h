/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STREAMER_H
#define STREAMER_H

#include <AudioToolbox/AudioToolbox.h>
#include <pthread.h>

#define AS_BUFFERS 3

typedef enum { AS_IDLE = 0, AS_STARTING, AS_PLAYING, AS_PAUSED, AS_STOPPING } AudioStreamState;

typedef struct AudioStreamer {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    AudioStreamState state;
    int pausedByInterruption, unpluggedOnce, packets, running;
    void (*stateChanged)(struct AudioStreamer *, const char *why);
    AudioQueueRef queue;
    AudioQueueBufferRef buffers[AS_BUFFERS];
    int inUse[AS_BUFFERS];
    UInt32 phase;
} AudioStreamer;

#ifdef __cplusplus
extern "C" {
#endif
AudioStreamer *AudioStreamerCreate(void (*stateChanged)(AudioStreamer *, const char *));
void AudioStreamerStart(AudioStreamer *streamer);
void AudioStreamerPause(AudioStreamer *streamer);
void AudioStreamerPlay(AudioStreamer *streamer);
void AudioStreamerStop(AudioStreamer *streamer);
void AudioStreamerDestroy(AudioStreamer *streamer);
#ifdef __cplusplus
}
#endif

#endif
