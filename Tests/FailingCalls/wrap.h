/* Calls to the system that can fail on demand. The linker replaces each reference to NAME by __wrap_NAME (--wrap):
   in the library that make check-failing links, of the objects that ship, and in the tests' own process. */
#ifndef WRAP_H
#define WRAP_H

#include <stdbool.h>
#include <stddef.h>

enum failing_class {
    FAILING_PLAIN = 0,
    FAILING_INTERRUPTIBLE = 1, /* may fail with EINTR */
    FAILING_OPENING = 2,       /* may fail with EMFILE: makes a descriptor */
    FAILING_OPENING_SLOWLY = 3 /* both */
};
bool failing(const char *name, enum failing_class); /* sets errno where true */
size_t failing_part(const char *name, int fd, size_t count); /* how much of a transfer may be done */

#define WRAPPED(type, name, class, failure, parameters, arguments)                         \
    type __real_##name parameters;                                                         \
    type __wrap_##name parameters;                                                         \
    type __wrap_##name parameters { return failing(#name, class) ? (failure) : __real_##name arguments; }

#endif
