/* Makes calls to the system fail, in builds for tests: those made with -DFAILING. In all others this
   header adds nothing, and the functions that it declares do not exist. */
#ifndef CLINUX_FAILING_H
#define CLINUX_FAILING_H

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

#ifdef FAILING

#include <errno.h>

/* For the door's own files, after the system's headers. */
enum failing_class {
    FAILING_PLAIN = 0,
    FAILING_INTERRUPTIBLE = 1, /* may fail with EINTR */
    FAILING_OPENING = 2,       /* may fail with EMFILE: makes a descriptor */
    FAILING_OPENING_SLOWLY = 3 /* both */
};
bool failing(const char *name, enum failing_class); /* sets errno where true */
size_t failing_part(const char *name, int fd, size_t count); /* how much of a transfer may be done */
int failing_close(int fd);

#define FAILING_OR(name, class, failure, call) (failing(name, class) ? (failure) : (call))

#define open(...) FAILING_OR("open", FAILING_OPENING_SLOWLY, -1, open(__VA_ARGS__))
#define close(fd) failing_close(fd)
#define read(fd, bytes, count) FAILING_OR("read", FAILING_INTERRUPTIBLE, -1, read(fd, bytes, failing_part("read", fd, count)))
#define write(fd, bytes, count) FAILING_OR("write", FAILING_INTERRUPTIBLE, -1, write(fd, bytes, failing_part("write", fd, count)))
#define pread(fd, bytes, count, offset) \
    FAILING_OR("pread", FAILING_INTERRUPTIBLE, -1, pread(fd, bytes, failing_part("pread", fd, count), offset))
#define pwrite(fd, bytes, count, offset) \
    FAILING_OR("pwrite", FAILING_INTERRUPTIBLE, -1, pwrite(fd, bytes, failing_part("pwrite", fd, count), offset))
#define stat(...) FAILING_OR("stat", FAILING_PLAIN, -1, stat(__VA_ARGS__))
#define fstat(...) FAILING_OR("fstat", FAILING_PLAIN, -1, fstat(__VA_ARGS__))
#define lstat(...) FAILING_OR("lstat", FAILING_PLAIN, -1, lstat(__VA_ARGS__))
#define rename(...) FAILING_OR("rename", FAILING_PLAIN, -1, rename(__VA_ARGS__))
#define link(...) FAILING_OR("link", FAILING_PLAIN, -1, link(__VA_ARGS__))
#define unlink(...) FAILING_OR("unlink", FAILING_PLAIN, -1, unlink(__VA_ARGS__))
#define rmdir(...) FAILING_OR("rmdir", FAILING_PLAIN, -1, rmdir(__VA_ARGS__))
#define mkdir(...) FAILING_OR("mkdir", FAILING_PLAIN, -1, mkdir(__VA_ARGS__))
#define mkfifo(...) FAILING_OR("mkfifo", FAILING_PLAIN, -1, mkfifo(__VA_ARGS__))
#define ftruncate(...) FAILING_OR("ftruncate", FAILING_INTERRUPTIBLE, -1, ftruncate(__VA_ARGS__))
#define readlink(...) FAILING_OR("readlink", FAILING_PLAIN, -1, readlink(__VA_ARGS__))
#define access(...) FAILING_OR("access", FAILING_PLAIN, -1, access(__VA_ARGS__))
#define execvp(...) FAILING_OR("execvp", FAILING_PLAIN, -1, execvp(__VA_ARGS__))
#define setenv(...) FAILING_OR("setenv", FAILING_PLAIN, -1, setenv(__VA_ARGS__))
#define poll(...) FAILING_OR("poll", FAILING_INTERRUPTIBLE, -1, poll(__VA_ARGS__))
#define opendir(...) FAILING_OR("opendir", FAILING_OPENING, NULL, opendir(__VA_ARGS__))
#define readdir(...) FAILING_OR("readdir", FAILING_PLAIN, NULL, readdir(__VA_ARGS__))
#define fcntl(...) FAILING_OR("fcntl", FAILING_INTERRUPTIBLE, -1, fcntl(__VA_ARGS__))
#define epoll_create1(...) FAILING_OR("epoll_create1", FAILING_OPENING, -1, epoll_create1(__VA_ARGS__))
#define epoll_ctl(...) FAILING_OR("epoll_ctl", FAILING_PLAIN, -1, epoll_ctl(__VA_ARGS__))
#define epoll_wait(...) FAILING_OR("epoll_wait", FAILING_INTERRUPTIBLE, -1, epoll_wait(__VA_ARGS__))
#define eventfd(...) FAILING_OR("eventfd", FAILING_OPENING, -1, eventfd(__VA_ARGS__))
#define eventfd_read(...) FAILING_OR("eventfd_read", FAILING_INTERRUPTIBLE, -1, eventfd_read(__VA_ARGS__))
#define eventfd_write(...) FAILING_OR("eventfd_write", FAILING_INTERRUPTIBLE, -1, eventfd_write(__VA_ARGS__))
#define timerfd_create(...) FAILING_OR("timerfd_create", FAILING_OPENING, -1, timerfd_create(__VA_ARGS__))
#define timerfd_settime(...) FAILING_OR("timerfd_settime", FAILING_PLAIN, -1, timerfd_settime(__VA_ARGS__))
#define inotify_init1(...) FAILING_OR("inotify_init1", FAILING_OPENING, -1, inotify_init1(__VA_ARGS__))
#define inotify_add_watch(...) FAILING_OR("inotify_add_watch", FAILING_PLAIN, -1, inotify_add_watch(__VA_ARGS__))
#define getrandom(...) FAILING_OR("getrandom", FAILING_INTERRUPTIBLE, -1, getrandom(__VA_ARGS__))
#define signalfd(...) FAILING_OR("signalfd", FAILING_OPENING, -1, signalfd(__VA_ARGS__))
#define nanosleep(...) FAILING_OR("nanosleep", FAILING_INTERRUPTIBLE, -1, nanosleep(__VA_ARGS__))
#define dlopen(...) FAILING_OR("dlopen", FAILING_OPENING, NULL, dlopen(__VA_ARGS__))
#define dlsym(...) FAILING_OR("dlsym", FAILING_PLAIN, NULL, dlsym(__VA_ARGS__))
#define newlocale(...) FAILING_OR("newlocale", FAILING_PLAIN, (locale_t)0, newlocale(__VA_ARGS__))
#define malloc(...) FAILING_OR("malloc", FAILING_PLAIN, NULL, malloc(__VA_ARGS__))
#define calloc(...) FAILING_OR("calloc", FAILING_PLAIN, NULL, calloc(__VA_ARGS__))
#define realloc(...) FAILING_OR("realloc", FAILING_PLAIN, NULL, realloc(__VA_ARGS__))

/* These return the error's number. */
#define FAILING_NUMBER(name, class, call) (failing(name, class) ? errno : (call))
#define posix_fallocate(...) FAILING_NUMBER("posix_fallocate", FAILING_INTERRUPTIBLE, posix_fallocate(__VA_ARGS__))
#define pthread_attr_init(...) FAILING_NUMBER("pthread_attr_init", FAILING_PLAIN, pthread_attr_init(__VA_ARGS__))
#define pthread_create(...) FAILING_NUMBER("pthread_create", FAILING_PLAIN, pthread_create(__VA_ARGS__))

#endif
#endif
