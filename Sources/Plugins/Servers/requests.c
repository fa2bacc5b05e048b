/* SPDX-License-Identifier: Apache-2.0 */
/* The requests of the library to the server. */
#include "server.h"

#include <pulse/introspect.h>
#include <pulse/operation.h>
#include <stdlib.h>
#include <string.h>

static int find_port(const struct server *server, const char *uid) {
    if (!server->current || server->is_closed) return -1;
    for (uint32_t i = 0; i < server->current->state.count; i++)
        if (strcmp(server->current->ports[i].uid, uid) == 0) return (int)i;
    return -1;
}

/* Sends a request at once: a program may close the connection as its next call. */
static int sent(struct server *server, pa_operation *operation) {
    if (!operation) return -1;
    pa_operation_unref(operation);
    server->requests++;
    server_await(server);
    mainloop_flush(&server->loop);
    return 0;
}

static void answered(struct server *server) {
    server->requests--;
    server_await(server);
}

/* ---- Volumes ---- */

static void set_known_volume(struct server *server, const struct volume_request *request) {
    struct list *list = &server->lists.known[request->is_input ? SOURCES : SINKS];
    struct device *devices = list->items;
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(devices[i].key, request->key) == 0) devices[i].volume = request->volume;
}

static void set_snapshot_volume(struct snapshot *snapshot, const struct volume_request *request) {
    for (uint32_t i = 0; snapshot && i < snapshot->state.count; i++) {
        struct target *target = &snapshot->targets[i];
        if (!target->key || target->is_input != request->is_input || strcmp(target->key, request->key) != 0) continue;
        target->volume = request->volume;
        snapshot->ports[i].volume = volume_of(&target->volume, target->is_input, target->is_muted);
    }
}

static void free_volume(struct volume_request *request) {
    free(request->key);
    free(request);
}

static void volume_answer(pa_context *context, int is_success, void *user) {
    (void)context;
    struct volume_request *request = user;
    struct server *server = request->server;
    if (!is_success) server->dirty |= 1u << (request->is_input ? SOURCES : SINKS);
    for (struct volume_request **link = &server->volumes; *link; link = &(*link)->older) {
        if (*link != request) continue;
        *link = request->older;
        break;
    }
    free_volume(request);
    answered(server);
}

/* An answer that comes before the confirmation is older than the request. */
void server_adjust(void *user, struct device *device) {
    struct server *server = user;
    for (struct volume_request *request = server->volumes; request && device->key; request = request->older) {
        if (request->is_input != device->is_input || strcmp(request->key, device->key) != 0) continue;
        device->volume = request->volume;
        return;
    }
}

int server_set_volume(struct server *server, const char *uid, float volume) {
    int number = find_port(server, uid);
    if (number < 0 || !server->current->targets[number].key) return -1;
    const struct target *target = &server->current->targets[number];
    struct volume_request *request = calloc(1, sizeof *request);
    if (!request || !(request->key = strdup(target->key))) {
        free(request);
        return -1;
    }
    request->server = server;
    request->is_input = target->is_input;
    request->volume = target->volume;
    float level = volume >= 1 ? 1 : volume >= 0 ? volume : 0;
    pa_cvolume_scale(&request->volume, (pa_volume_t)(level * PA_VOLUME_NORM + 0.5f));
    pa_operation *operation = request->is_input
        ? pa_context_set_source_volume_by_name(server->context, request->key, &request->volume, volume_answer, request)
        : pa_context_set_sink_volume_by_name(server->context, request->key, &request->volume, volume_answer, request);
    if (!operation) {
        free_volume(request);
        return -1;
    }
    request->older = server->volumes;
    server->volumes = request;
    set_known_volume(server, request);
    set_snapshot_volume(server->current, request);
    set_snapshot_volume(server->held, request);
    return sent(server, operation);
}

/* ---- Ports and profiles ---- */

static void port_answer(pa_context *context, int is_success, void *user) {
    (void)context;
    (void)is_success;
    answered(user);
}

static struct profile_switch **find_switch(struct server *server, uint32_t card) {
    struct profile_switch **link = &server->switches;
    while (*link && (*link)->card != card) link = &(*link)->next;
    return link;
}

static void end_switch(struct profile_switch **link) {
    struct profile_switch *done = *link;
    *link = done->next;
    free(done->former);
    free(done->wanted);
    free(done);
}

/* The server refuses the former profile: the card has the profile that it tells of next. */
static void stay(struct profile_switch *known) {
    known->is_over = known->is_left = 0;
    known->is_seen = 1;
}

/* A refused profile cannot be put back, and may be asked for again. */
static void profile_answer(pa_context *context, int is_success, void *user) {
    (void)context;
    struct profile_request *request = user;
    struct server *server = request->server;
    struct profile_switch **link = find_switch(server, request->card);
    if (!is_success && *link) {
        if (request->is_return)
            stay(*link);
        else if (!(*link)->is_seen)
            end_switch(link);
        /* The next list tells the profile of the card, and gives a hidden microphone its source again. */
        server->dirty |= 1u << CARDS;
    }
    for (struct profile_request **known = &server->profiles; *known; known = &(*known)->older) {
        if (*known != request) continue;
        *known = request->older;
        break;
    }
    free(request);
    answered(server);
}

static int set_profile(struct server *server, uint32_t card, const char *profile, int is_return) {
    struct profile_request *request = calloc(1, sizeof *request);
    if (!request) return -1;
    *request = (struct profile_request){.older = server->profiles, .server = server, .card = card, .is_return = is_return};
    pa_operation *operation = pa_context_set_card_profile_by_index(server->context, card, profile, profile_answer, request);
    if (!operation) {
        free(request);
        return -1;
    }
    server->profiles = request;
    return sent(server, operation);
}

static const char *best_profile(const struct card *card, enum bluetooth_link link) {
    const struct card_profile *best = NULL;
    for (uint32_t i = 0; i < card->profile_count; i++) {
        const struct card_profile *profile = &card->profiles[i];
        if (!profile->is_available || link_of_profile(profile->key) != link) continue;
        if (!best || profile->priority > best->priority) best = profile;
    }
    return best ? best->key : NULL;
}

static int set_text(char **text, const char *value) {
    char *copy = strdup(value);
    if (!copy) return -1;
    free(*text);
    *text = copy;
    return 0;
}

/* Keeps the first profile that was found, through several switches. */
static int remember_switch(struct server *server, const struct card *card, const char *former, const char *wanted) {
    struct profile_switch **link = find_switch(server, card->index), *known = *link;
    if (!known && !(known = *link = calloc(1, sizeof *known))) return -1;
    known->card = card->index;
    if ((!known->former && set_text(&known->former, former) < 0) || set_text(&known->wanted, wanted) < 0) {
        end_switch(link);
        return -1;
    }
    known->is_seen = known->is_over = 0;
    return 0;
}

/* The profile that the card has when all requests are done. */
static const char *coming_profile(const struct card *card, const struct profile_switch *known) {
    if (!known) return card->active;
    if (!known->is_over) return known->wanted;
    return known->is_left ? known->former : card->active;
}

static int reach_profile(struct server *server, const struct target *target) {
    const struct card *card = lists_card(&server->lists, target->card);
    if (!card || !card->active) return -1;
    struct profile_switch **link = find_switch(server, card->index);
    if (*link && (*link)->is_over && !(*link)->is_left) end_switch(link);
    const struct profile_switch *known = *find_switch(server, card->index);
    if (link_of_profile(coming_profile(card, known)) == target->link) return 0;
    int is_former = known && link_of_profile(known->former) == target->link;
    const char *wanted = is_former ? known->former : best_profile(card, target->link);
    if (!wanted || remember_switch(server, card, card->active, wanted) < 0) return -1;
    return set_profile(server, card->index, wanted, 0);
}

int server_reach(struct server *server, const char *uid) {
    int number = find_port(server, uid);
    if (number < 0) return -1;
    const struct target *target = &server->current->targets[number];
    if (target->is_bluetooth_card) return reach_profile(server, target);
    if (target->is_active) return 0;
    return sent(server,
        target->is_input ? pa_context_set_source_port_by_name(server->context, target->key, target->port_key, port_answer, server)
                         : pa_context_set_sink_port_by_name(server->context, target->key, target->port_key, port_answer, server));
}

/* Another process has made the switch, and has ended. False if there is nothing to leave, or no memory. */
static int adopt_switch(struct server *server, const struct card *card) {
    const char *music = best_profile(card, BLUETOOTH_MUSIC);
    if (!card->active || link_of_profile(card->active) != BLUETOOTH_CALL || !music) return 0;
    return remember_switch(server, card, music, card->active) == 0;
}

/* From the end of a call on, the microphone of a headset needs the profile again: a new call asks for it. */
static void hide_microphone(struct snapshot *snapshot, uint32_t card) {
    for (uint32_t i = 0; snapshot && i < snapshot->state.count; i++) {
        struct target *target = &snapshot->targets[i];
        if (!target->is_bluetooth_card || target->card != card || !target->is_input) continue;
        struct server_port *port = &snapshot->ports[i];
        target->key = NULL;
        target->is_active = 0;
        port->node = port->port = "";
        port->volume = -1;
        port->is_default = port->is_on_default = 0;
    }
}

void server_hide_left(const struct server *server, struct snapshot *snapshot) {
    for (const struct profile_switch *known = server->switches; known; known = known->next)
        if (known->is_over && known->is_left && link_of_profile(known->former) != BLUETOOTH_CALL)
            hide_microphone(snapshot, known->card);
}

int server_leave(struct server *server, const char *uid) {
    int number = find_port(server, uid);
    if (number < 0) return -1;
    const struct target *target = &server->current->targets[number];
    const struct card *card = target->is_bluetooth_card ? lists_card(&server->lists, target->card) : NULL;
    if (!card) return 0;
    struct profile_switch **link = find_switch(server, card->index);
    if (!*link && !adopt_switch(server, card)) return 0;
    if ((*link)->is_over) return 0;
    (*link)->is_over = (*link)->is_left = 1;
    server_hide_left(server, server->current);
    server_hide_left(server, server->held);
    return set_profile(server, card->index, (*link)->former, 1);
}

/* A switch is over when somebody else has chosen another profile. Until the server has told of the wanted profile, the former one
   is expected, and once more behind each request for it. */
static void note_profile(struct profile_switch *known, const char *active) {
    int is_wanted = strcmp(active, known->wanted) == 0, is_former = strcmp(active, known->former) == 0;
    if (is_wanted) known->is_seen = 1;
    if (is_former && known->is_left)
        known->is_left = known->is_seen = 0;
    else if (!is_wanted && (known->is_seen || !is_former))
        known->is_over = 1;
}

/* A switch that is over ends with the call's profile, or with the card. */
void server_note_profiles(struct server *server) {
    for (struct profile_switch **link = &server->switches; *link;) {
        const struct card *card = lists_card(&server->lists, (*link)->card);
        const char *active = card && card->active ? card->active : "";
        note_profile(*link, active);
        if ((*link)->is_over && link_of_profile(active) != BLUETOOTH_CALL)
            end_switch(link);
        else
            link = &(*link)->next;
    }
}

void server_free_requests(struct server *server) {
    while (server->switches) end_switch(&server->switches);
    while (server->profiles) {
        struct profile_request *older = server->profiles->older;
        free(server->profiles);
        server->profiles = older;
    }
    while (server->volumes) {
        struct volume_request *older = server->volumes->older;
        free_volume(server->volumes);
        server->volumes = older;
    }
}
