/* Calls to the system that fail in the tests' own process. */
#ifndef FAILING_CALLS_H
#define FAILING_CALLS_H

#include "../../../Sources/CLinux/failing.h"

/* False in a build in which nothing can be made to fail. */
bool failing_is_possible(void);
/* failing_begin, for this thread, until the same thread calls failing_leave; others wait for their turn. */
void failing_enter(int error, uint64_t nth, bool from_there_on);
/* A transfer moves half of what it could. */
void failing_enter_short(uint64_t nth);
/* Whether a call has failed meanwhile. */
bool failing_leave(void);

#endif
