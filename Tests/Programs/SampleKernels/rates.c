/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of rate conversion of the processor that runs this program, compared with plain C within rounding. It contains the
   source of the kernels, so that it runs where Swift's tests do not: under an emulator. With the name of a conversion and a number
   of rounds it only converts, for counting instructions: 0 rounds are the program without it. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CRateKernels.h"

enum { FRAMES = 64, COUNTED = 1024, PLANE = 7000, PLANES = 8, START = 13, TABLE = 160 * 1024 };

/* The shape of a filter: those of the qualities of the library, of rates that rise and fall. */
struct shape {
    const char *name;
    ptrdiff_t taps, middle_taps;
    int64_t numerator, denominator, phases;
    bool interpolates;
};

static const struct shape shapes[] = {
    {"linear", 8, 0, 147, 160, 160, false},
    {"medium", 96, 0, 147, 160, 160, false},
    {"medium-falling", 106, 0, 160, 147, 147, false},
    {"medium-sixth", 576, 0, 6, 1, 1, false},
    {"max", 144, 32, 147, 160, 160, false},
    {"max-falling", 158, 32, 160, 147, 147, false},
    {"medium-drifting", 96, 0, 44099, 48000, 64, true},
    {"medium-falling-drifting", 106, 0, 48000, 44099, 59, true},
    {"max-drifting", 144, 32, 44099, 48000, 256, true},
};

static uint64_t state = 88172645463325252u;
static double noise(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(int64_t)state / 9223372036854775808.0;
}

static int failed;
static void report(const char *name, const char *what, bool is_right) {
    failed += !is_right;
    printf("%s - %s: %s\n", is_right ? "ok" : "not ok", name, what);
}

/* ---- Filters with arbitrary taps ---- */

static _Alignas(64) float rows[TABLE], planes[PLANES * PLANE], output[COUNTED * PLANES + FRAMES];
static _Alignas(64) double middle[TABLE];

static ptrdiff_t aligned(ptrdiff_t count) { return (count + RATE_ALIGNMENT - 1) / RATE_ALIGNMENT * RATE_ALIGNMENT; }

static bool is_middle(const struct rate_filter *filter, ptrdiff_t tap) {
    return filter->middle && tap >= filter->middle_first && tap < filter->middle_first + filter->middle_taps;
}

static struct rate_filter make_filter(const struct shape *shape) {
    double stretch = (double)shape->numerator / (double)shape->denominator;
    struct rate_filter filter = {
        .taps = shape->taps,
        .gap = aligned((ptrdiff_t)((RATE_GROUP - 1) * fmax(stretch, 1) * 1.02) + 2 * RATE_ALIGNMENT),
        .middle_first = aligned((shape->taps - shape->middle_taps) / 2),
        .middle_taps = shape->middle_taps,
        .phases = shape->phases,
        .interpolates = shape->interpolates,
    };
    filter.stride = aligned(shape->taps) + filter.gap;
    filter.middle_stride = shape->middle_taps + filter.gap;
    filter.rows = rows + filter.gap;
    filter.middle = shape->middle_taps ? middle + filter.gap : NULL;
    ptrdiff_t count = shape->interpolates ? shape->phases + RATE_POINTS - 1 : shape->phases;
    if (filter.gap + count * filter.stride > TABLE || filter.gap + count * filter.middle_stride > TABLE) {
        printf("not ok - %s: the tables of this program hold its filter\n", shape->name);
        exit(1);
    }
    memset(rows, 0, sizeof rows);
    memset(middle, 0, sizeof middle);
    for (ptrdiff_t row = 0; row < count; row++)
        for (ptrdiff_t tap = 0; tap < shape->taps; tap++)
            if (is_middle(&filter, tap))
                middle[filter.gap + row * filter.middle_stride + tap - filter.middle_first] = noise();
            else
                rows[filter.gap + row * filter.stride + tap] = (float)noise();
    return filter;
}

/* ---- Plain convolution ---- */

/* The cubic polynomial through the values 1 at point p and 0 at the others, of -1, 0, 1 and 2. */
static double weight(int p, double x) {
    double product = 1;
    for (int q = 0; q < RATE_POINTS; q++)
        if (q != p) product *= (x - (q - 1)) / (p - q);
    return product;
}

/* One frame of one channel, in doubles; the largest difference that rounding to floats makes is in `bound`. */
static double plain(const struct rate_filter *filter, const float *window, int64_t fraction, int64_t denominator, double *bound) {
    double sum = 0, size = 0, position = (double)fraction;
    int points = 1;
    if (filter->interpolates) {
        position = position * (double)filter->phases / (double)denominator;
        points = RATE_POINTS;
    }
    for (ptrdiff_t tap = 0; tap < filter->taps; tap++)
        for (int p = 0; p < points; p++) {
            ptrdiff_t row = (ptrdiff_t)position + p;
            double taps = is_middle(filter, tap) ? filter->middle[row * filter->middle_stride + tap - filter->middle_first]
                                                 : (double)filter->rows[row * filter->stride + tap];
            double product = window[tap] * taps * (points == 1 ? 1 : weight(p, position - floor(position)));
            sum += product;
            if (!is_middle(filter, tap)) size += fabs(product);
        }
    /* Each of the four sums of a vector has a fourth of the additions. Taps and products have at most six roundings. */
    double additions = (double)filter->taps / 4 + 6 + 3;
    *bound = (additions * size + fabs(sum)) * 0x1p-24 * 1.01 + 1e-30;
    return sum;
}

/* ---- Comparisons ---- */

static void fill_planes(void) {
    for (ptrdiff_t i = 0; i < PLANES * PLANE; i++) planes[i] = (float)noise();
}

static struct rate_run make_run(const struct shape *shape, ptrdiff_t frames, int channels) {
    return (struct rate_run){.history = planes,
        .plane = PLANE,
        .first = START,
        .fraction = shape->denominator / 3,
        .numerator = shape->numerator,
        .denominator = shape->denominator,
        .output = output,
        .frames = frames,
        .channels = channels};
}

static bool agrees(
    rate_kernel *kernel, const struct shape *shape, const struct rate_filter *filter, ptrdiff_t frames, int channels) {
    struct rate_run run = make_run(shape, frames, channels);
    memset(output, 0x5A, sizeof output);
    kernel(filter, &run);
    for (ptrdiff_t frame = 0; frame < frames; frame++) {
        int64_t position = run.fraction + frame * run.numerator;
        const float *window = planes + run.first + position / run.denominator;
        for (int channel = 0; channel < channels; channel++) {
            double bound, found = output[frame * channels + channel];
            double expected = plain(filter, window + channel * PLANE, position % run.denominator, run.denominator, &bound);
            if (fabs(found - expected) <= bound) continue;
            printf("# frame %td of %td, channel %d of %d: %.9g, expected %.9g with a difference of at most %.2g\n", frame, frames,
                channel, channels, found, expected, bound);
            return false;
        }
    }
    /* The frames behind the last one stay. */
    for (size_t i = 0; i < FRAMES * sizeof *output; i++)
        if (((unsigned char *)(output + frames * channels))[i] != 0x5A) return false;
    return true;
}

static void check(rate_kernel *kernel, const char *instructions, const struct shape *shape) {
    static const ptrdiff_t lengths[] = {1, 2, 3, 4, 5, 8, 63};
    static const int channel_counts[] = {1, 2, 3, 6, 8};
    struct rate_filter filter = make_filter(shape);
    bool is_right = true;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths && is_right; i++)
        for (size_t k = 0; k < sizeof channel_counts / sizeof *channel_counts && is_right; k++)
            is_right = agrees(kernel, shape, &filter, lengths[i], channel_counts[k]);
    char name[60];
    snprintf(name, sizeof name, "%s, %s", shape->name, instructions);
    report(name, "equals plain C within rounding", is_right);
}

static void check_history(void) {
    enum { COUNT = 37 };
    static float frames[COUNT * PLANES];
    for (int i = 0; i < COUNT * PLANES; i++) frames[i] = (float)noise();
    bool appends = true, moves = true;
    for (int channels = 1; channels <= PLANES; channels++) {
        for (ptrdiff_t i = 0; i < PLANES * PLANE; i++) planes[i] = 9;
        rate_append(frames, COUNT, channels, planes, PLANE);
        for (int c = 0; c < channels; c++) {
            const float *plane = planes + c * PLANE;
            for (int i = 0; i < COUNT; i++) appends = appends && plane[i] == frames[i * channels + c];
            for (int i = COUNT; i < COUNT + RATE_MARGIN; i++) appends = appends && plane[i] == 0;
            appends = appends && plane[COUNT + RATE_MARGIN] == 9;
        }
        rate_move_to_start(planes, PLANE, channels, 5, COUNT - 5);
        for (int c = 0; c < channels; c++)
            for (int i = 0; i < COUNT - 5; i++) moves = moves && planes[c * PLANE + i] == frames[(i + 5) * channels + c];
    }
    report("history", "frames are appended to planes, with silence behind them", appends);
    report("history", "frames move to the start of their planes", moves);
}

/* Converts COUNTED output frames without a comparison: SHAPE/CHANNELS. */
static int repeat(const char *name, int rounds) {
    const char *slash = strchr(name, '/');
    int channels = slash ? atoi(slash + 1) : 0;
    if (channels < 1 || channels > PLANES) return 2;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (strlen(shapes[i].name) != (size_t)(slash - name) || strncmp(shapes[i].name, name, (size_t)(slash - name)) != 0)
            continue;
        ptrdiff_t last = START + (COUNTED * shapes[i].numerator + shapes[i].denominator) / shapes[i].denominator;
        if (last + shapes[i].taps + RATE_MARGIN > PLANE) return 2;
        struct rate_filter filter = make_filter(&shapes[i]);
        struct rate_run run = make_run(&shapes[i], COUNTED, channels);
        for (int round = 0; round < rounds; round++) rate_kernel_of_processor()(&filter, &run);
        return 0;
    }
    return 2;
}

int main(int count, char **arguments) {
    if (count > 2) return repeat(arguments[1], atoi(arguments[2]));
    fill_planes();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        check(rate_kernel_of_base(), "SSE2 or NEON", &shapes[i]);
        if (rate_kernel_of_avx2()) check(rate_kernel_of_avx2(), "AVX2", &shapes[i]);
    }
    check_history();
    return failed != 0;
}
