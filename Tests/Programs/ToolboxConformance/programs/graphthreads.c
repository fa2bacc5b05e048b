/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of one graph from several threads: they wait for each other, except on a thread that renders. */
#include "mixer.h"

#include <AudioToolbox/AUGraph.h>

struct rendering {
    AUGraph graph;
    AUNode mixer, output;
    AudioUnit unit;
    /* The step of the render callback, and the results of the calls in it. */
    volatile int step, called;
    volatile OSStatus results[4];
};

static AUNode add(AUGraph graph, UInt32 type, UInt32 subtype) {
    AudioComponentDescription wanted = {type, subtype, kAudioUnitManufacturer_Apple, 0, 0};
    AUNode node = -1;
    UNIT_OK(AUGraphAddNode(graph, &wanted, &node));
    return node;
}

static OSStatus render_and_call(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
    struct rendering *rendering = (struct rendering *)reference;
    AudioComponentDescription wanted = {kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter, 0, 0, 0};
    AUNode node = 0;
    UInt32 count = 0;
    (void)flags, (void)time, (void)bus, (void)frames;
    for (UInt32 i = 0; i < list->mNumberBuffers; i++) memset(list->mBuffers[i].mData, 0, list->mBuffers[i].mDataByteSize);
    if (rendering->step == 1) {
        rendering->step = 0;
        rendering->results[0] = AUGraphAddNode(rendering->graph, &wanted, &node);
        rendering->results[1] = AUGraphRemoveNode(rendering->graph, node);
        rendering->results[2] = AUGraphGetNodeCount(rendering->graph, &count);
        rendering->results[3] = AUGraphUpdate(rendering->graph, NULL);
        __atomic_store_n(&rendering->called, 1, __ATOMIC_SEQ_CST);
    }
    return 0;
}

/* A graph that plays a mixer. */
static void begin(struct rendering *rendering) {
    memset(rendering, 0, sizeof *rendering);
    BEGIN_SESSION();
    UNIT_OK(NewAUGraph(&rendering->graph));
    rendering->mixer = add(rendering->graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
    rendering->output = add(rendering->graph, kAudioUnitType_Output, kAudioUnitSubType_RemoteIO);
    UNIT_OK(AUGraphConnectNodeInput(rendering->graph, rendering->mixer, 0, rendering->output, 0));
    AURenderCallbackStruct callback = {render_and_call, rendering};
    UNIT_OK(AUGraphSetNodeInputCallback(rendering->graph, rendering->mixer, 0, &callback));
    UNIT_OK(AUGraphOpen(rendering->graph));
    UNIT_OK(AUGraphNodeInfo(rendering->graph, rendering->mixer, NULL, &rendering->unit));
    UNIT_OK(AUGraphInitialize(rendering->graph));
}

TEST(in_a_callback, "a call on the thread that renders works while no other thread changes the graph") {
    struct rendering rendering;
    begin(&rendering);
    for (int life = 0; life < 2; life++) {
        UNIT_OK(AUGraphStart(rendering.graph));
        rendering.called = 0;
        rendering.step = 1;
        WAIT_FOR(rendering.called, 1);
        for (int i = 0; i < 4; i++) EXPECT_INTEGER(rendering.results[i], 0);
        UNIT_OK(AUGraphStop(rendering.graph));
        UNIT_OK(AUGraphUninitialize(rendering.graph));
        UNIT_OK(AUGraphInitialize(rendering.graph));
    }
    UNIT_OK(DisposeAUGraph(rendering.graph));
}

enum { THREADS = 4, TURNS = 60 };

static struct rendering shared;
static volatile int done;

/* Adds a node, connects it, and removes it again. */
static void *change_graph(void *data) {
    UInt32 input = (UInt32)(size_t)data + 1;
    for (int turn = 0; turn < TURNS; turn++) {
        AUNode node = add(shared.graph, kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter);
        UNIT_OK(AUGraphConnectNodeInput(shared.graph, node, 0, shared.mixer, input));
        UNIT_OK(AUGraphUpdate(shared.graph, NULL));
        UNIT_OK(AUGraphDisconnectNodeInput(shared.graph, shared.mixer, input));
        UNIT_OK(AUGraphRemoveNode(shared.graph, node));
        UNIT_OK(AUGraphUpdate(shared.graph, NULL));
    }
    __atomic_add_fetch(&done, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

/* Ends and begins the sound, which waits for the callback that runs. */
static void *stop_and_start(void *nothing) {
    (void)nothing;
    while (__atomic_load_n(&done, __ATOMIC_SEQ_CST) < THREADS) {
        UNIT_OK(AUGraphStop(shared.graph));
        UNIT_OK(AUGraphUninitialize(shared.graph));
        UNIT_OK(AUGraphInitialize(shared.graph));
        UNIT_OK(AUGraphStart(shared.graph));
    }
    return NULL;
}

TEST(many_threads, "calls of many threads wait until they can run: none fails, and the graph ends as it began") {
    pthread_t threads[THREADS], other;
    UInt32 count = 0;
    begin(&shared);
    for (int life = 0; life < 2; life++) {
        done = 0;
        UNIT_OK(AUGraphStart(shared.graph));
        pthread_create(&other, NULL, stop_and_start, NULL);
        for (size_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, change_graph, (void *)i);
        for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
        pthread_join(other, NULL);
        UNIT_OK(AUGraphGetNodeCount(shared.graph, &count));
        EXPECT_INTEGER(count, 2);
        UNIT_OK(AUGraphGetNumberOfInteractions(shared.graph, &count));
        EXPECT_INTEGER(count, 2);
        UNIT_OK(AUGraphStop(shared.graph));
        UNIT_OK(AUGraphClose(shared.graph));
        UNIT_OK(AUGraphOpen(shared.graph));
        UNIT_OK(AUGraphInitialize(shared.graph));
    }
    UNIT_OK(DisposeAUGraph(shared.graph));
}

/* Two callbacks that wait for each other's thread. */
static volatile int is_inside, may_leave;
static OSStatus result_of_update, result_of_add;

static OSStatus wait_inside(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
    struct rendering *rendering = (struct rendering *)reference;
    AudioComponentDescription wanted = {kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter, 0, 0, 0};
    AUNode node = 0;
    (void)flags, (void)time, (void)bus, (void)frames;
    for (UInt32 i = 0; i < list->mNumberBuffers; i++) memset(list->mBuffers[i].mData, 0, list->mBuffers[i].mDataByteSize);
    if (rendering->step != 2) return 0;
    rendering->step = 0;
    __atomic_store_n(&is_inside, 1, __ATOMIC_SEQ_CST);
    /* The other thread has begun to end the graph, and waits for this callback. From then on both calls fail. */
    do {
        result_of_update = AUGraphUpdate(rendering->graph, NULL);
        result_of_add = result_of_update ? AUGraphAddNode(rendering->graph, &wanted, &node) : 0;
    } while (result_of_update == 0);
    __atomic_store_n(&may_leave, 1, __ATOMIC_SEQ_CST);
    return 0;
}

static void *uninitialize(void *data) {
    UNIT_OK(AUGraphUninitialize(((struct rendering *)data)->graph));
    return NULL;
}

TEST(while_another_waits, "a call on the thread that renders fails while another thread ends the sound, and changes nothing") {
    struct rendering rendering;
    pthread_t other;
    UInt32 count = 0;
    begin(&rendering);
    AURenderCallbackStruct callback = {wait_inside, &rendering};
    UNIT_OK(AUGraphDisconnectNodeInput(rendering.graph, rendering.mixer, 0));
    UNIT_OK(AUGraphSetNodeInputCallback(rendering.graph, rendering.mixer, 0, &callback));
    UNIT_OK(AUGraphUpdate(rendering.graph, NULL));
    for (int life = 0; life < 2; life++) {
        is_inside = may_leave = 0;
        UNIT_OK(AUGraphStart(rendering.graph));
        rendering.step = 2;
        WAIT_FOR(is_inside, 1);
        pthread_create(&other, NULL, uninitialize, &rendering);
        pthread_join(other, NULL);
        EXPECT_INTEGER(may_leave, 1);
        EXPECT_INTEGER(result_of_update, kAUGraphErr_CannotDoInCurrentContext);
        EXPECT_INTEGER(result_of_add, kAUGraphErr_CannotDoInCurrentContext);
        UNIT_OK(AUGraphGetNodeCount(rendering.graph, &count));
        EXPECT_INTEGER(count, 2);
        UNIT_OK(AUGraphInitialize(rendering.graph));
    }
    UNIT_OK(DisposeAUGraph(rendering.graph));
}

TEST(output_node, "the output node of a running graph cannot be removed; that of one that does not run can") {
    struct rendering rendering;
    Boolean running = 9;
    begin(&rendering);
    for (int life = 0; life < 2; life++) {
        UNIT_OK(AUGraphStart(rendering.graph));
        UNIT(AUGraphRemoveNode(rendering.graph, rendering.output), kAUGraphErr_OutputNodeErr);
        UNIT_OK(AUGraphIsRunning(rendering.graph, &running));
        EXPECT_INTEGER(running, 1);
        UNIT_OK(AUGraphStop(rendering.graph));
    }
    UNIT_OK(AUGraphRemoveNode(rendering.graph, rendering.output));
    UNIT_OK(AUGraphUpdate(rendering.graph, NULL));
    UNIT(AUGraphStart(rendering.graph), kAUGraphErr_OutputNodeErr);
    rendering.output = add(rendering.graph, kAudioUnitType_Output, kAudioUnitSubType_RemoteIO);
    UNIT_OK(AUGraphConnectNodeInput(rendering.graph, rendering.mixer, 0, rendering.output, 0));
    UNIT_OK(AUGraphUpdate(rendering.graph, NULL));
    UNIT_OK(AUGraphInitialize(rendering.graph));
    UNIT_OK(AUGraphStart(rendering.graph));
    rendering.called = 0;
    rendering.step = 1;
    WAIT_FOR(rendering.called, 1);
    UNIT_OK(AUGraphStop(rendering.graph));
    UNIT_OK(DisposeAUGraph(rendering.graph));
}
