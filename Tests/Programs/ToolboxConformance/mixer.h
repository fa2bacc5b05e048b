/* SPDX-License-Identifier: Apache-2.0 */
/* Mixers, and sources whose samples a test can compute. */
#ifndef TOOLBOX_MIXER_H
#define TOOLBOX_MIXER_H

#include "toolbox.h"

static MAYBE_UNUSED AudioStreamBasicDescription float_format(double rate, UInt32 channels, int is_split) {
    AudioStreamBasicDescription format = int16_format(rate, channels);
    format.mFormatFlags = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | kAudioFormatFlagsNativeEndian |
        (is_split ? (UInt32)kAudioFormatFlagIsNonInterleaved : 0);
    format.mBytesPerFrame = format.mBytesPerPacket = is_split ? 4 : 4 * channels;
    format.mBitsPerChannel = 32;
    return format;
}

/* 8.24, one buffer for each channel. */
static MAYBE_UNUSED AudioStreamBasicDescription fixed_format(double rate, UInt32 channels) {
    AudioStreamBasicDescription format = float_format(rate, channels, 1);
    format.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked | kAudioFormatFlagIsNonInterleaved |
        kAudioFormatFlagsNativeEndian | (24 << kLinearPCMFormatFlagsSampleFractionShift);
    return format;
}

#define EXPECT_NEAR(found, expected, distance) EXPECT(fabs((double)(found) - (expected)) <= (distance))

/* A source. Without a level its samples are those of voice_integer. */
struct voice {
    int calls;
    Float32 level;
    OSStatus status;
    UInt32 position, frames;
    AudioStreamBasicDescription format;
};

static MAYBE_UNUSED struct voice make_voice(Float32 level, OSStatus status) {
    struct voice voice;
    memset(&voice, 0, sizeof voice);
    voice.level = level;
    voice.status = status;
    return voice;
}

/* Small numbers: the sum of a few is exact as a float. */
static MAYBE_UNUSED int voice_integer(UInt32 input, UInt32 frame, UInt32 channel) {
    UInt32 hash = (input * 7919 + frame * 104729 + channel * 1299709 + 1) * 2654435761u;
    hash ^= hash >> 15;
    hash *= 2246822519u;
    hash ^= hash >> 13;
    return (int)(hash >> 18) - 8192;
}

static MAYBE_UNUSED Float32 voice_sample(UInt32 input, UInt32 frame, UInt32 channel) {
    return (Float32)voice_integer(input, frame, channel) / 32768;
}

static MAYBE_UNUSED OSStatus play_voice(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
    UInt32 bus, UInt32 frames, AudioBufferList *list) {
    struct voice *voice = (struct voice *)reference;
    UInt32 channels = voice->format.mChannelsPerFrame, split = list->mNumberBuffers == channels;
    (void)flags, (void)time;
    for (UInt32 i = 0; i < frames; i++)
        for (UInt32 channel = 0; channel < channels; channel++) {
            Float32 sample = voice->level != 0 ? voice->level : voice_sample(bus, voice->position + i, channel);
            void *data = list->mBuffers[split ? channel : 0].mData;
            UInt32 index = split ? i : i * channels + channel;
            if (voice->format.mBitsPerChannel == 16)
                ((SInt16 *)data)[index] = (SInt16)(sample * 32768);
            else if (voice->format.mFormatFlags & kAudioFormatFlagIsFloat)
                ((Float32 *)data)[index] = sample;
            else
                ((SInt32 *)data)[index] = (SInt32)(sample * 16777216);
        }
    voice->position += frames;
    voice->frames += frames;
    voice->calls++;
    return voice->status;
}

static MAYBE_UNUSED AudioUnit make_mixer(UInt32 inputs) {
    AudioUnit mixer = make_unit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
    UNIT_OK(set_number(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, inputs));
    return mixer;
}

static MAYBE_UNUSED void set_voice(AudioUnit unit, UInt32 input, AudioStreamBasicDescription format, struct voice *voice) {
    voice->format = format;
    UNIT_OK(set_format(unit, kAudioUnitScope_Input, input, format));
    UNIT_OK(set_callback(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, input, play_voice, voice));
}

static MAYBE_UNUSED OSStatus mix_with_flags(
    AudioUnit mixer, AudioUnitRenderActionFlags *flags, UInt32 frames, void *data, UInt32 size, double at) {
    return render_into(mixer, flags, frames, data, &size, at);
}

static MAYBE_UNUSED OSStatus mix(AudioUnit mixer, UInt32 frames, void *data, UInt32 size, double at) {
    AudioUnitRenderActionFlags flags = 0;
    return mix_with_flags(mixer, &flags, frames, data, size, at);
}

static MAYBE_UNUSED OSStatus set_parameter(AudioUnit unit, UInt32 parameter, UInt32 scope, UInt32 element, Float32 value) {
    return AudioUnitSetParameter(unit, parameter, scope, element, value, 0);
}

static MAYBE_UNUSED Float32 get_parameter(AudioUnit unit, UInt32 parameter, UInt32 scope, UInt32 element) {
    Float32 value = NAN;
    UNIT_OK(AudioUnitGetParameter(unit, parameter, scope, element, &value));
    return value;
}

#endif
