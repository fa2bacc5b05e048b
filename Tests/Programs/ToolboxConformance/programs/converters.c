/* SPDX-License-Identifier: Apache-2.0 */
/* AudioConverter through the installed headers. */
#include "../files.h"

#include <semaphore.h>

/* Input of 16-bit samples that count up. */
struct counter {
    SInt16 samples[64];
    int next, end, most, calls;
    OSStatus error;
};

static OSStatus give(AudioConverterRef converter, UInt32 *packets, AudioBufferList *data,
    AudioStreamPacketDescription **descriptions, void *user) {
    struct counter *counter = (struct counter *)user;
    UInt32 count = *packets;
    (void)converter;
    counter->calls++;
    EXPECT_INTEGER(data->mNumberBuffers, 1);
    EXPECT(data->mBuffers[0].mData == NULL);
    EXPECT(descriptions != NULL);
    if (counter->error) {
        /* With an error the packets do not count. */
        data->mBuffers[0].mData = counter->samples;
        data->mBuffers[0].mDataByteSize = sizeof counter->samples;
        *packets = 64;
        return counter->error;
    }
    if ((int)count > counter->most) count = (UInt32)counter->most;
    if ((int)count > counter->end - counter->next) count = (UInt32)(counter->end - counter->next);
    for (UInt32 i = 0; i < count; i++) counter->samples[i] = (SInt16)(counter->next++);
    data->mBuffers[0].mData = counter->samples;
    data->mBuffers[0].mDataByteSize = count * 2;
    *packets = count;
    return 0;
}

TEST(pulls, "FillComplexBuffer asks until the output is full, and returns fewer packets at the end") {
    AudioStreamBasicDescription from = int16(44100, 1), to = float32(44100, 1);
    struct counter counter = {{0}, 0, 150, 7, 0, 0};
    AudioConverterRef converter = NULL;
    float output[100];
    AudioBufferList list = one_buffer(output, sizeof output, 1);
    UInt32 packets = 100;
    CHECK_OK(AudioConverterNew(&from, &to, &converter));
    CHECK_OK(AudioConverterFillComplexBuffer(converter, give, &counter, &packets, &list, NULL));
    EXPECT_INTEGER(packets, 100);
    EXPECT_INTEGER(list.mBuffers[0].mDataByteSize, 400);
    for (int i = 0; i < 100; i++) EXPECT_NUMBER(output[i] * 32768, i);
    list.mBuffers[0].mDataByteSize = sizeof output;
    CHECK_OK(AudioConverterFillComplexBuffer(converter, give, &counter, &packets, &list, NULL));
    EXPECT_INTEGER(packets, 50);
    EXPECT_INTEGER(list.mBuffers[0].mDataByteSize, 200);
    packets = 100;
    list.mBuffers[0].mDataByteSize = sizeof output;
    CHECK_OK(AudioConverterFillComplexBuffer(converter, give, &counter, &packets, &list, NULL));
    EXPECT_INTEGER(packets, 0);
    CHECK_OK(AudioConverterDispose(converter));
}

TEST(errors_of_input, "FillComplexBuffer returns the error of the input procedure with what was converted before it") {
    AudioStreamBasicDescription from = int16(44100, 1), to = int16(22050, 2);
    struct counter counter = {{0}, 0, 1000, 64, 0, 0};
    AudioConverterRef converter = NULL;
    SInt16 output[200];
    AudioBufferList list = one_buffer(output, sizeof output, 2);
    UInt32 packets = 10;
    CHECK_OK(AudioConverterNew(&from, &to, &converter));
    for (int life = 1; life <= 2; life++) {
        counter.error = 4711;
        packets = 10;
        list.mBuffers[0].mDataByteSize = sizeof output;
        CHECK(AudioConverterFillComplexBuffer(converter, give, &counter, &packets, &list, NULL), 4711);
        EXPECT_INTEGER(packets, 0);
        EXPECT_INTEGER(list.mBuffers[0].mDataByteSize, 0);
        counter.error = 0;
        packets = 10;
        list.mBuffers[0].mDataByteSize = sizeof output;
        CHECK_OK(AudioConverterFillComplexBuffer(converter, give, &counter, &packets, &list, NULL));
        EXPECT_INTEGER(packets, 10);
        CHECK_OK(AudioConverterReset(converter));
    }
    CHECK_OK(AudioConverterDispose(converter));
}

TEST(settings, "layouts with the channels of a side, and a codec quality, can be set and read") {
    AudioStreamBasicDescription from = int16(44100, 6), to = float32(44100, 2);
    AudioConverterRef converter = NULL;
    AudioChannelLayout layout, read;
    UInt32 size = sizeof read, quality = kAudioConverterQuality_High;
    memset(&layout, 0, sizeof layout);
    CHECK_OK(AudioConverterNew(&from, &to, &converter));
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_A;
    CHECK_OK(AudioConverterSetProperty(converter, kAudioConverterInputChannelLayout, sizeof layout, &layout));
    CHECK(AudioConverterSetProperty(converter, kAudioConverterOutputChannelLayout, sizeof layout, &layout), kAudio_ParamError);
    CHECK_OK(AudioConverterGetProperty(converter, kAudioConverterInputChannelLayout, &size, &read));
    EXPECT_INTEGER(read.mChannelLayoutTag, kAudioChannelLayoutTag_MPEG_5_1_A);
    size = sizeof read;
    CHECK_OK(AudioConverterGetProperty(converter, kAudioConverterOutputChannelLayout, &size, &read));
    EXPECT_INTEGER(read.mChannelLayoutTag, kAudioChannelLayoutTag_Stereo);
    CHECK_OK(AudioConverterSetProperty(converter, kAudioConverterCodecQuality, sizeof quality, &quality));
    CHECK_OK(AudioConverterDispose(converter));
}

TEST(cookie_facts, "a magic cookie completes the description of its packets") {
    static const UInt8 plain[] = {0x12, 0x10}, extended[] = {0x13, 0x90, 0x56, 0xE5, 0xA0};
    AudioFormatListItem items[3];
    AudioFormatInfo info;
    AudioStreamBasicDescription format;
    UInt32 size = sizeof format;
    memset(&format, 0, sizeof format);
    format.mFormatID = kAudioFormatMPEG4AAC;
    CHECK_OK(AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, sizeof plain, plain, &size, &format));
    EXPECT(format.mSampleRate == 44100 && format.mChannelsPerFrame == 2 && format.mFramesPerPacket == 1024);
    CHECK_OK(AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, sizeof extended, extended, &size, &format));
    EXPECT(format.mFormatID == kAudioFormatMPEG4AAC && format.mSampleRate == 22050);
    memset(&info, 0, sizeof info);
    info.mASBD = format;
    info.mMagicCookie = extended;
    info.mMagicCookieSize = sizeof extended;
    size = sizeof items;
    CHECK_OK(AudioFormatGetProperty(kAudioFormatProperty_FormatList, sizeof info, &info, &size, items));
    EXPECT_INTEGER(size, 2 * sizeof items[0]);
    EXPECT(items[0].mASBD.mFormatID == kAudioFormatMPEG4AAC_HE && items[0].mASBD.mSampleRate == 44100);
    EXPECT(items[1].mASBD.mFormatID == kAudioFormatMPEG4AAC && items[1].mASBD.mSampleRate == 22050);
    /* The identifier of the format is enough. */
    AudioFormatListItem same[3];
    memset(&info.mASBD, 0, sizeof info.mASBD);
    info.mASBD.mFormatID = kAudioFormatMPEG4AAC;
    size = sizeof same;
    memset(same, 0xA5, sizeof same);
    CHECK_OK(AudioFormatGetProperty(kAudioFormatProperty_FormatList, sizeof info, &info, &size, same));
    EXPECT_INTEGER(size, 2 * sizeof same[0]);
    for (int i = 0; i < 2; i++) {
        EXPECT_INTEGER(same[i].mASBD.mFormatID, items[i].mASBD.mFormatID);
        EXPECT_NUMBER(same[i].mASBD.mSampleRate, items[i].mASBD.mSampleRate);
        EXPECT_INTEGER(same[i].mASBD.mFramesPerPacket, items[i].mASBD.mFramesPerPacket);
        EXPECT_INTEGER(same[i].mASBD.mChannelsPerFrame, 2);
        EXPECT_INTEGER(same[i].mChannelLayoutTag, kAudioChannelLayoutTag_Stereo);
    }
}

TEST(layouts, "the layouts of WAVE and those with loudspeakers above have their channels") {
    static const struct {
        UInt32 tag, labels[16];
    } expected[] = {
        {kAudioChannelLayoutTag_WAVE_2_1, {1, 2, 4}},
        {kAudioChannelLayoutTag_WAVE_4_0_B, {1, 2, 33, 34}},
        {kAudioChannelLayoutTag_WAVE_5_0_B, {1, 2, 3, 33, 34}},
        {kAudioChannelLayoutTag_WAVE_5_1_B, {1, 2, 3, 4, 33, 34}},
        {kAudioChannelLayoutTag_WAVE_6_1, {1, 2, 3, 4, 9, 5, 6}},
        {kAudioChannelLayoutTag_WAVE_7_1, {1, 2, 3, 4, 33, 34, 5, 6}},
        {kAudioChannelLayoutTag_Atmos_5_1_2, {1, 2, 3, 4, 5, 6, 49, 51}},
        {kAudioChannelLayoutTag_Atmos_7_1_4, {1, 2, 3, 4, 5, 6, 33, 34, 13, 15, 52, 54}},
        {kAudioChannelLayoutTag_Atmos_9_1_6, {1, 2, 3, 4, 5, 6, 33, 34, 35, 36, 13, 15, 49, 51, 52, 54}},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        union {
            AudioChannelLayout layout;
            UInt8 bytes[512];
        } value;
        UInt32 size = sizeof value, tag = 0, tag_size = sizeof tag, channels = expected[i].tag & 0xFFFF;
        CHECK_OK(AudioFormatGetProperty(
            kAudioFormatProperty_ChannelLayoutForTag, sizeof expected[i].tag, &expected[i].tag, &size, &value));
        EXPECT_INTEGER(value.layout.mNumberChannelDescriptions, channels);
        EXPECT_INTEGER(size, 12 + channels * sizeof(AudioChannelDescription));
        for (UInt32 channel = 0; channel < channels; channel++)
            EXPECT_INTEGER(value.layout.mChannelDescriptions[channel].mChannelLabel, expected[i].labels[channel]);
        value.layout.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelDescriptions;
        CHECK_OK(AudioFormatGetProperty(kAudioFormatProperty_TagForChannelLayout, size, &value, &tag_size, &tag));
        EXPECT_INTEGER(tag & 0xFFFF, channels);
    }
}

TEST(handles, "a NULL, disposed or foreign converter is an error") {
    AudioStreamBasicDescription from = int16(44100, 1), to = float32(44100, 1);
    AudioConverterRef converter = NULL, handles[3];
    UInt32 size = 4, value;
    CHECK_OK(AudioConverterNew(&from, &to, &converter));
    CHECK_OK(AudioConverterDispose(converter));
    handles[0] = NULL;
    handles[1] = converter;
    handles[2] = (AudioConverterRef)&value;
    for (int i = 0; i < 3; i++) {
        struct counter counter = {{0}, 0, 1, 1, 0, 0};
        AudioBufferList list = one_buffer(&value, 4, 1);
        UInt32 packets = 1;
        CHECK(AudioConverterDispose(handles[i]), kAudio_ParamError);
        CHECK(AudioConverterReset(handles[i]), kAudio_ParamError);
        CHECK(AudioConverterGetProperty(handles[i], kAudioConverterPropertyMaximumInputPacketSize, &size, &value),
            kAudio_ParamError);
        CHECK(AudioConverterFillComplexBuffer(handles[i], give, &counter, &packets, &list, NULL), kAudio_ParamError);
        EXPECT_INTEGER(counter.calls, 0);
    }
    CHECK(AudioConverterNew(NULL, &to, &converter), kAudio_ParamError);
    CHECK(AudioConverterNew(&from, NULL, &converter), kAudio_ParamError);
    CHECK(AudioConverterNew(&from, &to, NULL), kAudio_ParamError);
}

static OSStatus dispose_inside(AudioConverterRef converter, UInt32 *packets, AudioBufferList *data,
    AudioStreamPacketDescription **descriptions, void *user) {
    (void)packets, (void)data, (void)descriptions, (void)user;
    CHECK_OK(AudioConverterDispose(converter));
    return 99;
}

TEST(disposed_inside, "an input procedure may dispose the converter") {
    AudioStreamBasicDescription from = int16(44100, 1), to = int16(48000, 1);
    AudioConverterRef converter = NULL;
    SInt16 output[10];
    AudioBufferList list = one_buffer(output, sizeof output, 1);
    UInt32 packets = 10;
    CHECK_OK(AudioConverterNew(&from, &to, &converter));
    CHECK(AudioConverterFillComplexBuffer(converter, dispose_inside, NULL, &packets, &list, NULL), 99);
    CHECK(AudioConverterReset(converter), kAudio_ParamError);
}

TEST(formats, "a format that is not supported is 'fmt?', and a rate out of range has its own error") {
    AudioStreamBasicDescription pcm = int16(44100, 2), celp = coded(kAudioFormatMPEG4CELP, 44100, 2), slow = int16(100, 2);
    AudioClassDescription codec = {kAudioDecoderComponentType, kAudioFormatAppleIMA4, kAppleHardwareAudioCodecManufacturer};
    AudioStreamBasicDescription ima4 = coded(kAudioFormatAppleIMA4, 44100, 2);
    AudioConverterRef converter = NULL;
    CHECK(AudioConverterNew(&celp, &pcm, &converter), kAudioConverterErr_FormatNotSupported);
    CHECK(AudioConverterNew(&pcm, &celp, &converter), kAudioConverterErr_FormatNotSupported);
    CHECK(AudioConverterNew(&slow, &pcm, &converter), kAudioConverterErr_InputSampleRateOutOfRange);
    CHECK(AudioConverterNew(&pcm, &slow, &converter), kAudioConverterErr_OutputSampleRateOutOfRange);
    CHECK(AudioConverterNewSpecific(&ima4, &pcm, 1, &codec, &converter), kAudioConverterErr_FormatNotSupported);
    EXPECT(converter == NULL);
    codec.mManufacturer = kAppleSoftwareAudioCodecManufacturer;
    CHECK_OK(AudioConverterNewSpecific(&ima4, &pcm, 1, &codec, &converter));
    CHECK_OK(AudioConverterDispose(converter));
}

TEST(properties, "properties have sizes, values and errors") {
    AudioStreamBasicDescription from = int16(44100, 2), to = float32(48000, 1), read;
    AudioConverterRef converter = NULL;
    UInt32 size = 0, value = 0;
    Boolean writable = 9;
    SInt32 map = 1;
    CHECK_OK(AudioConverterNew(&from, &to, &converter));
    CHECK_OK(AudioConverterGetPropertyInfo(converter, kAudioConverterSampleRateConverterQuality, &size, &writable));
    EXPECT_INTEGER(size, 4);
    EXPECT_INTEGER(writable, 1);
    CHECK_OK(AudioConverterGetPropertyInfo(converter, kAudioConverterSampleRateConverterQuality, NULL, NULL));
    value = kAudioConverterQuality_Max;
    CHECK_OK(AudioConverterSetProperty(converter, kAudioConverterSampleRateConverterQuality, 4, &value));
    size = sizeof read;
    CHECK_OK(AudioConverterGetProperty(converter, kAudioConverterCurrentInputStreamDescription, &size, &read));
    EXPECT_INTEGER(size, 40);
    EXPECT_INTEGER(read.mBytesPerFrame, 4);
    size = 39;
    CHECK(AudioConverterGetProperty(converter, kAudioConverterCurrentInputStreamDescription, &size, &read),
        kAudioConverterErr_BadPropertySizeError);
    size = 4;
    value = 480 * 4;
    CHECK_OK(AudioConverterGetProperty(converter, kAudioConverterPropertyCalculateInputBufferSize, &size, &value));
    EXPECT(value >= 441 * 4);
    CHECK_OK(AudioConverterSetProperty(converter, kAudioConverterChannelMap, sizeof map, &map));
    map = 2;
    CHECK(AudioConverterSetProperty(converter, kAudioConverterChannelMap, sizeof map, &map), kAudio_ParamError);
    CHECK(AudioConverterGetProperty(converter, 0x3F3F3F3F, &size, &value), kAudioConverterErr_PropertyNotSupported);
    CHECK(AudioConverterSetProperty(converter, kAudioConverterPropertyMaximumOutputPacketSize, 4, &value),
        kAudioConverterErr_OperationNotSupported);
    CHECK(AudioConverterGetProperty(converter, kAudioConverterSampleRateConverterQuality, &size, NULL), kAudio_ParamError);
    CHECK_OK(AudioConverterDispose(converter));
}

/* Codes of u-law: 8 of each. */
static OSStatus give_codes(AudioConverterRef converter, UInt32 *packets, AudioBufferList *data,
    AudioStreamPacketDescription **descriptions, void *user) {
    struct counter *counter = (struct counter *)user;
    UInt8 *codes = (UInt8 *)counter->samples;
    UInt32 count = *packets < 64 ? *packets : 64;
    (void)converter, (void)descriptions;
    if ((int)count > counter->end - counter->next) count = (UInt32)(counter->end - counter->next);
    for (UInt32 i = 0; i < count; i++) codes[i] = (UInt8)(128 + counter->next++ / 8);
    data->mBuffers[0].mData = codes;
    data->mBuffers[0].mDataByteSize = *packets = count;
    return 0;
}

/* The first sample of 800 frames that begin with `code`, and how many there are behind those that are dropped. */
static void expect_codes(AudioConverterRef converter, UInt32 skipped) {
    static SInt16 samples[1000];
    struct counter counter = {{0}, 0, 800, 0, 0, 0};
    AudioBufferList list = one_buffer(samples, sizeof samples, 1);
    UInt32 packets = 1000;
    CHECK_OK(AudioConverterFillComplexBuffer(converter, give_codes, &counter, &packets, &list, NULL));
    EXPECT_INTEGER(packets, skipped < 800 ? 800 - skipped : 0);
    /* The code 0x80 is the largest sample, and each following code is a smaller one. */
    for (UInt32 i = 1; i < packets; i++)
        if ((samples[i] < samples[i - 1]) != ((skipped + i) % 8 == 0))
            return failed(
                __FILE__, __LINE__, "frame %u of %u skipped ones is %d behind %d", i, skipped, samples[i], samples[i - 1]);
}

TEST(prime_info, "a decoder drops the leading frames of the prime info that is set, after each reset") {
    AudioStreamBasicDescription from = coded(kAudioFormatULaw, 8000, 1), to = int16(8000, 1), faster = int16(16000, 1);
    AudioConverterRef converter = NULL;
    AudioConverterPrimeInfo info = {9, 9};
    UInt32 size = sizeof info;
    Boolean writable = 9;
    static const UInt32 leading[] = {0, 1, 7, 8, 511, 512, 513, 799, 800, 801, 4294967295u};
    CHECK_OK(AudioConverterNew(&from, &to, &converter));
    CHECK_OK(AudioConverterGetProperty(converter, kAudioConverterPrimeInfo, &size, &info));
    EXPECT(info.leadingFrames == 0 && info.trailingFrames == 0);
    CHECK_OK(AudioConverterGetPropertyInfo(converter, kAudioConverterPrimeInfo, &size, &writable));
    EXPECT_INTEGER(writable, 1);
    for (size_t i = 0; i < sizeof leading / sizeof leading[0]; i++) {
        AudioConverterPrimeInfo set = {leading[i], 77};
        CHECK_OK(AudioConverterSetProperty(converter, kAudioConverterPrimeInfo, sizeof set, &set));
        for (int life = 0; life < 2; life++) {
            size = sizeof info;
            CHECK_OK(AudioConverterGetProperty(converter, kAudioConverterPrimeInfo, &size, &info));
            EXPECT_INTEGER(info.leadingFrames, leading[i]);
            EXPECT_INTEGER(info.trailingFrames, 77);
            expect_codes(converter, leading[i]);
            CHECK_OK(AudioConverterReset(converter));
        }
        CHECK(AudioConverterSetProperty(converter, kAudioConverterPrimeInfo, 7, &set), kAudioConverterErr_BadPropertySizeError);
        CHECK(AudioConverterSetProperty(converter, kAudioConverterPrimeInfo, 9, &set), kAudioConverterErr_BadPropertySizeError);
    }
    CHECK_OK(AudioConverterDispose(converter));
    /* The frames are those of the decoder, before the rate changes. */
    CHECK_OK(AudioConverterNew(&from, &faster, &converter));
    info.leadingFrames = 600;
    CHECK_OK(AudioConverterSetProperty(converter, kAudioConverterPrimeInfo, sizeof info, &info));
    static SInt16 samples[2000];
    struct counter counter = {{0}, 0, 800, 0, 0, 0};
    AudioBufferList list = one_buffer(samples, sizeof samples, 1);
    UInt32 packets = 2000;
    CHECK_OK(AudioConverterFillComplexBuffer(converter, give_codes, &counter, &packets, &list, NULL));
    EXPECT(packets >= 399 && packets <= 401);
    CHECK_OK(AudioConverterDispose(converter));
    /* Converters without a decoder refuse it. */
    for (int turn = 0; turn < 3; turn++) {
        CHECK_OK(AudioConverterNew(&to, turn == 0 ? &to : turn == 1 ? &faster : &from, &converter));
        CHECK(AudioConverterSetProperty(converter, kAudioConverterPrimeInfo, sizeof info, &info),
            kAudioConverterErr_OperationNotSupported);
        CHECK_OK(AudioConverterGetPropertyInfo(converter, kAudioConverterPrimeInfo, &size, &writable));
        EXPECT_INTEGER(writable, 0);
        CHECK_OK(AudioConverterDispose(converter));
    }
}

TEST(whole, "ConvertBuffer and ConvertComplexBuffer convert all, or say which side is too small") {
    AudioStreamBasicDescription from = int16(8000, 2),
                                to = linear(8000, 2, 32, kAudioFormatFlagIsFloat | kAudioFormatFlagIsNonInterleaved);
    AudioStreamBasicDescription packed = float32(8000, 2);
    AudioConverterRef converter = NULL;
    SInt16 input[4] = {0x4000, -0x4000, 0x2000, -0x2000};
    float left[2], right[2], both[4];
    struct {
        AudioBufferList list;
        AudioBuffer second;
    } output;
    AudioBufferList list = one_buffer(input, sizeof input, 2);
    UInt32 size = sizeof both;
    output.list = one_buffer(left, sizeof left, 1);
    output.list.mNumberBuffers = 2;
    output.second.mNumberChannels = 1;
    output.second.mDataByteSize = sizeof right;
    output.second.mData = right;
    CHECK_OK(AudioConverterNew(&from, &to, &converter));
    CHECK_OK(AudioConverterConvertComplexBuffer(converter, 2, &list, &output.list));
    EXPECT(left[0] == 0.5f && left[1] == 0.25f && right[0] == -0.5f && right[1] == -0.25f);
    CHECK(AudioConverterConvertComplexBuffer(converter, 3, &list, &output.list), kAudioConverterErr_InvalidInputSize);
    output.second.mDataByteSize = 7;
    CHECK(AudioConverterConvertComplexBuffer(converter, 2, &list, &output.list), kAudioConverterErr_InvalidOutputSize);
    CHECK_OK(AudioConverterDispose(converter));
    CHECK_OK(AudioConverterNew(&from, &packed, &converter));
    output.list = one_buffer(both, sizeof both, 2);
    CHECK_OK(AudioConverterConvertComplexBuffer(converter, 1, &list, &output.list));
    EXPECT(both[0] == 0.5f && both[1] == -0.5f);
    EXPECT_INTEGER(output.list.mBuffers[0].mDataByteSize, 8);
    CHECK(AudioConverterConvertComplexBuffer(converter, 2, &list, &output.list), kAudioConverterErr_InvalidOutputSize);
    output.list.mBuffers[0].mDataByteSize = sizeof both;
    CHECK(AudioConverterConvertComplexBuffer(converter, 3, &list, &output.list), kAudioConverterErr_InvalidInputSize);
    CHECK_OK(AudioConverterConvertComplexBuffer(converter, 2, &list, &output.list));
    EXPECT(both[2] == 0.25f && both[3] == -0.25f);
    list.mBuffers[0].mData = NULL;
    CHECK(AudioConverterConvertComplexBuffer(converter, 1, &list, &output.list), kAudioConverterErr_InvalidInputSize);
    list.mNumberBuffers = 0;
    CHECK(AudioConverterConvertComplexBuffer(converter, 1, &list, &output.list), kAudioConverterErr_InvalidInputSize);
    CHECK_OK(AudioConverterConvertBuffer(converter, sizeof input, input, &size, both));
    EXPECT_INTEGER(size, 16);
    EXPECT(both[3] == -0.25f);
    CHECK(AudioConverterConvertBuffer(converter, 3, input, &size, both), kAudioConverterErr_InvalidInputSize);
    size = 15;
    CHECK(AudioConverterConvertBuffer(converter, sizeof input, input, &size, both), kAudioConverterErr_InvalidOutputSize);
    CHECK_OK(AudioConverterDispose(converter));
}

TEST(in_place, "samples are converted in place to samples that are not larger") {
    enum { SAMPLES = 777 };
    const AudioStreamBasicDescription formats[] = {linear(8000, 1, 64, kAudioFormatFlagIsFloat), float32(8000, 1),
        linear(8000, 1, 32, kAudioFormatFlagIsSignedInteger), linear(8000, 1, 24, kAudioFormatFlagIsSignedInteger),
        linear(8000, 1, 24, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian), int16(8000, 1)};
    const int count = sizeof formats / sizeof formats[0];
    static SInt16 sound[SAMPLES];
    static double source[SAMPLES], target[SAMPLES], both[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) sound[i] = (SInt16)(i * 7919);
    for (int from = 0; from < count; from++) {
        AudioConverterRef converter = NULL;
        UInt32 bytes = formats[from].mBytesPerFrame * SAMPLES;
        CHECK_OK(AudioConverterNew(&formats[count - 1], &formats[from], &converter));
        CHECK_OK(AudioConverterConvertBuffer(converter, sizeof sound, sound, &bytes, source));
        CHECK_OK(AudioConverterDispose(converter));
        for (int to = 0; to < count; to++) {
            UInt32 size = sizeof target, same = sizeof both;
            if (formats[to].mBytesPerFrame > formats[from].mBytesPerFrame) continue;
            memcpy(both, source, sizeof both);
            CHECK_OK(AudioConverterNew(&formats[from], &formats[to], &converter));
            CHECK_OK(AudioConverterConvertBuffer(converter, bytes, source, &size, target));
            CHECK_OK(AudioConverterConvertBuffer(converter, bytes, both, &same, both));
            EXPECT_INTEGER(same, size);
            EXPECT(memcmp(both, target, size) == 0);
            CHECK_OK(AudioConverterDispose(converter));
        }
    }
}

TEST(many, "thousands of converters have handles of their own") {
    AudioStreamBasicDescription format = int16(8000, 1);
    enum { COUNT = 3000 };
    static AudioConverterRef converters[COUNT];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < COUNT; i++) CHECK_OK(AudioConverterNew(&format, &format, &converters[i]));
        for (int i = 1; i < COUNT; i++) EXPECT(converters[i] != converters[i - 1]);
        for (int i = 0; i < COUNT; i++) CHECK_OK(AudioConverterDispose(converters[i]));
        CHECK(AudioConverterReset(converters[0]), kAudio_ParamError);
    }
}

TEST(uses, "a converter that was used is freed: more converters than can exist at once, one after another") {
    AudioStreamBasicDescription from = int16(8000, 1), to = float32(8000, 1);
    SInt16 sample = 8192;
    float result = 0;
    const AudioBufferList input = one_buffer(&sample, sizeof sample, 1);
    for (int i = 0; i < 70000; i++) {
        AudioBufferList output = one_buffer(&result, sizeof result, 1);
        AudioConverterRef converter = NULL;
        CHECK_OK(AudioConverterNew(&from, &to, &converter));
        CHECK_OK(AudioConverterConvertComplexBuffer(converter, 1, &input, &output));
        CHECK_OK(AudioConverterDispose(converter));
    }
    EXPECT_NUMBER(result, 0.25);
}

/* A converter that one thread uses while another one disposes it. */
struct shared_use {
    AudioConverterRef converter;
    sem_t begins, used, fails;
    OSStatus first, last;
};

/* Converts until a call fails. Reports its first call, and the last one. */
static void *convert_until_error(void *data) {
    struct shared_use *use = (struct shared_use *)data;
    static SInt16 input[512];
    static float output[512];
    const AudioBufferList from = one_buffer(input, sizeof input, 1);
    for (int round = 0; round < 200; round++) {
        sem_wait(&use->begins);
        for (int calls = 0;; calls++) {
            AudioBufferList to = one_buffer(output, sizeof output, 1);
            OSStatus status = AudioConverterConvertComplexBuffer(use->converter, 512, &from, &to);
            use->last = status;
            if (calls == 0) {
                use->first = status;
                sem_post(&use->used);
            }
            if (status != 0) break;
        }
        sem_post(&use->fails);
    }
    return NULL;
}

TEST(in_use, "a converter that another thread uses can be disposed: its next call fails") {
    AudioStreamBasicDescription from = int16(44100, 1), to = float32(44100, 1);
    struct shared_use use;
    pthread_t thread;
    memset(&use, 0, sizeof use);
    EXPECT(sem_init(&use.begins, 0, 0) == 0 && sem_init(&use.used, 0, 0) == 0 && sem_init(&use.fails, 0, 0) == 0);
    EXPECT_INTEGER(pthread_create(&thread, NULL, convert_until_error, &use), 0);
    for (int round = 0; round < 200; round++) {
        CHECK_OK(AudioConverterNew(&from, &to, &use.converter));
        sem_post(&use.begins);
        sem_wait(&use.used);
        CHECK_OK(use.first);
        CHECK_OK(AudioConverterDispose(use.converter));
        sem_wait(&use.fails);
        CHECK(use.last, kAudio_ParamError);
    }
    EXPECT_INTEGER(pthread_join(thread, NULL), 0);
}
