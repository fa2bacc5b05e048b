/* SPDX-License-Identifier: Apache-2.0 */
/* Sounds of the tests: files whose samples count, and what the machine has played. */
#ifndef SOUNDS_H
#define SOUNDS_H

#import "objc.h"
#include <AudioToolbox/AudioToolboxLinux.h>

/* The file that has the sound of the simulated machine. */
#define PLAYED "played.wav"
static MAYBE_UNUSED void record_what_is_played(void) { setenv("AUDIOSESSION_SIMULATION_WAV", PLAYED, 1); }

/* Samples that count, again and again: 1/32768, 2/32768 … `last`/32768 of one channel, and the negative of it in a second one. */
static MAYBE_UNUSED void write_counting_to(UInt32 last, const char *path, AudioFileTypeID type, UInt32 channels, UInt32 frames) {
    AudioStreamBasicDescription format = {0};
    AudioFileID file;
    bool isBig = type == kAudioFileAIFFType;
    format.mSampleRate = 44100;
    format.mFormatID = kAudioFormatLinearPCM;
    format.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked | (isBig ? kAudioFormatFlagIsBigEndian : 0);
    format.mBytesPerPacket = format.mBytesPerFrame = 2 * channels;
    format.mFramesPerPacket = 1;
    format.mChannelsPerFrame = channels;
    format.mBitsPerChannel = 16;
    int16_t *samples = calloc(frames, 2 * channels);
    for (UInt32 i = 0; i < frames; i++)
        for (UInt32 c = 0; c < channels; c++) {
            int16_t value = (int16_t)(c ? -(int)(i % last + 1) : (int)(i % last + 1));
            samples[i * channels + c] = isBig ? (int16_t)__builtin_bswap16((uint16_t)value) : value;
        }
    UInt32 bytes = frames * 2 * channels;
    REQUIRE(AudioFileLinuxCreateWithPath(path, type, &format, kAudioFileFlags_EraseFile, &file) == 0);
    EXPECT_OK(AudioFileWriteBytes(file, false, 0, &bytes, samples));
    EXPECT_OK(AudioFileClose(file));
    free(samples);
}

static MAYBE_UNUSED void write_counting(const char *path, AudioFileTypeID type, UInt32 channels, UInt32 frames) {
    write_counting_to(30000, path, type, channels, frames);
}

static MAYBE_UNUSED NSURL *url_of(const char *path) { return [NSURL fileURLWithPath:[NSString stringWithUTF8String:path]]; }

/* The stereo frames that the machine has played. */
static MAYBE_UNUSED float *played(size_t *frames) {
    FILE *file = fopen(PLAYED, "rb");
    REQUIRE(file != NULL);
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    REQUIRE(length >= 44);
    float *samples = calloc((size_t)length, 1);
    fseek(file, 44, SEEK_SET);
    *frames = fread(samples, 8, ((size_t)length - 44) / 8, file);
    fclose(file);
    return samples;
}

/* The frames that are not silent: a busy machine plays silence where the next buffer comes late, and loses nothing. Every sound of
   the tests has only numbers other than 0. */
static MAYBE_UNUSED float *sounding(size_t *frames) {
    size_t all, kept = 0;
    float *samples = played(&all);
    for (size_t i = 0; i < all; i++)
        if (samples[2 * i] != 0 || samples[2 * i + 1] != 0) {
            samples[2 * kept] = samples[2 * i];
            samples[2 * kept++ + 1] = samples[2 * i + 1];
        }
    *frames = kept;
    return samples;
}

/* Where this run of numbers, `first`/32768 and up, begins; -1 if it is nowhere. */
static MAYBE_UNUSED long find_run(const float *samples, size_t frames, int first, int count) {
    for (size_t at = 0; at + (size_t)count <= frames; at++) {
        int found = 0;
        while (found < count && samples[2 * (at + (size_t)found)] == (float)(first + found) / 32768) found++;
        if (found == count) return (long)at;
    }
    return -1;
}

/* An interruption from its beginning to its end. With those before it, the delegates hear of `count` beginnings and ends in all. */
static MAYBE_UNUSED void interrupt_once(int count) {
    SIMULATE("interrupt begin");
    WAIT_UNTIL(times(@"begin") >= count);
    SIMULATE("interrupt end");
    WAIT_UNTIL(times(@"end 1") >= count);
    EXPECT_INTEGER(times(@"begin"), count);
    EXPECT_INTEGER(times(@"end 1"), count);
}

/* A microphone that counts from 1 to 30000, again and again, at the rate of the simulated one. */
static MAYBE_UNUSED void write_microphone(void) {
    write_counting("microphone.wav", kAudioFileWAVEType, 1, 30000);
    setenv("AUDIOSESSION_SIMULATION_MICROPHONE", "microphone.wav", 1);
}

#endif
