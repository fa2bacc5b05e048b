/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CLinux.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define RESULT(call) ((call) < 0 ? -errno : 0)

void linux_set_last_error(int number) { errno = number; }
int linux_last_error(void) { return errno; }

int linux_open(const char *path, int how, uint32_t mode) {
    static const int access[4] = {O_RDONLY, O_WRONLY, O_RDWR, O_RDWR};
    int flags = O_CLOEXEC | access[how & 3];
    if (how & LINUX_CREATE) flags |= O_CREAT;
    if (how & LINUX_EXCLUSIVE) flags |= O_EXCL;
    if (how & LINUX_NONBLOCK) flags |= O_NONBLOCK;
    if (how & LINUX_TRUNCATE) flags |= O_TRUNC;
    if (how & LINUX_DIRECTORY) flags |= O_DIRECTORY;
    if (how & LINUX_NOFOLLOW) flags |= O_NOFOLLOW;
    if (how & LINUX_APPEND) flags |= O_APPEND;
    if (how & LINUX_NO_ACCESS_TIME) flags |= O_NOATIME;
    int fd;
    do fd = open(path, flags, (mode_t)mode);
    while (fd < 0 && errno == EINTR);
    return fd < 0 ? -errno : fd;
}

int linux_close(int fd) { return RESULT(close(fd)); }

#define RETRIED(type, call) \
    do { \
        type result; \
        do result = (call); \
        while (result < 0 && errno == EINTR); \
        return result < 0 ? -errno : result; \
    } while (0)

ptrdiff_t linux_read(int fd, void *bytes, size_t count) { RETRIED(ssize_t, read(fd, bytes, count)); }
ptrdiff_t linux_write(int fd, const void *bytes, size_t count) { RETRIED(ssize_t, write(fd, bytes, count)); }
ptrdiff_t linux_pread(int fd, void *bytes, size_t count, uint64_t offset) {
    RETRIED(ssize_t, pread(fd, bytes, count, (off_t)offset));
}
ptrdiff_t linux_pwrite(int fd, const void *bytes, size_t count, uint64_t offset) {
    RETRIED(ssize_t, pwrite(fd, bytes, count, (off_t)offset));
}

static void describe(const struct stat *st, struct linux_file_status *out) {
    out->device = st->st_dev;
    out->inode = st->st_ino;
    out->size = (uint64_t)st->st_size;
    out->links = st->st_nlink;
    out->changed = (uint64_t)st->st_ctim.tv_sec * 1000000000 + (uint64_t)st->st_ctim.tv_nsec;
    out->owner = st->st_uid;
    out->mode = st->st_mode & 07777;
    out->is_regular = S_ISREG(st->st_mode);
    out->is_directory = S_ISDIR(st->st_mode);
    out->is_fifo = S_ISFIFO(st->st_mode);
}

int linux_status_of_descriptor(int fd, struct linux_file_status *out) {
    struct stat st;
    if (fstat(fd, &st) < 0) return -errno;
    describe(&st, out);
    return 0;
}

int linux_status_of_path(const char *path, bool follow, struct linux_file_status *out) {
    struct stat st;
    if ((follow ? stat(path, &st) : lstat(path, &st)) < 0) return -errno;
    describe(&st, out);
    return 0;
}

bool linux_may_read_and_write(const char *path) { return access(path, R_OK | W_OK) == 0; }
int linux_rename(const char *from, const char *to) { return RESULT(rename(from, to)); }
int linux_unlink(const char *path) { return RESULT(unlink(path)); }
int linux_mkdir(const char *path, uint32_t mode) { return RESULT(mkdir(path, (mode_t)mode)); }
int linux_mkfifo(const char *path, uint32_t mode) { return RESULT(mkfifo(path, (mode_t)mode)); }
int linux_wake(int fd) {
    /* The reader may have closed the FIFO. The program must not receive a SIGPIPE for that. */
    sigset_t pipe, before, waiting;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    /* Only a thread that has blocked the signal before can have one that waits. */
    bool has_one = sigismember(&before, SIGPIPE) == 1 && sigpending(&waiting) == 0 && sigismember(&waiting, SIGPIPE) == 1;
    ptrdiff_t result = linux_write(fd, "", 1);
    if (result == -EPIPE && !has_one) {
        struct timespec now = {0};
        while (sigtimedwait(&pipe, NULL, &now) < 0 && errno == EINTR) {}
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result < 0 && result != -EAGAIN ? (int)result : 0;
}

int linux_truncate(int fd, uint64_t size) { RETRIED(int, ftruncate(fd, (off_t)size)); }
int linux_reserve(int fd, uint64_t size) {
    int error;
    do error = posix_fallocate(fd, 0, (off_t)size);
    while (error == EINTR);
    return -error;
}

int linux_try_lock(int fd) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int result;
    do result = fcntl(fd, F_OFD_SETLK, &lock);
    while (result < 0 && errno == EINTR);
    return RESULT(result);
}

/* Closing is not enough: a child that was forked meanwhile has the same open file description, and would hold the lock. */
int linux_unlock(int fd) {
    struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
    return RESULT(fcntl(fd, F_OFD_SETLK, &lock));
}

int linux_readlink(const char *path, char *buffer, size_t size) {
    ssize_t length = readlink(path, buffer, size);
    return length < 0 ? -errno : (int)length;
}

void *linux_directory_open(const char *path, int *error) {
    DIR *directory = opendir(path);
    *error = directory ? 0 : -errno;
    return directory;
}

const char *linux_directory_next(void *directory) {
    struct dirent *entry;
    do entry = readdir(directory);
    while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
    return entry ? entry->d_name : NULL;
}

void linux_directory_close(void *directory) { closedir(directory); }
