/* SPDX-License-Identifier: Apache-2.0 */
/* The private interface between libAudioToolbox and a module that converts sample rates in bulk. */
#ifndef RATE_MODULE_H
#define RATE_MODULE_H

#include <stddef.h>
#include <stdint.h>

enum { RATE_INTERFACE_VERSION = 1 };

struct rate_module {
    uint32_t version;
    const char *library;

    /* NULL: the rates are not supported, or memory is exhausted. `is_best`: the best quality instead of a high quality. */
    void *(*create)(double from, double to, uint32_t channels, int is_best);
    /* Converts interleaved frames. Sets the numbers of frames read and written: it may buffer frames, and write them later. The
       first frame of the output has the time of the first frame of the input. False: the conversion has failed. */
    int (*process)(void *resampler, const float *input, size_t frames, size_t *read, float *output, size_t room, size_t *written);
    int (*reset)(void *resampler);
    void (*destroy)(void *resampler);
};

/* Returns NULL for another version. */
typedef const struct rate_module *rate_module_entry(uint32_t version);
rate_module_entry audiotoolbox_rates;

#endif
