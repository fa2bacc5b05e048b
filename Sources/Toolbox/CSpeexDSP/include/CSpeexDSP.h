/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of libspeexdsp that the library makes: echo cancellation, noise suppression, gain control. */
#ifndef CSPEEXDSP_H
#define CSPEEXDSP_H

#include <stdbool.h>
#include <stdint.h>

struct speexdsp_voice;

/* Processes blocks of `frame` mono samples, and echoes of up to `tail` samples. NULL when memory is exhausted. */
struct speexdsp_voice *speexdsp_voice_create(int32_t rate, int32_t frame, int32_t tail);
void speexdsp_voice_destroy(struct speexdsp_voice *voice);
/* Does not allocate. */
void speexdsp_voice_set_gain_control(struct speexdsp_voice *voice, bool on);
/* Processes the captured frames, with the frames that were played at the same time. Does not allocate. */
void speexdsp_voice_process(struct speexdsp_voice *voice, const int16_t *captured, const int16_t *played, int16_t *output);

#endif
