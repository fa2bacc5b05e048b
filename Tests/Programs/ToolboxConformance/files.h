/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the programs about formats and files share, beside the harness of Tests/Programs/Conformance. They compile as C and
   as C++. */
#ifndef TOOLBOX_FILES_H
#define TOOLBOX_FILES_H

#include "../Conformance/conformance.h"

#include <AudioToolbox/AudioToolboxLinux.h>
#include <AudioToolbox/AudioConverter.h>
#include <AudioToolbox/AudioFormat.h>

#define CHECK(call, expected) EXPECT_INTEGER(call, expected)
#define CHECK_OK(call) EXPECT_INTEGER(call, 0)

/* Packed native samples. mReserved is left as it is found. */
static MAYBE_UNUSED AudioStreamBasicDescription linear(double rate, UInt32 channels, UInt32 bits, UInt32 flags) {
    AudioStreamBasicDescription format;
    memset(&format, 0xAA, sizeof format);
    format.mSampleRate = rate;
    format.mFormatID = kAudioFormatLinearPCM;
    format.mFormatFlags = flags | kAudioFormatFlagIsPacked;
    format.mBytesPerPacket = format.mBytesPerFrame = bits / 8 * ((flags & kAudioFormatFlagIsNonInterleaved) ? 1 : channels);
    format.mFramesPerPacket = 1;
    format.mChannelsPerFrame = channels;
    format.mBitsPerChannel = bits;
    return format;
}

static MAYBE_UNUSED AudioStreamBasicDescription int16(double rate, UInt32 channels) {
    return linear(rate, channels, 16, kAudioFormatFlagIsSignedInteger);
}

static MAYBE_UNUSED AudioStreamBasicDescription float32(double rate, UInt32 channels) {
    return linear(rate, channels, 32, kAudioFormatFlagIsFloat);
}

static MAYBE_UNUSED AudioStreamBasicDescription coded(UInt32 id, double rate, UInt32 channels) {
    AudioStreamBasicDescription format;
    memset(&format, 0, sizeof format);
    format.mSampleRate = rate;
    format.mFormatID = id;
    format.mChannelsPerFrame = channels;
    return format;
}

/* A list of one buffer. */
static MAYBE_UNUSED AudioBufferList one_buffer(void *data, UInt32 bytes, UInt32 channels) {
    AudioBufferList list;
    list.mNumberBuffers = 1;
    list.mBuffers[0].mNumberChannels = channels;
    list.mBuffers[0].mDataByteSize = bytes;
    list.mBuffers[0].mData = data;
    return list;
}

#endif
