/* SPDX-License-Identifier: Apache-2.0 */
/* playback SECONDS slices|many: processor time of I/O units, of queues, of PortAudio's streams and of SDL's devices that play silence on the
   same device: the default one of ALSA for the others, and that of the route here. Two channels, 48,000 frames a second. */
#include "measure.h"

#include <AudioToolbox/AudioToolbox.h>
#include <SDL.h>
#include <portaudio.h>
#include <string.h>

enum { RATE = 48000, CHANNELS = 2, FRAME = 4, MANY = 32, MOST_DEVICES = 15, LONGEST = 1024 };

static const AudioStreamBasicDescription int16 = {
    RATE, kAudioFormatLinearPCM, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, FRAME, 1, FRAME, CHANNELS, 16, 0};

static const AudioStreamBasicDescription float32 = {
    RATE, kAudioFormatLinearPCM, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked, 2 * FRAME, 1, 2 * FRAME, CHANNELS, 32, 0};

static volatile int calls;

static void count_call(void) { __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED); }

/* ---- what all of them have in common ---- */

/* The microseconds of processor time in a second, while sound plays; through `slices` those of a call. */
static double spent_in_a_second(double seconds, double *slices) {
    /* The devices open, and the first sound is heard. */
    pause_for(500000000);
    int first = calls;
    uint64_t start = nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID), begin = now();
    pause_for((uint64_t)(seconds * 1e9));
    double spent = (double)(nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID) - start) / 1e3, lasted = (double)(now() - begin) / 1e9;
    int count = calls - first;
    REQUIRE(count > 0);
    if (slices) *slices = spent / count;
    return spent / lasted;
}

static void prefer(int frames) {
    Float32 seconds = (Float32)frames / RATE;
    REQUIRE(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareIOBufferDuration, sizeof seconds, &seconds) == 0);
}

/* ---- a slice ---- */

static OSStatus render(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *list) {
    (void)reference, (void)flags, (void)time, (void)bus, (void)frames;
    memset(list->mBuffers[0].mData, 0, list->mBuffers[0].mDataByteSize);
    count_call();
    return 0;
}

static double unit_slice(bool is_float, int frames, double seconds) {
    AudioComponentDescription io = {kAudioUnitType_Output, kAudioUnitSubType_RemoteIO, kAudioUnitManufacturer_Apple, 0, 0};
    AURenderCallbackStruct callback = {render, NULL};
    const AudioStreamBasicDescription *format = is_float ? &float32 : &int16;
    AudioUnit unit;
    double spent;
    prefer(frames);
    REQUIRE(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &io), &unit) == 0);
    REQUIRE(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, format, sizeof *format) == 0);
    REQUIRE(AudioUnitSetProperty(
                unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback) == 0);
    REQUIRE(AudioUnitInitialize(unit) == 0 && AudioOutputUnitStart(unit) == 0);
    spent_in_a_second(seconds, &spent);
    REQUIRE(AudioComponentInstanceDispose(unit) == 0);
    return spent;
}

static int fill_stream(const void *input, void *output, unsigned long frames, const PaStreamCallbackTimeInfo *time,
    PaStreamCallbackFlags flags, void *data) {
    (void)input, (void)time, (void)flags;
    memset(output, 0, frames * (data ? 2 * FRAME : FRAME));
    count_call();
    return paContinue;
}

/* The host's buffer has two slices, as that of a unit. */
static PaStream *begin_stream(bool is_float, int frames) {
    PaStreamParameters output = {
        Pa_GetDefaultOutputDevice(), CHANNELS, is_float ? paFloat32 : paInt16, 2.0 * frames / RATE, NULL};
    PaStream *stream = NULL;
    REQUIRE(Pa_OpenStream(&stream, NULL, &output, RATE, (unsigned long)frames, paNoFlag, fill_stream,
                is_float ? (void *)&float32 : NULL) == 0);
    REQUIRE(Pa_StartStream(stream) == 0);
    return stream;
}

static double stream_slice(bool is_float, int frames, double seconds) {
    double spent;
    PaStream *stream = begin_stream(is_float, frames);
    spent_in_a_second(seconds, &spent);
    REQUIRE(Pa_CloseStream(stream) == 0);
    return spent;
}

/* ---- many sounds at once ---- */

static void enqueue_again(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    (void)data;
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
    count_call();
}

static double queues_at_once(int count, double seconds) {
    AudioQueueRef queues[MANY];
    prefer(LONGEST);
    for (int i = 0; i < count; i++) {
        REQUIRE(AudioQueueNewOutput(&int16, enqueue_again, NULL, NULL, NULL, 0, &queues[i]) == 0);
        for (int b = 0; b < 3; b++) {
            AudioQueueBufferRef buffer;
            REQUIRE(AudioQueueAllocateBuffer(queues[i], LONGEST * 4 * FRAME, &buffer) == 0);
            buffer->mAudioDataByteSize = buffer->mAudioDataBytesCapacity;
            REQUIRE(AudioQueueEnqueueBuffer(queues[i], buffer, 0, NULL) == 0);
        }
        REQUIRE(AudioQueueStart(queues[i], NULL) == 0);
    }
    double spent = spent_in_a_second(seconds, NULL);
    for (int i = 0; i < count; i++) REQUIRE(AudioQueueDispose(queues[i], true) == 0);
    return spent;
}

static double streams_at_once(int count, double seconds) {
    PaStream *streams[MANY];
    for (int i = 0; i < count; i++) streams[i] = begin_stream(false, LONGEST);
    double spent = spent_in_a_second(seconds, NULL);
    for (int i = 0; i < count; i++) REQUIRE(Pa_CloseStream(streams[i]) == 0);
    return spent;
}

static void fill_device(void *data, Uint8 *bytes, int count) {
    (void)data;
    memset(bytes, 0, (size_t)count);
    count_call();
}

/* SDL opens at most MOST_DEVICES. */
static double devices_at_once(int count, double seconds) {
    SDL_AudioSpec wanted, given;
    SDL_AudioDeviceID devices[MANY];
    memset(&wanted, 0, sizeof wanted);
    wanted.freq = RATE;
    wanted.format = AUDIO_S16SYS;
    wanted.channels = CHANNELS;
    wanted.samples = LONGEST;
    wanted.callback = fill_device;
    REQUIRE(SDL_Init(SDL_INIT_AUDIO) == 0);
    for (int i = 0; i < count; i++) {
        devices[i] = SDL_OpenAudioDevice(NULL, 0, &wanted, &given, 0);
        REQUIRE(devices[i] > 0);
        SDL_PauseAudioDevice(devices[i], 0);
    }
    double spent = spent_in_a_second(seconds, NULL);
    for (int i = 0; i < count; i++) SDL_CloseAudioDevice(devices[i]);
    SDL_Quit();
    return spent;
}

static void measure_slices(double seconds) {
    static const char *const names[] = {"int16", "float"};
    static const int lengths[] = {64, 256, LONGEST};
    char subject[64];
    for (int i = 0; i < 6; i++) {
        bool is_float = i % 2 != 0;
        int frames = lengths[i / 2];
        snprintf(subject, sizeof subject, "RemoteIO, %s, %d frames", names[is_float], frames);
        sample("playback-slice", subject, "us", unit_slice(is_float, frames, seconds));
        snprintf(subject, sizeof subject, "libportaudio2, %s, %d frames", names[is_float], frames);
        sample("playback-slice", subject, "us", stream_slice(is_float, frames, seconds));
    }
}

static void measure_many(double seconds) {
    static const int counts[] = {1, 8, MANY}, devices[] = {1, 8, MOST_DEVICES};
    char subject[64];
    for (int i = 0; i < 3; i++) {
        const char *plural = counts[i] == 1 ? "" : "s";
        snprintf(subject, sizeof subject, "%d audio queue%s", counts[i], plural);
        sample("playback", subject, "us", queues_at_once(counts[i], seconds));
        snprintf(subject, sizeof subject, "%d stream%s of libportaudio2", counts[i], plural);
        sample("playback", subject, "us", streams_at_once(counts[i], seconds));
        snprintf(subject, sizeof subject, "%d device%s of libSDL2", devices[i], plural);
        sample("playback", subject, "us", devices_at_once(devices[i], seconds));
    }
}

int main(int argc, char **argv) {
    double seconds = count_from(argc, argv, 1, 2);
    setvbuf(stdout, NULL, _IOLBF, 0);
    REQUIRE(AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0);
    REQUIRE(Pa_Initialize() == 0);
    if (argc > 2 && strcmp(argv[2], "slices") == 0)
        measure_slices(seconds);
    else
        measure_many(seconds);
    Pa_Terminate();
    return 0;
}
