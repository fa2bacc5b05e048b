/* SPDX-License-Identifier: Apache-2.0 */
#include "CAudioStreams.h"

#include <string.h>

uint32_t stream_sample_size(int32_t sample) {
    switch (sample) {
    case STREAM_S16: return 2;
    case STREAM_S24_PACKED: return 3;
    case STREAM_S24:
    case STREAM_S32:
    case STREAM_FLOAT: return 4;
    default: return 0;
    }
}

/* A ramp starts at the present gain. A change in the middle of a ramp therefore makes no click. */
void stream_gain_ramp(struct stream_gain *gain, float target, uint32_t frames) {
    gain->target = target;
    gain->left = gain->now == target ? 0 : frames;
    if (gain->left == 0) gain->now = target;
}

void stream_gain_advance(struct stream_gain *gain, uint64_t frames) {
    if (frames >= gain->left) {
        gain->now = gain->target;
        gain->left = 0;
        return;
    }
    gain->now += (gain->target - gain->now) * ((float)frames / (float)gain->left);
    gain->left -= (uint32_t)frames;
}

/* Gains are at most 1: no product overflows. Integers are rounded. */
static int16_t scaled16(int16_t sample, int32_t factor) { return (int16_t)((sample * factor + 0x4000) >> 15); }
static int32_t scaled32(int32_t sample, int64_t factor) { return (int32_t)((sample * factor + 0x40000000) >> 31); }

static int32_t factor16(float gain) { return (int32_t)(gain * 32768.0f + 0.5f); }
static int64_t factor32(float gain) { return (int64_t)((double)gain * 2147483648.0 + 0.5); }

static void apply16(const int16_t *restrict from, int16_t *restrict to, size_t count, float gain) {
    int32_t factor = factor16(gain);
    for (size_t i = 0; i < count; i++) to[i] = scaled16(from[i], factor);
}

static void apply32(const int32_t *restrict from, int32_t *restrict to, size_t count, float gain) {
    int64_t factor = factor32(gain);
    for (size_t i = 0; i < count; i++) to[i] = scaled32(from[i], factor);
}

/* Extends the sign of 24 bits. The upper byte of a sample is undefined. */
static int32_t from24(uint32_t sample) { return (int32_t)(sample << 8) >> 8; }

static int32_t read24(const uint8_t *bytes) {
    return from24((uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16);
}

static void write24(uint8_t *bytes, int32_t sample) {
    bytes[0] = (uint8_t)sample;
    bytes[1] = (uint8_t)(sample >> 8);
    bytes[2] = (uint8_t)(sample >> 16);
}

static void apply24(const int32_t *restrict from, int32_t *restrict to, size_t count, float gain) {
    int64_t factor = factor32(gain);
    for (size_t i = 0; i < count; i++) to[i] = scaled32(from24((uint32_t)from[i]), factor);
}

static void apply24_packed(const uint8_t *restrict from, uint8_t *restrict to, size_t count, float gain) {
    int64_t factor = factor32(gain);
    for (size_t i = 0; i < count; i++) write24(to + 3 * i, scaled32(read24(from + 3 * i), factor));
}

static void apply_float(const float *restrict from, float *restrict to, size_t count, float gain) {
    for (size_t i = 0; i < count; i++) to[i] = from[i] * gain;
}

static void apply_constant(int32_t sample, const void *from, void *to, size_t count, float gain) {
    switch (sample) {
    case STREAM_S16: apply16(from, to, count, gain); break;
    case STREAM_S24: apply24(from, to, count, gain); break;
    case STREAM_S32: apply32(from, to, count, gain); break;
    case STREAM_FLOAT: apply_float(from, to, count, gain); break;
    case STREAM_S24_PACKED: apply24_packed(from, to, count, gain); break;
    default: break;
    }
}

void stream_gain_apply(
    const struct stream_gain *gain, int32_t sample, uint32_t channels, const void *from, void *to, uint64_t frames) {
    size_t frame_size = (size_t)stream_sample_size(sample) * channels;
    uint64_t ramp = gain->left < frames ? gain->left : frames;
    float step = gain->left ? (gain->target - gain->now) / (float)gain->left : 0;
    for (uint64_t i = 0; i < ramp; i++)
        apply_constant(sample, (const uint8_t *)from + i * frame_size, (uint8_t *)to + i * frame_size, channels,
            gain->now + step * (float)(i + 1));
    const uint8_t *rest = (const uint8_t *)from + ramp * frame_size;
    uint8_t *rest_to = (uint8_t *)to + ramp * frame_size;
    if (ramp == frames) return;
    if (gain->target == 1)
        memcpy(rest_to, rest, (frames - ramp) * frame_size);
    else
        apply_constant(sample, rest, rest_to, (size_t)(frames - ramp) * channels, gain->target);
}
