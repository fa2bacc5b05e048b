/* SPDX-License-Identifier: Apache-2.0 */
/* convert FROM TO TYPE FORMAT BITS FLAGS [RATE [FRAME]]: reads a file with ExtAudioFile as floats and writes another one. RATE 0 is
   that of the file. Seeks to FRAME first. Prints the frames of both. TYPE and FORMAT are four characters; TYPE "raw " writes
   16-bit samples without a header. */
#include <AudioToolbox/AudioToolboxLinux.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 1000 };

static UInt32 code(const char *text) {
    return (UInt32)(unsigned char)text[0] << 24 | (UInt32)(unsigned char)text[1] << 16 | (UInt32)(unsigned char)text[2] << 8 |
        (UInt32)(unsigned char)text[3];
}

static void check(const char *call, OSStatus status) {
    if (status == 0) return;
    fprintf(stderr, "%s: %d (0x%X)\n", call, (int)status, (unsigned)status);
    exit(1);
}
#define CHECK(call) check(#call, call)

static AudioStreamBasicDescription linear(double rate, UInt32 channels, UInt32 bits, UInt32 flags) {
    AudioStreamBasicDescription format;
    memset(&format, 0, sizeof format);
    format.mSampleRate = rate;
    format.mFormatID = kAudioFormatLinearPCM;
    format.mFormatFlags = flags | kAudioFormatFlagIsPacked;
    format.mBytesPerPacket = format.mBytesPerFrame = bits / 8 * channels;
    format.mFramesPerPacket = 1;
    format.mChannelsPerFrame = channels;
    format.mBitsPerChannel = bits;
    return format;
}

int main(int count, char **arguments) {
    static float samples[FRAMES * 8];
    static SInt16 integers[FRAMES * 8];
    if (count < 7) return 2;
    ExtAudioFileRef from, to = NULL;
    AudioStreamBasicDescription read, client, written;
    UInt32 size = sizeof read, type = code(arguments[3]), format = code(arguments[4]);
    SInt64 length = 0;
    long total = 0;
    CHECK(ExtAudioFileLinuxOpenPath(arguments[1], &from));
    CHECK(ExtAudioFileGetProperty(from, kExtAudioFileProperty_FileDataFormat, &size, &read));
    double rate = count > 7 && atof(arguments[7]) > 0 ? atof(arguments[7]) : read.mSampleRate;
    UInt32 channels = read.mChannelsPerFrame, raw = type == code("raw ");
    client =
        raw ? linear(rate, channels, 16, kAudioFormatFlagIsSignedInteger) : linear(rate, channels, 32, kAudioFormatFlagIsFloat);
    CHECK(ExtAudioFileSetProperty(from, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client));
    size = sizeof length;
    CHECK(ExtAudioFileGetProperty(from, kExtAudioFileProperty_FileLengthFrames, &size, &length));
    written = linear(rate, channels, (UInt32)atoi(arguments[5]), (UInt32)strtoul(arguments[6], NULL, 0));
    if (format != kAudioFormatLinearPCM) {
        memset(&written, 0, sizeof written);
        written.mSampleRate = rate;
        written.mFormatID = format;
        written.mChannelsPerFrame = channels;
    }
    FILE *file = raw ? fopen(arguments[2], "wb") : NULL;
    if (!raw) {
        CHECK(ExtAudioFileLinuxCreateWithPath(arguments[2], type, &written, NULL, kAudioFileFlags_EraseFile, &to));
        CHECK(ExtAudioFileSetProperty(to, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client));
    }
    if (count > 8) CHECK(ExtAudioFileSeek(from, atoll(arguments[8])));
    for (;;) {
        AudioBufferList list;
        UInt32 frames = (UInt32)(1 + rand() % FRAMES);
        list.mNumberBuffers = 1;
        list.mBuffers[0].mNumberChannels = channels;
        list.mBuffers[0].mDataByteSize = raw ? sizeof integers : sizeof samples;
        list.mBuffers[0].mData = raw ? (void *)integers : (void *)samples;
        CHECK(ExtAudioFileRead(from, &frames, &list));
        if (frames == 0) break;
        total += frames;
        if (raw)
            fwrite(integers, 2 * channels, frames, file);
        else
            CHECK(ExtAudioFileWrite(to, frames, &list));
    }
    if (file) fclose(file);
    if (to) CHECK(ExtAudioFileDispose(to));
    CHECK(ExtAudioFileDispose(from));
    printf("%lld %ld\n", (long long)length, total);
    return 0;
}
