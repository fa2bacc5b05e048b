/* SPDX-License-Identifier: Apache-2.0 */
/* PipeWire, with its server of PulseAudio's protocol and WirePlumber. */
#define SOFTWARE "PipeWire"
static int server_process;
#include "../real.h"

static int daemon_process, manager_process, bus_process;

/* WirePlumber needs a bus. */
static void start_bus(void) {
    int ends[2];
    char address[512] = "";
    if (pipe2(ends, O_CLOEXEC) != 0) abort();
    const char *const arguments[] = {"dbus-daemon", "--session", "--nofork", "--print-address=1", NULL};
    bus_process = start_process((char *const *)arguments, -1, ends[1]);
    close(ends[1]);
    REQUIRE(read(ends[0], address, sizeof address - 1) > 0);
    close(ends[0]);
    address[strcspn(address, "\n")] = 0;
    setenv("DBUS_SESSION_BUS_ADDRESS", address, 1);
}

static pid_t start_one(const char *program) {
    const char *const arguments[] = {program, NULL};
    return start_process((char *const *)arguments, -1, -1);
}

static bool is_running(void) {
    return !has_ended(bus_process) && !has_ended(daemon_process) && !has_ended(manager_process) && !has_ended(server_process);
}

static bool starts(void) {
    const char *const daemon_answers[] = {"pw-cli", "info", "0", NULL}, *const answers[] = {"pactl", "info", NULL};
    const char *const is_set[] = {"sh", "-c", "[ \"$(pactl get-default-sink)\" = null ]", NULL};
    start_bus();
    daemon_process = start_one("pipewire");
    if (!await_answer(daemon_answers)) return false;
    manager_process = start_one("wireplumber");
    server_process = start_one("pipewire-pulse");
    if (!await_answer(answers)) return false;
    RUN("pactl", "load-module", "module-null-sink", "sink_name=null");
    return await_answer(is_set);
}

static void end_server(void) {
    end_process(&server_process);
    end_process(&manager_process);
    end_process(&daemon_process);
    end_process(&bus_process);
}
