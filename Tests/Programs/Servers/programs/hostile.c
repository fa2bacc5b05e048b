/* SPDX-License-Identifier: Apache-2.0 */
/* Servers that do not keep to the protocol, that stop, and that are not there; and what the module needs of the process. */
#include "scripted.h"

#include <malloc.h>

#define ONE_SINK "{'sinks': [{'index': 0, 'name': 'one'}], 'default_sink': 'one'}"

/* Dispatches until the connection has ended. Its reason is text for people. */
static void expect_end(const char *words) {
    while (!is_closed) await_and_dispatch();
    if (!strstr(module->reason(server), words))
        failed(__FILE__, __LINE__, "the reason is \"%s\", without \"%s\"", module->reason(server), words);
    EXPECT_INTEGER(dispatch(), SERVER_CLOSED);
    EXPECT_INTEGER(module->set_volume(server, "one::out", 0.5f), -1);
    EXPECT_INTEGER(module->reach(server, "one::out"), -1);
    close_server();
}

/* ---- Servers that are not there ---- */

TEST(no_server, "Without a server the connection ends with a reason, and nothing is started") {
    begin_test();
    setenv("PULSE_SERVER", "unix:/nonexistent/socket", 1);
    open_server();
    expect_end("no server answers");
    unsetenv("PULSE_SERVER");
    setenv("XDG_RUNTIME_DIR", "nowhere", 1);
    open_server();
    expect_end("no server answers");
    EXPECT_INTEGER(waitpid(-1, NULL, WNOHANG), -1);
}

static int listener_at(const char *path, bool listens) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0) abort();
    if (listens && listen(listener, 1) != 0) abort();
    return listener;
}

TEST(nobody_listens, "A socket that nobody listens at is no server") {
    begin_test();
    listener_at("socket", false);
    setenv("PULSE_SERVER", "unix:socket", 1);
    open_server();
    expect_end("no server answers: Connection refused");
}

TEST(nobody_answers, "A server that accepts nobody has five seconds, then it is none") {
    begin_test();
    listener_at("socket", true);
    setenv("PULSE_SERVER", "unix:socket", 1);
    stop_clock();
    open_server();
    while (has_work(0)) dispatch();
    move_clock(4999);
    EXPECT_INTEGER(dispatch(), SERVER_UNCHANGED);
    move_clock(2);
    EXPECT_INTEGER(dispatch(), SERVER_CLOSED);
    EXPECT_TEXT(module->reason(server), "the server does not answer");
    close_server();
    clock_stop = 0;
    /* The same by the descriptor. */
    open_server();
    expect_end("the server does not answer");
}

/* ---- Servers that stop ---- */

TEST(each_step, "A server may end the connection at each step, and the next connection works") {
    const char *const steps[] = {"auth", "name", "subscribe", "server", "sinks", "sources", "cards", "streams"};
    start_script(ONE_SINK);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        char silence[64], speech[64];
        snprintf(silence, sizeof silence, "{'silent': ['%s']}", steps[i]);
        snprintf(speech, sizeof speech, "{'answer': ['%s']}", steps[i]);
        script(silence);
        forget_requests();
        open_server();
        UNTIL_REQUESTED(steps[i]);
        EXPECT(!module->state(server) || strcmp(steps[i], "subscribe") == 0);
        script("{'close': True}");
        expect_end("Connection terminated");
        script(speech);
        open_server();
        UNTIL(module->state(server));
        EXPECT_INTEGER(port_count(), 1);
        close_server();
    }
}

TEST(no_answer, "A question without an answer ends the connection after five seconds") {
    connect_script(ONE_SINK);
    stop_clock();
    script("{'silent': ['sinks'], 'events': [['sink', 'change', 0]]}");
    UNTIL_REQUESTED("sinks");
    move_clock(4999);
    EXPECT_INTEGER(dispatch(), SERVER_UNCHANGED);
    move_clock(2);
    EXPECT_INTEGER(dispatch(), SERVER_CLOSED);
    expect_end("the server does not answer");
}

TEST(endless_events, "A server that tells events and answers nothing has ten seconds") {
    connect_script(ONE_SINK);
    stop_clock();
    script("{'silent': ['sinks'], 'events': [['sink', 'change', 0]]}");
    UNTIL_REQUESTED("sinks");
    for (int i = 1; i < 20; i++) {
        move_clock(500);
        script("{'events': [['sink', 'change', 0]]}");
        EXPECT_INTEGER(dispatch(), SERVER_UNCHANGED);
    }
    move_clock(501);
    script("{'events': [['sink', 'change', 0]]}");
    EXPECT_INTEGER(dispatch(), SERVER_CLOSED);
    close_server();
}

TEST(no_confirmation, "A request without an answer ends the connection after five seconds") {
    connect_script(ONE_SINK);
    stop_clock();
    script("{'silent': ['sink-volume']}");
    EXPECT_INTEGER(module->set_volume(server, "one::out", 0.5f), 0);
    UNTIL_REQUESTED("sink-volume one 32768 32768");
    move_clock(5001);
    EXPECT_INTEGER(dispatch(), SERVER_CLOSED);
    close_server();
}

TEST(late_reader, "An answer that has come is no late answer, however late it is read") {
    connect_script(ONE_SINK);
    stop_clock();
    script("{'silent': ['sinks'], 'events': [['sink', 'change', 0]]}");
    UNTIL_REQUESTED("sinks");
    script("{'sinks': [{'index': 0, 'name': 'one', 'muted': True}], 'answer': ['sinks']}");
    move_clock(5000);
    EXPECT_INTEGER(dispatch(), SERVER_CHANGED);
    EXPECT_NUMBER(PORT("one::out")->volume, 0);
    close_server();
}

/* ---- Servers that do not keep to the protocol ---- */

static void expect_end_of(const char *model, const char *words) {
    connect_script(ONE_SINK);
    script(model);
    expect_end(words);
}

TEST(refusal, "A server that refuses a list ends the connection") {
    expect_end_of("{'refuse': ['sinks'], 'events': [['sink', 'change', 0]]}", "refuses to list");
}

TEST(unknown_command, "An unknown command of the server ends the connection, and nothing is written") {
    expect_end_of(
        "{'raw': b'\\0\\0\\0\\x0a\\xff\\xff\\xff\\xff' + b'\\0' * 12 + b'L\\0\\0\\0\\xc8L\\0\\0\\0\\0'}", "Protocol error");
}

TEST(half_an_answer, "A server that closes in the middle of an answer ends the connection") {
    expect_end_of(
        "{'raw': b'\\0\\0\\1\\0\\xff\\xff\\xff\\xff' + b'\\0' * 12 + b'L\\0\\0', 'close': True}", "Connection terminated");
}

TEST(duplicates, "Two sinks with one number end the connection") {
    expect_end_of("{'sinks': [{'index': 4, 'name': 'a'}, {'index': 1, 'name': 'b'}, {'index': 4, 'name': 'c'}],"
                  " 'events': [['sink', 'change', 0]]}",
        "one number");
}

TEST(no_name, "A sink without a name ends the connection") {
    expect_end_of("{'sinks': [{'index': 4, 'name': ''}], 'events': [['sink', 'change', 0]]}", "no name");
}

TEST(null_name, "A source with no name at all ends the connection") {
    expect_end_of("{'sources': [{'index': 4, 'name': None}], 'events': [['source', 'change', 0]]}", "no name");
}

TEST(no_volume, "A sink with a volume that none can have ends the connection") {
    expect_end_of("{'sinks': [{'index': 4, 'name': 'a', 'volume': []}], 'events': [['sink', 'change', 0]]}", "valid volume");
}

TEST(loud, "A sink with a volume beyond the largest one ends the connection") {
    expect_end_of(
        "{'sinks': [{'index': 4, 'name': 'a', 'volume': [0xffffffff]}], 'events': [['sink', 'change', 0]]}", "valid volume");
}

TEST(many_ports, "A sink with 65 ports ends the connection, one with 64 does not") {
    connect_script("{'sinks': [{'index': 0, 'name': 'one', 'ports': [{'name': 'p%d' % n, 'available': 2} for n in range(64)]}],"
                   " 'default_sink': 'one'}");
    EXPECT_INTEGER(port_count(), 64);
    script("{'sinks': [{'index': 0, 'name': 'one', 'ports': [{'name': 'p%d' % n} for n in range(65)]}],"
           " 'events': [['sink', 'change', 0]]}");
    expect_end("more ports");
}

TEST(wrong_count, "A sink with fewer ports than it says ends the connection") {
    expect_end_of(
        "{'sinks': [{'index': 0, 'name': 'one', 'port_count': 3}], 'events': [['sink', 'change', 0]]}", "Protocol error");
}

TEST(many_sinks, "A thousand sinks are ports, and 4097 end the connection") {
    connect_script("{'sinks': [{'index': n, 'name': 'sink %d' % n} for n in range(1000)],"
                   " 'sources': [{'index': n, 'name': 'monitor %d' % n, 'monitor_of': n} for n in range(1000)], 'default_sink': "
                   "'sink 999'}");
    EXPECT_INTEGER(port_count(), 1000);
    EXPECT(is_default("sink 999::out"));
    script("{'sinks': [{'index': n, 'name': 'sink %d' % n} for n in range(4096)], 'events': [['sink', 'new', 1]]}");
    UNTIL(port_count() == 4096);
    script("{'sinks': [{'index': n, 'name': 'sink %d' % n} for n in range(4097)], 'events': [['sink', 'new', 1]]}");
    expect_end("more devices");
}

/* Bytes of a reproducible sequence. */
static unsigned garbage(unsigned *seed) { return (*seed = *seed * 1664525 + 1013904223) >> 24; }

TEST(garbage_bytes, "Garbage ends the connection at once or at the next question, and does nothing else") {
    static char command[1 << 14];
    start_script(ONE_SINK);
    for (unsigned round = 0; round < 64; round++) {
        unsigned seed = round;
        char *end = command + sprintf(command, "{'raw': b'");
        /* In half of the rounds the frame is one that the library reads. */
        if (round % 2) end += sprintf(end, "\\0\\0\\0\\x%02x\\xff\\xff\\xff\\xff\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0", 9 + round);
        for (int i = 0; i < 2000; i++) end += sprintf(end, "\\x%02x", garbage(&seed));
        strcpy(end, "'}");
        clock_stop = 0;
        open_server();
        UNTIL(module->state(server));
        script(command);
        stop_clock();
        module->set_volume(server, "one::out", 0.5f);
        for (int i = 0; i < 100 && !is_closed; i++) dispatch();
        move_clock(5001);
        EXPECT_INTEGER(dispatch(), SERVER_CLOSED);
        EXPECT(*module->reason(server));
        close_server();
    }
}

/* ---- What the module needs ---- */

TEST(idle, "In two idle seconds the descriptor is never readable") {
    connect_script(ONE_SINK);
    while (has_work(0)) dispatch();
    EXPECT(!has_work(2000));
    EXPECT_INTEGER(count_requests("sinks"), 0);
    close_server();
}

/* Descriptors that a program which this one executes would have. */
static int count_inherited(void) {
    int count = 0;
    for (int i = 0; i < 1024; i++) {
        int flags = fcntl(i, F_GETFD);
        count += flags >= 0 && !(flags & FD_CLOEXEC);
    }
    return count;
}

TEST(no_thread, "The module has no thread, and its descriptors are closed at exec") {
    start_script(ONE_SINK);
    int before = count_entries("/proc/self/fd"), inherited = count_inherited();
    open_server();
    UNTIL(module->state(server));
    EXPECT_INTEGER(count_entries("/proc/self/task"), 1);
    EXPECT_INTEGER(count_entries("/proc/self/fd"), before + 3);
    EXPECT_INTEGER(count_inherited(), inherited);
    close_server();
    EXPECT_INTEGER(count_entries("/proc/self/fd"), before);
}

static size_t used_memory(void) { return mallinfo2().uordblks; }

TEST(repetition, "A hundred connections leave no descriptor and no memory") {
    start_script("{'sinks': [{'index': n, 'name': 'sink %d' % n} for n in range(100)], 'default_sink': 'sink 1'}");
    int descriptors = 0;
    size_t memory = 0;
    for (int round = 0; round < 110; round++) {
        open_server();
        if (round % 3) UNTIL(module->state(server));
        if (round % 3 == 2) module->set_volume(server, "sink 7::out", 0.5f);
        close_server();
        while (has_line()) next_line();
        if (round == 9) {
            descriptors = count_entries("/proc/self/fd");
            memory = used_memory();
        }
    }
    EXPECT_INTEGER(count_entries("/proc/self/fd"), descriptors);
    /* libpulse keeps a few parts for later. The devices of one connection need more. */
    if (used_memory() > memory + 16384) failed(__FILE__, __LINE__, "%zu bytes are left", used_memory() - memory);
}

TEST(no_descriptors, "Without descriptors nothing is opened, or the connection ends") {
    start_script(ONE_SINK);
    int used = count_entries("/proc/self/fd") - 1;
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    rlim_t most = limit.rlim_cur;
    for (int free_ones = 0; free_ones < 8; free_ones++) {
        limit.rlim_cur = (rlim_t)(used + free_ones);
        setrlimit(RLIMIT_NOFILE, &limit);
        void *opened = module->open("tests");
        EXPECT(opened || free_ones < 3);
        is_closed = false;
        server = opened;
        while (opened && !module->state(server) && !is_closed) await_and_dispatch();
        if (opened) close_server();
    }
    limit.rlim_cur = most;
    setrlimit(RLIMIT_NOFILE, &limit);
    EXPECT_INTEGER(count_entries("/proc/self/fd"), used + 1);
}

#ifndef __SANITIZE_ADDRESS__
#if defined __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__
#endif
#endif
#endif
#ifndef __SANITIZE_ADDRESS__
TEST(no_address_space, "Without memory for the library of the server nothing is opened") {
    load_module();
    struct rlimit limit = {32 << 20, 32 << 20};
    setrlimit(RLIMIT_AS, &limit);
    EXPECT(!module->open("tests"));
}

TEST(used_address_space, "While the memory is used up, requests fail and the connection ends; the next one works") {
    connect_script(ONE_SINK);
    unsigned long pages = 0;
    FILE *sizes = fopen("/proc/self/statm", "r");
    EXPECT_INTEGER(fscanf(sizes, "%lu", &pages), 1);
    fclose(sizes);
    struct rlimit limit, former;
    getrlimit(RLIMIT_AS, &former);
    limit = former;
    limit.rlim_cur = pages * (unsigned long)sysconf(_SC_PAGESIZE) + (1 << 20);
    setrlimit(RLIMIT_AS, &limit);
    EXPECT_INTEGER(module->set_volume(server, "one::out", 0.5f), -1);
    EXPECT_INTEGER(module->reach(server, "one::out"), -1);
    EXPECT_INTEGER(module->leave(server, "one::out"), -1);
    script("{'events': [['sink', 'change', 0]]}");
    expect_end("the memory is exhausted");
    setrlimit(RLIMIT_AS, &former);
    open_server();
    UNTIL(find_port("one::out"));
    close_server();
}
#endif
