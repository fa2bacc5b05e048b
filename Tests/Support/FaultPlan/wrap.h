/* SPDX-License-Identifier: Apache-2.0 */
/* Calls to the system that can fail on demand. The linker replaces each reference to NAME by __wrap_NAME (--wrap):
   in the library that make check-faults links, of the objects that ship, and in the tests' own process. */
#ifndef WRAP_H
#define WRAP_H

#include <stdbool.h>
#include <stddef.h>

/* ThreadSanitizer looks up functions through these calls before it can record anything: they are not instrumented. */
#ifdef __clang__
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)
#define END_OF_UNINSTRUMENTED _Pragma("clang attribute pop")
#else
#define END_OF_UNINSTRUMENTED
#endif

enum fault_class {
    FAULT_PLAIN = 0,
    FAULT_INTERRUPTIBLE = 1, /* may fail with EINTR */
    FAULT_OPENING = 2,       /* may fail with EMFILE: makes a descriptor */
    FAULT_OPENING_SLOWLY = 3 /* both */
};
bool fault_strikes(const char *name, enum fault_class);    /* sets errno where true */
size_t fault_part(const char *name, int fd, size_t count); /* how much of a transfer may be done */

#define WRAPPED(type, name, class, failure, parameters, arguments) \
    type __real_##name parameters; \
    type __wrap_##name parameters; \
    type __wrap_##name parameters { return fault_strikes(#name, class) ? (failure) : __real_##name arguments; }

#endif
