/* SPDX-License-Identifier: Apache-2.0 */
/* A mixer of sound files with faders in the terminal: an AUGraph of a MultiChannelMixer and RemoteIO. Files of any type and
   rate play in a loop. A call stops the graph, and its end starts it again.

       cc mixer.c $(pkg-config --cflags --libs audiotoolbox) -lm -o mixer
       ./mixer FILE...

   A line "2 0.5" sets the fader of the second file, "2 pan -1" moves it to the left, "2 off" and "2 on" mute it, and "quit"
   ends. An empty line shows the faders. */
#include <AudioToolbox/AudioToolboxLinux.h>
#include <AudioToolbox/AudioToolbox.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 16, LONGEST = 60 /* seconds */ };

/* A file in memory, as the samples that the mixer takes: the audio thread reads no file. */
struct track {
    const char *path;
    Float32 *samples; /* stereo */
    UInt32 frames, position;
    double rate;
};

static struct track tracks[MOST];
static UInt32 trackCount;
static AUGraph graph;
static AudioUnit mixer;

static void check(OSStatus status, const char *what) {
    if (status == noErr) return;
    fprintf(stderr, "mixer: %s: %s\n", what, AudioToolboxLinuxStatusName(status));
    exit(1);
}

static AudioStreamBasicDescription stereo(double rate) {
    AudioStreamBasicDescription format = {rate, kAudioFormatLinearPCM,
        kAudioFormatFlagIsFloat | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked, 8, 1, 8, 2, 32, 0};
    return format;
}

static void load(struct track *track, const char *path) {
    ExtAudioFileRef file;
    AudioStreamBasicDescription stored, format;
    UInt32 size = sizeof stored;
    track->path = path;
    check(ExtAudioFileLinuxOpenPath(path, &file), path);
    check(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileDataFormat, &size, &stored), path);
    track->rate = stored.mSampleRate;
    format = stereo(track->rate);
    check(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof format, &format), path);
    UInt32 room = (UInt32)(LONGEST * track->rate), frames = room;
    track->samples = (Float32 *)calloc(room, 8);
    if (!track->samples) check(kAudio_MemFullError, path);
    AudioBufferList list = {1, {{2, room * 8, track->samples}}};
    check(ExtAudioFileRead(file, &frames, &list), path);
    track->frames = frames;
    if (frames == 0) check(kAudio_ParamError, path);
    check(ExtAudioFileDispose(file), path);
}

static OSStatus play(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *list) {
    struct track *track = (struct track *)reference;
    Float32 *samples = (Float32 *)list->mBuffers[0].mData;
    (void)flags, (void)time, (void)bus;
    for (UInt32 i = 0; i < frames; i++) {
        memcpy(samples + 2 * i, track->samples + 2 * track->position, 8);
        if (++track->position == track->frames) track->position = 0;
    }
    return noErr;
}

static void makeGraph(void) {
    AudioComponentDescription mixing = {
        kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer, kAudioUnitManufacturer_Apple, 0, 0};
    AudioComponentDescription output = {kAudioUnitType_Output, kAudioUnitSubType_RemoteIO, kAudioUnitManufacturer_Apple, 0, 0};
    AUNode mixerNode, outputNode;
    UInt32 on = 1;
    check(NewAUGraph(&graph), "NewAUGraph");
    check(AUGraphAddNode(graph, &mixing, &mixerNode), "the mixer");
    check(AUGraphAddNode(graph, &output, &outputNode), "RemoteIO");
    check(AUGraphConnectNodeInput(graph, mixerNode, 0, outputNode, 0), "AUGraphConnectNodeInput");
    check(AUGraphOpen(graph), "AUGraphOpen");
    check(AUGraphNodeInfo(graph, mixerNode, NULL, &mixer), "AUGraphNodeInfo");
    check(AudioUnitSetProperty(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &trackCount, sizeof trackCount),
        "the inputs");
    for (UInt32 i = 0; i < trackCount; i++) {
        AudioStreamBasicDescription format = stereo(tracks[i].rate);
        AURenderCallbackStruct callback = {play, &tracks[i]};
        check(AudioUnitSetProperty(mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, i, &format, sizeof format),
            tracks[i].path);
        check(AudioUnitSetProperty(mixer, kAudioUnitProperty_MeteringMode, kAudioUnitScope_Input, i, &on, sizeof on), "a meter");
        check(AUGraphSetNodeInputCallback(graph, mixerNode, i, &callback), "AUGraphSetNodeInputCallback");
    }
    check(AUGraphInitialize(graph), "AUGraphInitialize");
}

static Float32 get(AudioUnitParameterID parameter, UInt32 input) {
    Float32 value = 0;
    check(AudioUnitGetParameter(mixer, parameter, kAudioUnitScope_Input, input, &value), "AudioUnitGetParameter");
    return value;
}

static void set(AudioUnitParameterID parameter, UInt32 input, Float32 value) {
    check(AudioUnitSetParameter(mixer, parameter, kAudioUnitScope_Input, input, value, 0), "AudioUnitSetParameter");
}

static void show(void) {
    for (UInt32 i = 0; i < trackCount; i++) {
        int fader = (int)(get(kMultiChannelMixerParam_Volume, i) * 20 + 0.5f);
        printf("%2u [%-20.*s] %5.1f dB %s %s\n", (unsigned)i + 1, fader, "####################",
            get(kMultiChannelMixerParam_PostPeakHoldLevel, i), get(kMultiChannelMixerParam_Enable, i) != 0 ? "on " : "off",
            tracks[i].path);
    }
    fflush(stdout);
}

static void command(const char *line) {
    unsigned input;
    float value;
    char word[8];
    if (sscanf(line, "%u pan %f", &input, &value) == 2 && input >= 1 && input <= trackCount)
        set(kMultiChannelMixerParam_Pan, input - 1, value);
    else if (sscanf(line, "%u %f", &input, &value) == 2 && input >= 1 && input <= trackCount)
        set(kMultiChannelMixerParam_Volume, input - 1, value);
    else if (sscanf(line, "%u %7s", &input, word) == 2 && input >= 1 && input <= trackCount)
        set(kMultiChannelMixerParam_Enable, input - 1, strcmp(word, "off") != 0);
    show();
}

static void interrupted(void *data, UInt32 state) {
    (void)data;
    if (state == kAudioSessionEndInterruption) check(AUGraphStart(graph), "AUGraphStart");
    printf(state == kAudioSessionBeginInterruption ? "a call stops the music\n" : "the music goes on\n");
    fflush(stdout);
}

int main(int argc, char **argv) {
    char line[100];
    /* poll sees what is not read: no line waits in a buffer. */
    setvbuf(stdin, NULL, _IONBF, 0);
    if (argc < 2 || argc > MOST + 1) return fprintf(stderr, "usage: mixer FILE...\n"), 1;
    for (trackCount = 0; trackCount < (UInt32)argc - 1; trackCount++) load(&tracks[trackCount], argv[trackCount + 1]);
    check(AudioSessionInitialize(NULL, NULL, interrupted, NULL), "AudioSessionInitialize");
    makeGraph();
    check(AUGraphStart(graph), "AUGraphStart");
    show();
    for (;;) {
        struct pollfd events[2] = {{STDIN_FILENO, POLLIN, 0}, {AudioSessionLinuxEventDescriptor(), POLLIN, 0}};
        if (poll(events, 2, -1) < 0) continue;
        if (events[1].revents) AudioSessionLinuxDispatchEvents();
        if (!events[0].revents) continue;
        if (!fgets(line, sizeof line, stdin) || strncmp(line, "quit", 4) == 0) break;
        command(line);
    }
    check(DisposeAUGraph(graph), "DisposeAUGraph");
    return 0;
}
