/* SPDX-License-Identifier: Apache-2.0 */
/* Copies samples between the layouts of other libraries and the interleaved layout of this library. */
#ifndef CODEC_SAMPLES_H
#define CODEC_SAMPLES_H

#include "codec_module.h"

#include <string.h>

struct sample_source {
    uint32_t kind; /* CODEC_INT16 … */
    uint32_t channels;
    uint32_t is_planar; /* each channel has a plane; otherwise there is one plane */
    const uint8_t *const *planes;
};

/* Copies words of 2 or 4 bytes with a stride. */
#define COPY_STRIDED(type) \
    for (uint32_t i = 0; i < count; i++) ((type *)to)[(size_t)i * to_step] = ((const type *)from)[(size_t)i * from_step]

static inline void copy_channel(const void *from, uint32_t from_step, void *to, uint32_t to_step, uint32_t count, uint32_t kind) {
    if (kind == CODEC_INT16)
        COPY_STRIDED(uint16_t);
    else
        COPY_STRIDED(uint32_t);
}

static inline float sample_value(const void *from, size_t index, uint32_t kind) {
    return kind == CODEC_INT16 ? (float)((const int16_t *)from)[index] / 32768.0f
                               : (float)((const int32_t *)from)[index] / 2147483648.0f;
}

/* False for samples that no codec converts. */
static inline int convert_channel(
    const void *from, uint32_t from_step, uint32_t from_kind, void *to, uint32_t to_step, uint32_t to_kind, uint32_t count) {
    if (from_kind == CODEC_FLOAT32) return 0;
    for (uint32_t i = 0; i < count; i++) {
        size_t source = (size_t)i * from_step, target = (size_t)i * to_step;
        if (to_kind == CODEC_FLOAT32)
            ((float *)to)[target] = sample_value(from, source, from_kind);
        else if (to_kind == CODEC_INT32)
            ((int32_t *)to)[target] = (int32_t)((uint32_t)(int32_t)((const int16_t *)from)[source] << 16);
        else
            ((int16_t *)to)[target] = (int16_t)(((const int32_t *)from)[source] >> 16);
    }
    return 1;
}

/* Interleaves two planes of samples, the most frequent case, in a loop that the compiler vectorizes. */
static inline void join_words(
    const uint32_t *restrict left, const uint32_t *restrict right, uint32_t *restrict to, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        to[2 * (size_t)i] = left[i];
        to[2 * (size_t)i + 1] = right[i];
    }
}

static inline void join_halves(
    const uint16_t *restrict left, const uint16_t *restrict right, uint16_t *restrict to, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        to[2 * (size_t)i] = left[i];
        to[2 * (size_t)i + 1] = right[i];
    }
}

/* Fills channels that the source does not have with silence. False for samples that no codec converts. */
static inline int copy_samples(const struct sample_source *source, uint32_t count, void *to, uint32_t kind, uint32_t channels) {
    uint32_t size = kind == CODEC_INT16 ? 2 : 4, source_size = source->kind == CODEC_INT16 ? 2 : 4;
    if (source->kind == kind && source->channels == channels && (!source->is_planar || channels == 1)) {
        memcpy(to, source->planes[0], (size_t)count * channels * size);
        return 1;
    }
    if (source->kind == kind && source->channels == 2 && channels == 2 && source->is_planar) {
        if (size == 2)
            join_halves((const uint16_t *)source->planes[0], (const uint16_t *)source->planes[1], to, count);
        else
            join_words((const uint32_t *)source->planes[0], (const uint32_t *)source->planes[1], to, count);
        return 1;
    }
    if (source->channels < channels) memset(to, 0, (size_t)count * channels * size);
    for (uint32_t channel = 0; channel < channels && channel < source->channels; channel++) {
        const uint8_t *from = source->is_planar ? source->planes[channel] : source->planes[0] + (size_t)channel * source_size;
        uint32_t step = source->is_planar ? 1 : source->channels;
        uint8_t *target = (uint8_t *)to + (size_t)channel * size;
        if (source->kind == kind)
            copy_channel(from, step, target, channels, count, kind);
        else if (!convert_channel(from, step, source->kind, target, channels, kind, count))
            return 0;
    }
    return 1;
}

/* Copies interleaved samples to a plane for each channel. */
static inline void split_samples(const void *from, uint32_t count, uint32_t channels, uint32_t kind, void *const *planes) {
    uint32_t size = kind == CODEC_INT16 ? 2 : 4;
    for (uint32_t channel = 0; channel < channels; channel++)
        copy_channel((const uint8_t *)from + (size_t)channel * size, channels, planes[channel], 1, count, kind);
}

#endif
