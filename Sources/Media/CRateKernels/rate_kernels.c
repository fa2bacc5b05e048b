/* SPDX-License-Identifier: Apache-2.0 */
#include "CRateKernels.h"

#include <string.h>

typedef float quad __attribute__((vector_size(16)));
typedef double pair __attribute__((vector_size(16)));

#define SHARED_INLINE static inline __attribute__((always_inline))

/* The position of the next output frame. */
struct rate_cursor {
    ptrdiff_t frame, step;
    /* The largest position of the last window of a whole group in the first one, which is aligned. */
    ptrdiff_t reach;
    int64_t fraction, rest;
};

/* The rows of the output frames of a group, moved so that their indexes are those of the history, and the position of the last
   window. An interpolation has the first of the rows that it reads, and the weights of the rows. */
struct rate_rows {
    const float *floats[RATE_GROUP];
    const double *doubles[RATE_GROUP];
    double weights[RATE_GROUP][RATE_POINTS];
    ptrdiff_t last;
};

SHARED_INLINE struct rate_cursor first_cursor(const struct rate_run *run) {
    return (struct rate_cursor){
        .frame = run->first,
        .step = run->numerator / run->denominator,
        .reach = RATE_ALIGNMENT + (RATE_GROUP - 1) * run->numerator / run->denominator,
        .fraction = run->fraction,
        .rest = run->numerator % run->denominator,
    };
}

/* The weights of the cubic polynomial through four points, at a position between the second and the third one. */
SHARED_INLINE void set_weights(double x, double *weights) {
    double before = x + 1, next = x - 1, after = x - 2;
    weights[0] = x * next * after * (-1.0 / 6);
    weights[1] = before * next * after * 0.5;
    weights[2] = before * x * after * -0.5;
    weights[3] = before * x * next * (1.0 / 6);
}

/* Sets the row of output frame k, and moves to the next one. */
SHARED_INLINE void set_row(const struct rate_filter *filter, const struct rate_run *run, struct rate_cursor *cursor,
    ptrdiff_t first, struct rate_rows *rows, int k, int interpolates) {
    ptrdiff_t shift = cursor->frame - first, row = cursor->fraction;
    if (interpolates) {
        double position = (double)cursor->fraction * (double)filter->phases / (double)run->denominator;
        row = (ptrdiff_t)position;
        set_weights(position - (double)row, rows->weights[k]);
    }
    rows->floats[k] = filter->rows + row * filter->stride - shift;
    if (filter->middle) rows->doubles[k] = filter->middle + row * filter->middle_stride - filter->middle_first - shift;
    rows->last = shift;
    cursor->frame += cursor->step;
    cursor->fraction += cursor->rest;
    if (cursor->fraction >= run->denominator) {
        cursor->fraction -= run->denominator;
        cursor->frame++;
    }
}

SHARED_INLINE void copy_row(struct rate_rows *rows, int k) {
    rows->floats[k] = rows->floats[k - 1];
    rows->doubles[k] = rows->doubles[k - 1];
    memcpy(rows->weights[k], rows->weights[k - 1], sizeof rows->weights[k]);
}

/* Writes one channel of at most a group. */
SHARED_INLINE void write_one(quad sums, float *output, ptrdiff_t channels, ptrdiff_t count) {
    if (channels == 1 && count == RATE_GROUP)
        memcpy(output, &sums, sizeof sums);
    else
        for (ptrdiff_t k = 0; k < count; k++) output[k * channels] = sums[k];
}

/* Writes two channels of at most a group. */
SHARED_INLINE void write_pair(const quad *sums, float *output, ptrdiff_t channels, ptrdiff_t count) {
    if (channels == 2 && count == RATE_GROUP) {
        quad frames[2] = {
            __builtin_shufflevector(sums[0], sums[1], 0, 4, 1, 5), __builtin_shufflevector(sums[0], sums[1], 2, 6, 3, 7)};
        memcpy(output, frames, sizeof frames);
        return;
    }
    for (ptrdiff_t k = 0; k < count; k++) {
        output[k * channels] = sums[0][k];
        output[k * channels + 1] = sums[1][k];
    }
}

/* ---- Vectors of eight floats ---- */

#define EVEN_OF_EIGHT(a, b) __builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14)
#define ODD_OF_EIGHT(a, b) __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15)
#define FOLD_EIGHT(vector) \
    (__builtin_shufflevector(vector, vector, 0, 1, 2, 3) + __builtin_shufflevector(vector, vector, 4, 5, 6, 7))
#define FOLD_FOUR(vector) (__builtin_shufflevector(vector, vector, 0, 1) + __builtin_shufflevector(vector, vector, 2, 3))

/* Pointers that stay, and one index for all of them. */
#define INDEXED(pointer, i) ((pointer) + (i))

#ifdef __aarch64__

/* ---- NEON: vectors of two registers each, of which it has 32 ---- */

#define LANES 8
#define NAME(word) word##_of_base
#define TARGET
#define EVEN EVEN_OF_EIGHT
#define ODD ODD_OF_EIGHT
#define FOLD FOLD_EIGHT
#define FOLD_DOUBLES FOLD_FOUR
#define AT(pointer, i) (pointer)
/* One instruction loads a vector and moves the pointer. It has no form with an index: the compiler would add pointer and index in
   front of each load, and does so also for moving pointers, unless it knows nothing of their difference. */
#define ADVANCE(pointer, count) \
    do { \
        (pointer) += (count); \
        __asm__("" : "+r"(pointer)); \
    } while (0)
#include "convolution.h"

#else

/* ---- SSE2 ---- */

#define LANES 4
#define NAME(word) word##_of_base
#define TARGET
#define EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6)
#define ODD(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7)
#define FOLD(vector) (vector)
#define FOLD_DOUBLES(vector) (vector)
#define AT INDEXED
#define ADVANCE(pointer, count)
#include "convolution.h"

#endif

rate_kernel *rate_kernel_of_base(void) { return run_of_base; }

/* ---- AVX2 and FMA ---- */

#ifdef __x86_64__

#define LANES 8
#define NAME(word) word##_of_avx2
#define TARGET __attribute__((target("avx2,fma")))
#define EVEN EVEN_OF_EIGHT
#define ODD ODD_OF_EIGHT
#define FOLD FOLD_EIGHT
#define FOLD_DOUBLES FOLD_FOUR
#define AT INDEXED
#define ADVANCE(pointer, count)
#include "convolution.h"

rate_kernel *rate_kernel_of_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? run_of_avx2 : NULL;
}

#else

rate_kernel *rate_kernel_of_avx2(void) { return NULL; }

#endif

rate_kernel *rate_kernel_of_processor(void) {
    rate_kernel *kernel = rate_kernel_of_avx2();
    return kernel ? kernel : rate_kernel_of_base();
}

/* ---- Planes ---- */

static void split(const float *frames, ptrdiff_t count, int32_t channels, float *planes, ptrdiff_t plane) {
    if (channels == 1) {
        memcpy(planes, frames, (size_t)count * sizeof *frames);
    } else if (channels == 2) {
        for (ptrdiff_t i = 0; i < count; i++) {
            planes[i] = frames[2 * i];
            planes[plane + i] = frames[2 * i + 1];
        }
    } else {
        for (ptrdiff_t c = 0; c < channels; c++)
            for (ptrdiff_t i = 0; i < count; i++) planes[c * plane + i] = frames[i * channels + c];
    }
}

void rate_append(const float *frames, ptrdiff_t count, int32_t channels, float *planes, ptrdiff_t plane) {
    split(frames, count, channels, planes, plane);
    for (ptrdiff_t c = 0; c < channels; c++) {
        float *end = planes + c * plane + count;
        memset(end, 0, RATE_MARGIN * sizeof *end);
    }
}

void rate_move_to_start(float *planes, ptrdiff_t plane, int32_t channels, ptrdiff_t from, ptrdiff_t count) {
    for (ptrdiff_t c = 0; c < channels; c++)
        memmove(planes + c * plane, planes + c * plane + from, (size_t)count * sizeof *planes);
}
