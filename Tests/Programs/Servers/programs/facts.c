/* SPDX-License-Identifier: Apache-2.0 */
/* Which property of a device or of its card says what its port is. */
#include "scripted.h"

/* A device, and its card unless that is NULL, with these properties. */
struct row {
    const char *card, *device;
    enum server_port_kind output, input;
};

static char model[1 << 14];

static void add_text(const char *format, const char *text) {
    size_t length = strlen(model);
    int added = snprintf(model + length, sizeof model - length, format, text);
    if (added < 0 || length + (size_t)added >= sizeof model) abort();
}

/* Each row has the card, the sink and the source of its number. */
static void connect_rows(const struct row *rows, int count) {
    strcpy(model, "{'cards': [{'index': i, 'name': 'c%d' % i, 'properties': p} for i, p in enumerate([");
    for (int i = 0; i < count; i++) add_text("{%s}, ", rows[i].card ? rows[i].card : "");
    add_text("])], %s", "");
    for (int is_input = 0; is_input < 2; is_input++) {
        add_text("'%s': [{'index': i, 'name': 'd%%d' %% i, 'card': c, 'properties': p} for i, c, p in [",
            is_input ? "sources" : "sinks");
        for (int i = 0; i < count; i++) {
            char card[16];
            snprintf(card, sizeof card, "%d", i);
            add_text("(%s, ", card);
            add_text("%s, ", rows[i].card ? card : "NONE");
            add_text("{%s}), ", rows[i].device);
        }
        add_text("]], %s", "");
    }
    add_text("'default_sink': 'd0', 'default_source': 'd0'}%s", "");
    connect_script(model);
}

static void expect_kind(int row, const char *direction, enum server_port_kind kind) {
    char uid[32];
    snprintf(uid, sizeof uid, "d%d::%s", row, direction);
    const struct server_port *port = find_port(uid);
    if (!port || port->kind != kind)
        failed(__FILE__, __LINE__, "row %d: %s is of kind %d, not %d", row, uid, port ? (int)port->kind : -1, (int)kind);
}

static void check_rows(const struct row *rows, int count) {
    connect_rows(rows, count);
    for (int i = 0; i < count; i++) {
        expect_kind(i, "out", rows[i].output);
        expect_kind(i, "in", rows[i].input);
    }
    close_server();
}

#define CHECK(rows) check_rows(rows, (int)(sizeof rows / sizeof *rows))

TEST(properties, "Each property of a device says what its port is, with either spelling of its key") {
    static const struct row rows[] = {
        {NULL, "'device.bus': 'usb'", SERVER_USB_OUTPUT, SERVER_USB_INPUT},
        {NULL, "'device.form_factor': 'car'", SERVER_LINE_OUT, SERVER_LINE_IN},
        {NULL, "'device.form-factor': 'tv'", SERVER_HDMI, SERVER_LINE_IN},
        {NULL, "'device.api': 'bluez5'", SERVER_A2DP, SERVER_HFP_INPUT},
        {NULL, "'device.profile.name': 'hdmi-stereo'", SERVER_HDMI, SERVER_LINE_IN},
        {NULL, "'device.icon_name': 'audio-headphones'", SERVER_HEADPHONES, SERVER_HEADSET_MICROPHONE},
        {NULL, "'device.icon-name': 'video-display'", SERVER_HDMI, SERVER_LINE_IN},
        {NULL, "'alsa.name': 'HDMI 0'", SERVER_HDMI, SERVER_LINE_IN},
        {NULL, "'device.api': 'alsa', 'sess.media': 'raop'", SERVER_AIRPLAY, SERVER_MICROPHONE},
        {NULL, "'device.api': 'bluez5', 'sess.media': 'other'", SERVER_A2DP, SERVER_HFP_INPUT},
        /* The protocol decides before the profile. */
        {NULL, "'device.bus': 'bluetooth', 'api.bluez5.profile': 'hsp', 'device.profile.name': 'a2dp'", SERVER_HFP_OUTPUT,
            SERVER_HFP_INPUT},
        {NULL, "'device.bus': 'bluetooth', 'bluetooth.protocol': 'hsp', 'device.profile.name': 'a2dp'", SERVER_HFP_OUTPUT,
            SERVER_HFP_INPUT},
        {NULL, "'device.bus': 'bluetooth', 'bluetooth.protocol': 'hsp', 'api.bluez5.profile': 'off'", SERVER_HFP_OUTPUT,
            SERVER_HFP_INPUT},
    };
    CHECK(rows);
}

TEST(cards, "What a device does not tell, its card tells") {
    static const struct row rows[] = {
        {"'device.bus': 'usb'", "", SERVER_USB_OUTPUT, SERVER_USB_INPUT},
        {"'device.bus': 'usb'", "'device.bus': ''", SERVER_USB_OUTPUT, SERVER_USB_INPUT},
        {"'device.bus': 'usb'", "'device.bus': 'pci'", SERVER_SPEAKER, SERVER_MICROPHONE},
        {"'device.form_factor': 'car'", "", SERVER_LINE_OUT, SERVER_LINE_IN},
        {"'device.form-factor': 'tv'", "", SERVER_HDMI, SERVER_LINE_IN},
        {"'device.form_factor': 'tv'", "'device.form_factor': 'hifi'", SERVER_LINE_OUT, SERVER_LINE_IN},
        {"'device.icon_name': 'audio-headset'", "", SERVER_HEADPHONES, SERVER_HEADSET_MICROPHONE},
        {"'device.icon-name': 'video-display'", "", SERVER_HDMI, SERVER_LINE_IN},
        {"'device.icon-name': 'video-display'", "'device.icon_name': 'audio-headset'", SERVER_HEADPHONES,
            SERVER_HEADSET_MICROPHONE},
        {"'device.api': 'bluez'", "", SERVER_A2DP, SERVER_HFP_INPUT},
        {"'device.api': 'bluez'", "'device.api': 'alsa'", SERVER_SPEAKER, SERVER_MICROPHONE},
    };
    CHECK(rows);
}

TEST(network, "A device of another machine is a speaker or a microphone, whatever it is there") {
    connect_script("{'sinks': [{'index': 0, 'name': 'd0', 'flags': 0x8, 'properties': {'device.bus': 'usb'}}],"
                   " 'sources': [{'index': 0, 'name': 'd0', 'flags': 0x8, 'properties': {'device.bus': 'usb'}}],"
                   " 'default_sink': 'd0', 'default_source': 'd0'}");
    expect_kind(0, "out", SERVER_SPEAKER);
    expect_kind(0, "in", SERVER_MICROPHONE);
    close_server();
}

TEST(types, "Each type of a port that the protocol has is that of its number") {
    static const enum server_port_kind kinds[] = {
        SERVER_SPEAKER,    /* 0: unknown */
        SERVER_LINE_OUT,   /* aux */
        SERVER_SPEAKER,    /* speaker */
        SERVER_HEADPHONES, /* headphones */
        SERVER_LINE_OUT,   /* line */
        SERVER_SPEAKER,    /* mic */
        SERVER_HEADPHONES, /* headset */
        SERVER_RECEIVER,   /* handset */
        SERVER_RECEIVER,   /* earpiece */
        SERVER_LINE_OUT,   /* spdif */
        SERVER_HDMI,       /* hdmi */
        SERVER_HDMI,       /* tv */
        SERVER_LINE_OUT,   /* radio */
        SERVER_LINE_OUT,   /* video */
        SERVER_USB_OUTPUT, /* usb */
        SERVER_A2DP,       /* bluetooth */
        SERVER_SPEAKER,    /* portable */
        SERVER_SPEAKER,    /* handsfree */
        SERVER_LINE_OUT,   /* car */
        SERVER_LINE_OUT,   /* hifi */
        SERVER_RECEIVER,   /* phone */
        SERVER_SPEAKER,    /* network */
        SERVER_SPEAKER,    /* analog */
        SERVER_SPEAKER,    /* a type of later servers */
    };
    connect_script("{'sinks': [{'index': i, 'name': 'd%d' % i, 'active': 'p', 'ports': [{'name': 'p', 'type': i}]}"
                   " for i in range(24)], 'default_sink': 'd0'}");
    for (int i = 0; i < 24; i++) {
        char uid[32];
        snprintf(uid, sizeof uid, "d%d:p:out", i);
        EXPECT_INTEGER(PORT(uid)->kind, kinds[i]);
    }
    close_server();
}

TEST(bluetooth_cards, "A Bluetooth card is known by its bus, its API or its name") {
    connect_script("{'cards': [{'index': i, 'name': n, 'properties': p, 'active': 'a2dp', 'profiles': [{'name': 'a2dp'}]}"
                   " for i, n, p in [(0, 'bus', {'device.bus': 'bluetooth'}), (1, 'api', {'device.api': 'bluez5'}),"
                   " (2, 'bluez_card.1', {}), (3, 'other', {'device.bus': 'pci', 'device.api': 'alsa'})]],"
                   " 'sinks': [{'index': i, 'name': 'd%d' % i, 'card': i} for i in range(4)], 'default_sink': 'd0'}");
    EXPECT_INTEGER(port_count(), 4);
    EXPECT(find_port("bus:a2dp:out") && find_port("api:a2dp:out") && find_port("bluez_card.1:a2dp:out") && find_port("d3::out"));
    close_server();
}
