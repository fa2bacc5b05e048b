/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CLinux.h"

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The locale of the program may have a decimal comma. These functions use the C locale. */
static locale_t c_locale;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void make_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

bool linux_parse_double(const char *text, double *out) {
    pthread_once(&once, make_locale);
    if (*text == '\0' || *text == ' ' || *text == '\t') return false;
    char *end;
    double value = c_locale ? strtod_l(text, &end, c_locale) : strtod(text, &end);
    if (*end != '\0') return false;
    *out = value;
    return true;
}

static size_t format(double value, int shortest, int longest, bool is_float, char *buffer, size_t size) {
    pthread_once(&once, make_locale);
    locale_t before = c_locale ? uselocale(c_locale) : (locale_t)0;
    int length = 0;
    for (int digits = shortest; digits <= longest; digits++) {
        length = snprintf(buffer, size, "%.*g", digits, value);
        if (is_float ? strtof(buffer, NULL) == (float)value : strtod(buffer, NULL) == value) break;
    }
    if (before) uselocale(before);
    return length < 0 ? 0 : (size_t)length < size ? (size_t)length : size - 1;
}

size_t linux_format_float(float value, char *buffer, size_t size) { return format((double)value, 6, 9, true, buffer, size); }
size_t linux_format_double(double value, char *buffer, size_t size) { return format(value, 6, 17, false, buffer, size); }
