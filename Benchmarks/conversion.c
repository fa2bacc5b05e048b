/* SPDX-License-Identifier: Apache-2.0 */
/* conversion TURNS [ONLY]: linear PCM by AudioConverter and by libswresample, and sample rates by AudioConverter, libspeexdsp and
   libsoxr. The contenders take turns. ONLY: the one with this name, for counts of instructions. */
#include "measure.h"

#include <AudioToolbox/AudioConverter.h>
#include <libswresample/swresample.h>
#include <libavutil/opt.h>
#include <soxr.h>
#include <speex/speex_resampler.h>

#include <string.h>

enum { FRAMES = 4096, CHANNELS = 2, WARM_UP = 5 };
/* Blocks of a turn: libsoxr computes many of its frames in one call, and none in others. */
enum { RATE_BLOCKS = 16 };

static float input[FRAMES * CHANNELS * 2];
static double output[FRAMES * CHANNELS * 2];
static const char *only;

static void report(const char *table, const char *subject, uint64_t start, int blocks, bool counts) {
    double each = (double)(now() - start) / 1e3 / blocks;
    __asm__ volatile("" : : "r"(output) : "memory");
    if (counts) sample(table, subject, "us", each);
}

static bool is_wanted(const char *subject) { return !only || strcmp(only, subject) == 0; }

/* ---- The same rate ---- */

static const struct kind {
    const char *name;
    UInt32 bits, flags;
    enum AVSampleFormat packed, planar;
} kinds[] = {
    {"int16", 16, kAudioFormatFlagIsSignedInteger, AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P},
    {"int32", 32, kAudioFormatFlagIsSignedInteger, AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P},
    {"float32", 32, kAudioFormatFlagIsFloat, AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP},
    {"float64", 64, kAudioFormatFlagIsFloat, AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static AudioStreamBasicDescription description(const struct kind *kind, bool is_planar, double rate) {
    AudioStreamBasicDescription format;
    memset(&format, 0, sizeof format);
    format.mSampleRate = rate;
    format.mFormatID = kAudioFormatLinearPCM;
    format.mFormatFlags = kind->flags | kAudioFormatFlagIsPacked | (is_planar ? kAudioFormatFlagIsNonInterleaved : 0);
    format.mBytesPerPacket = format.mBytesPerFrame = kind->bits / 8 * (is_planar ? 1 : CHANNELS);
    format.mFramesPerPacket = 1;
    format.mChannelsPerFrame = CHANNELS;
    format.mBitsPerChannel = kind->bits;
    return format;
}

struct list {
    AudioBufferList list;
    AudioBuffer second;
};

static void fill_list(struct list *list, void *memory, const struct kind *kind, bool is_planar) {
    UInt32 bytes = FRAMES * kind->bits / 8;
    list->list.mNumberBuffers = is_planar ? 2 : 1;
    list->list.mBuffers[0] = (AudioBuffer){is_planar ? 1 : CHANNELS, is_planar ? bytes : bytes * CHANNELS, memory};
    list->second = (AudioBuffer){1, bytes, (char *)memory + bytes};
}

struct pair {
    const struct kind *from, *to;
    bool from_planar, to_planar;
};

static SwrContext *make_swr(struct pair pair) {
    SwrContext *context = NULL;
    AVChannelLayout stereo = AV_CHANNEL_LAYOUT_STEREO;
    REQUIRE(swr_alloc_set_opts2(&context, &stereo, pair.to_planar ? pair.to->planar : pair.to->packed, 44100, &stereo,
                pair.from_planar ? pair.from->planar : pair.from->packed, 44100, 0, NULL) >= 0);
    REQUIRE(swr_init(context) >= 0);
    return context;
}

static void swr_once(SwrContext *context, struct pair pair) {
    const uint8_t *from[2] = {(uint8_t *)input, (uint8_t *)input + FRAMES * pair.from->bits / 8};
    uint8_t *to[2] = {(uint8_t *)output, (uint8_t *)output + FRAMES * pair.to->bits / 8};
    REQUIRE(swr_convert(context, to, FRAMES, from, FRAMES) == FRAMES);
}

static void ours_once(AudioConverterRef converter, struct pair pair) {
    struct list from, to;
    fill_list(&from, input, pair.from, pair.from_planar);
    fill_list(&to, output, pair.to, pair.to_planar);
    REQUIRE(AudioConverterConvertComplexBuffer(converter, FRAMES, &from.list, &to.list) == 0);
}

static void same_rate(struct pair pair, int turns) {
    char what[80], ours[128], theirs[128];
    AudioStreamBasicDescription from = description(pair.from, pair.from_planar, 44100);
    AudioStreamBasicDescription to = description(pair.to, pair.to_planar, 44100);
    AudioConverterRef converter;
    snprintf(what, sizeof what, "%s%s to %s%s", pair.from->name, pair.from_planar ? " planar" : "", pair.to->name,
        pair.to_planar ? " planar" : "");
    snprintf(ours, sizeof ours, "AudioConverter, %s", what);
    snprintf(theirs, sizeof theirs, "libswresample, %s", what);
    if (!is_wanted(ours) && !is_wanted(theirs)) return;
    REQUIRE(AudioConverterNew(&from, &to, &converter) == 0);
    SwrContext *context = make_swr(pair);
    /* Floats in [-1, 1) for floats, anything else for integers. */
    memset(input, 0, sizeof input);
    for (int i = 0; i < FRAMES * CHANNELS; i++) {
        float value = (float)((i * 7919) % 2000 - 1000) / 1000;
        if (pair.from->bits == 64)
            ((double *)input)[i] = value;
        else if (pair.from->flags & kAudioFormatFlagIsFloat)
            input[i] = value;
        else if (pair.from->bits == 16)
            ((int16_t *)input)[i] = (int16_t)(value * 32000);
        else
            ((int32_t *)input)[i] = (int32_t)(value * 2e9f);
    }
    for (int turn = 0; turn < WARM_UP + turns; turn++) {
        uint64_t start = now();
        if (is_wanted(theirs)) swr_once(context, pair);
        report("pcm", theirs, start, 1, turn >= WARM_UP && is_wanted(theirs));
        start = now();
        if (is_wanted(ours)) ours_once(converter, pair);
        report("pcm", ours, start, 1, turn >= WARM_UP && is_wanted(ours));
    }
    swr_free(&context);
    AudioConverterDispose(converter);
}

/* ---- Other rates ---- */

static OSStatus give(AudioConverterRef converter, UInt32 *packets, AudioBufferList *list,
    AudioStreamPacketDescription **descriptions, void *data) {
    (void)converter, (void)descriptions, (void)data;
    if (*packets > FRAMES) *packets = FRAMES;
    list->mBuffers[0] = (AudioBuffer){CHANNELS, *packets * CHANNELS * 4, input};
    return 0;
}

static AudioConverterRef make_rate_converter(UInt32 quality) {
    AudioStreamBasicDescription from = description(&kinds[2], false, 44100), to = description(&kinds[2], false, 48000);
    AudioConverterRef converter;
    REQUIRE(AudioConverterNew(&from, &to, &converter) == 0);
    REQUIRE(AudioConverterSetProperty(converter, kAudioConverterSampleRateConverterQuality, sizeof quality, &quality) == 0);
    return converter;
}

static void ours_rate(AudioConverterRef converter) {
    AudioBufferList list = {1, {{CHANNELS, FRAMES * CHANNELS * 4, output}}};
    UInt32 frames = FRAMES;
    REQUIRE(AudioConverterFillComplexBuffer(converter, give, NULL, &frames, &list, NULL) == 0);
}

static void speex_rate(SpeexResamplerState *state) {
    UInt32 done = 0;
    while (done < FRAMES) {
        spx_uint32_t read = FRAMES, written = FRAMES - done;
        speex_resampler_process_interleaved_float(state, input, &read, (float *)output + done * CHANNELS, &written);
        done += written;
    }
}

static void soxr_rate(soxr_t state) {
    size_t done = 0;
    while (done < FRAMES) {
        size_t read, written;
        REQUIRE(soxr_process(state, input, FRAMES, &read, (float *)output + done * CHANNELS, FRAMES - done, &written) == NULL);
        done += written;
    }
}

static void other_rates(int turns) {
    static const char *const subjects[] = {
        "libspeexdsp, quality 7", "AudioConverter, medium quality", "libsoxr, best quality", "AudioConverter, best quality"};
    AudioConverterRef medium = make_rate_converter(kAudioConverterQuality_Medium);
    AudioConverterRef best = make_rate_converter(kAudioConverterQuality_Max);
    SpeexResamplerState *speex = speex_resampler_init(CHANNELS, 44100, 48000, 7, NULL);
    soxr_quality_spec_t quality = soxr_quality_spec(SOXR_VHQ, 0);
    soxr_t soxr = soxr_create(44100, 48000, CHANNELS, NULL, NULL, &quality, NULL);
    for (int i = 0; i < FRAMES * CHANNELS; i++) input[i] = (float)((i * 7919) % 2000 - 1000) / 1000;
    for (int turn = 0; turn < WARM_UP + turns; turn++) {
        for (int which = 0; which < 4; which++) {
            if (!is_wanted(subjects[which])) continue;
            uint64_t start = now();
            for (int block = 0; block < RATE_BLOCKS; block++) {
                switch (which) {
                case 0: speex_rate(speex); break;
                case 1: ours_rate(medium); break;
                case 2: soxr_rate(soxr); break;
                default: ours_rate(best); break;
                }
            }
            report("rate", subjects[which], start, RATE_BLOCKS, turn >= WARM_UP);
        }
    }
    speex_resampler_destroy(speex);
    soxr_delete(soxr);
    AudioConverterDispose(medium);
    AudioConverterDispose(best);
}

int main(int argc, char **argv) {
    int turns = count_from(argc, argv, 1, 50);
    only = argc > 2 ? argv[2] : NULL;
    for (size_t from = 0; from < KINDS; from++) {
        for (size_t to = 0; to < KINDS; to++) {
            for (int layout = 0; layout < 4; layout++) {
                struct pair pair = {&kinds[from], &kinds[to], layout & 1, layout & 2};
                /* A conversion that changes nothing is a copy. Other layouts are measured with the formats that units use. */
                bool is_usual = (from == 0 || from == 2) && (to == 0 || to == 2);
                if (layout == 0 ? from != to : is_usual) same_rate(pair, turns);
            }
        }
    }
    other_rates(turns);
}
