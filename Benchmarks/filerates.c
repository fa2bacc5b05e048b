/* SPDX-License-Identifier: Apache-2.0 */
/* filerates FOLDER: ten minutes of stereo in a WAVE file of 44.1 kHz are written to one of 48 kHz, by ExtAudioFile with the default
   quality, by ffmpeg and by sox. Each contender is a process, whose processor time is measured.
   filerates copy IN OUT: the first contender. */
#include "measure.h"

#include <AudioToolbox/AudioToolbox.h>
#include <AudioToolbox/AudioToolboxLinux.h>

#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHANNELS = 2, BLOCK = 4096, SECONDS = 600, FROM = 44100, TO = 48000 };

static int16_t samples[BLOCK * CHANNELS];

static AudioStreamBasicDescription format(double rate) {
    AudioStreamBasicDescription format;
    memset(&format, 0, sizeof format);
    format.mSampleRate = rate;
    format.mFormatID = kAudioFormatLinearPCM;
    format.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
    format.mBytesPerPacket = format.mBytesPerFrame = CHANNELS * 2;
    format.mFramesPerPacket = 1;
    format.mChannelsPerFrame = CHANNELS;
    format.mBitsPerChannel = 16;
    return format;
}

static ExtAudioFileRef create(const char *path, double rate) {
    AudioStreamBasicDescription written = format(rate);
    ExtAudioFileRef file;
    REQUIRE(ExtAudioFileLinuxCreateWithPath(path, kAudioFileWAVEType, &written, NULL, kAudioFileFlags_EraseFile, &file) == 0);
    return file;
}

static void make_sound(const char *path) {
    ExtAudioFileRef file = create(path, FROM);
    uint32_t state = 1;
    for (int frame = 0; frame < FROM * SECONDS; frame += BLOCK) {
        AudioBufferList list = {1, {{CHANNELS, sizeof samples, samples}}};
        for (int i = 0; i < BLOCK * CHANNELS; i++) {
            state = state * 1664525 + 1013904223;
            samples[i] = (int16_t)((int)(state >> 20) - 2048 + (frame * 3 + i) % 400 * 40 - 8000);
        }
        REQUIRE(ExtAudioFileWrite(file, BLOCK, &list) == 0);
    }
    REQUIRE(ExtAudioFileDispose(file) == 0);
}

static int copy(const char *from, const char *to) {
    AudioStreamBasicDescription client = format(TO);
    ExtAudioFileRef source, target = create(to, TO);
    REQUIRE(ExtAudioFileLinuxOpenPath(from, &source) == 0);
    REQUIRE(ExtAudioFileSetProperty(source, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client) == 0);
    for (;;) {
        AudioBufferList list = {1, {{CHANNELS, sizeof samples, samples}}};
        UInt32 frames = BLOCK;
        REQUIRE(ExtAudioFileRead(source, &frames, &list) == 0);
        if (frames == 0) break;
        REQUIRE(ExtAudioFileWrite(target, frames, &list) == 0);
    }
    REQUIRE(ExtAudioFileDispose(target) == 0 && ExtAudioFileDispose(source) == 0);
    return 0;
}

static double milliseconds(struct timeval time) { return (double)time.tv_sec * 1e3 + (double)time.tv_usec / 1e3; }

/* Leaves out a program that is not installed. */
static void run(const char *subject, const char *const *command) {
    struct rusage usage;
    int status;
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        execvp(command[0], (char *const *)command);
        _exit(127);
    }
    REQUIRE(wait4(child, &status, 0, &usage) == child && WIFEXITED(status));
    if (WEXITSTATUS(status) == 127) return;
    REQUIRE(WEXITSTATUS(status) == 0);
    sample("file-rate", subject, "ms", milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime));
}

int main(int argc, char **argv) {
    char from[4096], to[4096];
    if (argc == 4 && strcmp(argv[1], "copy") == 0) return copy(argv[2], argv[3]);
    REQUIRE(argc == 2);
    snprintf(from, sizeof from, "%s/bench-44100.wav", argv[1]);
    snprintf(to, sizeof to, "%s/bench-48000.wav", argv[1]);
    make_sound(from);
    for (int turn = 0; turn < 3; turn++) {
        run("ExtAudioFile", (const char *const[]){"/proc/self/exe", "copy", from, to, NULL});
        run("ffmpeg", (const char *const[]){"ffmpeg", "-nostdin", "-v", "error", "-y", "-i", from, "-ar", "48000", to, NULL});
        run("sox", (const char *const[]){"sox", "-V1", from, "-r", "48000", to, NULL});
    }
    unlink(from);
    unlink(to);
}
