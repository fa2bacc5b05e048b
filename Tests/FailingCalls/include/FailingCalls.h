/* Plans of calls to the system that fail. What can fail is in libc.c and alsa.c. */
#ifndef FAILING_CALLS_H
#define FAILING_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum failing_how {
    FAILING_NOT,   /* calls are only counted */
    FAILING_ERROR, /* the call does nothing, and fails with the plan's error */
    FAILING_SHORT  /* a transfer from or to a file moves half of what it could, and succeeds */
};
enum failing_where { FAILING_EVERYWHERE, FAILING_THIS_THREAD, FAILING_OTHER_THREADS };

struct failing_plan {
    enum failing_how how;
    enum failing_where where;
    /* Of <errno.h>: EINTR only where a signal can interrupt, EMFILE only where a descriptor is made.
       libasound's calls fail with its negative. */
    int error;
    uint64_t nth;       /* of the calls that can fail in this way, from 1 */
    bool from_there_on; /* and all that follow */
};

/* The plan is in force from now on, in place of the last one. */
void failing_begin(struct failing_plan plan);
/* Nothing fails any more. How many calls could have failed since the plan began. */
uint64_t failing_end(void);
/* The name of the call that failed first; NULL when none has. */
const char *failing_struck(void);

/* ---- for tests in one process ---- */

/* failing_begin, for this thread, until the same thread calls failing_leave; others wait for their turn. */
void failing_enter(int error, uint64_t nth, bool from_there_on);
/* A transfer moves half of what it could. */
void failing_enter_short(uint64_t nth);
/* Whether a call has failed meanwhile. */
bool failing_leave(void);

#endif
