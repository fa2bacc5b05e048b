/* SPDX-License-Identifier: Apache-2.0 */
/* Audio queues that record. */
#include "queues.h"

#include <AudioToolbox/AudioToolboxLinux.h>

#include <dlfcn.h>
#include <stdlib.h>

enum { MICROPHONE_FRAMES = 30000 };

/* A microphone that counts from 1 to 30000, again and again, at the rate of the simulated one. */
static void write_microphone(void) {
    static int16_t samples[MICROPHONE_FRAMES];
    static const unsigned char header[44] = {'R', 'I', 'F', 'F', 0, 0, 0, 0, 'W', 'A', 'V', 'E', 'f', 'm', 't', ' ', 16, 0, 0, 0,
        1, 0, 1, 0, 0x44, 0xAC, 0, 0, 0x88, 0x58, 1, 0, 2, 0, 16, 0, 'd', 'a', 't', 'a', (MICROPHONE_FRAMES * 2) & 255,
        (MICROPHONE_FRAMES * 2) >> 8, 0, 0};
    for (int i = 0; i < MICROPHONE_FRAMES; i++) samples[i] = (int16_t)(i + 1);
    FILE *file = fopen("microphone.wav", "wb");
    REQUIRE(file && fwrite(header, sizeof header, 1, file) == 1 && fwrite(samples, sizeof samples, 1, file) == 1);
    REQUIRE(fclose(file) == 0);
    setenv("AUDIOSESSION_SIMULATION_MICROPHONE", "microphone.wav", 1);
}

struct recorder {
    AudioQueueRef queue;
    volatile int callbacks, packets;
    volatile bool ends;
    int last, jumps, gaps;
    double next;
};

/* Frames count up. Where the start time jumps, frames were lost, and the buffer before it can be shorter. */
static void take(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer, const AudioTimeStamp *start, UInt32 packets,
    const AudioStreamPacketDescription *descriptions) {
    struct recorder *recorder = (struct recorder *)data;
    const int16_t *samples = (const int16_t *)buffer->mAudioData;
    if (descriptions || buffer->mAudioDataByteSize != packets * 2 || !(start->mFlags & kAudioTimeStampSampleTimeValid))
        failed(__FILE__, __LINE__, "%u bytes, %u packets", buffer->mAudioDataByteSize, packets);
    if (packets && start->mSampleTime != recorder->next) recorder->last = 0, recorder->gaps++;
    for (UInt32 i = 0; i < packets; i++) {
        if (recorder->last && samples[i] != recorder->last % MICROPHONE_FRAMES + 1) recorder->jumps++;
        recorder->last = samples[i];
    }
    recorder->next = start->mSampleTime + packets;
    __atomic_add_fetch(&recorder->packets, (int)packets, __ATOMIC_RELEASE);
    if (!recorder->ends) EXPECT_OK(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
    add_one(&recorder->callbacks);
}

static void make_recorder(struct recorder *recorder, double rate) {
    AudioStreamBasicDescription format = integers(rate, 1);
    memset(recorder, 0, sizeof *recorder);
    EXPECT_OK(AudioQueueNewInput(&format, take, recorder, NULL, NULL, 0, &recorder->queue));
    REQUIRE(recorder->queue != NULL);
    for (int i = 0; i < 8; i++) {
        AudioQueueBufferRef buffer;
        EXPECT_OK(AudioQueueAllocateBuffer(recorder->queue, 1000, &buffer));
        EXPECT_OK(AudioQueueEnqueueBuffer(recorder->queue, buffer, 0, NULL));
    }
}

TEST(recording, "The recording has the samples of the microphone, and each buffer its time") {
    struct recorder recorder;
    write_microphone();
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    make_recorder(&recorder, 44100);
    EXPECT_OK(AudioQueueStart(recorder.queue, NULL));
    WAIT_FOR_COUNT(recorder.callbacks, 50);
    EXPECT_INTEGER(is_running(recorder.queue), 1);
    recorder.ends = true;
    EXPECT_OK(AudioQueueStop(recorder.queue, true));
    EXPECT(recorder.callbacks >= 50 + 7);
    EXPECT_INTEGER(recorder.jumps, 0);
    EXPECT(recorder.packets >= 50 * 500 - recorder.gaps * 500);
    EXPECT_OK(AudioQueueDispose(recorder.queue, true));
}

TEST(hardware_rate, "The rate 0 is the hardware's, and StreamDescription has it") {
    struct recorder recorder;
    AudioStreamBasicDescription format;
    UInt32 size = sizeof format;
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    make_recorder(&recorder, 0);
    EXPECT_OK(AudioQueueGetProperty(recorder.queue, kAudioQueueProperty_StreamDescription, &format, &size));
    EXPECT_INTEGER(size, sizeof format);
    EXPECT_NUMBER(format.mSampleRate, 44100);
    EXPECT_INTEGER(format.mBytesPerPacket, 2);
    EXPECT_OK(AudioQueueDispose(recorder.queue, true));
}

/* ---- A dispatch queue ---- */

/* A block as its runtime defines it, for compilers without blocks. It references one recorder. */
struct recording_block {
    void *isa;
    int flags, reserved;
    void (*invoke)(struct recording_block *block, AudioQueueRef queue, AudioQueueBufferRef buffer, const AudioTimeStamp *start,
        UInt32 packets, const AudioStreamPacketDescription *descriptions);
    const void *descriptor;
    struct recorder *recorder;
};

#ifdef __cplusplus
extern "C"
#endif
    OSStatus
    AudioQueueNewInputWithDispatchQueue(
        AudioQueueRef *queue, const AudioStreamBasicDescription *format, UInt32 flags, void *dispatch_queue, const void *block);

static void *(*dispatch_specific)(const void *key);
static volatile int elsewhere;

static void take_in_block(struct recording_block *block, AudioQueueRef queue, AudioQueueBufferRef buffer,
    const AudioTimeStamp *start, UInt32 packets, const AudioStreamPacketDescription *descriptions) {
    /* A stop at once returns the buffers on its own thread. */
    if (!block->recorder->ends && !dispatch_specific(&dispatch_specific)) add_one(&elsewhere);
    take(block->recorder, queue, buffer, start, packets, descriptions);
}

TEST(dispatch_queue, "The block of a recording queue gets the recording on its dispatch queue, until the queue is disposed of") {
    static const unsigned long descriptor[2] = {0, sizeof(struct recording_block)};
    static struct recorder recorder;
    static struct recording_block block = {NULL, 1 << 28, 0, take_in_block, descriptor, &recorder};
    AudioStreamBasicDescription format = integers(44100, 1);
    AudioQueueBufferRef buffer;
    union {
        void *symbol;
        void *(*create)(const char *label, void *attributes);
        void (*release)(void *object);
        void (*set)(void *queue, const void *key, void *context, void (*destructor)(void *));
        void *(*get)(const void *key);
    } create, release, set, get;
    /* A program that calls CoreFoundation loads libdispatch with it. */
    REQUIRE(CFRunLoopGetCurrent() != NULL);
    create.symbol = dlsym(RTLD_DEFAULT, "dispatch_queue_create");
    release.symbol = dlsym(RTLD_DEFAULT, "dispatch_release");
    set.symbol = dlsym(RTLD_DEFAULT, "dispatch_queue_set_specific");
    get.symbol = dlsym(RTLD_DEFAULT, "dispatch_get_specific");
    block.isa = dlsym(RTLD_DEFAULT, "_NSConcreteGlobalBlock");
    write_microphone();
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    if (!create.symbol || !release.symbol || !set.symbol || !get.symbol || !block.isa) {
        EXPECT_STATUS(
            AudioQueueNewInputWithDispatchQueue(&recorder.queue, &format, 0, &block, &block), kAudio_UnimplementedError);
        return;
    }
    dispatch_specific = get.get;
    void *target = create.create("test", NULL);
    set.set(target, &dispatch_specific, &block, NULL);
    EXPECT_STATUS(AudioQueueNewInputWithDispatchQueue(&recorder.queue, &format, 0, NULL, &block), kAudio_ParamError);
    EXPECT_STATUS(AudioQueueNewInputWithDispatchQueue(&recorder.queue, &format, 0, target, NULL), kAudio_ParamError);
    EXPECT_STATUS(AudioQueueNewInputWithDispatchQueue(&recorder.queue, NULL, 0, target, &block), kAudio_ParamError);
    EXPECT_STATUS(AudioQueueNewInputWithDispatchQueue(NULL, &format, 0, target, &block), kAudio_ParamError);
    for (int life = 0; life < 2; life++) {
        memset(&recorder, 0, sizeof recorder);
        EXPECT_OK(AudioQueueNewInputWithDispatchQueue(&recorder.queue, &format, 0, target, &block));
        REQUIRE(recorder.queue != NULL);
        for (int i = 0; i < 8; i++) {
            EXPECT_OK(AudioQueueAllocateBuffer(recorder.queue, 1000, &buffer));
            EXPECT_OK(AudioQueueEnqueueBuffer(recorder.queue, buffer, 0, NULL));
        }
        EXPECT_OK(AudioQueueStart(recorder.queue, NULL));
        WAIT_FOR_COUNT(recorder.callbacks, 20);
        recorder.ends = true;
        EXPECT_OK(AudioQueueStop(recorder.queue, true));
        EXPECT_OK(AudioQueueDispose(recorder.queue, true));
        int before = count_of(&recorder.callbacks);
        EXPECT(before >= 20 + 7);
        EXPECT_INTEGER(recorder.jumps, 0);
        EXPECT_INTEGER(elsewhere, 0);
    }
    release.release(target);
}

static volatile int whole_packets;

static void take_packets(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer, const AudioTimeStamp *start, UInt32 packets,
    const AudioStreamPacketDescription *descriptions) {
    (void)data, (void)queue, (void)start;
    if (descriptions || buffer->mAudioDataByteSize != packets * 34)
        failed(__FILE__, __LINE__, "%u bytes, %u packets", buffer->mAudioDataByteSize, packets);
    __atomic_add_fetch(&whole_packets, (int)packets, __ATOMIC_RELEASE);
}

TEST(packets, "A queue records whole packets of IMA4") {
    AudioStreamBasicDescription format;
    AudioQueueRef queue;
    UInt32 size = sizeof format, largest = 0, largest_size = sizeof largest;
    memset(&format, 0, sizeof format);
    format.mSampleRate = 44100;
    format.mFormatID = kAudioFormatAppleIMA4;
    format.mChannelsPerFrame = 1;
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(AudioQueueNewInput(&format, take_packets, NULL, NULL, NULL, 0, &queue));
    EXPECT_OK(AudioQueueGetProperty(queue, kAudioQueueProperty_StreamDescription, &format, &size));
    EXPECT_INTEGER(format.mFramesPerPacket, 64);
    EXPECT_OK(AudioQueueGetProperty(queue, kAudioQueueProperty_MaximumOutputPacketSize, &largest, &largest_size));
    EXPECT_INTEGER(largest, 34);
    for (int i = 0; i < 4; i++) {
        AudioQueueBufferRef buffer;
        EXPECT_OK(AudioQueueAllocateBuffer(queue, 1000, &buffer));
        EXPECT_OK(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
    }
    EXPECT_OK(AudioQueueStart(queue, NULL));
    WAIT_FOR_COUNT(whole_packets, 2 * (1000 / 34));
    EXPECT_OK(AudioQueueStop(queue, true));
    EXPECT_OK(AudioQueueDispose(queue, true));
}

/* The test writes the packets that a queue records with a codec module to a file, and reads the file. */
struct memo {
    AudioFileID file;
    SInt64 packets;
    UInt32 frames_per_packet;
    double next; /* the start time of the next buffer */
    bool has_gap;
    volatile int callbacks;
};

static void take_memo(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer, const AudioTimeStamp *start, UInt32 packets,
    const AudioStreamPacketDescription *descriptions) {
    struct memo *memo = (struct memo *)data;
    UInt32 bytes = 0, written = packets;
    EXPECT((descriptions != NULL) == (packets > 0));
    for (UInt32 i = 0; i < packets; i++) {
        EXPECT_INTEGER(descriptions[i].mStartOffset, bytes);
        bytes += descriptions[i].mDataByteSize;
    }
    EXPECT_INTEGER(buffer->mAudioDataByteSize, bytes);
    EXPECT_INTEGER(buffer->mPacketDescriptionCount, packets);
    if (packets && start->mSampleTime != memo->next) memo->has_gap = true;
    memo->next = start->mSampleTime + packets * memo->frames_per_packet;
    if (packets)
        EXPECT_OK(AudioFileWritePackets(memo->file, false, bytes, descriptions, memo->packets, &written, buffer->mAudioData));
    memo->packets += packets;
    /* A stop refuses it. */
    (void)AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
    add_one(&memo->callbacks);
}

static void copy_cookie(AudioQueueRef queue, AudioFileID file) {
    char cookie[4096];
    UInt32 size = sizeof cookie;
    EXPECT_OK(AudioQueueGetProperty(queue, kAudioQueueProperty_MagicCookie, cookie, &size));
    EXPECT(size > 0);
    EXPECT_OK(AudioFileSetProperty(file, kAudioFilePropertyMagicCookieData, size, cookie));
}

/* Records some buffers of packets into a file. False without the codec module. */
static bool record_memo(UInt32 id, const char *path, struct memo *memo) {
    AudioStreamBasicDescription format;
    AudioQueueRef queue;
    AudioQueueTimelineRef timeline;
    AudioTimeStamp now;
    Boolean has_gap = true;
    UInt32 size = sizeof format, largest = 0, largest_size = sizeof largest;
    memset(memo, 0, sizeof *memo);
    memset(&format, 0, sizeof format);
    format.mFormatID = id;
    format.mChannelsPerFrame = 1;
    OSStatus status = AudioQueueNewInput(&format, take_memo, memo, NULL, NULL, 0, &queue);
    if (status == kAudioQueueErr_CodecNotFound) {
        printf("# no encoder of %08x is installed\n", (unsigned)id);
        return false;
    }
    REQUIRE(status == 0);
    EXPECT_OK(AudioQueueGetProperty(queue, kAudioQueueProperty_StreamDescription, &format, &size));
    EXPECT_NUMBER(format.mSampleRate, 44100);
    EXPECT(format.mFramesPerPacket >= 1024 && format.mBytesPerPacket == 0);
    memo->frames_per_packet = format.mFramesPerPacket;
    EXPECT_OK(AudioQueueGetProperty(queue, kAudioQueueProperty_MaximumOutputPacketSize, &largest, &largest_size));
    REQUIRE(largest > 0);
    REQUIRE(AudioFileLinuxCreateWithPath(path, kAudioFileCAFType, &format, kAudioFileFlags_EraseFile, &memo->file) == 0);
    copy_cookie(queue, memo->file);
    /* The ramp makes small packets: without their limit a buffer would hold seconds. */
    for (int i = 0; i < 4; i++) {
        AudioQueueBufferRef buffer;
        EXPECT_OK(AudioQueueAllocateBufferWithPacketDescriptions(queue, 2 * largest, 2, &buffer));
        EXPECT_OK(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
    }
    EXPECT_OK(AudioQueueCreateTimeline(queue, &timeline));
    EXPECT_OK(AudioQueueStart(queue, NULL));
    WAIT_FOR_COUNT(memo->callbacks, 5);
    EXPECT_OK(AudioQueueGetCurrentTime(queue, timeline, &now, &has_gap));
    EXPECT_OK(AudioQueueStop(queue, true));
    EXPECT(memo->callbacks >= 5 + 4);
    memo->has_gap |= has_gap;
    EXPECT_OK(AudioQueueDispose(queue, true));
    EXPECT_OK(AudioFileClose(memo->file));
    return true;
}

/* The frames of the file. The caller frees them. */
static int16_t *read_memo(const char *path, UInt32 *frames) {
    AudioStreamBasicDescription client = integers(44100, 1);
    ExtAudioFileRef file;
    SInt64 length = 0;
    UInt32 size = sizeof length;
    REQUIRE(ExtAudioFileLinuxOpenPath(path, &file) == 0);
    EXPECT_OK(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client));
    EXPECT_OK(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileLengthFrames, &size, &length));
    REQUIRE(length > 0);
    int16_t *samples = (int16_t *)calloc((size_t)length, 2);
    REQUIRE(samples != NULL);
    AudioBufferList list = {1, {{1, (UInt32)length * 2, samples}}};
    *frames = (UInt32)length;
    EXPECT_OK(ExtAudioFileRead(file, frames, &list));
    /* The last packet can have fewer frames than others: the file states those. */
    EXPECT_INTEGER(*frames, length);
    EXPECT_OK(ExtAudioFileDispose(file));
    return samples;
}

TEST(lossless, "A queue records Apple Lossless: the packets have the samples of the microphone") {
    struct memo memo;
    UInt32 frames = 0, jumps = 0;
    write_microphone();
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    if (!record_memo(kAudioFormatAppleLossless, "lossless.caf", &memo)) return;
    int16_t *samples = read_memo("lossless.caf", &frames);
    EXPECT(frames > 5 * memo.frames_per_packet);
    for (UInt32 i = 1; i < frames; i++) jumps += samples[i] != samples[i - 1] % MICROPHONE_FRAMES + 1;
    if (memo.has_gap)
        printf("# the machine has lost frames\n");
    else
        EXPECT_INTEGER(jumps, 0);
    free(samples);
}

TEST(aac, "A queue records AAC: the packets have the ramp of the microphone") {
    struct memo memo;
    UInt32 frames = 0, steep = 0;
    write_microphone();
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    if (!record_memo(kAudioFormatMPEG4AAC, "aac.caf", &memo)) return;
    int16_t *samples = read_memo("aac.caf", &frames);
    EXPECT(frames > 4 * memo.frames_per_packet);
    EXPECT(frames <= (UInt32)memo.packets * memo.frames_per_packet);
    for (UInt32 i = 100; i < frames; i++) {
        int slope = samples[i] - samples[i - 100];
        steep += slope < -400 || slope > 600;
    }
    /* Only the edges of the ramp, the first frames and the last ones are no ramp. */
    EXPECT(steep < frames / 2);
    free(samples);
}

TEST(category, "A category that does not record refuses the start with its own code") {
    struct recorder recorder;
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    make_recorder(&recorder, 44100);
    EXPECT_STATUS(AudioQueueStart(recorder.queue, NULL), kAudioSessionIncompatibleCategory);
    EXPECT_OK(set_category(kAudioSessionCategory_RecordAudio));
    EXPECT_OK(AudioQueueStart(recorder.queue, NULL));
    WAIT_FOR_COUNT(recorder.callbacks, 3);
    EXPECT_OK(AudioQueueDispose(recorder.queue, true));
}
