/* SPDX-License-Identifier: Apache-2.0 */
/* The module while its own calls to the system fail, one in each connection. */
#include "scripted.h"

static int *failing_call, *calls;

static void load_failing_module(void) {
    setenv("SERVER_MODULE", getenv("FAILING_MODULE"), 1);
    void *library = dlopen(getenv("SERVER_MODULE"), RTLD_NOW);
    REQUIRE(library);
    failing_call = (int *)dlsym(library, "failing_call");
    calls = (int *)dlsym(library, "calls");
    REQUIRE(failing_call && calls);
}

/* Makes the next call but this many fail. */
static void fail_call(int number) {
    *calls = 0;
    *failing_call = number;
}

#define HEADSET \
    "{'sinks': [{'index': 0, 'name': 'one', 'card': 7, 'ports': [{'name': 'a', 'available': 2}, {'name': 'b', 'available': " \
    "2}]}]," \
    " 'sources': [{'index': 1, 'name': 'in'}], 'streams': [{'index': 1, 'sink': 0}], 'default_sink': 'one', 'default_source': " \
    "'in'," \
    " 'cards': [{'index': 7, 'name': 'bluez_card.1', 'active': 'a2dp-sink', 'profiles': [{'name': 'a2dp-sink'}," \
    " {'name': 'headset-head-unit'}]}]}"

TEST(open_without_memory, "While a call of it fails, opening gives nothing, or a connection that works or ends with a reason") {
    load_failing_module();
    start_script(HEADSET);
    int descriptors = count_entries("/proc/self/fd"), nothing = 0;
    for (int number = 1;; number++) {
        fail_call(number);
        server = module->open("tests");
        int used = *calls;
        fail_call(0);
        if (!server) nothing++;
        is_closed = false;
        while (server && !module->state(server) && !is_closed) await_and_dispatch();
        EXPECT(!is_closed || *module->reason(server));
        if (server) close_server();
        EXPECT_INTEGER(count_entries("/proc/self/fd"), descriptors);
        if (used < number) break;
    }
    EXPECT(nothing >= 5);
}

/* One connection with everything in it. Returns whether it has ended. */
static bool use_connection(void) {
    server = module->open("tests");
    is_closed = false;
    while (server && !module->state(server) && !is_closed) await_and_dispatch();
    if (!server) return true;
    if (!is_closed) {
        module->set_volume(server, "in::in", 0.5f);
        module->reach(server, "bluez_card.1:hfp:in");
        module->leave(server, "bluez_card.1:hfp:in");
        script("{'events': [['sink', 'change', 0], ['card', 'change', 7], ['stream', 'new', 0], ['server', 'change', 0]]}");
        await_and_dispatch();
    }
    while (has_work(0) && !is_closed) dispatch();
    EXPECT(!is_closed || *module->reason(server));
    close_server();
    return is_closed;
}

TEST(memory_of_a_connection, "While a call of it fails, a connection works or ends with a reason, and the next one works") {
    load_failing_module();
    start_script(HEADSET);
    int descriptors = count_entries("/proc/self/fd"), ended = 0;
    for (int number = 1;; number++) {
        fail_call(number);
        ended += use_connection();
        int used = *calls;
        fail_call(0);
        EXPECT_INTEGER(count_entries("/proc/self/fd"), descriptors);
        if (used < number) break;
    }
    EXPECT(ended >= 10);
    EXPECT(!use_connection());
}
