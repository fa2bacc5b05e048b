/* SPDX-License-Identifier: Apache-2.0 */
/* The convolutions of a change of the sample rate, with the vector instructions of each processor. They are in C, because Swift
   cannot compile one function for another processor than the rest of a module. The results of two kernels differ by rounding
   only. */
#ifndef CRATEKERNELS_H
#define CRATEKERNELS_H

#include <stddef.h>
#include <stdint.h>

enum {
    /* The windows of this number of output frames are computed together. */
    RATE_GROUP = 4,
    /* The floats of the largest vector. The index of a frame in the history, modulo this number, decides the order of the additions.
     */
    RATE_ALIGNMENT = 8,
    /* The frames that a kernel reads after the last window. */
    RATE_MARGIN = 2 * RATE_ALIGNMENT,
    /* The rows of a filter that an interpolation reads: one before the position, and two after the next one. */
    RATE_POINTS = 4,
};

/* The taps of a low-pass filter. Row p has the taps for an output frame that lies p / phases after an input frame. At least `gap`
   zeros precede and follow each row.

   With `middle` the taps in the middle are doubles in another table, and 0 in `rows`. Their products are the large ones, and their
   sum is computed in doubles. */
struct rate_filter {
    const float *rows;
    const double *middle;
    ptrdiff_t taps, stride, gap;
    /* The first of the taps in the middle, and their number. */
    ptrdiff_t middle_first, middle_taps, middle_stride;
    int64_t phases;
    /* The rows begin with that of phase -1 and end with that of phase `phases` + 1. */
    int32_t interpolates;
};

/* Output frames to be computed. Plane c of the history begins at history + c * plane. The window of the next output frame begins
   at index `first`, and the frame lies fraction / denominator after an input frame. An output frame is numerator / denominator
   input frames after the one before it. The denominator is the number of phases, except for an interpolation. */
struct rate_run {
    const float *history;
    ptrdiff_t plane, first;
    int64_t fraction, numerator, denominator;
    /* Interleaved. */
    float *output;
    ptrdiff_t frames;
    int32_t channels;
};

typedef void rate_kernel(const struct rate_filter *filter, const struct rate_run *run);

/* The kernel for this processor. */
rate_kernel *rate_kernel_of_processor(void);

/* The kernels of the instruction sets: SSE2 or NEON, and AVX2 with FMA; NULL on a processor without them. */
rate_kernel *rate_kernel_of_base(void);
rate_kernel *rate_kernel_of_avx2(void);

/* For the design of a filter. */
static inline double rate_sine(double angle) { return __builtin_sin(angle); }

/* Copies interleaved frames to planes, and RATE_MARGIN frames of silence after them: vectors read these, and an old sample that is
   not a number has no product that is 0. */
void rate_append(const float *frames, ptrdiff_t count, int32_t channels, float *planes, ptrdiff_t plane);

/* Moves frames of all planes from index `from` to the start. */
void rate_move_to_start(float *planes, ptrdiff_t plane, int32_t channels, ptrdiff_t from, ptrdiff_t count);

#endif
