/* SPDX-License-Identifier: Apache-2.0 */
/* Included by the programs of this folder. A program is C and C++ at once. */
#ifndef TOOLBOX_H
#define TOOLBOX_H

#include <AudioToolbox/AudioToolbox.h>
#include <AudioToolbox/CAFFile.h>
#include <Availability.h>
#include <AvailabilityMacros.h>
#include <libkern/OSAtomic.h>
#include <mach/mach.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static int failures;

__attribute__((format(printf, 1, 2), unused)) static void failed(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    failures++;
    fputs("  ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

#define EXPECT(condition) \
    do { \
        if (!(condition)) failed("line %d: %s does not hold", __LINE__, #condition); \
    } while (0)

__attribute__((unused)) static int finish(void) { return failures ? 1 : 0; }

#endif
