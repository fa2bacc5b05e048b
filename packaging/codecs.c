/* SPDX-License-Identifier: Apache-2.0 */
/* The program of the tests of codec packages: makes a converter from and to each compressed format that has a module, and prints
   the formats that have one. A result other than "not supported" is an error. */
#include <AudioToolbox/AudioConverter.h>
#include <stdio.h>

static const struct {
    const char *name;
    UInt32 id, frames;
} formats[] = {
    {"mp3", kAudioFormatMPEGLayer3, 1152},
    {"aac", kAudioFormatMPEG4AAC, 1024},
    {"alac", kAudioFormatAppleLossless, 4096},
};

static int list(const char *title, int encodes) {
    printf("%s:", title);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        AudioStreamBasicDescription coded = {44100, formats[i].id, 0, 0, formats[i].frames, 0, 2, 0, 0};
        AudioStreamBasicDescription linear = {
            44100, kAudioFormatLinearPCM, kAudioFormatFlagsNativeFloatPacked, 8, 1, 8, 2, 32, 0};
        AudioConverterRef converter;
        OSStatus status = AudioConverterNew(encodes ? &linear : &coded, encodes ? &coded : &linear, &converter);
        if (status == kAudioConverterErr_FormatNotSupported) continue;
        if (status != 0) return 1;
        printf(" %s", formats[i].name);
        AudioConverterDispose(converter);
    }
    printf("\n");
    return 0;
}

int main(void) { return list("decodes", 0) || list("encodes", 1); }
