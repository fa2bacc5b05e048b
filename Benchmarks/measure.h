/* SPDX-License-Identifier: Apache-2.0 */
/* For all benchmarks: the clock, and the output of a sample.

   A sample is a line: table, subject, round, unit, value. report.c writes tables of them. BENCH_WHERE is a prefix of the
   table's name, for measurements in another place. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline uint64_t nanoseconds_of(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static inline uint64_t now(void) { return nanoseconds_of(CLOCK_MONOTONIC); }

static inline void sample(const char *table, const char *subject, const char *unit, double value) {
    const char *round = getenv("BENCH_ROUND"), *where = getenv("BENCH_WHERE");
    printf("%s%s\t%s\t%s\t%s\t%.6g\n", where ? where : "", table, subject, round ? round : "1", unit, value);
}

static inline void pause_for(uint64_t nanoseconds) {
    struct timespec time = {(time_t)(nanoseconds / 1000000000u), (long)(nanoseconds % 1000000000u)};
    while (nanosleep(&time, &time) < 0) {}
}

/* Exits when a call fails without which the figures mean nothing. */
#define REQUIRE(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

static inline int count_from(int argc, char **argv, int place, int otherwise) {
    return argc > place ? atoi(argv[place]) : otherwise;
}

#endif
