/* SPDX-License-Identifier: Apache-2.0 */
/* The replacement of RemoteIO in a port: a thread that calls the render procedure and plays the result on the device
   of the session, or on the PCM that LEGACY_DEVICE names. The test starts each cycle. */
#ifndef REMOTEIO_H
#define REMOTEIO_H

#include <AudioToolbox/AudioToolbox.h>
#include <alsa/asoundlib.h>
#include <pthread.h>
#include <stdlib.h>

typedef void (*RemoteIORender)(void *data, short *samples, int frames);

typedef struct RemoteIO {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t turned;
    int running, asked, done;
    RemoteIORender render;
    void *data;
} RemoteIO;

static __attribute__((unused)) void *RemoteIOThread(void *argument) {
    RemoteIO *unit = (RemoteIO *)argument;
    char name[128];
    UInt32 size = sizeof name;
    snd_pcm_t *pcm = NULL;
    short samples[512];
    const char *device = getenv("LEGACY_DEVICE");
    if (!device && AudioSessionLinuxCopyDeviceName(0, name, &size) == 0) device = name;
    if (device) snd_pcm_open(&pcm, device, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
    if (pcm) snd_pcm_set_params(pcm, SND_PCM_FORMAT_S16, SND_PCM_ACCESS_RW_INTERLEAVED, 1, 44100, 1, 100000);
    pthread_mutex_lock(&unit->lock);
    while (unit->running) {
        if (unit->done == unit->asked) {
            pthread_cond_wait(&unit->turned, &unit->lock);
            continue;
        }
        pthread_mutex_unlock(&unit->lock);
        unit->render(unit->data, samples, 512);
        if (pcm) (void)snd_pcm_writei(pcm, samples, 512);
        pthread_mutex_lock(&unit->lock);
        unit->done++;
        pthread_cond_broadcast(&unit->turned);
    }
    pthread_mutex_unlock(&unit->lock);
    if (pcm) snd_pcm_close(pcm);
    return NULL;
}

static __attribute__((unused)) void RemoteIOStart(RemoteIO *unit, RemoteIORender render, void *data) {
    if (unit->running) return;
    pthread_mutex_init(&unit->lock, NULL);
    pthread_cond_init(&unit->turned, NULL);
    unit->render = render;
    unit->data = data;
    unit->asked = unit->done = 0;
    unit->running = 1;
    pthread_create(&unit->thread, NULL, RemoteIOThread, unit);
}

static __attribute__((unused)) void RemoteIOStop(RemoteIO *unit) {
    if (!unit->running) return;
    pthread_mutex_lock(&unit->lock);
    unit->running = 0;
    pthread_cond_broadcast(&unit->turned);
    pthread_mutex_unlock(&unit->lock);
    pthread_join(unit->thread, NULL);
}

/* For the test: returns after this number of cycles. False when the unit does not run. */
static __attribute__((unused)) int RemoteIOTurn(RemoteIO *unit, int cycles) {
    if (!unit->running) return 0;
    pthread_mutex_lock(&unit->lock);
    unit->asked += cycles;
    pthread_cond_broadcast(&unit->turned);
    while (unit->running && unit->done < unit->asked) pthread_cond_wait(&unit->turned, &unit->lock);
    pthread_mutex_unlock(&unit->lock);
    return 1;
}

#endif
