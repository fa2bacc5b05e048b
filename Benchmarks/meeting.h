/* SPDX-License-Identifier: Apache-2.0 */
/* Two processes that take turns: one causes an event, the event is delivered to the other. They pass times through shared
   memory. A pipe starts each turn, outside of the measured time. */
#ifndef MEETING_H
#define MEETING_H

#include "measure.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct meeting {
    _Atomic uint64_t caused, delivered;
    int to_causer[2], to_told[2];
};

static inline struct meeting *meeting_make(void) {
    struct meeting *meeting = mmap(NULL, sizeof *meeting, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(meeting != MAP_FAILED && pipe(meeting->to_causer) == 0 && pipe(meeting->to_told) == 0);
    return meeting;
}

static inline void meeting_tell(int pipe[2]) { REQUIRE(write(pipe[1], "", 1) == 1); }

static inline void meeting_wait(int pipe[2]) {
    char byte;
    REQUIRE(read(pipe[0], &byte, 1) == 1);
}

/* The child ends with its parent. */
static inline pid_t meeting_fork(void) {
    pid_t parent = getpid(), child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
    }
    return child;
}

/* Both processes sleep for a moment before each round, as programs do before an event. */
static inline void meeting_rest(void) { pause_for(300000 + (uint64_t)(rand() % 400000)); }

#endif
