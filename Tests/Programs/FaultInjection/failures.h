/* SPDX-License-Identifier: Apache-2.0 */
/* Each call to the system fails once, in a process of its own: the first call of a step, then the second, until the step
   makes no call that could fail. The promises of the step hold in each process. */
#ifndef FAILURES_H
#define FAILURES_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <AudioToolbox/AudioToolbox.h>
#include <AudioToolbox/AudioSessionLinux.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "FaultPlan.h"

struct step {
    const char *name;
    enum fault_threads where;
    /* Runs before, without faults. Exits when it fails. */
    void (*prepare)(void);
    /* Runs while a call fails. Returns its result. */
    OSStatus (*act)(void);
    /* The results beside success that are documented for a failure; 0 ends the list. */
    OSStatus allowed[3];
    /* Runs afterwards. Complains when the state does not fit the result of `act`. */
    void (*check)(OSStatus);
    /* LOADS libraries, which keep their memory. ENDS threads; a thread that cannot be notified stays, with its resources.
       LONG: the step makes so many calls that only each third fails, a different third for each fault; FAULT_EVERY in the
       environment changes the number. */
    enum habits { LOADS = 1, ENDS = 2, LONG = 4 } habits;
};

extern const struct step steps[];
extern const int step_count;

/* ---- waiting ---- */
/* The limit of every wait for something that must happen. A wait that reaches it prints what it awaited. */
enum { WAIT_LIMIT_MS = 60000 };
int64_t now_ms(void);

/* ---- failures ---- */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define EXPECT(condition) ((condition) ? (void)0 : complain("%s:%d: %s does not hold", __FILE__, __LINE__, #condition))
#define EXPECT_OK(call) \
    do { \
        OSStatus status_ = (call); \
        if (status_) complain("%s:%d: %s gives %s", __FILE__, __LINE__, #call, AudioSessionLinuxStatusName(status_)); \
    } while (0)

/* ---- the peer: another process with a session, in which no call fails ---- */
/* Sends it a command and returns its answer. */
enum peer_command {
    CHECK_STATE = 'w',
    PLUG = '+',
    UNPLUG = '-',
    BEGIN_CALL = 'c',
    END_CALL = 'h',
    PLAY_EXCLUSIVELY = 'p',
    AWAIT_INTERRUPTION = 'i',
    CHECK_UNDISTURBED = 'l',
    PLAY_MIXED = 'o'
};
bool peer(enum peer_command command);

/* True for a signal or a partial transfer: the step must succeed as it does without a fault. */
bool fault_is_invisible(void);
/* True when the process may use a private table from now on. */
bool may_use_private_table(void);
/* True when the process may use the default simulated machine, because its file is reported as absent. */
bool may_use_default_machine(void);
/* True when the threads of the library may have ended, because every wait fails. */
bool may_lose_events(void);

#endif
