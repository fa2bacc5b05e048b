/* SPDX-License-Identifier: Apache-2.0 */
/* AudioFile and ExtAudioFile through the installed headers: by path, by callbacks, by CFURL. */
#include "../files.h"

#include <dlfcn.h>
#include <errno.h>
#include <unistd.h>

static AudioFileID create(const char *path, UInt32 type, AudioStreamBasicDescription format) {
    AudioFileID file = NULL;
    REQUIRE(AudioFileLinuxCreateWithPath(path, type, &format, kAudioFileFlags_EraseFile, &file) == 0);
    return file;
}

static AudioFileID open_path(const char *path) {
    AudioFileID file = NULL;
    REQUIRE(AudioFileLinuxOpenPath(path, kAudioFileReadPermission, 0, &file) == 0);
    return file;
}

TEST(packets, "packets that were written are read, and the end is an error of the functions that state their room") {
    SInt16 samples[100], read[100];
    UInt32 packets = 50, bytes = 0;
    AudioStreamPacketDescription descriptions[60];
    AudioFileID file = create("a.wav", kAudioFileWAVEType, int16(44100, 2));
    for (int i = 0; i < 100; i++) samples[i] = (SInt16)i;
    CHECK_OK(AudioFileWritePackets(file, 0, sizeof samples, NULL, 0, &packets, samples));
    EXPECT_INTEGER(packets, 50);
    CHECK_OK(AudioFileClose(file));
    file = open_path("a.wav");
    packets = 60;
    CHECK_OK(AudioFileReadPackets(file, 0, &bytes, descriptions, 10, &packets, read));
    EXPECT_INTEGER(packets, 40);
    EXPECT_INTEGER(bytes, 160);
    EXPECT(memcmp(read, samples + 20, 160) == 0);
    EXPECT_INTEGER(descriptions[39].mStartOffset, 156);
    for (SInt64 first = 50; first < 52; first++) {
        packets = 60;
        bytes = 99;
        CHECK_OK(AudioFileReadPackets(file, 0, &bytes, NULL, first, &packets, read));
        EXPECT(packets == 0 && bytes == 0);
        packets = 60;
        bytes = sizeof read;
        CHECK(AudioFileReadPacketData(file, 0, &bytes, NULL, first, &packets, read), kAudioFileEndOfFileError);
        EXPECT(packets == 0 && bytes == 0);
    }
    packets = 60;
    CHECK(AudioFileReadPackets(file, 0, &bytes, NULL, -1, &packets, read), kAudioFileInvalidPacketOffsetError);
    packets = 60;
    bytes = 10;
    CHECK_OK(AudioFileReadPacketData(file, 0, &bytes, NULL, 0, &packets, read));
    EXPECT_INTEGER(packets, 2);
    EXPECT_INTEGER(bytes, 8);
    bytes = 100;
    CHECK(AudioFileReadBytes(file, 0, 150, &bytes, read), kAudioFileEndOfFileError);
    EXPECT_INTEGER(bytes, 50);
    CHECK_OK(AudioFileClose(file));
    CHECK(AudioFileClose(file), kAudioFileNotOpenError);
}

TEST(packet_counts, "the number of packets decides how many packets of one size are written, and not the number of bytes") {
    static const UInt32 bytes[] = {0, 1, 4, 400, 0xFFFFFFFF};
    SInt16 samples[100];
    AudioFileID file = create("n.wav", kAudioFileWAVEType, int16(44100, 2));
    UInt64 written = 0;
    UInt32 size = sizeof written, packets;
    for (int i = 0; i < 100; i++) samples[i] = (SInt16)i;
    for (UInt32 i = 0; i < 5; i++) {
        packets = 50;
        CHECK_OK(AudioFileWritePackets(file, 0, bytes[i], NULL, i * 50, &packets, samples));
        EXPECT_INTEGER(packets, 50);
    }
    CHECK_OK(AudioFileGetProperty(file, kAudioFilePropertyAudioDataPacketCount, &size, &written));
    EXPECT_INTEGER(written, 250);
    packets = 1;
    CHECK(AudioFileWritePackets(file, 0, 4, NULL, 251, &packets, samples), kAudioFileInvalidPacketOffsetError);
    EXPECT_INTEGER(packets, 0);
    CHECK_OK(AudioFileClose(file));
}

TEST(hints, "the extension of a name is a hint where the contents state no type") {
    static const unsigned char packet[16] = {0xFF, 0xF1, 0x50, 0x40, 0x02, 0x1F, 0xFC};
    static const char *const names[] = {"h.aac", "h.ADTS"};
    AudioFileID file = NULL;
    ExtAudioFileRef extended = NULL;
    UInt32 type = 0, size = sizeof type;
    for (int i = 0; i < 2; i++) {
        FILE *stream = fopen(names[i], "w");
        for (int zero = 0; zero < 3000; zero++) fputc(0, stream);
        for (int count = 0; count < 4; count++) fwrite(packet, 1, sizeof packet, stream);
        fclose(stream);
        REQUIRE(AudioFileLinuxOpenPath(names[i], kAudioFileReadPermission, 0, &file) == 0);
        CHECK_OK(AudioFileGetProperty(file, kAudioFilePropertyFileFormat, &size, &type));
        EXPECT_INTEGER(type, kAudioFileAAC_ADTSType);
        size = 0;
        CHECK_OK(AudioFileGetPropertyInfo(file, kAudioFilePropertyMagicCookieData, &size, NULL));
        EXPECT(size > 20);
        size = sizeof type;
        CHECK_OK(AudioFileClose(file));
        CHECK_OK(ExtAudioFileLinuxOpenPath(names[i], &extended));
        CHECK_OK(ExtAudioFileDispose(extended));
    }
    EXPECT_INTEGER(rename("h.aac", "h.txt"), 0);
    CHECK(AudioFileLinuxOpenPath("h.txt", kAudioFileReadPermission, 0, &file), kAudioFileUnsupportedFileTypeError);
    CHECK(ExtAudioFileLinuxOpenPath("h.txt", &extended), kAudioFileUnsupportedFileTypeError);
}

TEST(partial_formats, "linear PCM without the sizes of its packets is completed") {
    AudioStreamBasicDescription format = int16(44100, 2), read;
    AudioConverterRef converter = NULL;
    ExtAudioFileRef extended = NULL;
    UInt32 size = sizeof read;
    format.mBytesPerFrame = format.mBytesPerPacket = format.mFramesPerPacket = 0;
    CHECK_OK(AudioConverterNew(&format, &format, &converter));
    CHECK_OK(AudioConverterGetProperty(converter, kAudioConverterCurrentInputStreamDescription, &size, &read));
    EXPECT(read.mBytesPerFrame == 4 && read.mBytesPerPacket == 4 && read.mFramesPerPacket == 1);
    CHECK_OK(AudioConverterDispose(converter));
    CHECK_OK(ExtAudioFileLinuxCreateWithPath("p.wav", kAudioFileWAVEType, &format, NULL, kAudioFileFlags_EraseFile, &extended));
    CHECK_OK(ExtAudioFileSetProperty(extended, kExtAudioFileProperty_ClientDataFormat, sizeof format, &format));
    CHECK_OK(ExtAudioFileGetProperty(extended, kExtAudioFileProperty_FileDataFormat, &size, &read));
    EXPECT(read.mBytesPerFrame == 4 && read.mBytesPerPacket == 4 && read.mFramesPerPacket == 1);
    CHECK_OK(ExtAudioFileDispose(extended));
}

TEST(cookies, "linear PCM has no magic cookie, and no size of one") {
    UInt32 size = 77, writable = 77;
    AudioFileID file = create("a.caf", kAudioFileCAFType, int16(44100, 2));
    EXPECT(AudioFileGetPropertyInfo(file, kAudioFilePropertyMagicCookieData, &size, &writable) != 0);
    EXPECT_INTEGER(size, 0);
    CHECK_OK(AudioFileClose(file));
}

TEST(properties, "properties describe the file") {
    AudioStreamBasicDescription format;
    UInt64 packets = 0;
    UInt32 size = sizeof format, number = 0, count = 22050;
    Float64 duration = 0;
    static SInt16 samples[22050];
    AudioFileID file =
        create("a.aiff", kAudioFileAIFFType, linear(44100, 1, 16, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian));
    CHECK_OK(AudioFileWritePackets(file, 0, sizeof samples, NULL, 0, &count, samples));
    CHECK_OK(AudioFileGetProperty(file, kAudioFilePropertyDataFormat, &size, &format));
    EXPECT_INTEGER(format.mBitsPerChannel, 16);
    size = 8;
    CHECK_OK(AudioFileGetProperty(file, kAudioFilePropertyAudioDataPacketCount, &size, &packets));
    EXPECT_INTEGER(packets, 22050);
    CHECK_OK(AudioFileGetProperty(file, kAudioFilePropertyEstimatedDuration, &size, &duration));
    EXPECT_NUMBER(duration, 0.5);
    size = 4;
    CHECK_OK(AudioFileGetProperty(file, kAudioFilePropertyFileFormat, &size, &number));
    EXPECT_INTEGER(number, kAudioFileAIFFType);
    size = 3;
    CHECK(AudioFileGetProperty(file, kAudioFilePropertyFileFormat, &size, &number), kAudioFileBadPropertySizeError);
    CHECK(AudioFileGetProperty(file, 0x3F3F3F3F, &size, &number), kAudioFileUnsupportedPropertyError);
    CHECK_OK(AudioFileClose(file));
}

TEST(opening, "a file that cannot be opened or created has the documented error") {
    AudioStreamBasicDescription format = int16(44100, 2),
                                wrong = linear(44100, 2, 16, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian);
    AudioFileID file = NULL;
    FILE *text = fopen("text", "w");
    CHECK(AudioFileLinuxOpenPath("nowhere", kAudioFileReadPermission, 0, &file), kAudioFileFileNotFoundError);
    fputs("This is no sound.", text);
    fclose(text);
    CHECK(AudioFileLinuxOpenPath("text", kAudioFileReadPermission, 0, &file), kAudioFileUnsupportedFileTypeError);
    CHECK(AudioFileLinuxCreateWithPath("text", kAudioFileWAVEType, &format, 0, &file), kAudioFilePermissionsError);
    CHECK(AudioFileLinuxCreateWithPath("text", kAudioFileWAVEType, &wrong, kAudioFileFlags_EraseFile, &file),
        kAudioFileUnsupportedDataFormatError);
    CHECK(AudioFileLinuxCreateWithPath("text", kAudioFileSoundDesigner2Type, &format, kAudioFileFlags_EraseFile, &file),
        kAudioFileUnsupportedFileTypeError);
    text = fopen("text", "r");
    EXPECT(text && fgetc(text) == 'T');
    fclose(text);
    EXPECT(AudioFileLinuxOpenPath(".", kAudioFileReadPermission, 0, &file) != 0);
    CHECK(AudioFileLinuxOpenPath(NULL, kAudioFileReadPermission, 0, &file), kAudio_ParamError);
    CHECK(AudioFileLinuxOpenPath("text", 4, 0, &file), kAudio_ParamError);
    CHECK(AudioFileOpenURL(NULL, kAudioFileReadPermission, 0, &file), kAudio_ParamError);
    EXPECT(file == NULL);
}

TEST(handles, "a NULL, closed or foreign file is an error") {
    UInt32 size = 4, value = 0;
    AudioFileID file = create("a.wav", kAudioFileWAVEType, int16(44100, 2)), handles[3];
    ExtAudioFileRef extended = NULL;
    CHECK_OK(AudioFileClose(file));
    handles[0] = NULL;
    handles[1] = file;
    handles[2] = (AudioFileID)&value;
    for (int i = 0; i < 3; i++) {
        CHECK(AudioFileClose(handles[i]), kAudioFileNotOpenError);
        CHECK(AudioFileReadBytes(handles[i], 0, 0, &size, &value), kAudioFileNotOpenError);
        CHECK(AudioFileGetProperty(handles[i], kAudioFilePropertyFileFormat, &size, &value), kAudioFileNotOpenError);
        CHECK(AudioFileOptimize(handles[i]), kAudioFileNotOpenError);
        CHECK(ExtAudioFileWrapAudioFileID(handles[i], 0, &extended), kAudioFileNotOpenError);
        CHECK(ExtAudioFileDispose((ExtAudioFileRef)handles[i]), kAudio_ParamError);
        CHECK(ExtAudioFileSeek((ExtAudioFileRef)handles[i], 0), kAudio_ParamError);
    }
}

struct memory {
    unsigned char bytes[4096];
    SInt64 size;
    OSStatus error;
};

static OSStatus read_memory(void *user, SInt64 position, UInt32 count, void *buffer, UInt32 *actual) {
    struct memory *memory = (struct memory *)user;
    if (memory->error) return memory->error;
    if (position > memory->size) position = memory->size;
    if (count > memory->size - position) count = (UInt32)(memory->size - position);
    memcpy(buffer, memory->bytes + position, count);
    *actual = count;
    return 0;
}

static OSStatus write_memory(void *user, SInt64 position, UInt32 count, const void *buffer, UInt32 *actual) {
    struct memory *memory = (struct memory *)user;
    if (position + count > (SInt64)sizeof memory->bytes) return -34;
    memcpy(memory->bytes + position, buffer, count);
    if (position + count > memory->size) memory->size = position + count;
    *actual = count;
    return 0;
}

static SInt64 size_of_memory(void *user) { return ((struct memory *)user)->size; }

static OSStatus set_size_of_memory(void *user, SInt64 size) {
    ((struct memory *)user)->size = size;
    return 0;
}

TEST(callbacks, "procedures of the program store the file, and their errors are returned") {
    static struct memory memory;
    AudioStreamBasicDescription format = int16(8000, 1);
    AudioFileID file = NULL;
    SInt16 samples[3000] = {1, 2, 3};
    UInt32 bytes = 6;
    CHECK_OK(AudioFileInitializeWithCallbacks(
        &memory, read_memory, write_memory, size_of_memory, set_size_of_memory, kAudioFileWAVEType, &format, 0, &file));
    CHECK_OK(AudioFileWriteBytes(file, 0, 0, &bytes, samples));
    bytes = 6000;
    CHECK(AudioFileWriteBytes(file, 0, 6, &bytes, samples), -34);
    EXPECT_INTEGER(bytes, 0);
    CHECK_OK(AudioFileClose(file));
    EXPECT_INTEGER(memory.size, 50);
    EXPECT(memcmp(memory.bytes, "RIFF", 4) == 0 && memory.bytes[44] == 1 && memory.bytes[40] == 6);
    CHECK_OK(AudioFileOpenWithCallbacks(&memory, read_memory, NULL, size_of_memory, NULL, 0, &file));
    bytes = 6;
    memset(samples, 0, 6);
    CHECK_OK(AudioFileReadBytes(file, 0, 0, &bytes, samples));
    EXPECT(samples[0] == 1 && samples[2] == 3);
    CHECK(AudioFileWriteBytes(file, 0, 0, &bytes, samples), kAudioFilePermissionsError);
    memory.error = -1234;
    bytes = 6;
    CHECK(AudioFileReadBytes(file, 0, 0, &bytes, samples), -1234);
    CHECK_OK(AudioFileClose(file));
    CHECK(AudioFileOpenWithCallbacks(&memory, read_memory, NULL, size_of_memory, NULL, 0, &file), -1234);
    CHECK(AudioFileOpenWithCallbacks(&memory, NULL, NULL, size_of_memory, NULL, 0, &file), kAudio_ParamError);
}

/* The longest write that refuse_memory takes. */
static UInt32 most_bytes = 100;

static OSStatus refuse_memory(void *user, SInt64 position, UInt32 count, const void *buffer, UInt32 *actual) {
    struct memory *memory = (struct memory *)user;
    if (count > most_bytes) return ENOSPC;
    return write_memory(memory, position, count, buffer, actual);
}

TEST(reason_of_the_system, "the reason of an error of the system is in errno") {
    static struct memory memory;
    AudioStreamBasicDescription format = int16(8000, 1);
    AudioFileID file = NULL;
    ExtAudioFileRef extended = NULL;
    SInt16 samples[300] = {1, 2, 3};
    UInt32 bytes = sizeof samples;
    AudioBufferList list = one_buffer(samples, sizeof samples, 1);
    CHECK_OK(AudioFileInitializeWithCallbacks(
        &memory, read_memory, refuse_memory, size_of_memory, set_size_of_memory, kAudioFileWAVEType, &format, 0, &file));
    errno = 0;
    CHECK(AudioFileWriteBytes(file, 0, 0, &bytes, samples), kAudioFileUnspecifiedError);
    EXPECT_INTEGER(errno, ENOSPC);
    REQUIRE(ExtAudioFileWrapAudioFileID(file, 1, &extended) == 0);
    errno = 0;
    CHECK(ExtAudioFileWrite(extended, 300, &list), kAudioFileUnspecifiedError);
    EXPECT_INTEGER(errno, ENOSPC);
    /* The program has learned that these frames are not in the file: the end does not write them again. */
    CHECK_OK(ExtAudioFileDispose(extended));
    CHECK_OK(AudioFileClose(file));
}

TEST(reason_at_the_end, "an encoder keeps the packets that the system refused, and the end reports the reason") {
    static struct memory memory;
    AudioStreamBasicDescription client = int16(8000, 1);
    AudioStreamBasicDescription format = {8000, kAudioFormatAppleIMA4, 0, 34, 64, 34, 1, 0, 0};
    AudioFileID file = NULL;
    ExtAudioFileRef extended = NULL;
    SInt16 samples[300] = {1, 2, 3};
    AudioBufferList list = one_buffer(samples, sizeof samples, 1);
    most_bytes = 4096;
    CHECK_OK(AudioFileInitializeWithCallbacks(
        &memory, read_memory, refuse_memory, size_of_memory, set_size_of_memory, kAudioFileCAFType, &format, 0, &file));
    most_bytes = 100;
    REQUIRE(ExtAudioFileWrapAudioFileID(file, 1, &extended) == 0);
    CHECK_OK(ExtAudioFileSetProperty(extended, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client));
    errno = 0;
    CHECK(ExtAudioFileWrite(extended, 300, &list), kAudioFileUnspecifiedError);
    EXPECT_INTEGER(errno, ENOSPC);
    errno = 0;
    CHECK(ExtAudioFileDispose(extended), kAudioFileUnspecifiedError);
    EXPECT_INTEGER(errno, ENOSPC);
    most_bytes = 4096;
    CHECK_OK(AudioFileClose(file));
}

TEST(paths, "a path is bytes, which need not be text") {
    static const char path[] = "a\xFF\xC3.wav";
    AudioStreamBasicDescription format = int16(8000, 1);
    AudioFileID file = NULL;
    ExtAudioFileRef extended = NULL;
    CHECK_OK(AudioFileLinuxCreateWithPath(path, kAudioFileWAVEType, &format, 0, &file));
    CHECK_OK(AudioFileClose(file));
    EXPECT_INTEGER(access(path, R_OK), 0);
    CHECK_OK(AudioFileLinuxOpenPath(path, kAudioFileReadPermission, 0, &file));
    CHECK_OK(AudioFileClose(file));
    CHECK_OK(ExtAudioFileLinuxOpenPath(path, &extended));
    CHECK_OK(ExtAudioFileDispose(extended));
    EXPECT_INTEGER(unlink(path), 0);
    CHECK_OK(ExtAudioFileLinuxCreateWithPath(path, kAudioFileWAVEType, &format, NULL, 0, &extended));
    CHECK_OK(ExtAudioFileDispose(extended));
    EXPECT_INTEGER(unlink(path), 0);
}

TEST(new_files, "a new file says that it takes a magic cookie, unless it holds linear PCM") {
    AudioStreamBasicDescription lossless = coded(kAudioFormatAppleLossless, 44100, 1), pcm = int16(44100, 1);
    AudioFileID file = NULL;
    UInt32 size = 1;
    UInt32 writable = 0;
    REQUIRE(AudioFileLinuxCreateWithPath("c.caf", kAudioFileCAFType, &lossless, kAudioFileFlags_EraseFile, &file) == 0);
    CHECK_OK(AudioFileGetPropertyInfo(file, kAudioFilePropertyMagicCookieData, &size, &writable));
    EXPECT(size == 0 && writable == 1);
    CHECK_OK(AudioFileClose(file));
    REQUIRE(AudioFileLinuxCreateWithPath("c.wav", kAudioFileWAVEType, &pcm, kAudioFileFlags_EraseFile, &file) == 0);
    CHECK(
        AudioFileGetPropertyInfo(file, kAudioFilePropertyMagicCookieData, &size, &writable), kAudioFileUnsupportedPropertyError);
    CHECK_OK(AudioFileClose(file));
}

TEST(user_data, "chunks of the program are stored, counted, read and removed") {
    AudioFileID file =
        create("a.aiff", kAudioFileAIFFType, linear(44100, 1, 16, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian));
    UInt32 count = 0, size = 0;
    char text[16] = "";
    CHECK_OK(AudioFileSetUserData(file, CODE("NAME"), 0, 5, "Title"));
    CHECK_OK(AudioFileCountUserData(file, CODE("NAME"), &count));
    EXPECT_INTEGER(count, 1);
    CHECK_OK(AudioFileGetUserDataSize(file, CODE("NAME"), 0, &size));
    EXPECT_INTEGER(size, 5);
    size = sizeof text;
    CHECK_OK(AudioFileGetUserData(file, CODE("NAME"), 0, &size, text));
    EXPECT_TEXT(text, "Title");
    CHECK(AudioFileGetUserData(file, CODE("NAME"), 1, &size, text), kAudioFileInvalidChunkError);
    CHECK_OK(AudioFileRemoveUserData(file, CODE("NAME"), 0));
    CHECK_OK(AudioFileCountUserData(file, CODE("NAME"), &count));
    EXPECT_INTEGER(count, 0);
    CHECK_OK(AudioFileClose(file));
}

TEST(global, "types of files are listed with their formats") {
    UInt32 size = 0, types[32], type = kAudioFileWAVEType;
    AudioFileTypeAndFormatID wanted = {kAudioFileAIFCType, kAudioFormatLinearPCM};
    AudioStreamBasicDescription formats[32];
    bool found = false;
    CHECK_OK(AudioFileGetGlobalInfoSize(kAudioFileGlobalInfo_WritableTypes, 0, NULL, &size));
    REQUIRE(size <= sizeof types);
    CHECK_OK(AudioFileGetGlobalInfo(kAudioFileGlobalInfo_WritableTypes, 0, NULL, &size, types));
    for (UInt32 i = 0; i < size / 4; i++) found = found || types[i] == kAudioFileCAFType;
    EXPECT(found);
    size = sizeof types;
    CHECK_OK(AudioFileGetGlobalInfo(kAudioFileGlobalInfo_AvailableFormatIDs, 4, &type, &size, types));
    EXPECT_INTEGER(size, 12);
    size = sizeof formats;
    CHECK_OK(AudioFileGetGlobalInfo(
        kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, sizeof wanted, &wanted, &size, formats));
    EXPECT(size > 0 && size % 40 == 0);
    CHECK(AudioFileGetGlobalInfo(kAudioFileGlobalInfo_FileTypeName, 3, &type, &size, types), kAudioFileBadPropertySizeError);
    CHECK(AudioFileGetGlobalInfoSize(0x3F3F3F3F, 0, NULL, &size), kAudioFileUnsupportedPropertyError);
}

TEST(extended, "ExtAudioFile writes and reads frames in the client format, seeks and tells") {
    AudioStreamBasicDescription file = int16(44100, 2), client = float32(44100, 2), read;
    ExtAudioFileRef extended = NULL;
    AudioFileID id = NULL;
    AudioConverterRef converter = NULL;
    static float frames[2000], got[2000];
    AudioBufferList list = one_buffer(frames, sizeof frames, 2);
    UInt32 size = sizeof client, count = 1000;
    SInt64 position = -1, length = -1;
    for (int i = 0; i < 2000; i++) frames[i] = (float)(i - 1000) / 1024;
    CHECK_OK(ExtAudioFileLinuxCreateWithPath("e.wav", kAudioFileWAVEType, &file, NULL, kAudioFileFlags_EraseFile, &extended));
    CHECK_OK(ExtAudioFileSetProperty(extended, kExtAudioFileProperty_ClientDataFormat, size, &client));
    CHECK_OK(ExtAudioFileWrite(extended, 600, &list));
    list.mBuffers[0].mData = frames + 1200;
    list.mBuffers[0].mDataByteSize = 400 * 8;
    CHECK_OK(ExtAudioFileWriteAsync(extended, 0, NULL));
    CHECK_OK(ExtAudioFileWriteAsync(extended, 400, &list));
    CHECK_OK(ExtAudioFileDispose(extended));
    CHECK(ExtAudioFileDispose(extended), kAudio_ParamError);

    CHECK_OK(ExtAudioFileLinuxOpenPath("e.wav", &extended));
    CHECK_OK(ExtAudioFileSetProperty(extended, kExtAudioFileProperty_ClientDataFormat, size, &client));
    size = 8;
    CHECK_OK(ExtAudioFileGetProperty(extended, kExtAudioFileProperty_FileLengthFrames, &size, &length));
    EXPECT_INTEGER(length, 1000);
    list = one_buffer(got, sizeof got, 2);
    CHECK_OK(ExtAudioFileRead(extended, &count, &list));
    EXPECT_INTEGER(count, 1000);
    EXPECT(memcmp(frames, got, sizeof got) == 0);
    count = 10;
    list = one_buffer(got, sizeof got, 2);
    CHECK_OK(ExtAudioFileRead(extended, &count, &list));
    EXPECT_INTEGER(count, 0);
    CHECK_OK(ExtAudioFileSeek(extended, 995));
    count = 10;
    list = one_buffer(got, sizeof got, 2);
    CHECK_OK(ExtAudioFileRead(extended, &count, &list));
    EXPECT_INTEGER(count, 5);
    EXPECT(got[0] == frames[1990]);
    CHECK_OK(ExtAudioFileTell(extended, &position));
    EXPECT_INTEGER(position, 1000);
    CHECK(ExtAudioFileSeek(extended, 1001), kExtAudioFileError_InvalidSeek);
    CHECK(ExtAudioFileWrite(extended, 1, &list), kExtAudioFileError_InvalidOperationOrder);
    size = sizeof id;
    CHECK_OK(ExtAudioFileGetProperty(extended, kExtAudioFileProperty_AudioFile, &size, &id));
    size = sizeof read;
    CHECK_OK(AudioFileGetProperty(id, kAudioFilePropertyDataFormat, &size, &read));
    size = sizeof converter;
    CHECK_OK(ExtAudioFileGetProperty(extended, kExtAudioFileProperty_AudioConverter, &size, &converter));
    size = sizeof read;
    CHECK_OK(AudioConverterGetProperty(converter, kAudioConverterCurrentOutputStreamDescription, &size, &read));
    EXPECT_INTEGER(read.mFormatFlags & kAudioFormatFlagIsFloat, kAudioFormatFlagIsFloat);
    /* Another client format has another converter, and the former one is none any more. */
    for (int life = 0; life < 2; life++) {
        AudioStreamBasicDescription other = life ? int16(44100, 2) : int16(44100, 1);
        AudioConverterRef former = converter;
        CHECK_OK(ExtAudioFileSetProperty(extended, kExtAudioFileProperty_ClientDataFormat, sizeof other, &other));
        size = sizeof converter;
        CHECK_OK(ExtAudioFileGetProperty(extended, kExtAudioFileProperty_AudioConverter, &size, &converter));
        size = sizeof read;
        CHECK_OK(AudioConverterGetProperty(converter, kAudioConverterCurrentOutputStreamDescription, &size, &read));
        EXPECT_INTEGER(read.mChannelsPerFrame, other.mChannelsPerFrame);
        EXPECT_INTEGER(read.mBitsPerChannel, 16);
        CHECK(AudioConverterReset(former), kAudio_ParamError);
    }
    CHECK(ExtAudioFileGetProperty(extended, 0x3F3F3F3F, &size, &read), kExtAudioFileError_InvalidProperty);
    CHECK_OK(ExtAudioFileDispose(extended));
    CHECK(AudioConverterReset(converter), kAudio_ParamError);
    CHECK(AudioFileClose(id), kAudioFileNotOpenError);
}

TEST(export_settings, "a manufacturer of codecs and a layout of the channels can be set before the first write") {
    AudioStreamBasicDescription file = int16(44100, 2);
    AudioChannelLayout layout;
    ExtAudioFileRef extended = NULL;
    UInt32 manufacturer = kAppleHardwareAudioCodecManufacturer, size = sizeof manufacturer;
    memset(&layout, 0, sizeof layout);
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo;
    CHECK_OK(ExtAudioFileLinuxCreateWithPath("x.wav", kAudioFileWAVEType, &file, NULL, kAudioFileFlags_EraseFile, &extended));
    CHECK_OK(ExtAudioFileSetProperty(extended, kExtAudioFileProperty_CodecManufacturer, size, &manufacturer));
    manufacturer = 0;
    CHECK_OK(ExtAudioFileGetProperty(extended, kExtAudioFileProperty_CodecManufacturer, &size, &manufacturer));
    EXPECT_INTEGER(manufacturer, kAppleHardwareAudioCodecManufacturer);
    CHECK_OK(ExtAudioFileSetProperty(extended, kExtAudioFileProperty_ClientChannelLayout, sizeof layout, &layout));
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_Mono;
    CHECK(
        ExtAudioFileSetProperty(extended, kExtAudioFileProperty_ClientChannelLayout, sizeof layout, &layout), kAudio_ParamError);
    CHECK_OK(ExtAudioFileDispose(extended));
}

/* A file that counts up. */
static ExtAudioFileRef open_counting(const char *path, UInt32 type, UInt32 frames) {
    AudioStreamBasicDescription format = int16(44100, 1), client = int16(44100, 1);
    static SInt16 samples[4000];
    AudioFileID id = NULL;
    ExtAudioFileRef file = NULL;
    UInt32 size = frames * 2;
    if (type == kAudioFileAIFFType) format.mFormatFlags |= kAudioFormatFlagIsBigEndian;
    format.mReserved = 0;
    for (UInt32 i = 0; i < frames; i++) samples[i] = (SInt16)(type == kAudioFileAIFFType ? (i & 255) << 8 | i >> 8 : i);
    REQUIRE(AudioFileLinuxCreateWithPath(path, type, &format, kAudioFileFlags_EraseFile, &id) == 0);
    CHECK_OK(AudioFileWriteBytes(id, 0, 0, &size, samples));
    CHECK_OK(AudioFileClose(id));
    REQUIRE(ExtAudioFileLinuxOpenPath(path, &file) == 0);
    CHECK_OK(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client));
    return file;
}

static void expect_sound(ExtAudioFileRef file, SInt64 first, UInt32 count, int line) {
    static SInt16 samples[5000];
    AudioBufferList list = one_buffer(samples, sizeof samples, 1);
    SInt64 length = -1;
    UInt32 size = sizeof length, frames = 5000;
    CHECK_OK(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileLengthFrames, &size, &length));
    CHECK_OK(ExtAudioFileSeek(file, 0));
    CHECK_OK(ExtAudioFileRead(file, &frames, &list));
    if (length != count || frames != count) return failed(__FILE__, line, "%lld and %u frames", (long long)length, frames);
    for (UInt32 i = 0; i < count; i++)
        if (samples[i] != first + i)
            return failed(__FILE__, line, "frame %u is %d, not %lld", i, samples[i], (long long)first + i);
}

TEST(packet_tables, "a packet table that is set replaces that of a file that is read, also of a type that has none") {
    static const UInt32 types[] = {kAudioFileWAVEType, kAudioFileAIFFType, kAudioFileCAFType};
    static const AudioFilePacketTableInfo tables[] = {
        {4000, 0, 0}, {3000, 400, 600}, {0, 4000, 0}, {1, 0, 3999}, {3999, 1, 0}, {2500, 1500, 0}};
    static const AudioFilePacketTableInfo wrong[] = {
        {4000, 0, 1}, {3999, 0, 0}, {-1, 4001, 0}, {4001, -1, 0}, {4001, 0, -1}, {INT64_MAX, INT32_MAX, INT32_MAX}};
    for (size_t type = 0; type < sizeof types / sizeof types[0]; type++)
        for (int life = 0; life < 2; life++) {
            ExtAudioFileRef file = open_counting("t", types[type], 4000);
            for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
                AudioFilePacketTableInfo read;
                UInt32 size = sizeof read;
                CHECK_OK(ExtAudioFileSetProperty(file, kExtAudioFileProperty_PacketTable, sizeof tables[i], &tables[i]));
                CHECK_OK(ExtAudioFileGetProperty(file, kExtAudioFileProperty_PacketTable, &size, &read));
                EXPECT(size == sizeof read && memcmp(&read, &tables[i], sizeof read) == 0);
                expect_sound(file, tables[i].mPrimingFrames, (UInt32)tables[i].mNumberValidFrames, __LINE__);
                for (size_t bad = 0; bad < sizeof wrong / sizeof wrong[0]; bad++)
                    CHECK(ExtAudioFileSetProperty(file, kExtAudioFileProperty_PacketTable, sizeof wrong[bad], &wrong[bad]),
                        kAudio_ParamError);
                CHECK(ExtAudioFileSetProperty(file, kExtAudioFileProperty_PacketTable, 15, &tables[i]),
                    kExtAudioFileError_InvalidPropertySize);
                expect_sound(file, tables[i].mPrimingFrames, (UInt32)tables[i].mNumberValidFrames, __LINE__);
            }
            CHECK_OK(ExtAudioFileDispose(file));
            /* The file keeps its own. */
            file = open_counting("t", types[type], 4000);
            expect_sound(file, 0, 4000, __LINE__);
            CHECK_OK(ExtAudioFileDispose(file));
        }
}

/* Reads frames of a rate that is not the file's. Sound of before a seek would be heard in the frames after it. */
TEST(seeks, "a seek leaves no sound of before it in any channel") {
    AudioStreamBasicDescription file = int16(44100, 2), client = float32(48000, 2);
    ExtAudioFileRef extended = NULL;
    static SInt16 samples[2 * 20000];
    static float got[2 * 4000];
    AudioBufferList list = one_buffer(samples, sizeof samples, 2);
    /* The first half is loud, and the second is silent. */
    for (int i = 0; i < 20000; i++) samples[i] = 30000;
    CHECK_OK(ExtAudioFileLinuxCreateWithPath("s.wav", kAudioFileWAVEType, &file, NULL, kAudioFileFlags_EraseFile, &extended));
    CHECK_OK(ExtAudioFileWrite(extended, 20000, &list));
    CHECK_OK(ExtAudioFileDispose(extended));
    CHECK_OK(ExtAudioFileLinuxOpenPath("s.wav", &extended));
    CHECK_OK(ExtAudioFileSetProperty(extended, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client));
    for (int round = 0; round < 2; round++) {
        UInt32 count = 4000;
        int loud = 0;
        CHECK_OK(ExtAudioFileSeek(extended, 0));
        list = one_buffer(got, sizeof got, 2);
        CHECK_OK(ExtAudioFileRead(extended, &count, &list));
        EXPECT(got[2 * 3000] > 0.5f && got[2 * 3000 + 1] > 0.5f);
        CHECK_OK(ExtAudioFileSeek(extended, 12000));
        count = 4000;
        list = one_buffer(got, sizeof got, 2);
        CHECK_OK(ExtAudioFileRead(extended, &count, &list));
        EXPECT_INTEGER(count, 4000);
        for (UInt32 i = 0; i < 2 * count; i++) loud += got[i] != 0;
        EXPECT_INTEGER(loud, 0);
    }
    CHECK_OK(ExtAudioFileDispose(extended));
}

TEST(wrapped, "a wrapped file stays open after the extended one") {
    AudioFileID file = create("w.caf", kAudioFileCAFType, coded(kAudioFormatAppleIMA4, 22050, 1));
    AudioStreamBasicDescription client = int16(22050, 1);
    ExtAudioFileRef extended = NULL;
    static SInt16 samples[1000];
    AudioBufferList list = one_buffer(samples, sizeof samples, 1);
    AudioFilePacketTableInfo table;
    UInt32 size = sizeof table;
    CHECK_OK(ExtAudioFileWrapAudioFileID(file, 1, &extended));
    CHECK_OK(ExtAudioFileSetProperty(extended, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client));
    CHECK_OK(ExtAudioFileWrite(extended, 1000, &list));
    CHECK_OK(ExtAudioFileDispose(extended));
    CHECK_OK(AudioFileGetProperty(file, kAudioFilePropertyPacketTableInfo, &size, &table));
    EXPECT_INTEGER(table.mNumberValidFrames, 1000);
    EXPECT_INTEGER(table.mRemainderFrames, 24);
    CHECK_OK(AudioFileClose(file));
}

typedef CFURLRef (*make_url)(const void *, const UInt8 *, long, Boolean);
typedef CFURLRef (*make_url_of_text)(const void *, const UInt8 *, long, UInt32, const void *);
typedef long (*string_length)(CFStringRef);
typedef void (*release_object)(const void *);

TEST(urls, "a CFURL opens and creates files, and names are CFStrings") {
    static const UInt8 path[] = "u.wav";
    void *foundation = dlopen("libFoundation.so", RTLD_NOW | RTLD_GLOBAL);
    make_url make = foundation ? (make_url)dlsym(foundation, "CFURLCreateFromFileSystemRepresentation") : NULL;
    string_length length = foundation ? (string_length)dlsym(foundation, "CFStringGetLength") : NULL;
    release_object release = foundation ? (release_object)dlsym(foundation, "CFRelease") : NULL;
    AudioStreamBasicDescription format = int16(44100, 2);
    AudioFileID file = NULL;
    ExtAudioFileRef extended = NULL;
    CFStringRef name = NULL;
    UInt32 size = sizeof name, type = kAudioFileWAVEType;
    if (!make || !length || !release) return; /* CoreFoundation is not installed */
    CFURLRef url = make(NULL, path, sizeof path - 1, 0);
    REQUIRE(url != NULL);
    CHECK_OK(AudioFileCreateWithURL(url, kAudioFileWAVEType, &format, 0, &file));
    CHECK_OK(AudioFileGetProperty(file, kAudioFilePropertyDataFormatName, &size, &name));
    EXPECT(name && length(name) > 10);
    CHECK(AudioFileOpenURL((CFURLRef)name, kAudioFileReadPermission, 0, &file), kAudio_ParamError);
    release(name);
    CHECK_OK(AudioFileClose(file));
    CHECK_OK(AudioFileOpenURL(url, kAudioFileReadWritePermission, 0, &file));
    CHECK_OK(AudioFileClose(file));
    CHECK_OK(ExtAudioFileOpenURL(url, &extended));
    CHECK_OK(ExtAudioFileDispose(extended));
    CHECK_OK(ExtAudioFileCreateWithURL(url, kAudioFileWAVEType, &format, NULL, kAudioFileFlags_EraseFile, &extended));
    CHECK_OK(ExtAudioFileDispose(extended));
    size = sizeof name;
    CHECK_OK(AudioFileGetGlobalInfo(kAudioFileGlobalInfo_FileTypeName, 4, &type, &size, &name));
    EXPECT(name && length(name) == 4);
    release(name);
    release(url);
}

TEST(urls_of_no_file, "a CFURL with a byte 0 in its path, or with another scheme than file, is refused") {
    static const struct {
        const char *text;
        OSStatus status;
    } rows[] = {
        {"file:///u%00.wav", kAudio_ParamError},
        {"u.wav%00", kAudio_ParamError},
        {"http://localhost/u.wav", kAudio_ParamError},
        {"ftp:u.wav", kAudio_ParamError},
        {"file:///none/u.wav", kAudioFileFileNotFoundError},
        {"none/u.wav", kAudioFileFileNotFoundError},
    };
    void *foundation = dlopen("libFoundation.so", RTLD_NOW | RTLD_GLOBAL);
    make_url_of_text make = foundation ? (make_url_of_text)dlsym(foundation, "CFURLCreateWithBytes") : NULL;
    release_object release = foundation ? (release_object)dlsym(foundation, "CFRelease") : NULL;
    AudioStreamBasicDescription format = int16(44100, 2);
    if (!make || !release) return; /* CoreFoundation is not installed */
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        const UInt8 *text = (const UInt8 *)rows[row].text;
        AudioFileID file = NULL;
        ExtAudioFileRef extended = NULL;
        /* 0x08000100 is UTF-8. */
        CFURLRef url = make(NULL, text, (long)strlen(rows[row].text), 0x08000100, NULL);
        REQUIRE(url != NULL);
        CHECK(AudioFileOpenURL(url, kAudioFileReadPermission, 0, &file), rows[row].status);
        CHECK(ExtAudioFileOpenURL(url, &extended), rows[row].status);
        CHECK(AudioFileCreateWithURL(url, kAudioFileWAVEType, &format, 0, &file), rows[row].status);
        release(url);
    }
}
