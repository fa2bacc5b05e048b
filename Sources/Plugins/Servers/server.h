/* SPDX-License-Identifier: Apache-2.0 */
/* One connection. */
#ifndef SERVER_H
#define SERVER_H

#include "lists.h"
#include "mainloop.h"
#include "snapshot.h"

/* A volume that the server has not confirmed. */
struct volume_request {
    struct volume_request *older;
    struct server *server;
    char *key;
    int is_input;
    pa_cvolume volume;
};

/* A profile whose change the server has not answered. */
struct profile_request {
    struct profile_request *older;
    struct server *server;
    uint32_t card;
    int is_return; /* to the former profile */
};

/* A card whose profile has been changed for a port. */
struct profile_switch {
    struct profile_switch *next;
    uint32_t card;
    char *former, *wanted;
    int is_seen; /* the server has told of the wanted profile */
    int is_over; /* it was put back, or somebody else has chosen another profile for calls: there is nothing to put back */
    int is_left; /* the server has been asked for the former profile, and has not told of it */
};

struct server {
    struct mainloop loop;
    pa_context *context;
    struct lists lists;
    uint32_t dirty;                  /* a bit for each list that an event has made out of date */
    struct snapshot *current, *held; /* held: complete, while the server names a default that it does not list */
    pa_time_event *answer_timer, *pace_timer, *hold_timer;
    uint64_t asked;    /* the time of the last question or answer */
    uint64_t paced;    /* the time at which all refreshes so far are paid */
    uint32_t requests; /* without an answer */
    struct volume_request *volumes;
    struct profile_request *profiles;
    struct profile_switch *switches;
    int is_ready, is_changed, is_closed;
    char reason[256];
};

/* Ends the connection: the next call of dispatch says so. */
void server_end(struct server *server, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Starts the time for the next answer, if one is awaited. */
void server_await(struct server *server);

/* Requests. */
int server_set_volume(struct server *server, const char *uid, float volume);
int server_reach(struct server *server, const char *uid);
int server_leave(struct server *server, const char *uid);
/* Puts the volumes that are not confirmed into a new answer. */
void server_adjust(void *server, struct device *device);
/* Compares the switched cards with a new answer. */
void server_note_profiles(struct server *server);
/* Takes the microphones of headsets whose former profile has been asked for out of a state. */
void server_hide_left(const struct server *server, struct snapshot *snapshot);
void server_free_requests(struct server *server);

#endif
