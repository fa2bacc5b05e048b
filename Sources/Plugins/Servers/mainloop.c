/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "mainloop.h"

#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/* A server that always has more to say is read at most this often before the caller gets its turn. */
enum { MOST_ROUNDS = 256, EVENTS_AT_ONCE = 8 };

/* One type for the three opaque types of libpulse, to which pointers are converted. */
struct source {
    enum { DESCRIPTOR, TIMER, DEFERRED } kind;
    int is_dead;
    struct mainloop *loop;
    struct source *next;
    uint64_t serial;
    void *callback, *destroyed, *user;
    int descriptor;
    uint32_t events; /* epoll's */
    uint64_t time;   /* a timer's; 0: it is off */
    int is_enabled;  /* a deferred event */
};

uint64_t mainloop_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* ---- Sources ---- */

static struct source *new_source(pa_mainloop_api *api, int kind, void *callback, void *user) {
    struct mainloop *loop = api->userdata;
    struct source *source = loop->spare;
    if (source)
        loop->spare = source->next;
    else
        source = calloc(1, sizeof *source);
    if (!source) {
        loop->is_exhausted = 1;
        return NULL;
    }
    *source = (struct source){
        .kind = kind, .loop = loop, .next = loop->sources, .serial = ++loop->serial, .callback = callback, .user = user};
    return loop->sources = source;
}

/* Sources stay in the list until no callback runs: a callback may free any of them. */
static void end_source(struct source *source) {
    pa_mainloop_api *api = &source->loop->api;
    source->is_dead = 1;
    if (!source->destroyed) return;
    switch (source->kind) {
    case DESCRIPTOR: ((pa_io_event_destroy_cb_t)source->destroyed)(api, (pa_io_event *)source, source->user); break;
    case TIMER: ((pa_time_event_destroy_cb_t)source->destroyed)(api, (pa_time_event *)source, source->user); break;
    case DEFERRED: ((pa_defer_event_destroy_cb_t)source->destroyed)(api, (pa_defer_event *)source, source->user); break;
    }
}

static void collect_sources(struct mainloop *loop, int all) {
    for (struct source **link = &loop->sources; *link;) {
        struct source *source = *link;
        if (!source->is_dead && !all) {
            link = &source->next;
            continue;
        }
        *link = source->next;
        if (source >= loop->reserve && source < loop->reserve + RESERVED_SOURCES) {
            source->next = loop->spare;
            loop->spare = source;
        } else {
            free(source);
        }
    }
}

/* ---- Descriptors ---- */

/* Two sources may have one descriptor. Epoll reports a hang-up also to a descriptor without events: it is taken out. */
static void watch_descriptor(struct mainloop *loop, int descriptor) {
    struct epoll_event event = {.data.fd = descriptor};
    for (struct source *source = loop->sources; source; source = source->next)
        if (source->kind == DESCRIPTOR && !source->is_dead && source->descriptor == descriptor) event.events |= source->events;
    if (!event.events) {
        epoll_ctl(loop->epoll, EPOLL_CTL_DEL, descriptor, NULL);
    } else if (epoll_ctl(loop->epoll, EPOLL_CTL_ADD, descriptor, &event) < 0 &&
        epoll_ctl(loop->epoll, EPOLL_CTL_MOD, descriptor, &event) < 0) {
        loop->is_exhausted = 1;
    }
}

static const struct {
    pa_io_event_flags_t flag;
    uint32_t event;
} flags[] = {
    {PA_IO_EVENT_INPUT, EPOLLIN}, {PA_IO_EVENT_OUTPUT, EPOLLOUT}, {PA_IO_EVENT_HANGUP, EPOLLHUP}, {PA_IO_EVENT_ERROR, EPOLLERR}};

static void io_enable(pa_io_event *event, pa_io_event_flags_t wanted) {
    struct source *source = (struct source *)event;
    source->events = 0;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (wanted & flags[i].flag) source->events |= flags[i].event;
    watch_descriptor(source->loop, source->descriptor);
}

static pa_io_event *io_new(
    pa_mainloop_api *api, int descriptor, pa_io_event_flags_t wanted, pa_io_event_cb_t callback, void *user) {
    struct source *source = new_source(api, DESCRIPTOR, (void *)callback, user);
    if (!source) return NULL;
    source->descriptor = descriptor;
    io_enable((pa_io_event *)source, wanted);
    return (pa_io_event *)source;
}

static void io_free(pa_io_event *event) {
    struct source *source = (struct source *)event;
    end_source(source);
    watch_descriptor(source->loop, source->descriptor);
}

static void io_set_destroy(pa_io_event *event, pa_io_event_destroy_cb_t destroyed) {
    ((struct source *)event)->destroyed = (void *)destroyed;
}

/* Calls the callbacks of a descriptor's sources. A source that a callback has just created has events of its own in the next
   round. */
static void report_descriptor(struct mainloop *loop, int descriptor, uint32_t events, uint64_t newest) {
    for (struct source *source = loop->sources; source; source = source->next) {
        if (source->kind != DESCRIPTOR || source->is_dead || source->descriptor != descriptor || source->serial > newest)
            continue;
        uint32_t own = source->events ? events & (source->events | EPOLLHUP | EPOLLERR) : 0;
        pa_io_event_flags_t reported = PA_IO_EVENT_NULL;
        for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
            if (own & flags[i].event) reported |= flags[i].flag;
        if (reported) ((pa_io_event_cb_t)source->callback)(&loop->api, (pa_io_event *)source, descriptor, reported, source->user);
    }
}

/* Returns the number of descriptors with events. */
static int run_descriptors(struct mainloop *loop) {
    struct epoll_event events[EVENTS_AT_ONCE];
    uint64_t newest = loop->serial;
    int count = epoll_wait(loop->epoll, events, EVENTS_AT_ONCE, 0), done = 0;
    for (int i = 0; i < count; i++) {
        if (events[i].data.fd == loop->timer) continue;
        report_descriptor(loop, events[i].data.fd, events[i].events, newest);
        done++;
    }
    return done;
}

/* ---- Timers ---- */

/* libpulse gives the loops of others times of the wall clock. It marks a time of the monotonic clock with this bit of the
   microseconds. A time of the wall clock becomes one of the monotonic clock at once: setting the clock moves no timer. */
enum { MONOTONIC_MARK = 1 << 30 };
/* Later than any timer: seconds. */
static const int64_t farthest = 1000000000000;

static uint64_t monotonic_time(const struct timeval *time) {
    if (!time || time->tv_sec > farthest) return 0;
    int64_t wanted = (int64_t)time->tv_sec * 1000000 + (time->tv_usec & ~MONOTONIC_MARK);
    if (!(time->tv_usec & MONOTONIC_MARK)) {
        struct timeval wall;
        gettimeofday(&wall, NULL);
        wanted += (int64_t)mainloop_now() - ((int64_t)wall.tv_sec * 1000000 + wall.tv_usec);
    }
    return wanted > 0 ? (uint64_t)wanted : 1;
}

static void time_restart(pa_time_event *event, const struct timeval *time) {
    ((struct source *)event)->time = monotonic_time(time);
}

static pa_time_event *time_new(pa_mainloop_api *api, const struct timeval *time, pa_time_event_cb_t callback, void *user) {
    struct source *source = new_source(api, TIMER, (void *)callback, user);
    if (source) source->time = monotonic_time(time);
    return (pa_time_event *)source;
}

static void time_free(pa_time_event *event) { end_source((struct source *)event); }

static void time_set_destroy(pa_time_event *event, pa_time_event_destroy_cb_t destroyed) {
    ((struct source *)event)->destroyed = (void *)destroyed;
}

void mainloop_set_timer(pa_time_event *event, uint64_t time) { ((struct source *)event)->time = time; }
uint64_t mainloop_timer(const pa_time_event *event) { return ((const struct source *)event)->time; }

static int run_timers(struct mainloop *loop) {
    uint64_t now = mainloop_now(), newest = loop->serial;
    int done = 0;
    for (struct source *source = loop->sources; source; source = source->next) {
        if (source->kind != TIMER || source->is_dead || !source->time || source->time > now || source->serial > newest) continue;
        struct timeval time = {.tv_sec = (time_t)(source->time / 1000000), .tv_usec = (suseconds_t)(source->time % 1000000)};
        source->time = 0;
        ((pa_time_event_cb_t)source->callback)(&loop->api, (pa_time_event *)source, &time, source->user);
        done++;
    }
    return done;
}

/* ---- Deferred events ---- */

static pa_defer_event *defer_new(pa_mainloop_api *api, pa_defer_event_cb_t callback, void *user) {
    struct source *source = new_source(api, DEFERRED, (void *)callback, user);
    if (source) source->is_enabled = 1;
    return (pa_defer_event *)source;
}

static void defer_enable(pa_defer_event *event, int is_enabled) { ((struct source *)event)->is_enabled = is_enabled; }
static void defer_free(pa_defer_event *event) { end_source((struct source *)event); }

static void defer_set_destroy(pa_defer_event *event, pa_defer_event_destroy_cb_t destroyed) {
    ((struct source *)event)->destroyed = (void *)destroyed;
}

static int run_deferred(struct mainloop *loop) {
    uint64_t newest = loop->serial;
    int done = 0;
    for (struct source *source = loop->sources; source; source = source->next) {
        if (source->kind != DEFERRED || source->is_dead || !source->is_enabled || source->serial > newest) continue;
        ((pa_defer_event_cb_t)source->callback)(&loop->api, (pa_defer_event *)source, source->user);
        done++;
    }
    return done;
}

/* ---- The loop ---- */

/* libpulse cannot end the loop: its owner runs it. */
static void quit(pa_mainloop_api *api, int result) {
    (void)api;
    (void)result;
}

int mainloop_open(struct mainloop *loop) {
    *loop = (struct mainloop){
        .api = {loop, io_new, io_enable, io_free, io_set_destroy, time_new, time_restart, time_free, time_set_destroy, defer_new,
            defer_enable, defer_free, defer_set_destroy, quit},
        .epoll = epoll_create1(EPOLL_CLOEXEC),
        .timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK),
        .reserve = calloc(RESERVED_SOURCES, sizeof *loop->reserve),
    };
    struct epoll_event event = {.events = EPOLLIN, .data.fd = loop->timer};
    if (!loop->reserve || loop->epoll < 0 || loop->timer < 0 || epoll_ctl(loop->epoll, EPOLL_CTL_ADD, loop->timer, &event) < 0) {
        mainloop_close(loop);
        return -1;
    }
    for (struct source *source = loop->reserve; source < loop->reserve + RESERVED_SOURCES; source++) {
        source->next = loop->spare;
        loop->spare = source;
    }
    return 0;
}

void mainloop_close(struct mainloop *loop) {
    collect_sources(loop, 1);
    free(loop->reserve);
    if (loop->timer >= 0) close(loop->timer);
    if (loop->epoll >= 0) close(loop->epoll);
    loop->timer = loop->epoll = -1;
}

void mainloop_run(struct mainloop *loop) {
    int rounds = 0;
    for (; rounds < MOST_ROUNDS; rounds++) {
        int done = run_deferred(loop) + run_descriptors(loop);
        /* An answer that is there already is no late answer: timers are last. */
        if (!done && !run_timers(loop)) break;
        collect_sources(loop, 0);
    }
    if (rounds == MOST_ROUNDS) run_timers(loop);
    collect_sources(loop, 0);
}

void mainloop_flush(struct mainloop *loop) {
    run_deferred(loop);
    collect_sources(loop, 0);
}

void mainloop_arm(struct mainloop *loop) {
    uint64_t next = 0;
    for (struct source *source = loop->sources; source; source = source->next) {
        if (source->is_dead || source->kind == DESCRIPTOR) continue;
        uint64_t time = source->kind == TIMER ? source->time : source->is_enabled ? 1 : 0;
        if (time && (!next || time < next)) next = time;
    }
    if (next == loop->armed) return;
    struct itimerspec setting = {.it_value = {.tv_sec = (time_t)(next / 1000000), .tv_nsec = (long)(next % 1000000) * 1000}};
    if (timerfd_settime(loop->timer, TFD_TIMER_ABSTIME, &setting, NULL) == 0) loop->armed = next;
}
