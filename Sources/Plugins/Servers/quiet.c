/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "quiet.h"

#include <dlfcn.h>
#include <stdlib.h>

/* No header of libpulse declares the functions of its log: they are in a library of its own, which comes with it. They are
   looked up, and a libpulse without them is used with its log. */
static void *(*parse_target)(const char *);
static int (*set_target)(void *);
static void *silence, *standard_error;

static void find_functions(void) {
    static int is_done;
    if (is_done) return;
    is_done = 1;
    if (secure_getenv("PULSE_LOG")) return;
    parse_target = (void *(*)(const char *))dlsym(RTLD_DEFAULT, "pa_log_parse_target");
    set_target = (int (*)(void *))dlsym(RTLD_DEFAULT, "pa_log_set_target");
    if (!parse_target || !set_target) return;
    silence = parse_target("null");
    standard_error = parse_target("stderr");
}

void quiet_begin(void) {
    find_functions();
    if (silence && standard_error) set_target(silence);
}

void quiet_end(void) {
    if (silence && standard_error) set_target(standard_error);
}
