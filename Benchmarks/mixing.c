/* SPDX-License-Identifier: Apache-2.0 */
/* mixing TURNS: 32 stereo inputs by the multichannel mixer, by SDL_mixer, and by a loop that adds floats: processor time of a slice.
   SDL_mixer mixes on a thread of SDL: its disk driver, with /dev/null as the file, calls it without a clock. */
#include "measure.h"

#include <AudioUnit/AudioUnit.h>
#include <SDL2/SDL.h>
#include <SDL2/SDL_mixer.h>

#include <string.h>

enum { INPUTS = 32, FRAMES = 512, CHANNELS = 2, SAMPLES = FRAMES * CHANNELS, WARM_UP = 20 };

/* The sound of each input, quiet enough that no sum clips. Planar floats are the left channel and then the right one. */
static float sounds[INPUTS][SAMPLES], output[SAMPLES];
static int16_t short_sounds[INPUTS][SAMPLES];

static void make_sounds(void) {
    uint32_t state = 1;
    for (int input = 0; input < INPUTS; input++) {
        for (int i = 0; i < SAMPLES; i++) {
            state = state * 1664525 + 1013904223;
            short_sounds[input][i] = (int16_t)(state >> 16) / (2 * INPUTS);
            sounds[input][i] = (float)short_sounds[input][i] / 32768;
        }
    }
}

static double spent(uint64_t start) { return (double)(nanoseconds_of(CLOCK_THREAD_CPUTIME_ID) - start) / 1e3; }

/* ---- The bare sum ---- */

__attribute__((noinline, optimize("O3"))) static void add(const float *restrict sound, float *restrict sum) {
    for (int i = 0; i < SAMPLES; i++) sum[i] += sound[i];
}

static void measure_sum(int turns) {
    for (int turn = 0; turn < WARM_UP + turns; turn++) {
        uint64_t start = nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
        memset(output, 0, sizeof output);
        for (int input = 0; input < INPUTS; input++) add(sounds[input], output);
        __asm__ volatile("" : : "r"(output) : "memory");
        if (turn >= WARM_UP) sample("mixing", "a loop that adds floats", "us", spent(start));
    }
}

/* ---- The mixer ---- */

/* The program's sound is there: the mixer reads it. */
static OSStatus lend_floats(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
    (void)reference, (void)flags, (void)time;
    for (UInt32 channel = 0; channel < CHANNELS; channel++)
        list->mBuffers[channel] = (AudioBuffer){1, frames * 4, sounds[bus] + channel * FRAMES};
    return 0;
}

static OSStatus lend_integers(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
    (void)reference, (void)flags, (void)time;
    list->mBuffers[0] = (AudioBuffer){CHANNELS, frames * CHANNELS * 2, short_sounds[bus]};
    return 0;
}

static AudioUnit make_mixer(bool is_float) {
    AudioComponentDescription wanted = {
        kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer, kAudioUnitManufacturer_Apple, 0, 0};
    AudioStreamBasicDescription format;
    AURenderCallbackStruct callback = {is_float ? lend_floats : lend_integers, NULL};
    UInt32 inputs = INPUTS;
    AudioUnit mixer;
    memset(&format, 0, sizeof format);
    format.mSampleRate = 44100;
    format.mFormatID = kAudioFormatLinearPCM;
    format.mFormatFlags = kAudioFormatFlagIsPacked |
        (is_float ? (UInt32)kAudioFormatFlagIsFloat | kAudioFormatFlagIsNonInterleaved : (UInt32)kAudioFormatFlagIsSignedInteger);
    format.mBitsPerChannel = is_float ? 32 : 16;
    format.mBytesPerPacket = format.mBytesPerFrame = is_float ? 4 : CHANNELS * 2;
    format.mFramesPerPacket = 1;
    format.mChannelsPerFrame = CHANNELS;
    REQUIRE(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &wanted), &mixer) == 0);
    REQUIRE(AudioUnitSetProperty(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &inputs, sizeof inputs) == 0);
    for (UInt32 bus = 0; bus < INPUTS; bus++) {
        REQUIRE(AudioUnitSetProperty(
                    mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, bus, &format, sizeof format) == 0);
        REQUIRE(AudioUnitSetProperty(
                    mixer, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, bus, &callback, sizeof callback) == 0);
    }
    REQUIRE(AudioUnitSetProperty(mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, sizeof format) == 0);
    REQUIRE(AudioUnitInitialize(mixer) == 0);
    return mixer;
}

static void measure_mixer(bool is_float, int turns) {
    AudioUnit mixer = make_mixer(is_float);
    AudioTimeStamp time = {.mFlags = kAudioTimeStampSampleTimeValid};
    struct {
        AudioBufferList list;
        AudioBuffer second;
    } buffers;
    for (int turn = 0; turn < WARM_UP + turns; turn++) {
        AudioUnitRenderActionFlags flags = 0;
        UInt32 bytes = is_float ? FRAMES * 4 : FRAMES * CHANNELS * 2;
        buffers.list.mNumberBuffers = is_float ? CHANNELS : 1;
        buffers.list.mBuffers[0] = (AudioBuffer){is_float ? 1 : CHANNELS, bytes, output};
        buffers.second = (AudioBuffer){1, bytes, output + FRAMES};
        uint64_t start = nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
        REQUIRE(AudioUnitRender(mixer, &flags, &time, 0, FRAMES, &buffers.list) == 0);
        double each = spent(start);
        if (turn >= WARM_UP) sample("mixing", is_float ? "the mixer, float" : "the mixer, int16", "us", each);
        time.mSampleTime += FRAMES;
    }
    AudioComponentInstanceDispose(mixer);
}

/* ---- SDL_mixer ---- */

static struct {
    const char *subject;
    uint64_t last;
    int turns, wanted;
} mixed;
static SDL_sem *is_done;

/* At the end of each slice, on the thread of SDL: from one to the next. */
static void mixed_slice(void *data, Uint8 *stream, int bytes) {
    (void)data, (void)stream;
    uint64_t last = mixed.last;
    REQUIRE(bytes == SAMPLES * (strstr(mixed.subject, "float") ? 4 : 2));
    mixed.turns++;
    if (mixed.turns > WARM_UP && mixed.turns <= WARM_UP + mixed.wanted) sample("mixing", mixed.subject, "us", spent(last));
    if (mixed.turns == WARM_UP + mixed.wanted) SDL_SemPost(is_done);
    mixed.last = nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
}

static void measure_sdl(bool is_float, int turns) {
    Mix_Chunk *chunks[INPUTS];
    REQUIRE(Mix_OpenAudioDevice(44100, is_float ? AUDIO_F32SYS : AUDIO_S16SYS, CHANNELS, FRAMES, NULL, 0) == 0);
    REQUIRE(Mix_AllocateChannels(INPUTS) == INPUTS);
    for (int input = 0; input < INPUTS; input++) {
        chunks[input] = is_float ? Mix_QuickLoad_RAW((Uint8 *)sounds[input], sizeof sounds[input])
                                 : Mix_QuickLoad_RAW((Uint8 *)short_sounds[input], sizeof short_sounds[input]);
        REQUIRE(chunks[input] && Mix_PlayChannel(input, chunks[input], -1) == input);
    }
    mixed.subject = is_float ? "SDL_mixer, float" : "SDL_mixer, int16";
    mixed.turns = 0;
    mixed.wanted = turns;
    Mix_SetPostMix(mixed_slice, NULL);
    SDL_SemWait(is_done);
    Mix_SetPostMix(NULL, NULL);
    Mix_CloseAudio();
    for (int input = 0; input < INPUTS; input++) Mix_FreeChunk(chunks[input]);
}

int main(int argc, char **argv) {
    int turns = count_from(argc, argv, 1, 200);
    make_sounds();
    measure_sum(turns);
    REQUIRE(setenv("SDL_AUDIODRIVER", "disk", 1) == 0 && setenv("SDL_DISKAUDIOFILE", "/dev/null", 1) == 0);
    REQUIRE(setenv("SDL_DISKAUDIODELAY", "0", 1) == 0 && SDL_Init(SDL_INIT_AUDIO) == 0);
    is_done = SDL_CreateSemaphore(0);
    REQUIRE(is_done);
    for (int is_float = 1; is_float >= 0; is_float--) {
        measure_sdl(is_float, turns);
        measure_mixer(is_float, turns);
    }
    SDL_Quit();
}
