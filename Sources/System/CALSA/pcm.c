/* SPDX-License-Identifier: Apache-2.0 */
#include "CALSA.h"

#include "direct.h"

#include <stdio.h>

enum { USUAL_RATE = 48000, USUAL_PERIOD = 1024, USUAL_CHANNELS = 2, PERIODS_A_BUFFER = 4 };

/* Chooses the parameters in the order of most programs: each choice restricts the following ones. */
static int choose(
    snd_pcm_t *pcm, snd_pcm_hw_params_t *params, uint32_t wanted_rate, double period_seconds, struct alsa_format *out) {
    unsigned rate = wanted_rate ? wanted_rate : USUAL_RATE, channels = USUAL_CHANNELS;
    snd_pcm_uframes_t period, buffer;
    int error = snd_pcm_hw_params_any(pcm, params);
    if (error < 0) return error;
    /* Requests the access and the sample format of most programs. A device that does not support them chooses others. */
    (void)snd_pcm_hw_params_set_access(pcm, params, SND_PCM_ACCESS_RW_INTERLEAVED);
    (void)snd_pcm_hw_params_set_format(pcm, params, SND_PCM_FORMAT_S16);
    (void)snd_pcm_hw_params_set_rate_resample(pcm, params, 0);
    error = snd_pcm_hw_params_set_channels_near(pcm, params, &channels);
    if (error < 0) return error;
    error = snd_pcm_hw_params_set_rate_near(pcm, params, &rate, NULL);
    if (error < 0) return error;
    double frames = period_seconds > 0 ? period_seconds * rate + 0.5 : USUAL_PERIOD;
    period = frames < 1 ? 1 : frames > 1 << 24 ? 1 << 24 : (snd_pcm_uframes_t)frames;
    error = snd_pcm_hw_params_set_period_size_near(pcm, params, &period, NULL);
    if (error < 0) return error;
    buffer = period * PERIODS_A_BUFFER;
    error = snd_pcm_hw_params_set_buffer_size_near(pcm, params, &buffer);
    if (error < 0) return error;
    *out = (struct alsa_format){.rate = rate, .period = (uint32_t)period, .buffer = (uint32_t)buffer, .channels = channels};
    return 0;
}

int alsa_pcm_ask(uint32_t card, uint32_t device, bool playback, uint32_t rate, double period_seconds, struct alsa_format *out) {
    char name[48];
    snd_pcm_t *pcm;
    snd_pcm_hw_params_t *params;
    snd_config_t *configuration;
    snd_pcm_hw_params_alloca(&params);
    int error = direct_configuration(&configuration);
    if (error < 0) return error;
    snprintf(name, sizeof name, "kernel:%u,%u", card, device);
    snd_pcm_stream_t direction = playback ? SND_PCM_STREAM_PLAYBACK : SND_PCM_STREAM_CAPTURE;
    error = snd_pcm_open_lconf(&pcm, name, direction, SND_PCM_NONBLOCK, configuration);
    snd_config_delete(configuration);
    if (error < 0) return error;
    error = choose(pcm, params, rate, period_seconds, out);
    snd_pcm_close(pcm);
    return error;
}
