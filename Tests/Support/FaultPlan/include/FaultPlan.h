/* SPDX-License-Identifier: Apache-2.0 */
/* Plans of calls to the system that fail. libc.c and alsa.c have the calls that can fail. */
#ifndef FAULT_PLAN_H
#define FAULT_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fault_kind {
    FAULT_NONE,  /* calls are only counted */
    FAULT_ERROR, /* the call does nothing, and fails with the plan's error */
    FAULT_SHORT  /* a transfer from or to a file moves half of what it could, and succeeds */
};
enum fault_threads { FAULT_ALL_THREADS, FAULT_THIS_THREAD, FAULT_OTHER_THREADS };

struct fault_plan {
    enum fault_kind how;
    enum fault_threads where;
    /* A value of <errno.h>. EINTR applies to calls that a signal can interrupt, EMFILE to calls that make a descriptor.
       libasound's calls fail with its negative. */
    int error;
    uint64_t nth;    /* of the calls that can fail in this way, from 1 */
    bool is_lasting; /* and all that follow */
};

/* The plan is in force from now on, in place of the last one. */
void fault_plan_begin(struct fault_plan plan);
/* Nothing fails any more. How many calls could have failed since the plan began. */
uint64_t fault_plan_end(void);
/* The name of the call that failed first; NULL when none has. */
const char *fault_plan_struck(void);

/* ---- for tests in one process ---- */

/* fault_plan_begin, for this thread, until the same thread calls fault_plan_leave; others wait for their turn. */
void fault_plan_enter(int error, uint64_t nth, bool is_lasting);
/* A transfer moves half of what it could. */
void fault_plan_enter_short(uint64_t nth);
/* Whether a call has failed meanwhile. */
bool fault_plan_leave(void);

#endif
