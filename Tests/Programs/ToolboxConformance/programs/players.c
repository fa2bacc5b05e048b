/* SPDX-License-Identifier: Apache-2.0 */
/* ScheduledSoundPlayer and AudioFilePlayer in a graph that ends in GenericOutput: what they play, and what is dropped. */
#include "mixer.h"

#include <AudioToolbox/AUGraph.h>
#include <AudioToolbox/AudioFile.h>
#include <AudioToolbox/AudioToolboxLinux.h>

enum { FRAMES = 20000 };

struct player {
    AUGraph graph;
    AudioUnit unit, output;
};

static AUNode add(AUGraph graph, UInt32 type, UInt32 subtype) {
    AudioComponentDescription wanted = {type, subtype, kAudioUnitManufacturer_Apple, 0, 0};
    AUNode node = -1;
    UNIT_OK(AUGraphAddNode(graph, &wanted, &node));
    return node;
}

static struct player begin(UInt32 subtype) {
    struct player player;
    memset(&player, 0, sizeof player);
    UNIT_OK(NewAUGraph(&player.graph));
    AUNode source = add(player.graph, kAudioUnitType_Generator, subtype);
    AUNode output = add(player.graph, kAudioUnitType_Output, kAudioUnitSubType_GenericOutput);
    UNIT_OK(AUGraphConnectNodeInput(player.graph, source, 0, output, 0));
    UNIT_OK(AUGraphOpen(player.graph));
    UNIT_OK(AUGraphNodeInfo(player.graph, source, NULL, &player.unit));
    UNIT_OK(AUGraphNodeInfo(player.graph, output, NULL, &player.output));
    /* The connection carries the format on. */
    UNIT_OK(set_format(player.unit, kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
    UNIT_OK(set_format(player.output, kAudioUnitScope_Output, 0, float_format(44100, 1, 0)));
    UNIT_OK(AUGraphInitialize(player.graph));
    return player;
}

static AudioFileID make_file(const char *path) {
    static SInt16 samples[FRAMES];
    AudioStreamBasicDescription format = int16_format(44100, 1);
    AudioFileID file = NULL;
    UInt32 size = sizeof samples;
    format.mReserved = 0;
    for (int i = 0; i < FRAMES; i++) samples[i] = (SInt16)i;
    UNIT_OK(AudioFileLinuxCreateWithPath(path, kAudioFileWAVEType, &format, kAudioFileFlags_EraseFile, &file));
    UNIT_OK(AudioFileWriteBytes(file, 0, 0, &size, samples));
    UNIT_OK(AudioFileClose(file));
    UNIT_OK(AudioFileLinuxOpenPath(path, kAudioFileReadPermission, 0, &file));
    return file;
}

static volatile int completions, dropped;

static void completed(void *data, ScheduledAudioFileRegion *region, OSStatus result) {
    EXPECT(data == &completions);
    EXPECT(region->mAudioFile != NULL);
    if (result == -128) __atomic_add_fetch(&dropped, 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&completions, 1, __ATOMIC_SEQ_CST);
}

static OSStatus set_global(AudioUnit unit, UInt32 property, const void *value, UInt32 size) {
    return AudioUnitSetProperty(unit, property, kAudioUnitScope_Global, 0, value, size);
}

static void start(AudioUnit unit) {
    AudioTimeStamp time;
    memset(&time, 0, sizeof time);
    time.mFlags = kAudioTimeStampSampleTimeValid;
    time.mSampleTime = -1;
    UNIT_OK(set_global(unit, kAudioUnitProperty_ScheduleStartTimeStamp, &time, sizeof time));
}

static double play_time(AudioUnit unit) {
    AudioTimeStamp time;
    UInt32 size = sizeof time;
    UNIT_OK(AudioUnitGetProperty(unit, kAudioUnitProperty_CurrentPlayTime, kAudioUnitScope_Global, 0, &time, &size));
    return time.mSampleTime;
}

TEST(files, "a file player plays a region, repeats it, and drops it with a reset") {
    struct player player = begin(kAudioUnitSubType_AudioFilePlayer);
    AudioFileID file = make_file("players.wav");
    static Float32 samples[1000];
    UInt32 none = 0;
    completions = dropped = 0;
    UNIT_OK(set_global(player.unit, kAudioUnitProperty_ScheduledFileIDs, &file, sizeof file));
    for (int life = 0; life < 2; life++) {
        ScheduledAudioFileRegion region;
        memset(&region, 0, sizeof region);
        region.mTimeStamp.mFlags = kAudioTimeStampSampleTimeValid;
        region.mCompletionProc = completed;
        region.mCompletionProcUserData = (void *)&completions;
        region.mAudioFile = file;
        region.mLoopCount = 1;
        region.mStartFrame = 1000;
        region.mFramesToPlay = 5000;
        UNIT_OK(set_global(player.unit, kAudioUnitProperty_ScheduledFileRegion, &region, sizeof region));
        region.mTimeStamp.mFlags = 0;
        region.mStartFrame = 0;
        region.mLoopCount = (UInt32)-1;
        region.mFramesToPlay = (UInt32)-1;
        UNIT_OK(set_global(player.unit, kAudioUnitProperty_ScheduledFileRegion, &region, sizeof region));
        UNIT_OK(set_global(player.unit, kAudioUnitProperty_ScheduledFilePrime, &none, sizeof none));
        EXPECT_NUMBER(play_time(player.unit), -1);
        start(player.unit);
        for (int position = 0; position < 60000; position += 1000) {
            UNIT_OK(mix(player.output, 1000, samples, sizeof samples, position));
            for (int i = 0; i < 1000; i++) {
                int at = position + i;
                int expected = at < 10000 ? 1000 + at % 5000 : (at - 10000) % FRAMES;
                if (samples[i] != (Float32)expected / 32768)
                    return failed(__FILE__, __LINE__, "frame %d is %g, not %d", at, samples[i] * 32768, expected);
            }
        }
        EXPECT_NUMBER(play_time(player.unit), 60000);
        WAIT_FOR(completions, 2 * life + 1);
        EXPECT_INTEGER(dropped, life);
        UNIT_OK(AudioUnitReset(player.unit, kAudioUnitScope_Global, 0));
        EXPECT_INTEGER(completions, 2 * life + 2);
        EXPECT_INTEGER(dropped, life + 1);
        EXPECT_NUMBER(play_time(player.unit), -1);
        UNIT_OK(mix(player.output, 1000, samples, sizeof samples, 60000));
        EXPECT_NUMBER(samples[0], 0);
    }
    UNIT_OK(DisposeAUGraph(player.graph));
    UNIT_OK(AudioFileClose(file));
}

TEST(unknown, "the number and the size of the buffers of a file player are no properties") {
    struct player player = begin(kAudioUnitSubType_AudioFilePlayer);
    for (int life = 0; life < 2; life++) {
        for (UInt32 property = kAudioUnitProperty_ScheduledFileBufferSizeFrames;
             property <= kAudioUnitProperty_ScheduledFileNumberBuffers; property++) {
            UInt32 value = 4, size = sizeof value;
            Boolean writable = 9;
            UNIT(set_global(player.unit, property, &value, sizeof value), kAudioUnitErr_InvalidProperty);
            UNIT(AudioUnitGetProperty(player.unit, property, kAudioUnitScope_Global, 0, &value, &size),
                kAudioUnitErr_InvalidProperty);
            UNIT(AudioUnitGetPropertyInfo(player.unit, property, kAudioUnitScope_Global, 0, &size, &writable),
                kAudioUnitErr_InvalidProperty);
        }
        UNIT_OK(AUGraphUninitialize(player.graph));
        UNIT_OK(AUGraphInitialize(player.graph));
    }
    UNIT_OK(DisposeAUGraph(player.graph));
}

TEST(slices, "a sound player plays the program's buffers one behind another") {
    struct player player = begin(kAudioUnitSubType_ScheduledSoundPlayer);
    static Float32 sounds[2][300], samples[1000];
    ScheduledAudioSlice slices[2];
    AudioBufferList lists[2];
    memset(slices, 0, sizeof slices);
    for (int i = 0; i < 2; i++) {
        for (int frame = 0; frame < 300; frame++) sounds[i][frame] = (Float32)(i + 1) / 4;
        lists[i].mNumberBuffers = 1;
        lists[i].mBuffers[0].mNumberChannels = 1;
        lists[i].mBuffers[0].mDataByteSize = sizeof sounds[i];
        lists[i].mBuffers[0].mData = sounds[i];
        slices[i].mNumberFrames = 300;
        slices[i].mBufferList = &lists[i];
        UNIT_OK(set_global(player.unit, kAudioUnitProperty_ScheduleAudioSlice, &slices[i], sizeof slices[i]));
    }
    start(player.unit);
    UNIT_OK(mix(player.output, 1000, samples, sizeof samples, 0));
    for (int i = 0; i < 1000; i++) EXPECT_NUMBER(samples[i], i < 300 ? 0.25 : i < 600 ? 0.5 : 0);
    for (int i = 0; i < 2; i++) EXPECT(slices[i].mFlags & kScheduledAudioSliceFlag_BeganToRender);
    UNIT_OK(AudioUnitReset(player.unit, kAudioUnitScope_Global, 0));
    for (int i = 0; i < 2; i++) EXPECT(slices[i].mFlags & kScheduledAudioSliceFlag_Complete);
    slices[0].mNumberFrames = 301;
    UNIT(set_global(player.unit, kAudioUnitProperty_ScheduleAudioSlice, &slices[0], sizeof slices[0]),
        kAudioUnitErr_InvalidPropertyValue);
    UNIT_OK(DisposeAUGraph(player.graph));
}
