/* SPDX-License-Identifier: Apache-2.0 */
/* A server module, and the servers that it talks to. Each test has processes and folders of its own. */
#ifndef SERVERS_H
#define SERVERS_H

#include "conformance.h"
#include "server_module.h"

#include <dirent.h>
#include <dlfcn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

/* ---- The clock of this process ---- */

/* What the module reads as the monotonic clock: the system's, or a time that stands still until the test moves it. */
static long long clock_stop;

int clock_gettime(clockid_t clock, struct timespec *time) {
    long result = syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && clock == CLOCK_MONOTONIC && clock_stop) {
        time->tv_sec = (time_t)(clock_stop / 1000000000);
        time->tv_nsec = (long)(clock_stop % 1000000000);
    }
    return (int)result;
}

static MAYBE_UNUSED void stop_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    clock_stop = now.tv_sec * 1000000000LL + now.tv_nsec;
}

static MAYBE_UNUSED void move_clock(int ms) { clock_stop += ms * 1000000LL; }

/* ---- Processes ---- */

/* A child that ends with this process. Its standard error goes to the end of a file. */
static MAYBE_UNUSED pid_t start_logged(char *const *arguments, int standard_input, int standard_output, const char *file) {
    pid_t parent = getpid(), child = fork();
    if (child != 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(126);
    int log = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    dup2(standard_input >= 0 ? standard_input : open("/dev/null", O_RDONLY), 0);
    dup2(standard_output >= 0 ? standard_output : log, 1);
    dup2(log, 2);
    execvp(arguments[0], arguments);
    _exit(127);
}

/* A server, or a program that plays. */
static MAYBE_UNUSED pid_t start_process(char *const *arguments, int standard_input, int standard_output) {
    return start_logged(arguments, standard_input, standard_output, "server.log");
}

static MAYBE_UNUSED void end_process(pid_t *process) {
    if (*process <= 0) return;
    kill(*process, SIGKILL);
    waitpid(*process, NULL, 0);
    *process = 0;
}

/* The process has ended. It still has its number. */
static MAYBE_UNUSED bool has_ended(pid_t process) {
    siginfo_t end = {0};
    return process > 0 && waitid(P_PID, (id_t)process, &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid == process;
}

/* Runs a command. Returns its exit status. Its messages do not hide those of the servers. */
static MAYBE_UNUSED int run_command(char *const *arguments) {
    int status = 0;
    pid_t child = start_logged(arguments, -1, -1, "commands.log");
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* ---- The module ---- */

static const struct server_module *module;
static void *server;
static int changes;
static bool is_closed;

static MAYBE_UNUSED void load_module(void) {
    void *library = dlopen(getenv("SERVER_MODULE"), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        failed(__FILE__, __LINE__, "the module cannot be loaded: %s", dlerror());
        exit(1);
    }
    server_module_entry *entry = (server_module_entry *)dlsym(library, "audiosession_server");
    REQUIRE(entry != NULL);
    module = entry(SERVER_INTERFACE_VERSION);
    REQUIRE(module != NULL);
}

static MAYBE_UNUSED void open_server(void) {
    if (!module) load_module();
    server = module->open("tests of servers");
    REQUIRE(server != NULL);
    is_closed = false;
    changes = 0;
}

static MAYBE_UNUSED void close_server(void) {
    module->close(server);
    server = NULL;
}

static MAYBE_UNUSED int dispatch(void) {
    int result = module->dispatch(server);
    if (result == SERVER_CHANGED) changes++;
    if (result == SERVER_CLOSED) is_closed = true;
    return result;
}

/* Waits until the descriptor is readable. The program is ended if that does not happen. */
static MAYBE_UNUSED void await_descriptor(void) {
    struct pollfd waiting = {module->descriptor(server), POLLIN, 0};
    while (poll(&waiting, 1, -1) < 1) {}
}

static MAYBE_UNUSED bool has_work(int ms) {
    struct pollfd waiting = {module->descriptor(server), POLLIN, 0};
    return poll(&waiting, 1, ms) == 1;
}

static const char *awaited;

static MAYBE_UNUSED void await_and_dispatch(void) {
    await_descriptor();
    dispatch();
}

#define UNTIL_WITH(condition, turn) \
    do { \
        while (!(condition)) { \
            if (is_closed) { \
                failed(__FILE__, __LINE__, "awaited %s, and the connection ended: %s", #condition, module->reason(server)); \
                exit(1); \
            } \
            awaited = #condition; \
            turn; \
        } \
    } while (0)
/* Dispatches until the condition holds. */
#define UNTIL(condition) UNTIL_WITH(condition, await_and_dispatch())

/* The last lines of a file of messages. */
static MAYBE_UNUSED void describe_log(const char *file) {
    char text[2048];
    int log = open(file, O_RDONLY | O_CLOEXEC);
    off_t size = log < 0 ? 0 : lseek(log, 0, SEEK_END);
    ssize_t length =
        size <= 0 ? 0 : pread(log, text, sizeof text - 1, size > (off_t)sizeof text ? size - (off_t)sizeof text + 1 : 0);
    text[length > 0 ? length : 0] = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) failed(file, 0, "%s", line);
}

/* The children that have ended, which for a server is a reason why it does not answer. */
static MAYBE_UNUSED void describe_ends(void) {
    int status;
    for (pid_t child; (child = waitpid(-1, &status, WNOHANG)) > 0;)
        failed(__FILE__, __LINE__, "process %d has ended: %s %d", child, WIFSIGNALED(status) ? "signal" : "status",
            WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* Asks the server for its state: commands.log has the answer. A program with a real server sets it. */
static void (*ask_server)(void);

/* The state as lines, for a test that waits in vain. */
static MAYBE_UNUSED void describe_state(int signal_number) {
    (void)signal_number;
    const struct server_state *state = server && module ? module->state(server) : NULL;
    failed(__FILE__, __LINE__, "awaited %s in vain; %u ports:", awaited ? awaited : "nothing", state ? state->count : 0);
    for (uint32_t i = 0; state && i < state->count && i < 16; i++)
        failed(__FILE__, __LINE__, "  %s kind %u volume %g others %u%s, on \"%s\" port \"%s\", \"%s\"", state->ports[i].uid,
            state->ports[i].kind, (double)state->ports[i].volume, state->ports[i].others,
            state->ports[i].is_default ? ", default" : "", state->ports[i].node, state->ports[i].port, state->ports[i].name);
    describe_ends();
    if (ask_server) ask_server();
    describe_log("commands.log");
    describe_log("server.log");
    _exit(1);
}

/* Every test begins with this. */
static MAYBE_UNUSED void begin_test(void) {
    signal(SIGALRM, describe_state);
    alarm(100);
}

static MAYBE_UNUSED uint32_t port_count(void) {
    const struct server_state *state = module->state(server);
    return state ? state->count : 0;
}

static MAYBE_UNUSED const struct server_port *find_port(const char *uid) {
    const struct server_state *state = module->state(server);
    for (uint32_t i = 0; state && i < state->count; i++)
        if (strcmp(state->ports[i].uid, uid) == 0) return &state->ports[i];
    return NULL;
}

/* A port that must be there. */
static MAYBE_UNUSED const struct server_port *port_at(const char *file, int line, const char *uid) {
    const struct server_port *port = find_port(uid);
    if (port) return port;
    failed(file, line, "no port is %s", uid);
    awaited = uid;
    describe_state(0);
    return NULL;
}
#define PORT(uid) port_at(__FILE__, __LINE__, uid)

static MAYBE_UNUSED bool is_default(const char *uid) {
    const struct server_port *port = find_port(uid);
    return port && port->is_default;
}

static MAYBE_UNUSED bool is_on_default(const char *uid) {
    const struct server_port *port = find_port(uid);
    return port && port->is_on_default;
}

static MAYBE_UNUSED bool has_volume(const char *uid, double volume) {
    const struct server_port *port = find_port(uid);
    return port && fabs(port->volume - volume) < 0.002;
}

static MAYBE_UNUSED int count_entries(const char *folder) {
    int count = 0;
    DIR *entries = opendir(folder);
    if (!entries) return -1;
    for (struct dirent *entry; (entry = readdir(entries));) count += entry->d_name[0] != '.';
    closedir(entries);
    return count;
}

#endif
