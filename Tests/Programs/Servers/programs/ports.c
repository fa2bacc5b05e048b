/* SPDX-License-Identifier: Apache-2.0 */
/* The physical device and the name of a port, and what changes it. */
#include "scripted.h"

#define MODEL(card, properties, channels, volume, description) \
    "{'cards': [{'index': 0, 'name': '" card "', 'properties': {'device.bus': 'usb', " properties "}}]," \
    " 'sinks': [{'index': 0, 'name': 'd', 'card': 0, 'channels': " channels ", 'volume': [" volume "] * " channels "," \
    " 'description': '" description "'}], 'default_sink': 'd'"
#define EVENT ", 'events': [['card', 'change', 0]]}"

TEST(one_change, "A change of one fact of a port is a change, and so is one of the server's software") {
    static const char *const models[] = {
        MODEL("c", "", "2", "65536", "D") EVENT,
        MODEL("c", "'device.form_factor': 'headset'", "2", "65536", "D") EVENT,
        MODEL("other", "'device.form_factor': 'headset'", "2", "65536", "D") EVENT,
        MODEL("other", "'device.form_factor': 'headset'", "1", "65536", "D") EVENT,
        MODEL("other", "'device.form_factor': 'headset'", "1", "32768", "D") EVENT,
        MODEL("other", "'device.form_factor': 'headset'", "1", "32768", "E") EVENT,
        MODEL("other", "'device.bus': 'pci', 'device.form_factor': 'tv'", "1", "32768", "E") EVENT,
        MODEL("other", "'device.bus': 'pci', 'device.form_factor': 'car'", "1", "32768", "E") EVENT,
        "{'server': ('test', '1.1'), 'events': [['server', 'change', 0]]}",
        "{'streams': [{'index': 1, 'sink': 0}], 'events': [['stream', 'new', 1]]}",
        "{'default_sink': None, 'events': [['server', 'change', 0]]}",
    };
    connect_script(MODEL("c", "", "2", "65536", "D") "}");
    for (int i = 0; i < (int)(sizeof models / sizeof *models); i++) {
        script(models[i]);
        if (i == 0) {
            UNTIL_REQUESTED("cards");
            while (has_work(0)) EXPECT_INTEGER(dispatch(), SERVER_UNCHANGED);
        } else {
            UNTIL(changes == i + 1);
        }
    }
    EXPECT_INTEGER(PORT("d::out")->kind, SERVER_LINE_OUT);
    EXPECT_TEXT(PORT("d::out")->device, "other:d");
    EXPECT_INTEGER(PORT("d::out")->others, 1);
    close_server();
}

/* A sink or source of a card with one more port, of this name and type. */
#define JACKS(direction) \
    "'" direction "': [{'index': i, 'name': '" direction "%d' % i, 'card': 0, 'description': 'D', 'active': 'none', 'ports':" \
    " [{'name': 'none', 'available': 1}, {'name': n, 'type': t, 'available': 2, 'description': d}]} for i, n, t, d in ["

TEST(physical_devices, "What is built in, a headset, and each other jack of a card is one device") {
    static const struct {
        const char *uid, *device, *name;
        enum server_port_kind kind;
    } ports[] = {
        {"sinks0:speaker:out", "c:built-in", "D", SERVER_SPEAKER},
        {"sinks1:earpiece:out", "c:built-in", "Ear - D", SERVER_RECEIVER},
        {"sinks2:phones:out", "c:headset", "D", SERVER_HEADPHONES},
        {"sinks3:line:out", "c:line", "Line - D", SERVER_LINE_OUT},
        {"sources0:internal-mic:in", "c:built-in", "D", SERVER_MICROPHONE},
        {"sources1:front-mic:in", "c:front-mic", "D", SERVER_HEADSET_MICROPHONE},
        {"sources2:Rear-Mic:in", "c:Rear-Mic", "D", SERVER_HEADSET_MICROPHONE},
        {"sources3:dock-mic:in", "c:dock-mic", "D", SERVER_HEADSET_MICROPHONE},
        {"sources4:external-mic:in", "c:external-mic", "D", SERVER_HEADSET_MICROPHONE},
        {"sources5:line:in", "c:line", "D", SERVER_LINE_IN},
    };
    connect_script("{'cards': [{'index': 0, 'name': 'c'}], " JACKS(
        "sinks") "(0, 'speaker', 2, ''), (1, 'earpiece', 8, 'Ear'),"
                 " (2, 'phones', 3, 'D'), (3, 'line', 4, 'Line')]], " JACKS(
                     "sources") "(0, 'internal-mic', 5, ''), (1, 'front-mic', 5, ''),"
                                " (2, 'Rear-Mic', 5, ''), (3, 'dock-mic', 5, ''), (4, 'external-mic', 5, ''), (5, 'line', 4, "
                                "'')]],"
                                " 'default_sink': 'sinks0', 'default_source': 'sources0'}");
    EXPECT_INTEGER(port_count(), (int)(sizeof ports / sizeof *ports));
    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++) {
        const struct server_port *port = PORT(ports[i].uid);
        EXPECT_INTEGER(port->kind, ports[i].kind);
        EXPECT_TEXT(port->device, ports[i].device);
        EXPECT_TEXT(port->name, ports[i].name);
        EXPECT_INTEGER(port->is_headset, 0);
    }
    close_server();
}

TEST(important_port, "Of several ports of one priority whose jacks are not detected, the first is the port") {
    connect_script("{'sinks': [{'index': 0, 'name': 's', 'active': 'd', 'ports': [{'name': 'a', 'priority': 1},"
                   " {'name': 'b', 'priority': 2}, {'name': 'c', 'priority': 2}, {'name': 'd', 'available': 2}]}],"
                   " 'default_sink': 's'}");
    EXPECT_INTEGER(port_count(), 2);
    EXPECT(find_port("s:b:out") && is_default("s:d:out"));
    close_server();
}

/* A Bluetooth card with these ports, whose profile is the first. */
#define BLUETOOTH(profiles, ports) \
    "'cards': [{'index': 0, 'name': 'bluez_card', 'active': 'a2dp', 'profiles': [{'name': n} for n in [" profiles "]]," \
    " 'properties': {'device.form_factor': 'headset'}, 'ports': [" ports "]}]," \
    " 'sinks': [{'index': 0, 'name': 's'}], 'default_sink': 's'"
#define BLUETOOTH_EVENT ", 'events': [['card', 'change', 0]]}"

TEST(absent_directions, "A Bluetooth card has no port of a direction in which nothing can be connected, but for its source") {
    static const char *const music = "bluez_card:a2dp:out", *const output = "bluez_card:hfp:out",
                             *const input = "bluez_card:hfp:in";
    connect_script("{" BLUETOOTH("'a2dp', 'hfp'", "{'name': 'o', 'direction': 1}, {'name': 'i', 'direction': 2}") "}");
    EXPECT_INTEGER(port_count(), 4);
    EXPECT(PORT(music)->is_headset && PORT(output)->is_headset && !PORT(input)->is_headset);
    script("{" BLUETOOTH("'a2dp', 'hfp'", "{'name': 'o', 'direction': 1, 'available': 1}, {'name': 'i', 'direction': 2}")
            BLUETOOTH_EVENT);
    UNTIL(port_count() == 2);
    EXPECT(find_port(input) != NULL);
    script("{" BLUETOOTH("'a2dp', 'hfp'", "{'name': 'o', 'direction': 1}, {'name': 'i', 'direction': 2, 'available': 1}")
            BLUETOOTH_EVENT);
    UNTIL(port_count() == 3);
    EXPECT(find_port(music) && find_port(output));
    script("{" BLUETOOTH("'a2dp'",
        "{'name': 'o', 'direction': 1}, {'name': 'i', 'direction': 2, 'available': 1}") ", 'sources': [{'index': 1, 'name': 'b', "
                                                                                        "'card': 0}], 'default_source': "
                                                                                        "'b'" BLUETOOTH_EVENT);
    UNTIL(find_port(input) != NULL);
    EXPECT_TEXT(PORT(input)->node, "b");
    EXPECT(find_port(music) && !find_port(output));
    close_server();
}

TEST(available_profile, "A profile that is not available is not set, however important it is") {
    connect_script("{'cards': [{'index': 0, 'name': 'bluez_card', 'active': 'a2dp', 'profiles': [{'name': 'a2dp'},"
                   " {'name': 'hfp-1', 'priority': 9, 'available': 0}, {'name': 'hfp-2', 'priority': 1}]}],"
                   " 'sinks': [{'index': 0, 'name': 's'}], 'default_sink': 's'}");
    EXPECT_INTEGER(module->reach(server, "bluez_card:hfp:in"), 0);
    UNTIL_REQUESTED("card-profile 0 hfp-2");
    EXPECT_INTEGER(count_requests("card-profile 0 hfp-1"), 0);
    close_server();
}
