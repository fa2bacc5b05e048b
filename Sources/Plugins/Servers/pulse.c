/* SPDX-License-Identifier: Apache-2.0 */
/* The server module of libpulse: PulseAudio, and PipeWire's server of the same protocol. */
#include "quiet.h"
#include "server.h"
#include "server_module.h"

#include <pulse/error.h>
#include <pulse/operation.h>
#include <pulse/proplist.h>
#include <pulse/subscribe.h>
#include <pulse/version.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Microseconds. */
enum {
    LONGEST_ANSWER = 5000000,
    /* A server sets up a Bluetooth link before it answers. The answer of a server in a flood of events is behind the events. */
    LONGEST_SLOW_ANSWER = 10000000,
    LONGEST_HOLD = 15000,
    /* Refreshes in a flood of events: one each 10 ms, after 20 at once. */
    REFRESH_INTERVAL = 10000,
    REFRESH_CREDIT = 19 * REFRESH_INTERVAL,
};

#define BIT(list) (1u << (list))
static const uint32_t all_lists = BIT(LISTS) - 1;
static const char *const no_memory = "the memory is exhausted";

void server_end(struct server *server, const char *format, ...) {
    if (server->is_closed) return;
    server->is_closed = 1;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(server->reason, sizeof server->reason, format, arguments);
    va_end(arguments);
    /* The timer runs at once, so that the next dispatch reports the end. */
    mainloop_set_timer(server->pace_timer, 1);
}

/* ---- Refreshes ---- */

void server_await(struct server *server) {
    uint64_t longest = server->profiles ? LONGEST_SLOW_ANSWER : LONGEST_ANSWER;
    int is_awaited = !server->is_ready || server->lists.pending || server->requests;
    server->asked = mainloop_now();
    mainloop_set_timer(server->answer_timer, is_awaited ? server->asked + longest : 0);
}

/* An event while an answer is awaited shows that the server works: the wait is extended. */
static void await_longer(struct server *server) {
    uint64_t time = mainloop_timer(server->answer_timer), longest = server->asked + LONGEST_SLOW_ANSWER;
    uint64_t later = mainloop_now() + LONGEST_ANSWER;
    if (later > longest) later = longest;
    if (time && time < later) mainloop_set_timer(server->answer_timer, later);
}

static void publish(struct server *server, struct snapshot *snapshot) {
    if (!snapshot_equal(server->current, snapshot)) server->is_changed = 1;
    snapshot_free(server->current);
    server->current = snapshot;
    mainloop_set_timer(server->hold_timer, 0);
}

/* A state without its default, or with a device whose card is missing, waits for the event that is on its way. */
static void complete(struct server *server) {
    server_note_profiles(server);
    struct snapshot *snapshot = snapshot_new(&server->lists);
    if (!snapshot) {
        server_end(server, "%s", no_memory);
        return;
    }
    server_hide_left(server, snapshot);
    snapshot_free(server->held);
    server->held = NULL;
    if (lists_agree(&server->lists)) {
        publish(server, snapshot);
    } else {
        server->held = snapshot;
        if (!mainloop_timer(server->hold_timer)) mainloop_set_timer(server->hold_timer, mainloop_now() + LONGEST_HOLD);
    }
}

static void answered(void *user) {
    struct server *server = user;
    server_await(server);
    if (!server->lists.pending && !server->lists.failure && !server->is_closed) complete(server);
}

/* Asks for all lists that are out of date, if no answer is missing. Returns whether it has asked. */
static int refresh(struct server *server) {
    if (!server->is_ready || server->is_closed || server->lists.pending || !server->dirty) return 0;
    uint64_t now = mainloop_now();
    if (server->paced > now + REFRESH_CREDIT) {
        mainloop_set_timer(server->pace_timer, server->paced - REFRESH_CREDIT);
        return 0;
    }
    server->paced = (server->paced > now ? server->paced : now) + REFRESH_INTERVAL;
    uint32_t asked = server->dirty;
    server->dirty = 0;
    for (int list = 0; list < LISTS; list++)
        if (asked & BIT(list)) lists_ask(&server->lists, server->context, (enum list_name)list);
    server_await(server);
    return 1;
}

/* ---- Events ---- */

static void note_event(pa_context *context, pa_subscription_event_type_t event, uint32_t index, void *user) {
    (void)context;
    (void)index;
    struct server *server = user;
    await_longer(server);
    int is_change = (event & PA_SUBSCRIPTION_EVENT_TYPE_MASK) == PA_SUBSCRIPTION_EVENT_CHANGE;
    switch (event & PA_SUBSCRIPTION_EVENT_FACILITY_MASK) {
    /* A device that comes or goes may change the default, and the devices of the streams. */
    case PA_SUBSCRIPTION_EVENT_SINK: server->dirty |= BIT(SINKS) | (is_change ? 0 : BIT(SERVER) | BIT(STREAMS)); break;
    case PA_SUBSCRIPTION_EVENT_SOURCE: server->dirty |= BIT(SOURCES) | (is_change ? 0 : BIT(SERVER)); break;
    case PA_SUBSCRIPTION_EVENT_CARD: server->dirty |= BIT(CARDS) | BIT(SINKS) | BIT(SOURCES); break;
    /* The default may have moved because its device went, and the event of the device is on its way. */
    case PA_SUBSCRIPTION_EVENT_SERVER: server->dirty |= BIT(SERVER) | BIT(SINKS) | BIT(SOURCES); break;
    case PA_SUBSCRIPTION_EVENT_SINK_INPUT: server->dirty |= BIT(STREAMS); break;
    default: break;
    }
}

static void subscribed(pa_context *context, int is_success, void *user) {
    struct server *server = user;
    server->requests--;
    server_await(server);
    if (!is_success) server_end(server, "the server tells no events: %s", pa_strerror(pa_context_errno(context)));
}

static void begin(struct server *server) {
    server->is_ready = 1;
    server->dirty = all_lists;
    pa_context_set_subscribe_callback(server->context, note_event, server);
    pa_operation *question = pa_context_subscribe(server->context,
        PA_SUBSCRIPTION_MASK_SINK | PA_SUBSCRIPTION_MASK_SOURCE | PA_SUBSCRIPTION_MASK_CARD | PA_SUBSCRIPTION_MASK_SERVER |
            PA_SUBSCRIPTION_MASK_SINK_INPUT,
        subscribed, server);
    if (!question) {
        server_end(server, "the server tells no events: %s", pa_strerror(pa_context_errno(server->context)));
        return;
    }
    server->requests++;
    pa_operation_unref(question);
}

static void note_state(pa_context *context, void *user) {
    struct server *server = user;
    switch (pa_context_get_state(context)) {
    case PA_CONTEXT_READY: begin(server); break;
    case PA_CONTEXT_FAILED:
        server_end(server, server->is_ready ? "the server has closed the connection: %s" : "no server answers: %s",
            pa_strerror(pa_context_errno(context)));
        break;
    case PA_CONTEXT_TERMINATED: server_end(server, "the server has ended the connection"); break;
    default: break;
    }
    if (!server->is_closed) server_await(server);
}

static void answer_is_late(pa_mainloop_api *api, pa_time_event *event, const struct timeval *time, void *user) {
    (void)api;
    (void)event;
    (void)time;
    server_end(user, "the server does not answer");
}

static void hold_is_over(pa_mainloop_api *api, pa_time_event *event, const struct timeval *time, void *user) {
    (void)api;
    (void)event;
    (void)time;
    struct server *server = user;
    struct snapshot *held = server->held;
    server->held = NULL;
    if (held) publish(server, held);
}

/* The next call of refresh is due. */
static void pace_is_over(pa_mainloop_api *api, pa_time_event *event, const struct timeval *time, void *user) {
    (void)api;
    (void)event;
    (void)time;
    (void)user;
}

/* ---- Memory ---- */

/* libpulse ends the process if it gets no memory: it is not called while less than this is left. An answer is one block of
   memory, with 300 bytes for each null sink, and more for a sink with ports. */
enum { RESERVE = 4 << 20 };

/* Not by malloc: the release of a large block changes the thresholds of the program's allocator. */
static int has_memory_for_libpulse(void) {
    void *memory = mmap(NULL, RESERVE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED && munmap(memory, RESERVE) == 0;
}

/* ---- The module's functions ---- */

static void close_server(void *user) {
    struct server *server = user;
    quiet_begin();
    if (server->context) {
        pa_context_set_state_callback(server->context, NULL, NULL);
        pa_context_disconnect(server->context);
        pa_context_unref(server->context);
    }
    server_free_requests(server);
    lists_free(&server->lists);
    snapshot_free(server->current);
    snapshot_free(server->held);
    mainloop_close(&server->loop);
    free(server);
    quiet_end();
}

static pa_time_event *new_timer(struct server *server, pa_time_event_cb_t callback) {
    return server->loop.api.time_new(&server->loop.api, NULL, callback, server);
}

static pa_context *new_context(struct server *server, const char *program) {
    pa_proplist *properties = pa_proplist_new();
    pa_proplist_sets(properties, PA_PROP_APPLICATION_NAME, program && *program ? program : "libAudioSession");
    pa_proplist_sets(properties, PA_PROP_APPLICATION_ID, "libAudioSession");
    /* No sound passes here. */
    pa_proplist_sets(properties, PA_PROP_CONTEXT_FORCE_DISABLE_SHM, "1");
    pa_context *context = pa_context_new_with_proplist(&server->loop.api, NULL, properties);
    pa_proplist_free(properties);
    return context;
}

static int connect_server(struct server *server, const char *program) {
    server->answer_timer = new_timer(server, answer_is_late);
    server->pace_timer = new_timer(server, pace_is_over);
    server->hold_timer = new_timer(server, hold_is_over);
    if (!has_memory_for_libpulse()) return -1;
    server->context = new_context(server, program);
    if (!server->context) return -1;
    pa_context_set_state_callback(server->context, note_state, server);
    server_await(server);
    if (pa_context_connect(server->context, NULL, PA_CONTEXT_NOAUTOSPAWN, NULL) < 0)
        server_end(server, "no server answers: %s", pa_strerror(pa_context_errno(server->context)));
    return server->loop.is_exhausted ? -1 : 0;
}

static void *open_server(const char *program) {
    struct server *server = calloc(1, sizeof *server);
    if (!server) return NULL;
    if (mainloop_open(&server->loop) < 0) {
        free(server);
        return NULL;
    }
    server->lists.answered = answered;
    server->lists.adjust = server_adjust;
    server->lists.user = server;
    quiet_begin();
    int result = connect_server(server, program);
    mainloop_arm(&server->loop);
    quiet_end();
    if (result == 0) return server;
    close_server(server);
    return NULL;
}

static int descriptor(void *user) { return ((struct server *)user)->loop.epoll; }

static int dispatch(void *user) {
    /* The answers to a refresh may be there at once, and may have made another one due. */
    enum { MOST_REFRESHES = 4 };
    struct server *server = user;
    if (!server->is_closed && !has_memory_for_libpulse()) server_end(server, "%s", no_memory);
    if (server->is_closed) return SERVER_CLOSED;
    quiet_begin();
    int refreshes = 0;
    do {
        mainloop_run(&server->loop);
        if (server->lists.failure) server_end(server, "%s", server->lists.failure);
        if (server->loop.is_exhausted) server_end(server, "%s", no_memory);
        /* An event may have come with the last answers: refresh follows each run. Nothing else makes the descriptor readable for
           such an event. */
    } while (refresh(server) && ++refreshes < MOST_REFRESHES);
    mainloop_arm(&server->loop);
    quiet_end();
    if (server->is_closed) return SERVER_CLOSED;
    int is_changed = server->is_changed;
    server->is_changed = 0;
    return is_changed ? SERVER_CHANGED : SERVER_UNCHANGED;
}

static const struct server_state *state(void *user) {
    const struct server *server = user;
    return server->current ? &server->current->state : NULL;
}

static const char *reason(void *user) { return ((struct server *)user)->reason; }

/* Requests: the descriptor is readable when the next event is due. */
static int finish(struct server *server, int result) {
    mainloop_arm(&server->loop);
    quiet_end();
    return result;
}

static int set_volume(void *user, const char *uid, float volume) {
    if (!has_memory_for_libpulse()) return -1;
    quiet_begin();
    return finish(user, server_set_volume(user, uid, volume));
}

static int reach(void *user, const char *uid) {
    if (!has_memory_for_libpulse()) return -1;
    quiet_begin();
    return finish(user, server_reach(user, uid));
}

static int leave(void *user, const char *uid) {
    if (!has_memory_for_libpulse()) return -1;
    quiet_begin();
    return finish(user, server_leave(user, uid));
}

__attribute__((visibility("default"))) const struct server_module *audiosession_server(uint32_t version) {
    static char library[64];
    static const struct server_module module = {
        .version = SERVER_INTERFACE_VERSION,
        .library = library,
        .open = open_server,
        .descriptor = descriptor,
        .dispatch = dispatch,
        .state = state,
        .reason = reason,
        .set_volume = set_volume,
        .reach = reach,
        .leave = leave,
        .close = close_server,
    };
    snprintf(library, sizeof library, "libpulse %s", pa_get_library_version());
    return version == SERVER_INTERFACE_VERSION ? &module : NULL;
}
