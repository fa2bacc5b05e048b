/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that are the same for each sound server. A program defines is_running, starts, end_server and SOFTWARE, and includes this
   file. */
#ifndef REAL_H
#define REAL_H

#include "servers.h"

/* None of the processes of the server has ended. */
static bool is_running(void);
/* Starts a server whose only sink is "null". True when it answers, and false when it ends before. */
static bool starts(void);
/* Kills it, as a crash does. */
static void end_server(void);

/* The words of a command, up to NULL. */
static MAYBE_UNUSED bool succeeds(const char *const *words) { return run_command((char *const *)words) == 0; }
#define RUN(...) \
    do { \
        const char *const words_[] = {__VA_ARGS__, NULL}; \
        if (!succeeds(words_)) { \
            failed(__FILE__, __LINE__, "the command %s %s fails; see commands.log", words_[0], words_[1]); \
            exit(1); \
        } \
    } while (0)

/* Creates a null sink. Returns the number of its module as text. */
static MAYBE_UNUSED const char *load_sink(const char *name, const char *properties) {
    static char number[32];
    char argument[256];
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) abort();
    snprintf(argument, sizeof argument, "sink_name=%s sink_properties=\"%s\"", name, properties);
    const char *const words[] = {"pactl", "load-module", "module-null-sink", argument, NULL};
    pid_t child = start_process((char *const *)words, -1, ends[1]);
    close(ends[1]);
    ssize_t length = read(ends[0], number, sizeof number - 1);
    number[length > 0 ? length : 0] = 0;
    number[strcspn(number, "\n")] = 0;
    close(ends[0]);
    waitpid(child, NULL, 0);
    REQUIRE(*number);
    return number;
}

/* A process of somebody else announces itself by nothing but its answers. False when the server has ended. */
static MAYBE_UNUSED bool await_answer(const char *const *words) {
    awaited = words[0];
    while (!succeeds(words)) {
        if (!is_running()) return false;
        usleep(20000);
    }
    return true;
}

static void ask_for_sinks(void) {
    const char *const volume[] = {"timeout", "5", "pactl", "get-sink-volume", "null", NULL};
    const char *const sinks[] = {"timeout", "5", "pactl", "list", "short", "sinks", NULL};
    succeeds(volume);
    succeeds(sinks);
}

/* A server that ends while it starts is started again: on a busy machine PipeWire can do so. */
static MAYBE_UNUSED void start_server(void) {
    for (int attempt = 1; !starts(); attempt++) {
        if (attempt == 3) {
            failed(__FILE__, __LINE__, "the server has ended three times while it started");
            describe_log("server.log");
            exit(1);
        }
        end_server();
    }
}

/* The folders of one server. */
static MAYBE_UNUSED void make_folders(void) {
    begin_test();
    ask_server = ask_for_sinks;
    char *folder = getcwd(NULL, 0), path[PATH_MAX];
    snprintf(path, sizeof path, "%s/run", folder);
    free(folder);
    mkdir(path, 0700);
    setenv("XDG_RUNTIME_DIR", path, 1);
    setenv("XDG_STATE_HOME", path, 1);
}

static MAYBE_UNUSED void begin(void) {
    make_folders();
    start_server();
    open_server();
    UNTIL(is_default("null::out"));
}

TEST(first_state, "The first state has the server's sink") {
    begin();
    EXPECT(strstr(module->state(server)->software, SOFTWARE) != NULL);
    EXPECT_INTEGER(port_count(), 1);
    EXPECT_INTEGER(PORT("null::out")->kind, SERVER_SPEAKER);
    EXPECT_INTEGER(PORT("null::out")->channels, 2);
    EXPECT_INTEGER(PORT("null::out")->others, 0);
    EXPECT_NUMBER(PORT("null::out")->volume, 1);
    close_server();
    end_server();
}

TEST(new_default, "A sink that is created is a port, and may become the default") {
    begin();
    load_sink("other", "device.description=Other");
    UNTIL(find_port("other::out"));
    EXPECT_TEXT(PORT("other::out")->name, "Other");
    RUN("pactl", "set-default-sink", "other");
    UNTIL(is_default("other::out"));
    EXPECT(!is_default("null::out"));
    RUN("pactl", "set-default-sink", "null");
    UNTIL(is_default("null::out"));
    close_server();
    end_server();
}

TEST(removed_default, "When the default sink is removed, the other one is the default") {
    begin();
    for (int life = 0; life < 3; life++) {
        const char *number = load_sink("other", "");
        UNTIL(find_port("other::out"));
        RUN("pactl", "set-default-sink", "other");
        UNTIL(is_default("other::out"));
        RUN("pactl", "unload-module", number);
        UNTIL(!find_port("other::out") && is_default("null::out"));
    }
    close_server();
    end_server();
}

TEST(levels, "A volume and a mute switch that somebody else sets are told") {
    begin();
    RUN("pactl", "set-sink-volume", "null", "30%");
    UNTIL(has_volume("null::out", 0.3));
    RUN("pactl", "set-sink-mute", "null", "1");
    UNTIL(has_volume("null::out", 0));
    EXPECT_INTEGER(module->set_volume(server, "null::out", 0.6f), 0);
    EXPECT_NUMBER(PORT("null::out")->volume, 0);
    RUN("pactl", "set-sink-mute", "null", "0");
    UNTIL(has_volume("null::out", 0.6));
    close_server();
    end_server();
}

TEST(set_level, "A volume that is set reaches the server") {
    begin();
    void *first = server;
    EXPECT_INTEGER(module->set_volume(server, "null::out", 0.4f), 0);
    EXPECT(has_volume("null::out", 0.4));
    open_server();
    UNTIL(has_volume("null::out", 0.4));
    close_server();
    server = first;
    close_server();
    end_server();
}

TEST(headset, "A sink with the properties of a Bluetooth headset is A2DP") {
    begin();
    load_sink("headset", "device.bus=bluetooth device.form_factor=headset");
    UNTIL(find_port("headset::out"));
    EXPECT_INTEGER(PORT("headset::out")->kind, SERVER_A2DP);
    close_server();
    end_server();
}

TEST(other_streams, "A stream of another program is counted while it runs") {
    begin();
    char *const player[] = {(char *)"pacat", (char *)"--playback", (char *)"--device=null", (char *)"/dev/zero", NULL};
    pid_t other = start_process(player, -1, -1);
    UNTIL(PORT("null::out")->others == 1);
    end_process(&other);
    UNTIL(PORT("null::out")->others == 0);
    close_server();
    end_server();
}

TEST(many_changes, "Thousands of changes in a second end in the last one") {
    begin();
    void *watcher = server;
    open_server();
    UNTIL(find_port("null::out"));
    for (int i = 0; i < 5000; i++) {
        EXPECT_INTEGER(module->set_volume(server, "null::out", (float)(i % 100) / 100), 0);
        if (i % 16 == 0) dispatch();
    }
    EXPECT_INTEGER(module->set_volume(server, "null::out", 0.25f), 0);
    void *writer = server;
    struct pollfd waiting[] = {{module->descriptor(watcher), POLLIN, 0}, {module->descriptor(writer), POLLIN, 0}};
    awaited = "the last volume";
    for (server = watcher; !has_volume("null::out", 0.25);) {
        if (poll(waiting, 2, -1) < 1) continue;
        if (waiting[1].revents) EXPECT(module->dispatch(writer) != SERVER_CLOSED);
        if (waiting[0].revents) dispatch();
        REQUIRE(!is_closed);
    }
    close_server();
    server = writer;
    EXPECT(has_volume("null::out", 0.25));
    close_server();
    end_server();
}

TEST(idle, "In two idle seconds the descriptor is never readable") {
    begin();
    while (has_work(500)) dispatch();
    EXPECT(!has_work(2000));
    close_server();
    end_server();
}

TEST(death, "A server that is killed ends the connection with a reason, and its successor is found") {
    begin();
    for (int life = 0; life < 3; life++) {
        end_server();
        while (!is_closed) await_and_dispatch();
        EXPECT_TEXT(module->reason(server), "the server has closed the connection: Connection terminated");
        close_server();
        open_server();
        while (!is_closed) await_and_dispatch();
        EXPECT(strstr(module->reason(server), "no server answers") != NULL);
        close_server();
        start_server();
        open_server();
        UNTIL(is_default("null::out"));
    }
    close_server();
    end_server();
}

TEST(stopped, "A stopped server blocks nobody: the connection ends after a second, or when it is asked something") {
    begin();
    RUN("pactl", "set-sink-volume", "null", "30%");
    UNTIL(has_volume("null::out", 0.3));
    kill(server_process, SIGSTOP);
    EXPECT_INTEGER(module->set_volume(server, "null::out", 0.5f), 0);
    while (!is_closed) await_and_dispatch();
    EXPECT_TEXT(module->reason(server), "the server does not answer");
    close_server();
    kill(server_process, SIGCONT);
    open_server();
    UNTIL(is_default("null::out"));
    close_server();
    end_server();
}

#endif
