/* SPDX-License-Identifier: Apache-2.0 */
/* The format of a connection: before its units are initialized both ends can set it, and afterwards neither can. */
#include "mixer.h"

#include <AudioToolbox/AUGraph.h>

enum { SLICE = 64 };

/* A converter that feeds GenericOutput: a source of mono floats. */
struct chain {
    AUGraph graph;
    AUNode source_node, output_node;
    AudioUnit source, output;
    struct voice voice;
    double at;
};

static AUNode add(AUGraph graph, UInt32 type, UInt32 subtype) {
    AudioComponentDescription wanted = {type, subtype, kAudioUnitManufacturer_Apple, 0, 0};
    AUNode node = -1;
    UNIT_OK(AUGraphAddNode(graph, &wanted, &node));
    return node;
}

static void begin(struct chain *chain) {
    memset(chain, 0, sizeof *chain);
    chain->voice = make_voice(0, 0);
    UNIT_OK(NewAUGraph(&chain->graph));
    chain->source_node = add(chain->graph, kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter);
    chain->output_node = add(chain->graph, kAudioUnitType_Output, kAudioUnitSubType_GenericOutput);
    UNIT_OK(AUGraphConnectNodeInput(chain->graph, chain->source_node, 0, chain->output_node, 0));
    UNIT_OK(AUGraphOpen(chain->graph));
    UNIT_OK(AUGraphNodeInfo(chain->graph, chain->source_node, NULL, &chain->source));
    UNIT_OK(AUGraphNodeInfo(chain->graph, chain->output_node, NULL, &chain->output));
    UNIT_OK(set_format(chain->source, kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
    UNIT_OK(set_format(chain->output, kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
    set_voice(chain->source, 0, float_format(44100, 1, 0), &chain->voice);
}

static void end(struct chain *chain) { UNIT_OK(DisposeAUGraph(chain->graph)); }

/* The sound of the source reaches the output, frame by frame. */
static void expect_sound(struct chain *chain, int line) {
    Float32 samples[SLICE];
    UInt32 first = chain->voice.position;
    OSStatus status = mix(chain->output, SLICE, samples, sizeof samples, chain->at);
    if (status != 0) failed(__FILE__, line, "the render gives %d", (int)status);
    for (UInt32 i = 0; i < SLICE; i++)
        if (samples[i] != voice_sample(0, first + i, 0))
            return failed(__FILE__, line, "frame %u is %g, not %g", i, samples[i], voice_sample(0, first + i, 0));
    chain->at += SLICE;
}
#define EXPECT_SOUND(chain) expect_sound(chain, __LINE__)

static double rate_of(AudioUnit unit, UInt32 scope, UInt32 element) {
    AudioStreamBasicDescription format;
    memset(&format, 0, sizeof format);
    UNIT_OK(get_format(unit, scope, element, &format));
    return format.mSampleRate;
}

static OSStatus set_rate(AudioUnit unit, UInt32 scope, UInt32 element, Float64 rate) {
    return AudioUnitSetProperty(unit, kAudioUnitProperty_SampleRate, scope, element, &rate, sizeof rate);
}

static int is_writable(AudioUnit unit, UInt32 property, UInt32 scope, UInt32 element) {
    Boolean writable = 9;
    UNIT_OK(AudioUnitGetPropertyInfo(unit, property, scope, element, NULL, &writable));
    return writable;
}

/* Every way to set the format of the connection. */
static void expect_fixed(struct chain *chain, int line) {
    const OSStatus expected = kAudioUnitErr_PropertyNotWritable;
    AudioStreamBasicDescription other = int16_format(22050, 2);
    int before = failures;
    UNIT(set_format(chain->output, kAudioUnitScope_Input, 0, other), expected);
    UNIT(set_format(chain->source, kAudioUnitScope_Output, 0, other), expected);
    UNIT(set_rate(chain->output, kAudioUnitScope_Input, 0, 22050), expected);
    UNIT(set_rate(chain->source, kAudioUnitScope_Output, 0, 22050), expected);
    UNIT(set_rate(chain->output, kAudioUnitScope_Global, 0, 22050), expected);
    EXPECT_INTEGER(is_writable(chain->output, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0), 0);
    EXPECT_INTEGER(is_writable(chain->source, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0), 0);
    EXPECT_INTEGER(is_writable(chain->output, kAudioUnitProperty_SampleRate, kAudioUnitScope_Input, 0), 0);
    /* The format that the connection has changes nothing. */
    UNIT_OK(set_format(chain->output, kAudioUnitScope_Input, 0, float_format(44100, 1, 0)));
    UNIT_OK(set_format(chain->source, kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
    UNIT_OK(set_rate(chain->output, kAudioUnitScope_Input, 0, 44100));
    UNIT_OK(set_rate(chain->source, kAudioUnitScope_Output, 0, 44100));
    EXPECT_NUMBER(rate_of(chain->output, kAudioUnitScope_Input, 0), 44100);
    EXPECT_NUMBER(rate_of(chain->source, kAudioUnitScope_Output, 0), 44100);
    if (failures != before) failed(__FILE__, line, "called here");
}
#define EXPECT_FIXED(chain) expect_fixed(chain, __LINE__)

/* A format that is set at one end applies to both. */
static void expect_carried(struct chain *chain, int line) {
    int before = failures;
    UNIT_OK(set_format(chain->output, kAudioUnitScope_Input, 0, int16_format(22050, 1)));
    EXPECT_NUMBER(rate_of(chain->source, kAudioUnitScope_Output, 0), 22050);
    UNIT_OK(set_format(chain->source, kAudioUnitScope_Output, 0, int16_format(8000, 1)));
    EXPECT_NUMBER(rate_of(chain->output, kAudioUnitScope_Input, 0), 8000);
    UNIT_OK(set_rate(chain->output, kAudioUnitScope_Input, 0, 32000));
    EXPECT_NUMBER(rate_of(chain->source, kAudioUnitScope_Output, 0), 32000);
    UNIT_OK(set_rate(chain->source, kAudioUnitScope_Output, 0, 11025));
    EXPECT_NUMBER(rate_of(chain->output, kAudioUnitScope_Input, 0), 11025);
    UNIT_OK(set_rate(chain->output, kAudioUnitScope_Global, 0, 16000));
    EXPECT_NUMBER(rate_of(chain->source, kAudioUnitScope_Output, 0), 16000);
    EXPECT_INTEGER(is_writable(chain->output, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0), 1);
    EXPECT_INTEGER(is_writable(chain->source, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0), 1);
    UNIT_OK(set_format(chain->source, kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
    if (failures != before) failed(__FILE__, line, "called here");
}
#define EXPECT_CARRIED(chain) expect_carried(chain, __LINE__)

TEST(connected, "a connection of an initialized graph keeps its format and its sound, in each of its lives") {
    struct chain chain;
    begin(&chain);
    for (int life = 0; life < 3; life++) {
        EXPECT_CARRIED(&chain);
        UNIT_OK(AUGraphInitialize(chain.graph));
        EXPECT_SOUND(&chain);
        EXPECT_FIXED(&chain);
        EXPECT_SOUND(&chain);
        UNIT_OK(AUGraphUninitialize(chain.graph));
    }
    end(&chain);
}

TEST(one_end, "a connection is fixed while a unit at one of its ends is initialized") {
    struct chain chain;
    begin(&chain);
    for (int life = 0; life < 2; life++) {
        UNIT_OK(AudioUnitInitialize(chain.source));
        EXPECT_FIXED(&chain);
        UNIT_OK(AudioUnitInitialize(chain.output));
        EXPECT_FIXED(&chain);
        UNIT_OK(AudioUnitUninitialize(chain.source));
        EXPECT_FIXED(&chain);
        UNIT_OK(AudioUnitUninitialize(chain.output));
        EXPECT_CARRIED(&chain);
    }
    end(&chain);
}

TEST(other_sides, "the sides without a connection can be set while the graph is initialized") {
    struct chain chain;
    begin(&chain);
    for (int life = 0; life < 2; life++) {
        UNIT_OK(AUGraphInitialize(chain.graph));
        EXPECT_SOUND(&chain);
        set_voice(chain.source, 0, int16_format(44100, 1), &chain.voice);
        EXPECT_SOUND(&chain);
        set_voice(chain.source, 0, float_format(44100, 1, 0), &chain.voice);
        UNIT_OK(set_format(chain.output, kAudioUnitScope_Output, 0, int16_format(44100, 1)));
        SInt16 samples[SLICE];
        UInt32 first = chain.voice.position;
        UNIT_OK(mix(chain.output, SLICE, samples, sizeof samples, chain.at));
        EXPECT_INTEGER(samples[SLICE - 1], voice_integer(0, first + SLICE - 1, 0));
        chain.at += SLICE;
        UNIT_OK(set_format(chain.output, kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
        EXPECT_SOUND(&chain);
        UNIT_OK(AUGraphUninitialize(chain.graph));
    }
    end(&chain);
}

TEST(ends, "the end of a connection makes both formats free, and a new one makes them fixed") {
    struct chain chain;
    begin(&chain);
    for (int life = 0; life < 2; life++) {
        UNIT_OK(AUGraphInitialize(chain.graph));
        EXPECT_FIXED(&chain);
        UNIT_OK(AUGraphDisconnectNodeInput(chain.graph, chain.output_node, 0));
        UNIT_OK(AUGraphUpdate(chain.graph, NULL));
        UNIT_OK(set_format(chain.source, kAudioUnitScope_Output, 0, int16_format(22050, 1)));
        UNIT_OK(set_format(chain.output, kAudioUnitScope_Input, 0, int16_format(8000, 1)));
        EXPECT_NUMBER(rate_of(chain.source, kAudioUnitScope_Output, 0), 22050);
        UNIT_OK(set_format(chain.source, kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
        UNIT_OK(AUGraphConnectNodeInput(chain.graph, chain.source_node, 0, chain.output_node, 0));
        UNIT_OK(AUGraphUpdate(chain.graph, NULL));
        EXPECT_FIXED(&chain);
        EXPECT_SOUND(&chain);
        UNIT_OK(AUGraphUninitialize(chain.graph));
    }
    end(&chain);
}

TEST(of_a_program, "a connection that a program makes is as fixed, and free when its source is disposed") {
    struct chain chain;
    for (int life = 0; life < 2; life++) {
        memset(&chain, 0, sizeof chain);
        chain.voice = make_voice(0, 0);
        chain.source = make_unit(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter);
        chain.output = make_unit(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput);
        UNIT_OK(set_format(chain.source, kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
        set_voice(chain.source, 0, float_format(44100, 1, 0), &chain.voice);
        AudioUnitConnection connection = {chain.source, 0, 0};
        UNIT_OK(AudioUnitSetProperty(
            chain.output, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, &connection, sizeof connection));
        UNIT_OK(set_format(chain.output, kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
        EXPECT_NUMBER(rate_of(chain.output, kAudioUnitScope_Input, 0), 44100);
        EXPECT_CARRIED(&chain);
        UNIT_OK(AudioUnitInitialize(chain.source));
        UNIT_OK(AudioUnitInitialize(chain.output));
        EXPECT_SOUND(&chain);
        EXPECT_FIXED(&chain);
        EXPECT_SOUND(&chain);
        if (life == 0) {
            UNIT_OK(AudioComponentInstanceDispose(chain.source));
        } else {
            connection.sourceAudioUnit = NULL;
            UNIT_OK(AudioUnitSetProperty(
                chain.output, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, &connection, sizeof connection));
            UNIT_OK(set_format(chain.source, kAudioUnitScope_Output, 0, int16_format(8000, 1)));
            UNIT_OK(AudioComponentInstanceDispose(chain.source));
        }
        UNIT_OK(set_format(chain.output, kAudioUnitScope_Input, 0, int16_format(22050, 1)));
        UNIT_OK(AudioComponentInstanceDispose(chain.output));
    }
}

TEST(mixer_inputs, "each input of a mixer is fixed by its own connection") {
    AudioUnit mixer = make_mixer(4);
    AudioUnit source = make_unit(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter);
    struct voice feed = make_voice(0, 0), other = make_voice(0.25f, 0);
    Float32 samples[SLICE];
    UNIT_OK(set_format(mixer, kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
    UNIT_OK(set_format(source, kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
    set_voice(source, 0, float_format(44100, 1, 0), &feed);
    set_voice(mixer, 1, float_format(44100, 1, 0), &other);
    AudioUnitConnection connection = {source, 0, 3};
    UNIT_OK(
        AudioUnitSetProperty(mixer, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 3, &connection, sizeof connection));
    for (int life = 0; life < 2; life++) {
        UNIT_OK(AudioUnitInitialize(source));
        UNIT_OK(AudioUnitInitialize(mixer));
        UNIT(set_format(mixer, kAudioUnitScope_Input, 3, int16_format(22050, 1)), kAudioUnitErr_PropertyNotWritable);
        UNIT(set_rate(mixer, kAudioUnitScope_Input, 3, 22050), kAudioUnitErr_PropertyNotWritable);
        UNIT(set_format(source, kAudioUnitScope_Output, 0, int16_format(22050, 1)), kAudioUnitErr_PropertyNotWritable);
        UNIT_OK(set_format(mixer, kAudioUnitScope_Input, 0, int16_format(22050, 1)));
        set_voice(mixer, 1, int16_format(44100, 1), &other);
        UInt32 first = feed.position;
        UNIT_OK(mix(mixer, SLICE, samples, sizeof samples, 0));
        EXPECT_NUMBER(samples[SLICE - 1], voice_sample(0, first + SLICE - 1, 0) + 0.25f);
        UNIT_OK(AudioUnitUninitialize(mixer));
        UNIT_OK(AudioUnitUninitialize(source));
        UNIT_OK(set_rate(mixer, kAudioUnitScope_Input, 3, 22050));
        EXPECT_NUMBER(rate_of(source, kAudioUnitScope_Output, 0), 22050);
        UNIT_OK(set_rate(source, kAudioUnitScope_Output, 0, 44100));
        EXPECT_NUMBER(rate_of(mixer, kAudioUnitScope_Input, 3), 44100);
    }
    UNIT_OK(AudioComponentInstanceDispose(mixer));
    UNIT_OK(AudioComponentInstanceDispose(source));
}
