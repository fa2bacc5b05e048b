/* SPDX-License-Identifier: Apache-2.0 */
/* The units, queues and graphs of this process in audiosessionctl. */
#include "toolbox.h"

static volatile int slices, buffers;

static OSStatus play_nothing(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
    (void)reference, (void)flags, (void)time, (void)bus, (void)frames;
    memset(list->mBuffers[0].mData, 0, list->mBuffers[0].mDataByteSize);
    __atomic_add_fetch(&slices, 1, __ATOMIC_SEQ_CST);
    return 0;
}

static void enqueue_again(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    (void)data;
    buffer->mAudioDataByteSize = buffer->mAudioDataBytesCapacity;
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
    __atomic_add_fetch(&buffers, 1, __ATOMIC_SEQ_CST);
}

/* The output of a command. */
static const char *output_of(const char *command) {
    static char text[65536];
    FILE *pipe = popen(command, "r");
    REQUIRE(pipe != NULL);
    size_t length = fread(text, 1, sizeof text - 1, pipe);
    text[length] = '\0';
    EXPECT_INTEGER(pclose(pipe), 0);
    return text;
}

static void expect_words(int line, const char *text, const char *words) {
    if (!strstr(text, words)) failed(__FILE__, line, "\"%s\" is not in %s", words, text);
}
#define EXPECT_WORDS(text, words) expect_words(__LINE__, text, words)

static AudioQueueRef start_queue(void) {
    AudioQueueRef queue = NULL;
    AudioStreamBasicDescription format = int16_format(22050, 1);
    UNIT_OK(AudioQueueNewOutput(&format, enqueue_again, NULL, NULL, NULL, 0, &queue));
    REQUIRE(queue != NULL);
    for (int i = 0; i < 3; i++) {
        AudioQueueBufferRef buffer = NULL;
        UNIT_OK(AudioQueueAllocateBuffer(queue, 22050, &buffer));
        REQUIRE(buffer != NULL);
        enqueue_again(NULL, queue, buffer);
    }
    UNIT_OK(AudioQueueStart(queue, NULL));
    return queue;
}

TEST(status, "audiosessionctl status shows the unit and the queue of a program while they are there") {
    AudioUnit unit = make_io();
    UNIT_OK(set_format(unit, kAudioUnitScope_Input, 0, int16_format(44100, 2)));
    UNIT_OK(set_render_callback(unit, play_nothing, NULL));
    UNIT_OK(AudioUnitInitialize(unit));
    EXPECT_WORDS(output_of("audiosessionctl status --json"), "\"kind\":\"RemoteIO\",\"state\":\"stopped\"");
    UNIT_OK(AudioOutputUnitStart(unit));
    AudioQueueRef queue = start_queue();
    WAIT_FOR(slices, 20);
    WAIT_FOR(buffers, 5);

    const char *text = output_of("audiosessionctl status --json");
    EXPECT_WORDS(text, "\"kind\":\"RemoteIO\",\"state\":\"running\"");
    EXPECT_WORDS(text, "\"output\":{\"rate\":44100.0,\"channels\":2,\"sample\":\"int16\",\"interleaved\":true}");
    EXPECT_WORDS(text, "\"slice\":1024");
    EXPECT_WORDS(text, "\"load\":0");
    EXPECT_WORDS(text, "\"realTime\":");
    EXPECT_WORDS(text, "\"kind\":\"output queue\",\"state\":\"running\"");
    EXPECT_WORDS(text, "\"rate\":22050.0,\"channels\":1");

    UNIT_OK(AudioQueuePause(queue));
    EXPECT_WORDS(output_of("audiosessionctl status --json"), "\"kind\":\"output queue\",\"state\":\"paused\",");
    UNIT_OK(AudioQueueDispose(queue, true));
    UNIT_OK(AudioComponentInstanceDispose(unit));
    text = output_of("audiosessionctl status --json");
    EXPECT_WORDS(text, "\"units\":[]");
    EXPECT_WORDS(text, "\"queues\":[]");
}

static AUNode add(AUGraph graph, OSType type, OSType subtype) {
    AudioComponentDescription wanted;
    AUNode node = 0;
    memset(&wanted, 0, sizeof wanted);
    wanted.componentType = type;
    wanted.componentSubType = subtype;
    UNIT_OK(AUGraphAddNode(graph, &wanted, &node));
    return node;
}

TEST(graphs, "audiosessionctl status shows a graph from its creation to its end, with the state of its output unit") {
    AUGraph graph = NULL;
    AURenderCallbackStruct callback = {play_nothing, NULL};
    UNIT_OK(NewAUGraph(&graph));
    EXPECT_WORDS(output_of("audiosessionctl status --json"), "\"graphs\":[{\"pid\":");
    AUNode mixer = add(graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
    AUNode output = add(graph, kAudioUnitType_Output, kAudioUnitSubType_RemoteIO);
    UNIT_OK(AUGraphConnectNodeInput(graph, mixer, 0, output, 0));
    UNIT_OK(AUGraphSetNodeInputCallback(graph, mixer, 0, &callback));
    const char *text = output_of("audiosessionctl status --json");
    EXPECT_WORDS(text, "\"kind\":\"AUGraph\",\"state\":\"closed\"");
    EXPECT_WORDS(text, "\"nodes\":2,\"connections\":1,\"callbacks\":1,");
    EXPECT_WORDS(text, "\"units\":[]");
    UNIT_OK(AUGraphOpen(graph));
    EXPECT_WORDS(output_of("audiosessionctl status --json"), "\"kind\":\"AUGraph\",\"state\":\"open\"");
    UNIT_OK(AUGraphInitialize(graph));
    text = output_of("audiosessionctl status --json");
    EXPECT_WORDS(text, "\"kind\":\"AUGraph\",\"state\":\"initialized\"");
    EXPECT_WORDS(text, "\"outputUnit\":\"RemoteIO\"");
    int before = slices;
    UNIT_OK(AUGraphStart(graph));
    WAIT_FOR(slices, before + 3);
    EXPECT_WORDS(output_of("audiosessionctl status"), "AUGraph            running");
    UNIT_OK(AUGraphUninitialize(graph));
    EXPECT_WORDS(output_of("audiosessionctl status --json"), "\"kind\":\"AUGraph\",\"state\":\"open\"");
    UNIT_OK(DisposeAUGraph(graph));
    EXPECT_WORDS(output_of("audiosessionctl status --json"), "\"graphs\":[]");
}
