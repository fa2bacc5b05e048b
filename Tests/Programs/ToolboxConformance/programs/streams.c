/* SPDX-License-Identifier: Apache-2.0 */
/* AudioFileStream: the packets of a stream in any pieces are those that AudioFile finds in the whole file. */
#include "files.h"

#include <AudioToolbox/AudioFileStream.h>

#define ROOM (1 << 20)

/* The results of a parser. */
struct listener {
    AudioFileStreamID stream;
    int properties, packets, is_ready, closes_at, closes_at_property;
    UInt32 last_property, bytes;
    unsigned char *sound;
    UInt32 sizes[4096];
};

static void has_property(void *data, AudioFileStreamID stream, AudioFileStreamPropertyID property, UInt32 *flags) {
    struct listener *listener = (struct listener *)data;
    UInt32 size = 0;
    (void)flags;
    CHECK_OK(AudioFileStreamGetPropertyInfo(stream, property, &size, NULL));
    listener->properties++;
    listener->last_property = property;
    if (property == kAudioFileStreamProperty_ReadyToProducePackets) listener->is_ready = 1;
    if (listener->properties == listener->closes_at_property) CHECK_OK(AudioFileStreamClose(stream));
}

static void has_packets(void *data, UInt32 bytes, UInt32 count, const void *sound, AudioStreamPacketDescription *descriptions) {
    struct listener *listener = (struct listener *)data;
    EXPECT(listener->is_ready);
    EXPECT(count > 0 && listener->bytes + bytes <= ROOM);
    for (UInt32 i = 0; i < count; i++) {
        UInt32 size = descriptions ? descriptions[i].mDataByteSize : bytes / count;
        SInt64 offset = descriptions ? descriptions[i].mStartOffset : (SInt64)i * size;
        if (offset < 0 || offset + size > bytes || listener->packets >= 4096) {
            EXPECT(offset >= 0 && offset + size <= bytes && listener->packets < 4096);
            return;
        }
        memcpy(listener->sound + listener->bytes, (const char *)sound + offset, size);
        listener->bytes += size;
        listener->sizes[listener->packets++] = size;
        if (listener->packets == listener->closes_at) CHECK_OK(AudioFileStreamClose(listener->stream));
    }
}

static void open_stream(struct listener *listener) {
    memset(listener, 0, sizeof *listener);
    listener->sound = (unsigned char *)malloc(ROOM);
    REQUIRE(listener->sound != NULL);
    CHECK_OK(AudioFileStreamOpen(listener, has_property, has_packets, 0, &listener->stream));
}

static void close_stream(struct listener *listener) {
    CHECK_OK(AudioFileStreamClose(listener->stream));
    free(listener->sound);
}

static unsigned int next_random(unsigned int *seed) { return *seed = *seed * 1103515245 + 12345; }

/* Parses pieces of 1 to `most` bytes. */
static OSStatus parse(struct listener *listener, const unsigned char *bytes, size_t count, UInt32 most, unsigned int seed) {
    size_t done = 0;
    while (done < count) {
        UInt32 piece = 1 + (next_random(&seed) >> 8) % most;
        if (piece > count - done) piece = (UInt32)(count - done);
        OSStatus status = AudioFileStreamParseBytes(listener->stream, piece, bytes + done, 0);
        if (status != 0) return status;
        done += piece;
    }
    return 0;
}

static unsigned char *read_file(const char *path, size_t *count) {
    unsigned char *bytes = (unsigned char *)malloc(ROOM);
    FILE *file = fopen(path, "rb");
    REQUIRE(bytes != NULL && file != NULL);
    *count = fread(bytes, 1, ROOM, file);
    fclose(file);
    return bytes;
}

/* The packets of the stream are those of the file. */
static void compare(struct listener *listener, const char *path) {
    AudioFileID file = NULL;
    CHECK_OK(AudioFileLinuxOpenPath(path, kAudioFileReadPermission, 0, &file));
    UInt64 packets = 0;
    UInt32 size = sizeof packets, place = 0;
    AudioStreamBasicDescription expected, found;
    CHECK_OK(AudioFileGetProperty(file, kAudioFilePropertyAudioDataPacketCount, &size, &packets));
    EXPECT_INTEGER(listener->packets, packets);
    size = sizeof expected;
    CHECK_OK(AudioFileGetProperty(file, kAudioFilePropertyDataFormat, &size, &expected));
    CHECK_OK(AudioFileStreamGetProperty(listener->stream, kAudioFileStreamProperty_DataFormat, &size, &found));
    EXPECT(memcmp(&expected, &found, sizeof found) == 0);
    static unsigned char packet[65536];
    for (int i = 0; i < listener->packets; i++) {
        AudioStreamPacketDescription description;
        UInt32 bytes = sizeof packet, count = 1;
        CHECK_OK(AudioFileReadPacketData(file, 0, &bytes, &description, i, &count, packet));
        if (count != 1 || bytes != listener->sizes[i] || memcmp(packet, listener->sound + place, bytes) != 0) {
            failed(__FILE__, __LINE__, "packet %d of %s differs", i, path);
            break;
        }
        place += bytes;
    }
    CHECK_OK(AudioFileClose(file));
}

static void compare_in_pieces(const char *path) {
    static const UInt32 most[] = {1, 7, 500, 5000, ROOM};
    size_t count;
    unsigned char *bytes = read_file(path, &count);
    for (unsigned int i = 0; i < 5; i++) {
        struct listener listener;
        open_stream(&listener);
        CHECK_OK(parse(&listener, bytes, count, most[i], i));
        EXPECT_INTEGER(listener.last_property, kAudioFileStreamProperty_ReadyToProducePackets);
        compare(&listener, path);
        close_stream(&listener);
    }
    free(bytes);
}

static void write_linear(const char *path, UInt32 type, AudioStreamBasicDescription format) {
    AudioFileID file = NULL;
    SInt16 samples[2000];
    UInt32 bytes = sizeof samples / format.mBytesPerFrame * format.mBytesPerFrame;
    for (int i = 0; i < 2000; i++) samples[i] = (SInt16)(i * 37);
    CHECK_OK(AudioFileLinuxCreateWithPath(path, type, &format, kAudioFileFlags_EraseFile, &file));
    CHECK_OK(AudioFileWriteBytes(file, false, 0, &bytes, samples));
    CHECK_OK(AudioFileClose(file));
}

TEST(samples, "WAVE, AIFF and CAF in pieces give the samples of the file") {
    write_linear("a.wav", kAudioFileWAVEType, int16(44100, 2));
    compare_in_pieces("a.wav");
    write_linear("a.aif", kAudioFileAIFFType, linear(8000, 1, 16, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian));
    compare_in_pieces("a.aif");
    write_linear("a.caf", kAudioFileCAFType, int16(22050, 1));
    compare_in_pieces("a.caf");
}

/* Frames of MPEG 1, layer 3, 128 kbit/s, 44,100 Hz, with noise that holds no header. */
static size_t write_mp3(unsigned char *bytes, int frames, unsigned int seed) {
    size_t place = 0;
    for (int i = 0; i < frames; i++) {
        size_t size = 417 + (size_t)(i % 2);
        bytes[place] = 0xFF, bytes[place + 1] = 0xFB, bytes[place + 2] = i % 2 ? 0x92 : 0x90, bytes[place + 3] = 0;
        for (size_t k = 4; k < size; k++) bytes[place + k] = (unsigned char)(next_random(&seed) >> 16) & 0x7F;
        place += size;
    }
    return place;
}

/* Packets of AAC, each with a header. */
static size_t write_adts(unsigned char *bytes, int packets, unsigned int seed) {
    size_t place = 0;
    for (int i = 0; i < packets; i++) {
        UInt32 size = 7 + 100 + (next_random(&seed) >> 8) % 300;
        const unsigned char header[7] = {0xFF, 0xF1, 0x50, (unsigned char)(0x80 | size >> 11), (unsigned char)(size >> 3),
            (unsigned char)(size << 5 | 0x1F), 0xFC};
        memcpy(bytes + place, header, 7);
        for (UInt32 k = 7; k < size; k++) bytes[place + k] = (unsigned char)(next_random(&seed) >> 16) & 0x7F;
        place += size;
    }
    return place;
}

static void store(const char *path, const unsigned char *bytes, size_t count) {
    FILE *file = fopen(path, "wb");
    REQUIRE(file != NULL && fwrite(bytes, 1, count, file) == count);
    fclose(file);
}

TEST(frames, "MPEG audio and ADTS in pieces give the packets of the file, also behind a tag") {
    static unsigned char bytes[1 << 17];
    static const unsigned char tag[] = {'I', 'D', '3', 4, 0, 0, 0, 0, 0x10, 0};
    memcpy(bytes, tag, sizeof tag);
    store("a.mp3", bytes + sizeof tag + 2048, write_mp3(bytes + sizeof tag + 2048, 40, 1));
    compare_in_pieces("a.mp3");
    store("b.mp3", bytes, sizeof tag + 2048 + write_mp3(bytes + sizeof tag + 2048, 40, 1));
    compare_in_pieces("b.mp3");
    store("a.aac", bytes, write_adts(bytes, 60, 2));
    compare_in_pieces("a.aac");
}

/* How many packets of the stream are whole frames of `frames`. */
static int known_packets(const struct listener *listener, const unsigned char *frames, size_t count) {
    int known = 0;
    UInt32 place = 0;
    for (int i = 0; i < listener->packets; place += listener->sizes[i++])
        for (size_t k = 0; k + listener->sizes[i] <= count; k++)
            if (frames[k] == 0xFF && memcmp(frames + k, listener->sound + place, listener->sizes[i]) == 0) {
                known++;
                break;
            }
    return known;
}

TEST(garbage, "a stream that is cut, joined in the middle or has garbage in between finds its packets again") {
    static unsigned char frames[1 << 16], bytes[1 << 17];
    size_t count = write_mp3(frames, 60, 3), place = 0;
    struct listener listener;
    /* From the middle of a frame; 700 bytes of garbage that look like headers; the rest without its end. */
    memcpy(bytes, frames + 1000, 10000), place = 10000;
    for (int i = 0; i < 700; i++) bytes[place++] = i % 50 == 0 ? 0xFF : i % 50 == 1 ? 0xFB : 0x92;
    memcpy(bytes + place, frames + 12000, count - 12000 - 100), place += count - 12000 - 100;
    open_stream(&listener);
    CHECK_OK(parse(&listener, bytes, place, 900, 4));
    /* The frame that was cut off takes its rest from the garbage. */
    EXPECT(known_packets(&listener, frames, count) >= listener.packets - 1);
    EXPECT(listener.packets >= 52);
    /* Another place of the same stream. */
    int before = listener.packets;
    CHECK_OK(AudioFileStreamParseBytes(listener.stream, 9000, frames + 5555, kAudioFileStreamParseFlag_Discontinuity));
    EXPECT(listener.packets >= before + 18);
    EXPECT(known_packets(&listener, frames, count) >= listener.packets - 1);
    close_stream(&listener);
}

TEST(nothing, "what is no sound gives an error, and so does a header that comes too late") {
    static unsigned char noise[1 << 17];
    struct listener listener;
    unsigned int seed = 9;
    for (size_t i = 0; i < sizeof noise; i++) noise[i] = (unsigned char)(next_random(&seed) >> 16) & 0x7F;
    open_stream(&listener);
    CHECK(parse(&listener, noise, sizeof noise, 3000, 1), kAudioFileStreamError_UnsupportedFileType);
    CHECK(AudioFileStreamParseBytes(listener.stream, 1, noise, 0), kAudioFileStreamError_UnsupportedFileType);
    close_stream(&listener);
    /* AIFF with the samples first. */
    static const unsigned char late[] = {'F', 'O', 'R', 'M', 0, 0, 1, 0, 'A', 'I', 'F', 'F', 'S', 'S', 'N', 'D', 0, 0, 0, 16};
    open_stream(&listener);
    CHECK(parse(&listener, late, sizeof late, 3, 1), kAudioFileStreamError_NotOptimized);
    close_stream(&listener);
    /* A chunk before the samples that is larger than any header. */
    static const unsigned char large[] = {
        'R', 'I', 'F', 'F', 0, 0, 0, 0x7F, 'W', 'A', 'V', 'E', 'L', 'I', 'S', 'T', 0, 0, 0, 0x7F};
    open_stream(&listener);
    CHECK(parse(&listener, large, sizeof large, 3, 1), kAudioFileStreamError_InvalidFile);
    EXPECT_INTEGER(listener.properties, 0);
    close_stream(&listener);
}

TEST(properties, "properties are known with the header, and cannot be set") {
    struct listener listener;
    size_t count;
    UInt32 size = 4, number = 9;
    UInt64 packets = 0;
    SInt64 offset = 0;
    write_linear("p.wav", kAudioFileWAVEType, int16(44100, 2));
    unsigned char *bytes = read_file("p.wav", &count);
    open_stream(&listener);
    CHECK_OK(AudioFileStreamGetProperty(listener.stream, kAudioFileStreamProperty_ReadyToProducePackets, &size, &number));
    EXPECT_INTEGER(number, 0);
    CHECK(AudioFileStreamGetProperty(listener.stream, kAudioFileStreamProperty_FileFormat, &size, &number),
        kAudioFileStreamError_ValueUnknown);
    CHECK_OK(AudioFileStreamParseBytes(listener.stream, 200, bytes, 0));
    CHECK_OK(AudioFileStreamGetProperty(listener.stream, kAudioFileStreamProperty_FileFormat, &size, &number));
    EXPECT_INTEGER(number, kAudioFileWAVEType);
    size = sizeof packets;
    CHECK_OK(AudioFileStreamGetProperty(listener.stream, kAudioFileStreamProperty_AudioDataPacketCount, &size, &packets));
    EXPECT_INTEGER(packets, 1000);
    CHECK_OK(AudioFileStreamGetProperty(listener.stream, kAudioFileStreamProperty_DataOffset, &size, &offset));
    EXPECT_INTEGER(offset, count - 4000);
    size = 4;
    CHECK(AudioFileStreamGetProperty(listener.stream, kAudioFileStreamProperty_DataOffset, &size, &offset),
        kAudioFileStreamError_BadPropertySize);
    CHECK(AudioFileStreamGetProperty(listener.stream, 0x78787878, &size, &offset), kAudioFileStreamError_UnsupportedProperty);
    CHECK(AudioFileStreamGetProperty(listener.stream, kAudioFileStreamProperty_MagicCookieData, &size, &offset),
        kAudioFileStreamError_ValueUnknown);
    CHECK(AudioFileStreamSetProperty(listener.stream, kAudioFileStreamProperty_DataFormat, 4, &number),
        kAudioFileStreamError_IllegalOperation);
    close_stream(&listener);
    CHECK(AudioFileStreamParseBytes(listener.stream, 1, bytes, 0), kAudio_ParamError);
    CHECK(AudioFileStreamOpen(NULL, NULL, has_packets, 0, &listener.stream), kAudio_ParamError);
    free(bytes);
}

TEST(seek, "a seek states the place of a packet, and the next bytes are those at this place") {
    struct listener listener;
    size_t count;
    SInt64 offset = 0;
    UInt32 flags = 9;
    write_linear("s.wav", kAudioFileWAVEType, int16(44100, 2));
    unsigned char *bytes = read_file("s.wav", &count);
    open_stream(&listener);
    CHECK(AudioFileStreamSeek(listener.stream, 5, &offset, &flags), kAudioFileStreamError_ValueUnknown);
    CHECK_OK(AudioFileStreamParseBytes(listener.stream, 301, bytes, 0));
    int before = listener.packets;
    CHECK(AudioFileStreamParseBytes(listener.stream, 50, bytes + 1000, kAudioFileStreamParseFlag_Discontinuity),
        kAudioFileStreamError_DiscontinuityCantRecover);
    CHECK_OK(AudioFileStreamSeek(listener.stream, 500, &offset, &flags));
    EXPECT_INTEGER(offset, 2000);
    EXPECT_INTEGER(flags, 0);
    CHECK(AudioFileStreamSeek(listener.stream, 1001, &offset, &flags), kAudioFileStreamError_InvalidPacketOffset);
    CHECK(AudioFileStreamSeek(listener.stream, -1, &offset, &flags), kAudioFileStreamError_InvalidPacketOffset);
    CHECK_OK(AudioFileStreamParseBytes(listener.stream, 2000, bytes + (count - 4000) + 2000, 0));
    EXPECT_INTEGER(listener.packets, before + 500);
    EXPECT(memcmp(listener.sound + 4 * before, bytes + (count - 4000) + 2000, 2000) == 0);
    close_stream(&listener);
    free(bytes);
}

TEST(close_inside, "a stream may be closed in its own callback") {
    struct listener listener;
    static unsigned char bytes[1 << 16];
    size_t count = write_mp3(bytes, 50, 5);
    open_stream(&listener);
    listener.closes_at = 3;
    /* A piece may have held several packets: the rest of its callback is the last one. */
    OSStatus status = parse(&listener, bytes, count, 300, 6);
    EXPECT_INTEGER(status, kAudio_ParamError);
    EXPECT_INTEGER(listener.packets, 3);
    free(listener.sound);
    /* Nothing is called behind the property that closed the stream. */
    open_stream(&listener);
    CHECK_OK(parse(&listener, bytes, count, 300, 6));
    int properties = listener.properties;
    EXPECT(properties > 3);
    close_stream(&listener);
    for (int last = 1; last <= properties; last++) {
        open_stream(&listener);
        listener.closes_at_property = last;
        status = parse(&listener, bytes, count, 300, 6);
        EXPECT_INTEGER(status, kAudio_ParamError);
        EXPECT_INTEGER(listener.properties, last);
        EXPECT_INTEGER(listener.packets, 0);
        free(listener.sound);
    }
}
