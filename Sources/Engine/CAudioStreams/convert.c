/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion between 32-bit float and the sample formats of devices. The compiler vectorizes each loop. */
#include "CAudioStreams.h"

#include <string.h>

static uint32_t bits_of(float sample) {
    uint32_t bits;
    memcpy(&bits, &sample, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits) {
    float sample;
    memcpy(&sample, &bits, sizeof sample);
    return sample;
}

/* The bits without the sign. Their order is the order of the values, and those of NaN are the largest. Comparing integers is fast
   in an emulator as well. */
static int32_t magnitude_of(float sample) { return (int32_t)(bits_of(sample) & 0x7FFFFFFF); }

enum { MAGNITUDE_OF_ONE = 0x3F800000, MAGNITUDE_OF_INFINITY = 0x7F800000 };

/* Limits a sample to -1...1. NaN becomes silence. */
static float limited(float sample) {
    int32_t magnitude = magnitude_of(sample);
    magnitude = magnitude > MAGNITUDE_OF_INFINITY ? 0 : magnitude;
    magnitude = magnitude > MAGNITUDE_OF_ONE ? MAGNITUDE_OF_ONE : magnitude;
    return float_of((uint32_t)magnitude | (bits_of(sample) & 0x80000000));
}

/* Rounds to the nearest integer. `highest` is the largest value of the format that a float can represent. */
static int32_t rounded(float sample, float scale, float highest) {
    float value = limited(sample) * scale;
    float high = value > highest ? highest : value;
    return (int32_t)(high + (high < 0 ? -0.5f : 0.5f));
}

/* Near 384 two neighbouring floats differ by 1 / 32768. Therefore the addition rounds, and a tie goes to the even value. */
static int32_t rounded16(float sample) { return (int32_t)(bits_of(sample + 384) - bits_of(384)); }

static void to16_limited(const float *restrict from, int16_t *restrict to, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int32_t value = rounded16(limited(from[i]));
        to[i] = (int16_t)(value > INT16_MAX ? INT16_MAX : value);
    }
}

static void to16(const float *restrict from, int16_t *restrict to, size_t count) {
    enum { BLOCK = 64 };
    for (size_t done = 0; done < count; done += BLOCK) {
        size_t length = count - done < BLOCK ? count - done : BLOCK;
        int32_t margin = 0;
        for (size_t i = done; i < done + length; i++) margin |= MAGNITUDE_OF_ONE - 1 - magnitude_of(from[i]);
        if (margin < 0) {
            to16_limited(from + done, to + done, length);
            continue;
        }
        for (size_t i = done; i < done + length; i++) {
            int32_t value = rounded16(from[i]);
            to[i] = (int16_t)(value > INT16_MAX ? INT16_MAX : value);
        }
    }
}

static void to24(const float *restrict from, int32_t *restrict to, size_t count) {
    for (size_t i = 0; i < count; i++) to[i] = rounded(from[i], 8388608, 8388607);
}

static void to24_packed(const float *restrict from, uint8_t *restrict to, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t sample = (uint32_t)rounded(from[i], 8388608, 8388607);
        to[3 * i] = (uint8_t)sample;
        to[3 * i + 1] = (uint8_t)(sample >> 8);
        to[3 * i + 2] = (uint8_t)(sample >> 16);
    }
}

/* A float has 24 bits: values of this size have no fractional part. */
static void to32(const float *restrict from, int32_t *restrict to, size_t count) {
    for (size_t i = 0; i < count; i++) {
        float value = limited(from[i]) * 2147483648.0f;
        to[i] = (int32_t)(value > 2147483520.0f ? 2147483520.0f : value);
    }
}

static void to_float(const float *restrict from, float *restrict to, size_t count) {
    for (size_t i = 0; i < count; i++) to[i] = limited(from[i]);
}

void stream_from_float(int32_t sample, const float *from, void *to, size_t count) {
    switch (sample) {
    case STREAM_S16: to16(from, to, count); break;
    case STREAM_S24: to24(from, to, count); break;
    case STREAM_S32: to32(from, to, count); break;
    case STREAM_FLOAT: to_float(from, to, count); break;
    case STREAM_S24_PACKED: to24_packed(from, to, count); break;
    default: break;
    }
}

static void from16(const int16_t *restrict from, float *restrict to, size_t count) {
    for (size_t i = 0; i < count; i++) to[i] = (float)from[i] * (1 / 32768.0f);
}

/* The upper byte of a sample is undefined. */
static float scaled24(uint32_t sample) { return (float)((int32_t)(sample << 8) >> 8) * (1 / 8388608.0f); }

static void from24(const uint32_t *restrict from, float *restrict to, size_t count) {
    for (size_t i = 0; i < count; i++) to[i] = scaled24(from[i]);
}

static void from24_packed(const uint8_t *restrict from, float *restrict to, size_t count) {
    for (size_t i = 0; i < count; i++)
        to[i] = scaled24((uint32_t)from[3 * i] | (uint32_t)from[3 * i + 1] << 8 | (uint32_t)from[3 * i + 2] << 16);
}

static void from32(const int32_t *restrict from, float *restrict to, size_t count) {
    for (size_t i = 0; i < count; i++) to[i] = (float)from[i] * (1 / 2147483648.0f);
}

static void copy_float(const float *restrict from, float *restrict to, size_t count) {
    for (size_t i = 0; i < count; i++) to[i] = from[i];
}

void stream_to_float(int32_t sample, const void *from, float *to, size_t count) {
    switch (sample) {
    case STREAM_S16: from16(from, to, count); break;
    case STREAM_S24: from24(from, to, count); break;
    case STREAM_S32: from32(from, to, count); break;
    case STREAM_FLOAT: copy_float(from, to, count); break;
    case STREAM_S24_PACKED: from24_packed(from, to, count); break;
    default: break;
    }
}
