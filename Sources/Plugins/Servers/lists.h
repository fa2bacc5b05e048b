/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of the server, copied and checked. A list is replaced when its answer is complete. */
#ifndef LISTS_H
#define LISTS_H

#include "arena.h"

#include <pulse/context.h>
#include <pulse/volume.h>
#include <stdint.h>

enum list_name { SERVER, SINKS, SOURCES, CARDS, STREAMS, LISTS };

/* A list with more items is refused. */
enum { MOST_DEVICES = 4096, MOST_PORTS = 64, MOST_PROFILES = 1024, MOST_STREAMS = 65536 };

/* Texts without a comment are UTF-8, or NULL where the server tells nothing. */
struct server_facts {
    const char *default_sink, *default_source; /* as the server writes them */
    const char *software;
};

struct device_port {
    const char *key; /* the name as the server writes it: requests use it */
    const char *name, *description, *type;
    uint32_t priority;
    int available; /* pa_port_available_t */
};

/* A sink or a source. */
struct device {
    const char *key; /* the name as the server writes it: requests use it */
    const char *name, *description;
    const char *bus, *form_factor, *api, *profile, *protocol, *icon, *pcm;
    uint32_t index, card; /* PA_INVALID_INDEX: no card */
    uint8_t is_input, is_monitor, is_network, is_muted;
    uint32_t channels;
    pa_cvolume volume;
    uint32_t port_count;
    struct device_port *ports;
    const struct device_port *active; /* NULL without one */
};

struct card_profile {
    const char *key; /* as the server writes it */
    uint32_t priority;
    int is_available;
};

struct card {
    uint32_t index;
    const char *name, *description, *bus, *api, *form_factor, *icon;
    int is_bluetooth;
    /* Only a Bluetooth card has the following fields. */
    const char *active; /* the key of the active profile */
    uint32_t profile_count;
    struct card_profile *profiles;
    int can_play, can_record; /* one of its ports of this direction may be connected, or there is none */
};

/* A running stream of another process. */
struct stream {
    uint32_t sink;
};

struct list {
    struct arena arena;
    void *items;
    uint32_t count, capacity;
};

struct lists {
    struct list known[LISTS], fresh[LISTS];
    uint32_t pending;    /* a bit for each list that has been asked for */
    const char *failure; /* the reason why all further answers are refused; NULL: none */
    /* Called for each answer, complete or not, and for each device before it is stored. */
    void (*answered)(void *user);
    void (*adjust)(void *user, struct device *device);
    void *user;
};

/* Asks for a list. Sets `failure` if that is not possible. */
void lists_ask(struct lists *lists, pa_context *context, enum list_name name);
void lists_free(struct lists *lists);

/* The known items of a list, and their number in *count. */
const struct server_facts *lists_server(const struct lists *lists);
const struct device *lists_devices(const struct lists *lists, int is_input, uint32_t *count);
const struct card *lists_cards(const struct lists *lists, uint32_t *count);
const struct card *lists_card(const struct lists *lists, uint32_t index);
/* Sorted by sink. */
const struct stream *lists_streams(const struct lists *lists, uint32_t *count);

#endif
