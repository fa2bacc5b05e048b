/* SPDX-License-Identifier: Apache-2.0 */
/* Which ports a sink or source of a sound server is, by what the server tells about it. Plain C without a library, so that tests
   describe devices without a server. */
#ifndef PORT_FACTS_H
#define PORT_FACTS_H

#include "server_module.h"

/* A sink or source, one of its ports, and the card's properties. A string that the server does not tell is NULL. */
struct port_facts {
    int is_input;
    const char *node;        /* "alsa_output.pci-0000_00_1f.3.analog-stereo" */
    const char *port;        /* "analog-output-headphones"; NULL: the device has no ports */
    const char *port_type;   /* device.port.type or the protocol's type, in lower case: "headphones", "hdmi" */
    const char *bus;         /* device.bus: "usb", "pci", "bluetooth" */
    const char *form_factor; /* device.form_factor: "headset", "hands-free" */
    const char *api;         /* device.api: "alsa", "bluez", "bluez5", "raop" */
    const char *profile;     /* device.profile.name, or the card's active profile: "a2dp-sink" */
    const char *protocol;    /* api.bluez5.profile, bluetooth.protocol */
    const char *icon;        /* device.icon_name */
    const char *pcm;         /* alsa.name: "HDMI 0", "ALC245 Analog" */
    int is_network;          /* the flag of the protocol */
};

enum server_port_kind port_kind(const struct port_facts *facts);

/* The link that a profile of a Bluetooth device makes. */
enum bluetooth_link {
    BLUETOOTH_OTHER, /* nothing, or a telephone or player whose sound this machine plays */
    BLUETOOTH_MUSIC, /* A2DP: one direction */
    BLUETOOTH_CALL,  /* a headset profile: both directions */
};

/* `profile` is the name of a profile or a protocol, or NULL. */
enum bluetooth_link link_of_profile(const char *profile);

#endif
