/* SPDX-License-Identifier: Apache-2.0 */
/* A program in C with one object that does nothing: a test counts what the program costs meanwhile. A line of the standard input is
   "open" or "close" and the name of an object, or a change of the simulated machine. Each has an answer. An interruption and
   a change of the route print a line as well. */
#include <AudioToolbox/AudioToolbox.h>
#include <AudioToolbox/AudioSessionLinux.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static AudioQueueRef queue;
static AudioUnit unit;
static AUGraph graph;
static AudioFileStreamID stream;

static const AudioStreamBasicDescription format = {.mSampleRate = 48000,
    .mFormatID = kAudioFormatLinearPCM,
    .mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
    .mBytesPerPacket = 4,
    .mFramesPerPacket = 1,
    .mBytesPerFrame = 4,
    .mChannelsPerFrame = 2,
    .mBitsPerChannel = 16};

static void interrupted(void *unused, UInt32 state) {
    (void)unused;
    puts(state == kAudioSessionBeginInterruption ? "event began" : "event ended");
}

static void changed(void *unused, AudioSessionPropertyID property, UInt32 size, const void *data) {
    (void)unused, (void)property, (void)size, (void)data;
    puts("event route");
}

static void has_buffer(void *unused, AudioQueueRef of, AudioQueueBufferRef buffer) { (void)unused, (void)of, (void)buffer; }
static void has_property(
    void *unused, AudioFileStreamID of, AudioFileStreamPropertyID property, AudioFileStreamPropertyFlags *flags) {
    (void)unused, (void)of, (void)property, (void)flags;
}
static void has_packets(void *unused, UInt32 bytes, UInt32 count, const void *data, AudioStreamPacketDescription *packets) {
    (void)unused, (void)bytes, (void)count, (void)data, (void)packets;
}

static OSStatus open_queue(void) {
    AudioQueueBufferRef buffer;
    OSStatus status = AudioQueueNewOutput(&format, has_buffer, NULL, NULL, NULL, 0, &queue);
    if (status == 0) status = AudioQueueAllocateBuffer(queue, 19200, &buffer);
    if (status != 0) return status;
    memset(buffer->mAudioData, 0, 19200);
    buffer->mAudioDataByteSize = 19200;
    status = AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
    if (status == 0) status = AudioQueueStart(queue, NULL);
    return status == 0 ? AudioQueuePause(queue) : status;
}

static AudioComponentDescription io_unit(void) {
    AudioComponentDescription description = {
        kAudioUnitType_Output, kAudioUnitSubType_RemoteIO, kAudioUnitManufacturer_Apple, 0, 0};
    return description;
}

static OSStatus open_unit(void) {
    AudioComponentDescription description = io_unit();
    AudioComponent component = AudioComponentFindNext(NULL, &description);
    OSStatus status = AudioComponentInstanceNew(component, &unit);
    if (status == 0) status = AudioUnitInitialize(unit);
    if (status == 0) status = AudioOutputUnitStart(unit);
    return status == 0 ? AudioOutputUnitStop(unit) : status;
}

static OSStatus open_graph(void) {
    AudioComponentDescription description = io_unit();
    AUNode node;
    OSStatus status = NewAUGraph(&graph);
    if (status == 0) status = AUGraphAddNode(graph, &description, &node);
    if (status == 0) status = AUGraphOpen(graph);
    if (status == 0) status = AUGraphInitialize(graph);
    if (status == 0) status = AUGraphStart(graph);
    return status == 0 ? AUGraphStop(graph) : status;
}

static OSStatus open_object(const char *name) {
    if (strcmp(name, "session") == 0) return AudioSessionSetActive(true);
    if (strcmp(name, "queue") == 0) return open_queue();
    if (strcmp(name, "unit") == 0) return open_unit();
    if (strcmp(name, "graph") == 0) return open_graph();
    if (strcmp(name, "stream") == 0) return AudioFileStreamOpen(NULL, has_property, has_packets, 0, &stream);
    return -1;
}

static OSStatus close_object(const char *name) {
    if (strcmp(name, "session") == 0) return AudioSessionSetActive(false);
    if (strcmp(name, "queue") == 0) return AudioQueueDispose(queue, true);
    if (strcmp(name, "unit") == 0) return AudioComponentInstanceDispose(unit);
    if (strcmp(name, "graph") == 0) return DisposeAUGraph(graph);
    if (strcmp(name, "stream") == 0) return AudioFileStreamClose(stream);
    return -1;
}

static OSStatus perform(const char *line) {
    if (strncmp(line, "open ", 5) == 0) return open_object(line + 5);
    if (strncmp(line, "close ", 6) == 0) return close_object(line + 6);
    return AudioSessionLinuxSimulate(line);
}

int main(void) {
    UInt32 category = kAudioSessionCategory_MediaPlayback;
    char line[64];
    setvbuf(stdout, NULL, _IOLBF, 0);
    setvbuf(stdin, NULL, _IONBF, 0);
    if (AudioSessionInitialize(NULL, NULL, interrupted, NULL) != 0) return 1;
    AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category);
    AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, changed, NULL);
    puts("ready");
    struct pollfd waiting[2] = {{STDIN_FILENO, POLLIN, 0}, {AudioSessionLinuxEventDescriptor(), POLLIN, 0}};
    while (poll(waiting, 2, -1) > 0) {
        if (waiting[1].revents) AudioSessionLinuxDispatchEvents();
        if (waiting[0].revents) {
            if (!fgets(line, sizeof line, stdin)) break;
            line[strcspn(line, "\n")] = 0;
            printf("%s: %d\n", line, (int)perform(line));
        }
    }
    return 0;
}
