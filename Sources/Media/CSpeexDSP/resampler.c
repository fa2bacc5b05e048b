/* SPDX-License-Identifier: Apache-2.0 */
#include "CSpeexDSP.h"

#include <speex/speex_resampler.h>
#include <stddef.h>

static SpeexResamplerState *state(const struct speexdsp_resampler *resampler) { return (SpeexResamplerState *)resampler; }

struct speexdsp_resampler *speexdsp_resampler_create(
    uint32_t channels, uint32_t numerator, uint32_t denominator, int32_t quality) {
    int error = RESAMPLER_ERR_SUCCESS;
    SpeexResamplerState *created =
        speex_resampler_init_frac(channels, numerator, denominator, numerator, denominator, quality, &error);
    return (struct speexdsp_resampler *)created;
}

void speexdsp_resampler_destroy(struct speexdsp_resampler *resampler) { speex_resampler_destroy(state(resampler)); }

void speexdsp_resampler_start(struct speexdsp_resampler *resampler) {
    const float input[SPEEXDSP_RESAMPLER_CHANNELS] = {0};
    float output[SPEEXDSP_RESAMPLER_CHANNELS];
    uint32_t input_frames = 1, output_frames = 1;
    speexdsp_resampler_process(resampler, input, &input_frames, output, &output_frames);
}

/* speex_resampler_reset_mem clears the memory of the first channel, and only a part of the others. Silence of the length of the
   filter replaces the rest: the resampler consumes the input that precedes the next output frame without a computation. */
static void push_silence(struct speexdsp_resampler *resampler) {
    float output[SPEEXDSP_RESAMPLER_CHANNELS];
    for (int half = 0; half < 2; half++) {
        uint32_t input_frames = speexdsp_resampler_input_latency(resampler), output_frames = 1;
        speex_resampler_skip_zeros(state(resampler));
        speexdsp_resampler_process(resampler, NULL, &input_frames, output, &output_frames);
    }
}

void speexdsp_resampler_reset(struct speexdsp_resampler *resampler) {
    /* The first call ends the frames that a shorter filter has left. They precede the silence. */
    speex_resampler_reset_mem(state(resampler));
    push_silence(resampler);
    speex_resampler_reset_mem(state(resampler));
}

void speexdsp_resampler_skip_latency(struct speexdsp_resampler *resampler) { speex_resampler_skip_zeros(state(resampler)); }

bool speexdsp_resampler_set_ratio(struct speexdsp_resampler *resampler, uint32_t numerator, uint32_t denominator) {
    return speex_resampler_set_rate_frac(state(resampler), numerator, denominator, numerator, denominator) ==
        RESAMPLER_ERR_SUCCESS;
}

uint32_t speexdsp_resampler_input_latency(const struct speexdsp_resampler *resampler) {
    return (uint32_t)speex_resampler_get_input_latency(state(resampler));
}

void speexdsp_resampler_process(
    struct speexdsp_resampler *resampler, const float *input, uint32_t *input_frames, float *output, uint32_t *output_frames) {
    speex_resampler_process_interleaved_float(state(resampler), input, input_frames, output, output_frames);
}
