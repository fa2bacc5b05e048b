/* SPDX-License-Identifier: Apache-2.0 */
/* Replacements of the functions of libc that have a path or a descriptor of a device as an argument. They call
   libc for all other files. The definitions of a program precede those of libc, also for its libraries. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "FakeKernel.h"
#include "kernel.h"

enum { MOST_PREFIXES = 16, LONGEST = 512 };
static char root[LONGEST / 2], prefixes[MOST_PREFIXES][LONGEST / 4];
static bool is_in_force;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

void fake_end(void) { __atomic_store_n(&is_in_force, false, __ATOMIC_RELEASE); }

void fake_begin(const char *folder, const char *const *list) {
    fake_end();
    for (uint32_t card = 0; card < 8; card++) fake_remove(card);
    fake_server(false);
    pthread_mutex_lock(&guard);
    snprintf(root, sizeof root, "%s", folder);
    for (int i = 0; i < MOST_PREFIXES; i++) snprintf(prefixes[i], sizeof prefixes[i], "%s", *list ? *list++ : "");
    pthread_mutex_unlock(&guard);
    __atomic_store_n(&is_in_force, true, __ATOMIC_RELEASE);
}

static bool is_below(const char *path, const char *prefix) {
    size_t length = strlen(prefix);
    return length && strncmp(path, prefix, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

const char *fake_path(const char *path, char *buffer, size_t size) {
    if (!path || !__atomic_load_n(&is_in_force, __ATOMIC_ACQUIRE)) return path;
    const char *found = path;
    pthread_mutex_lock(&guard);
    for (int i = 0; i < MOST_PREFIXES; i++) {
        if (!is_below(path, prefixes[i])) continue;
        if ((size_t)snprintf(buffer, size, "%s%s", root, path) < size) found = buffer;
        break;
    }
    pthread_mutex_unlock(&guard);
    return found;
}

#define TRANSLATED(path) fake_path(path, (char[LONGEST]){0}, LONGEST)
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int opened(const char *path, int flags, mode_t mode) {
    const char *place = TRANSLATED(path);
    int device = place == path ? -2 : fake_open(path, flags);
    return device != -2 ? device : (int)syscall(SYS_openat, AT_FDCWD, place, flags, mode);
}

#define OPENED \
    do { \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0; \
        va_end(more); \
        return opened(path, flags, mode); \
    } while (0)

int open(const char *path, int flags, ...) { OPENED; }
int open64(const char *path, int flags, ...) { OPENED; }
int __open_2(const char *path, int flags) { return opened(path, flags, 0); }
int __open64_2(const char *path, int flags) { return opened(path, flags, 0); }
FILE *fopen(const char *path, const char *mode) { return NEXT(fopen)(TRANSLATED(path), mode); }
FILE *fopen64(const char *path, const char *mode) { return NEXT(fopen)(TRANSLATED(path), mode); }
DIR *opendir(const char *path) { return NEXT(opendir)(TRANSLATED(path)); }
int stat(const char *path, struct stat *out) { return NEXT(stat)(TRANSLATED(path), out); }
int stat64(const char *path, struct stat64 *out) { return NEXT(stat64)(TRANSLATED(path), out); }
int lstat(const char *path, struct stat *out) { return NEXT(lstat)(TRANSLATED(path), out); }
int lstat64(const char *path, struct stat64 *out) { return NEXT(lstat64)(TRANSLATED(path), out); }
int access(const char *path, int how) { return (int)syscall(SYS_faccessat, AT_FDCWD, TRANSLATED(path), how); }
/* The library watches /dev while there is no folder of sound devices. All other calls for /dev go to libc. */
int inotify_add_watch(int inotify, const char *path, uint32_t mask) {
    char buffer[LONGEST] = "";
    if (strcmp(path, "/dev") == 0 && fake_path("/dev/snd", buffer, sizeof buffer) == buffer) {
        *strrchr(buffer, '/') = '\0';
        path = buffer;
    }
    return (int)syscall(SYS_inotify_add_watch, inotify, TRANSLATED(path), mask);
}

ssize_t read(int fd, void *bytes, size_t count) {
    if (fake_is_gone(fd)) return errno = ENODEV, -1;
    return syscall(SYS_read, fd, bytes, count);
}

int ioctl(int fd, unsigned long request, ...) {
    va_list more;
    va_start(more, request);
    void *argument = va_arg(more, void *);
    va_end(more);
    int result;
    if (fake_ioctl(fd, request, argument, &result)) return result;
    return (int)syscall(SYS_ioctl, fd, request, argument);
}
