/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of libc that a plan can make fail: see wrap.h. */
#define _GNU_SOURCE
#include "wrap.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/* ---- one like the other ---- */

WRAPPED(int, stat, FAULT_PLAIN, -1, (const char *path, struct stat *status), (path, status))
WRAPPED(int, fstat, FAULT_PLAIN, -1, (int fd, struct stat *status), (fd, status))
WRAPPED(int, lstat, FAULT_PLAIN, -1, (const char *path, struct stat *status), (path, status))
WRAPPED(int, rename, FAULT_PLAIN, -1, (const char *from, const char *to), (from, to))
WRAPPED(int, link, FAULT_PLAIN, -1, (const char *from, const char *to), (from, to))
WRAPPED(int, unlink, FAULT_PLAIN, -1, (const char *path), (path))
WRAPPED(int, mkdir, FAULT_PLAIN, -1, (const char *path, mode_t mode), (path, mode))
WRAPPED(int, mkfifo, FAULT_PLAIN, -1, (const char *path, mode_t mode), (path, mode))
WRAPPED(int, ftruncate, FAULT_INTERRUPTIBLE, -1, (int fd, off_t size), (fd, size))
WRAPPED(ssize_t, readlink, FAULT_PLAIN, -1, (const char *path, char *buffer, size_t size), (path, buffer, size))
WRAPPED(int, access, FAULT_PLAIN, -1, (const char *path, int mode), (path, mode))
WRAPPED(int, execvp, FAULT_PLAIN, -1, (const char *file, char *const *arguments), (file, arguments))
WRAPPED(int, setenv, FAULT_PLAIN, -1, (const char *name, const char *value, int overwrite), (name, value, overwrite))
WRAPPED(int, poll, FAULT_INTERRUPTIBLE, -1, (struct pollfd * items, nfds_t count, int timeout), (items, count, timeout))
WRAPPED(DIR *, opendir, FAULT_OPENING, NULL, (const char *path), (path))
WRAPPED(struct dirent *, readdir, FAULT_PLAIN, NULL, (DIR * directory), (directory))
WRAPPED(int, epoll_create1, FAULT_OPENING, -1, (int flags), (flags))
WRAPPED(
    int, epoll_ctl, FAULT_PLAIN, -1, (int epoll, int operation, int fd, struct epoll_event *event), (epoll, operation, fd, event))
WRAPPED(int, epoll_wait, FAULT_INTERRUPTIBLE, -1, (int epoll, struct epoll_event *events, int most, int timeout),
    (epoll, events, most, timeout))
WRAPPED(int, eventfd, FAULT_OPENING, -1, (unsigned int value, int flags), (value, flags))
WRAPPED(int, eventfd_read, FAULT_INTERRUPTIBLE, -1, (int fd, eventfd_t *value), (fd, value))
WRAPPED(int, eventfd_write, FAULT_INTERRUPTIBLE, -1, (int fd, eventfd_t value), (fd, value))
WRAPPED(int, timerfd_create, FAULT_OPENING, -1, (int clock, int flags), (clock, flags))
WRAPPED(int, timerfd_settime, FAULT_PLAIN, -1, (int fd, int flags, const struct itimerspec *new, struct itimerspec *old),
    (fd, flags, new, old))
WRAPPED(int, inotify_init1, FAULT_OPENING, -1, (int flags), (flags))
WRAPPED(int, inotify_add_watch, FAULT_PLAIN, -1, (int fd, const char *path, uint32_t mask), (fd, path, mask))
WRAPPED(ssize_t, getrandom, FAULT_INTERRUPTIBLE, -1, (void *bytes, size_t count, unsigned int flags), (bytes, count, flags))
WRAPPED(int, signalfd, FAULT_OPENING, -1, (int fd, const sigset_t *signals, int flags), (fd, signals, flags))
WRAPPED(int, nanosleep, FAULT_INTERRUPTIBLE, -1, (const struct timespec *time, struct timespec *left), (time, left))
WRAPPED(void *, dlopen, FAULT_OPENING, NULL, (const char *path, int flags), (path, flags))
WRAPPED(locale_t, newlocale, FAULT_PLAIN, (locale_t)0, (int mask, const char *name, locale_t base), (mask, name, base))
WRAPPED(void *, malloc, FAULT_PLAIN, NULL, (size_t size), (size))
WRAPPED(void *, calloc, FAULT_PLAIN, NULL, (size_t count, size_t size), (count, size))
WRAPPED(void *, realloc, FAULT_PLAIN, NULL, (void *memory, size_t size), (memory, size))
WRAPPED(int, posix_fallocate, FAULT_INTERRUPTIBLE, errno, (int fd, off_t offset, off_t size), (fd, offset, size))
WRAPPED(int, pthread_attr_init, FAULT_PLAIN, errno, (pthread_attr_t * attributes), (attributes))
WRAPPED(int, pthread_create, FAULT_PLAIN, errno,
    (pthread_t * thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument),
    (thread, attributes, body, argument))

/* ---- with more arguments than are declared ---- */

int __real_open(const char *path, int flags, mode_t mode);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...) {
    mode_t mode = 0;
    if (flags & O_CREAT) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    return fault_strikes("open", FAULT_OPENING_SLOWLY) ? -1 : __real_open(path, flags, mode);
}

int __real_fcntl(int fd, int command, void *argument);
int __wrap_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    /* Unlocking takes nothing and waits for nothing: it never fails. */
    bool unlocks = command == F_OFD_SETLK && ((struct flock *)argument)->l_type == F_UNLCK;
    return !unlocks && fault_strikes("fcntl", FAULT_INTERRUPTIBLE) ? -1 : __real_fcntl(fd, command, argument);
}

/* RTLD_NEXT is asked for by those tests only that stand in front of libc. */
void *__real_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name) {
    return library != RTLD_NEXT && fault_strikes("dlsym", FAULT_PLAIN) ? NULL : __real_dlsym(library, name);
}

/* ---- transfers, which may also move only a part ---- */

#define TRANSFER(name, parameters, ...) \
    ssize_t __real_##name parameters; \
    ssize_t __wrap_##name parameters; \
    ssize_t __wrap_##name parameters { \
        if (fault_strikes(#name, FAULT_INTERRUPTIBLE)) return -1; \
        count = fault_part(#name, fd, count); \
        return __real_##name(__VA_ARGS__); \
    }

TRANSFER(read, (int fd, void *bytes, size_t count), fd, bytes, count)
TRANSFER(write, (int fd, const void *bytes, size_t count), fd, bytes, count)
TRANSFER(pread, (int fd, void *bytes, size_t count, off_t offset), fd, bytes, count, offset)
TRANSFER(pwrite, (int fd, const void *bytes, size_t count, off_t offset), fd, bytes, count, offset)

/* ---- closing: whatever it returns, the descriptor is gone ---- */

int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd) {
    int result = __real_close(fd);
    return fault_strikes("close", FAULT_INTERRUPTIBLE) ? -1 : result;
}

END_OF_UNINSTRUMENTED
