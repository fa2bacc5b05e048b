/* SPDX-License-Identifier: Apache-2.0 */
/* For the benchmarks that play: the formats, and a configured PCM. */
#ifndef PLAYING_H
#define PLAYING_H

#include <alsa/asoundlib.h>

static const struct way {
    snd_pcm_format_t format;
    unsigned channels;
} ways[] = {
    {SND_PCM_FORMAT_S16, 2},
    {SND_PCM_FORMAT_S32, 2},
    {SND_PCM_FORMAT_FLOAT, 2},
    {SND_PCM_FORMAT_S16, 8},
    {SND_PCM_FORMAT_S32, 8},
    {SND_PCM_FORMAT_FLOAT, 8},
};
enum { WAYS = sizeof ways / sizeof *ways, RATE = 48000 };

static inline size_t bytes_of(struct way way, snd_pcm_uframes_t frames) {
    return frames * way.channels * (size_t)snd_pcm_format_physical_width(way.format) / 8;
}

static inline void say_kind(char *text, size_t size, const char *name, struct way way, snd_pcm_uframes_t frames) {
    snprintf(text, size, "%s, %s, %u channels, %lu frames", name, snd_pcm_format_name(way.format), way.channels, frames);
}

/* A tone of this size. */
static inline char *sound_of(size_t bytes) {
    char *sound = malloc(bytes);
    REQUIRE(sound);
    for (size_t i = 0; i < bytes; i++) sound[i] = (char)(i * 31 % 61);
    return sound;
}

/* NULL when the PCM does not exist or does not support the format. */
static inline snd_pcm_t *opened(const char *pcm, struct way way, snd_pcm_uframes_t period, snd_pcm_uframes_t buffer) {
    snd_pcm_t *handle;
    if (snd_pcm_open(&handle, pcm, SND_PCM_STREAM_PLAYBACK, 0) < 0) return NULL;
    snd_pcm_hw_params_t *wanted;
    snd_pcm_hw_params_alloca(&wanted);
    if (snd_pcm_hw_params_any(handle, wanted) >= 0 &&
        snd_pcm_hw_params_set_access(handle, wanted, SND_PCM_ACCESS_RW_INTERLEAVED) >= 0 &&
        snd_pcm_hw_params_set_format(handle, wanted, way.format) >= 0 &&
        snd_pcm_hw_params_set_channels(handle, wanted, way.channels) >= 0 &&
        snd_pcm_hw_params_set_rate(handle, wanted, RATE, 0) >= 0 &&
        snd_pcm_hw_params_set_period_size_near(handle, wanted, &period, NULL) >= 0 &&
        snd_pcm_hw_params_set_buffer_size_near(handle, wanted, &buffer) >= 0 && snd_pcm_hw_params(handle, wanted) >= 0)
        return handle;
    snd_pcm_close(handle);
    return NULL;
}

#endif
