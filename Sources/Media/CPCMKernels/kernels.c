/* SPDX-License-Identifier: Apache-2.0 */
#include "CPCMKernels.h"

#if !defined(__x86_64__)

const struct pcm_kernels *pcm_kernels_of_avx2(void) { return NULL; }
const struct pcm_kernels *pcm_kernels_of_avx512(void) { return NULL; }
const struct pcm_kernels *pcm_kernels(void) { return pcm_kernels_of_neon(); }

#else

#include <cpuid.h>
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#define AVX2 "avx2"
/* Masks and permutations of 16-bit words in registers of 256 bits, because some processors lower their clock for registers of
   512 bits. */
#define AVX512 "avx2,avx512bw,avx512vl"
#define BLOCK_FUNCTION static inline __attribute__((always_inline, target(AVX2)))
#define BLOCK_FUNCTION_OF_AVX512 static inline __attribute__((always_inline, target(AVX512)))

/* A block is 16 samples, or 16 frames. The last samples of a conversion are copied into a separate block. */
enum { BLOCK = 16 };

/* A store that crosses the limit of two cache lines takes twice as long, and memory of malloc begins at any 16 bytes. Long
   conversions have blocks that begin at a line, or at a multiple of their size if they are smaller. */
enum { LINE = 64, LONG = 256 };

/* The distance of such places in bytes, for samples or frames of `size` bytes. */
static inline size_t step_of_lines(size_t size) { return BLOCK * size < LINE ? BLOCK * size : LINE; }

/* Returns the number of samples between the last such place and `to`: fewer than a block. */
static inline ptrdiff_t after_line(const void *to, size_t size, ptrdiff_t count) {
    return count < LONG ? 0 : (ptrdiff_t)((uintptr_t)to % step_of_lines(size) / size);
}

/* Returns the number of samples between `to` and the next such place: fewer than a block. */
static inline ptrdiff_t before_line(const void *to, size_t size, ptrdiff_t count) {
    return count < LONG ? 0 : (ptrdiff_t)(-(uintptr_t)to % step_of_lines(size) / size);
}

/* Precedes a loop over blocks. Four blocks per iteration take a tenth less time than one, and a fifth less from int32 to int16.
   */
#define FOUR_BLOCKS_AT_ONCE _Pragma("clang loop unroll_count(4)")

/* ---- Samples in registers ---- */

struct floats {
    __m256 first, second;
};

BLOCK_FUNCTION __m256i load(const void *from) { return _mm256_loadu_si256((const __m256i *)from); }
BLOCK_FUNCTION void store(void *to, __m256i value) { _mm256_storeu_si256((__m256i *)to, value); }
BLOCK_FUNCTION __m256i wide(const int16_t *from) { return _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)from)); }
BLOCK_FUNCTION __m256 unit(__m256i sample) { return _mm256_mul_ps(_mm256_cvtepi32_ps(sample), _mm256_set1_ps(1.0f / 32768)); }

/* Replaces NaN by 0. */
BLOCK_FUNCTION __m256 numbers(__m256 value) { return _mm256_and_ps(value, _mm256_cmp_ps(value, value, _CMP_ORD_Q)); }
BLOCK_FUNCTION __m256d numbers_of_doubles(__m256d value) { return _mm256_and_pd(value, _mm256_cmp_pd(value, value, _CMP_ORD_Q)); }

/* 32-bit integers, which the packing clips below. The conversion converts a value that is too small to the least integer. */
BLOCK_FUNCTION __m256i sixteen_bits(__m256 value) {
    __m256 scaled = numbers(_mm256_mul_ps(value, _mm256_set1_ps(32768)));
    return _mm256_cvtps_epi32(_mm256_min_ps(scaled, _mm256_set1_ps(32767)));
}

BLOCK_FUNCTION int has_least(const __m256i *words) {
    __m256i least = _mm256_min_epi32(_mm256_min_epi32(words[0], words[1]), _mm256_min_epi32(words[2], words[3]));
    return _mm256_movemask_epi8(_mm256_cmpeq_epi32(least, _mm256_set1_epi32(INT32_MIN)));
}

/* Packs 32-bit integers to 16-bit ones, in order. */
BLOCK_FUNCTION __m256i packed(__m256i first, __m256i second) {
    return _mm256_permute4x64_epi64(_mm256_packs_epi32(first, second), 0xD8);
}

BLOCK_FUNCTION struct floats load_floats(const float *from) {
    return (struct floats){_mm256_loadu_ps(from), _mm256_loadu_ps(from + 8)};
}
BLOCK_FUNCTION struct floats load_int16(const int16_t *from) { return (struct floats){unit(wide(from)), unit(wide(from + 8))}; }
BLOCK_FUNCTION void store_floats(float *to, struct floats value) {
    _mm256_storeu_ps(to, value.first);
    _mm256_storeu_ps(to + 8, value.second);
}
BLOCK_FUNCTION __m256i packed_floats(struct floats value) {
    return packed(sixteen_bits(value.first), sixteen_bits(value.second));
}

/* As `pack`, for two channels, which are checked together. A float that is too large, too small or NaN becomes the least
   integer. */
BLOCK_FUNCTION void pack_channels(struct floats left, struct floats right, __m256i *to_left, __m256i *to_right) {
    __m256 scale = _mm256_set1_ps(32768);
    __m256i words[4] = {_mm256_cvtps_epi32(_mm256_mul_ps(left.first, scale)),
        _mm256_cvtps_epi32(_mm256_mul_ps(left.second, scale)), _mm256_cvtps_epi32(_mm256_mul_ps(right.first, scale)),
        _mm256_cvtps_epi32(_mm256_mul_ps(right.second, scale))};
    if (__builtin_expect(has_least(words), 0)) {
        *to_left = packed_floats(left);
        *to_right = packed_floats(right);
    } else {
        *to_left = packed(words[0], words[1]);
        *to_right = packed(words[2], words[3]);
    }
}

/* ---- Samples that lie one after another ---- */

BLOCK_FUNCTION void block_int16_to_float32(const int16_t *from, float *to, double scale) {
    (void)scale;
    store_floats(to, load_int16(from));
}

BLOCK_FUNCTION void block_float32_to_int16(const float *from, int16_t *to, double scale) {
    (void)scale;
    store(to, packed_floats(load_floats(from)));
}

BLOCK_FUNCTION void block_int16_to_int32(const int16_t *from, int32_t *to, double scale) {
    (void)scale;
    store(to, _mm256_slli_epi32(wide(from), 16));
    store(to + 8, _mm256_slli_epi32(wide(from + 8), 16));
}

/* Splits eight words of 32 bits, each with two samples: into eight samples of the lower halves and eight of the upper halves, in
   each half of the register. */
BLOCK_FUNCTION __m256i halves_apart(__m256i words) {
    const __m256i order = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
    return _mm256_shuffle_epi8(words, order);
}

/* The upper half is the result, and the lower half rounds it: up if it is above one half, and also if it is one half and the
   result is odd. Two samples share a word, so that all arithmetic has 16 bits and clips. Loading odd halves costs less than a
   shift to the left, and a shift to the right costs less than a load. */
BLOCK_FUNCTION void block_int32_to_int16(const int32_t *from, int16_t *to, double scale) {
    (void)scale;
    const int16_t *halves = (const int16_t *)from;
    __m256i first = load(from), second = load(from + 8);
    __m256i lower = _mm256_blend_epi16(first, load(halves + BLOCK - 1), 0xAA);
    __m256i upper = _mm256_blend_epi16(_mm256_srli_epi32(first, 16), second, 0xAA);
    __m256i odd = _mm256_and_si256(upper, _mm256_set1_epi16(1));
    __m256i rest = _mm256_xor_si256(_mm256_or_si256(lower, odd), _mm256_set1_epi16(INT16_MIN));
    __m256i is_up = _mm256_cmpgt_epi16(rest, _mm256_setzero_si256());
    store(to, _mm256_permute4x64_epi64(halves_apart(_mm256_subs_epi16(upper, is_up)), 0xD8));
}

BLOCK_FUNCTION void block_int32_to_float32(const int32_t *from, float *to, double scale) {
    __m256 step = _mm256_set1_ps((float)(1 / scale));
    _mm256_storeu_ps(to, _mm256_mul_ps(_mm256_cvtepi32_ps(load(from)), step));
    _mm256_storeu_ps(to + 8, _mm256_mul_ps(_mm256_cvtepi32_ps(load(from + 8)), step));
}

/* The conversion converts a value that is too large to the least integer. Inverting all its bits makes it the largest. */
BLOCK_FUNCTION __m256i thirty_two_bits(__m256 value, __m256 scale) {
    __m256 scaled = numbers(_mm256_mul_ps(value, scale));
    __m256 is_large = _mm256_cmp_ps(scaled, _mm256_set1_ps(2147483648.0f), _CMP_GE_OQ);
    return _mm256_xor_si256(_mm256_cvtps_epi32(scaled), _mm256_castps_si256(is_large));
}

BLOCK_FUNCTION void block_float32_to_int32(const float *from, int32_t *to, double scale) {
    __m256 factor = _mm256_set1_ps((float)scale);
    store(to, thirty_two_bits(_mm256_loadu_ps(from), factor));
    store(to + 8, thirty_two_bits(_mm256_loadu_ps(from + 8), factor));
}

BLOCK_FUNCTION void doubles_of(__m256i sample, double *to, __m256d step) {
    _mm256_storeu_pd(to, _mm256_mul_pd(_mm256_cvtepi32_pd(_mm256_castsi256_si128(sample)), step));
    _mm256_storeu_pd(to + 4, _mm256_mul_pd(_mm256_cvtepi32_pd(_mm256_extracti128_si256(sample, 1)), step));
}

BLOCK_FUNCTION void block_int16_to_float64(const int16_t *from, double *to, double scale) {
    (void)scale;
    doubles_of(wide(from), to, _mm256_set1_pd(1.0 / 32768));
    doubles_of(wide(from + 8), to + 8, _mm256_set1_pd(1.0 / 32768));
}

BLOCK_FUNCTION void block_int32_to_float64(const int32_t *from, double *to, double scale) {
    doubles_of(load(from), to, _mm256_set1_pd(1 / scale));
    doubles_of(load(from + 8), to + 8, _mm256_set1_pd(1 / scale));
}

BLOCK_FUNCTION __m128i integers_of_four(const double *from, double scale, double low, double high) {
    __m256d scaled = numbers_of_doubles(_mm256_mul_pd(_mm256_loadu_pd(from), _mm256_set1_pd(scale)));
    return _mm256_cvtpd_epi32(_mm256_max_pd(_mm256_min_pd(scaled, _mm256_set1_pd(high)), _mm256_set1_pd(low)));
}

BLOCK_FUNCTION __m256i integers_of(const double *from, double scale, double low, double high) {
    return _mm256_set_m128i(integers_of_four(from + 4, scale, low, high), integers_of_four(from, scale, low, high));
}

BLOCK_FUNCTION void block_float64_to_int16(const double *from, int16_t *to, double scale) {
    (void)scale;
    store(to, packed(integers_of(from, 32768, -32768, 32767), integers_of(from + 8, 32768, -32768, 32767)));
}

BLOCK_FUNCTION void block_float64_to_int32(const double *from, int32_t *to, double scale) {
    store(to, integers_of(from, scale, -2147483648.0, 2147483647.0));
    store(to + 8, integers_of(from + 8, scale, -2147483648.0, 2147483647.0));
}

/* Converts less than a block. */
#define FEW_SAMPLES(name, source_type, target_type, from, to, count) \
    do { \
        source_type last[BLOCK] = {0}; \
        target_type result[BLOCK]; \
        if ((count) <= 0) break; \
        memcpy(last, from, (size_t)(count) * sizeof *(from)); \
        block_##name(last, result, scale); \
        memcpy(to, result, (size_t)(count) * sizeof *(to)); \
    } while (0)

#define KERNEL_WITH(instructions, name, source_type, target_type) \
    __attribute__((target(instructions))) static void name(const void *source, void *target, ptrdiff_t count, double scale) { \
        const source_type *from = source; \
        target_type *to = target; \
        ptrdiff_t done = before_line(to, sizeof *to, count); \
        FEW_SAMPLES(name, source_type, target_type, from, to, done); \
        FOUR_BLOCKS_AT_ONCE \
        for (; done + BLOCK <= count; done += BLOCK) block_##name(from + done, to + done, scale); \
        FEW_SAMPLES(name, source_type, target_type, from + done, to + done, count - done); \
    }
#define KERNEL(name, source_type, target_type) KERNEL_WITH(AVX2, name, source_type, target_type)

/* Converts from the end to the beginning. A program has usually just written the samples, so that the end of a long buffer is
   still in the cache. Where it is, 8,192 samples take two thirds of the time. Only for results that are not smaller than their
   samples: others are also converted in place, from the beginning. */
#define KERNEL_FROM_END(name, source_type, target_type) \
    __attribute__((target(AVX2))) static void name(const void *source, void *target, ptrdiff_t count, double scale) { \
        const source_type *from = source; \
        target_type *to = target; \
        ptrdiff_t left = count - after_line(to + count, sizeof *to, count); \
        FEW_SAMPLES(name, source_type, target_type, from + left, to + left, count - left); \
        FOUR_BLOCKS_AT_ONCE \
        for (; left >= BLOCK; left -= BLOCK) block_##name(from + left - BLOCK, to + left - BLOCK, scale); \
        FEW_SAMPLES(name, source_type, target_type, from, to, left); \
    }

KERNEL_FROM_END(int16_to_float32, int16_t, float)
KERNEL_FROM_END(int16_to_int32, int16_t, int32_t)
KERNEL(int32_to_int16, int32_t, int16_t)
KERNEL_FROM_END(int32_to_float32, int32_t, float)
KERNEL_FROM_END(int16_to_float64, int16_t, double)
KERNEL(float64_to_int16, double, int16_t)
KERNEL_FROM_END(int32_to_float64, int32_t, double)
KERNEL(float64_to_int32, double, int32_t)

/* A float that is too large, too small or NaN becomes the least integer. A block of 32 floats without such a value is
   converted without a check of each. */
enum { WIDE_BLOCK = 32 };

BLOCK_FUNCTION void integers_of_floats(const float *from, __m256 scale, __m256i *words) {
    for (int i = 0; i < 4; i++) words[i] = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(from + 8 * i), scale));
}

BLOCK_FUNCTION void wide_block_float32_to_int16(const float *from, int16_t *to, double scale) {
    __m256i words[4];
    integers_of_floats(from, _mm256_set1_ps(32768), words);
    if (__builtin_expect(has_least(words), 0)) {
        block_float32_to_int16(from, to, scale);
        block_float32_to_int16(from + BLOCK, to + BLOCK, scale);
        return;
    }
    store(to, packed(words[0], words[1]));
    store(to + BLOCK, packed(words[2], words[3]));
}

BLOCK_FUNCTION void wide_block_float32_to_int32(const float *from, int32_t *to, double scale) {
    __m256i words[4];
    integers_of_floats(from, _mm256_set1_ps((float)scale), words);
    if (__builtin_expect(has_least(words), 0)) {
        block_float32_to_int32(from, to, scale);
        block_float32_to_int32(from + BLOCK, to + BLOCK, scale);
        return;
    }
    for (int i = 0; i < 4; i++) store(to + 8 * i, words[i]);
}

__attribute__((target(AVX2))) static void float32_to_int16(const void *source, void *target, ptrdiff_t count, double scale) {
    const float *from = source;
    int16_t *to = target;
    ptrdiff_t done = before_line(to, sizeof *to, count);
    FEW_SAMPLES(float32_to_int16, float, int16_t, from, to, done);
    FOUR_BLOCKS_AT_ONCE
    for (; done + WIDE_BLOCK <= count; done += WIDE_BLOCK) wide_block_float32_to_int16(from + done, to + done, scale);
    if (done + BLOCK <= count) {
        block_float32_to_int16(from + done, to + done, scale);
        done += BLOCK;
    }
    FEW_SAMPLES(float32_to_int16, float, int16_t, from + done, to + done, count - done);
}

/* As KERNEL_FROM_END. */
__attribute__((target(AVX2))) static void float32_to_int32(const void *source, void *target, ptrdiff_t count, double scale) {
    const float *from = source;
    int32_t *to = target;
    ptrdiff_t left = count - after_line(to + count, sizeof *to, count);
    FEW_SAMPLES(float32_to_int32, float, int32_t, from + left, to + left, count - left);
    FOUR_BLOCKS_AT_ONCE
    for (; left >= WIDE_BLOCK; left -= WIDE_BLOCK)
        wide_block_float32_to_int32(from + left - WIDE_BLOCK, to + left - WIDE_BLOCK, scale);
    if (left >= BLOCK) {
        left -= BLOCK;
        block_float32_to_int32(from + left, to + left, scale);
    }
    FEW_SAMPLES(float32_to_int32, float, int32_t, from, to, left);
}

/* ---- Stereo ---- */

BLOCK_FUNCTION void join_words(__m256i left, __m256i right, int16_t *to) {
    __m256i low = _mm256_unpacklo_epi16(left, right), high = _mm256_unpackhi_epi16(left, right);
    store(to, _mm256_permute2x128_si256(low, high, 0x20));
    store(to + BLOCK, _mm256_permute2x128_si256(low, high, 0x31));
}

BLOCK_FUNCTION void join_eight(__m256 left, __m256 right, float *to) {
    __m256 low = _mm256_unpacklo_ps(left, right), high = _mm256_unpackhi_ps(left, right);
    _mm256_storeu_ps(to, _mm256_permute2f128_ps(low, high, 0x20));
    _mm256_storeu_ps(to + 8, _mm256_permute2f128_ps(low, high, 0x31));
}

BLOCK_FUNCTION void join_floats(struct floats left, struct floats right, float *to) {
    join_eight(left.first, right.first, to);
    join_eight(left.second, right.second, to + BLOCK);
}

BLOCK_FUNCTION void block_join_int16(const int16_t *left, const int16_t *right, int16_t *to) {
    join_words(load(left), load(right), to);
}
BLOCK_FUNCTION void block_join_int16_to_float32(const int16_t *left, const int16_t *right, float *to) {
    join_floats(load_int16(left), load_int16(right), to);
}
BLOCK_FUNCTION void block_join_float32_to_int16(const float *left, const float *right, int16_t *to) {
    __m256i words[2];
    pack_channels(load_floats(left), load_floats(right), &words[0], &words[1]);
    join_words(words[0], words[1], to);
}
BLOCK_FUNCTION void block_join_float32(const float *left, const float *right, float *to) {
    join_floats(load_floats(left), load_floats(right), to);
}

/* Four words of 32 bits from `from` on, and four words that are `distance` words further. An instruction that works on each half
   of the registers leaves the samples of two such results in order. */
BLOCK_FUNCTION __m256i two_runs(const void *from, ptrdiff_t distance) {
    const __m128i *words = from;
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(words)), _mm_loadu_si128(words + distance / 4), 1);
}

/* Eight frames of 16-bit stereo are eight words of 32 bits: the left sample is the lower half. */
BLOCK_FUNCTION __m256i left_half(__m256i frames) { return _mm256_srai_epi32(_mm256_slli_epi32(frames, 16), 16); }
BLOCK_FUNCTION __m256i right_half(__m256i frames) { return _mm256_srai_epi32(frames, 16); }

/* Splits 16-bit stereo: frames 0...3 and 8...11, 4...7 and 12...15. */
BLOCK_FUNCTION void split_words(__m256i even, __m256i odd, int16_t *left, int16_t *right) {
    __m256i first = halves_apart(even), second = halves_apart(odd);
    store(left, _mm256_unpacklo_epi64(first, second));
    store(right, _mm256_unpackhi_epi64(first, second));
}

BLOCK_FUNCTION void split_eight(const float *from, float *left, float *right) {
    __m256 even = _mm256_castsi256_ps(two_runs(from, 8)), odd = _mm256_castsi256_ps(two_runs(from + 4, 8));
    _mm256_storeu_ps(left, _mm256_shuffle_ps(even, odd, 0x88));
    _mm256_storeu_ps(right, _mm256_shuffle_ps(even, odd, 0xDD));
}

BLOCK_FUNCTION void block_split_int16(const int16_t *from, int16_t *left, int16_t *right) {
    split_words(two_runs(from, 8), two_runs(from + 8, 8), left, right);
}
BLOCK_FUNCTION void block_split_int16_to_float32(const int16_t *from, float *left, float *right) {
    __m256i first = load(from), second = load(from + BLOCK);
    store_floats(left, (struct floats){unit(left_half(first)), unit(left_half(second))});
    store_floats(right, (struct floats){unit(right_half(first)), unit(right_half(second))});
}
BLOCK_FUNCTION __m256 four_floats_twice(const float *from) { return _mm256_castsi256_ps(two_runs(from, BLOCK)); }
BLOCK_FUNCTION void block_split_float32_to_int16(const float *from, int16_t *left, int16_t *right) {
    __m256i words[4];
    for (int i = 0; i < 4; i++)
        words[i] = _mm256_cvtps_epi32(_mm256_mul_ps(four_floats_twice(from + 4 * i), _mm256_set1_ps(32768)));
    if (__builtin_expect(has_least(words), 0))
        for (int i = 0; i < 4; i++) words[i] = sixteen_bits(four_floats_twice(from + 4 * i));
    split_words(_mm256_packs_epi32(words[0], words[1]), _mm256_packs_epi32(words[2], words[3]), left, right);
}
BLOCK_FUNCTION void block_split_float32(const float *from, float *left, float *right) {
    split_eight(from, left, right);
    split_eight(from + BLOCK, left + 8, right + 8);
}

/* Converts less than a block. */
#define FEW_JOINED_FRAMES(name, source_type, target_type, left, right, to, frames) \
    do { \
        source_type few[2][BLOCK] = {{0}}; \
        target_type result[2 * BLOCK]; \
        if ((frames) <= 0) break; \
        memcpy(few[0], left, (size_t)(frames) * sizeof *(left)); \
        memcpy(few[1], right, (size_t)(frames) * sizeof *(right)); \
        block_join_##name(few[0], few[1], result); \
        memcpy(to, result, 2 * (size_t)(frames) * sizeof *(to)); \
    } while (0)

#define JOIN(name, source_type, target_type) \
    __attribute__((target(AVX2))) static void join_##name( \
        const void *first, const void *second, void *target, ptrdiff_t frames) { \
        const source_type *left = first, *right = second; \
        target_type *to = target; \
        ptrdiff_t done = before_line(to, 2 * sizeof *to, frames); \
        FEW_JOINED_FRAMES(name, source_type, target_type, left, right, to, done); \
        FOUR_BLOCKS_AT_ONCE \
        for (; done + BLOCK <= frames; done += BLOCK) block_join_##name(left + done, right + done, to + 2 * done); \
        FEW_JOINED_FRAMES(name, source_type, target_type, left + done, right + done, to + 2 * done, frames - done); \
    }

/* Converts less than a block. */
#define FEW_SPLIT_FRAMES(name, source_type, target_type, from, left, right, frames) \
    do { \
        source_type few[2 * BLOCK] = {0}; \
        target_type result[2][BLOCK]; \
        if ((frames) <= 0) break; \
        memcpy(few, from, 2 * (size_t)(frames) * sizeof *(from)); \
        block_split_##name(few, result[0], result[1]); \
        memcpy(left, result[0], (size_t)(frames) * sizeof *(left)); \
        memcpy(right, result[1], (size_t)(frames) * sizeof *(right)); \
    } while (0)

#define SPLIT_WITH(instructions, name, source_type, target_type) \
    __attribute__((target(instructions))) static void split_##name( \
        const void *source, void *first, void *second, ptrdiff_t frames) { \
        const source_type *from = source; \
        target_type *left = first, *right = second; \
        ptrdiff_t done = before_line(left, sizeof *left, frames); \
        FEW_SPLIT_FRAMES(name, source_type, target_type, from, left, right, done); \
        FOUR_BLOCKS_AT_ONCE \
        for (; done + BLOCK <= frames; done += BLOCK) block_split_##name(from + 2 * done, left + done, right + done); \
        FEW_SPLIT_FRAMES(name, source_type, target_type, from + 2 * done, left + done, right + done, frames - done); \
    }
#define SPLIT(name, source_type, target_type) SPLIT_WITH(AVX2, name, source_type, target_type)

JOIN(int16, int16_t, int16_t)
JOIN(int16_to_float32, int16_t, float)
JOIN(float32_to_int16, float, int16_t)
JOIN(float32, float, float)
SPLIT(int16, int16_t, int16_t)
SPLIT(int16_to_float32, int16_t, float)
SPLIT(float32_to_int16, float, int16_t)
SPLIT(float32, float, float)

/* ---- AVX-512: the conversions that it makes faster ---- */

/* The numbers of words in two registers: 0...15 in the first one, 16...31 in the second one. */
#define EVEN_WORDS _mm256_setr_epi16(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODD_WORDS _mm256_setr_epi16(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)

/* The upper halves are the result. The lower halves round it to the nearest value, ties to even. */
BLOCK_FUNCTION_OF_AVX512 void block_int32_to_int16_avx512(const int32_t *from, int16_t *to, double scale) {
    (void)scale;
    const __m256i one = _mm256_set1_epi16(1), half = _mm256_set1_epi16(INT16_MIN);
    __m256i first = load(from), second = load(from + 8);
    __m256i lower = _mm256_permutex2var_epi16(first, EVEN_WORDS, second);
    __m256i upper = _mm256_permutex2var_epi16(first, ODD_WORDS, second);
    __mmask16 is_up = _mm256_cmpgt_epu16_mask(_mm256_or_si256(lower, _mm256_and_si256(upper, one)), half);
    store(to, _mm256_mask_adds_epi16(upper, is_up, upper, one));
}

/* Converts eight floats to integers. The packing clips them. NaN becomes 0. */
BLOCK_FUNCTION_OF_AVX512 __m256i sixteen_bits_avx512(const float *from) {
    __m256 scaled = _mm256_mul_ps(_mm256_loadu_ps(from), _mm256_set1_ps(32768));
    __mmask8 is_number = _mm256_cmp_ps_mask(scaled, scaled, _CMP_ORD_Q);
    return _mm256_maskz_cvtps_epi32(is_number, _mm256_min_ps(scaled, _mm256_set1_ps(32767)));
}

/* The packing works on each half of the registers. It returns frames 0, 1, 4, 5 and then 2, 3, 6, 7. */
BLOCK_FUNCTION_OF_AVX512 void block_split_float32_to_int16_avx512(const float *from, int16_t *left, int16_t *right) {
    const __m256i lefts = _mm256_setr_epi16(0, 2, 8, 10, 4, 6, 12, 14, 16, 18, 24, 26, 20, 22, 28, 30);
    __m256i first = _mm256_packs_epi32(sixteen_bits_avx512(from), sixteen_bits_avx512(from + 8));
    __m256i second = _mm256_packs_epi32(sixteen_bits_avx512(from + 16), sixteen_bits_avx512(from + 24));
    store(left, _mm256_permutex2var_epi16(first, lefts, second));
    store(right, _mm256_permutex2var_epi16(first, _mm256_add_epi16(lefts, _mm256_set1_epi16(1)), second));
}

KERNEL_WITH(AVX512, int32_to_int16_avx512, int32_t, int16_t)
SPLIT_WITH(AVX512, float32_to_int16_avx512, float, int16_t)

/* ---- The processor ---- */

enum { SSE_AND_AVX_REGISTERS = 0x6, AVX512_REGISTERS = 0xE0 };

/* Returns the registers that the system saves; 0 without AVX. */
static unsigned saved_registers(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX)) return 0;
    __asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
    return a;
}

static int has(unsigned features, unsigned registers) {
    unsigned a, b, c, d;
    if ((saved_registers() & registers) != registers) return 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & features) == features;
}

#define KERNELS_OF_AVX2 \
    .int16_to_float32 = int16_to_float32, .float32_to_int16 = float32_to_int16, .int16_to_int32 = int16_to_int32, \
    .int32_to_float32 = int32_to_float32, .float32_to_int32 = float32_to_int32, .int16_to_float64 = int16_to_float64, \
    .float64_to_int16 = float64_to_int16, .int32_to_float64 = int32_to_float64, .float64_to_int32 = float64_to_int32, \
    .join = {{join_int16, join_int16_to_float32}, {join_float32_to_int16, join_float32}}

const struct pcm_kernels *pcm_kernels_of_avx2(void) {
    static const struct pcm_kernels kernels = {
        KERNELS_OF_AVX2,
        .int32_to_int16 = int32_to_int16,
        .split = {{split_int16, split_int16_to_float32}, {split_float32_to_int16, split_float32}},
    };
    return has(bit_AVX2, SSE_AND_AVX_REGISTERS) ? &kernels : NULL;
}

const struct pcm_kernels *pcm_kernels_of_avx512(void) {
    static const struct pcm_kernels kernels = {
        KERNELS_OF_AVX2,
        .int32_to_int16 = int32_to_int16_avx512,
        .split = {{split_int16, split_int16_to_float32}, {split_float32_to_int16_avx512, split_float32}},
    };
    const unsigned features = bit_AVX2 | bit_AVX512BW | bit_AVX512VL;
    return has(features, SSE_AND_AVX_REGISTERS | AVX512_REGISTERS) ? &kernels : NULL;
}

const struct pcm_kernels *pcm_kernels(void) {
    const struct pcm_kernels *kernels = pcm_kernels_of_avx512();
    return kernels ? kernels : pcm_kernels_of_avx2();
}

#endif
