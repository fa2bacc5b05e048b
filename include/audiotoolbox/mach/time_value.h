/* SPDX-License-Identifier: Apache-2.0 */
/* A duration, as thread_info writes it. */
#ifndef AUDIOTOOLBOX_MACH_TIME_VALUE_H
#define AUDIOTOOLBOX_MACH_TIME_VALUE_H

#ifndef AUDIOTOOLBOX_MACH_MACH_TYPES_H
#include <mach/mach_types.h>
#endif

struct time_value {
    integer_t seconds;
    integer_t microseconds;
};
typedef struct time_value time_value_t;

#define TIME_MICROS_MAX 1000000

#endif
