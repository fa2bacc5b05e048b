/* SPDX-License-Identifier: Apache-2.0 */
/* PulseAudio. */
#define SOFTWARE "pulseaudio"
static int server_process;
#include "../real.h"

static const char *const answers[] = {"pactl", "info", NULL};

static bool is_running(void) { return !has_ended(server_process); }

static bool start_with(const char *option, const char *value) {
    /* The kernel ends a thread of real time that gets no pause, which a busy machine gives to none. */
    const char *const arguments[] = {"pulseaudio", "-n", "--realtime=no", "--high-priority=no", "--daemonize=no",
        "--exit-idle-time=-1", "--use-pid-file=no", "-L", "module-null-sink sink_name=null", "-L", "module-native-protocol-unix",
        option, value, NULL};
    server_process = start_process((char *const *)arguments, -1, -1);
    return await_answer(answers);
}

static bool starts(void) { return start_with(NULL, NULL); }
static void end_server(void) { end_process(&server_process); }

TEST(thousand_sinks, "A thousand sinks are ports, and one of them becomes the default") {
    make_folders();
    /* The server has four descriptors for each sink. */
    FILE *file = fopen("daemon.conf", "w");
    fprintf(file, "rlimit-nofile = 16384\n");
    fclose(file);
    setenv("PULSE_CONFIG", "daemon.conf", 1);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    /* It has a thread for each sink, with a stack of this limit: 1,000 of the usual 8 MiB exceed the address space of a
       limited test. */
    getrlimit(RLIMIT_STACK, &limit);
    limit.rlim_cur = 1 << 20;
    setrlimit(RLIMIT_STACK, &limit);
    file = fopen("sinks", "w");
    for (int i = 0; i < 1000; i++) fprintf(file, "load-module module-null-sink sink_name=sink%d\n", i);
    fclose(file);
    REQUIRE(start_with("-F", "sinks"));
    open_server();
    UNTIL(port_count() == 1001);
    EXPECT(find_port("sink999::out") && is_default("null::out"));
    /* A server with a thread for each sink may be too busy for an answer within the time of pactl. */
    const char *const set_default[] = {"pactl", "set-default-sink", "sink500", NULL};
    const char *const set_volume[] = {"pactl", "set-sink-volume", "sink999", "50%", NULL};
    REQUIRE(await_answer(set_default));
    UNTIL(is_default("sink500::out"));
    REQUIRE(await_answer(set_volume));
    UNTIL(has_volume("sink999::out", 0.5));
    close_server();
    end_server();
}

TEST(no_autospawn, "Nothing is started where nothing runs") {
    make_folders();
    setenv("PULSE_BINARY", "/bin/false", 1);
    open_server();
    while (!is_closed) await_and_dispatch();
    EXPECT_INTEGER(waitpid(-1, NULL, WNOHANG), -1);
    close_server();
}
