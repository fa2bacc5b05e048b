/* SPDX-License-Identifier: Apache-2.0 */
/* Formats of queues, also for programs without the harness. */
#ifndef FORMATS_H
#define FORMATS_H

#include <AudioToolbox/AudioToolbox.h>

#include <string.h>

/* Interleaved 16-bit integers. */
static inline AudioStreamBasicDescription integers(double rate, UInt32 channels) {
    AudioStreamBasicDescription format;
    memset(&format, 0, sizeof format);
    format.mSampleRate = rate;
    format.mFormatID = kAudioFormatLinearPCM;
    format.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
    format.mBytesPerPacket = format.mBytesPerFrame = 2 * channels;
    format.mFramesPerPacket = 1;
    format.mChannelsPerFrame = channels;
    format.mBitsPerChannel = 16;
    return format;
}

#endif
