/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel for one instruction set. The file that includes this one defines LANES, the floats of a vector; NAME(word), the name
   of a function or type; TARGET, the attribute of the instruction set; EVEN and ODD, the elements with even and odd indexes of each
   128 bits of two vectors; FOLD and FOLD_DOUBLES, the sum of the parts of a vector that have 128 bits; and for the pointers of a
   loop AT, the address in the pass with index i, and ADVANCE, which moves a pointer to the next pass. */

#define FLOATS NAME(floats)
#define DOUBLES NAME(doubles)
#define HALF NAME(half)

typedef float FLOATS __attribute__((vector_size(LANES * 4)));
typedef double DOUBLES __attribute__((vector_size(LANES * 4)));
typedef float HALF __attribute__((vector_size(LANES * 2)));

#define INLINE static inline __attribute__((always_inline)) TARGET

INLINE FLOATS NAME(load)(const float *from) {
    FLOATS value;
    memcpy(&value, from, sizeof value);
    return value;
}

INLINE DOUBLES NAME(load_doubles)(const double *from) {
    DOUBLES value;
    memcpy(&value, from, sizeof value);
    return value;
}

INLINE DOUBLES NAME(load_as_doubles)(const float *from) {
    HALF value;
    memcpy(&value, from, sizeof value);
    return __builtin_convertvector(value, DOUBLES);
}

/* The sums of the elements of four vectors. */
INLINE quad NAME(sums)(const FLOATS *of) {
    FLOATS first = EVEN(of[0], of[1]) + ODD(of[0], of[1]), second = EVEN(of[2], of[3]) + ODD(of[2], of[3]);
    return FOLD(EVEN(first, second) + ODD(first, second));
}

/* The sums of the middle and of the rest. */
INLINE quad NAME(sums_of_both)(const DOUBLES *middle, const FLOATS *rest) {
    quad floats = NAME(sums)(rest), result;
    for (int k = 0; k < RATE_GROUP; k++) {
        pair folded = FOLD_DOUBLES(middle[k]);
        result[k] = (float)(folded[0] + folded[1] + (double)floats[k]);
    }
    return result;
}

/* ---- Taps of the table ---- */

/* Adds the products of a part of the windows: of one channel, or of two. */
INLINE void NAME(add)(const float *left, const float *right, const struct rate_rows *rows, ptrdiff_t from, ptrdiff_t to,
    FLOATS *left_sums, FLOATS *right_sums, int has_right) {
    const float *next[RATE_GROUP];
    const float *l_next = left + from, *r_next = right + from;
    for (int k = 0; k < RATE_GROUP; k++) next[k] = rows->floats[k] + from;
    for (ptrdiff_t i = 0; i < to - from; i += LANES) {
        FLOATS l = NAME(load)(AT(l_next, i)), r = l;
        ADVANCE(l_next, LANES);
        if (has_right) {
            r = NAME(load)(AT(r_next, i));
            ADVANCE(r_next, LANES);
        }
        for (int k = 0; k < RATE_GROUP; k++) {
            FLOATS taps = NAME(load)(AT(next[k], i));
            ADVANCE(next[k], LANES);
            left_sums[k] += l * taps;
            if (has_right) right_sums[k] += r * taps;
        }
    }
}

INLINE void NAME(add_doubles)(const float *left, const float *right, const struct rate_rows *rows, ptrdiff_t from, ptrdiff_t to,
    DOUBLES *left_sums, DOUBLES *right_sums, int has_right) {
    const double *next[RATE_GROUP];
    const float *l_next = left + from, *r_next = right + from;
    for (int k = 0; k < RATE_GROUP; k++) next[k] = rows->doubles[k] + from;
    for (ptrdiff_t i = 0; i < to - from; i += LANES / 2) {
        DOUBLES l = NAME(load_as_doubles)(AT(l_next, i)), r = l;
        ADVANCE(l_next, LANES / 2);
        if (has_right) {
            r = NAME(load_as_doubles)(AT(r_next, i));
            ADVANCE(r_next, LANES / 2);
        }
        for (int k = 0; k < RATE_GROUP; k++) {
            DOUBLES taps = NAME(load_doubles)(AT(next[k], i));
            ADVANCE(next[k], LANES / 2);
            left_sums[k] += l * taps;
            if (has_right) right_sums[k] += r * taps;
        }
    }
}

/* ---- Interpolated taps: two output frames at once, because the weights of more do not fit into the registers ---- */

INLINE void NAME(add_interpolated)(const float *left, const float *right, const struct rate_rows *rows, ptrdiff_t stride,
    ptrdiff_t from, ptrdiff_t to, FLOATS *left_sums, FLOATS *right_sums, int has_right) {
    for (int first = 0; first < RATE_GROUP; first += 2) {
        FLOATS weights[2][RATE_POINTS], left_pair[2], right_pair[2];
        const float *points[2][RATE_POINTS];
        const float *l_next = left + from, *r_next = right + from;
        for (int k = 0; k < 2; k++) {
            for (int p = 0; p < RATE_POINTS; p++) {
                weights[k][p] = (float)rows->weights[first + k][p] - (FLOATS){0};
                points[k][p] = rows->floats[first + k] + from + p * stride;
            }
            left_pair[k] = left_sums[first + k];
            right_pair[k] = right_sums[first + k];
        }
        for (ptrdiff_t i = 0; i < to - from; i += LANES) {
            FLOATS l = NAME(load)(AT(l_next, i)), r = l;
            ADVANCE(l_next, LANES);
            if (has_right) {
                r = NAME(load)(AT(r_next, i));
                ADVANCE(r_next, LANES);
            }
            for (int k = 0; k < 2; k++) {
                FLOATS taps = NAME(load)(AT(points[k][0], i)) * weights[k][0];
                for (int p = 1; p < RATE_POINTS; p++) taps += NAME(load)(AT(points[k][p], i)) * weights[k][p];
                for (int p = 0; p < RATE_POINTS; p++) ADVANCE(points[k][p], LANES);
                left_pair[k] += l * taps;
                if (has_right) right_pair[k] += r * taps;
            }
        }
        for (int k = 0; k < 2; k++) {
            left_sums[first + k] = left_pair[k];
            right_sums[first + k] = right_pair[k];
        }
    }
}

INLINE void NAME(add_interpolated_doubles)(const float *left, const float *right, const struct rate_rows *rows, ptrdiff_t stride,
    ptrdiff_t from, ptrdiff_t to, DOUBLES *left_sums, DOUBLES *right_sums, int has_right) {
    for (int first = 0; first < RATE_GROUP; first += 2) {
        DOUBLES weights[2][RATE_POINTS], left_pair[2], right_pair[2];
        const double *points[2][RATE_POINTS];
        const float *l_next = left + from, *r_next = right + from;
        for (int k = 0; k < 2; k++) {
            for (int p = 0; p < RATE_POINTS; p++) {
                weights[k][p] = rows->weights[first + k][p] - (DOUBLES){0};
                points[k][p] = rows->doubles[first + k] + from + p * stride;
            }
            left_pair[k] = left_sums[first + k];
            right_pair[k] = right_sums[first + k];
        }
        for (ptrdiff_t i = 0; i < to - from; i += LANES / 2) {
            DOUBLES l = NAME(load_as_doubles)(AT(l_next, i)), r = l;
            ADVANCE(l_next, LANES / 2);
            if (has_right) {
                r = NAME(load_as_doubles)(AT(r_next, i));
                ADVANCE(r_next, LANES / 2);
            }
            for (int k = 0; k < 2; k++) {
                DOUBLES taps = NAME(load_doubles)(AT(points[k][0], i)) * weights[k][0];
                for (int p = 1; p < RATE_POINTS; p++) taps += NAME(load_doubles)(AT(points[k][p], i)) * weights[k][p];
                for (int p = 0; p < RATE_POINTS; p++) ADVANCE(points[k][p], LANES / 2);
                left_pair[k] += l * taps;
                if (has_right) right_pair[k] += r * taps;
            }
        }
        for (int k = 0; k < 2; k++) {
            left_sums[first + k] = left_pair[k];
            right_sums[first + k] = right_pair[k];
        }
    }
}

/* ---- Groups ---- */

INLINE void NAME(add_floats)(const struct rate_filter *filter, const float *left, const float *right,
    const struct rate_rows *rows, ptrdiff_t from, ptrdiff_t to, FLOATS *left_sums, FLOATS *right_sums, int has_right,
    int interpolates) {
    if (interpolates)
        NAME(add_interpolated)(left, right, rows, filter->stride, from, to, left_sums, right_sums, has_right);
    else
        NAME(add)(left, right, rows, from, to, left_sums, right_sums, has_right);
}

/* The output frames of a group: of one channel, or of two. The loops begin at a multiple of the lanes. They may read the zeros
   around a row, because a product with zero changes no sum. */
INLINE void NAME(convolve)(const struct rate_filter *filter, const float *left, const float *right, const struct rate_rows *rows,
    quad *results, int has_right, int interpolates) {
    FLOATS left_sums[RATE_GROUP] = {0}, right_sums[RATE_GROUP] = {0};
    ptrdiff_t end = filter->taps + rows->last;
    if (!filter->middle) {
        NAME(add_floats)(filter, left, right, rows, 0, end, left_sums, right_sums, has_right, interpolates);
        results[0] = NAME(sums)(left_sums);
        if (has_right) results[1] = NAME(sums)(right_sums);
        return;
    }
    ptrdiff_t first = filter->middle_first, after = first + filter->middle_taps;
    DOUBLES left_middle[RATE_GROUP] = {0}, right_middle[RATE_GROUP] = {0};
    NAME(add_floats)(filter, left, right, rows, 0, first + rows->last, left_sums, right_sums, has_right, interpolates);
    NAME(add_floats)(filter, left, right, rows, after & -LANES, end, left_sums, right_sums, has_right, interpolates);
    first &= -LANES;
    after += rows->last;
    if (interpolates) {
        ptrdiff_t stride = filter->middle_stride;
        NAME(add_interpolated_doubles)(left, right, rows, stride, first, after, left_middle, right_middle, has_right);
    } else {
        NAME(add_doubles)(left, right, rows, first, after, left_middle, right_middle, has_right);
    }
    results[0] = NAME(sums_of_both)(left_middle, left_sums);
    if (has_right) results[1] = NAME(sums_of_both)(right_middle, right_sums);
}

INLINE void NAME(run_group)(const struct rate_filter *filter, const struct rate_run *run, struct rate_cursor *cursor,
    float *output, ptrdiff_t count, int interpolates) {
    struct rate_rows rows;
    ptrdiff_t first = cursor->frame & -RATE_ALIGNMENT, channels = run->channels;
    for (int k = 0; k < RATE_GROUP; k++) {
        /* The last group is completed with its last frame, which is not written again. */
        if (k < count)
            set_row(filter, run, cursor, first, &rows, k, interpolates);
        else
            copy_row(&rows, k);
    }
    /* The same number for all groups but the last one, so that the processor predicts the ends of the loops. */
    if (count == RATE_GROUP) rows.last = cursor->reach;
    for (ptrdiff_t channel = 0; channel < channels; channel += 2) {
        const float *left = run->history + channel * run->plane + first;
        quad sums[2];
        if (channel + 1 < channels) {
            NAME(convolve)(filter, left, left + run->plane, &rows, sums, 1, interpolates);
            write_pair(sums, output + channel, channels, count);
        } else {
            NAME(convolve)(filter, left, left, &rows, sums, 0, interpolates);
            write_one(sums[0], output + channel, channels, count);
        }
    }
}

INLINE void NAME(run_groups)(const struct rate_filter *filter, const struct rate_run *run, int interpolates) {
    struct rate_cursor cursor = first_cursor(run);
    float *output = run->output;
    ptrdiff_t left = run->frames;
    for (; left >= RATE_GROUP; left -= RATE_GROUP, output += RATE_GROUP * run->channels)
        NAME(run_group)(filter, run, &cursor, output, RATE_GROUP, interpolates);
    if (left > 0) NAME(run_group)(filter, run, &cursor, output, left, interpolates);
}

TARGET static __attribute__((noinline)) void NAME(run_interpolated)(
    const struct rate_filter *filter, const struct rate_run *run) {
    NAME(run_groups)(filter, run, 1);
}

TARGET static void NAME(run)(const struct rate_filter *filter, const struct rate_run *run) {
    if (filter->interpolates)
        NAME(run_interpolated)(filter, run);
    else
        NAME(run_groups)(filter, run, 0);
}

#undef FLOATS
#undef DOUBLES
#undef HALF
#undef INLINE
#undef LANES
#undef NAME
#undef TARGET
#undef EVEN
#undef ODD
#undef FOLD
#undef FOLD_DOUBLES
#undef AT
#undef ADVANCE
