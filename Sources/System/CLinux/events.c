/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

_Static_assert((int)LINUX_READABLE == (int)EPOLLIN && (int)LINUX_WRITABLE == (int)EPOLLOUT, "event bits");
_Static_assert((int)LINUX_FAILED == (int)EPOLLERR && (int)LINUX_HUNG_UP == (int)EPOLLHUP, "event bits");
_Static_assert((int)LINUX_READABLE == (int)POLLIN && (int)LINUX_WRITABLE == (int)POLLOUT, "event bits");

#define RESULT(call) ((call) < 0 ? -errno : 0)

static int valid(int fd) { return fd < 0 ? -errno : fd; }

int linux_epoll_create(void) { return valid(epoll_create1(EPOLL_CLOEXEC)); }

int linux_epoll_add(int epoll, int fd, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data.u64 = token};
    return RESULT(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event));
}

int linux_epoll_remove(int epoll, int fd) {
    struct epoll_event unused = {0};
    return RESULT(epoll_ctl(epoll, EPOLL_CTL_DEL, fd, &unused));
}

int linux_epoll_wait(int epoll, struct linux_event *events, int capacity, int timeout_ms) {
    enum { MOST = 32 };
    struct epoll_event found[MOST];
    int count;
    do count = epoll_wait(epoll, found, capacity < MOST ? capacity : MOST, timeout_ms);
    while (count < 0 && errno == EINTR && timeout_ms < 0);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int i = 0; i < count; i++) {
        events[i].events = found[i].events;
        events[i].token = found[i].data.u64;
    }
    return count;
}

int linux_poll(int fd, uint32_t events, int timeout_ms) {
    struct pollfd item = {.fd = fd, .events = (short)events};
    int count;
    do count = poll(&item, 1, timeout_ms);
    while (count < 0 && errno == EINTR && timeout_ms < 0);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    return count == 0 ? 0 : item.revents;
}

int linux_eventfd(void) { return valid(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }
int linux_eventfd_signal(int fd) { return RESULT(eventfd_write(fd, 1)); }
int linux_eventfd_clear(int fd) {
    eventfd_t value;
    return RESULT(eventfd_read(fd, &value));
}

int linux_pidfd_open(int pid) { return valid((int)syscall(SYS_pidfd_open, pid, 0)); }

int linux_wake_timer_create(void) {
    int timer = valid(timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK));
    if (timer < 0) return timer;
    int error = linux_wake_timer_await(timer);
    if (error == 0) return timer;
    close(timer);
    return error;
}

/* The timer never expires. Only a jump of the clock ends the wait, for instance when the machine wakes. */
int linux_wake_timer_await(int timer) {
    uint64_t unused;
    struct itimerspec never = {.it_value.tv_sec = INT64_MAX / 1000000000};
    ssize_t length = read(timer, &unused, sizeof unused);
    if (length < 0 && errno != ECANCELED && errno != EAGAIN) return -errno;
    return RESULT(timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL));
}

int linux_alarm_create(void) { return valid(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)); }

int linux_alarm_set(int timer, int seconds) {
    struct itimerspec once = {.it_value.tv_sec = seconds};
    return RESULT(timerfd_settime(timer, 0, &once, NULL));
}

void linux_alarm_clear(int timer) {
    uint64_t count;
    while (read(timer, &count, sizeof count) < 0 && errno == EINTR) {}
}

int linux_inotify_create(void) { return valid(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)); }

int linux_inotify_watch(int inotify, const char *path) {
    uint32_t mask = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;
    return valid(inotify_add_watch(inotify, path, mask));
}

int linux_inotify_watch_names(int inotify, const char *path) {
    return valid(inotify_add_watch(inotify, path, IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR));
}

int linux_inotify_watch_writing(int inotify, const char *path) { return valid(inotify_add_watch(inotify, path, IN_MODIFY)); }

int linux_inotify_watch_content(int inotify, const char *path) { return valid(inotify_add_watch(inotify, path, IN_CLOSE_WRITE)); }

int linux_inotify_watch_name(int inotify, const char *path) {
    return valid(inotify_add_watch(inotify, path, IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF));
}

int linux_inotify_unwatch(int inotify, int watch) { return RESULT(inotify_rm_watch(inotify, watch)); }

static bool is_about(const struct inotify_event *event, const char *name) {
    return !name || event->len == 0 || strcmp(event->name, name) == 0;
}

int linux_inotify_drain(int inotify, const char *name) {
    _Alignas(struct inotify_event) char buffer[4096];
    int found = 0;
    /* The limit ends the loop when events arrive faster than they are read. The next call reads the others. */
    for (int turn = 0; turn < 64; turn++) {
        ssize_t length = read(inotify, buffer, sizeof buffer);
        if (length < 0 && errno == EINTR) continue;
        if (length < 0) return errno == EAGAIN ? found : -errno;
        if (length == 0) return found;
        for (ssize_t at = 0; at + (ssize_t)sizeof(struct inotify_event) <= length;) {
            const struct inotify_event *event = (const struct inotify_event *)(buffer + at);
            if (is_about(event, name)) found = 1;
            at += (ssize_t)(sizeof *event + event->len);
        }
    }
    return found;
}
