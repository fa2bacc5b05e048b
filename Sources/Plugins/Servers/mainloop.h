/* SPDX-License-Identifier: Apache-2.0 */
/* The event loop that libpulse runs on: one epoll descriptor, which the caller watches, and one timer. Nothing here waits. */
#ifndef MAINLOOP_H
#define MAINLOOP_H

#include <pulse/mainloop-api.h>
#include <stdint.h>

/* Sources that need no memory of their own: those of a connection and a few open questions. */
enum { RESERVED_SOURCES = 32 };

struct source;

struct mainloop {
    pa_mainloop_api api;
    int epoll, timer;
    struct source *sources, *spare;
    struct source *reserve; /* RESERVED_SOURCES of them */
    uint64_t serial;        /* of the newest source */
    uint64_t armed;         /* the time at which the timer expires; 0: never */
    int is_exhausted;       /* a source could not be created or watched */
};

/* Returns -1 without memory or descriptors. */
int mainloop_open(struct mainloop *loop);
void mainloop_close(struct mainloop *loop);

/* Calls the callbacks of all events that are due, of deferred ones first, and of timers last. */
void mainloop_run(struct mainloop *loop);
/* Calls the callbacks of deferred events alone: libpulse writes requests in one of them. */
void mainloop_flush(struct mainloop *loop);
/* Makes the descriptor readable at the time of the next event. Called when the caller has finished. */
void mainloop_arm(struct mainloop *loop);

/* Microseconds of the monotonic clock. */
uint64_t mainloop_now(void);
/* The time of a timer event of `time_new(api, NULL, …)`; 0: never. */
void mainloop_set_timer(pa_time_event *event, uint64_t time);
uint64_t mainloop_timer(const pa_time_event *event);

#endif
