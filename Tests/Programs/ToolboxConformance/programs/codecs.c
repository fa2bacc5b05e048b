/* SPDX-License-Identifier: Apache-2.0 */
/* Files with the codecs of modules: AAC and Apple Lossless in CAF and MPEG-4. A module that is not installed makes its tests pass
   with a message. */
#include "../files.h"

#include <AudioToolbox/AudioFileStream.h>

#include <dlfcn.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FRAMES = 30000, CHANNELS = 2 };

static int has_codec(AudioFormatPropertyID list, UInt32 wanted) {
    UInt32 formats[64], size = sizeof formats;
    if (AudioFormatGetProperty(list, 0, NULL, &size, formats) != 0) return 0;
    for (UInt32 i = 0; i < size / sizeof formats[0]; i++)
        if (formats[i] == wanted) return 1;
    printf("# no codec of %08x is installed\n", (unsigned)wanted);
    return 0;
}

/* Noise: no codec makes it much smaller. */
static SInt16 sample(int index) { return (SInt16)(((UInt32)index * 2654435761u + 12345) >> 17 & 0x3FFF); }

/* A low tone, which AAC hardly changes. */
static SInt16 tone(int index) { return (SInt16)lrint(8000 * sin((index / CHANNELS) * 0.05)); }

/* Kills the program where write_file would close the file. */
static int stop_before_close;

/* Writes up to FRAMES frames. Returns the first error. */
static OSStatus write_file(const char *path, UInt32 type, UInt32 format) {
    static SInt16 samples[FRAMES * CHANNELS];
    AudioStreamBasicDescription written = coded(format, 44100, CHANNELS), client = int16(44100, CHANNELS);
    ExtAudioFileRef file;
    for (int i = 0; i < FRAMES * CHANNELS; i++) samples[i] = format == kAudioFormatMPEG4AAC ? tone(i) : sample(i);
    OSStatus status = ExtAudioFileLinuxCreateWithPath(path, type, &written, NULL, kAudioFileFlags_EraseFile, &file), later;
    if (status != 0) return status;
    status = ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client);
    for (UInt32 done = 0; done < FRAMES && status == 0; done += 1000) {
        AudioBufferList list = one_buffer(samples + done * CHANNELS, 1000 * CHANNELS * 2, CHANNELS);
        status = ExtAudioFileWrite(file, 1000, &list);
    }
    if (stop_before_close) raise(SIGKILL);
    later = ExtAudioFileDispose(file);
    return status ? status : later;
}

static ExtAudioFileRef open_file(const char *path, SInt64 *length) {
    AudioStreamBasicDescription client = int16(44100, CHANNELS);
    ExtAudioFileRef file = NULL;
    UInt32 size = sizeof *length;
    *length = -1;
    REQUIRE(ExtAudioFileLinuxOpenPath(path, &file) == 0);
    CHECK_OK(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client));
    CHECK_OK(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileLengthFrames, &size, length));
    return file;
}

static UInt32 read_frames(ExtAudioFileRef file, SInt16 *samples, UInt32 frames) {
    UInt32 done = 0;
    for (;;) {
        UInt32 count = frames - done;
        AudioBufferList list = one_buffer(samples + done * CHANNELS, count * CHANNELS * 2, CHANNELS);
        if (count == 0) return done;
        CHECK_OK(ExtAudioFileRead(file, &count, &list));
        if (count == 0) return done;
        done += count;
    }
}

static void round_trip(const char *path, UInt32 type, UInt32 format, int is_lossless) {
    static SInt16 all[(FRAMES + 5000) * CHANNELS], part[5000 * CHANNELS];
    SInt64 length;
    if (!has_codec(kAudioFormatProperty_EncodeFormatIDs, format) || !has_codec(kAudioFormatProperty_DecodeFormatIDs, format))
        return;
    CHECK_OK(write_file(path, type, format));
    ExtAudioFileRef file = open_file(path, &length);
    EXPECT_INTEGER(length, FRAMES);
    EXPECT_INTEGER(read_frames(file, all, FRAMES + 5000), FRAMES);
    /* AAC blurs the sudden end of the tone. */
    for (int i = 0; i < (is_lossless ? FRAMES : FRAMES - 2048) * CHANNELS; i++) {
        int expected = is_lossless ? sample(i) : tone(i);
        if (abs(all[i] - expected) <= (is_lossless ? 0 : 400)) continue;
        failed(__FILE__, __LINE__, "sample %d is %d, not %d", i, all[i], expected);
        break;
    }
    /* Reading from the middle gives the same frames as reading all. */
    CHECK_OK(ExtAudioFileSeek(file, 12345));
    EXPECT_INTEGER(read_frames(file, part, 5000), 5000);
    int most = 0;
    for (int i = 0; i < 5000 * CHANNELS; i++) {
        int difference = abs(part[i] - all[12345 * CHANNELS + i]);
        if (difference > most) most = difference;
    }
    EXPECT(most <= 1);
    CHECK_OK(ExtAudioFileDispose(file));
}

TEST(lossless_caf, "Apple Lossless in CAF gives back what was written") {
    round_trip("a.caf", kAudioFileCAFType, kAudioFormatAppleLossless, 1);
}

TEST(lossless_m4a, "Apple Lossless in MPEG-4 gives back what was written") {
    round_trip("a.m4a", kAudioFileM4AType, kAudioFormatAppleLossless, 1);
}

/* Writes packets of noise with all bits that the format has, and reads them again. */
static void exact_trip(UInt32 type, UInt32 channels, UInt32 bits) {
    static SInt32 written[9000 * 8], read[9000 * 8];
    AudioStreamBasicDescription file_format = coded(kAudioFormatAppleLossless, 44100, channels);
    AudioStreamBasicDescription client = linear(44100, channels, 32, kAudioFormatFlagIsSignedInteger), found;
    UInt32 frames = 9000, size = sizeof found;
    ExtAudioFileRef file;
    file_format.mFormatFlags = bits == 16 ? kAppleLosslessFormatFlag_16BitSourceData : kAppleLosslessFormatFlag_24BitSourceData;
    for (UInt32 i = 0; i < frames * channels; i++) written[i] = (SInt32)(i * 2654435761u & ~0u << (32 - bits));
    AudioBufferList list = one_buffer(written, frames * channels * 4, channels);
    REQUIRE(ExtAudioFileLinuxCreateWithPath("e", type, &file_format, NULL, kAudioFileFlags_EraseFile, &file) == 0);
    CHECK_OK(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client));
    CHECK_OK(ExtAudioFileWrite(file, frames, &list));
    CHECK_OK(ExtAudioFileDispose(file));
    REQUIRE(ExtAudioFileLinuxOpenPath("e", &file) == 0);
    CHECK_OK(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileDataFormat, &size, &found));
    EXPECT_INTEGER(found.mFormatFlags, file_format.mFormatFlags);
    CHECK_OK(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client));
    list = one_buffer(read, sizeof read, channels);
    CHECK_OK(ExtAudioFileRead(file, &frames, &list));
    EXPECT_INTEGER(frames, 9000);
    EXPECT(memcmp(written, read, frames * channels * 4) == 0);
    CHECK_OK(ExtAudioFileDispose(file));
}

TEST(lossless_channels, "Apple Lossless has 1 to 8 channels, and keeps 16 or 24 bits") {
    if (!has_codec(kAudioFormatProperty_EncodeFormatIDs, kAudioFormatAppleLossless)) return;
    for (UInt32 channels = 1; channels <= 8; channels++) {
        exact_trip(kAudioFileCAFType, channels, channels % 2 ? 16 : 24);
        exact_trip(kAudioFileM4AType, channels, channels % 2 ? 24 : 16);
    }
}

TEST(aac_caf, "AAC in CAF has as many frames as were written") {
    round_trip("b.caf", kAudioFileCAFType, kAudioFormatMPEG4AAC, 0);
}

TEST(aac_m4a, "AAC in MPEG-4 has as many frames as were written") {
    round_trip("b.m4a", kAudioFileM4AType, kAudioFormatMPEG4AAC, 0);
}

struct one_packet {
    UInt8 *bytes;
    UInt32 size;
    AudioStreamPacketDescription description;
};

static OSStatus give_packet(
    AudioConverterRef converter, UInt32 *count, AudioBufferList *list, AudioStreamPacketDescription **descriptions, void *data) {
    struct one_packet *given = (struct one_packet *)data;
    (void)converter;
    *count = given->size > 0;
    given->description = (AudioStreamPacketDescription){0, 0, given->size};
    if (descriptions) *descriptions = &given->description;
    *list = one_buffer(given->bytes, given->size, 2);
    given->size = 0;
    return 0;
}

/* Converts one packet with standard error in a file. Returns the bytes that were written there. */
static off_t noise_of_packet(AudioConverterRef converter, UInt8 *packet, UInt32 size, float *frames, UInt32 room) {
    struct one_packet given = {packet, size, {0, 0, 0}};
    AudioBufferList list = one_buffer(frames, room * 8, 2);
    FILE *file = tmpfile();
    int error = dup(2);
    REQUIRE(file && error >= 0 && dup2(fileno(file), 2) == 2);
    OSStatus status = AudioConverterFillComplexBuffer(converter, give_packet, &given, &room, &list, NULL);
    off_t written = lseek(2, 0, SEEK_CUR);
    dup2(error, 2);
    close(error);
    fclose(file);
    CHECK_OK(status);
    return written;
}

/* Writes the packets of a file as ADTS: AAC-LC of two channels at 44,100 Hz. Returns the bytes, which are in `stream` as well. */
static size_t write_adts(const char *from, const char *to, unsigned char *stream, size_t room) {
    AudioFileID file = NULL;
    FILE *output = fopen(to, "w");
    size_t done = 0;
    REQUIRE(output && AudioFileLinuxOpenPath(from, kAudioFileReadPermission, 0, &file) == 0);
    for (SInt64 packet = 0;; packet++) {
        unsigned char bytes[7 + 8192] = {0xFF, 0xF1, 0x50, 0x80, 0, 0x1F, 0xFC};
        UInt32 size = 8192, count = 1;
        if (AudioFileReadPacketData(file, 0, &size, NULL, packet, &count, bytes + 7) != 0 || count == 0) break;
        UInt32 whole = size + 7;
        bytes[3] |= (unsigned char)(whole >> 11);
        bytes[4] = (unsigned char)(whole >> 3);
        bytes[5] |= (unsigned char)(whole << 5);
        REQUIRE(done + whole <= room);
        memcpy(stream + done, bytes, whole);
        done += whole;
    }
    CHECK_OK(AudioFileClose(file));
    EXPECT(fwrite(stream, 1, done, output) == done);
    fclose(output);
    return done;
}

static int has_aac(void) {
    return has_codec(kAudioFormatProperty_EncodeFormatIDs, kAudioFormatMPEG4AAC) &&
        has_codec(kAudioFormatProperty_DecodeFormatIDs, kAudioFormatMPEG4AAC);
}

static unsigned char adts[1 << 18];

TEST(adts_seek, "the first packets of ADTS are the same after a seek to 0") {
    static SInt16 first[6000 * CHANNELS], again[6000 * CHANNELS];
    SInt64 length;
    if (!has_aac()) return;
    CHECK_OK(write_file("s.m4a", kAudioFileM4AType, kAudioFormatMPEG4AAC));
    EXPECT(write_adts("s.m4a", "s.aac", adts, sizeof adts) > 1000);
    ExtAudioFileRef file = open_file("s.aac", &length);
    EXPECT(length >= FRAMES);
    EXPECT_INTEGER(read_frames(file, first, 6000), 6000);
    for (int round = 0; round < 3; round++) {
        if (round == 1) CHECK_OK(ExtAudioFileSeek(file, 20000));
        if (round == 1) EXPECT_INTEGER(read_frames(file, again, 3000), 3000);
        CHECK_OK(ExtAudioFileSeek(file, 0));
        memset(again, 1, sizeof again);
        EXPECT_INTEGER(read_frames(file, again, 6000), 6000);
        EXPECT(memcmp(first, again, sizeof first) == 0);
    }
    CHECK_OK(ExtAudioFileDispose(file));
}

static void stream_property(void *user, AudioFileStreamID stream, AudioFileStreamPropertyID property, UInt32 *flags) {
    (void)stream, (void)flags;
    if (property == kAudioFileStreamProperty_MagicCookieData) ++*(int *)user;
}

static void stream_packets(void *user, UInt32 bytes, UInt32 count, const void *data, AudioStreamPacketDescription *descriptions) {
    (void)user, (void)bytes, (void)count, (void)data, (void)descriptions;
}

TEST(adts_cookie, "a stream of ADTS has a magic cookie, which a decoder takes") {
    AudioFileStreamID stream = NULL;
    AudioConverterRef converter = NULL;
    AudioStreamBasicDescription format, client = int16(44100, CHANNELS);
    unsigned char cookie[256];
    int found = 0;
    UInt32 size = sizeof cookie, format_size = sizeof format;
    if (!has_aac()) return;
    CHECK_OK(write_file("c.m4a", kAudioFileM4AType, kAudioFormatMPEG4AAC));
    UInt32 bytes = (UInt32)write_adts("c.m4a", "c.aac", adts, sizeof adts);
    CHECK_OK(AudioFileStreamOpen(&found, stream_property, stream_packets, kAudioFileAAC_ADTSType, &stream));
    CHECK_OK(AudioFileStreamParseBytes(stream, bytes, adts, 0));
    EXPECT_INTEGER(found, 1);
    CHECK_OK(AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_DataFormat, &format_size, &format));
    CHECK_OK(AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_MagicCookieData, &size, cookie));
    EXPECT(size > 20 && cookie[0] == 3);
    CHECK_OK(AudioConverterNew(&format, &client, &converter));
    CHECK_OK(AudioConverterSetProperty(converter, kAudioConverterDecompressionMagicCookie, size, cookie));
    CHECK_OK(AudioConverterDispose(converter));
    CHECK_OK(AudioFileStreamClose(stream));
}

TEST(no_frames, "a file without frames has the configuration of its packets") {
    static const UInt32 types[] = {kAudioFileM4AType, kAudioFileCAFType};
    AudioStreamBasicDescription format = coded(kAudioFormatMPEG4AAC, 44100, CHANNELS);
    ExtAudioFileRef extended = NULL;
    if (!has_aac()) return;
    for (int i = 0; i < 2; i++) {
        AudioFileID file = NULL;
        UInt32 size = 0;
        UInt64 packets = 1;
        CHECK_OK(ExtAudioFileLinuxCreateWithPath("n", types[i], &format, NULL, kAudioFileFlags_EraseFile, &extended));
        CHECK_OK(ExtAudioFileDispose(extended));
        CHECK_OK(AudioFileLinuxOpenPath("n", kAudioFileReadPermission, 0, &file));
        CHECK_OK(AudioFileGetPropertyInfo(file, kAudioFilePropertyMagicCookieData, &size, NULL));
        EXPECT(size > 20);
        size = sizeof packets;
        CHECK_OK(AudioFileGetProperty(file, kAudioFilePropertyAudioDataPacketCount, &size, &packets));
        EXPECT_INTEGER(packets, 0);
        CHECK_OK(AudioFileClose(file));
    }
}

TEST(encoder_lists, "an encoder lists its bit rates and sample rates") {
    AudioStreamBasicDescription from = int16(44100, CHANNELS), to = coded(kAudioFormatMPEG4AAC, 44100, CHANNELS);
    AudioConverterRef converter = NULL;
    AudioValueRange ranges[32];
    UInt32 size = sizeof ranges;
    bool found = false;
    if (!has_aac()) return;
    CHECK_OK(AudioConverterNew(&from, &to, &converter));
    CHECK_OK(AudioConverterGetProperty(converter, kAudioConverterApplicableEncodeBitRates, &size, ranges));
    EXPECT_INTEGER(size, sizeof ranges[0]);
    EXPECT(ranges[0].mMinimum <= 64000 && ranges[0].mMaximum >= 256000);
    size = sizeof ranges;
    CHECK_OK(AudioConverterGetProperty(converter, kAudioConverterAvailableEncodeSampleRates, &size, ranges));
    for (UInt32 i = 0; i < size / sizeof ranges[0]; i++) found = found || ranges[i].mMinimum == 44100;
    EXPECT(found);
    CHECK_OK(AudioConverterDispose(converter));
}

TEST(quiet_mp3, "packets of MP3 that contradict the description print nothing, and are silence") {
    static UInt8 packet[417] = {0xFF, 0xFB, 0x90, 0};
    static float frames[1152 * 2];
    if (!has_codec(kAudioFormatProperty_DecodeFormatIDs, kAudioFormatMPEGLayer3)) return;
    static const Float64 rates[] = {22050, 48000, 44100};
    for (int i = 0; i < 3; i++) {
        AudioStreamBasicDescription from = coded(kAudioFormatMPEGLayer3, rates[i], 2), to = float32(rates[i], 2);
        AudioConverterRef converter;
        from.mFramesPerPacket = 1152;
        REQUIRE(AudioConverterNew(&from, &to, &converter) == 0);
        memset(frames, 1, sizeof frames);
        EXPECT_INTEGER(noise_of_packet(converter, packet, sizeof packet, frames, 1152), 0);
        for (int k = 0; k < 1152 * 2; k++) EXPECT(frames[k] == 0);
        CHECK_OK(AudioConverterDispose(converter));
    }
}

TEST(precise_mpeg, "MPEG audio has more than 16 bits for a client with floats, and is not clipped") {
    static UInt8 packet[417];
    static float frames[1152 * 2];
    AudioStreamBasicDescription from = coded(kAudioFormatMPEGLayer2, 44100, 2), to = float32(44100, 2);
    AudioConverterRef converter;
    int between = 0, beyond = 0;
    if (!has_codec(kAudioFormatProperty_DecodeFormatIDs, kAudioFormatMPEGLayer2)) return;
    /* Layer 2 makes noise of any bits, and of these a loud one. */
    for (int i = 0; i < 417; i++) packet[i] = (UInt8)sample(i + 2000);
    memcpy(packet, "\xFF\xFD\x80", 4);
    from.mFramesPerPacket = 1152;
    REQUIRE(AudioConverterNew(&from, &to, &converter) == 0);
    EXPECT_INTEGER(noise_of_packet(converter, packet, sizeof packet, frames, 1152), 0);
    for (int i = 0; i < 1152 * 2; i++) {
        float value = frames[i] * 32768;
        between += fabsf(value - rintf(value)) > 0.01f;
        beyond += fabsf(frames[i]) > 1;
    }
    EXPECT(between > 0 && beyond > 0);
    CHECK_OK(AudioConverterDispose(converter));
}

TEST(full_disk, "a file on a full disk ends with its last whole packet") {
    static SInt16 samples[FRAMES * CHANNELS];
    static const UInt32 types[] = {kAudioFileCAFType, kAudioFileM4AType};
    static const rlim_t sizes[] = {700, 1500, 5000, 20000, 40000};
    struct rlimit limit, smaller;
    if (!has_codec(kAudioFormatProperty_EncodeFormatIDs, kAudioFormatAppleLossless)) return;
    /* A file that may not grow fails as a disk that is full. */
    signal(SIGXFSZ, SIG_IGN);
    REQUIRE(getrlimit(RLIMIT_FSIZE, &limit) == 0);
    for (size_t type = 0; type < 2; type++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            SInt64 length;
            smaller = limit;
            smaller.rlim_cur = sizes[i];
            REQUIRE(setrlimit(RLIMIT_FSIZE, &smaller) == 0);
            EXPECT(write_file("full", types[type], kAudioFormatAppleLossless) != 0);
            REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
            /* A file without room for its header has no sound. */
            if (sizes[i] < 1500) continue;
            ExtAudioFileRef file = open_file("full", &length);
            UInt32 frames = read_frames(file, samples, FRAMES);
            EXPECT_INTEGER(frames, length);
            EXPECT(sizes[i] < 20000 || frames >= 4096);
            for (UInt32 j = 0; j < frames * CHANNELS; j++) {
                if (samples[j] == sample((int)j)) continue;
                failed(
                    __FILE__, __LINE__, "%d bytes: sample %d is %d, not %d", (int)sizes[i], (int)j, samples[j], sample((int)j));
                break;
            }
            CHECK_OK(ExtAudioFileDispose(file));
        }
    }
}

TEST(killed, "a file of a program that is killed has the packets that were written") {
    static SInt16 samples[FRAMES * CHANNELS];
    static const UInt32 types[] = {kAudioFileCAFType, kAudioFileM4AType};
    if (!has_codec(kAudioFormatProperty_EncodeFormatIDs, kAudioFormatAppleLossless)) return;
    for (size_t type = 0; type < 2; type++) {
        int status;
        pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            stop_before_close = 1;
            write_file("killed", types[type], kAudioFormatAppleLossless);
            _exit(1);
        }
        REQUIRE(waitpid(child, &status, 0) == child);
        REQUIRE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        SInt64 length;
        ExtAudioFileRef file = open_file("killed", &length);
        UInt32 frames = read_frames(file, samples, FRAMES);
        EXPECT_INTEGER(frames, length);
        /* The last frames wait for the rest of their packet. A table of MPEG-4 is not written with each packet. */
        EXPECT(frames >= (types[type] == kAudioFileCAFType ? FRAMES - 2 * 4096 : 4096));
        for (UInt32 i = 0; i < frames * CHANNELS; i++) {
            if (samples[i] == sample((int)i)) continue;
            failed(__FILE__, __LINE__, "sample %d is %d, not %d", (int)i, samples[i], sample((int)i));
            break;
        }
        CHECK_OK(ExtAudioFileDispose(file));
    }
}

struct supply {
    SInt16 *samples;
    UInt32 left;
};

static OSStatus give(AudioConverterRef converter, UInt32 *packets, AudioBufferList *list,
    AudioStreamPacketDescription **descriptions, void *data) {
    struct supply *supply = (struct supply *)data;
    (void)converter, (void)descriptions;
    UInt32 count = *packets < supply->left ? *packets : supply->left;
    *list = one_buffer(supply->samples, count * CHANNELS * 2, CHANNELS);
    supply->samples += count * CHANNELS;
    supply->left -= count;
    *packets = count;
    return 0;
}

TEST(packets, "a program encodes packets by a converter and writes them into a file") {
    static SInt16 samples[10000 * CHANNELS];
    static UInt8 bytes[65536], cookie[1024];
    AudioStreamPacketDescription descriptions[4];
    AudioStreamBasicDescription from = int16(44100, CHANNELS), to = coded(kAudioFormatAppleLossless, 44100, CHANNELS), format;
    AudioConverterRef converter;
    AudioFileID file;
    UInt32 size = sizeof format, cookie_size = sizeof cookie, largest = 0;
    SInt64 written = 0;
    struct supply supply = {samples, 10000};
    if (!has_codec(kAudioFormatProperty_EncodeFormatIDs, kAudioFormatAppleLossless)) return;
    for (int i = 0; i < 10000 * CHANNELS; i++) samples[i] = sample(i);
    REQUIRE(AudioConverterNew(&from, &to, &converter) == 0);
    CHECK_OK(AudioConverterGetProperty(converter, kAudioConverterCurrentOutputStreamDescription, &size, &format));
    EXPECT_INTEGER(format.mFramesPerPacket, 4096);
    size = sizeof largest;
    CHECK_OK(AudioConverterGetProperty(converter, kAudioConverterPropertyMaximumOutputPacketSize, &size, &largest));
    EXPECT(largest > 4096 && largest <= sizeof bytes);
    CHECK_OK(AudioConverterGetProperty(converter, kAudioConverterCompressionMagicCookie, &cookie_size, cookie));
    REQUIRE(AudioFileLinuxCreateWithPath("p.caf", kAudioFileCAFType, &format, kAudioFileFlags_EraseFile, &file) == 0);
    CHECK_OK(AudioFileSetProperty(file, kAudioFilePropertyMagicCookieData, cookie_size, cookie));
    for (;;) {
        AudioBufferList list = one_buffer(bytes, sizeof bytes, CHANNELS);
        UInt32 packets = 1, wanted;
        CHECK_OK(AudioConverterFillComplexBuffer(converter, give, &supply, &packets, &list, descriptions));
        if (packets == 0) break;
        wanted = packets;
        EXPECT_INTEGER(descriptions[0].mDataByteSize, list.mBuffers[0].mDataByteSize);
        CHECK_OK(AudioFileWritePackets(file, 0, list.mBuffers[0].mDataByteSize, descriptions, written, &packets, bytes));
        EXPECT_INTEGER(packets, wanted);
        written += packets;
    }
    EXPECT_INTEGER(written, 3);
    /* The last packet has described its frames. */
    AudioFilePacketTableInfo table = {10000, 0, 3 * 4096 - 10000}, described;
    UInt32 table_size = sizeof described;
    EXPECT_INTEGER(descriptions[0].mVariableFramesInPacket, 10000 - 2 * 4096);
    CHECK_OK(AudioFileGetProperty(file, kAudioFilePropertyPacketTableInfo, &table_size, &described));
    EXPECT(memcmp(&table, &described, sizeof table) == 0);
    CHECK_OK(AudioFileSetProperty(file, kAudioFilePropertyPacketTableInfo, sizeof table, &table));
    CHECK_OK(AudioFileClose(file));
    CHECK_OK(AudioConverterDispose(converter));
    if (!has_codec(kAudioFormatProperty_DecodeFormatIDs, kAudioFormatAppleLossless)) return;
    static SInt16 read[11000 * CHANNELS];
    SInt64 length;
    ExtAudioFileRef opened = open_file("p.caf", &length);
    EXPECT_INTEGER(length, 10000);
    EXPECT_INTEGER(read_frames(opened, read, 11000), 10000);
    EXPECT(memcmp(read, samples, sizeof samples) == 0);
    CHECK_OK(ExtAudioFileDispose(opened));
}

/* The packets of a sound, one behind the other. */
struct encoded {
    UInt32 packets, size;
    UInt8 bytes[1 << 18];
};

/* Encodes a sound of this many frames to its end. */
static void encode_sound(AudioConverterRef converter, UInt32 frames, struct encoded *sound) {
    static SInt16 samples[10000 * CHANNELS];
    struct supply supply = {samples, frames};
    for (int i = 0; i < 10000 * CHANNELS; i++) samples[i] = tone(i);
    sound->packets = sound->size = 0;
    for (;;) {
        AudioBufferList list = one_buffer(sound->bytes + sound->size, (UInt32)sizeof sound->bytes - sound->size, CHANNELS);
        AudioStreamPacketDescription description;
        UInt32 packets = 1;
        CHECK_OK(AudioConverterFillComplexBuffer(converter, give, &supply, &packets, &list, &description));
        if (packets == 0) return;
        sound->packets++;
        sound->size += list.mBuffers[0].mDataByteSize;
    }
}

/* One converter encodes sounds of these numbers of frames, without a reset between them and with one. A new converter encodes each
   of them to the same packets. */
static void encode_in_turn(UInt32 id, const UInt32 *frames, int count) {
    static struct encoded expected, found;
    AudioStreamBasicDescription from = int16(44100, CHANNELS), to = coded(id, 44100, CHANNELS);
    AudioConverterRef converter = NULL, fresh = NULL;
    if (!has_codec(kAudioFormatProperty_EncodeFormatIDs, id)) return;
    REQUIRE(AudioConverterNew(&from, &to, &converter) == 0);
    for (int i = 0; i < 2 * count; i++) {
        UInt32 length = frames[i % count];
        REQUIRE(AudioConverterNew(&from, &to, &fresh) == 0);
        encode_sound(fresh, length, &expected);
        CHECK_OK(AudioConverterDispose(fresh));
        encode_sound(converter, length, &found);
        if (found.packets != expected.packets || found.size != expected.size ||
            memcmp(found.bytes, expected.bytes, expected.size) != 0)
            failed(__FILE__, __LINE__, "sound %d, of %u frames: %u packets of %u bytes, not %u of %u", i, (unsigned)length,
                (unsigned)found.packets, (unsigned)found.size, (unsigned)expected.packets, (unsigned)expected.size);
        if (i >= count) CHECK_OK(AudioConverterReset(converter));
    }
    CHECK_OK(AudioConverterDispose(converter));
}

TEST(sounds_in_turn, "an encoder encodes each sound as a new one does, also after a sound that is shorter than a packet") {
    static const UInt32 frames[] = {500, 10000, 1, 1, 4096, 700};
    encode_in_turn(kAudioFormatMPEG4AAC, frames, 6);
    encode_in_turn(kAudioFormatAppleLossless, frames, 6);
}

TEST(empty_sounds, "an encoder that was at its end without a frame encodes the next sound") {
    static const UInt32 frames[] = {0, 500, 0, 0, 10000};
    encode_in_turn(kAudioFormatMPEG4AAC, frames, 5);
    encode_in_turn(kAudioFormatAppleLossless, frames, 5);
}

TEST(usual_bit_rate,
    "AAC without a stated bit rate has 64 kbit/s for each channel, and the packets of that rate, also after a reset") {
    static struct encoded found, expected;
    if (!has_aac()) return;
    for (UInt32 channels = 1; channels <= 2; channels++) {
        AudioStreamBasicDescription from = int16(44100, channels), to = coded(kAudioFormatMPEG4AAC, 44100, channels);
        AudioConverterRef usual = NULL, stated = NULL;
        UInt32 wanted = 64000 * channels;
        REQUIRE(AudioConverterNew(&from, &to, &usual) == 0);
        REQUIRE(AudioConverterNew(&from, &to, &stated) == 0);
        CHECK_OK(AudioConverterSetProperty(stated, kAudioConverterEncodeBitRate, sizeof wanted, &wanted));
        for (int life = 1; life <= 2; life++) {
            UInt32 rate = 0, size = sizeof rate;
            CHECK_OK(AudioConverterGetProperty(usual, kAudioConverterEncodeBitRate, &size, &rate));
            EXPECT_INTEGER(rate, wanted);
            /* encode_sound has the channels of the program. */
            if (channels == 2) {
                encode_sound(usual, 10000, &found);
                encode_sound(stated, 10000, &expected);
                EXPECT_INTEGER(found.packets, expected.packets);
                EXPECT_INTEGER(found.size, expected.size);
                EXPECT(memcmp(found.bytes, expected.bytes, expected.size) == 0);
            }
            CHECK_OK(AudioConverterReset(usual));
            CHECK_OK(AudioConverterReset(stated));
        }
        CHECK_OK(AudioConverterDispose(usual));
        CHECK_OK(AudioConverterDispose(stated));
    }
}

/* The packets of a file, for a converter. */
struct stored {
    AudioFileID file;
    SInt64 next;
    UInt8 bytes[8192];
    AudioStreamPacketDescription description;
};

static OSStatus give_stored(AudioConverterRef converter, UInt32 *packets, AudioBufferList *list,
    AudioStreamPacketDescription **descriptions, void *data) {
    struct stored *stored = (struct stored *)data;
    UInt32 size = 0;
    (void)converter;
    *packets = 1;
    CHECK_OK(AudioFileReadPackets(stored->file, 0, &size, &stored->description, stored->next, packets, stored->bytes));
    stored->next += *packets;
    if (descriptions) *descriptions = &stored->description;
    *list = one_buffer(stored->bytes, size, CHANNELS);
    return 0;
}

TEST(prime_info, "a decoder drops the priming frames that the packet table of the file states") {
    static struct stored stored;
    static SInt16 frames[(FRAMES + 8192) * CHANNELS], expected[FRAMES * CHANNELS];
    AudioStreamBasicDescription format, client = int16(44100, CHANNELS);
    AudioConverterRef converter = NULL;
    AudioFilePacketTableInfo table = {0, 0, 0};
    UInt8 cookie[1024];
    UInt32 size = sizeof format, table_size = sizeof table, cookie_size = sizeof cookie;
    if (!has_aac()) return;
    CHECK_OK(write_file("i.m4a", kAudioFileM4AType, kAudioFormatMPEG4AAC));
    SInt64 length;
    ExtAudioFileRef file = open_file("i.m4a", &length);
    EXPECT_INTEGER(read_frames(file, expected, FRAMES), FRAMES);
    CHECK_OK(ExtAudioFileDispose(file));
    REQUIRE(AudioFileLinuxOpenPath("i.m4a", kAudioFileReadPermission, 0, &stored.file) == 0);
    CHECK_OK(AudioFileGetProperty(stored.file, kAudioFilePropertyDataFormat, &size, &format));
    CHECK_OK(AudioFileGetProperty(stored.file, kAudioFilePropertyPacketTableInfo, &table_size, &table));
    CHECK_OK(AudioFileGetProperty(stored.file, kAudioFilePropertyMagicCookieData, &cookie_size, cookie));
    EXPECT(table.mPrimingFrames > 0);
    EXPECT_INTEGER(table.mNumberValidFrames, FRAMES);
    REQUIRE(AudioConverterNew(&format, &client, &converter) == 0);
    CHECK_OK(AudioConverterSetProperty(converter, kAudioConverterDecompressionMagicCookie, cookie_size, cookie));
    AudioConverterPrimeInfo info = {(UInt32)table.mPrimingFrames, 0};
    CHECK_OK(AudioConverterSetProperty(converter, kAudioConverterPrimeInfo, sizeof info, &info));
    for (int life = 0; life < 2; life++) {
        UInt32 count = FRAMES + 8192;
        AudioBufferList list = one_buffer(frames, sizeof frames, CHANNELS);
        stored.next = 0;
        CHECK_OK(AudioConverterFillComplexBuffer(converter, give_stored, &stored, &count, &list, NULL));
        EXPECT_INTEGER(count, FRAMES + table.mRemainderFrames);
        EXPECT(memcmp(frames, expected, sizeof expected) == 0);
        CHECK_OK(AudioConverterReset(converter));
    }
    CHECK_OK(AudioConverterDispose(converter));
    CHECK_OK(AudioFileClose(stored.file));
}

/* A packet of silence of AAC-LC, 22,050 Hz. */
static UInt32 make_silent_packet(UInt32 channels, UInt8 *packet, UInt32 room) {
    static SInt16 silence[10000 * CHANNELS];
    struct supply supply = {silence, 10000};
    AudioStreamBasicDescription from = int16(22050, channels), to = coded(kAudioFormatMPEG4AAC, 22050, channels);
    AudioStreamPacketDescription description;
    AudioConverterRef converter = NULL;
    AudioBufferList list = one_buffer(packet, room, channels);
    UInt32 packets = 1;
    REQUIRE(AudioConverterNew(&from, &to, &converter) == 0);
    CHECK_OK(AudioConverterFillComplexBuffer(converter, give, &supply, &packets, &list, &description));
    EXPECT_INTEGER(packets, 1);
    CHECK_OK(AudioConverterDispose(converter));
    return list.mBuffers[0].mDataByteSize;
}

TEST(late_cookie, "a decoder of AAC with spectral band replication is made without a cookie, and takes one later") {
    /* Replication before LC, and parametric stereo of one channel. */
    static const UInt8 cookies[2][4] = {{0x2B, 0x92, 0x08, 0x00}, {0xEB, 0x8A, 0x08, 0x00}};
    static const UInt32 ids[] = {kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2};
    static UInt8 packet[8192];
    static float frames[2048 * 2];
    if (!has_aac()) return;
    for (int i = 0; i < 2; i++) {
        AudioStreamBasicDescription from = coded(ids[i], 44100, 2), to = float32(44100, 2);
        AudioConverterRef converter = NULL;
        UInt32 size = make_silent_packet(i == 0 ? 2 : 1, packet, sizeof packet);
        REQUIRE(AudioConverterNew(&from, &to, &converter) == 0);
        for (int life = 0; life < 3; life++) {
            memset(frames, 1, sizeof frames);
            EXPECT_INTEGER(noise_of_packet(converter, packet, size, frames, 2048), 0);
            for (int k = 0; k < 2048 * 2; k++) EXPECT(frames[k] == 0);
            CHECK_OK(AudioConverterReset(converter));
            CHECK_OK(
                AudioConverterSetProperty(converter, kAudioConverterDecompressionMagicCookie, sizeof cookies[i], cookies[i]));
        }
        CHECK_OK(AudioConverterDispose(converter));
        /* Half of this rate has no number in a configuration. */
        from.mSampleRate = to.mSampleRate = 12000;
        CHECK(AudioConverterNew(&from, &to, &converter), kAudioConverterErr_FormatNotSupported);
    }
}

/* ---- GSM 6.10, with the packets of libgsm ---- */

enum { GSM_BLOCKS = 40, GSM_BYTES = 65, GSM_FRAMES = 320, GSM_SOUND = GSM_BLOCKS * GSM_FRAMES };

/* Packets, and the frames to which libgsm decodes them. False where it is not installed. */
static int make_gsm(UInt8 *packets, SInt16 *frames) {
    void *library = dlopen("libgsm.so.1", RTLD_NOW);
    union {
        void *symbol;
        void *(*create)(void);
        void (*destroy)(void *);
        int (*option)(void *, int, int *);
        void (*encode)(void *, SInt16 *, UInt8 *);
        int (*decode)(void *, UInt8 *, SInt16 *);
    } create, destroy, option, encode, decode;
    static SInt16 sound[GSM_SOUND];
    int blocks = 1;
    if (!library || !has_codec(kAudioFormatProperty_DecodeFormatIDs, kAudioFormatMicrosoftGSM)) return 0;
    create.symbol = dlsym(library, "gsm_create");
    destroy.symbol = dlsym(library, "gsm_destroy");
    option.symbol = dlsym(library, "gsm_option");
    encode.symbol = dlsym(library, "gsm_encode");
    decode.symbol = dlsym(library, "gsm_decode");
    for (int i = 0; i < GSM_SOUND; i++) sound[i] = (SInt16)lrint(9000 * sin(i * 0.07) * sin(i * 0.0011));
    void *encoder = create.create(), *decoder = create.create();
    /* The option 4 is the order of the bits in WAVE. The encoder keeps half a byte for the second frame, which it writes from byte
       32 on; the decoder reads 33 bytes and then 32. */
    option.option(encoder, 4, &blocks);
    option.option(decoder, 4, &blocks);
    for (int i = 0; i < 2 * GSM_BLOCKS; i++) {
        UInt8 *packet = packets + i / 2 * GSM_BYTES + i % 2 * 32;
        encode.encode(encoder, sound + i * 160, packet);
    }
    for (int i = 0; i < 2 * GSM_BLOCKS; i++)
        EXPECT_INTEGER(decode.decode(decoder, packets + i / 2 * GSM_BYTES + i % 2 * 33, frames + i * 160), 0);
    destroy.destroy(encoder);
    destroy.destroy(decoder);
    return 1;
}

static void put(FILE *file, UInt32 value, int bytes) {
    for (int i = 0; i < bytes; i++) fputc((int)(value >> 8 * i & 255), file);
}

/* A WAVE file with these numbers in its header. */
static void write_gsm(const char *path, const UInt8 *packets, UInt32 channels, UInt32 block, UInt32 frames) {
    FILE *file = fopen(path, "wb");
    REQUIRE(file != NULL);
    fwrite("RIFF", 4, 1, file), put(file, 60 + GSM_BLOCKS * GSM_BYTES, 4), fwrite("WAVEfmt ", 8, 1, file);
    put(file, 20, 4), put(file, 0x31, 2), put(file, channels, 2), put(file, 8000, 4), put(file, 1625, 4);
    put(file, block, 2), put(file, 0, 2), put(file, 2, 2), put(file, frames, 2);
    fwrite("fact", 4, 1, file), put(file, 4, 4), put(file, GSM_SOUND, 4);
    fwrite("data", 4, 1, file), put(file, GSM_BLOCKS * GSM_BYTES, 4);
    fwrite(packets, GSM_BYTES, GSM_BLOCKS, file);
    fclose(file);
}

/* Packets of a constant size need no descriptions. */
static OSStatus give_gsm(AudioConverterRef converter, UInt32 *packets, AudioBufferList *list,
    AudioStreamPacketDescription **descriptions, void *data) {
    struct one_packet *given = (struct one_packet *)data;
    UInt32 count = given->size / GSM_BYTES;
    (void)converter, (void)descriptions;
    if (*packets < count) count = *packets;
    *list = one_buffer(given->bytes, count * GSM_BYTES, 1);
    given->bytes += count * GSM_BYTES;
    given->size -= count * GSM_BYTES;
    *packets = count;
    return 0;
}

TEST(gsm, "GSM 6.10 in WAVE is decoded as libgsm decodes it, by a converter and from a file") {
    static UInt8 packets[GSM_BLOCKS * GSM_BYTES];
    static SInt16 expected[GSM_SOUND], frames[GSM_SOUND + 1000];
    AudioStreamBasicDescription format, client = int16(8000, 1);
    AudioConverterRef converter = NULL;
    if (!make_gsm(packets, expected)) return;
    write_gsm("g.wav", packets, 1, GSM_BYTES, GSM_FRAMES);
    for (int sizes = 0; sizes < 2; sizes++) {
        format = coded(kAudioFormatMicrosoftGSM, 8000, 1);
        if (sizes) format.mBytesPerPacket = GSM_BYTES, format.mFramesPerPacket = GSM_FRAMES;
        REQUIRE(AudioConverterNew(&format, &client, &converter) == 0);
        for (int life = 0; life < 2; life++) {
            struct one_packet given = {packets, sizeof packets, {0, 0, 0}};
            AudioBufferList list = one_buffer(frames, sizeof frames, 1);
            UInt32 count = GSM_SOUND + 1000;
            CHECK_OK(AudioConverterFillComplexBuffer(converter, give_gsm, &given, &count, &list, NULL));
            EXPECT_INTEGER(count, GSM_SOUND);
            EXPECT(memcmp(frames, expected, sizeof expected) == 0);
            CHECK_OK(AudioConverterReset(converter));
        }
        CHECK_OK(AudioConverterDispose(converter));
    }
    ExtAudioFileRef file = NULL;
    SInt64 length = 0;
    UInt32 size = sizeof length, count = GSM_SOUND + 1000;
    AudioBufferList list = one_buffer(frames, sizeof frames, 1);
    REQUIRE(ExtAudioFileLinuxOpenPath("g.wav", &file) == 0);
    CHECK_OK(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client));
    CHECK_OK(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileLengthFrames, &size, &length));
    EXPECT_INTEGER(length, GSM_SOUND);
    CHECK_OK(ExtAudioFileRead(file, &count, &list));
    EXPECT_INTEGER(count, GSM_SOUND);
    EXPECT(memcmp(frames, expected, sizeof expected) == 0);
    /* The decoder needs the packets before the frame. */
    CHECK_OK(ExtAudioFileSeek(file, 5000));
    count = 1000;
    list = one_buffer(frames, sizeof frames, 1);
    CHECK_OK(ExtAudioFileRead(file, &count, &list));
    EXPECT_INTEGER(count, 1000);
    EXPECT(memcmp(frames, expected + 5000, 2000) == 0);
    CHECK_OK(ExtAudioFileDispose(file));
}

TEST(gsm_sizes, "GSM 6.10 with other blocks or channels is refused when the file is opened and by a converter") {
    static const UInt32 numbers[][3] = {{2, 65, 320}, {1, 64, 320}, {1, 65, 160}, {1, 65, 0}, {1, 0, 320}};
    static UInt8 packets[GSM_BLOCKS * GSM_BYTES];
    AudioStreamBasicDescription client = int16(8000, 1);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        AudioFileID file = NULL;
        AudioConverterRef converter = NULL;
        AudioStreamBasicDescription format = coded(kAudioFormatMicrosoftGSM, 8000, numbers[i][0]);
        write_gsm("s.wav", packets, numbers[i][0], numbers[i][1], numbers[i][2]);
        OSStatus status = AudioFileLinuxOpenPath("s.wav", kAudioFileReadPermission, 0, &file);
        EXPECT(status == kAudioFileUnsupportedDataFormatError || status == kAudioFileInvalidFileError);
        format.mBytesPerPacket = numbers[i][1];
        format.mFramesPerPacket = numbers[i][2];
        /* Sizes of 0 are completed. */
        if (numbers[i][1] && numbers[i][2])
            CHECK(AudioConverterNew(&format, &client, &converter), kAudioConverterErr_FormatNotSupported);
    }
}

/* Converters find only this module, if it is installed, beside the library. NULL: all of them again. */
static int use_only(const char *module) {
    Dl_info library;
    char path[4096], link[64];
    if (!module) return unsetenv("AUDIOTOOLBOX_CODECS");
    REQUIRE(dladdr((void *)(uintptr_t)AudioConverterNew, &library) != 0);
    snprintf(path, sizeof path, "%s", library.dli_fname);
    *strrchr(path, '/') = 0;
    snprintf(path + strlen(path), sizeof path - strlen(path), "/audiotoolbox/codecs/%s.so", module);
    if (access(path, R_OK) != 0) {
        printf("# the module %s is not installed\n", module);
        return 0;
    }
    snprintf(link, sizeof link, "%s/%s.so", module, module);
    REQUIRE(mkdir(module, 0700) == 0 || errno == EEXIST);
    REQUIRE(symlink(path, link) == 0 || errno == EEXIST);
    return setenv("AUDIOTOOLBOX_CODECS", module, 1) == 0;
}

/* How many frames of a packet of noise of layer 2 at 44,100 Hz are heard: those for which libraries find enough bits. */
static int heard_of_noise(AudioConverterRef converter, int is_mono, float *frames) {
    static UInt8 packet[417];
    int heard = 0;
    for (int i = 0; i < 417; i++) packet[i] = (UInt8)sample(i + 2000);
    memcpy(packet, is_mono ? "\xFF\xFD\x80\xC0" : "\xFF\xFD\x80\x00", 4);
    memset(frames, 1, 1152 * 2 * sizeof *frames);
    EXPECT_INTEGER(noise_of_packet(converter, packet, sizeof packet, frames, 1152), 0);
    for (int i = 0; i < 1152; i++) heard += frames[2 * i] != 0;
    return heard;
}

TEST(
    each_mpeg_module, "each module decodes MPEG audio; packets of another rate are silence, and a missing channel is not noise") {
    static const char *modules[] = {"mpg123", "ffmpeg"};
    static const Float64 rates[] = {44100, 48000, 22050, 44100};
    static float frames[1152 * 2];
    for (int i = 0; i < 2; i++) {
        if (!use_only(modules[i])) continue;
        for (int k = 0; k < 4; k++) {
            AudioStreamBasicDescription from = coded(kAudioFormatMPEGLayer2, rates[k], 2), to = float32(rates[k], 2);
            AudioConverterRef converter;
            from.mFramesPerPacket = 1152;
            REQUIRE(AudioConverterNew(&from, &to, &converter) == 0);
            int is_right = rates[k] == 44100, heard = heard_of_noise(converter, 0, frames);
            if (is_right ? heard < 200 : heard) failed(__FILE__, __LINE__, "%s: %d frames at %g Hz", modules[i], heard, rates[k]);
            heard = heard_of_noise(converter, 1, frames);
            for (int n = 0; n < 1152 && is_right && heard; n++)
                if (frames[2 * n + 1] != 0 && frames[2 * n + 1] != frames[2 * n]) {
                    failed(__FILE__, __LINE__, "%s: frame %d of mono is %g %g", modules[i], n, frames[2 * n], frames[2 * n + 1]);
                    break;
                }
            CHECK_OK(AudioConverterDispose(converter));
        }
    }
    use_only(NULL);
}

TEST(each_lossless_module, "each module gives Apple Lossless back as it was") {
    static const char *modules[] = {"sndfile", "ffmpeg"};
    static SInt16 all[FRAMES * CHANNELS];
    SInt64 length;
    if (!has_codec(kAudioFormatProperty_EncodeFormatIDs, kAudioFormatAppleLossless)) return;
    CHECK_OK(write_file("x.caf", kAudioFileCAFType, kAudioFormatAppleLossless));
    for (int i = 0; i < 2; i++) {
        if (!use_only(modules[i])) continue;
        memset(all, 1, sizeof all);
        ExtAudioFileRef file = open_file("x.caf", &length);
        EXPECT_INTEGER(read_frames(file, all, FRAMES), FRAMES);
        for (int k = 0; k < FRAMES * CHANNELS; k++)
            if (all[k] != sample(k)) {
                failed(__FILE__, __LINE__, "%s: sample %d is %d, not %d", modules[i], k, all[k], sample(k));
                break;
            }
        CHECK_OK(ExtAudioFileDispose(file));
    }
    use_only(NULL);
}

TEST(missing, "without a module a format is not supported") {
    AudioStreamBasicDescription from = coded(kAudioFormatMPEG4AAC, 44100, 2), to = int16(44100, 2);
    AudioConverterRef converter = NULL;
    /* The folder is looked up with each converter. */
    setenv("AUDIOTOOLBOX_CODECS", "/nonexistent", 1);
    CHECK(AudioConverterNew(&from, &to, &converter), kAudioConverterErr_FormatNotSupported);
    CHECK(AudioConverterNew(&to, &from, &converter), kAudioConverterErr_FormatNotSupported);
    unsetenv("AUDIOTOOLBOX_CODECS");
}
