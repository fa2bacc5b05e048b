/* SPDX-License-Identifier: Apache-2.0 */
/* units TURNS SECONDS: the conversion of rates in a unit that a program renders, beside the resampler that it uses; and the
   processor time of I/O units and of queues that play silence on the simulated machine, whose device is the clock. */
#include "measure.h"

#include <AudioToolbox/AudioToolbox.h>
#include <AudioUnit/AudioUnit.h>
#include <speex/speex_resampler.h>

#include <string.h>

enum { CHANNELS = 2, MOST_FRAMES = 1024, WARM_UP = 5, REPEATS = 20 };

static float sound[MOST_FRAMES * CHANNELS * 2];
static float output[MOST_FRAMES * CHANNELS * 2];

static AudioStreamBasicDescription format(double rate, bool is_float) {
    AudioStreamBasicDescription format;
    memset(&format, 0, sizeof format);
    format.mSampleRate = rate;
    format.mFormatID = kAudioFormatLinearPCM;
    format.mFormatFlags = kAudioFormatFlagIsPacked | (is_float ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger);
    format.mBitsPerChannel = is_float ? 32 : 16;
    format.mBytesPerPacket = format.mBytesPerFrame = CHANNELS * format.mBitsPerChannel / 8;
    format.mFramesPerPacket = 1;
    format.mChannelsPerFrame = CHANNELS;
    return format;
}

static AudioUnit make_unit(OSType type, OSType subtype) {
    AudioComponentDescription wanted = {type, subtype, kAudioUnitManufacturer_Apple, 0, 0};
    AudioUnit unit;
    REQUIRE(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &wanted), &unit) == 0);
    return unit;
}

static void set_format(AudioUnit unit, UInt32 scope, AudioStreamBasicDescription description) {
    REQUIRE(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, scope, 0, &description, sizeof description) == 0);
}

static void set_callback(AudioUnit unit, AURenderCallback procedure, void *reference) {
    AURenderCallbackStruct callback = {procedure, reference};
    REQUIRE(AudioUnitSetProperty(
                unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback) == 0);
}

/* ---- rates ---- */

/* The program's sound is there: the converter reads it. */
static OSStatus lend(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *list) {
    (void)reference, (void)flags, (void)time, (void)bus;
    list->mBuffers[0].mData = sound;
    list->mBuffers[0].mDataByteSize = frames * CHANNELS * 4;
    return 0;
}

static AudioUnit make_converter(double rate) {
    AudioUnit unit = make_unit(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter);
    set_format(unit, kAudioUnitScope_Input, format(44100, true));
    set_format(unit, kAudioUnitScope_Output, format(rate, true));
    set_callback(unit, lend, NULL);
    REQUIRE(AudioUnitInitialize(unit) == 0);
    return unit;
}

/* Microseconds of one slice. */
static double render(AudioUnit unit, UInt32 frames) {
    static double sample_time;
    uint64_t start = now();
    for (int i = 0; i < REPEATS; i++) {
        AudioBufferList list = {1, {{CHANNELS, frames * CHANNELS * 4, output}}};
        AudioTimeStamp time = {.mSampleTime = sample_time, .mFlags = kAudioTimeStampSampleTimeValid};
        AudioUnitRenderActionFlags flags = 0;
        REQUIRE(AudioUnitRender(unit, &flags, &time, 0, frames, &list) == 0);
        sample_time += frames;
    }
    return (double)(now() - start) / 1e3 / REPEATS;
}

static double resample(SpeexResamplerState *state, UInt32 frames) {
    uint64_t start = now();
    for (int i = 0; i < REPEATS; i++) {
        for (UInt32 done = 0; done < frames;) {
            spx_uint32_t read = MOST_FRAMES, written = frames - done;
            speex_resampler_process_interleaved_float(state, sound, &read, output + done * CHANNELS, &written);
            done += written;
        }
    }
    return (double)(now() - start) / 1e3 / REPEATS;
}

static void measure_rates(int turns) {
    AudioUnit same = make_converter(44100), other = make_converter(48000);
    SpeexResamplerState *state = speex_resampler_init(CHANNELS, 44100, 48000, 7, NULL);
    for (int i = 0; i < MOST_FRAMES * CHANNELS * 2; i++) sound[i] = (float)((i * 7919) % 2000 - 1000) / 1000;
    for (int turn = 0; turn < WARM_UP + turns; turn++) {
        for (UInt32 frames = 64; frames <= MOST_FRAMES; frames *= 4) {
            char subject[64];
            double alone = render(same, frames), both = render(other, frames), direct = resample(state, frames);
            if (turn < WARM_UP) continue;
            snprintf(subject, sizeof subject, "a unit, %u frames", (unsigned)frames);
            sample("unit-rate", subject, "us", both - alone);
            snprintf(subject, sizeof subject, "libspeexdsp, %u frames", (unsigned)frames);
            sample("unit-rate", subject, "us", direct);
        }
    }
    speex_resampler_destroy(state);
    AudioComponentInstanceDispose(same);
    AudioComponentInstanceDispose(other);
}

/* ---- processor time ---- */

static volatile int slices;

static OSStatus play_nothing(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
    (void)reference, (void)flags, (void)time, (void)bus, (void)frames, (void)list;
    __atomic_add_fetch(&slices, 1, __ATOMIC_RELAXED);
    return 0;
}

static void prefer(UInt32 frames) {
    Float32 seconds = (Float32)frames / 44100;
    REQUIRE(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareIOBufferDuration, sizeof seconds, &seconds) == 0);
}

static void measure_units(double seconds) {
    for (int is_float = 0; is_float < 2; is_float++) {
        for (UInt32 frames = 64; frames <= MOST_FRAMES; frames *= 4) {
            char subject[64];
            AudioUnit unit = make_unit(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO);
            prefer(frames);
            set_format(unit, kAudioUnitScope_Input, format(44100, is_float));
            set_callback(unit, play_nothing, NULL);
            REQUIRE(AudioUnitInitialize(unit) == 0 && AudioOutputUnitStart(unit) == 0);
            pause_for(100000000);
            int first = slices;
            uint64_t start = nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID);
            pause_for((uint64_t)(seconds * 1e9));
            uint64_t spent = nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID) - start;
            int count = slices - first;
            REQUIRE(AudioComponentInstanceDispose(unit) == 0 && count > 0);
            snprintf(subject, sizeof subject, "RemoteIO, %s, %u frames", is_float ? "float" : "int16", (unsigned)frames);
            sample("unit-slice", subject, "us", (double)spent / 1e3 / count);
        }
    }
}

static void enqueue_again(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    (void)data;
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
}

/* Queues of the hardware's rate, with buffers of a tenth of a second. */
static void measure_queues(double seconds) {
    enum { MOST = 32, BUFFERS = 3, BYTES = 4410 * CHANNELS * 2 };
    static const int numbers[] = {1, 8, MOST};
    prefer(MOST_FRAMES);
    for (int which = 0; which < 3; which++) {
        char subject[64];
        AudioQueueRef queues[MOST];
        AudioStreamBasicDescription description = format(44100, false);
        for (int i = 0; i < numbers[which]; i++) {
            REQUIRE(AudioQueueNewOutput(&description, enqueue_again, NULL, NULL, NULL, 0, &queues[i]) == 0);
            for (int b = 0; b < BUFFERS; b++) {
                AudioQueueBufferRef buffer;
                REQUIRE(AudioQueueAllocateBuffer(queues[i], BYTES, &buffer) == 0);
                memset(buffer->mAudioData, 1, BYTES);
                buffer->mAudioDataByteSize = BYTES;
                REQUIRE(AudioQueueEnqueueBuffer(queues[i], buffer, 0, NULL) == 0);
            }
            REQUIRE(AudioQueueStart(queues[i], NULL) == 0);
        }
        pause_for(200000000);
        uint64_t start = nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID), begin = now();
        pause_for((uint64_t)(seconds * 1e9));
        uint64_t spent = nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID) - start, lasted = now() - begin;
        for (int i = 0; i < numbers[which]; i++) REQUIRE(AudioQueueDispose(queues[i], true) == 0);
        snprintf(subject, sizeof subject, "%d audio queue%s", numbers[which], numbers[which] == 1 ? "" : "s");
        sample("queues", subject, "us", (double)spent / 1e3 / ((double)lasted / 1e9));
    }
}

int main(int argc, char **argv) {
    measure_rates(count_from(argc, argv, 1, 50));
    REQUIRE(AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0);
    measure_units(count_from(argc, argv, 2, 1));
    measure_queues(count_from(argc, argv, 2, 1));
    return 0;
}
