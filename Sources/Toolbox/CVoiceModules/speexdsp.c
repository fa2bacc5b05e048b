/* SPDX-License-Identifier: Apache-2.0 */
/* The voice processing of libspeexdsp. make builds the module of this file. libAudioToolbox does not contain it, so that a program
   without VoiceProcessingIO does not load libspeexdsp. */
#ifdef CONTAINS_VOICE_MODULE
#include "voice_module.h"

#include <speex/speex_echo.h>
#include <speex/speex_preprocess.h>
#include <stdlib.h>

struct voice_processor {
    SpeexEchoState *echo;
    SpeexPreprocessState *preprocess;
};

static void destroy(struct voice_processor *processor) {
    if (processor->echo) speex_echo_state_destroy(processor->echo);
    if (processor->preprocess) speex_preprocess_state_destroy(processor->preprocess);
    free(processor);
}

static struct voice_processor *create(int32_t rate, int32_t frame, int32_t tail) {
    struct voice_processor *processor = calloc(1, sizeof *processor);
    int on = 1;
    if (!processor) return NULL;
    processor->echo = speex_echo_state_init(frame, tail);
    processor->preprocess = speex_preprocess_state_init(frame, rate);
    if (!processor->echo || !processor->preprocess) {
        destroy(processor);
        return NULL;
    }
    speex_echo_ctl(processor->echo, SPEEX_ECHO_SET_SAMPLING_RATE, &rate);
    speex_preprocess_ctl(processor->preprocess, SPEEX_PREPROCESS_SET_ECHO_STATE, processor->echo);
    speex_preprocess_ctl(processor->preprocess, SPEEX_PREPROCESS_SET_DENOISE, &on);
    return processor;
}

static void set_gain_control(struct voice_processor *processor, bool on) {
    int value = on;
    speex_preprocess_ctl(processor->preprocess, SPEEX_PREPROCESS_SET_AGC, &value);
}

static void process(struct voice_processor *processor, const int16_t *captured, const int16_t *played, int16_t *output) {
    speex_echo_cancellation(processor->echo, captured, played, output);
    speex_preprocess_run(processor->preprocess, output);
}

static const struct voice_module module = {VOICE_INTERFACE_VERSION, create, destroy, set_gain_control, process};

__attribute__((visibility("default"))) const struct voice_module *audiotoolbox_voice(uint32_t version) {
    return version == VOICE_INTERFACE_VERSION ? &module : NULL;
}
#endif
