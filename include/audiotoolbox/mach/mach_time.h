/* SPDX-License-Identifier: Apache-2.0 */
/* Host time: nanoseconds of CLOCK_MONOTONIC, as in mHostTime of AudioTimeStamp. It does not advance while
   the machine sleeps. All functions are inline; no library is needed. */
#ifndef AUDIOTOOLBOX_MACH_MACH_TIME_H
#define AUDIOTOOLBOX_MACH_MACH_TIME_H

#ifndef AUDIOTOOLBOX_MACH_KERN_RETURN_H
#include <mach/kern_return.h>
#endif
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* libc declares these functions only in some language modes. Therefore they are declared here under other names. A
   struct timespec is two longs. */
extern int audiotoolbox_clock_gettime_(int clock, long *time) __asm__("clock_gettime");
extern int audiotoolbox_clock_nanosleep_(int clock, int flags, const long *time, long *rest) __asm__("clock_nanosleep");

struct mach_timebase_info {
    uint32_t numer;
    uint32_t denom;
};
typedef struct mach_timebase_info *mach_timebase_info_t;
typedef struct mach_timebase_info mach_timebase_info_data_t;

/* Returns the host time now. */
static __inline__ uint64_t mach_absolute_time(void) {
    long now[2] = {0, 0};
    audiotoolbox_clock_gettime_(1, now);
    return (uint64_t)now[0] * 1000000000u + (uint64_t)now[1];
}

/* Writes 1 and 1: a unit of host time is a nanosecond. */
static __inline__ kern_return_t mach_timebase_info(mach_timebase_info_t info) {
    info->numer = 1;
    info->denom = 1;
    return KERN_SUCCESS;
}

/* Sleeps until the host time is reached. A signal does not end the sleep. */
static __inline__ kern_return_t mach_wait_until(uint64_t deadline) {
    long until[2];
    int error;
    until[0] = (long)(deadline / 1000000000u);
    until[1] = (long)(deadline % 1000000000u);
    do error = audiotoolbox_clock_nanosleep_(1, 1, until, 0);
    while (error == 4);
    return error == 0 ? KERN_SUCCESS : KERN_FAILURE;
}

#ifdef __cplusplus
}
#endif

#endif
