/* SPDX-License-Identifier: Apache-2.0 */
/* The ports of machines that are not here, and what the module asks for and does. */
#include "scripted.h"

/* The numbers of the protocol. */
#define UNKNOWN "0"
#define ABSENT "1"
#define PRESENT "2"

#define TWO_SINKS \
    "{'sinks': [{'index': 0, 'name': 'one', 'description': 'First'}, {'index': 1, 'name': 'two', 'description': 'Second'}]," \
    " 'sources': [{'index': 5, 'name': 'one.monitor', 'monitor_of': 0}, {'index': 6, 'name': 'microphone'}]," \
    " 'default_sink': 'one', 'default_source': 'microphone'}"

TEST(first_state, "The first state has the sinks and the sources that are no monitors, in the order of the server") {
    connect_script(TWO_SINKS);
    EXPECT_INTEGER(port_count(), 3);
    const struct server_state *state = module->state(server);
    EXPECT_TEXT(state->software, "test 1.0");
    EXPECT_TEXT(state->ports[0].uid, "one::out");
    EXPECT_TEXT(state->ports[1].uid, "two::out");
    EXPECT_TEXT(state->ports[2].uid, "microphone::in");
    EXPECT_TEXT(state->ports[0].name, "First");
    EXPECT_TEXT(state->ports[0].node, "one");
    EXPECT_TEXT(state->ports[0].port, "");
    EXPECT_TEXT(state->ports[0].device, "one");
    EXPECT_INTEGER(state->ports[0].kind, SERVER_SPEAKER);
    EXPECT_INTEGER(state->ports[2].kind, SERVER_MICROPHONE);
    EXPECT_INTEGER(state->ports[0].channels, 2);
    EXPECT_NUMBER(state->ports[0].volume, 1);
    EXPECT(is_default("one::out") && !is_default("two::out") && is_default("microphone::in"));
    EXPECT_INTEGER(changes, 1);
    close_server();
}

TEST(wrong_version, "The module is not there for another version of the interface") {
    load_module();
    server_module_entry *entry = (server_module_entry *)dlsym(dlopen(getenv("SERVER_MODULE"), RTLD_NOW), "audiosession_server");
    EXPECT(entry(SERVER_INTERFACE_VERSION + 1) == NULL);
    EXPECT(strncmp(module->library, "libpulse ", 9) == 0);
}

/* ---- Events ---- */

TEST(same_state, "An event that changes nothing is no change") {
    connect_script(TWO_SINKS);
    script("{'events': [['sink', 'change', 0]]}");
    UNTIL_REQUESTED("sinks");
    while (has_work(0)) EXPECT_INTEGER(dispatch(), SERVER_UNCHANGED);
    script("{'default_sink': 'two', 'events': [['server', 'change', 0]]}");
    UNTIL(is_default("two::out"));
    EXPECT_INTEGER(changes, 2);
    close_server();
}

TEST(asked_lists, "An event of a facility asks for its list, and a new or removed device for the default as well") {
    connect_script(TWO_SINKS);
    script("{'events': [['source', 'change', 6]]}");
    UNTIL_REQUESTED("sources");
    EXPECT_TEXT(requests, "sources\n");
    forget_requests();
    script("{'events': [['sink', 'remove', 1]]}");
    UNTIL_REQUESTED("streams");
    EXPECT_TEXT(requests, "server\nsinks\nstreams\n");
    forget_requests();
    script("{'events': [['stream', 'new', 1]]}");
    UNTIL_REQUESTED("streams");
    EXPECT_TEXT(requests, "streams\n");
    forget_requests();
    script("{'events': [['server', 'change', 0]]}");
    UNTIL_REQUESTED("sources");
    EXPECT_TEXT(requests, "server\nsinks\nsources\n");
    close_server();
}

TEST(gone_default, "A default that has moved because its sink went moves in the state in which the sink is gone") {
    connect_script(TWO_SINKS);
    script("{'default_sink': 'two', 'sinks': [{'index': 1, 'name': 'two'}], 'events': [['server', 'change', 0]]}");
    UNTIL(is_default("two::out"));
    EXPECT(!find_port("one::out"));
    EXPECT_INTEGER(changes, 2);
    script("{'events': [['sink', 'remove', 0]]}");
    UNTIL_REQUESTED("streams");
    while (has_work(0)) dispatch();
    EXPECT_INTEGER(changes, 2);
    close_server();
}

TEST(one_refresh, "While an answer is missing, events are collected, and the list is asked for once more") {
    connect_script(TWO_SINKS);
    script("{'silent': ['sinks'], 'events': [['sink', 'change', 0]]}");
    UNTIL_REQUESTED("sinks");
    for (int i = 0; i < 10; i++) script("{'events': [['sink', 'change', 0]]}");
    while (has_work(0)) dispatch();
    EXPECT_INTEGER(count_requests("sinks"), 1);
    script("{'answer': ['sinks']}");
    UNTIL_SAID(count_requests("sinks") == 2);
    while (has_work(0)) dispatch();
    script("{'default_sink': 'two', 'events': [['server', 'change', 0]]}");
    UNTIL(is_default("two::out"));
    EXPECT_INTEGER(count_requests("sinks"), 3);
    close_server();
}

TEST(flood, "In a flood of events, 20 refreshes follow at once, and then one each 10 milliseconds") {
    connect_script(TWO_SINKS);
    stop_clock();
    move_clock(1000);
    for (int i = 1; i <= 20; i++) {
        script("{'events': [['sink', 'change', 0]]}");
        UNTIL_SAID(count_requests("sinks") == i);
        while (has_work(0)) dispatch();
    }
    for (int round = 1; round <= 3; round++) {
        script("{'events': [['sink', 'change', 0]]}");
        await_descriptor();
        for (int i = 0; i < 100; i++) dispatch();
        script("{}");
        EXPECT_INTEGER(count_requests("sinks"), 19 + round);
        move_clock(10);
        dispatch();
        UNTIL_SAID(count_requests("sinks") == 20 + round);
        /* The answer. */
        script("{'sinks': [{'index': 0, 'name': 'one'}, {'index': 1, 'name': 'two'}]}");
        while (has_work(0)) dispatch();
    }
    close_server();
}

TEST(moving_sink,
    "A sink that changes before each of several answers has its last volume, also when no answer has to be awaited") {
    connect_script(TWO_SINKS);
    stop_clock();
    answers_are_first = true;
    for (int count = 1; count <= 12; count++) {
        char commands[128];
        move_clock(1000);
        snprintf(commands, sizeof commands,
            "{'moving': %d, 'sinks': [{'index': 0, 'name': 'one', 'volume': [65536, 65536]}], 'events': [['sink', 'change', 0]]}",
            count);
        script(commands);
        UNTIL(has_volume("one::out", 1 - count / 16.0));
        while (has_work(0)) dispatch();
    }
    close_server();
}

TEST(many_events, "A hundred thousand events at once end in the last state") {
    connect_script(TWO_SINKS);
    tell("{'flood': 100000}");
    tell("{'default_sink': 'two', 'events': [['server', 'change', 0]]}");
    UNTIL(is_default("two::out"));
    close_server();
}

/* ---- Defaults ---- */

TEST(unresolved_default, "While the server names a default that it does not list, the old state stays for 15 milliseconds") {
    connect_script(TWO_SINKS);
    stop_clock();
    script("{'default_sink': '@DEFAULT_SINK@', 'sinks': [{'index': 1, 'name': 'two'}], 'events': [['sink', 'remove', 0]]}");
    UNTIL_REQUESTED("streams");
    script("{}");
    for (int i = 0; i < 100; i++) EXPECT_INTEGER(dispatch(), SERVER_UNCHANGED);
    EXPECT(is_default("one::out"));
    script("{'default_sink': 'two', 'events': [['server', 'change', 0]]}");
    UNTIL(is_default("two::out"));
    EXPECT_INTEGER(changes, 2);
    EXPECT(!find_port("one::out"));
    close_server();
}

TEST(no_default, "A default that stays unknown is published as none") {
    connect_script(TWO_SINKS);
    script("{'default_sink': 'gone', 'events': [['server', 'change', 0]]}");
    UNTIL(!is_default("one::out"));
    EXPECT_INTEGER(port_count(), 3);
    EXPECT(is_default("microphone::in"));
    close_server();
}

TEST(expired_hold, "A hold that is over leaves the descriptor silent, each time") {
    connect_script(TWO_SINKS);
    for (int life = 1; life <= 2; life++) {
        script("{'default_sink': 'gone', 'events': [['server', 'change', 0]]}");
        UNTIL(!is_default("one::out"));
        for (int i = 0; i < 100 && has_work(0); i++) dispatch();
        EXPECT(!has_work(200));
        script("{'default_sink': 'one', 'events': [['server', 'change', 0]]}");
        UNTIL(is_default("one::out"));
    }
    close_server();
}

TEST(no_devices, "A server without devices needs no default") {
    connect_script("{'default_sink': None, 'default_source': None, 'sources': [{'index': 1, 'name': 'm', 'monitor_of': 0}]}");
    stop_clock();
    EXPECT_INTEGER(port_count(), 0);
    EXPECT_INTEGER(changes, 1);
    close_server();
}

TEST(missing_card, "A sink whose card is not listed yet waits for the card") {
    connect_script(TWO_SINKS);
    stop_clock();
    script("{'sinks': [{'index': 0, 'name': 'one', 'card': 3}], 'events': [['sink', 'change', 0]]}");
    UNTIL_REQUESTED("sinks");
    script("{}");
    for (int i = 0; i < 100; i++) EXPECT_INTEGER(dispatch(), SERVER_UNCHANGED);
    script("{'cards': [{'index': 3, 'name': 'card', 'properties': {'device.bus': 'usb'}}], 'events': [['card', 'new', 3]]}");
    UNTIL(find_port("one::out")->kind == SERVER_USB_OUTPUT);
    EXPECT_TEXT(PORT("one::out")->device, "card");
    close_server();
}

/* ---- Ports ---- */

/* A laptop whose headphones, headset's microphone and monitors are detected. */
#define LAPTOP_WITH(speaker, headphones, headset, active, monitor) \
    "{'cards': [{'index': 0, 'name': 'alsa_card.pci', 'properties': {'device.bus': 'pci', 'device.form_factor': 'internal'}}]," \
    " 'sinks': [{'index': 0, 'name': 'analog', 'description': 'Built-in Audio', 'card': 0, 'active': '" active "', 'ports': [" \
    "  {'name': 'analog-output-speaker', 'description': 'Speakers', 'priority': 10000, 'type': 2, 'available': " speaker "}," \
    "  {'name': 'analog-output-headphones', 'description': 'Headphones', 'type': 3, 'available': " headphones "}]}," \
    "  {'index': 1, 'name': 'hdmi', 'description': 'HDMI', 'card': 0, 'active': 'hdmi-output-0', 'ports': [" \
    "   {'name': 'hdmi-output-0', 'description': 'HDMI / DisplayPort', 'type': 10, 'available': " monitor "}]}]," \
    " 'sources': [{'index': 9, 'name': 'input', 'description': 'Built-in Audio', 'card': 0, 'active': " \
    "'analog-input-internal-mic'," \
    "  'ports': [{'name': 'analog-input-internal-mic', 'description': 'Internal Microphone', 'type': 5}," \
    "   {'name': 'analog-input-headset-mic', 'description': 'Headset Microphone', 'type': 5, 'available': " headset "}]}]," \
    " 'default_sink': 'analog', 'default_source': 'input'"

/* The speaker is always there. */
#define LAPTOP(headphones, headset, active, monitor) LAPTOP_WITH(UNKNOWN, headphones, headset, active, monitor)

TEST(laptop, "A laptop has its speaker and microphone, and what is plugged in") {
    connect_script(LAPTOP(ABSENT, ABSENT, "analog-output-speaker", ABSENT) "}");
    EXPECT_INTEGER(port_count(), 2);
    EXPECT_INTEGER(PORT("analog:analog-output-speaker:out")->kind, SERVER_SPEAKER);
    EXPECT_TEXT(PORT("analog:analog-output-speaker:out")->name, "Speakers - Built-in Audio");
    EXPECT_TEXT(PORT("analog:analog-output-speaker:out")->port, "analog-output-speaker");
    EXPECT_TEXT(PORT("analog:analog-output-speaker:out")->device, "alsa_card.pci:built-in");
    EXPECT_TEXT(PORT("input:analog-input-internal-mic:in")->device, "alsa_card.pci:built-in");
    EXPECT(is_default("analog:analog-output-speaker:out") && is_default("input:analog-input-internal-mic:in"));
    script(LAPTOP(PRESENT, ABSENT, "analog-output-headphones", PRESENT) ", 'events': [['card', 'change', 0]]}");
    UNTIL(port_count() == 4);
    EXPECT_INTEGER(PORT("analog:analog-output-headphones:out")->kind, SERVER_HEADPHONES);
    EXPECT(is_default("analog:analog-output-headphones:out") && !is_default("analog:analog-output-speaker:out"));
    EXPECT_INTEGER(PORT("analog:analog-output-headphones:out")->is_headset, 0);
    EXPECT_INTEGER(PORT("hdmi:hdmi-output-0:out")->kind, SERVER_HDMI);
    EXPECT_TEXT(PORT("hdmi:hdmi-output-0:out")->name, "HDMI");
    EXPECT_TEXT(PORT("hdmi:hdmi-output-0:out")->device, "alsa_card.pci:hdmi-output-0");
    script(LAPTOP(PRESENT, PRESENT, "analog-output-headphones", ABSENT) ", 'events': [['card', 'change', 0]]}");
    UNTIL(find_port("input:analog-input-headset-mic:in"));
    EXPECT_INTEGER(PORT("input:analog-input-headset-mic:in")->kind, SERVER_HEADSET_MICROPHONE);
    EXPECT_TEXT(PORT("input:analog-input-headset-mic:in")->device, "alsa_card.pci:headset");
    EXPECT_TEXT(PORT("analog:analog-output-headphones:out")->device, "alsa_card.pci:headset");
    EXPECT_INTEGER(PORT("analog:analog-output-headphones:out")->is_headset, 1);
    EXPECT(!find_port("hdmi:hdmi-output-0:out"));
    close_server();
}

TEST(hidden_speaker, "A speaker hidden while headphones are in goes when they come and comes when they go, twice") {
    connect_script(LAPTOP_WITH(UNKNOWN, ABSENT, ABSENT, "analog-output-speaker", ABSENT) "}");
    const char *const speaker = "analog:analog-output-speaker:out", *const headphones = "analog:analog-output-headphones:out";
    for (int life = 1; life <= 2; life++) {
        EXPECT(is_default(speaker) && !find_port(headphones));
        script(LAPTOP_WITH(ABSENT, PRESENT, ABSENT, "analog-output-headphones", ABSENT) ", 'events': [['card', 'change', 0]]}");
        UNTIL(find_port(headphones));
        EXPECT(is_default(headphones) && !find_port(speaker));
        EXPECT_INTEGER(port_count(), 2);
        EXPECT_TEXT(PORT("input:analog-input-internal-mic:in")->device, "alsa_card.pci:built-in");
        EXPECT_TEXT(PORT(headphones)->device, "alsa_card.pci:headset");
        script(LAPTOP_WITH(UNKNOWN, ABSENT, ABSENT, "analog-output-speaker", ABSENT) ", 'events': [['card', 'change', 0]]}");
        UNTIL(!find_port(headphones));
        EXPECT_INTEGER(port_count(), 2);
        EXPECT_TEXT(PORT(speaker)->device, "alsa_card.pci:built-in");
    }
    EXPECT(is_default(speaker));
    close_server();
}

TEST(changed_port, "Until the server has changed the port of its default sink, no port is the default and each is on it") {
    connect_script(LAPTOP_WITH(ABSENT, PRESENT, ABSENT, "analog-output-headphones", PRESENT) "}");
    const char *const speaker = "analog:analog-output-speaker:out", *const headphones = "analog:analog-output-headphones:out",
                      *const monitor = "hdmi:hdmi-output-0:out";
    for (int life = 1; life <= 2; life++) {
        EXPECT(is_default(headphones) && is_on_default(headphones));
        script(LAPTOP_WITH(UNKNOWN, ABSENT, ABSENT, "analog-output-headphones", PRESENT) ", 'events': [['card', 'change', 0]]}");
        UNTIL(find_port(speaker));
        EXPECT(!find_port(headphones) && !is_default(speaker) && is_on_default(speaker));
        EXPECT(find_port(monitor) && !is_on_default(monitor));
        script(LAPTOP_WITH(UNKNOWN, ABSENT, ABSENT, "analog-output-speaker", PRESENT) ", 'events': [['card', 'change', 0]]}");
        UNTIL(is_default(speaker));
        EXPECT(is_on_default(speaker));
        script(LAPTOP_WITH(ABSENT, PRESENT, ABSENT, "analog-output-speaker", PRESENT) ", 'events': [['card', 'change', 0]]}");
        UNTIL(find_port(headphones));
        EXPECT(!is_default(headphones) && is_on_default(headphones));
        script(LAPTOP_WITH(ABSENT, PRESENT, ABSENT, "analog-output-headphones", PRESENT) ", 'events': [['card', 'change', 0]]}");
        UNTIL(is_default(headphones));
    }
    /* The default moves to a sink without a port and back while the active port is absent. */
    script(LAPTOP_WITH(UNKNOWN, ABSENT, ABSENT, "analog-output-headphones", ABSENT) ", 'events': [['card', 'change', 0]]}");
    UNTIL(find_port(speaker) && !find_port(monitor));
    script("{'default_sink': 'hdmi', 'events': [['server', 'change', 0]]}");
    UNTIL(!is_on_default(speaker));
    script("{'default_sink': 'analog', 'events': [['server', 'change', 0]]}");
    UNTIL(is_on_default(speaker));
    EXPECT(!is_default(speaker));
    close_server();
}

TEST(no_detection, "Of ports whose jacks are not detected, only the active one is a port") {
    connect_script("{'sinks': [{'index': 0, 'name': 'old', 'active': 'b', 'ports': [{'name': 'a', 'priority': 9}, {'name': 'b'},"
                   " {'name': 'c', 'priority': 5}]}], 'default_sink': 'old'}");
    EXPECT_INTEGER(port_count(), 1);
    EXPECT(is_default("old:b:out"));
    script("{'sinks': [{'index': 0, 'name': 'old', 'active': 'd', 'ports': [{'name': 'c', 'priority': 5}, {'name': 'a', "
           "'priority': 9},"
           " {'name': 'd', 'available': 2}]}], 'events': [['sink', 'change', 0]]}");
    UNTIL(find_port("old:d:out"));
    EXPECT_INTEGER(port_count(), 2);
    EXPECT(find_port("old:a:out") && is_default("old:d:out"));
    script("{'sinks': [{'index': 0, 'name': 'old', 'active': 'd', 'ports': [{'name': 'd', 'available': 1}]}],"
           " 'events': [['sink', 'change', 0]]}");
    UNTIL(port_count() == 0);
    close_server();
}

TEST(reach_port, "A port that is available and not active is made the active one of its device") {
    connect_script(LAPTOP(PRESENT, PRESENT, "analog-output-speaker", ABSENT) "}");
    EXPECT_INTEGER(module->reach(server, "analog:analog-output-speaker:out"), 0);
    EXPECT_INTEGER(module->reach(server, "analog:analog-output-headphones:out"), 0);
    EXPECT_INTEGER(module->reach(server, "input:analog-input-headset-mic:in"), 0);
    EXPECT_INTEGER(module->reach(server, "analog:nothing:out"), -1);
    UNTIL_REQUESTED("source-port input analog-input-headset-mic");
    EXPECT(was_requested("sink-port analog analog-output-headphones"));
    EXPECT(!was_requested("sink-port analog analog-output-speaker"));
    EXPECT_INTEGER(module->leave(server, "analog:analog-output-headphones:out"), 0);
    EXPECT_INTEGER(module->leave(server, "analog:nothing:out"), -1);
    close_server();
}

TEST(usb_headset, "Both ends of a USB headset are one device, and the output is a headset's") {
    connect_script(
        "{'cards': [{'index': 0, 'name': 'usb', 'properties': {'device.bus': 'usb', 'device.form_factor': 'headset'}}],"
        " 'sinks': [{'index': 0, 'name': 'out', 'card': 0, 'active': 'analog-output', 'ports': [{'name': 'analog-output'}]}],"
        " 'sources': [{'index': 1, 'name': 'in', 'card': 0, 'channels': 1}], 'default_sink': 'out', 'default_source': 'in'}");
    EXPECT_INTEGER(PORT("out:analog-output:out")->kind, SERVER_USB_OUTPUT);
    EXPECT_INTEGER(PORT("in::in")->kind, SERVER_USB_INPUT);
    EXPECT_TEXT(PORT("out:analog-output:out")->device, "usb");
    EXPECT_TEXT(PORT("in::in")->device, "usb");
    EXPECT_INTEGER(PORT("out:analog-output:out")->is_headset, 1);
    EXPECT_INTEGER(PORT("in::in")->is_headset, 0);
    EXPECT_INTEGER(PORT("in::in")->channels, 1);
    close_server();
}

TEST(same_names, "Two devices with one name have two identifiers, and at most eight channels count") {
    connect_script(
        "{'sinks': [{'index': 0, 'name': 'same', 'channels': 12}, {'index': 1, 'name': 'same'}, {'index': 2, 'name': 'same'}],"
        " 'default_sink': 'same'}");
    EXPECT_INTEGER(PORT("same::out")->channels, 8);
    EXPECT(find_port("same::out:2") && find_port("same::out:3"));
    close_server();
}

TEST(any_name, "Names may have any characters, and bytes that are not UTF-8 are replaced") {
    connect_script("{'sinks': [{'index': 0, 'name': 'a:b \"c\" \\u00e9\\n/%s', 'description': b'bad \\xff\\xfe name'},"
                   " {'index': 1, 'name': b'x\\xc3(y'}], 'default_sink': 'a:b \"c\" \\u00e9\\n/%s'}");
    EXPECT_TEXT(PORT("a:b \"c\" \xc3\xa9\n/%s::out")->name, "bad __ name");
    EXPECT(is_default("a:b \"c\" \xc3\xa9\n/%s::out"));
    EXPECT_TEXT(PORT("x_(y::out")->node, "x_(y");
    /* Requests have the name as the server writes it. */
    EXPECT_INTEGER(module->set_volume(server, "x_(y::out", 0.5f), 0);
    script("{'events': [['sink', 'change', 1]]}");
    UNTIL_REQUESTED("sinks");
    EXPECT_INTEGER(count_requests("sinks"), 1);
    UNTIL(has_volume("x_(y::out", 0.5));
    EXPECT(strstr(requests, "sink-volume x") != NULL);
    close_server();
}

TEST(airplay, "An AirPlay receiver and a tunnel are told apart by their modules") {
    connect_script(
        "{'sinks': [{'index': 0, 'name': 'kitchen', 'driver': 'module-raop-sink.c', 'flags': 0x8},"
        " {'index': 1, 'name': 'bath', 'properties': {'sess.media': 'raop'}},"
        " {'index': 2, 'name': 'remote', 'flags': 0x8, 'properties': {'device.bus': 'usb'}}], 'default_sink': 'bath'}");
    EXPECT_INTEGER(PORT("kitchen::out")->kind, SERVER_AIRPLAY);
    EXPECT_INTEGER(PORT("bath::out")->kind, SERVER_AIRPLAY);
    EXPECT_INTEGER(PORT("remote::out")->kind, SERVER_SPEAKER);
    close_server();
}

/* ---- Volumes and streams ---- */

#define VOLUME(first, second, muted) \
    "{'sinks': [{'index': 0, 'name': 'one', 'volume': [" first ", " second "], 'muted': " muted "}]," \
    " 'sources': [{'index': 1, 'name': 'in', 'volume': [" first ", " second "], 'muted': " muted "}]," \
    " 'default_sink': 'one', 'default_source': 'in'"

TEST(volumes, "The volume is that of the loudest channel, at most 1, and 0 while muted; a muted source keeps its gain") {
    connect_script(VOLUME("16384", "32768", "False") "}");
    EXPECT_NUMBER(PORT("one::out")->volume, 0.5);
    EXPECT_NUMBER(PORT("in::in")->volume, 0.5);
    script(VOLUME("16384", "32768", "True") ", 'events': [['sink', 'change', 0], ['source', 'change', 1]]}");
    UNTIL(PORT("one::out")->volume == 0);
    EXPECT_NUMBER(PORT("in::in")->volume, 0.5);
    script(VOLUME("16384", "98304", "False") ", 'events': [['sink', 'change', 0], ['source', 'change', 1]]}");
    UNTIL(PORT("one::out")->volume == 1 && PORT("in::in")->volume == 1);
    close_server();
}

TEST(set_volume, "A new volume keeps the balance, is there at once, and unmutes nothing") {
    connect_script(VOLUME("16384", "32768", "False") "}");
    EXPECT_INTEGER(module->set_volume(server, "one::out", 0.25f), 0);
    EXPECT_NUMBER(PORT("one::out")->volume, 0.25);
    EXPECT_INTEGER(module->set_volume(server, "in::in", 5), 0);
    EXPECT_NUMBER(PORT("in::in")->volume, 1);
    EXPECT_INTEGER(module->set_volume(server, "none::out", 0.25f), -1);
    UNTIL_REQUESTED("source-volume in 32768 65536");
    EXPECT(was_requested("sink-volume one 8192 16384"));
    EXPECT_INTEGER(module->set_volume(server, "one::out", NAN), 0);
    EXPECT_NUMBER(PORT("one::out")->volume, 0);
    UNTIL_REQUESTED("sink-volume one 0 0");
    script(VOLUME("16384", "32768", "True") ", 'events': [['sink', 'change', 0], ['source', 'change', 1]]}");
    UNTIL(PORT("in::in")->volume == 0.5);
    EXPECT_INTEGER(module->set_volume(server, "one::out", 0.25f), 0);
    EXPECT_NUMBER(PORT("one::out")->volume, 0);
    close_server();
}

TEST(volume_race, "An answer that is older than a set volume does not undo it, and a refused one is corrected") {
    connect_script(VOLUME("65536", "65536", "False") "}");
    script("{'silent': ['sinks', 'sink-volume'], 'events': [['sink', 'change', 0]]}");
    UNTIL_REQUESTED("sinks");
    EXPECT_INTEGER(module->set_volume(server, "one::out", 0.25f), 0);
    UNTIL_REQUESTED("sink-volume one 16384 16384");
    script(VOLUME("65536", "65536", "False") ", 'answer': ['sinks']}");
    await_descriptor();
    while (has_work(0)) dispatch();
    EXPECT_NUMBER(PORT("one::out")->volume, 0.25);
    EXPECT_INTEGER(changes, 1);
    script("{'refuse': ['sink-volume'], 'answer': ['sink-volume']}");
    UNTIL(PORT("one::out")->volume == 1);
    close_server();
}

TEST(same_key, "A volume is that of a sink or of a source, also where both have one name") {
    connect_script("{'sinks': [{'index': 0, 'name': 'x'}], 'sources': [{'index': 0, 'name': 'x'}],"
                   " 'default_sink': 'x', 'default_source': 'x'}");
    script("{'silent': ['sink-volume', 'source-volume']}");
    EXPECT_INTEGER(module->set_volume(server, "x::in", 0.25f), 0);
    EXPECT(has_volume("x::in", 0.25) && has_volume("x::out", 1));
    script("{'default_sink': None, 'events': [['sink', 'change', 0], ['server', 'change', 0]]}");
    UNTIL(!is_default("x::out"));
    EXPECT(has_volume("x::in", 0.25) && has_volume("x::out", 1));
    EXPECT_INTEGER(module->set_volume(server, "x::out", 0.5f), 0);
    script("{'default_sink': 'x', 'events': [['sink', 'change', 0], ['server', 'change', 0]]}");
    UNTIL(is_default("x::out"));
    EXPECT(has_volume("x::in", 0.25) && has_volume("x::out", 0.5));
    close_server();
}

TEST(held_volume, "A volume that is set while a state waits for its default is that of the state as well") {
    connect_script(TWO_SINKS);
    stop_clock();
    script("{'silent': ['sink-volume'], 'default_sink': 'gone', 'events': [['sink', 'remove', 0]]}");
    UNTIL_REQUESTED("streams");
    script("{}");
    for (int i = 0; i < 100; i++) EXPECT_INTEGER(dispatch(), SERVER_UNCHANGED);
    EXPECT_INTEGER(module->set_volume(server, "two::out", 0.25f), 0);
    move_clock(15);
    UNTIL(!is_default("one::out"));
    EXPECT(has_volume("two::out", 0.25));
    close_server();
}

TEST(unconfirmed_volume, "A volume that is not confirmed stays in a state with other streams, and a refused gain is corrected") {
    connect_script("{'sinks': [{'index': 0, 'name': 'x'}], 'sources': [{'index': 0, 'name': 'y'}],"
                   " 'default_sink': 'x', 'default_source': 'y'}");
    script("{'silent': ['sink-volume'], 'refuse': ['source-volume']}");
    EXPECT_INTEGER(module->set_volume(server, "x::out", 0.25f), 0);
    script("{'streams': [{'index': 1, 'sink': 0}], 'events': [['stream', 'new', 1]]}");
    UNTIL(PORT("x::out")->others == 1);
    EXPECT(has_volume("x::out", 0.25));
    EXPECT_INTEGER(module->set_volume(server, "y::in", 0.25f), 0);
    EXPECT(has_volume("y::in", 0.25));
    UNTIL(has_volume("y::in", 1));
    close_server();
}

TEST(streams, "Running streams of other processes count, on their sink") {
    char model[1024];
    snprintf(model, sizeof model,
        "{'sinks': [{'index': 3, 'name': 'one'}, {'index': 4, 'name': 'two'}], 'default_sink': 'one', 'streams': ["
        "{'index': 1, 'sink': 4, 'process': 1}, {'index': 2, 'sink': 3, 'process': 1, 'corked': True}, {'index': 3, 'sink': 4},"
        "{'index': 4, 'sink': 3, 'process': %d}, {'index': 5, 'sink': 3, 'process': 2}]}",
        getpid());
    connect_script(model);
    EXPECT_INTEGER(PORT("one::out")->others, 1);
    EXPECT_INTEGER(PORT("two::out")->others, 2);
    script("{'streams': [], 'events': [['stream', 'remove', 1]]}");
    UNTIL(PORT("two::out")->others == 0);
    EXPECT_INTEGER(PORT("one::out")->others, 0);
    close_server();
}
