/* SPDX-License-Identifier: Apache-2.0 */
#include "CHalf.h"

#include <AudioToolbox/AudioToolbox.h>
#include <alsa/asoundlib.h>
#include <stdio.h>
#include <string.h>

static char received[512], last[512];

static void note(const char *line) {
    strncat(received, line, sizeof received - strlen(received) - 1);
    strncat(received, ";", sizeof received - strlen(received) - 1);
}

static void interrupted(void *unused, UInt32 state) {
    (void)unused;
    note(state == kAudioSessionBeginInterruption ? "begin" : "end");
}

static void changed(void *unused, AudioSessionPropertyID id, UInt32 size, const void *data) {
    const char name[] = {(char)(id >> 24), (char)(id >> 16), (char)(id >> 8), (char)id, 0};
    (void)unused, (void)size, (void)data;
    note(name);
}

int32_t c_initialize(void) { return AudioSessionInitialize(NULL, NULL, interrupted, NULL); }
int32_t c_set_active(int active) { return AudioSessionSetActive(active != 0); }
int32_t c_set(uint32_t property, uint32_t value) { return AudioSessionSetProperty(property, sizeof value, &value); }
int32_t c_get(uint32_t property, uint32_t *value) {
    UInt32 size = sizeof *value;
    return AudioSessionGetProperty(property, &size, value);
}
int32_t c_get_float(uint32_t property, float *value) {
    UInt32 size = sizeof *value;
    return AudioSessionGetProperty(property, &size, value);
}
int32_t c_listen(uint32_t property) { return AudioSessionAddPropertyListener(property, changed, NULL); }
int32_t c_simulate(const char *command) { return AudioSessionLinuxSimulate(command); }

static snd_pcm_t *pcm;

int32_t c_play(void) {
    enum { FRAMES = 48000 };
    static int16_t silence[FRAMES * 2];
    int result = snd_pcm_open(&pcm, "audiosession", SND_PCM_STREAM_PLAYBACK, 0);
    if (result < 0) return result;
    result = snd_pcm_set_params(pcm, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 2, FRAMES, 1, 1000000);
    if (result < 0) return result;
    snd_pcm_sframes_t written = snd_pcm_writei(pcm, silence, FRAMES);
    return written < 0 ? (int32_t)written : snd_pcm_pause(pcm, 1);
}

void c_stop(void) {
    if (pcm) snd_pcm_close(pcm);
    pcm = NULL;
}

const char *c_received(void) {
    memcpy(last, received, sizeof last);
    received[0] = 0;
    return last;
}
