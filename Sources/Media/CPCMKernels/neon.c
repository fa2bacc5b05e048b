/* SPDX-License-Identifier: Apache-2.0 */
#include "CPCMKernels.h"

#if !defined(__aarch64__)

const struct pcm_kernels *pcm_kernels_of_neon(void) { return NULL; }

#else

#include <arm_neon.h>
#include <stdint.h>
#include <string.h>

/* Every arm64 processor has these instructions. Their conversion to integers rounds ties to even, clips, and makes 0 of NaN, as
   the results are defined. */
#define BLOCK_FUNCTION static inline __attribute__((always_inline))

/* A block is 16 samples, or 16 frames. The last samples of a conversion are copied into a separate block. */
enum { BLOCK = 16, LANES = 4 };

/* Precedes a loop over blocks: the addresses and the end of the loop are computed once for four blocks. */
#define FOUR_BLOCKS_AT_ONCE _Pragma("clang loop unroll_count(4)")

/* ---- Samples in registers ---- */

/* A conversion to smaller samples can be in place: the compiler must not assume that samples of different types are at
   different places. */
#define ACCESS(type, suffix, element) \
    BLOCK_FUNCTION type load_##suffix(const element *from) { \
        type value; \
        memcpy(&value, from, sizeof value); \
        return value; \
    } \
    BLOCK_FUNCTION void store_##suffix(element *to, type value) { memcpy(to, &value, sizeof value); }

ACCESS(int16x8_t, words, int16_t)
ACCESS(int32x4_t, integers, int32_t)
ACCESS(float32x4_t, floats, float)
ACCESS(float64x2_t, doubles, double)

BLOCK_FUNCTION int16x8_t joined(int32x4_t low, int32x4_t high) { return vqmovn_high_s32(vqmovn_s32(low), high); }
BLOCK_FUNCTION int32x4_t integers_of(float32x4_t value, float scale) { return vcvtnq_s32_f32(vmulq_n_f32(value, scale)); }
BLOCK_FUNCTION int16x8_t words_of(float32x4_t low, float32x4_t high) {
    return joined(integers_of(low, 32768), integers_of(high, 32768));
}

/* 16-bit samples have 15 bits behind the point. */
BLOCK_FUNCTION float32x4_t low_floats(int16x8_t words) { return vcvtq_n_f32_s32(vmovl_s16(vget_low_s16(words)), 15); }
BLOCK_FUNCTION float32x4_t high_floats(int16x8_t words) { return vcvtq_n_f32_s32(vmovl_high_s16(words), 15); }

/* ---- Samples that lie one after another ---- */

BLOCK_FUNCTION void block_int16_to_float32(const int16_t *from, float *to, double scale) {
    (void)scale;
    for (int i = 0; i < BLOCK; i += 2 * LANES) {
        int16x8_t words = load_words(from + i);
        store_floats(to + i, low_floats(words));
        store_floats(to + i + LANES, high_floats(words));
    }
}

BLOCK_FUNCTION void block_float32_to_int16(const float *from, int16_t *to, double scale) {
    (void)scale;
    for (int i = 0; i < BLOCK; i += 2 * LANES)
        store_words(to + i, words_of(load_floats(from + i), load_floats(from + i + LANES)));
}

/* A sample with a zero below it is the sample multiplied by 65,536. The loads are in front of the stores, so that one instruction
   loads or stores two registers. */
BLOCK_FUNCTION void block_int16_to_int32(const int16_t *from, int32_t *to, double scale) {
    (void)scale;
    int16x8_t words[2] = {load_words(from), load_words(from + 2 * LANES)};
    for (int i = 0; i < 2; i++) {
        store_integers(to + 2 * i * LANES, vshll_n_s16(vget_low_s16(words[i]), 16));
        store_integers(to + (2 * i + 1) * LANES, vshll_high_n_s16(words[i], 16));
    }
}

/* The upper halves are the result. The lower halves round it to the nearest value, ties to even: up if the lower half is above
   one half, and also if it is one half and the result is odd. */
BLOCK_FUNCTION void block_int32_to_int16(const int32_t *from, int16_t *to, double scale) {
    (void)scale;
    for (int i = 0; i < BLOCK; i += 2 * LANES) {
        int16x8_t first = vreinterpretq_s16_s32(load_integers(from + i));
        int16x8_t second = vreinterpretq_s16_s32(load_integers(from + i + LANES));
        int16x8_t lower = vuzp1q_s16(first, second), upper = vuzp2q_s16(first, second);
        int16x8_t rest = vorrq_s16(lower, vandq_s16(upper, vdupq_n_s16(1)));
        uint16x8_t is_up = vcgtq_u16(vreinterpretq_u16_s16(rest), vdupq_n_u16(0x8000));
        store_words(to + i, vqsubq_s16(upper, vreinterpretq_s16_u16(is_up)));
    }
}

/* Integers with a power of two as their scale. One instruction converts and divides by the frequent ones, which must be constants:
   those of plain 32-bit integers and of fixed-point numbers with 24 bits behind the point. */
BLOCK_FUNCTION void block_int32_to_float32_general(const int32_t *from, float *to, double scale) {
    const float step = (float)(1 / scale);
    for (int i = 0; i < BLOCK; i += LANES) store_floats(to + i, vmulq_n_f32(vcvtq_f32_s32(load_integers(from + i)), step));
}
#define INTEGERS_TO_FLOATS(bits) \
    BLOCK_FUNCTION void block_int##bits##_to_float32(const int32_t *from, float *to, double scale) { \
        (void)scale; \
        for (int i = 0; i < BLOCK; i += LANES) store_floats(to + i, vcvtq_n_f32_s32(load_integers(from + i), bits)); \
    }
INTEGERS_TO_FLOATS(31)
INTEGERS_TO_FLOATS(24)

BLOCK_FUNCTION void block_float32_to_int32(const float *from, int32_t *to, double scale) {
    for (int i = 0; i < BLOCK; i += LANES) store_integers(to + i, integers_of(load_floats(from + i), (float)scale));
}

BLOCK_FUNCTION int64x2_t low_integers(int32x4_t samples) { return vmovl_s32(vget_low_s32(samples)); }

BLOCK_FUNCTION void block_int16_to_float64(const int16_t *from, double *to, double scale) {
    (void)scale;
    for (int i = 0; i < BLOCK; i += 2 * LANES) {
        int16x8_t words = load_words(from + i);
        int32x4_t low = vmovl_s16(vget_low_s16(words)), high = vmovl_high_s16(words);
        store_doubles(to + i, vcvtq_n_f64_s64(low_integers(low), 15));
        store_doubles(to + i + 2, vcvtq_n_f64_s64(vmovl_high_s32(low), 15));
        store_doubles(to + i + 4, vcvtq_n_f64_s64(low_integers(high), 15));
        store_doubles(to + i + 6, vcvtq_n_f64_s64(vmovl_high_s32(high), 15));
    }
}

BLOCK_FUNCTION void block_int32_to_float64_general(const int32_t *from, double *to, double scale) {
    const double step = 1 / scale;
    for (int i = 0; i < BLOCK; i += LANES) {
        int32x4_t samples = load_integers(from + i);
        store_doubles(to + i, vmulq_n_f64(vcvtq_f64_s64(low_integers(samples)), step));
        store_doubles(to + i + 2, vmulq_n_f64(vcvtq_f64_s64(vmovl_high_s32(samples)), step));
    }
}
#define INTEGERS_TO_DOUBLES(bits) \
    BLOCK_FUNCTION void block_int##bits##_to_float64(const int32_t *from, double *to, double scale) { \
        (void)scale; \
        for (int i = 0; i < BLOCK; i += LANES) { \
            int32x4_t samples = load_integers(from + i); \
            store_doubles(to + i, vcvtq_n_f64_s64(low_integers(samples), bits)); \
            store_doubles(to + i + 2, vcvtq_n_f64_s64(vmovl_high_s32(samples), bits)); \
        } \
    }
INTEGERS_TO_DOUBLES(31)
INTEGERS_TO_DOUBLES(24)

BLOCK_FUNCTION int32x4_t integers_of_four(const double *from, double scale) {
    int64x2_t low = vcvtnq_s64_f64(vmulq_n_f64(load_doubles(from), scale));
    int64x2_t high = vcvtnq_s64_f64(vmulq_n_f64(load_doubles(from + 2), scale));
    return vqmovn_high_s64(vqmovn_s64(low), high);
}

BLOCK_FUNCTION void block_float64_to_int16(const double *from, int16_t *to, double scale) {
    (void)scale;
    for (int i = 0; i < BLOCK; i += 2 * LANES)
        store_words(to + i, joined(integers_of_four(from + i, 32768), integers_of_four(from + i + LANES, 32768)));
}

BLOCK_FUNCTION void block_float64_to_int32(const double *from, int32_t *to, double scale) {
    for (int i = 0; i < BLOCK; i += LANES) store_integers(to + i, integers_of_four(from + i, scale));
}

#define KERNEL(name, source_type, target_type) \
    static void name(const void *source, void *target, ptrdiff_t count, double scale) { \
        const source_type *from = source; \
        target_type *to = target; \
        ptrdiff_t done = 0; \
        FOUR_BLOCKS_AT_ONCE \
        for (; done + BLOCK <= count; done += BLOCK) block_##name(from + done, to + done, scale); \
        if (done >= count) return; \
        source_type last[BLOCK] = {0}; \
        target_type result[BLOCK]; \
        memcpy(last, from + done, (size_t)(count - done) * sizeof *from); \
        block_##name(last, result, scale); \
        memcpy(to + done, result, (size_t)(count - done) * sizeof *to); \
    }

/* The kernel from integers that the scale needs. */
#define SCALED_KERNEL(target, target_type) \
    KERNEL(int32_to_##target##_general, int32_t, target_type) \
    KERNEL(int31_to_##target, int32_t, target_type) \
    KERNEL(int24_to_##target, int32_t, target_type) \
    static void int32_to_##target(const void *source, void *to, ptrdiff_t count, double scale) { \
        (scale == 2147483648.0        ? int31_to_##target \
                : scale == 16777216.0 ? int24_to_##target \
                                      : int32_to_##target##_general)(source, to, count, scale); \
    }

KERNEL(int16_to_float32, int16_t, float)
KERNEL(float32_to_int16, float, int16_t)
KERNEL(int16_to_int32, int16_t, int32_t)
KERNEL(int32_to_int16, int32_t, int16_t)
SCALED_KERNEL(float32, float)
KERNEL(float32_to_int32, float, int32_t)
KERNEL(int16_to_float64, int16_t, double)
KERNEL(float64_to_int16, double, int16_t)
SCALED_KERNEL(float64, double)
KERNEL(float64_to_int32, double, int32_t)

/* ---- Stereo: the loads and stores of pairs separate and interleave the channels ---- */

BLOCK_FUNCTION void block_join_int16(const int16_t *left, const int16_t *right, int16_t *to) {
    for (int i = 0; i < BLOCK; i += 2 * LANES)
        vst2q_s16(to + 2 * i, ((int16x8x2_t){{load_words(left + i), load_words(right + i)}}));
}
BLOCK_FUNCTION void block_join_int16_to_float32(const int16_t *left, const int16_t *right, float *to) {
    for (int i = 0; i < BLOCK; i += 2 * LANES) {
        int16x8_t lefts = load_words(left + i), rights = load_words(right + i);
        vst2q_f32(to + 2 * i, ((float32x4x2_t){{low_floats(lefts), low_floats(rights)}}));
        vst2q_f32(to + 2 * (i + LANES), ((float32x4x2_t){{high_floats(lefts), high_floats(rights)}}));
    }
}
BLOCK_FUNCTION void block_join_float32_to_int16(const float *left, const float *right, int16_t *to) {
    for (int i = 0; i < BLOCK; i += 2 * LANES) {
        int16x8_t lefts = words_of(load_floats(left + i), load_floats(left + i + LANES));
        int16x8_t rights = words_of(load_floats(right + i), load_floats(right + i + LANES));
        vst2q_s16(to + 2 * i, ((int16x8x2_t){{lefts, rights}}));
    }
}
BLOCK_FUNCTION void block_join_float32(const float *left, const float *right, float *to) {
    for (int i = 0; i < BLOCK; i += LANES)
        vst2q_f32(to + 2 * i, ((float32x4x2_t){{load_floats(left + i), load_floats(right + i)}}));
}

BLOCK_FUNCTION void block_split_int16(const int16_t *from, int16_t *left, int16_t *right) {
    for (int i = 0; i < BLOCK; i += 2 * LANES) {
        int16x8x2_t frames = vld2q_s16(from + 2 * i);
        store_words(left + i, frames.val[0]);
        store_words(right + i, frames.val[1]);
    }
}
BLOCK_FUNCTION void block_split_int16_to_float32(const int16_t *from, float *left, float *right) {
    for (int i = 0; i < BLOCK; i += 2 * LANES) {
        int16x8x2_t frames = vld2q_s16(from + 2 * i);
        store_floats(left + i, low_floats(frames.val[0]));
        store_floats(left + i + LANES, high_floats(frames.val[0]));
        store_floats(right + i, low_floats(frames.val[1]));
        store_floats(right + i + LANES, high_floats(frames.val[1]));
    }
}
BLOCK_FUNCTION void block_split_float32_to_int16(const float *from, int16_t *left, int16_t *right) {
    for (int i = 0; i < BLOCK; i += 2 * LANES) {
        float32x4x2_t low = vld2q_f32(from + 2 * i), high = vld2q_f32(from + 2 * (i + LANES));
        store_words(left + i, words_of(low.val[0], high.val[0]));
        store_words(right + i, words_of(low.val[1], high.val[1]));
    }
}
BLOCK_FUNCTION void block_split_float32(const float *from, float *left, float *right) {
    for (int i = 0; i < BLOCK; i += LANES) {
        float32x4x2_t frames = vld2q_f32(from + 2 * i);
        store_floats(left + i, frames.val[0]);
        store_floats(right + i, frames.val[1]);
    }
}

#define JOIN(name, source_type, target_type) \
    static void join_##name(const void *first, const void *second, void *target, ptrdiff_t frames) { \
        const source_type *left = first, *right = second; \
        target_type *to = target; \
        ptrdiff_t done = 0; \
        FOUR_BLOCKS_AT_ONCE \
        for (; done + BLOCK <= frames; done += BLOCK) block_join_##name(left + done, right + done, to + 2 * done); \
        if (done >= frames) return; \
        size_t rest = (size_t)(frames - done); \
        source_type last[2][BLOCK] = {{0}}; \
        target_type result[2 * BLOCK]; \
        memcpy(last[0], left + done, rest * sizeof *left); \
        memcpy(last[1], right + done, rest * sizeof *right); \
        block_join_##name(last[0], last[1], result); \
        memcpy(to + 2 * done, result, 2 * rest * sizeof *to); \
    }

#define SPLIT(name, source_type, target_type) \
    static void split_##name(const void *source, void *first, void *second, ptrdiff_t frames) { \
        const source_type *from = source; \
        target_type *left = first, *right = second; \
        ptrdiff_t done = 0; \
        FOUR_BLOCKS_AT_ONCE \
        for (; done + BLOCK <= frames; done += BLOCK) block_split_##name(from + 2 * done, left + done, right + done); \
        if (done >= frames) return; \
        size_t rest = (size_t)(frames - done); \
        source_type last[2 * BLOCK] = {0}; \
        target_type result[2][BLOCK]; \
        memcpy(last, from + 2 * done, 2 * rest * sizeof *from); \
        block_split_##name(last, result[0], result[1]); \
        memcpy(left + done, result[0], rest * sizeof *left); \
        memcpy(right + done, result[1], rest * sizeof *right); \
    }

JOIN(int16, int16_t, int16_t)
JOIN(int16_to_float32, int16_t, float)
JOIN(float32_to_int16, float, int16_t)
JOIN(float32, float, float)
SPLIT(int16, int16_t, int16_t)
SPLIT(int16_to_float32, int16_t, float)
SPLIT(float32_to_int16, float, int16_t)
SPLIT(float32, float, float)

const struct pcm_kernels *pcm_kernels_of_neon(void) {
    static const struct pcm_kernels kernels = {
        .int16_to_float32 = int16_to_float32,
        .float32_to_int16 = float32_to_int16,
        .int16_to_int32 = int16_to_int32,
        .int32_to_int16 = int32_to_int16,
        .int32_to_float32 = int32_to_float32,
        .float32_to_int32 = float32_to_int32,
        .int16_to_float64 = int16_to_float64,
        .float64_to_int16 = float64_to_int16,
        .int32_to_float64 = int32_to_float64,
        .float64_to_int32 = float64_to_int32,
        .join = {{join_int16, join_int16_to_float32}, {join_float32_to_int16, join_float32}},
        .split = {{split_int16, split_int16_to_float32}, {split_float32_to_int16, split_float32}},
    };
    return &kernels;
}

#endif
