/* SPDX-License-Identifier: Apache-2.0 */
/* A server of PulseAudio's protocol whose devices and answers the test chooses: server.py. */
#ifndef SCRIPTED_H
#define SCRIPTED_H

#include "servers.h"

#include <sys/epoll.h>

static pid_t script_process;
static int script_input, script_output;
static char script_line[512];

/* The next line of the server; empty at its end. */
static MAYBE_UNUSED const char *next_line(void) {
    size_t length = 0;
    char byte;
    while (read(script_output, &byte, 1) == 1 && byte != '\n')
        if (length < sizeof script_line - 1) script_line[length++] = byte;
    script_line[length] = 0;
    return script_line;
}

/* Whether the server has said something that has not been read. */
static MAYBE_UNUSED bool has_line(void) {
    struct pollfd waiting = {script_output, POLLIN, 0};
    return poll(&waiting, 1, 0) == 1;
}

static MAYBE_UNUSED void tell(const char *commands) {
    ssize_t length = (ssize_t)strlen(commands);
    if (write(script_input, commands, (size_t)length) != length || write(script_input, "\n", 1) != 1) abort();
}

/* The questions and requests of the module that were read while the script waited. */
static char requests[1 << 16];

static MAYBE_UNUSED void note_request(const char *line) {
    size_t length = strlen(requests);
    if (length + strlen(line) + 2 < sizeof requests) sprintf(requests + length, "%s\n", line);
}

static MAYBE_UNUSED void forget_requests(void) { requests[0] = 0; }

static MAYBE_UNUSED void read_requests(void) {
    while (has_line()) note_request(next_line());
}

/* Whether the module has sent this request since the last call of forget_requests. */
static MAYBE_UNUSED bool was_requested(const char *request) {
    read_requests();
    const char *found = requests;
    size_t length = strlen(request);
    for (; (found = strstr(found, request)); found++)
        if ((found == requests || found[-1] == '\n') && found[length] == '\n') return true;
    return false;
}

static MAYBE_UNUSED int count_requests(const char *request) {
    int count = 0;
    read_requests();
    for (const char *line = requests; *line; line = strchr(line, '\n') + 1)
        count += strncmp(line, request, strlen(request)) == 0 && line[strlen(request)] == '\n';
    return count;
}

/* Has the server obey, and returns when it has. */
static MAYBE_UNUSED void script(const char *commands) {
    tell(commands);
    while (strcmp(next_line(), "done") != 0) {
        if (!*script_line) {
            failed(__FILE__, __LINE__, "the server of the test has ended; see server.log: %s", commands);
            exit(1);
        }
        note_request(script_line);
    }
}

/* Dispatches when the descriptor is readable; returns as well when the server has said something. */
static MAYBE_UNUSED void turn_of_script(void) {
    struct pollfd waiting[] = {{module->descriptor(server), POLLIN, 0}, {script_output, POLLIN, 0}};
    while (poll(waiting, 2, -1) < 1) {}
    if (waiting[0].revents) dispatch();
}

/* Dispatches until the condition holds, which what the server says decides. */
#define UNTIL_SAID(condition) UNTIL_WITH(condition, turn_of_script())
#define UNTIL_REQUESTED(request) UNTIL_SAID(was_requested(request))

/* ---- A server that is faster than the module ---- */

/* Whether the module waits for the answer whenever it has asked and looks whether something has come, as on a machine whose only
   processor runs the server first. */
static bool answers_are_first;
static int asked_socket = -1;

ssize_t send(int descriptor, const void *data, size_t size, int flags) {
    asked_socket = descriptor;
    return sendto(descriptor, data, size, flags, NULL, 0);
}

int epoll_wait(int descriptor, struct epoll_event *events, int most, int timeout) {
    struct pollfd answer = {asked_socket, POLLIN, 0};
    if (answers_are_first && asked_socket >= 0) poll(&answer, 1, -1);
    asked_socket = -1;
    return (int)syscall(SYS_epoll_pwait, descriptor, events, most, timeout, NULL, sizeof(uint64_t));
}

static MAYBE_UNUSED void start_script(const char *model) {
    int to[2], from[2];
    char program[PATH_MAX], address[PATH_MAX];
    begin_test();
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) abort();
    snprintf(program, sizeof program, "%s/server.py", getenv("SERVER_TESTS"));
    char *const arguments[] = {(char *)"/usr/bin/python3", program, (char *)"socket", NULL};
    script_process = start_process(arguments, to[0], from[1]);
    close(to[0]);
    close(from[1]);
    script_input = to[1];
    script_output = from[0];
    while (strcmp(next_line(), "ready") != 0) REQUIRE(*script_line);
    char *folder = getcwd(NULL, 0);
    REQUIRE(folder && snprintf(address, sizeof address, "unix:%s/socket", folder) < (int)sizeof address);
    free(folder);
    setenv("PULSE_SERVER", address, 1);
    script(model);
    load_module();
}

/* Opens a connection, and dispatches until the first state is there. */
static MAYBE_UNUSED void connect_script(const char *model) {
    start_script(model);
    open_server();
    UNTIL(module->state(server));
    read_requests();
    forget_requests();
}

#endif
