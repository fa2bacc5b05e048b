/* SPDX-License-Identifier: Apache-2.0 */
/* The ports of a server, made of its lists. */
#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include "arena.h"
#include "lists.h"
#include "port_facts.h"
#include "server_module.h"

/* Where requests for a port go. */
struct target {
    const char *key;      /* of the sink or source; NULL: the card needs another profile */
    const char *port_key; /* NULL: the device has no ports */
    uint32_t card;        /* PA_INVALID_INDEX: none */
    int is_input, is_active, is_muted;
    int is_on_headset_jack;
    int is_bluetooth_card;
    enum bluetooth_link link; /* that a Bluetooth card needs for the port */
    pa_cvolume volume;
};

struct snapshot {
    struct arena arena;
    struct server_state state;
    struct server_port *ports; /* those of the state */
    struct target *targets;    /* one for each port */
};

/* NULL without memory. */
struct snapshot *snapshot_new(const struct lists *lists);
void snapshot_free(struct snapshot *snapshot);
/* Whether two states are equal field by field. NULL equals nothing. */
int snapshot_equal(const struct snapshot *left, const struct snapshot *right);

/* Whether the server's default devices and the cards of its devices are among its lists. While a default changes, some servers
   name one that is gone. */
int lists_agree(const struct lists *lists);

float volume_of(const pa_cvolume *volume, int is_input, int is_muted);

#endif
