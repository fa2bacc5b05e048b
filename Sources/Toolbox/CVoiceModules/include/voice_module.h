/* SPDX-License-Identifier: Apache-2.0 */
/* The private interface between libAudioToolbox and the module of its voice processing, a shared object of the same version that
   is linked with libspeexdsp. The module exports one function, audiotoolbox_voice. */
#ifndef VOICE_MODULE_H
#define VOICE_MODULE_H

#include <stdbool.h>
#include <stdint.h>

/* Incremented with every change of this file. */
enum { VOICE_INTERFACE_VERSION = 1 };

/* Echo cancellation, noise suppression and gain control of one microphone. One thread at a time uses a processor. */
struct voice_processor;

struct voice_module {
    uint32_t version; /* VOICE_INTERFACE_VERSION */
    /* Processes blocks of `frame` mono samples, and echoes of up to `tail` samples. NULL when memory is exhausted. */
    struct voice_processor *(*create)(int32_t rate, int32_t frame, int32_t tail);
    void (*destroy)(struct voice_processor *processor);
    /* Does not allocate. */
    void (*set_gain_control)(struct voice_processor *processor, bool on);
    /* Processes the captured frames, with the frames that were played at the same time. Does not allocate. */
    void (*process)(struct voice_processor *processor, const int16_t *captured, const int16_t *played, int16_t *output);
};

/* Returns NULL for another version. */
typedef const struct voice_module *voice_module_entry(uint32_t version);
voice_module_entry audiotoolbox_voice;

#endif
