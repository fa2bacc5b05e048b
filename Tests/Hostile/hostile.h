/* A neighbour that means no good, or has gone mad: a process of the same user that does to the shared
   folder what only that user can. */
#ifndef HOSTILE_H
#define HOSTILE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdbool.h>
#include <stdint.h>

struct neighbour {
    const char *name;
    const char *deed;
    /* Says `at_work()` once it has begun, and goes on until it is killed. */
    void (*live)(void);
    bool needs_small_disk;
};

extern const struct neighbour neighbours[];

/* The table's file, with the version of its layout. */
#define TABLE "sessions.5"
/* The folder that all share. */
const char *shared_folder(void);
void at_work(void);
/* Before that: a step of what it must do first. The wait for it begins anew. */
void on_the_way(void);
/* For a child of a neighbour: it says nothing. */
void leave_line(void);

__attribute__((noreturn, format(printf, 1, 2))) void give_up(const char *format, ...);
/* A caller who means no good (secure.c). */
int check_set_user_id(void);
__attribute__((noreturn)) void be_a_session(void);

uint64_t nanoseconds(void);
void sleep_milliseconds(unsigned milliseconds);

#endif
