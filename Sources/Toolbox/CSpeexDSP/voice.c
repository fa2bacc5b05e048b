/* SPDX-License-Identifier: Apache-2.0 */
#include "CSpeexDSP.h"

#include <speex/speex_echo.h>
#include <speex/speex_preprocess.h>
#include <stdlib.h>

struct speexdsp_voice {
    SpeexEchoState *echo;
    SpeexPreprocessState *preprocess;
};

struct speexdsp_voice *speexdsp_voice_create(int32_t rate, int32_t frame, int32_t tail) {
    struct speexdsp_voice *voice = calloc(1, sizeof *voice);
    int on = 1;
    if (!voice) return NULL;
    voice->echo = speex_echo_state_init(frame, tail);
    voice->preprocess = speex_preprocess_state_init(frame, rate);
    if (!voice->echo || !voice->preprocess) {
        speexdsp_voice_destroy(voice);
        return NULL;
    }
    speex_echo_ctl(voice->echo, SPEEX_ECHO_SET_SAMPLING_RATE, &rate);
    speex_preprocess_ctl(voice->preprocess, SPEEX_PREPROCESS_SET_ECHO_STATE, voice->echo);
    speex_preprocess_ctl(voice->preprocess, SPEEX_PREPROCESS_SET_DENOISE, &on);
    return voice;
}

void speexdsp_voice_destroy(struct speexdsp_voice *voice) {
    if (voice->echo) speex_echo_state_destroy(voice->echo);
    if (voice->preprocess) speex_preprocess_state_destroy(voice->preprocess);
    free(voice);
}

void speexdsp_voice_set_gain_control(struct speexdsp_voice *voice, bool on) {
    int value = on;
    speex_preprocess_ctl(voice->preprocess, SPEEX_PREPROCESS_SET_AGC, &value);
}

void speexdsp_voice_process(struct speexdsp_voice *voice, const int16_t *captured, const int16_t *played, int16_t *output) {
    speex_echo_cancellation(voice->echo, captured, played, output);
    speex_preprocess_run(voice->preprocess, output);
}
