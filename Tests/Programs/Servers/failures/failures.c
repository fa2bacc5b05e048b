/* SPDX-License-Identifier: Apache-2.0 */
/* The linker replaces the calls of a module by these: one of them fails. Calls of its libraries do not. */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/timerfd.h>

__attribute__((visibility("default"))) int failing_call; /* the number of the call, from 1; 0: none */
__attribute__((visibility("default"))) int calls;        /* so far */

static int fails(int error) {
    if (++calls != failing_call) return 0;
    errno = error;
    return 1;
}

#define REPLACE(type, name, failure, error, parameters, arguments) \
    type __real_##name parameters; \
    type __wrap_##name parameters { return fails(error) ? failure : __real_##name arguments; }

REPLACE(void *, malloc, NULL, ENOMEM, (size_t size), (size))
REPLACE(void *, calloc, NULL, ENOMEM, (size_t count, size_t size), (count, size))
REPLACE(void *, reallocarray, NULL, ENOMEM, (void *old, size_t count, size_t size), (old, count, size))
REPLACE(char *, strdup, NULL, ENOMEM, (const char *text), (text))
REPLACE(void *, mmap, MAP_FAILED, ENOMEM, (void *address, size_t size, int protection, int flags, int file, off_t offset),
    (address, size, protection, flags, file, offset))
REPLACE(int, epoll_create1, -1, EMFILE, (int flags), (flags))
REPLACE(int, epoll_ctl, -1, ENOMEM, (int instance, int operation, int descriptor, struct epoll_event *event),
    (instance, operation, descriptor, event))
REPLACE(int, timerfd_create, -1, EMFILE, (int clock, int flags), (clock, flags))
