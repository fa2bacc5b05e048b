/* Every call to the system fails once, in a process of its own: the first, then the second, until a
   program's step no longer reaches the one that would. What a step promises must hold all the same. */
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

#include "FailingCalls.h"

struct step {
    const char *name;
    enum failing_where where;
    /* Before, when nothing fails: ends the process where it does not work. */
    void (*prepare)(void);
    /* While a call fails. Its result. */
    OSStatus (*act)(void);
    /* Other results than success that are documented for a failure; 0 ends them. */
    OSStatus allowed[3];
    /* After: complains where what `act` returned does not hold. */
    void (*check)(OSStatus);
    /* LOADS libraries that keep what they allocate; ENDS threads, of which those are left, with what they
       have, that can't be told. LONG: of so many calls only every third fails, others with each trouble;
       FAILING_EVERY in the environment: another number than 3. */
    enum habits { LOADS = 1, ENDS = 2, LONG = 4 } habits;
};

extern const struct step steps[];
extern const int step_count;

/* ---- waiting ---- */
/* The limit of every wait for something that must happen. A wait that reaches it prints what it awaited. */
enum { WAIT_LIMIT_MS = 60000 };
int64_t now_ms(void);

/* ---- complaints ---- */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define EXPECT(condition) ((condition) ? (void)0 : complain("%s:%d: %s does not hold", __FILE__, __LINE__, #condition))
#define EXPECT_OK(call)                                                                                     \
    do {                                                                                                    \
        OSStatus status_ = (call);                                                                          \
        if (status_) complain("%s:%d: %s gives %s", __FILE__, __LINE__, #call, AudioSessionLinuxStatusName(status_)); \
    } while (0)

/* ---- the neighbour: another process with a session, which nothing here concerns ---- */
/* Asks it to do something; its answer. */
enum errand {
    ARE_YOU_WELL = 'w', PLUG = '+', UNPLUG = '-', CALL = 'c', HANG_UP = 'h',
    PLAY_ALONE = 'p', SAY_WHETHER_INTERRUPTED = 'i', SAY_WHETHER_LEFT_ALONE = 'l', PLAY_WITH_OTHERS = 'o'
};
bool neighbour(enum errand errand);

/* Whether the step is under way as if nothing was to fail: an interruption or a part of a transfer must
   change nothing that can be seen. */
bool nothing_may_be_seen(void);
/* Whether the process may from now on work without the others. */
bool goes_alone(void);
/* Whether the simulated machine may have been taken for the default one: its file was not found. */
bool machine_may_be_another(void);
/* Whether its threads may have given up: they can't wait any more. */
bool may_go_deaf(void);

#endif
