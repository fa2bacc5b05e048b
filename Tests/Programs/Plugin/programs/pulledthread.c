/* SPDX-License-Identifier: Apache-2.0 */
/* The thread of a pulled stream: between commands it waits, moves frames and calls the program, and does nothing else. The
   kernel ends the test on any other system call of this thread. */
#include "pull.h"
#include "watched.h"

static void forbid_first(struct puller *puller, struct pull_cycle *cycle) {
    /* After a first cycle: pages of the stack and of libraries are in place. */
    if (puller->cycles == 1) {
        forbid_system_calls(FUTEX_WAIT_BITSET_PRIVATE, FUTEX_WAIT_BITSET_PRIVATE);
        is_watched = true;
    }
    play_ones(puller, cycle);
}

/* In the 100th cycle the program takes longer than the device has frames. No system call: the clock is read in memory. */
static void be_late_once(struct puller *puller, struct pull_cycle *cycle) {
    long long until = milliseconds() + 100;
    while (puller->cycles == 100 && milliseconds() < until) {}
    forbid_first(puller, cycle);
}

/* A stop is a command: the process ends while the stream runs. */
static void run_watched(unsigned directions, void (*work)(struct puller *, struct pull_cycle *)) {
    struct puller puller;
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    create_puller(&puller, directions, work);
    EXPECT_INTEGER(engine()->pull_start(puller.stream, 128, 44100), 0);
    WAIT_UNTIL_COUNTED(puller.cycles, 400);
    EXPECT_INTEGER(locks, 0);
    if (WATCHES_MEMORY) EXPECT_INTEGER(allocations, 0);
    fflush(NULL);
    _exit(failures ? 1 : 0);
}

TEST(playback, "The thread of a stream that plays takes no lock, allocates nothing, and makes no system call but the wait") {
    run_watched(PULL_OUTPUT, forbid_first);
}

TEST(capture, "The thread of a stream that records takes no lock, allocates nothing, and makes no system call but the wait") {
    run_watched(PULL_INPUT, forbid_first);
}

TEST(duplex, "The thread of both directions takes no lock, allocates nothing, and makes no system call but the wait") {
    run_watched(PULL_OUTPUT | PULL_INPUT, forbid_first);
}

TEST(late, "A thread that was late begins again without a lock, an allocation or another system call than the wait") {
    run_watched(PULL_OUTPUT | PULL_INPUT, be_late_once);
}
