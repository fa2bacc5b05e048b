/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of samples of the processor that runs this program, compared with plain C, bit by bit. It contains the sources of the
   kernels, so that it runs where Swift's tests do not: under an emulator. With the name of a kernel and a number of rounds it only
   converts, for counting instructions: 0 rounds are the program without it. "plain:" in front of the name converts with plain C. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CPCMKernels.h"

enum { COUNT = 1000, ROUNDS = 300, LONG = 4096, EDGES = 24 };
/* The 32-bit integer that stands for 1.0. */
static double scale;
static const double scales[] = {2147483648.0, 1 << 24, 1 << 15};

/* ---- Plain conversions ---- */

static int64_t clipped(double value, int bits) {
    const double high = (double)(1LL << (bits - 1));
    if (isnan(value)) return 0;
    value = nearbyint(value);
    return value >= high ? (int64_t)high - 1 : value < -high ? -(int64_t)high : (int64_t)value;
}

#define PLAIN(name, source_type, target_type, expression) \
    static void plain_##name(const void *source, void *target, ptrdiff_t count) { \
        const source_type *from = source; \
        target_type *to = target; \
        for (ptrdiff_t i = 0; i < count; i++) { \
            source_type value = from[i]; \
            to[i] = (target_type)(expression); \
        } \
    }

PLAIN(int16_to_float32, int16_t, float, value / 32768.0f)
PLAIN(float32_to_int16, float, int16_t, clipped((double)value * 32768, 16))
PLAIN(int16_to_int32, int16_t, int32_t, (int32_t)value * 65536)
PLAIN(int32_to_int16, int32_t, int16_t, clipped(value / 65536.0, 16))
PLAIN(int32_to_float32, int32_t, float, (float)value *(float)(1 / scale))
PLAIN(float32_to_int32, float, int32_t, clipped((double)value *scale, 32))
PLAIN(int16_to_float64, int16_t, double, value / 32768.0)
PLAIN(float64_to_int16, double, int16_t, clipped(value * 32768, 16))
PLAIN(int32_to_float64, int32_t, double, value / scale)
PLAIN(float64_to_int32, double, int32_t, clipped(value *scale, 32))
PLAIN(int16, int16_t, int16_t, value)
PLAIN(float32, float, float, value)

/* ---- Samples: edges in each place of the registers, and arbitrary bits ---- */

static uint64_t state = 88172645463325252u;
static uint64_t random_bits(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static double real(void) {
    static const double edges[EDGES] = {0, -0.0, 1, -1, 0.5 / 32768, 1.5 / 32768, 2.5 / 32768, -0.5 / 32768, -1.5 / 32768,
        32767.5 / 32768, 32766.5 / 32768, -32767.5 / 32768, 127.99999, 128, -128, -128.00001, 1e30, -1e30, INFINITY, -INFINITY,
        NAN, 1e-40, 0.99999994, -0.99999994};
    return random_bits() % 2 ? edges[random_bits() % EDGES]
                             : (double)(int64_t)random_bits() / 9e18 * (random_bits() % 8 ? 1.1 : 200);
}

enum sample { INT16, INT32, FLOAT32, FLOAT64 };
static const size_t size_of[] = {2, 4, 4, 8};

static void fill(void *samples, enum sample kind, int count) {
    static const int32_t halves[] = {0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF};
    for (int i = 0; i < count; i++) switch (kind) {
        case INT16: ((int16_t *)samples)[i] = (int16_t)random_bits(); break;
        case INT32: {
            static const int32_t uppers[] = {INT32_MIN, -65536, 0, 0x10000, 0x7FFE0000, 0x7FFF0000};
            int32_t upper = random_bits() % 2 ? uppers[random_bits() % 6] : (int32_t)(random_bits() & 0xFFFF0000);
            int32_t lower = halves[random_bits() % 6];
            ((int32_t *)samples)[i] = random_bits() % 2 ? upper | lower : (int32_t)random_bits();
            break;
        }
        case FLOAT32: ((float *)samples)[i] = (float)real(); break;
        case FLOAT64: ((double *)samples)[i] = real(); break;
        }
}

/* ---- Comparisons ---- */

static int failed;

static void report(const char *name, const char *what, const void *found, const void *expected, size_t bytes) {
    bool is_same = memcmp(found, expected, bytes) == 0;
    failed += !is_same;
    printf("%s - %s: %s\n", is_same ? "ok" : "not ok", name, what);
}

static _Alignas(64) double source[2 * COUNT + 4], other[COUNT + 4], target[2 * LONG], expected[2 * COUNT + 4], second[COUNT + 4];

struct row {
    const char *name;
    pcm_kernel *kernel;
    void (*plain)(const void *, void *, ptrdiff_t);
    enum sample from, to;
};

/* Each length up to two blocks, and some long ones; the samples behind the last one stay. */
static void check(const struct row *row) {
    bool is_same = true;
    for (int round = 0; round < ROUNDS && is_same; round++) {
        scale = scales[round % 3];
        int count = round < 80 ? round : (int)(random_bits() % COUNT);
        fill(source, row->from, COUNT);
        memset(target, 0x5A, sizeof expected);
        memset(expected, 0x5A, sizeof expected);
        row->kernel(source, target, count, scale);
        row->plain(source, expected, count);
        is_same = memcmp(target, expected, (size_t)(count + 4) * size_of[row->to]) == 0;
    }
    report(row->name, "equals plain C", &is_same, &(bool){true}, 1);
    if (size_of[row->to] > size_of[row->from]) return;
    fill(source, row->from, COUNT);
    row->plain(source, expected, COUNT);
    row->kernel(source, source, COUNT, scale);
    report(row->name, "in place", source, expected, COUNT * size_of[row->to]);
}

static void check_stereo(const struct pcm_kernels *kernels) {
    static void (*const plain[2][2])(const void *, void *, ptrdiff_t) = {
        {plain_int16, plain_int16_to_float32}, {plain_float32_to_int16, plain_float32}};
    static const enum sample kinds[] = {INT16, FLOAT32};
    for (int from = 0; from < 2; from++)
        for (int to = 0; to < 2; to++) {
            char name[40];
            bool joins = true, splits = true;
            const size_t in = size_of[kinds[from]], out = size_of[kinds[to]];
            for (int frames = 0; frames < 150; frames++) {
                fill(source, kinds[from], frames);
                fill(other, kinds[from], frames);
                memset(target, 0x5A, sizeof expected);
                memset(expected, 0x5A, sizeof expected);
                kernels->join[from][to](source, other, target, frames);
                for (int i = 0; i < frames; i++) {
                    plain[from][to]((char *)source + (size_t)i * in, (char *)expected + 2 * (size_t)i * out, 1);
                    plain[from][to]((char *)other + (size_t)i * in, (char *)expected + (2 * (size_t)i + 1) * out, 1);
                }
                joins = joins && memcmp(target, expected, (size_t)(2 * frames + 4) * out) == 0;
                fill(source, kinds[from], 2 * frames);
                memset(target, 0x5A, sizeof target);
                memset(second, 0x5A, sizeof second);
                kernels->split[from][to](source, target, second, frames);
                for (int i = 0; i < frames; i++) {
                    plain[from][to]((char *)source + 2 * (size_t)i * in, expected, 1);
                    splits = splits && memcmp((char *)target + (size_t)i * out, expected, out) == 0;
                    plain[from][to]((char *)source + (2 * (size_t)i + 1) * in, expected, 1);
                    splits = splits && memcmp((char *)second + (size_t)i * out, expected, out) == 0;
                }
                splits = splits && ((unsigned char *)target)[(size_t)frames * out] == 0x5A;
            }
            snprintf(name, sizeof name, "stereo of %s to %s", from ? "floats" : "words", to ? "floats" : "words");
            report(name, "the channels are interleaved", &joins, &(bool){true}, 1);
            report(name, "the channels are separated", &splits, &(bool){true}, 1);
        }
}

/* Converts without a comparison. */
static int repeat(const struct row *rows, size_t count, const struct pcm_kernels *kernels, const char *name, int rounds) {
    static _Alignas(64) double from[2 * LONG], to[2 * LONG];
    static const char plain[] = "plain:";
    bool is_plain = strncmp(name, plain, strlen(plain)) == 0;
    for (int i = 0; i < 2 * LONG; i++) from[i] = 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].name, is_plain ? name + strlen(plain) : name) != 0) continue;
        for (int round = 0; round < rounds; round++)
            if (is_plain)
                rows[i].plain(from, to, LONG);
            else
                rows[i].kernel(from, to, LONG, scale);
        return 0;
    }
    int in = 0, out = 0;
    if (sscanf(name, "join%1d%1d", &in, &out) == 0 && sscanf(name, "split%1d%1d", &in, &out) == 0) return 2;
    for (int round = 0; round < rounds; round++) {
        if (name[0] == 'j')
            kernels->join[in & 1][out & 1](from, from + LONG / 2, to, LONG);
        else
            kernels->split[in & 1][out & 1](from, to, to + LONG, LONG);
    }
    return 0;
}

int main(int count, char **arguments) {
    const struct pcm_kernels *kernels = pcm_kernels();
    if (!kernels) {
        puts("not ok - this processor has kernels");
        return 1;
    }
#define ROW(name, from, to) \
    { #name, kernels->name, plain_##name, from, to }
    const struct row rows[] = {ROW(int16_to_float32, INT16, FLOAT32), ROW(float32_to_int16, FLOAT32, INT16),
        ROW(int16_to_int32, INT16, INT32), ROW(int32_to_int16, INT32, INT16), ROW(int32_to_float32, INT32, FLOAT32),
        ROW(float32_to_int32, FLOAT32, INT32), ROW(int16_to_float64, INT16, FLOAT64), ROW(float64_to_int16, FLOAT64, INT16),
        ROW(int32_to_float64, INT32, FLOAT64), ROW(float64_to_int32, FLOAT64, INT32)};
    const size_t kinds = sizeof rows / sizeof *rows;
    scale = scales[0];
    if (count > 2) return repeat(rows, kinds, kernels, arguments[1], atoi(arguments[2]));
    for (size_t i = 0; i < kinds; i++) check(&rows[i]);
    check_stereo(kernels);
    return failed != 0;
}
