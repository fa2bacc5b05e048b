/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "port_facts.h"

#include <string.h>
#include <strings.h>

/* A text that a server uses, and the kinds of an output and of an input that it describes. */
struct word {
    const char *text;
    enum server_port_kind output, input;
};

/* The types of ports of the protocol, as device.port.type writes them. The others say nothing: "mic", "analog" and "unknown"
   leave the decision to the name of the port. */
static const struct word types[] = {
    {"speaker", SERVER_SPEAKER, SERVER_MICROPHONE},
    {"headphones", SERVER_HEADPHONES, SERVER_HEADSET_MICROPHONE},
    {"headset", SERVER_HEADPHONES, SERVER_HEADSET_MICROPHONE},
    {"handset", SERVER_RECEIVER, SERVER_MICROPHONE},
    {"earpiece", SERVER_RECEIVER, SERVER_MICROPHONE},
    {"phone", SERVER_RECEIVER, SERVER_MICROPHONE},
    {"handsfree", SERVER_SPEAKER, SERVER_MICROPHONE},
    {"hdmi", SERVER_HDMI, SERVER_LINE_IN},
    {"tv", SERVER_HDMI, SERVER_LINE_IN},
    {"spdif", SERVER_LINE_OUT, SERVER_LINE_IN},
    {"line", SERVER_LINE_OUT, SERVER_LINE_IN},
    {"aux", SERVER_LINE_OUT, SERVER_LINE_IN},
    {"radio", SERVER_LINE_OUT, SERVER_LINE_IN},
    {"video", SERVER_LINE_OUT, SERVER_LINE_IN},
    {"car", SERVER_LINE_OUT, SERVER_LINE_IN},
    {"hifi", SERVER_LINE_OUT, SERVER_LINE_IN},
    {"usb", SERVER_USB_OUTPUT, SERVER_USB_INPUT},
    {"bluetooth", SERVER_A2DP, SERVER_HFP_INPUT},
};

/* Parts of the names of ports: "analog-output-lineout", "[Out] Headphones", "output-wired_headset". The first part that a name
   contains decides: "headphone" and "microphone" contain "phone". Mic2 is the microphone of the jack in the use-case profiles of
   laptops whose Mic1 is built in. */
static const struct word port_names[] = {
    {"hdmi", SERVER_HDMI, SERVER_LINE_IN},
    {"displayport", SERVER_HDMI, SERVER_LINE_IN},
    {"iec958", SERVER_LINE_OUT, SERVER_LINE_IN},
    {"spdif", SERVER_LINE_OUT, SERVER_LINE_IN},
    {"s/pdif", SERVER_LINE_OUT, SERVER_LINE_IN},
    {"headset", SERVER_HEADPHONES, SERVER_HEADSET_MICROPHONE},
    {"speaker", SERVER_SPEAKER, SERVER_MICROPHONE},
    {"headphone", SERVER_HEADPHONES, SERVER_HEADSET_MICROPHONE},
    {"earphone", SERVER_HEADPHONES, SERVER_HEADSET_MICROPHONE},
    {"virtual-surround-7.1", SERVER_HEADPHONES, SERVER_HEADSET_MICROPHONE},
    {"earpiece", SERVER_RECEIVER, SERVER_MICROPHONE},
    {"handset", SERVER_RECEIVER, SERVER_MICROPHONE},
    {"front-mic", SERVER_SPEAKER, SERVER_HEADSET_MICROPHONE},
    {"rear-mic", SERVER_SPEAKER, SERVER_HEADSET_MICROPHONE},
    {"dock-mic", SERVER_SPEAKER, SERVER_HEADSET_MICROPHONE},
    {"external-mic", SERVER_SPEAKER, SERVER_HEADSET_MICROPHONE},
    {"microphone-front", SERVER_SPEAKER, SERVER_HEADSET_MICROPHONE},
    {"microphone-rear", SERVER_SPEAKER, SERVER_HEADSET_MICROPHONE},
    {"microphone-dock", SERVER_SPEAKER, SERVER_HEADSET_MICROPHONE},
    {"microphone-external", SERVER_SPEAKER, SERVER_HEADSET_MICROPHONE},
    {"mic2", SERVER_SPEAKER, SERVER_HEADSET_MICROPHONE},
    {"mic", SERVER_SPEAKER, SERVER_MICROPHONE},
    {"line", SERVER_LINE_OUT, SERVER_LINE_IN},
    {"aux", SERVER_LINE_OUT, SERVER_LINE_IN},
    {"input-video", SERVER_LINE_OUT, SERVER_LINE_IN},
    {"radio", SERVER_LINE_OUT, SERVER_LINE_IN},
    {"tvtuner", SERVER_LINE_OUT, SERVER_LINE_IN},
    {"phone", SERVER_RECEIVER, SERVER_MICROPHONE},
};

/* Parts of what a device without ports is called: its profile, its name ("alsa_output.pci-0000_01_00.1.hdmi-stereo") and its
   PCM device ("bcm2835 Headphones"). */
static const struct word connectors[] = {
    {"hdmi", SERVER_HDMI, SERVER_LINE_IN},
    {"displayport", SERVER_HDMI, SERVER_LINE_IN},
    {"iec958", SERVER_LINE_OUT, SERVER_LINE_IN},
    {"spdif", SERVER_LINE_OUT, SERVER_LINE_IN},
    {"headphones", SERVER_HEADPHONES, SERVER_HEADSET_MICROPHONE},
};

static const struct word form_factors[] = {
    {"headset", SERVER_HEADPHONES, SERVER_HEADSET_MICROPHONE},
    {"headphone", SERVER_HEADPHONES, SERVER_HEADSET_MICROPHONE},
    {"handset", SERVER_RECEIVER, SERVER_MICROPHONE},
    {"tv", SERVER_HDMI, SERVER_LINE_IN},
    {"car", SERVER_LINE_OUT, SERVER_LINE_IN},
    {"hifi", SERVER_LINE_OUT, SERVER_LINE_IN},
};

/* Parts of the names of icons: "audio-headset-usb". */
static const struct word icons[] = {
    {"headset", SERVER_HEADPHONES, SERVER_HEADSET_MICROPHONE},
    {"headphone", SERVER_HEADPHONES, SERVER_HEADSET_MICROPHONE},
    {"video-display", SERVER_HDMI, SERVER_LINE_IN},
};

enum { UNDECIDED = SERVER_PORT_KINDS };

static int contains(const char *text, const char *part) { return text && strcasestr(text, part); }
static int begins(const char *text, const char *part) { return text && strncasecmp(text, part, strlen(part)) == 0; }
static int is(const char *text, const char *other) { return text && strcasecmp(text, other) == 0; }

/* The kind of the first word that matches; UNDECIDED without one. */
static int first_match(
    const char *text, int (*matches)(const char *, const char *), const struct word *words, size_t count, int is_input) {
    for (size_t i = 0; i < count; i++)
        if (matches(text, words[i].text)) return (int)(is_input ? words[i].input : words[i].output);
    return UNDECIDED;
}
#define MATCH(text, matches, words) first_match(text, matches, words, sizeof words / sizeof *words, facts->is_input)

static int is_bluetooth(const struct port_facts *facts) {
    return is(facts->bus, "bluetooth") || begins(facts->api, "bluez") || begins(facts->node, "bluez_");
}

enum bluetooth_link link_of_profile(const char *profile) {
    static const struct {
        const char *part;
        enum bluetooth_link link;
    } links[] = {
        {"gateway", BLUETOOTH_OTHER},
        {"a2dp-source", BLUETOOTH_OTHER},
        {"a2dp_source", BLUETOOTH_OTHER},
        {"bap-source", BLUETOOTH_OTHER},
        {"a2dp", BLUETOOTH_MUSIC},
        {"bap-sink", BLUETOOTH_MUSIC},
        {"asha", BLUETOOTH_MUSIC},
        {"headset", BLUETOOTH_CALL},
        {"handsfree", BLUETOOTH_CALL},
        {"hands-free", BLUETOOTH_CALL},
        {"head-unit", BLUETOOTH_CALL},
        {"head_unit", BLUETOOTH_CALL},
        {"hfp", BLUETOOTH_CALL},
        {"hsp", BLUETOOTH_CALL},
        {"bap-duplex", BLUETOOTH_CALL},
    };
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (contains(profile, links[i].part)) return links[i].link;
    return BLUETOOTH_OTHER;
}

/* The link by the protocol of the device, else by its profile, else by the suffix of its name. The name of a port says nothing:
   "headset-output" is the port of both links. */
static int bluetooth_kind(const struct port_facts *facts) {
    if (facts->is_input) return SERVER_HFP_INPUT;
    const char *texts[] = {facts->protocol, facts->profile, begins(facts->node, "bluez_") ? facts->node : NULL};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (contains(texts[i], "gateway")) return SERVER_HFP_OUTPUT;
        enum bluetooth_link link = link_of_profile(texts[i]);
        if (link != BLUETOOTH_OTHER) return link == BLUETOOTH_CALL ? SERVER_HFP_OUTPUT : SERVER_A2DP;
    }
    return SERVER_A2DP;
}

static int is_airplay(const struct port_facts *facts) {
    return !facts->is_input && (is(facts->api, "raop") || begins(facts->node, "raop_"));
}

/* How the device is connected. */
static int by_transport(const struct port_facts *facts) {
    if (is_airplay(facts)) return SERVER_AIRPLAY;
    if (is_bluetooth(facts)) return bluetooth_kind(facts);
    /* The ports of the server at the other end are unknown. */
    if (facts->is_network || begins(facts->node, "tunnel.")) return facts->is_input ? SERVER_MICROPHONE : SERVER_SPEAKER;
    /* A jack of a USB device is part of it. A monitor at a USB dock is not. */
    if (is(facts->bus, "usb")) {
        int is_monitor = is(facts->port_type, "hdmi") || contains(facts->port, "hdmi") || contains(facts->port, "displayport");
        return is_monitor && !facts->is_input ? SERVER_HDMI : facts->is_input ? SERVER_USB_INPUT : SERVER_USB_OUTPUT;
    }
    return UNDECIDED;
}

enum server_port_kind port_kind(const struct port_facts *facts) {
    int kind = by_transport(facts);
    if (kind == UNDECIDED) kind = MATCH(facts->port_type, is, types);
    if (kind == UNDECIDED) kind = MATCH(facts->port, contains, port_names);
    if (kind == UNDECIDED && !facts->port) kind = MATCH(facts->profile, contains, connectors);
    if (kind == UNDECIDED && !facts->port) kind = MATCH(facts->node, contains, connectors);
    if (kind == UNDECIDED && !facts->port) kind = MATCH(facts->pcm, contains, connectors);
    if (kind == UNDECIDED) kind = MATCH(facts->form_factor, is, form_factors);
    if (kind == UNDECIDED) kind = MATCH(facts->icon, contains, icons);
    if (kind == UNDECIDED) kind = facts->is_input ? SERVER_MICROPHONE : SERVER_SPEAKER;
    return (enum server_port_kind)kind;
}
