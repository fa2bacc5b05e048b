/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of libspeexdsp that the library makes. */
#ifndef CSPEEXDSP_H
#define CSPEEXDSP_H

#include <stdbool.h>
#include <stdint.h>

struct speexdsp_resampler;

/* The maximum number of channels. */
enum { SPEEXDSP_RESAMPLER_CHANNELS = 8 };

/* The ratio is input frames / output frames. Returns NULL when memory is exhausted. */
struct speexdsp_resampler *speexdsp_resampler_create(
    uint32_t channels, uint32_t numerator, uint32_t denominator, int32_t quality);
void speexdsp_resampler_destroy(struct speexdsp_resampler *resampler);
/* Ends the state before the first frame. In that state a new ratio does not keep the position. */
void speexdsp_resampler_start(struct speexdsp_resampler *resampler);
/* Discards all input of all channels. Neither allocates nor computes output. */
void speexdsp_resampler_reset(struct speexdsp_resampler *resampler);
/* Drops the output that precedes the first input frame. Called directly after the start or a reset. */
void speexdsp_resampler_skip_latency(struct speexdsp_resampler *resampler);
/* Returns false when the ratio is not applied. Allocates when the filter is longer than any before. */
bool speexdsp_resampler_set_ratio(struct speexdsp_resampler *resampler, uint32_t numerator, uint32_t denominator);
/* The latency of the output in input frames. */
uint32_t speexdsp_resampler_input_latency(const struct speexdsp_resampler *resampler);
/* Converts interleaved frames; NULL stands for silence. The counts are the sizes of the buffers, and then the numbers of consumed and produced frames. */
void speexdsp_resampler_process(
    struct speexdsp_resampler *resampler, const float *input, uint32_t *input_frames, float *output, uint32_t *output_frames);

/* ---- voice processing: echo cancellation, noise suppression, gain control ---- */

struct speexdsp_voice;

/* Processes blocks of `frame` mono samples, and echoes of up to `tail` samples. NULL when memory is exhausted. */
struct speexdsp_voice *speexdsp_voice_create(int32_t rate, int32_t frame, int32_t tail);
void speexdsp_voice_destroy(struct speexdsp_voice *voice);
/* Does not allocate. */
void speexdsp_voice_set_gain_control(struct speexdsp_voice *voice, bool on);
/* Processes the captured frames, with the frames that were played at the same time. Does not allocate. */
void speexdsp_voice_process(struct speexdsp_voice *voice, const int16_t *captured, const int16_t *played, int16_t *output);

#endif
