/* SPDX-License-Identifier: Apache-2.0 */
/* The log of AUDIOSESSION_DEBUG=1: calls of units, queues, converters and files. */
#include "toolbox.h"

#include <AudioToolbox/AUGraph.h>
#include <AudioToolbox/AudioFileStream.h>
#include <AudioToolbox/AudioToolboxLinux.h>
#include <AudioToolbox/SystemSounds.h>

/* The log of the calls since the last take contains the text. */
#define EXPECT_LOGGED(text) \
    do { \
        const char *log_ = take_log(); \
        if (!strstr(log_, (text))) failed(__FILE__, __LINE__, "the log lacks \"%s\": %s", (text), log_); \
    } while (0)

#define EXPECT_NOTHING_LOGGED() EXPECT_TEXT(take_log(), "")

TEST(silence, "without AUDIOSESSION_DEBUG nothing is printed") {
    ExtAudioFileRef file;
    AudioUnit unit = make_io();
    AudioStreamBasicDescription format = int16_format(44100, 2);
    format.mBytesPerFrame = 3;
    EXPECT(set_format(unit, kAudioUnitScope_Input, 0, format) != 0);
    EXPECT(AudioQueueStart(NULL, NULL) != 0);
    EXPECT(ExtAudioFileLinuxOpenPath("/none.wav", &file) != 0);
    UNIT_OK(AudioComponentInstanceDispose(unit));
    /* The runner fails a test that prints on standard error. */
}

TEST(units, "a unit's property is logged with its scope, its value and the fields of a format that contradict each other") {
    AudioStreamBasicDescription format = int16_format(44100, 2);
    begin_log();
    AudioUnit unit = make_io();
    UNIT_OK(set_format(unit, kAudioUnitScope_Input, 0, format));
    EXPECT_LOGGED("AudioUnitSetProperty(RemoteIO, kAudioUnitProperty_StreamFormat, Input, 0, Linear PCM, 16 bit little-endian "
                  "signed integer, 2 channels, 44100 Hz) = 0\n");
    format.mBytesPerFrame = 3;
    EXPECT(set_format(unit, kAudioUnitScope_Input, 0, format) != 0);
    EXPECT_LOGGED("44100 Hz) = kAudioUnitErr_FormatNotSupported (-10868): mBytesPerFrame is 3, and the samples of a frame have 4 "
                  "bytes\n");
    UNIT(set_number(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 0, 1), kAudioUnitErr_InvalidElement);
    EXPECT_LOGGED("(-10877): EnableIO is set in Output 0 for playing, and in Input 1 for recording\n");
    UNIT(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, 35),
        kAudioUnitErr_InvalidPropertyValue);
    EXPECT_LOGGED("(-10851): the size is 35 bytes, and the type has 40\n");
    UNIT(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, NULL, 40),
        kAudioUnitErr_InvalidPropertyValue);
    EXPECT_LOGGED("(-10851): the pointer is NULL\n");
    format = int16_format(44100, 2);
    format.mFormatFlags = kAudioFormatFlagIsPacked;
    UNIT_OK(set_format(unit, kAudioUnitScope_Input, 0, format));
    EXPECT_LOGGED(" = 0: the samples are unsigned: kAudioFormatFlagIsSignedInteger is not set\n");
    UNIT(set_number(unit, 999, kAudioUnitScope_Global, 0, 1), kAudioUnitErr_InvalidProperty);
    EXPECT_LOGGED("(-10879): no unit has a property of this number\n");
    UNIT_OK(set_number(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, 1));
    EXPECT_LOGGED("AudioUnitSetProperty(RemoteIO, kAudioOutputUnitProperty_EnableIO, Output, 0, 1) = 0\n");
    UNIT(AudioOutputUnitStart(unit), kAudioUnitErr_Uninitialized);
    EXPECT_LOGGED("AudioOutputUnitStart(RemoteIO) = kAudioUnitErr_Uninitialized (-10867): AudioUnitInitialize comes first\n");
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

TEST(components, "a component that does not exist is named in four characters, with the one to use") {
    AudioUnit unit = NULL;
    AudioComponentDescription any;
    AudioComponent component = NULL;
    begin_log();
    EXPECT(find(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput) == NULL);
    EXPECT_LOGGED("AudioComponentFindNext('auou', 'def ', 'appl') = NULL: there is no such component; only a Mac has it: use "
                  "kAudioUnitSubType_RemoteIO ('rioc')\n");
    EXPECT(find(kAudioUnitType_Effect, kAudioUnitSubType_Reverb2) == NULL);
    EXPECT_LOGGED("AudioComponentFindNext('aufx', 'rvb2', 'appl') = NULL: there is no such component; the components are "
                  "'auou' 'rioc', ");
    EXPECT(AudioComponentFindNext(NULL, NULL) == NULL);
    EXPECT_LOGGED("AudioComponentFindNext(NULL) = NULL: the description is NULL\n");
    EXPECT(AudioComponentInstanceNew(NULL, &unit) != 0);
    EXPECT_LOGGED("AudioComponentInstanceNew(?) = kAudio_ParamError (-50): the component is NULL: AudioComponentFindNext has "
                  "found none\n");
    EXPECT(AudioComponentInstanceNew((AudioComponent)&unit, &unit) != 0);
    EXPECT_LOGGED("AudioComponentInstanceNew(?) = kAudio_ParamError (-50): the pointer is no component\n");
    EXPECT(AudioComponentInstanceNew(find(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO), NULL) != 0);
    EXPECT_LOGGED("AudioComponentInstanceNew(?) = kAudio_ParamError (-50): the pointer to the instance is NULL\n");
    /* A search that ends, and one that finds, are no mistakes. */
    memset(&any, 0, sizeof any);
    while ((component = AudioComponentFindNext(component, &any)) != NULL) continue;
    EXPECT_NOTHING_LOGGED();
}

TEST(failed_calls, "a call that an audio thread may make is logged if it fails on another thread") {
    AudioUnitParameterEvent event;
    AudioUnitParameterValue value;
    AudioUnitRenderActionFlags flags = 0;
    UInt32 size = 64;
    unsigned char data[64];
    begin_log();
    AudioUnit unit = make_unit(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput);
    take_log();
    UNIT(AudioUnitSetParameter(unit, 99, kAudioUnitScope_Global, 0, 1, 0), kAudioUnitErr_InvalidParameter);
    EXPECT_LOGGED("AudioUnitSetParameter(GenericOutput, 99, Global, 0) = kAudioUnitErr_InvalidParameter (-10878): ");
    UNIT(AudioUnitGetParameter(unit, 99, kAudioUnitScope_Output, 0, &value), kAudioUnitErr_InvalidParameter);
    EXPECT_LOGGED("AudioUnitGetParameter(GenericOutput, 99, Output, 0) = kAudioUnitErr_InvalidParameter (-10878): ");
    memset(&event, 0, sizeof event);
    UNIT(AudioUnitScheduleParameters(unit, &event, 1), kAudio_ParamError);
    EXPECT_LOGGED("AudioUnitScheduleParameters(GenericOutput, 1) = kAudio_ParamError (-50): ");
    UNIT(render_into(unit, &flags, 16, data, &size, 0), kAudioUnitErr_Uninitialized);
    EXPECT_LOGGED("AudioUnitRender(GenericOutput, element 0, 16 frames) = kAudioUnitErr_Uninitialized (-10867): "
                  "AudioUnitInitialize comes first\n");
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

TEST(system_sounds, "a system sound that is not loaded is logged with the reason") {
    SystemSoundID sound;
    FILE *file = fopen("text.wav", "w");
    REQUIRE(file && fputs("no sound", file) >= 0 && fclose(file) == 0);
    begin_log();
    EXPECT_INTEGER(AudioServicesLinuxCreateSystemSoundIDWithPath("none.wav", &sound), kAudioServicesSystemSoundUnspecifiedError);
    EXPECT_LOGGED(
        "AudioServicesLinuxCreateSystemSoundIDWithPath(none.wav) = kAudioServicesSystemSoundUnspecifiedError (-1500): the "
        "file cannot be opened: No such file or directory\n");
    EXPECT_INTEGER(AudioServicesLinuxCreateSystemSoundIDWithPath("text.wav", &sound), kAudioServicesSystemSoundUnspecifiedError);
    EXPECT_LOGGED("(-1500): this is not a sound file that can be read: ");
    /* 31 seconds of 8,000 Hz, mono, 8 bits. */
    static const unsigned char header[44] = {'R', 'I', 'F', 'F', 0x84, 0xC8, 3, 0, 'W', 'A', 'V', 'E', 'f', 'm', 't', ' ', 16, 0,
        0, 0, 1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x40, 0x1F, 0, 0, 1, 0, 8, 0, 'd', 'a', 't', 'a', 0x60, 0xC8, 3, 0};
    file = fopen("long.wav", "wb");
    REQUIRE(file && fwrite(header, sizeof header, 1, file) == 1 && fclose(file) == 0);
    REQUIRE(truncate("long.wav", 44 + 31 * 8000) == 0);
    EXPECT_INTEGER(AudioServicesLinuxCreateSystemSoundIDWithPath("long.wav", &sound), kAudioServicesSystemSoundUnspecifiedError);
    EXPECT_LOGGED("(-1500): a system sound lasts at most 30 seconds\n");
    EXPECT_INTEGER(AudioServicesDisposeSystemSoundID(4242), kAudioServicesSystemSoundUnspecifiedError);
    EXPECT_LOGGED(
        "AudioServicesDisposeSystemSoundID(4242) = kAudioServicesSystemSoundUnspecifiedError (-1500): no sound has this "
        "number\n");
    EXPECT_INTEGER(AudioServicesAddSystemSoundCompletion(kSystemSoundID_Vibrate, NULL, NULL, NULL, NULL), kAudio_ParamError);
    EXPECT_LOGGED("AudioServicesAddSystemSoundCompletion(4095) = kAudio_ParamError (-50): ");
    EXPECT_TEXT(AudioToolboxLinuxStatusName(-1500), "kAudioServicesSystemSoundUnspecifiedError (-1500)");
    EXPECT_TEXT(AudioToolboxLinuxStatusName(-1501), "kAudioServicesSystemSoundClientTimedOutError (-1501)");
}

static AudioUnit stopped_unit;
static volatile int stops;

static OSStatus stop_inside(
    void *data, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *list) {
    (void)data, (void)flags, (void)time, (void)bus, (void)frames, (void)list;
    AudioOutputUnitStop(stopped_unit);
    __atomic_add_fetch(&stops, 1, __ATOMIC_RELEASE);
    return 0;
}

TEST(stop_in_callback, "a stop in a callback of the unit is said to be one") {
    begin_log();
    stopped_unit = make_io();
    UNIT_OK(set_render_callback(stopped_unit, stop_inside, NULL));
    UNIT_OK(AudioUnitInitialize(stopped_unit));
    UNIT_OK(AudioOutputUnitStart(stopped_unit));
    WAIT_FOR(stops, 1);
    EXPECT_LOGGED("AudioOutputUnitStop(RemoteIO) = 0: in a callback of the unit");
    UNIT_OK(AudioComponentInstanceDispose(stopped_unit));
}

static OSStatus fail_inside(
    void *data, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *list) {
    (void)data, (void)flags, (void)time, (void)bus, (void)frames, (void)list;
    __atomic_add_fetch(&stops, 1, __ATOMIC_RELEASE);
    return kAudio_ParamError;
}

TEST(silent_unit, "a unit without a callback, and one whose callback fails, are said to be silent") {
    stops = 0;
    begin_log();
    AudioUnit unit = make_io();
    UNIT_OK(AudioUnitInitialize(unit));
    UNIT_OK(AudioOutputUnitStart(unit));
    EXPECT_LOGGED("AudioOutputUnitStart(RemoteIO) = 0: the output is silent without a render callback: set one, or set EnableIO "
                  "to 0 in Output 0\n");
    UNIT_OK(AudioOutputUnitStop(unit));
    take_log();
    UNIT_OK(set_render_callback(unit, fail_inside, NULL));
    UNIT_OK(AudioOutputUnitStart(unit));
    EXPECT_LOGGED("AudioOutputUnitStart(RemoteIO) = 0\n");
    WAIT_FOR(stops, 2);
    UNIT_OK(AudioOutputUnitStop(unit));
    EXPECT_LOGGED(" renders were silent: the callback or a source failed, at last with kAudio_ParamError (-50)\n");
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

static volatile int returned;

static void count_buffer(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    (void)data, (void)queue, (void)buffer;
    __atomic_add_fetch(&returned, 1, __ATOMIC_RELEASE);
}

TEST(queues, "a queue's calls are logged with formats, properties and parameters, and a start without buffers says so") {
    AudioStreamBasicDescription format = int16_format(22050, 1);
    AudioQueueRef queue;
    AudioQueueBufferRef buffer, none;
    UInt32 on = 1;
    begin_log();
    EXPECT_OK(AudioQueueNewOutput(&format, count_buffer, NULL, NULL, NULL, 0, &queue));
    EXPECT_LOGGED("AudioQueueNewOutput(Linear PCM, 16 bit little-endian signed integer, 1 channel, 22050 Hz) = 0\n");
    EXPECT_OK(AudioQueueSetProperty(queue, kAudioQueueProperty_EnableLevelMetering, &on, sizeof on));
    EXPECT_LOGGED("AudioQueueSetProperty(kAudioQueueProperty_EnableLevelMetering) = 0\n");
    EXPECT_OK(AudioQueueSetParameter(queue, kAudioQueueParam_Volume, 0.5f));
    EXPECT_LOGGED("AudioQueueSetParameter(kAudioQueueParam_Volume, 0.5) = 0\n");
    EXPECT_INTEGER(AudioQueueSetParameter(queue, kAudioQueueParam_Pitch, 7), kAudioQueueErr_InvalidParameter);
    EXPECT_LOGGED("AudioQueueSetParameter(kAudioQueueParam_Pitch, 7) = kAudioQueueErr_InvalidParameter (-66682): ");
    EXPECT_OK(AudioQueueStart(queue, NULL));
    EXPECT_LOGGED("AudioQueueStart(NULL) = 0: the queue has no buffers");
    EXPECT_OK(AudioQueueStop(queue, true));
    EXPECT_INTEGER(AudioQueueAllocateBuffer(queue, 0, &buffer), kAudio_ParamError);
    EXPECT_LOGGED("AudioQueueAllocateBuffer(0 bytes) = kAudio_ParamError (-50): an argument is NULL or 0, ");
    EXPECT_OK(AudioQueueAllocateBuffer(queue, 400, &buffer));
    EXPECT_OK(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
    take_log();
    EXPECT_OK(AudioQueueStart(queue, NULL));
    EXPECT_LOGGED("AudioQueueStart(NULL) = 0: no enqueued buffer has a whole frame: set mAudioDataByteSize\n");
    EXPECT_OK(AudioQueueStop(queue, true));
    buffer->mAudioDataByteSize = 402;
    EXPECT_INTEGER(AudioQueueAllocateBufferWithPacketDescriptions(queue, 0, 3, &none), kAudio_ParamError);
    EXPECT_LOGGED("AudioQueueAllocateBufferWithPacketDescriptions(0 bytes, 3) = kAudio_ParamError (-50): ");
    EXPECT_INTEGER(
        AudioQueueEnqueueBufferWithParameters(queue, NULL, 0, NULL, 0, 0, 0, NULL, NULL, NULL), kAudioQueueErr_InvalidBuffer);
    EXPECT_LOGGED("AudioQueueEnqueueBufferWithParameters() = kAudioQueueErr_InvalidBuffer (-66687): ");
    EXPECT_INTEGER(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL), kAudioQueueErr_InvalidBuffer);
    EXPECT_LOGGED("(-66687): the pointer is no buffer of this queue, or mAudioDataByteSize exceeds its capacity\n");
    take_log();
    EXPECT_OK(AudioQueueStop(queue, true));
    EXPECT_LOGGED("AudioQueueStop(true) = 0\n");
    EXPECT_OK(AudioQueueDispose(queue, true));
    EXPECT_LOGGED("AudioQueueDispose(true) = 0\n");
    EXPECT_INTEGER(AudioQueueStart(queue, NULL), kAudioQueueErr_QueueInvalidated);
    EXPECT_LOGGED("AudioQueueStart(NULL) = kAudioQueueErr_QueueInvalidated (-66671): the queue was disposed\n");
}

TEST(null_arguments, "the log names the arguments of a new queue that are NULL") {
    AudioStreamBasicDescription format = int16_format(22050, 1);
    AudioQueueRef queue;
    begin_log();
    EXPECT_INTEGER(AudioQueueNewOutput(NULL, count_buffer, NULL, NULL, NULL, 0, &queue), kAudio_ParamError);
    EXPECT_LOGGED("AudioQueueNewOutput(NULL) = kAudio_ParamError (-50): inFormat is NULL\n");
    EXPECT_INTEGER(AudioQueueNewOutput(&format, NULL, NULL, NULL, NULL, 0, NULL), kAudio_ParamError);
    EXPECT_LOGGED("22050 Hz) = kAudio_ParamError (-50): inCallbackProc and outAQ are NULL\n");
    EXPECT_INTEGER(AudioQueueNewInput(&format, NULL, NULL, NULL, NULL, 0, &queue), kAudio_ParamError);
    EXPECT_LOGGED("22050 Hz) = kAudio_ParamError (-50): inCallbackProc is NULL\n");
}

TEST(contradictory_queue, "a format of a queue is logged with the fields that contradict each other") {
    AudioStreamBasicDescription format = int16_format(22050, 2);
    AudioQueueRef queue;
    format.mBytesPerPacket = 2;
    begin_log();
    EXPECT(AudioQueueNewOutput(&format, count_buffer, NULL, NULL, NULL, 0, &queue) != 0);
    EXPECT_LOGGED("2 channels, 22050 Hz (mBytesPerPacket");
}

static void count_packets(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer, const AudioTimeStamp *start,
    UInt32 packets, const AudioStreamPacketDescription *descriptions) {
    (void)data, (void)queue, (void)buffer, (void)start, (void)packets, (void)descriptions;
}

TEST(missing_codec, "a queue of a codec that is not installed logs the package of the codec") {
    AudioStreamBasicDescription format = int16_format(44100, 2);
    AudioQueueRef queue = (AudioQueueRef)&format;
    setenv("AUDIOTOOLBOX_CODECS", "/nowhere", 1);
    memset(&format.mFormatFlags, 0, sizeof format - offsetof(AudioStreamBasicDescription, mFormatFlags));
    format.mFormatID = kAudioFormatMPEG4AAC;
    format.mChannelsPerFrame = 2;
    begin_log();
    EXPECT_INTEGER(AudioQueueNewOutput(&format, count_buffer, NULL, NULL, NULL, 0, &queue), kAudioQueueErr_CodecNotFound);
    EXPECT(queue == NULL);
    const char *log_ = take_log();
    EXPECT(strstr(log_, "install audiotoolbox-codecs-ffmpeg") != NULL);
    EXPECT(strstr(log_, "kAudioQueueErr_CodecNotFound (-66673): ") != NULL);
    EXPECT_INTEGER(AudioQueueNewInput(&format, count_packets, NULL, NULL, NULL, 0, &queue), kAudioQueueErr_CodecNotFound);
    EXPECT(strstr(take_log(), "no encoder of 'aac '; install audiotoolbox-codecs-ffmpeg") != NULL);
    // No package encodes MP3.
    format.mFormatID = kAudioFormatMPEGLayer3;
    EXPECT_INTEGER(
        AudioQueueNewInput(&format, count_packets, NULL, NULL, NULL, 0, &queue), kAudioFormatUnsupportedDataFormatError);
    EXPECT(strstr(take_log(), "install") == NULL);
}

TEST(enqueue, "an enqueued buffer is not logged; packet descriptions that lie and a second enqueue are") {
    AudioStreamBasicDescription format = int16_format(22050, 1);
    AudioStreamPacketDescription packet = {100, 0, 100};
    AudioQueueBufferRef buffer;
    AudioQueueRef queue;
    begin_log();
    EXPECT_OK(AudioQueueNewOutput(&format, count_buffer, NULL, NULL, NULL, 0, &queue));
    EXPECT_OK(AudioQueueAllocateBuffer(queue, 150, &buffer));
    memset(buffer->mAudioData, 0, 150);
    buffer->mAudioDataByteSize = 150;
    (void)take_log();
    EXPECT_OK(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
    EXPECT_NOTHING_LOGGED();
    EXPECT_INTEGER(AudioQueueEnqueueBuffer(queue, buffer, 1, &packet), kAudioQueueErr_BufferEnqueuedTwice);
    const char *log_ = take_log();
    EXPECT(strstr(log_, "packet description 0 has 100 bytes from 100 on, and mAudioDataByteSize is 150\n") != NULL);
    EXPECT(strstr(log_, "AudioQueueEnqueueBuffer() = kAudioQueueErr_BufferEnqueuedTwice (-66666): ") != NULL);
    EXPECT_OK(AudioQueueDispose(queue, true));
}

TEST(converters, "a converter's formats, properties and results are logged by name") {
    AudioStreamBasicDescription from = int16_format(44100, 2), to = int16_format(8000, 1);
    AudioConverterRef converter;
    UInt32 quality = kAudioConverterQuality_Max;
    begin_log();
    EXPECT_OK(AudioConverterNew(&from, &to, &converter));
    EXPECT_LOGGED("2 channels, 44100 Hz -> Linear PCM, 16 bit little-endian signed integer, 1 channel, 8000 Hz) = 0\n");
    EXPECT_OK(AudioConverterSetProperty(converter, kAudioConverterSampleRateConverterQuality, sizeof quality, &quality));
    EXPECT_LOGGED("AudioConverterSetProperty(kAudioConverterSampleRateConverterQuality) = 0\n");
    EXPECT_INTEGER(AudioConverterSetProperty(converter, kAudioConverterInputChannelLayout, 4, &quality), CODE("!siz"));
    EXPECT_LOGGED("(kAudioConverterInputChannelLayout) = kAudioConverterErr_BadPropertySizeError ('!siz'): ");
    UInt32 size = sizeof quality;
    EXPECT_INTEGER(AudioConverterGetProperty(converter, kAudioConverterEncodeBitRate, &size, &quality), CODE("prop"));
    EXPECT_LOGGED("(kAudioConverterEncodeBitRate) = kAudioConverterErr_PropertyNotSupported ('prop'): ");
    EXPECT_OK(AudioConverterDispose(converter));
    EXPECT_LOGGED("AudioConverterDispose() = 0\n");
    to.mFormatID = CODE("none");
    EXPECT_INTEGER(AudioConverterNew(&from, &to, &converter), CODE("fmt?"));
    EXPECT_LOGGED("-> 'none', 1 channel, 8000 Hz) = kAudioConverterErr_FormatNotSupported ('fmt?'): ");
}

TEST(files, "a file's path, format, properties and results are logged by name; reading and writing is not") {
    AudioStreamBasicDescription format = int16_format(44100, 1);
    ExtAudioFileRef file;
    SInt16 samples[10];
    UInt32 frames = 10;
    AudioBufferList list;
    memset(samples, 0, sizeof samples);
    list.mNumberBuffers = 1;
    list.mBuffers[0].mNumberChannels = 1;
    list.mBuffers[0].mDataByteSize = sizeof samples;
    list.mBuffers[0].mData = samples;
    begin_log();
    EXPECT_OK(ExtAudioFileLinuxCreateWithPath("logged.wav", kAudioFileWAVEType, &format, NULL, kAudioFileFlags_EraseFile, &file));
    EXPECT_LOGGED("ExtAudioFileLinuxCreateWithPath(logged.wav, Linear PCM, 16 bit little-endian signed integer, 1 channel");
    format.mBytesPerFrame = 7;
    EXPECT(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof format, &format) != 0);
    EXPECT_LOGGED("ExtAudioFileSetProperty(kExtAudioFileProperty_ClientDataFormat, Linear PCM, 16 bit little-endian signed "
                  "integer, 1 channel, 44100 Hz (mBytesPerPacket");
    EXPECT_OK(ExtAudioFileWrite(file, frames, &list));
    EXPECT_NOTHING_LOGGED();
    EXPECT_OK(ExtAudioFileDispose(file));
    EXPECT_LOGGED("ExtAudioFileDispose() = 0\n");
    EXPECT_INTEGER(ExtAudioFileLinuxOpenPath("none.wav", &file), kAudioFileFileNotFoundError);
    EXPECT_LOGGED(
        "ExtAudioFileLinuxOpenPath(none.wav) = kAudioFileFileNotFoundError (-43): the file or its folder does not exist\n");
}

static void ignore_property(void *data, AudioFileStreamID stream, AudioFileStreamPropertyID property, UInt32 *flags) {
    (void)data, (void)stream, (void)property, (void)flags;
}

static void ignore_packets(
    void *data, UInt32 bytes, UInt32 packets, const void *sound, AudioStreamPacketDescription *descriptions) {
    (void)data, (void)bytes, (void)packets, (void)sound, (void)descriptions;
}

TEST(graphs_and_streams, "the results of a graph, its units' among them, and those of a file stream are logged by name") {
    AudioStreamBasicDescription format;
    UInt32 size = sizeof format;
    AudioComponentDescription mixer = {
        kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer, kAudioUnitManufacturer_Apple, 0, 0};
    AudioComponentDescription io = {kAudioUnitType_Output, kAudioUnitSubType_RemoteIO, kAudioUnitManufacturer_Apple, 0, 0};
    AURenderCallbackStruct callback = {fail_inside, NULL};
    AudioFileStreamID stream;
    AUNode node, output;
    AUGraph graph;
    begin_log();
    EXPECT_OK(NewAUGraph(&graph));
    EXPECT_INTEGER(AUGraphRemoveNode(graph, 7), kAUGraphErr_NodeNotFound);
    EXPECT_LOGGED("AUGraphRemoveNode() = kAUGraphErr_NodeNotFound (-10860): the graph has no such node\n");
    EXPECT_INTEGER(AUGraphStart(graph), kAUGraphErr_InvalidAudioUnit);
    EXPECT_LOGGED("AUGraphStart() = kAUGraphErr_InvalidAudioUnit (-10864): ");
    EXPECT_OK(AUGraphOpen(graph));
    EXPECT_INTEGER(AUGraphStart(graph), kAudioUnitErr_Uninitialized);
    EXPECT_LOGGED("AUGraphStart() = kAudioUnitErr_Uninitialized (-10867): AUGraphInitialize comes first\n");
    EXPECT_OK(AUGraphAddNode(graph, &mixer, &node));
    EXPECT_LOGGED("AUGraphAddNode('aumx' 'mcmx') = 0\n");
    EXPECT_OK(AUGraphSetNodeInputCallback(graph, node, 20, &callback));
    EXPECT_LOGGED("AUGraphSetNodeInputCallback(node 1 input 20) = 0\n");
    EXPECT_OK(AUGraphAddNode(graph, &io, &output));
    EXPECT_OK(AUGraphConnectNodeInput(graph, node, 0, output, 0));
    EXPECT_LOGGED("AUGraphConnectNodeInput(node 1 output 0 to node 2 input 0) = 0\n");
    EXPECT_INTEGER(AUGraphInitialize(graph), kAudioUnitErr_InvalidElement);
    EXPECT_LOGGED("(-10877): a unit has no input of this number: set kAudioUnitProperty_ElementCount");
    EXPECT_OK(DisposeAUGraph(graph));
    EXPECT_OK(AudioFileStreamOpen(NULL, ignore_property, ignore_packets, 0, &stream));
    EXPECT_INTEGER(AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_DataFormat, &size, &format), CODE("unk?"));
    EXPECT_LOGGED(
        "AudioFileStreamGetProperty(kAudioFileStreamProperty_DataFormat) = kAudioFileStreamError_ValueUnknown ('unk?'): ");
    EXPECT_OK(AudioFileStreamClose(stream));
}

TEST(status_names, "a result has a name, of the session first, and any other number is text itself") {
    EXPECT_TEXT(AudioToolboxLinuxStatusName(0), "noErr (0)");
    EXPECT_TEXT(AudioToolboxLinuxStatusName(kAudioUnitErr_NoConnection), "kAudioUnitErr_NoConnection (-10876)");
    EXPECT_TEXT(AudioToolboxLinuxStatusName(kAudioQueueErr_InvalidBuffer), "kAudioQueueErr_InvalidBuffer (-66687)");
    EXPECT_TEXT(AudioToolboxLinuxStatusName(kAudioFileFileNotFoundError), "kAudioFileFileNotFoundError (-43)");
    EXPECT_TEXT(AudioToolboxLinuxStatusName(kExtAudioFileError_InvalidSeek), "kExtAudioFileError_InvalidSeek (-66568)");
    EXPECT_TEXT(AudioToolboxLinuxStatusName((OSStatus)CODE("insz")), "kAudioConverterErr_InvalidInputSize ('insz')");
    EXPECT_TEXT(AudioToolboxLinuxStatusName((OSStatus)CODE("!siz")), "kAudioSessionBadPropertySizeError ('!siz')");
    EXPECT_TEXT(AudioToolboxLinuxStatusName((OSStatus)CODE("off?")), "kAudioFileDoesNotAllow64BitDataSizeError ('off?')");
    EXPECT_TEXT(AudioToolboxLinuxStatusName(kAUGraphErr_NodeNotFound), "kAUGraphErr_NodeNotFound (-10860)");
    EXPECT_TEXT(AudioToolboxLinuxStatusName((OSStatus)CODE("dsc!")), "kAudioFileStreamError_DiscontinuityCantRecover ('dsc!')");
    EXPECT_TEXT(AudioToolboxLinuxStatusName(12), "12");
    EXPECT_TEXT(AudioToolboxLinuxStatusName(INT_MIN), "-2147483648");
}
