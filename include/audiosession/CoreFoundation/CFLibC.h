/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the platform's libc that glibc does not have. They are inline; no library is needed. A program that defines one of
   them, and does not make it static, uses its own. */
#ifndef AUDIOSESSION_CFLIBC_H
#define AUDIOSESSION_CFLIBC_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The definition does not make a symbol: a file may define the function again, but not in C++ with clang. */
#define AUDIOSESSION_LIBC_ extern __inline__ __attribute__((__gnu_inline__, __always_inline__, __unused__))

/* glibc 2.38 has them, and declares them to C only with extensions. */
#if defined(__GLIBC__) && (__GLIBC__ < 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ < 38))

/* Copies at most size - 1 bytes and a 0, and returns the length of the source. */
#ifndef strlcpy
AUDIOSESSION_LIBC_ size_t strlcpy(char *destination, const char *source, size_t size) {
    size_t length = strlen(source), copied = length < size ? length : size - 1;
    if (size != 0) {
        memcpy(destination, source, copied);
        destination[copied] = 0;
    }
    return length;
}
#endif

/* Appends to a string in a buffer of this size, and returns the length that the whole string would have. Without a 0 in the
   buffer it changes nothing. */
#ifndef strlcat
AUDIOSESSION_LIBC_ size_t strlcat(char *destination, const char *source, size_t size) {
    const char *end = (const char *)memchr(destination, 0, size);
    size_t length = strlen(source), present = end ? (size_t)(end - destination) : size;
    if (present != size) {
        size_t copied = length < size - present ? length : size - present - 1;
        memcpy(destination + present, source, copied);
        destination[present + copied] = 0;
    }
    return present + length;
}
#endif

#elif !defined(__cplusplus)

#ifndef strlcpy
extern size_t strlcpy(char *, const char *, size_t);
#endif
#ifndef strlcat
extern size_t strlcat(char *, const char *, size_t);
#endif

#endif

/* realloc that frees the memory when it fails. */
#ifndef reallocf
AUDIOSESSION_LIBC_ void *reallocf(void *memory, size_t size) {
    void *moved = realloc(memory, size);
    /* With size 0, glibc has freed the memory. */
    if (!moved && size != 0) free(memory);
    return moved;
}
#endif

/* Returns the name of the program without its folder. */
extern char *audiosession_progname_ __asm__("__progname");
#ifndef getprogname
AUDIOSESSION_LIBC_ const char *getprogname(void) { return audiosession_progname_; }
#endif

/* glibc declares this function only in some language modes. A struct timespec is two longs. */
extern int audiosession_pthread_cond_clockwait_(
    pthread_cond_t *condition, pthread_mutex_t *mutex, int clock, const long *until) __asm__("pthread_cond_clockwait");
extern int audiosession_clock_gettime_(int clock, long *time) __asm__("clock_gettime");

struct timespec;

/* Waits at most this time, and returns ETIMEDOUT then. A change of the clock has no effect. */
#ifndef pthread_cond_timedwait_relative_np
AUDIOSESSION_LIBC_ int pthread_cond_timedwait_relative_np(
    pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *duration) {
    const long *wanted = (const long *)(const void *)duration;
    long until[2] = {0, 0};
    audiosession_clock_gettime_(1, until);
    until[1] += wanted[1];
    if (until[1] >= 1000000000) {
        until[1] -= 1000000000;
        until[0]++;
    }
    if (__builtin_add_overflow(until[0], wanted[0], &until[0])) until[0] = (long)(~0ul >> 1);
    return audiosession_pthread_cond_clockwait_(condition, mutex, 1, until);
}
#endif

#ifdef __cplusplus
}
#endif

#endif
