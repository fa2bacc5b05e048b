/* SPDX-License-Identifier: Apache-2.0 */
/* An adversary, or a process with a defect: a process of the same user that does to the shared
   folder what only that user can. */
#ifndef HOSTILE_H
#define HOSTILE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdbool.h>
#include <stdint.h>

struct adversary {
    const char *name;
    const char *action;
    /* Calls report_begin() once it has begun, and does not return. */
    void (*run)(void);
    bool needs_small_disk;
};

extern const struct adversary adversaries[];

/* The table's file, with the version of its layout. */
#define TABLE "sessions.8"
/* The runtime directory. */
const char *shared_folder(void);
void report_begin(void);
/* Before that: one of its first steps is done. The wait for it begins again. */
void report_step(void);
/* For a child of an adversary, which reports nothing. */
void close_progress_line(void);

__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...);
/* A set-user-id program and its caller (secure.c). */
int check_set_user_id(void);
__attribute__((noreturn)) void initialize_session(void);

uint64_t nanoseconds(void);
void sleep_milliseconds(unsigned milliseconds);

#endif
