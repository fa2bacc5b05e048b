/* SPDX-License-Identifier: Apache-2.0 */
/* The private interface between libAudioSession and its server modules. A module is a shared object of the same version as
   libAudioSession, linked with the client library of a sound server. It reads the devices of the server. It exports one function,
   audiosession_server. The thread of the sound cards alone calls it. No function waits for the server.

   All data comes from another process: a module checks every number, and the strings are UTF-8. */
#ifndef SERVER_MODULE_H
#define SERVER_MODULE_H

#include <stdint.h>

/* Incremented with every change of this file. */
enum { SERVER_INTERFACE_VERSION = 2 };

/* In the order of PortKind of SessionModel. */
enum server_port_kind {
    SERVER_MICROPHONE,
    SERVER_HEADSET_MICROPHONE,
    SERVER_LINE_IN,
    SERVER_USB_INPUT,
    SERVER_HFP_INPUT,
    SERVER_SPEAKER,
    SERVER_RECEIVER,
    SERVER_HEADPHONES,
    SERVER_LINE_OUT,
    SERVER_HDMI,
    SERVER_USB_OUTPUT,
    SERVER_HFP_OUTPUT,
    SERVER_A2DP,
    SERVER_AIRPLAY,
    SERVER_PORT_KINDS
};

/* A port that is available now. The strings belong to the module. */
struct server_port {
    uint32_t kind;         /* enum server_port_kind */
    uint32_t channels;     /* at least 1 */
    float volume;          /* 0 to 1; 0: muted; negative: the port has no volume */
    uint32_t others;       /* the running streams of other processes on its device */
    uint8_t is_default;    /* it is the active port of the server's default sink or source */
    uint8_t is_on_default; /* it is a port of the server's default sink or source, active or not */
    uint8_t is_headset;    /* the headphones of a headset with a microphone */
    const char *uid;       /* unique among the ports, and the same after a restart of the server */
    const char *device; /* the same text for all ports of one physical device that come and go together: both ends of a headset */
    const char *name;   /* for people */
    const char *node;   /* the server's name of the sink or source; "" while the card needs another profile for it */
    const char *port;   /* the server's name of the port on its node; "" without one */
};

/* The last complete state of the server. */
struct server_state {
    uint32_t count;
    const struct server_port *ports; /* in the order in which the server lists them */
    const char *software;            /* the server's name and version, for people */
};

/* Results of dispatch. */
enum server_result {
    SERVER_CLOSED = -1, /* the connection has ended, or the server does not keep to the protocol: call `close` */
    SERVER_UNCHANGED = 0,
    SERVER_CHANGED = 1,
};

struct server_module {
    uint32_t version;    /* SERVER_INTERFACE_VERSION */
    const char *library; /* its name and version, for the log */

    /* Begins to connect to the user's server, and starts none. `program` is the client's name. NULL: memory or descriptors are
       exhausted. */
    void *(*open)(const char *program);
    /* A descriptor that is readable when `dispatch` has work. */
    int (*descriptor)(void *server);
    /* Does the work that is due. The first SERVER_CHANGED follows the first complete state; later ones follow each change, when
       the answers to all questions about it are there. */
    int (*dispatch)(void *server);
    /* The last complete state; NULL before the first. Valid until the next call of another function. */
    const struct server_state *(*state)(void *server);
    /* The reason of SERVER_CLOSED, for people. */
    const char *(*reason)(void *server);

    /* Requests. 0, or -1: the server has no such port. The state has the new value at once, and the server's answer replaces it. */
    int (*set_volume)(void *server, const char *uid, float volume);
    /* Makes the card of the port switch to a profile with the port, remembers the present profile, and makes the port the active
       one of its device. A port that is reachable already needs no request. */
    int (*reach)(void *server, const char *uid);
    /* Puts the profile back that `reach` replaced, unless somebody else has changed it. Without a `reach` of this connection, a
       Bluetooth card with a headset profile gets its best profile for music. */
    int (*leave)(void *server, const char *uid);
    void (*close)(void *server);
};

/* Returns NULL for another version. */
typedef const struct server_module *server_module_entry(uint32_t version);
server_module_entry audiosession_server;

#endif
