/* SPDX-License-Identifier: Apache-2.0 */
/* Bluetooth devices: their profiles, and how the module changes them. */
#include "scripted.h"

#define CARD(active, music, call) \
    "{'index': 7, 'name': 'bluez_card.00_11', 'active': '" active \
    "', 'properties': {'device.api': 'bluez5', 'device.bus': 'bluetooth'," \
    " 'device.form_factor': 'headset', 'device.description': 'Headset of Ada'}, 'profiles': [{'name': 'off'}," \
    " {'name': 'a2dp-sink-sbc', 'priority': 18, 'available': " music \
    "}, {'name': 'a2dp-sink', 'priority': 19, 'available': " music "}," \
    " {'name': 'headset-head-unit', 'priority': 1, 'available': " call "}," \
    " {'name': 'headset-head-unit-msbc', 'priority': 3, 'available': " call "}," \
    " {'name': 'headset-head-unit-cvsd', 'priority': 2, 'available': " call "}]," \
    " 'ports': [{'name': 'headset-output', 'direction': 1, 'available': 2}, {'name': 'headset-input', 'direction': 2}]}"
#define OTHER_CARD \
    "{'index': 8, 'name': 'bluez_card.22', 'active': 'a2dp-sink', 'properties': {'device.bus': 'bluetooth'}, 'profiles': [" \
    "{'name': 'a2dp-sink'}, {'name': 'headset-head-unit'}], 'ports': [{'name': 'headset-input', 'direction': 2}]}"
#define BUILT_IN "{'index': 0, 'name': 'speaker'}"
#define SINK \
    "{'index': 1, 'name': 'bluez_output.00_11.1', 'description': 'Headset of Ada', 'card': 7, 'active': 'headset-output'," \
    " 'properties': {'device.bus': 'bluetooth', 'api.bluez5.profile': 'a2dp-sink'}, 'ports': [{'name': 'headset-output'}]}"
#define SOURCE \
    "{'index': 2, 'name': 'bluez_input.00_11.0', 'card': 7, 'channels': 1, 'active': 'headset-input'," \
    " 'ports': [{'name': 'headset-input'}]}"
#define MUSIC \
    "'cards': [" CARD("a2dp-sink", "1", "1") "], 'sinks': [" BUILT_IN ", " SINK "], 'sources': []," \
                                             " 'default_sink': 'bluez_output.00_11.1'"
#define CALL(profile) \
    "'cards': [" CARD(profile, "1", "1") "], 'sinks': [" BUILT_IN ", " SINK "], 'sources': [" SOURCE "]," \
                                         " 'default_sink': 'bluez_output.00_11.1', 'default_source': 'bluez_input.00_11.0'"
#define EVENT "'events': [['card', 'change', 7], ['server', 'change', 0]]"

static const char *const a2dp = "bluez_card.00_11:a2dp:out", *const output = "bluez_card.00_11:hfp:out",
                         *const input = "bluez_card.00_11:hfp:in";

/* Reaches the microphone of a headset that plays music. The server answers with a call of some profile. */
static void begin_call(const char *answer) {
    connect_script("{" MUSIC "}");
    EXPECT_INTEGER(module->reach(server, input), 0);
    UNTIL_REQUESTED("card-profile 7 headset-head-unit-msbc");
    script(answer);
    UNTIL(is_default(input));
}

static void expect_no_change_of_profile(void) {
    forget_requests();
    EXPECT_INTEGER(module->leave(server, input), 0);
    script("{'events': [['server', 'change', 0]]}");
    UNTIL_REQUESTED("server");
    EXPECT(!strstr(requests, "card-profile"));
}

/* The microphone has its source, or needs the profile. */
static void expect_microphone(bool is_there) {
    EXPECT_TEXT(PORT(input)->node, is_there ? "bluez_input.00_11.0" : "");
    EXPECT_TEXT(PORT(input)->port, is_there ? "headset-input" : "");
    EXPECT_NUMBER(PORT(input)->volume, is_there ? 1 : -1);
    EXPECT(is_default(input) == is_there && is_on_default(input) == is_there);
    EXPECT_INTEGER(module->set_volume(server, input, 1), is_there ? 0 : -1);
    EXPECT_TEXT(PORT(output)->node, "bluez_output.00_11.1");
}

TEST(both_profiles, "A headset with both profiles has three ports; those of the active profile have their device") {
    connect_script("{" MUSIC "}");
    EXPECT_INTEGER(port_count(), 4);
    EXPECT_INTEGER(PORT(a2dp)->kind, SERVER_A2DP);
    EXPECT_INTEGER(PORT(output)->kind, SERVER_HFP_OUTPUT);
    EXPECT_INTEGER(PORT(input)->kind, SERVER_HFP_INPUT);
    EXPECT_TEXT(PORT(a2dp)->node, "bluez_output.00_11.1");
    EXPECT_TEXT(PORT(a2dp)->port, "headset-output");
    EXPECT_TEXT(PORT(output)->node, "");
    EXPECT_TEXT(PORT(input)->node, "");
    EXPECT_NUMBER(PORT(a2dp)->volume, 1);
    EXPECT(PORT(output)->volume < 0);
    EXPECT_INTEGER(PORT(output)->channels, 1);
    EXPECT(is_default(a2dp) && !is_default(output));
    EXPECT_INTEGER(PORT(a2dp)->is_headset, 1);
    const char *const ports[] = {a2dp, output, input};
    for (int i = 0; i < 3; i++) {
        EXPECT_TEXT(PORT(ports[i])->device, "bluez_card.00_11");
        EXPECT_TEXT(PORT(ports[i])->name, "Headset of Ada");
    }
    script("{" CALL("headset-head-unit") ", " EVENT "}");
    UNTIL(is_default(output));
    EXPECT_INTEGER(port_count(), 4);
    EXPECT_TEXT(PORT(a2dp)->node, "");
    EXPECT_TEXT(PORT(output)->node, "bluez_output.00_11.1");
    EXPECT_TEXT(PORT(input)->node, "bluez_input.00_11.0");
    EXPECT(is_default(input));
    close_server();
}

TEST(one_profile, "A headset whose other profile is not available, or that is off, has no port of it") {
    connect_script("{'cards': [" CARD("a2dp-sink", "1", "0") "], 'sinks': [" SINK "], 'default_sink': 'bluez_output.00_11.1'}");
    EXPECT_INTEGER(port_count(), 1);
    EXPECT_INTEGER(PORT(a2dp)->kind, SERVER_A2DP);
    script("{'cards': [" CARD("off", "1", "1") "], 'sinks': [], 'default_sink': None, " EVENT "}");
    UNTIL(port_count() == 0);
    close_server();
}

TEST(reach_call, "To reach the microphone, the best headset profile is set, and the former one is put back") {
    connect_script("{" MUSIC "}");
    EXPECT_INTEGER(module->reach(server, a2dp), 0);
    EXPECT_INTEGER(module->reach(server, input), 0);
    EXPECT_INTEGER(module->reach(server, output), 0);
    UNTIL_REQUESTED("card-profile 7 headset-head-unit-msbc");
    script("{" CALL("headset-head-unit-msbc") ", " EVENT "}");
    UNTIL(is_default(input));
    EXPECT_INTEGER(module->leave(server, input), 0);
    UNTIL_REQUESTED("card-profile 7 a2dp-sink");
    EXPECT_INTEGER(module->leave(server, input), 0);
    script("{" MUSIC ", " EVENT "}");
    UNTIL(is_default(a2dp));
    EXPECT_INTEGER(count_requests("card-profile 7 headset-head-unit-msbc"), 1);
    EXPECT_INTEGER(count_requests("card-profile 7 a2dp-sink"), 1);
    EXPECT(!was_requested("card-profile 7 a2dp-sink-sbc"));
    close_server();
}

#define OTHER_MUSIC \
    "{'cards': [" CARD("a2dp-sink-sbc", "1", "1") "], 'sinks': [" BUILT_IN ", " SINK "], 'sources': [], 'default_source': None," \
                                                  " 'default_sink': 'bluez_output.00_11.1', " EVENT "}"

/* The module has the new lists. */
static void tell_once_more(const char *commands) {
    int lists = count_requests("cards");
    script(commands);
    UNTIL_SAID(count_requests("cards") > lists);
    script("{}");
    while (has_work(0)) dispatch();
}

/* The server tells of a list before it does a request, and has the profile of music for a moment or does both requests at once. */
static void call_again(bool is_told, int round) {
    EXPECT_INTEGER(module->leave(server, input), 0);
    UNTIL_SAID(count_requests("card-profile 7 a2dp-sink-sbc") == 2 * round - 1);
    expect_microphone(false);
    tell_once_more("{" EVENT "}");
    expect_microphone(false);
    EXPECT_INTEGER(module->reach(server, input), 0);
    EXPECT_INTEGER(module->reach(server, output), 0);
    UNTIL_SAID(count_requests("card-profile 7 headset-head-unit-msbc") == 2 * round);
    tell_once_more("{" EVENT "}");
    for (int i = 0; is_told && i < 2; i++) {
        tell_once_more(OTHER_MUSIC);
        EXPECT(is_default(a2dp));
    }
    script("{" CALL("headset-head-unit-msbc") ", " EVENT "}");
    UNTIL(is_default(input));
    script("{'answer': ['card-profile']}");
    while (has_work(0)) dispatch();
}

TEST(reach_again, "A call that begins before the former profile is put back has the microphone, and is put back as well") {
    connect_script(OTHER_MUSIC);
    for (int round = 1; round <= 8; round++) {
        EXPECT_INTEGER(module->reach(server, input), 0);
        UNTIL_SAID(count_requests("card-profile 7 headset-head-unit-msbc") == 2 * round - 1);
        script("{" CALL("headset-head-unit-msbc") ", " EVENT "}");
        UNTIL(is_default(input));
        if (round & 1) script("{'silent': ['card-profile']}");
        call_again(round & 2, round);
        EXPECT_INTEGER(module->leave(server, input), 0);
        UNTIL_SAID(count_requests("card-profile 7 a2dp-sink-sbc") == 2 * round);
        script(OTHER_MUSIC);
        UNTIL(is_default(a2dp));
    }
    close_server();
}

TEST(leave_at_once, "A profile is put back also before the server has told of the change, and before the connection closes") {
    connect_script("{" MUSIC "}");
    EXPECT_INTEGER(module->reach(server, input), 0);
    EXPECT_INTEGER(module->leave(server, input), 0);
    close_server();
    while (!was_requested("card-profile 7 a2dp-sink")) {}
    EXPECT(was_requested("card-profile 7 headset-head-unit-msbc"));
}

TEST(leave_for_another, "A connection that has not reached the headset ends the call of a process that has ended, for its own") {
    connect_script("{" CALL("headset-head-unit-msbc") "}");
    for (int round = 1; round <= 2; round++) {
        EXPECT_INTEGER(module->leave(server, input), 0);
        EXPECT_INTEGER(module->leave(server, input), 0);
        UNTIL_SAID(count_requests("card-profile 7 a2dp-sink") == 2 * round - 1);
        expect_microphone(false);
        EXPECT_INTEGER(module->reach(server, input), 0);
        UNTIL_SAID(count_requests("card-profile 7 headset-head-unit-msbc") == round);
        script("{" MUSIC ", 'sources': [], 'default_source': None, " EVENT "}");
        UNTIL(is_default(a2dp));
        script("{" CALL("headset-head-unit-msbc") ", " EVENT "}");
        UNTIL(is_default(input));
        EXPECT_INTEGER(module->leave(server, input), 0);
        UNTIL_SAID(count_requests("card-profile 7 a2dp-sink") == 2 * round);
        script("{" MUSIC ", 'sources': [], 'default_source': None, " EVENT "}");
        UNTIL(is_default(a2dp));
        /* The call of another process. */
        script("{" CALL("headset-head-unit-msbc") ", " EVENT "}");
        UNTIL(is_default(input));
    }
    close_server();
}

TEST(changed_by_user, "A profile that somebody else has changed meanwhile is not put back") {
    begin_call("{" CALL("headset-head-unit-msbc") ", " EVENT "}");
    script("{'cards': [" CARD("a2dp-sink-sbc", "1", "1") "], 'sinks': [" BUILT_IN ", " SINK "], 'sources': [],"
                                                         " 'default_source': None, " EVENT "}");
    UNTIL(is_default(a2dp));
    expect_no_change_of_profile();
    close_server();
}

TEST(other_call, "A profile for calls that somebody else has chosen stays, and is put back after music") {
    begin_call("{" CALL("headset-head-unit-cvsd") ", " EVENT "}");
    forget_requests();
    EXPECT_INTEGER(module->leave(server, input), 0);
    EXPECT_INTEGER(module->reach(server, a2dp), 0);
    UNTIL_REQUESTED("card-profile 7 a2dp-sink");
    script("{" MUSIC ", 'sources': [], 'default_source': None, " EVENT "}");
    UNTIL(is_default(a2dp));
    EXPECT_INTEGER(module->leave(server, a2dp), 0);
    UNTIL_REQUESTED("card-profile 7 headset-head-unit-cvsd");
    EXPECT_INTEGER(count_requests("card-profile 7 a2dp-sink"), 1);
    close_server();
}

TEST(back_by_user, "A profile that somebody else has put back is not set once more") {
    begin_call("{" CALL("headset-head-unit-msbc") ", " EVENT "}");
    script("{" MUSIC ", 'sources': [], 'default_source': None, " EVENT "}");
    UNTIL(is_default(a2dp));
    expect_no_change_of_profile();
    close_server();
}

TEST(refused_profile, "A profile that the server refuses can be asked for again") {
    connect_script("{" MUSIC "}");
    script("{'refuse': ['card-profile']}");
    for (int round = 1; round <= 2; round++) {
        EXPECT_INTEGER(module->reach(server, input), 0);
        UNTIL_SAID(count_requests("card-profile 7 headset-head-unit-msbc") == round);
        script("{'events': [['server', 'change', 0]]}");
        UNTIL_SAID(count_requests("server") == round);
        while (has_work(0)) dispatch();
    }
    close_server();
}

TEST(other_refusal, "A profile that the server refuses for one headset changes nothing for another one, twice") {
    connect_script("{" MUSIC "}");
    for (int round = 1; round <= 2; round++) {
        script("{'refuse': [], 'cards': [" CARD("a2dp-sink", "1", "1") ", " OTHER_CARD "], " EVENT "}");
        UNTIL(find_port("bluez_card.22:hfp:in"));
        while (has_work(0)) dispatch();
        EXPECT_INTEGER(module->reach(server, input), 0);
        UNTIL_SAID(count_requests("card-profile 7 headset-head-unit-msbc") == round);
        script("{'refuse': ['card-profile']}");
        EXPECT_INTEGER(module->reach(server, "bluez_card.22:hfp:in"), 0);
        UNTIL_SAID(count_requests("card-profile 8 headset-head-unit") == round);
        script("{" MUSIC ", " EVENT "}");
        UNTIL(!find_port("bluez_card.22:hfp:in"));
        EXPECT_INTEGER(module->leave(server, input), 0);
        UNTIL_SAID(count_requests("card-profile 7 a2dp-sink") == round);
    }
    close_server();
}

TEST(refused_return, "A headset whose former profile the server refuses is still in its call, and can leave it later") {
    connect_script(OTHER_MUSIC);
    EXPECT_INTEGER(module->reach(server, input), 0);
    UNTIL_REQUESTED("card-profile 7 headset-head-unit-msbc");
    script("{" CALL("headset-head-unit-msbc") ", " EVENT "}");
    UNTIL(is_default(input));
    /* The refusal comes when the test has looked. */
    script("{'silent': ['card-profile'], 'refuse': ['card-profile']}");
    EXPECT_INTEGER(module->leave(server, input), 0);
    UNTIL_REQUESTED("card-profile 7 a2dp-sink-sbc");
    expect_microphone(false);
    script("{'answer': ['card-profile']}");
    script("{'refuse': []}");
    UNTIL(is_default(input));
    expect_microphone(true);
    forget_requests();
    EXPECT_INTEGER(module->reach(server, input), 0);
    script("{" EVENT "}");
    UNTIL_REQUESTED("cards");
    EXPECT(!strstr(requests, "card-profile"));
    EXPECT_INTEGER(module->leave(server, input), 0);
    UNTIL_REQUESTED("card-profile 7 a2dp-sink-sbc");
    close_server();
}

TEST(long_change, "The server may take longer than a second to change a profile") {
    connect_script("{" MUSIC "}");
    stop_clock();
    script("{'silent': ['card-profile']}");
    EXPECT_INTEGER(module->reach(server, input), 0);
    UNTIL_REQUESTED("card-profile 7 headset-head-unit-msbc");
    move_clock(9000);
    EXPECT(dispatch() != SERVER_CLOSED);
    move_clock(5001);
    EXPECT_INTEGER(dispatch(), SERVER_CLOSED);
    EXPECT_TEXT(module->reason(server), "the server does not answer");
    close_server();
}

TEST(telephone, "A telephone that plays to this machine is no headset") {
    connect_script(
        "{'cards': [{'index': 7, 'name': 'bluez_card.22', 'active': 'a2dp-source', 'properties': {'device.api': 'bluez5'},"
        " 'profiles': [{'name': 'a2dp-source'}, {'name': 'audio-gateway'}]}], 'sources': [{'index': 1, 'name': 'bluez_input.22',"
        " 'card': 7, 'properties': {'api.bluez5.profile': 'a2dp-source'}}], 'default_source': 'bluez_input.22'}");
    EXPECT_INTEGER(port_count(), 1);
    EXPECT_INTEGER(PORT("bluez_input.22::in")->kind, SERVER_HFP_INPUT);
    close_server();
}

TEST(without_card, "A sink and a source with the properties of a headset are A2DP and a headset's microphone") {
    connect_script(
        "{'sinks': [{'index': 0, 'name': 'bt', 'properties': {'device.bus': 'bluetooth', 'device.form_factor': 'headset'}}],"
        " 'sources': [{'index': 1, 'name': 'bt', 'properties': {'device.bus': 'bluetooth'}}],"
        " 'default_sink': 'bt', 'default_source': 'bt'}");
    EXPECT_INTEGER(PORT("bt::out")->kind, SERVER_A2DP);
    EXPECT_INTEGER(PORT("bt::in")->kind, SERVER_HFP_INPUT);
    EXPECT_INTEGER(module->reach(server, "bt::out"), 0);
    close_server();
}
