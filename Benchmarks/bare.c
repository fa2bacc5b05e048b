/* SPDX-License-Identifier: Apache-2.0 */
/* bare [COUNT]: measures an interruption by its system calls alone: a transaction in one process, a byte into a FIFO, and a
   transaction in the other. One thread of the other process waits for the FIFO. Or two wake up, one after the other: a monitor
   waits for the FIFO, and the program for a descriptor that the monitor signals after its transaction. */
#include "meeting.h"
#include "table.h"

#include <AudioToolbox/AudioToolbox.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>

enum { WARM_UP = 50 };

static struct meeting *meeting;
static struct table table;
/* A FIFO without a name, and the descriptor of the program. */
static int wake_up[2], event = -1;

static void await(int descriptor, void *bytes, size_t size) {
    struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
    REQUIRE(poll(&wanted, 1, -1) == 1 && read(descriptor, bytes, size) > 0);
}

static void decide(void) {
    char bytes[4096];
    await(wake_up[0], bytes, sizeof bytes);
    table_commit(&table, 2, 1);
}

static void *monitor(void *unused) {
    for (;;) {
        decide();
        REQUIRE(eventfd_write(event, 1) == 0);
    }
    return unused;
}

static void listen_for_ever(bool has_monitor) {
    pthread_t thread;
    /* Each process locks the file through its own open file. */
    table_open(&table);
    if (has_monitor) {
        event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        REQUIRE(event >= 0 && pthread_create(&thread, NULL, monitor, NULL) == 0);
    }
    meeting_tell(meeting->to_causer);
    for (;;) {
        eventfd_t value;
        if (has_monitor)
            await(event, &value, sizeof value);
        else
            decide();
        meeting->delivered = now();
        meeting_tell(meeting->to_causer);
    }
}

static void measure(const char *subject, bool has_monitor, int count) {
    pid_t told = meeting_fork();
    if (told == 0) listen_for_ever(has_monitor);
    meeting_wait(meeting->to_causer);
    for (int i = 0; i < WARM_UP + count; i++) {
        meeting_rest();
        uint64_t start = now();
        table_commit(&table, 1, 2);
        REQUIRE(write(wake_up[1], "", 1) == 1);
        meeting_wait(meeting->to_causer);
        if (i >= WARM_UP) sample("interrupt", subject, "us", (double)(meeting->delivered - start) / 1e3);
    }
    REQUIRE(kill(told, SIGKILL) == 0 && waitpid(told, NULL, 0) == told);
}

int main(int argc, char **argv) {
    int count = count_from(argc, argv, 1, 1000);
    meeting = meeting_make();
    REQUIRE(pipe2(wake_up, O_CLOEXEC | O_NONBLOCK) == 0);
    REQUIRE(AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0);
    table_open(&table);
    measure("its system calls alone, with one wake-up", false, count);
    measure("its system calls alone, with two wake-ups", true, count);
}
