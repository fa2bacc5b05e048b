/* SPDX-License-Identifier: Apache-2.0 */
/* A voice memo in the platform's own style: an audio queue records, its callback writes the packets into a file.

       cc memo.c $(pkg-config --cflags --libs audiotoolbox) -o memo
       ./memo SECONDS FILE.wav */
#include <AudioToolbox/AudioToolbox.h>
#include <AudioToolbox/AudioSessionLinux.h>
#include <AudioToolbox/AudioToolboxLinux.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BUFFERS = 3 };

static AudioFileID file;
static SInt64 packet, lastPacket;
static int ended[2]; /* a pipe: the main thread waits for the end */

static void check(OSStatus status, const char *what) {
    if (status == 0) return;
    fprintf(stderr, "memo: %s: %s\n", what, AudioToolboxLinuxStatusName(status));
    exit(1);
}

/* Called on the queue's thread when a buffer has been filled. */
static void take(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer, const AudioTimeStamp *start, UInt32 packets,
    const AudioStreamPacketDescription *descriptions) {
    (void)data, (void)start;
    if (lastPacket - packet < packets) packets = (UInt32)(lastPacket - packet);
    check(AudioFileWritePackets(file, false, packets * 2, descriptions, packet, &packets, buffer->mAudioData), "writing");
    packet += packets;
    if (packet < lastPacket)
        check(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL), "enqueuing a buffer");
    else if (write(ended[1], "", 1) != 1)
        exit(1);
}

int main(int count, char **arguments) {
    UInt32 category = kAudioSessionCategory_RecordAudio, size;
    AudioStreamBasicDescription format = {
        .mSampleRate = 0, /* that of the hardware */
        .mFormatID = kAudioFormatLinearPCM,
        .mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
        .mBytesPerPacket = 2,
        .mFramesPerPacket = 1,
        .mBytesPerFrame = 2,
        .mChannelsPerFrame = 1,
        .mBitsPerChannel = 16,
    };
    AudioQueueRef queue;
    char end;
    if (count != 3 || pipe(ended) != 0) {
        fputs("usage: memo SECONDS FILE.wav\n", stderr);
        return 2;
    }
    check(AudioSessionInitialize(NULL, NULL, NULL, NULL), "the session");
    check(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category), "the category");
    check(AudioQueueNewInput(&format, take, NULL, NULL, NULL, 0, &queue), "making the queue");
    size = sizeof format;
    check(AudioQueueGetProperty(queue, kAudioQueueProperty_StreamDescription, &format, &size), "the format");
    lastPacket = (SInt64)(atof(arguments[1]) * format.mSampleRate);
    check(AudioFileLinuxCreateWithPath(arguments[2], kAudioFileWAVEType, &format, kAudioFileFlags_EraseFile, &file), "the file");
    for (int i = 0; i < BUFFERS; i++) {
        AudioQueueBufferRef buffer;
        check(AudioQueueAllocateBuffer(queue, (UInt32)format.mSampleRate / 10 * 2, &buffer), "allocating a buffer");
        check(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL), "enqueuing a buffer");
    }
    check(AudioQueueStart(queue, NULL), "starting");
    printf("recording at %.0f Hz\n", format.mSampleRate);
    if (read(ended[0], &end, 1) != 1) return 1;
    check(AudioQueueDispose(queue, true), "disposing of the queue");
    check(AudioFileClose(file), "closing the file");
    printf("%lld frames\n", (long long)packet);
    return 0;
}
