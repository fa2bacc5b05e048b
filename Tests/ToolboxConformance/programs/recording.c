/* SPDX-License-Identifier: Apache-2.0 */
/* Audio queues that record. */
#include "queues.h"

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
    int last, jumps;
    double next;
};

/* Frames count up. Where the start time jumps, frames were lost. */
static void take(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer, const AudioTimeStamp *start, UInt32 packets,
    const AudioStreamPacketDescription *descriptions) {
    struct recorder *recorder = (struct recorder *)data;
    const int16_t *samples = (const int16_t *)buffer->mAudioData;
    if (descriptions || buffer->mAudioDataByteSize != packets * 2 || !(start->mFlags & kAudioTimeStampSampleTimeValid))
        failed(__FILE__, __LINE__, "%u bytes, %u packets", buffer->mAudioDataByteSize, packets);
    if (packets && start->mSampleTime != recorder->next) recorder->last = 0;
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
    EXPECT(recorder.packets >= 25000);
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
