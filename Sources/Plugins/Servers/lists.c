/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "lists.h"

#include <pulse/error.h>
#include <pulse/introspect.h>
#include <pulse/operation.h>
#include <pulse/proplist.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void fail(struct lists *lists, const char *why) {
    if (!lists->failure) lists->failure = why;
}

static void free_list(struct list *list) {
    arena_free(&list->arena);
    free(list->items);
    *list = (struct list){0};
}

void lists_free(struct lists *lists) {
    for (int name = 0; name < LISTS; name++) {
        free_list(&lists->known[name]);
        free_list(&lists->fresh[name]);
    }
}

/* ---- The parts of an answer ---- */

static const char *const no_memory = "the memory is exhausted";

/* A new item of the answer that is coming in; NULL if it is one too many. */
static void *add(struct lists *lists, enum list_name name, size_t size, uint32_t most) {
    struct list *list = &lists->fresh[name];
    if (list->count == most) {
        fail(lists, "the server has more devices or streams than a machine can have");
        return NULL;
    }
    if (list->count == list->capacity) {
        uint32_t capacity = list->capacity ? 2 * list->capacity : 16;
        void *items = reallocarray(list->items, capacity, size);
        if (!items) {
            fail(lists, no_memory);
            return NULL;
        }
        list->items = items;
        list->capacity = capacity;
    }
    return memset((char *)list->items + size * list->count++, 0, size);
}

/* Returns whether another part follows. At the end the new list replaces the known one. */
static int is_part(struct lists *lists, enum list_name name, int end) {
    if (lists->failure) return 0;
    if (end < 0) fail(lists, "the server refuses to list its devices");
    if (end == 0) return 1;
    lists->pending &= ~(1u << name);
    if (lists->fresh[name].arena.is_exhausted) fail(lists, no_memory);
    if (!lists->failure) {
        free_list(&lists->known[name]);
        lists->known[name] = lists->fresh[name];
        lists->fresh[name] = (struct list){0};
    }
    lists->answered(lists->user);
    return 0;
}

static int compare_index(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

/* No two items of a list have one index. The index is at this offset. */
static void check_indices(struct lists *lists, enum list_name name, size_t size, size_t offset) {
    struct list *list = &lists->fresh[name];
    uint32_t *indices = arena_zeroed(&list->arena, list->count, sizeof *indices);
    if (!indices) return;
    for (uint32_t i = 0; i < list->count; i++) memcpy(&indices[i], (char *)list->items + size * i + offset, sizeof *indices);
    qsort(indices, list->count, sizeof *indices, compare_index);
    for (uint32_t i = 1; i < list->count; i++)
        if (indices[i] == indices[i - 1]) fail(lists, "two devices of the server have one number");
}

/* ---- The server ---- */

static void server_answer(pa_context *context, const pa_server_info *info, void *user) {
    (void)context;
    struct lists *lists = user;
    struct list *list = &lists->fresh[SERVER];
    struct server_facts *facts = lists->failure ? NULL : add(lists, SERVER, sizeof *facts, 1);
    if (facts && info) {
        const char *name = arena_text(&list->arena, info->server_name), *version = arena_text(&list->arena, info->server_version);
        facts->default_sink = arena_copy(&list->arena, info->default_sink_name);
        facts->default_source = arena_copy(&list->arena, info->default_source_name);
        facts->software = arena_format(&list->arena, "%s %s", name ? name : "", version ? version : "");
    }
    is_part(lists, SERVER, info ? 1 : -1);
}

/* ---- Sinks and sources ---- */

/* As device.port.type writes the types of the protocol. */
static const char *type_text(uint32_t type) {
    static const char *const texts[] = {NULL, "aux", "speaker", "headphones", "line", "mic", "headset", "handset", "earpiece",
        "spdif", "hdmi", "tv", "radio", "video", "usb", "bluetooth", "portable", "handsfree", "car", "hifi", "phone", "network",
        "analog"};
    return type < sizeof texts / sizeof *texts ? texts[type] : NULL;
}

/* Some servers write the keys of properties with a hyphen. */
static const char *property(struct arena *arena, const pa_proplist *properties, const char *key, const char *other) {
    const char *value = pa_proplist_gets(properties, key);
    if (!value && other) value = pa_proplist_gets(properties, other);
    return value && *value ? arena_copy(arena, value) : NULL;
}

static void read_properties(struct arena *arena, struct device *device, const pa_proplist *properties, const char *driver) {
    device->bus = property(arena, properties, "device.bus", NULL);
    device->form_factor = property(arena, properties, "device.form_factor", "device.form-factor");
    device->api = property(arena, properties, "device.api", NULL);
    device->profile = property(arena, properties, "device.profile.name", "bluetooth.protocol");
    device->protocol = property(arena, properties, "api.bluez5.profile", "bluetooth.protocol");
    device->icon = property(arena, properties, "device.icon_name", "device.icon-name");
    device->pcm = property(arena, properties, "alsa.name", NULL);
    const char *session = pa_proplist_gets(properties, "sess.media");
    if ((driver && strstr(driver, "raop")) || (session && strcmp(session, "raop") == 0)) device->api = "raop";
}

/* The fields that pa_sink_info and pa_source_info share. */
struct device_answer {
    enum list_name name;
    uint32_t index, card, port_count;
    const char *key, *description, *driver;
    const pa_sample_spec *format;
    const pa_cvolume *volume;
    const pa_proplist *properties;
    int is_muted, is_monitor, is_network;
};

static struct device *add_device(struct lists *lists, const struct device_answer *answer) {
    struct arena *arena = &lists->fresh[answer->name].arena;
    if (!answer->key || !*answer->key || answer->index == PA_INVALID_INDEX || !pa_cvolume_valid(answer->volume)) {
        fail(lists, "a device of the server has no name, no number or no valid volume");
        return NULL;
    }
    if (answer->port_count > MOST_PORTS) {
        fail(lists, "a device of the server has more ports than a device can have");
        return NULL;
    }
    struct device *device = add(lists, answer->name, sizeof *device, MOST_DEVICES);
    if (!device) return NULL;
    device->key = arena_copy(arena, answer->key);
    device->name = arena_text(arena, answer->key);
    device->description = arena_text(arena, answer->description);
    device->index = answer->index;
    device->card = answer->card;
    device->is_input = answer->name == SOURCES;
    device->is_monitor = (uint8_t)answer->is_monitor;
    device->is_network = (uint8_t)answer->is_network;
    device->is_muted = answer->is_muted != 0;
    device->channels = answer->format->channels;
    device->volume = *answer->volume;
    read_properties(arena, device, answer->properties, answer->driver);
    device->ports = arena_zeroed(arena, answer->port_count, sizeof *device->ports);
    return device;
}

static void add_port(struct lists *lists, struct device *device, const struct device_port *port, int is_active) {
    struct arena *arena = &lists->fresh[device->is_input ? SOURCES : SINKS].arena;
    if (!port->key || !*port->key) fail(lists, "a port of the server has no name");
    if (!device->ports || lists->failure) return;
    struct device_port *added = &device->ports[device->port_count++];
    *added = *port;
    added->key = arena_copy(arena, port->key);
    added->name = arena_text(arena, port->key);
    added->description = arena_text(arena, port->description);
    if (is_active) device->active = added;
}

/* The two structures have the same members under two names of their types. */
#define ADD_PORTS(lists, device, info) \
    for (uint32_t i = 0; device && i < (info)->n_ports; i++) { \
        struct device_port port = {.key = (info)->ports[i]->name, \
            .description = (info)->ports[i]->description, \
            .type = type_text((info)->ports[i]->type), \
            .priority = (info)->ports[i]->priority, \
            .available = (info)->ports[i]->available}; \
        add_port(lists, device, &port, (info)->ports[i] == (info)->active_port); \
    } \
    if (device && !(lists)->failure) (lists)->adjust((lists)->user, device)

static void sink_answer(pa_context *context, const pa_sink_info *info, int end, void *user) {
    (void)context;
    struct lists *lists = user;
    if (end > 0) check_indices(lists, SINKS, sizeof(struct device), offsetof(struct device, index));
    if (!is_part(lists, SINKS, end)) return;
    struct device_answer answer = {SINKS, info->index, info->card, info->n_ports, info->name, info->description, info->driver,
        &info->sample_spec, &info->volume, info->proplist, info->mute, 0, (info->flags & PA_SINK_NETWORK) != 0};
    struct device *device = add_device(lists, &answer);
    ADD_PORTS(lists, device, info);
}

static void source_answer(pa_context *context, const pa_source_info *info, int end, void *user) {
    (void)context;
    struct lists *lists = user;
    if (end > 0) check_indices(lists, SOURCES, sizeof(struct device), offsetof(struct device, index));
    if (!is_part(lists, SOURCES, end)) return;
    struct device_answer answer = {SOURCES, info->index, info->card, info->n_ports, info->name, info->description, info->driver,
        &info->sample_spec, &info->volume, info->proplist, info->mute, info->monitor_of_sink != PA_INVALID_INDEX,
        (info->flags & PA_SOURCE_NETWORK) != 0};
    struct device *device = add_device(lists, &answer);
    ADD_PORTS(lists, device, info);
}

/* ---- Cards ---- */

static int is_bluetooth(const struct card *card) {
    return (card->bus && strcmp(card->bus, "bluetooth") == 0) || (card->api && strncmp(card->api, "bluez", 5) == 0) ||
        strncmp(card->name, "bluez_", 6) == 0;
}

static int may_be_connected(const pa_card_info *info, int direction) {
    int found = 0;
    for (uint32_t i = 0; i < info->n_ports; i++) {
        if (!(info->ports[i]->direction & direction)) continue;
        found = 1;
        if (info->ports[i]->available != PA_PORT_AVAILABLE_NO) return 1;
    }
    return !found;
}

static void add_profiles(struct lists *lists, struct card *card, const pa_card_info *info) {
    struct arena *arena = &lists->fresh[CARDS].arena;
    if (info->n_profiles > MOST_PROFILES) {
        fail(lists, "a card of the server has more profiles than a card can have");
        return;
    }
    card->profiles = arena_zeroed(arena, info->n_profiles, sizeof *card->profiles);
    for (uint32_t i = 0; card->profiles && i < info->n_profiles; i++) {
        const pa_card_profile_info2 *profile = info->profiles2[i];
        if (!profile->name) continue;
        struct card_profile *added = &card->profiles[card->profile_count++];
        added->key = arena_copy(arena, profile->name);
        added->priority = profile->priority;
        added->is_available = profile->available != 0;
        if (profile == info->active_profile2) card->active = added->key;
    }
}

static void card_answer(pa_context *context, const pa_card_info *info, int end, void *user) {
    (void)context;
    struct lists *lists = user;
    struct arena *arena = &lists->fresh[CARDS].arena;
    if (end > 0) check_indices(lists, CARDS, sizeof(struct card), offsetof(struct card, index));
    if (!is_part(lists, CARDS, end)) return;
    if (!info->name || !*info->name) {
        fail(lists, "a card of the server has no name");
        return;
    }
    struct card *card = add(lists, CARDS, sizeof *card, MOST_DEVICES);
    if (!card) return;
    card->index = info->index;
    card->name = arena_text(arena, info->name);
    card->description = property(arena, info->proplist, "device.description", NULL);
    card->bus = property(arena, info->proplist, "device.bus", NULL);
    card->api = property(arena, info->proplist, "device.api", NULL);
    card->form_factor = property(arena, info->proplist, "device.form_factor", "device.form-factor");
    card->icon = property(arena, info->proplist, "device.icon_name", "device.icon-name");
    if (!card->name || !is_bluetooth(card)) return;
    card->is_bluetooth = 1;
    card->can_play = may_be_connected(info, PA_DIRECTION_OUTPUT);
    card->can_record = may_be_connected(info, PA_DIRECTION_INPUT);
    add_profiles(lists, card, info);
}

/* ---- Streams ---- */

static int is_own(const pa_proplist *properties) {
    const char *process = pa_proplist_gets(properties, "application.process.id");
    return process && strtol(process, NULL, 10) == getpid();
}

static int compare_sink(const void *left, const void *right) {
    return compare_index(&((const struct stream *)left)->sink, &((const struct stream *)right)->sink);
}

static void stream_answer(pa_context *context, const pa_sink_input_info *info, int end, void *user) {
    (void)context;
    struct lists *lists = user;
    struct list *list = &lists->fresh[STREAMS];
    if (end > 0 && list->count) qsort(list->items, list->count, sizeof(struct stream), compare_sink);
    if (!is_part(lists, STREAMS, end) || info->corked || is_own(info->proplist)) return;
    struct stream *stream = add(lists, STREAMS, sizeof *stream, MOST_STREAMS);
    if (stream) stream->sink = info->sink;
}

/* ---- Questions ---- */

void lists_ask(struct lists *lists, pa_context *context, enum list_name name) {
    pa_operation *question = NULL;
    free_list(&lists->fresh[name]);
    switch (name) {
    case SERVER: question = pa_context_get_server_info(context, server_answer, lists); break;
    case SINKS: question = pa_context_get_sink_info_list(context, sink_answer, lists); break;
    case SOURCES: question = pa_context_get_source_info_list(context, source_answer, lists); break;
    case CARDS: question = pa_context_get_card_info_list(context, card_answer, lists); break;
    case STREAMS: question = pa_context_get_sink_input_info_list(context, stream_answer, lists); break;
    case LISTS: break;
    }
    if (question) {
        lists->pending |= 1u << name;
        pa_operation_unref(question);
    } else {
        fail(lists, pa_strerror(pa_context_errno(context)));
    }
}

/* ---- What is known ---- */

static const void *items(const struct lists *lists, enum list_name name, uint32_t *count) {
    *count = lists->known[name].count;
    return lists->known[name].items;
}

const struct server_facts *lists_server(const struct lists *lists) {
    uint32_t count;
    return items(lists, SERVER, &count);
}

const struct device *lists_devices(const struct lists *lists, int is_input, uint32_t *count) {
    return items(lists, is_input ? SOURCES : SINKS, count);
}

const struct card *lists_cards(const struct lists *lists, uint32_t *count) { return items(lists, CARDS, count); }

const struct card *lists_card(const struct lists *lists, uint32_t index) {
    uint32_t count;
    const struct card *cards = lists_cards(lists, &count);
    for (uint32_t i = 0; i < count; i++)
        if (cards[i].index == index) return &cards[i];
    return NULL;
}

const struct stream *lists_streams(const struct lists *lists, uint32_t *count) { return items(lists, STREAMS, count); }
