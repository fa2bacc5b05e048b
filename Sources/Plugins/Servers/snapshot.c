/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "snapshot.h"

#include <pulse/def.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHANNELS = 8 };

static int same(const char *left, const char *right) { return left == right || (left && right && strcmp(left, right) == 0); }
static const char *or_empty(const char *text) { return text ? text : ""; }

/* ---- Defaults ---- */

/* The device of this key. Devices of two kinds may have one key. */
static const struct device *find_device(const struct lists *lists, int is_input, const char *key) {
    uint32_t count;
    const struct device *devices = lists_devices(lists, is_input, &count);
    for (uint32_t i = 0; key && i < count; i++)
        if (strcmp(devices[i].key, key) == 0) return &devices[i];
    return NULL;
}

static const struct device *default_device(const struct lists *lists, int is_input) {
    const struct server_facts *server = lists_server(lists);
    return server ? find_device(lists, is_input, is_input ? server->default_source : server->default_sink) : NULL;
}

static int direction_agrees(const struct lists *lists, int is_input) {
    uint32_t count, needs_default = 0;
    const struct device *devices = lists_devices(lists, is_input, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (devices[i].is_monitor) continue;
        needs_default = 1;
        if (devices[i].card != PA_INVALID_INDEX && !lists_card(lists, devices[i].card)) return 0;
    }
    return !needs_default || default_device(lists, is_input);
}

int lists_agree(const struct lists *lists) { return direction_agrees(lists, 0) && direction_agrees(lists, 1); }

/* ---- One port ---- */

struct builder {
    const struct lists *lists;
    struct snapshot *snapshot;
    const struct device *defaults[2]; /* the sink and the source */
};

float volume_of(const pa_cvolume *volume, int is_input, int is_muted) {
    if (is_muted && !is_input) return 0;
    float level = (float)pa_cvolume_max(volume) / PA_VOLUME_NORM;
    return level > 1 ? 1 : level;
}

/* The running streams of other processes on a sink. */
static uint32_t streams_on(const struct lists *lists, uint32_t sink) {
    uint32_t count, first = 0, end, found = 0;
    const struct stream *streams = lists_streams(lists, &count);
    for (end = count; first < end;) {
        uint32_t middle = first + (end - first) / 2;
        if (streams[middle].sink < sink)
            first = middle + 1;
        else
            end = middle;
    }
    while (first + found < count && streams[first + found].sink == sink) found++;
    return found;
}

/* Adds a port with the facts of its device. `device` is NULL for a port of a Bluetooth card that needs another profile. */
static struct server_port *add(struct builder *builder, const struct device *device, struct target **target) {
    struct snapshot *snapshot = builder->snapshot;
    uint32_t number = snapshot->state.count++;
    struct server_port *port = &snapshot->ports[number];
    *target = &snapshot->targets[number];
    **target = (struct target){.card = PA_INVALID_INDEX};
    *port = (struct server_port){.channels = 2, .volume = -1, .node = "", .port = ""};
    if (!device) return port;
    (*target)->key = arena_copy(&snapshot->arena, device->key);
    (*target)->card = device->card;
    (*target)->is_input = device->is_input;
    (*target)->is_muted = device->is_muted;
    (*target)->volume = device->volume;
    port->channels = device->channels < 1 ? 1 : device->channels > MOST_CHANNELS ? MOST_CHANNELS : device->channels;
    port->volume = volume_of(&device->volume, device->is_input, device->is_muted);
    port->others = device->is_input ? 0 : streams_on(builder->lists, device->index);
    port->node = arena_copy(&snapshot->arena, device->name);
    return port;
}

static const char *either(const char *first, const char *second) { return first ? first : second; }

static enum server_port_kind kind_of(const struct device *device, const struct device_port *port, const struct card *card) {
    struct port_facts facts = {
        .is_input = device->is_input,
        .node = device->name,
        .port = port ? port->name : NULL,
        .port_type = port ? port->type : NULL,
        .bus = either(device->bus, card ? card->bus : NULL),
        .form_factor = either(device->form_factor, card ? card->form_factor : NULL),
        .api = either(device->api, card ? card->api : NULL),
        /* The profile of a sound card names the connectors of both directions. */
        .profile = either(device->profile, card && card->is_bluetooth ? card->active : NULL),
        .protocol = device->protocol,
        .icon = either(device->icon, card ? card->icon : NULL),
        .pcm = device->pcm,
        .is_network = device->is_network,
    };
    return port_kind(&facts);
}

static int is_headset(const struct device *device, const struct card *card) {
    const char *form = either(device ? device->form_factor : NULL, card ? card->form_factor : NULL);
    return form && strcasecmp(form, "headset") == 0;
}

/* ---- The ports of a sink or source ---- */

/* The name of the physical device of a port, for all ports that come and go together:
   - without a card: the sink or source itself
   - at a USB card: the card, which is unplugged as a whole
   - what is built into a machine: "CARD:built-in"
   - headphones, and the microphone of a headset: "CARD:headset", because they are one plug
   - any other jack: "CARD:PORT", or "CARD:NODE" without ports */
static const char *physical_device(
    struct arena *arena, const struct device *device, const struct card *card, const struct server_port *port, int on_headset) {
    if (!card) return arena_copy(arena, device->name);
    const char *part = *port->port ? port->port : port->node;
    switch (port->kind) {
    case SERVER_USB_INPUT:
    case SERVER_USB_OUTPUT:
    case SERVER_HFP_INPUT:
    case SERVER_HFP_OUTPUT:
    case SERVER_A2DP: return arena_copy(arena, card->name);
    case SERVER_SPEAKER:
    case SERVER_MICROPHONE:
    case SERVER_RECEIVER: part = "built-in"; break;
    default:
        if (on_headset) part = "headset";
    }
    return arena_format(arena, "%s:%s", or_empty(card->name), or_empty(part));
}

/* Whether a port is on the jack of a headset. A microphone of its own is on a jack of its own. */
static int is_on_headset_jack(const struct server_port *port) {
    static const char *const own_jacks[] = {"front", "rear", "dock", "external"};
    if (port->kind == SERVER_HEADPHONES) return 1;
    if (port->kind != SERVER_HEADSET_MICROPHONE) return 0;
    for (size_t i = 0; i < sizeof own_jacks / sizeof *own_jacks; i++)
        if (strcasestr(port->port, own_jacks[i])) return 0;
    return 1;
}

/* The description of a device with one port; else that of the port, with the device's behind it where they differ. */
static const char *display_name(struct arena *arena, const struct device *device, const struct device_port *port) {
    const char *whole = device->description && *device->description ? device->description : device->name;
    if (!port || device->port_count < 2 || !port->description || !*port->description || same(port->description, whole))
        return arena_copy(arena, whole);
    return arena_format(arena, "%s - %s", port->description, whole);
}

static void add_port(
    struct builder *builder, const struct device *device, const struct device_port *known, const struct card *card, int is_only) {
    struct arena *arena = &builder->snapshot->arena;
    struct target *target;
    struct server_port *port = add(builder, device, &target);
    if (known) {
        target->port_key = arena_copy(arena, known->key);
        port->port = or_empty(arena_copy(arena, known->name));
    }
    target->is_active = !known || is_only || known == device->active;
    port->kind = kind_of(device, known, card);
    target->is_on_headset_jack = is_on_headset_jack(port);
    port->is_on_default = device == builder->defaults[device->is_input];
    port->is_default = port->is_on_default && target->is_active;
    port->is_headset = !device->is_input && is_headset(device, card);
    port->uid = arena_format(arena, "%s:%s:%s", or_empty(port->node), port->port, device->is_input ? "in" : "out");
    port->device = physical_device(arena, device, card, port, target->is_on_headset_jack);
    port->name = display_name(arena, device, known);
}

/* The ports of a device that can be used. A server that cannot detect what is plugged in calls all ports of a device unknown: of
   these only the active one counts, or the most important one if another is active. */
static uint32_t usable_ports(const struct device *device, const struct device_port **usable) {
    uint32_t count = 0;
    const struct device_port *unknown = NULL;
    for (uint32_t i = 0; i < device->port_count; i++) {
        const struct device_port *port = &device->ports[i];
        if (port->available != PA_PORT_AVAILABLE_UNKNOWN) continue;
        if (!unknown || port == device->active || (unknown != device->active && port->priority > unknown->priority))
            unknown = port;
    }
    for (uint32_t i = 0; i < device->port_count; i++) {
        const struct device_port *port = &device->ports[i];
        if (port->available == PA_PORT_AVAILABLE_YES || port == unknown) usable[count++] = port;
    }
    return count;
}

static void add_device(struct builder *builder, const struct device *device, const struct card *card) {
    const struct device_port *usable[MOST_PORTS];
    uint32_t count = usable_ports(device, usable);
    if (!device->port_count) add_port(builder, device, NULL, card, 1);
    for (uint32_t i = 0; i < count; i++) add_port(builder, device, usable[i], card, device->port_count == 1);
}

/* ---- The ports of a Bluetooth card ---- */

/* Whether the ports of a card are those of its profiles. A card that is off, or that is a telephone, has what its sinks and sources
   are. */
static int is_listed_by_profile(const struct card *card) {
    return card && card->is_bluetooth && link_of_profile(card->active) != BLUETOOTH_OTHER;
}

static int offers(const struct card *card, enum bluetooth_link link) {
    if (link_of_profile(card->active) == link) return 1;
    for (uint32_t i = 0; i < card->profile_count; i++)
        if (card->profiles[i].is_available && link_of_profile(card->profiles[i].key) == link) return 1;
    return 0;
}

static const struct device *device_of_card(const struct lists *lists, int is_input, const struct card *card) {
    uint32_t count;
    const struct device *devices = lists_devices(lists, is_input, &count);
    for (uint32_t i = 0; i < count; i++)
        if (devices[i].card == card->index && !devices[i].is_monitor) return &devices[i];
    return NULL;
}

static void add_card_port(
    struct builder *builder, const struct card *card, const struct device *device, enum server_port_kind kind) {
    struct arena *arena = &builder->snapshot->arena;
    struct target *target;
    struct server_port *port = add(builder, device, &target);
    target->card = card->index;
    target->is_input = kind == SERVER_HFP_INPUT;
    target->is_bluetooth_card = 1;
    target->link = kind == SERVER_A2DP ? BLUETOOTH_MUSIC : BLUETOOTH_CALL;
    target->is_active = device != NULL;
    port->kind = kind;
    if (!device) port->channels = kind == SERVER_A2DP ? 2 : 1;
    if (device && device->active) {
        target->port_key = arena_copy(arena, device->active->key);
        port->port = or_empty(arena_copy(arena, device->active->name));
    }
    port->is_on_default = port->is_default = device && device == builder->defaults[target->is_input];
    port->is_headset = !target->is_input && is_headset(device, card);
    port->uid = arena_format(
        arena, "%s:%s:%s", or_empty(card->name), kind == SERVER_A2DP ? "a2dp" : "hfp", target->is_input ? "in" : "out");
    port->device = arena_copy(arena, card->name);
    port->name = arena_copy(arena, card->description ? card->description : card->name);
}

/* All ports of the profiles that the card offers. Those of the active profile have their sink or source. */
static void add_card(struct builder *builder, const struct card *card) {
    const struct device *sink = device_of_card(builder->lists, 0, card), *source = device_of_card(builder->lists, 1, card);
    int is_call = link_of_profile(card->active) == BLUETOOTH_CALL, offers_calls = offers(card, BLUETOOTH_CALL);
    if (card->can_play && offers(card, BLUETOOTH_MUSIC)) add_card_port(builder, card, is_call ? NULL : sink, SERVER_A2DP);
    if (card->can_play && offers_calls) add_card_port(builder, card, is_call ? sink : NULL, SERVER_HFP_OUTPUT);
    if ((card->can_record && offers_calls) || source) add_card_port(builder, card, source, SERVER_HFP_INPUT);
}

/* ---- All ports ---- */

/* Headphones are a headset's if the card has an available microphone on the same jack. */
static void mark_headsets(struct snapshot *snapshot) {
    for (uint32_t i = 0; i < snapshot->state.count; i++) {
        const struct target *headphones = &snapshot->targets[i];
        if (snapshot->ports[i].kind != SERVER_HEADPHONES || headphones->card == PA_INVALID_INDEX) continue;
        for (uint32_t k = 0; k < snapshot->state.count; k++) {
            const struct target *other = &snapshot->targets[k];
            if (other->is_input && other->card == headphones->card && other->is_on_headset_jack)
                snapshot->ports[i].is_headset = 1;
        }
    }
}

static int compare_uids(const void *left, const void *right) {
    const struct server_port *a = *(struct server_port *const *)left, *b = *(struct server_port *const *)right;
    int order = strcmp(a->uid, b->uid);
    return order ? order : a < b ? -1 : a > b;
}

/* Some servers allow two devices with one name: the second has ":2" behind its identifier. */
static void distinguish_uids(struct snapshot *snapshot) {
    struct arena *arena = &snapshot->arena;
    uint32_t count = snapshot->state.count, run = 1;
    struct server_port **sorted = arena_zeroed(arena, count, sizeof *sorted);
    if (arena->is_exhausted) return;
    for (uint32_t i = 0; i < count; i++) sorted[i] = &snapshot->ports[i];
    qsort(sorted, count, sizeof *sorted, compare_uids);
    const char *base = NULL;
    for (uint32_t i = 0; i < count; i++) {
        run = same(base, sorted[i]->uid) ? run + 1 : 1;
        base = sorted[i]->uid;
        if (run > 1) sorted[i]->uid = arena_format(arena, "%s:%u", base, run);
    }
}

static uint32_t most_ports(const struct lists *lists) {
    uint32_t count, most;
    lists_cards(lists, &most);
    most *= 3;
    for (int is_input = 0; is_input < 2; is_input++) {
        const struct device *devices = lists_devices(lists, is_input, &count);
        for (uint32_t i = 0; i < count; i++) most += devices[i].port_count ? devices[i].port_count : 1;
    }
    return most;
}

static void add_all(struct builder *builder) {
    uint32_t count;
    for (int is_input = 0; is_input < 2; is_input++) {
        const struct device *devices = lists_devices(builder->lists, is_input, &count);
        for (uint32_t i = 0; i < count; i++) {
            const struct card *card = lists_card(builder->lists, devices[i].card);
            if (!devices[i].is_monitor && !is_listed_by_profile(card)) add_device(builder, &devices[i], card);
        }
    }
    /* Last: their order does not change with the profile. */
    const struct card *cards = lists_cards(builder->lists, &count);
    for (uint32_t i = 0; i < count; i++)
        if (is_listed_by_profile(&cards[i])) add_card(builder, &cards[i]);
}

struct snapshot *snapshot_new(const struct lists *lists) {
    const struct server_facts *server = lists_server(lists);
    struct snapshot *snapshot = calloc(1, sizeof *snapshot);
    if (!snapshot) return NULL;
    struct builder builder = {lists, snapshot, {default_device(lists, 0), default_device(lists, 1)}};
    uint32_t most = most_ports(lists);
    snapshot->ports = arena_zeroed(&snapshot->arena, most, sizeof *snapshot->ports);
    snapshot->targets = arena_zeroed(&snapshot->arena, most, sizeof *snapshot->targets);
    snapshot->state.ports = snapshot->ports;
    snapshot->state.software = or_empty(arena_copy(&snapshot->arena, server ? server->software : NULL));
    if (!snapshot->arena.is_exhausted) {
        add_all(&builder);
        mark_headsets(snapshot);
        distinguish_uids(snapshot);
    }
    if (!snapshot->arena.is_exhausted) return snapshot;
    snapshot_free(snapshot);
    return NULL;
}

void snapshot_free(struct snapshot *snapshot) {
    if (!snapshot) return;
    arena_free(&snapshot->arena);
    free(snapshot);
}

static int ports_equal(const struct server_port *a, const struct server_port *b) {
    return a->kind == b->kind && a->channels == b->channels && a->volume == b->volume && a->others == b->others &&
        a->is_default == b->is_default && a->is_on_default == b->is_on_default && a->is_headset == b->is_headset &&
        same(a->uid, b->uid) && same(a->device, b->device) && same(a->name, b->name) && same(a->node, b->node) &&
        same(a->port, b->port);
}

int snapshot_equal(const struct snapshot *left, const struct snapshot *right) {
    if (!left || !right || left->state.count != right->state.count || !same(left->state.software, right->state.software))
        return 0;
    for (uint32_t i = 0; i < left->state.count; i++)
        if (!ports_equal(&left->ports[i], &right->ports[i])) return 0;
    return 1;
}
