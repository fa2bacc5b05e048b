/* SPDX-License-Identifier: Apache-2.0 */
/* AUGraph: nodes, connections, updates, and the units that programs take from it. */
#include "mixer.h"

#include <AudioToolbox/AUGraph.h>

static AUNode add(AUGraph graph, UInt32 type, UInt32 subtype) {
    AudioComponentDescription wanted;
    AUNode node = -1;
    memset(&wanted, 0xAA, sizeof wanted);
    wanted.componentType = type;
    wanted.componentSubType = subtype;
    wanted.componentManufacturer = kAudioUnitManufacturer_Apple;
    UNIT_OK(AUGraphAddNode(graph, &wanted, &node));
    return node;
}

static AudioUnit unit_of(AUGraph graph, AUNode node) {
    AudioUnit unit = NULL;
    UNIT_OK(AUGraphNodeInfo(graph, node, NULL, &unit));
    return unit;
}

static OSStatus set_input(AUGraph graph, AUNode node, UInt32 input, struct voice *voice) {
    AURenderCallbackStruct callback = {play_voice, voice};
    return AUGraphSetNodeInputCallback(graph, node, input, &callback);
}

static UInt32 interactions(AUGraph graph) {
    UInt32 count = 99;
    UNIT_OK(AUGraphGetNumberOfInteractions(graph, &count));
    return count;
}

/* A node with `all` interactions copies as many as there is room for, says how many, and leaves the entries behind them. */
static void expect_copied(AUGraph graph, AUNode node, UInt32 all) {
    for (UInt32 room = 0; room <= 4; room++) {
        AUNodeInteraction found[4];
        UInt32 count = room, expected = room < all ? room : all;
        memset(found, 0xAA, sizeof found);
        UNIT_OK(AUGraphGetNodeInteractions(graph, node, &count, found));
        EXPECT_INTEGER(count, expected);
        for (UInt32 i = 0; i < 4; i++) EXPECT((found[i].nodeInteractionType == 0xAAAAAAAAu) == (i >= expected));
    }
}

static void expect_states(AUGraph graph, int open, int initialized, int running) {
    Boolean flags[3] = {9, 9, 9};
    UNIT_OK(AUGraphIsOpen(graph, &flags[0]));
    UNIT_OK(AUGraphIsInitialized(graph, &flags[1]));
    UNIT_OK(AUGraphIsRunning(graph, &flags[2]));
    EXPECT_INTEGER(flags[0], open);
    EXPECT_INTEGER(flags[1], initialized);
    EXPECT_INTEGER(flags[2], running);
}

TEST(nodes, "nodes and connections can be counted and read, and the units exist from AUGraphOpen on") {
    AUGraph graph = NULL;
    AudioComponentDescription description;
    AUNodeInteraction found[4];
    UInt32 count = 0;
    AUNode node;
    struct voice voice = make_voice(0.5f, 0);
    UNIT_OK(NewAUGraph(&graph));
    AUNode mixer = add(graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
    AUNode output = add(graph, kAudioUnitType_Output, kAudioUnitSubType_RemoteIO);
    expect_states(graph, 0, 0, 0);
    EXPECT(unit_of(graph, mixer) == NULL);
    UNIT_OK(AUGraphConnectNodeInput(graph, mixer, 0, output, 0));
    UNIT_OK(set_input(graph, mixer, 3, &voice));
    UNIT(AUGraphInitialize(graph), kAUGraphErr_InvalidAudioUnit);
    UNIT_OK(AUGraphOpen(graph));
    expect_states(graph, 1, 0, 0);
    /* A synthesizer takes the units here, and sets formats. */
    UNIT_OK(set_format(unit_of(graph, output), kAudioUnitScope_Input, 0, int16_format(22050, 2)));
    UNIT_OK(AUGraphGetNodeCount(graph, &count));
    EXPECT_INTEGER(count, 2);
    UNIT_OK(AUGraphGetIndNode(graph, 1, &node));
    EXPECT_INTEGER(node, output);
    UNIT_OK(AUGraphNodeInfo(graph, mixer, &description, NULL));
    EXPECT_INTEGER(description.componentSubType, kAudioUnitSubType_MultiChannelMixer);
    EXPECT_INTEGER(interactions(graph), 2);
    UNIT_OK(AUGraphGetInteractionInfo(graph, 0, &found[0]));
    EXPECT_INTEGER(found[0].nodeInteractionType, kAUNodeInteraction_Connection);
    EXPECT_INTEGER(found[0].nodeInteraction.connection.destNode, output);
    UNIT_OK(AUGraphCountNodeInteractions(graph, output, &count));
    EXPECT_INTEGER(count, 1);
    count = 4;
    UNIT_OK(AUGraphGetNodeInteractions(graph, mixer, &count, found));
    EXPECT_INTEGER(count, 2);
    EXPECT_INTEGER(found[1].nodeInteractionType, kAUNodeInteraction_InputCallback);
    EXPECT_INTEGER(found[1].nodeInteraction.inputCallback.destInputNumber, 3);
    EXPECT(found[1].nodeInteraction.inputCallback.cback.inputProcRefCon == &voice);
    expect_copied(graph, mixer, 2);
    expect_copied(graph, output, 1);
    UNIT_OK(AUGraphClose(graph));
    expect_states(graph, 0, 0, 0);
    EXPECT_INTEGER(interactions(graph), 2);
    expect_copied(graph, mixer, 2);
    UNIT_OK(AUGraphOpen(graph));
    expect_copied(graph, mixer, 2);
    expect_copied(graph, output, 1);
    UNIT_OK(AUGraphClose(graph));
    UNIT_OK(AUGraphRemoveNode(graph, mixer));
    EXPECT_INTEGER(interactions(graph), 0);
    UNIT_OK(DisposeAUGraph(graph));
    UNIT(AUGraphOpen(graph), kAudio_ParamError);
}

TEST(mistakes, "a call that fails leaves the graph as it was") {
    AUGraph graph = NULL, none = NULL;
    AudioComponentDescription nothing = {kAudioUnitType_Effect, 0, 0, 0, 0};
    AudioComponentDescription io = {kAudioUnitType_Output, kAudioUnitSubType_GenericOutput, 0, 0, 0};
    AUNode node = 0;
    struct voice voice = make_voice(0.5f, 0);
    UNIT_OK(NewAUGraph(&graph));
    AUNode first = add(graph, kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter);
    AUNode second = add(graph, kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter);
    AUNode output = add(graph, kAudioUnitType_Output, kAudioUnitSubType_RemoteIO);
    UNIT(AUGraphAddNode(graph, &nothing, &node), kAUGraphErr_InvalidAudioUnit);
    UNIT(AUGraphAddNode(graph, &io, &node), kAUGraphErr_OutputNodeErr);
    UNIT_OK(AUGraphConnectNodeInput(graph, first, 0, second, 0));
    UNIT_OK(AUGraphConnectNodeInput(graph, second, 0, output, 0));
    UNIT(AUGraphConnectNodeInput(graph, second, 0, first, 0), kAUGraphErr_InvalidConnection);
    UNIT(AUGraphConnectNodeInput(graph, first, 0, first, 0), kAUGraphErr_InvalidConnection);
    UNIT(AUGraphConnectNodeInput(graph, first, 0, output, 0), kAUGraphErr_InvalidConnection);
    UNIT(AUGraphConnectNodeInput(graph, first, 1, output, 0), kAUGraphErr_InvalidConnection);
    UNIT(AUGraphConnectNodeInput(graph, output, 0, first, 0), kAUGraphErr_InvalidConnection);
    UNIT(AUGraphConnectNodeInput(graph, 99, 0, first, 0), kAUGraphErr_NodeNotFound);
    UNIT(set_input(graph, second, 0, &voice), kAUGraphErr_InvalidConnection);
    UNIT(set_input(graph, first, 1, &voice), kAUGraphErr_InvalidConnection);
    UNIT(set_input(graph, 99, 0, &voice), kAUGraphErr_NodeNotFound);
    UNIT(AUGraphDisconnectNodeInput(graph, first, 0), kAUGraphErr_InvalidConnection);
    UNIT(AUGraphRemoveNode(graph, 99), kAUGraphErr_NodeNotFound);
    UNIT(AUGraphGetIndNode(graph, 3, &node), kAUGraphErr_NodeNotFound);
    UNIT(AUGraphStart(graph), kAUGraphErr_InvalidAudioUnit);
    UNIT(AUGraphSetNodeInputCallback(graph, first, 0, NULL), kAudio_ParamError);
    EXPECT_INTEGER(interactions(graph), 2);
    /* The microphone of the I/O unit is no cycle. */
    UNIT_OK(AUGraphConnectNodeInput(graph, output, 1, first, 0));
    UNIT_OK(AUGraphClearConnections(graph));
    EXPECT_INTEGER(interactions(graph), 0);
    UNIT_OK(DisposeAUGraph(graph));
    UNIT(DisposeAUGraph(graph), kAudio_ParamError);
    UNIT(DisposeAUGraph(none), kAudio_ParamError);
    UNIT(NewAUGraph(NULL), kAudio_ParamError);
    UNIT(AUGraphUpdate((AUGraph)&graph, NULL), kAudio_ParamError);
}

TEST(offline, "a graph that ends in GenericOutput gives the sum, and changes with AUGraphUpdate") {
    AUGraph graph = NULL;
    Boolean is_updated = 0;
    Float32 samples[64];
    struct voice voices[3] = {make_voice(0.5f, 0), make_voice(0.25f, 0), make_voice(0.125f, 0)};
    UNIT_OK(NewAUGraph(&graph));
    AUNode mixer = add(graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
    AUNode output = add(graph, kAudioUnitType_Output, kAudioUnitSubType_GenericOutput);
    UNIT_OK(AUGraphConnectNodeInput(graph, mixer, 0, output, 0));
    UNIT_OK(AUGraphOpen(graph));
    for (UInt32 i = 0; i < 3; i++) {
        voices[i].format = float_format(44100, 1, 0);
        UNIT_OK(set_format(unit_of(graph, mixer), kAudioUnitScope_Input, i, voices[i].format));
        if (i < 2) UNIT_OK(set_input(graph, mixer, i, &voices[i]));
    }
    UNIT_OK(set_format(unit_of(graph, mixer), kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
    UNIT_OK(set_format(unit_of(graph, output), kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
    UNIT_OK(AUGraphInitialize(graph));
    expect_states(graph, 1, 1, 0);
    UNIT_OK(mix(unit_of(graph, output), 64, samples, sizeof samples, 0));
    EXPECT_NUMBER(samples[63], 0.75);
    UNIT_OK(AUGraphDisconnectNodeInput(graph, mixer, 1));
    UNIT_OK(set_input(graph, mixer, 2, &voices[2]));
    UNIT_OK(mix(unit_of(graph, output), 64, samples, sizeof samples, 64));
    EXPECT_NUMBER(samples[63], 0.75);
    UNIT_OK(AUGraphUpdate(graph, &is_updated));
    EXPECT_INTEGER(is_updated, 1);
    UNIT_OK(mix(unit_of(graph, output), 64, samples, sizeof samples, 128));
    EXPECT_NUMBER(samples[63], 0.625);
    /* An input that the mixer does not have: the update fails, and the input that it also removes goes on. */
    UNIT_OK(AUGraphDisconnectNodeInput(graph, mixer, 0));
    UNIT_OK(set_input(graph, mixer, 20, &voices[1]));
    UNIT(AUGraphUpdate(graph, &is_updated), kAudioUnitErr_InvalidElement);
    EXPECT_INTEGER(is_updated, 0);
    UNIT_OK(mix(unit_of(graph, output), 64, samples, sizeof samples, 192));
    EXPECT_NUMBER(samples[63], 0.625);
    UNIT_OK(AUGraphDisconnectNodeInput(graph, mixer, 20));
    UNIT_OK(set_input(graph, mixer, 0, &voices[0]));
    /* A converter between the mixer and the output, and then its removal. */
    AUNode converter = add(graph, kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter);
    UNIT_OK(set_format(unit_of(graph, converter), kAudioUnitScope_Output, 0, int16_format(44100, 1)));
    UNIT_OK(AUGraphDisconnectNodeInput(graph, output, 0));
    UNIT_OK(AUGraphConnectNodeInput(graph, mixer, 0, converter, 0));
    UNIT_OK(AUGraphConnectNodeInput(graph, converter, 0, output, 0));
    UNIT_OK(AUGraphUpdate(graph, NULL));
    UNIT_OK(mix(unit_of(graph, output), 64, samples, sizeof samples, 256));
    EXPECT_NUMBER(samples[63], 0.625);
    AudioUnit gone = unit_of(graph, converter);
    UNIT_OK(AUGraphRemoveNode(graph, converter));
    UNIT(AUGraphNodeInfo(graph, converter, NULL, &gone), kAUGraphErr_NodeNotFound);
    UNIT_OK(mix(unit_of(graph, output), 64, samples, sizeof samples, 320));
    EXPECT_NUMBER(samples[63], 0.625);
    UNIT_OK(AUGraphUpdate(graph, NULL));
    UNIT(mix(unit_of(graph, output), 64, samples, sizeof samples, 384), kAudioUnitErr_NoConnection);
    UNIT(AudioUnitInitialize(gone), kAudio_ParamError);
    UNIT_OK(AUGraphUninitialize(graph));
    expect_states(graph, 1, 0, 0);
    UNIT_OK(DisposeAUGraph(graph));
}

static volatile int notified;

static OSStatus notify(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *list) {
    (void)reference, (void)time, (void)bus, (void)frames, (void)list;
    if (*flags & kAudioUnitRenderAction_PreRender) __atomic_add_fetch(&notified, 1, __ATOMIC_SEQ_CST);
    return 0;
}

TEST(running, "a graph plays, changes while it plays, and stops with as many calls as it was started with") {
    AUGraph graph = NULL;
    Float32 load = -1;
    struct voice voices[2] = {make_voice(0.5f, 0), make_voice(0.25f, 0)};
    UNIT_OK(NewAUGraph(&graph));
    AUNode mixer = add(graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
    AUNode output = add(graph, kAudioUnitType_Output, kAudioUnitSubType_RemoteIO);
    for (UInt32 i = 0; i < 2; i++) voices[i].format = float_format(44100, 2, 1);
    UNIT_OK(AUGraphConnectNodeInput(graph, mixer, 0, output, 0));
    UNIT_OK(set_input(graph, mixer, 0, &voices[0]));
    UNIT_OK(AUGraphAddRenderNotify(graph, notify, NULL));
    UNIT_OK(AUGraphOpen(graph));
    UNIT_OK(AUGraphInitialize(graph));
    UNIT_OK(AUGraphStart(graph));
    UNIT_OK(AUGraphStart(graph));
    expect_states(graph, 1, 1, 1);
    WAIT_FOR(voices[0].calls, 3);
    EXPECT(notified >= 3);
    UNIT_OK(set_input(graph, mixer, 1, &voices[1]));
    UNIT_OK(AUGraphUpdate(graph, NULL));
    WAIT_FOR(voices[1].calls, 3);
    UNIT_OK(AUGraphGetCPULoad(graph, &load));
    EXPECT(load >= 0 && load <= 1);
    UNIT_OK(AUGraphGetMaxCPULoad(graph, &load));
    EXPECT(load >= 0);
    UNIT_OK(AUGraphRemoveRenderNotify(graph, notify, NULL));
    UNIT_OK(AUGraphRemoveRenderNotify(graph, notify, NULL));
    UNIT_OK(AUGraphStop(graph));
    expect_states(graph, 1, 1, 1);
    UNIT_OK(AUGraphStop(graph));
    expect_states(graph, 1, 1, 0);
    int calls = voices[0].calls;
    UNIT_OK(AUGraphStop(graph));
    EXPECT_INTEGER(voices[0].calls, calls);
    UNIT_OK(AUGraphStart(graph));
    /* Without a stop: the graph is stopped with its end. */
    UNIT_OK(DisposeAUGraph(graph));
}

TEST(show, "CAShowFile prints the nodes and the connections") {
    AUGraph graph = NULL;
    char text[1024] = "";
    FILE *file = tmpfile();
    REQUIRE(file != NULL);
    UNIT_OK(NewAUGraph(&graph));
    AUNode mixer = add(graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
    AUNode output = add(graph, kAudioUnitType_Output, kAudioUnitSubType_RemoteIO);
    UNIT_OK(AUGraphConnectNodeInput(graph, mixer, 0, output, 0));
    CAShowFile(graph, file);
    CAShowFile(&graph, file);
    rewind(file);
    EXPECT(fread(text, 1, sizeof text - 1, file) > 0);
    EXPECT(strstr(text, "node 1: MultiChannelMixer, no unit\n") != NULL);
    EXPECT(strstr(text, "    node 1 bus 0 => node 2 bus 0\n") != NULL);
    EXPECT(strstr(text, "no object of this library\n") != NULL);
    fclose(file);
    UNIT_OK(DisposeAUGraph(graph));
}
