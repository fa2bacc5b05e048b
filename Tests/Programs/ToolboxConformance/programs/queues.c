/* SPDX-License-Identifier: Apache-2.0 */
/* Audio queues that play: buffers, callbacks, start and stop, as programs of the platform use them. */
#include "queues.h"

#include <AudioToolbox/AudioToolboxLinux.h>
#include <dlfcn.h>
#include <mach/mach_time.h>

/* ---- A program that counts from 1 to 30000, again and again ---- */

enum { CYCLE = 30000 };

struct counter {
    AudioQueueRef queue;
    volatile int callbacks, changes;
    volatile bool ends;
    int next;
    pthread_t thread;
};

static void fill(struct counter *counter, AudioQueueBufferRef buffer) {
    int16_t *samples = (int16_t *)buffer->mAudioData;
    UInt32 frames = buffer->mAudioDataBytesCapacity / 4;
    for (UInt32 i = 0; i < frames; i++) {
        counter->next = counter->next % CYCLE + 1;
        samples[2 * i] = samples[2 * i + 1] = (int16_t)counter->next;
    }
    buffer->mAudioDataByteSize = frames * 4;
}

static void count_on(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    struct counter *counter = (struct counter *)data;
    if (queue != counter->queue && counter->queue) failed(__FILE__, __LINE__, "the callback has another queue");
    counter->thread = pthread_self();
    if (!counter->ends) {
        fill(counter, buffer);
        EXPECT_OK(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
    }
    add_one(&counter->callbacks);
}

static void note_change(void *data, AudioQueueRef queue, AudioQueuePropertyID id) {
    (void)queue, (void)id;
    add_one(&((struct counter *)data)->changes);
}

static void make_counter(struct counter *counter, int buffers, UInt32 frames) {
    AudioStreamBasicDescription format = integers(44100, 2);
    memset(counter, 0, sizeof *counter);
    EXPECT_OK(AudioQueueNewOutput(&format, count_on, counter, NULL, kCFRunLoopCommonModes, 0, &counter->queue));
    REQUIRE(counter->queue != NULL);
    EXPECT_OK(AudioQueueAddPropertyListener(counter->queue, kAudioQueueProperty_IsRunning, note_change, counter));
    for (int i = 0; i < buffers; i++) {
        AudioQueueBufferRef buffer = NULL;
        EXPECT_OK(AudioQueueAllocateBuffer(counter->queue, frames * 4, &buffer));
        REQUIRE(buffer && buffer->mAudioData && buffer->mAudioDataBytesCapacity == frames * 4);
        /* The program calls its own callback to fill the first buffers. */
        count_on(counter, counter->queue, buffer);
    }
    counter->callbacks = 0;
}

/* The samples count up without a gap. Silence is between them only where the device was late. */
static void expect_counting(int least) {
    size_t frames, sounds = 0;
    float *samples = played(&frames);
    int last = 0;
    for (size_t i = 0; i < frames; i++) {
        int left = (int)lrintf(samples[2 * i] * 32768), right = (int)lrintf(samples[2 * i + 1] * 32768);
        if (left == 0 && right == 0) continue;
        if (left != right || (last && left != last % CYCLE + 1)) {
            failed(__FILE__, __LINE__, "frame %zu of %zu is %d and %d after %d", i, frames, left, right, last);
            break;
        }
        last = left;
        sounds++;
    }
    if (sounds < (size_t)least) failed(__FILE__, __LINE__, "only %zu frames of %zu are sound", sounds, frames);
    free(samples);
}

TEST(order, "Hundreds of small buffers, filled in the callback, are played in their order and sample for sample") {
    struct counter counter;
    record_what_is_played();
    make_counter(&counter, 32, 256);
    EXPECT_INTEGER(is_running(counter.queue), 0);
    EXPECT_OK(AudioQueueStart(counter.queue, NULL));
    WAIT_FOR_COUNT(counter.callbacks, 300);
    EXPECT_INTEGER(is_running(counter.queue), 1);
    EXPECT(!pthread_equal(counter.thread, pthread_self()));
    counter.ends = true;
    EXPECT_OK(AudioQueueStop(counter.queue, true));
    EXPECT_INTEGER(is_running(counter.queue), 0);
    EXPECT_INTEGER(counter.changes, 2);
    EXPECT_OK(AudioQueueDispose(counter.queue, true));
    expect_counting(200 * 256);
}

TEST(stop_later, "Stop that waits plays all that is enqueued, then the listener of IsRunning is called") {
    struct counter counter;
    record_what_is_played();
    make_counter(&counter, 8, 1000);
    counter.ends = true;
    EXPECT_OK(AudioQueueStart(counter.queue, NULL));
    EXPECT_OK(AudioQueueStop(counter.queue, false));
    WAIT_FOR_COUNT(counter.changes, 2);
    EXPECT_INTEGER(counter.callbacks, 8);
    EXPECT_INTEGER(is_running(counter.queue), 0);
    EXPECT_OK(AudioQueueDispose(counter.queue, true));
    expect_counting(8000);
}

static AudioQueueBufferRef freed[8];
static volatile int freed_count, stop_results, free_results;

static void stop_and_free(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    (void)data;
    stop_results |= AudioQueueStop(queue, false);
    free_results |= AudioQueueFreeBuffer(queue, buffer);
    add_one(&freed_count);
}

TEST(calls_in_a_callback, "Stop that waits and FreeBuffer are legal in a callback") {
    AudioStreamBasicDescription format = integers(22050, 1);
    AudioQueueRef queue;
    EXPECT_OK(AudioQueueNewOutput(&format, stop_and_free, NULL, NULL, NULL, 0, &queue));
    for (int i = 0; i < 4; i++) {
        EXPECT_OK(AudioQueueAllocateBuffer(queue, 400, &freed[i]));
        freed[i]->mAudioDataByteSize = 400;
        EXPECT_OK(AudioQueueEnqueueBuffer(queue, freed[i], 0, NULL));
    }
    EXPECT_STATUS(AudioQueueFreeBuffer(queue, freed[0]), kAudioQueueErr_BufferInQueue);
    EXPECT_STATUS(AudioQueueEnqueueBuffer(queue, freed[0], 0, NULL), kAudioQueueErr_BufferEnqueuedTwice);
    EXPECT_OK(AudioQueueStart(queue, NULL));
    WAIT_FOR_COUNT(freed_count, 4);
    EXPECT_INTEGER(stop_results, 0);
    EXPECT_INTEGER(free_results, 0);
    EXPECT_STATUS(AudioQueueFreeBuffer(queue, freed[0]), kAudioQueueErr_InvalidBuffer);
    EXPECT_OK(AudioQueueDispose(queue, true));
}

static volatile int disposals;

static void dispose_at_the_end(void *data, AudioQueueRef queue, AudioQueuePropertyID id) {
    UInt32 value = 0, size = sizeof value;
    EXPECT_OK(AudioQueueGetProperty(queue, id, &value, &size));
    (void)data;
    if (value) return;
    EXPECT_OK(AudioQueueDispose(queue, true));
    add_one(&disposals);
}

static void do_nothing(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) { (void)data, (void)queue, (void)buffer; }

TEST(dispose_in_the_listener, "Dispose is legal in the listener of IsRunning") {
    AudioStreamBasicDescription format = integers(44100, 1);
    AudioQueueBufferRef buffer;
    AudioQueueRef queue;
    EXPECT_OK(AudioQueueNewOutput(&format, do_nothing, NULL, NULL, NULL, 0, &queue));
    EXPECT_OK(AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, dispose_at_the_end, NULL));
    EXPECT_OK(AudioQueueAllocateBuffer(queue, 2000, &buffer));
    buffer->mAudioDataByteSize = 2000;
    EXPECT_OK(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
    EXPECT_OK(AudioQueueStart(queue, NULL));
    EXPECT_OK(AudioQueueStop(queue, false));
    WAIT_FOR_COUNT(disposals, 1);
    EXPECT_STATUS(AudioQueueStart(queue, NULL), kAudioQueueErr_QueueInvalidated);
}

TEST(many_buffers, "Thousands of buffers are allocated fast and die with the queue") {
    struct counter counter;
    make_counter(&counter, 2, 500);
    for (int i = 0; i < 10000; i++) {
        AudioQueueBufferRef buffer;
        if (AudioQueueAllocateBuffer(counter.queue, 1024, &buffer) != 0) failed(__FILE__, __LINE__, "no buffer %d", i);
    }
    EXPECT_OK(AudioQueueDispose(counter.queue, true));
}

TEST(two_times, "A start time that has both times is that of the host, in each life of a queue") {
    for (int life = 0; life < 2; life++) {
        struct counter counter;
        struct timespec now;
        AudioTimeStamp time;
        make_counter(&counter, 8, 512);
        memset(&time, 0, sizeof time);
        clock_gettime(CLOCK_MONOTONIC, &now);
        time.mHostTime = (UInt64)now.tv_sec * 1000000000 + (UInt64)now.tv_nsec;
        time.mSampleTime = 1e12;
        time.mFlags = kAudioTimeStampHostTimeValid | kAudioTimeStampSampleTimeValid;
        EXPECT_OK(AudioQueueStart(counter.queue, &time));
        WAIT_FOR_COUNT(counter.callbacks, 20);
        counter.ends = true;
        EXPECT_OK(AudioQueueStop(counter.queue, true));
        EXPECT_OK(AudioQueueDispose(counter.queue, true));
    }
}

TEST(pausing, "Start after Pause goes on with the next frame, and the time stands still between") {
    struct counter counter;
    AudioTimeStamp before, after;
    record_what_is_played();
    make_counter(&counter, 8, 512);
    EXPECT_STATUS(AudioQueueGetCurrentTime(counter.queue, NULL, &before, NULL), kAudioQueueErr_InvalidRunState);
    EXPECT_OK(AudioQueueStart(counter.queue, NULL));
    WAIT_FOR_COUNT(counter.callbacks, 20);
    EXPECT_OK(AudioQueuePause(counter.queue));
    /* The last frames are still heard. Then the time stands still: no other thread of the program says so. */
    const struct timespec cycles = {0, 50000000};
    long long deadline = milliseconds() + TIME_LIMIT_MS;
    do {
        EXPECT_OK(AudioQueueGetCurrentTime(counter.queue, NULL, &before, NULL));
        nanosleep(&cycles, NULL);
        EXPECT_OK(AudioQueueGetCurrentTime(counter.queue, NULL, &after, NULL));
    } while (after.mSampleTime != before.mSampleTime && milliseconds() < deadline);
    EXPECT_NUMBER(after.mSampleTime, before.mSampleTime);
    int callbacks = count_of(&counter.callbacks);
    EXPECT(before.mFlags & kAudioTimeStampSampleTimeValid && before.mSampleTime > 512);
    EXPECT_INTEGER(is_running(counter.queue), 1);
    EXPECT_OK(AudioQueueStart(counter.queue, NULL));
    WAIT_FOR_COUNT(counter.callbacks, callbacks + 20);
    EXPECT_OK(AudioQueueGetCurrentTime(counter.queue, NULL, &after, NULL));
    EXPECT(after.mSampleTime >= before.mSampleTime);
    counter.ends = true;
    EXPECT_OK(AudioQueueStop(counter.queue, true));
    EXPECT_STATUS(AudioQueueGetCurrentTime(counter.queue, NULL, &after, NULL), 0x73746F70);
    EXPECT_OK(AudioQueueDispose(counter.queue, true));
    /* Outside of the fades the samples count up: what is quieter is one of 5 ms. */
    size_t frames;
    float *samples = played(&frames);
    int last = 0, jumps = 0;
    for (size_t i = 0; i < frames; i++) {
        int left = (int)lrintf(samples[2 * i] * 32768);
        if (last && left && left != last % CYCLE + 1) jumps++;
        last = left;
    }
    EXPECT(jumps > 0 && jumps < 2 * 221 + 50);
    free(samples);
}

TEST(interruption, "An interruption pauses the queue and keeps its buffers; Start after its end goes on") {
    struct counter counter;
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    make_counter(&counter, 8, 512);
    EXPECT_OK(AudioQueueStart(counter.queue, NULL));
    WAIT_FOR_COUNT(counter.changes, 1);
    WAIT_FOR_COUNT(counter.callbacks, 5);
    SIMULATE("interrupt begin");
    WAIT_FOR_COUNT(counter.changes, 2);
    EXPECT_INTEGER(is_running(counter.queue), 0);
    EXPECT(AudioQueueStart(counter.queue, NULL) != 0);
    int callbacks = count_of(&counter.callbacks);
    SIMULATE("interrupt end");
    WAIT_UNTIL(events_of(0) == 2);
    EXPECT_INTEGER(count_of(&counter.callbacks), callbacks);
    EXPECT_OK(AudioQueueStart(counter.queue, NULL));
    WAIT_FOR_COUNT(counter.callbacks, callbacks + 20);
    EXPECT_INTEGER(is_running(counter.queue), 1);
    EXPECT_INTEGER(count_of(&counter.changes), 3);
    EXPECT_OK(AudioQueueDispose(counter.queue, true));
}

/* ---- An interruption on the run loop of the queue ---- */

static struct counter heard;
static int begins, begins_while_running, begins_before_the_change, expected_changes;

static void note_interruption(void *data, UInt32 state) {
    (void)data;
    if (state != kAudioSessionBeginInterruption) return;
    begins++;
    if (is_running(heard.queue)) begins_while_running++;
    if (count_of(&heard.changes) < expected_changes) begins_before_the_change++;
}

static void turn_until(const int *count, int wanted) {
    long long deadline = milliseconds() + TIME_LIMIT_MS;
    while (*count < wanted && milliseconds() < deadline) CFRunLoopRunInMode(kCFRunLoopDefaultMode, 1, 1);
    EXPECT_INTEGER(*count, wanted);
}

TEST(order_of_listeners, "At an interruption IsRunning is 0, and its listener comes before the session's on the same run loop") {
    AudioStreamBasicDescription format = integers(44100, 2);
    memset(&heard, 0, sizeof heard);
    EXPECT_OK(AudioSessionInitialize(NULL, NULL, note_interruption, NULL));
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    EXPECT_OK(AudioQueueNewOutput(&format, count_on, &heard, CFRunLoopGetCurrent(), NULL, 0, &heard.queue));
    EXPECT_OK(AudioQueueAddPropertyListener(heard.queue, kAudioQueueProperty_IsRunning, note_change, &heard));
    for (int i = 0; i < 4; i++) {
        AudioQueueBufferRef buffer = NULL;
        EXPECT_OK(AudioQueueAllocateBuffer(heard.queue, 4096, &buffer));
        count_on(&heard, heard.queue, buffer);
    }
    for (int life = 1; life <= 10; life++) {
        EXPECT_OK(AudioQueueStart(heard.queue, NULL));
        turn_until((const int *)&heard.changes, 2 * life - 1);
        EXPECT_INTEGER(is_running(heard.queue), 1);
        expected_changes = 2 * life;
        SIMULATE("interrupt begin");
        turn_until(&begins, life);
        SIMULATE("interrupt end");
    }
    EXPECT_INTEGER(begins_while_running, 0);
    EXPECT_INTEGER(begins_before_the_change, 0);
    for (int life = 0; life < 10; life++) {
        int changes = heard.changes;
        EXPECT_OK(AudioQueueStart(heard.queue, NULL));
        turn_until((const int *)&heard.changes, changes + 1);
        EXPECT_STATUS(AudioSessionSetActive(false), kAudioSessionNotActiveError);
        EXPECT_INTEGER(is_running(heard.queue), 0);
        turn_until((const int *)&heard.changes, changes + 2);
    }
    EXPECT_OK(AudioQueueDispose(heard.queue, true));
}

/* ---- A queue that runs out of buffers ---- */

static volatile int hungry_changes;

static void count_change(void *data, AudioQueueRef queue, AudioQueuePropertyID id) {
    (void)data, (void)queue, (void)id;
    add_one(&hungry_changes);
}

static void enqueue_one(AudioQueueRef queue, AudioQueueBufferRef buffer) {
    buffer->mAudioDataByteSize = buffer->mAudioDataBytesCapacity;
    EXPECT_OK(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
}

/* The stream of the queues stands still a second after the last buffer, and the device has no frames then. */
static void run_dry(AudioQueueRef queue) {
    const struct timespec moment = {0, 10000000};
    AudioTimeStamp time;
    int changes = count_of(&hungry_changes);
    EXPECT_OK(AudioQueueStart(queue, NULL));
    WAIT_FOR_COUNT(hungry_changes, changes + 1);
    long long deadline = milliseconds() + TIME_LIMIT_MS;
    do {
        nanosleep(&moment, NULL);
        EXPECT_OK(AudioQueueDeviceGetCurrentTime(queue, &time));
    } while (time.mFlags & kAudioTimeStampSampleTimeValid && milliseconds() < deadline);
    /* While the device stands, the time is that of the host. */
    EXPECT_INTEGER(time.mFlags, kAudioTimeStampHostTimeValid);
    EXPECT(time.mHostTime > 0 && time.mHostTime <= mach_absolute_time());
    EXPECT_INTEGER(is_running(queue), 1);
}

TEST(dry, "A queue without buffers is paused by an interruption and by a deactivation of the session, and nothing resumes it") {
    AudioStreamBasicDescription format = integers(44100, 1);
    AudioQueueBufferRef buffer;
    AudioQueueRef queue;
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    EXPECT_OK(AudioQueueNewOutput(&format, do_nothing, NULL, NULL, NULL, 0, &queue));
    EXPECT_OK(AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, count_change, NULL));
    EXPECT_OK(AudioQueueAllocateBuffer(queue, 2000, &buffer));
    run_dry(queue);
    SIMULATE("interrupt begin");
    WAIT_FOR_COUNT(hungry_changes, 2);
    EXPECT_INTEGER(is_running(queue), 0);
    SIMULATE("interrupt end");
    WAIT_UNTIL(events_of(0) == 2);
    /* A buffer does not resume it. */
    enqueue_one(queue, buffer);
    EXPECT_INTEGER(is_running(queue), 0);
    run_dry(queue);
    EXPECT_STATUS(AudioSessionSetActive(false), kAudioSessionNotActiveError);
    WAIT_FOR_COUNT(hungry_changes, 4);
    EXPECT_INTEGER(is_running(queue), 0);
    EXPECT_OK(AudioQueueDispose(queue, true));
}

TEST(route, "A queue goes on when the route changes") {
    struct counter counter;
    make_counter(&counter, 8, 512);
    BEGIN_SESSION();
    EXPECT_OK(AudioQueueStart(counter.queue, NULL));
    WAIT_FOR_COUNT(counter.callbacks, 5);
    SIMULATE("plug usb");
    int callbacks = count_of(&counter.callbacks);
    WAIT_FOR_COUNT(counter.callbacks, callbacks + 20);
    Float64 rate = 0;
    UInt32 size = sizeof rate;
    EXPECT_OK(AudioQueueGetProperty(counter.queue, kAudioQueueDeviceProperty_SampleRate, &rate, &size));
    EXPECT_NUMBER(rate, 48000);
    EXPECT_INTEGER(count_of(&counter.changes), 1);
    EXPECT_OK(AudioQueueDispose(counter.queue, true));
}

/* ---- Run loops ---- */

static volatile int on_loop;
static pthread_t loop_thread;

static void note_thread(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    (void)data, (void)queue, (void)buffer;
    loop_thread = pthread_self();
    add_one(&on_loop);
}

TEST(run_loop, "With a run loop callbacks come on it only, also after a mode that is NULL") {
    AudioStreamBasicDescription format = integers(44100, 1);
    AudioQueueRef queue;
    EXPECT_OK(AudioQueueNewOutput(&format, note_thread, NULL, CFRunLoopGetCurrent(), NULL, 0, &queue));
    /* The time goes on behind the short ones. */
    static const UInt32 sizes[] = {500, 500, 500, 2 * 44100 * 180};
    for (int i = 0; i < 4; i++) {
        AudioQueueBufferRef buffer;
        EXPECT_OK(AudioQueueAllocateBuffer(queue, sizes[i], &buffer));
        buffer->mAudioDataByteSize = sizes[i];
        EXPECT_OK(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
    }
    EXPECT_OK(AudioQueueStart(queue, NULL));
    wait_for_time(queue, 4000);
    EXPECT_INTEGER(count_of(&on_loop), 0);
    long long deadline = milliseconds() + TIME_LIMIT_MS;
    while (count_of(&on_loop) < 3 && milliseconds() < deadline) CFRunLoopRunInMode(kCFRunLoopDefaultMode, 1, 1);
    EXPECT_INTEGER(count_of(&on_loop), 3);
    EXPECT(pthread_equal(loop_thread, pthread_self()));
    EXPECT_OK(AudioQueueDispose(queue, true));
}

/* ---- A dispatch queue ---- */

/* A block as its runtime defines it, for compilers without blocks. It references nothing. */
struct plain_block {
    void *isa;
    int flags, reserved;
    void (*invoke)(struct plain_block *block, AudioQueueRef queue, AudioQueueBufferRef buffer);
    const void *descriptor;
};

#ifdef __cplusplus
extern "C"
#endif
    OSStatus
    AudioQueueNewOutputWithDispatchQueue(
        AudioQueueRef *queue, const AudioStreamBasicDescription *format, UInt32 flags, void *dispatch_queue, const void *block);

static volatile int on_dispatch;

static void dispatched(struct plain_block *block, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    (void)block, (void)queue, (void)buffer;
    add_one(&on_dispatch);
}

TEST(dispatch_queue, "The block of a queue is called on its dispatch queue, and not after the queue was disposed of") {
    static const unsigned long descriptor[2] = {0, sizeof(struct plain_block)};
    static struct plain_block block = {NULL, 1 << 28, 0, dispatched, descriptor};
    AudioStreamBasicDescription format = integers(44100, 1);
    AudioQueueBufferRef buffer;
    AudioQueueRef queue = NULL;
    union {
        void *symbol;
        void *(*create)(const char *label, void *attributes);
        void (*release)(void *object);
    } dispatch, release;
    dispatch.symbol = dlsym(RTLD_DEFAULT, "dispatch_queue_create");
    release.symbol = dlsym(RTLD_DEFAULT, "dispatch_release");
    block.isa = dlsym(RTLD_DEFAULT, "_NSConcreteGlobalBlock");
    if (!dispatch.symbol || !release.symbol || !block.isa) {
        EXPECT_STATUS(AudioQueueNewOutputWithDispatchQueue(&queue, &format, 0, &block, &block), kAudio_UnimplementedError);
        return;
    }
    void *target = dispatch.create("test", NULL);
    EXPECT_STATUS(AudioQueueNewOutputWithDispatchQueue(&queue, &format, 0, NULL, &block), kAudio_ParamError);
    EXPECT_STATUS(AudioQueueNewOutputWithDispatchQueue(&queue, &format, 0, target, NULL), kAudio_ParamError);
    for (int life = 1; life <= 2; life++) {
        int before = count_of(&on_dispatch);
        EXPECT_OK(AudioQueueNewOutputWithDispatchQueue(&queue, &format, 0, target, &block));
        REQUIRE(queue != NULL);
        for (int i = 0; i < 4; i++) {
            EXPECT_OK(AudioQueueAllocateBuffer(queue, 2000, &buffer));
            enqueue_one(queue, buffer);
        }
        EXPECT_OK(AudioQueueStart(queue, NULL));
        WAIT_FOR_COUNT(on_dispatch, before + 3);
        EXPECT_OK(AudioQueueDispose(queue, true));
    }
    release.release(target);
}

/* ---- Packets of codec modules ---- */

enum { SONG_FRAMES = 30000, SONG_PACKETS = 3 };

static bool decodes(UInt32 wanted) {
    UInt32 formats[64], size = sizeof formats;
    EXPECT_OK(AudioFormatGetProperty(kAudioFormatProperty_DecodeFormatIDs, 0, NULL, &size, formats));
    for (UInt32 i = 0; i < size / sizeof formats[0]; i++)
        if (formats[i] == wanted) return true;
    printf("# no decoder of %08x is installed\n", (unsigned)wanted);
    return false;
}

static AudioStreamBasicDescription coded(UInt32 id) {
    AudioStreamBasicDescription format;
    memset(&format, 0, sizeof format);
    format.mSampleRate = 44100;
    format.mFormatID = id;
    format.mChannelsPerFrame = 2;
    return format;
}

/* A file of Apple Lossless that counts from 1 to 30000. False without an encoder. */
static bool write_song(void) {
    static int16_t samples[SONG_FRAMES * 2];
    AudioStreamBasicDescription written = coded(kAudioFormatAppleLossless), client = integers(44100, 2);
    ExtAudioFileRef file;
    for (int i = 0; i < SONG_FRAMES * 2; i++) samples[i] = (int16_t)(i / 2 + 1);
    if (ExtAudioFileLinuxCreateWithPath("song.caf", kAudioFileCAFType, &written, NULL, kAudioFileFlags_EraseFile, &file) != 0 ||
        ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client) != 0)
        return false;
    AudioBufferList list = {1, {{2, sizeof samples, samples}}};
    EXPECT_OK(ExtAudioFileWrite(file, SONG_FRAMES, &list));
    EXPECT_OK(ExtAudioFileDispose(file));
    return true;
}

struct song {
    AudioQueueRef queue;
    AudioFileID file;
    SInt64 packet;
    volatile int callbacks, changes, errors;
};

static void note_error(void *data, AudioQueueRef queue, AudioQueuePropertyID id) {
    (void)queue, (void)id;
    add_one(&((struct song *)data)->errors);
}

/* Every second buffer has its descriptions in the call. */
static void feed(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    struct song *song = (struct song *)data;
    UInt32 bytes = buffer->mAudioDataBytesCapacity, packets = SONG_PACKETS;
    OSStatus status = AudioFileReadPacketData(
        song->file, false, &bytes, buffer->mPacketDescriptions, song->packet, &packets, buffer->mAudioData);
    EXPECT(status == 0 || status == kAudioFileEndOfFileError);
    if (packets > 0) {
        bool in_call = song->packet / SONG_PACKETS % 2 != 0;
        buffer->mAudioDataByteSize = bytes;
        buffer->mPacketDescriptionCount = in_call ? 0 : packets;
        song->packet += packets;
        EXPECT_OK(AudioQueueEnqueueBuffer(queue, buffer, in_call ? packets : 0, in_call ? buffer->mPacketDescriptions : NULL));
    }
    add_one(&song->callbacks);
}

static void note_song(void *data, AudioQueueRef queue, AudioQueuePropertyID id) {
    (void)queue, (void)id;
    add_one(&((struct song *)data)->changes);
}

TEST(packets, "The packets of a file are played sample for sample, with descriptions in the call and in the buffer") {
    struct song song;
    AudioStreamBasicDescription format;
    char cookie[256];
    UInt32 size = sizeof format, frames = 0;
    record_what_is_played();
    memset(&song, 0, sizeof song);
    if (!decodes(kAudioFormatAppleLossless) || !write_song()) return;
    REQUIRE(AudioFileLinuxOpenPath("song.caf", kAudioFileReadPermission, 0, &song.file) == 0);
    EXPECT_OK(AudioFileGetProperty(song.file, kAudioFilePropertyDataFormat, &size, &format));
    EXPECT_OK(AudioQueueNewOutput(&format, feed, &song, NULL, NULL, 0, &song.queue));
    REQUIRE(song.queue != NULL);
    EXPECT_OK(AudioQueueAddPropertyListener(song.queue, kAudioQueueProperty_IsRunning, note_song, &song));
    size = sizeof cookie;
    EXPECT_OK(AudioFileGetProperty(song.file, kAudioFilePropertyMagicCookieData, &size, cookie));
    EXPECT_OK(AudioQueueSetProperty(song.queue, kAudioQueueProperty_MagicCookie, cookie, size));
    /* More buffers than the file fills: the last ones are not enqueued. */
    for (int i = 0; i < 4; i++) {
        AudioQueueBufferRef buffer;
        EXPECT_OK(AudioQueueAllocateBufferWithPacketDescriptions(song.queue, 100000, SONG_PACKETS, &buffer));
        feed(&song, song.queue, buffer);
    }
    EXPECT_OK(AudioQueuePrime(song.queue, 0, &frames));
    EXPECT_INTEGER(frames, SONG_FRAMES);
    EXPECT_OK(AudioQueueStart(song.queue, NULL));
    EXPECT_OK(AudioQueueStop(song.queue, false));
    WAIT_FOR_COUNT(song.changes, 2);
    EXPECT_OK(AudioQueueDispose(song.queue, true));
    EXPECT_OK(AudioFileClose(song.file));
    expect_counting(SONG_FRAMES);
}

TEST(bad_packets, "Packets without descriptions, or behind the end of their buffer, are refused; garbage is silence") {
    static const AudioStreamPacketDescription lies[] = {
        {-1, 0, 2}, {63, 0, 2}, {0, 0, 65}, {INT64_MAX, 0, 1}, {0, 0, UINT32_MAX}};
    AudioStreamPacketDescription packets[3] = {{0, 0, 60}, {64, 0, 0}, {1, 0, 63}};
    AudioStreamBasicDescription format = coded(kAudioFormatMPEG4AAC);
    struct song song;
    AudioQueueBufferRef buffer;
    memset(&song, 0, sizeof song);
    if (!decodes(kAudioFormatMPEG4AAC)) return;
    EXPECT_OK(AudioQueueNewOutput(&format, do_nothing, NULL, NULL, NULL, 0, &song.queue));
    REQUIRE(song.queue != NULL);
    EXPECT_OK(AudioQueueAddPropertyListener(song.queue, kAudioQueueProperty_IsRunning, note_song, &song));
    EXPECT_STATUS(
        AudioQueueSetProperty(song.queue, kAudioQueueProperty_MagicCookie, "cookie", 6), kAudioQueueErr_InvalidPropertyValue);
    EXPECT_OK(AudioQueueAllocateBuffer(song.queue, 64, &buffer));
    memset(buffer->mAudioData, 0x5A, 64);
    buffer->mAudioDataByteSize = 64;
    EXPECT_STATUS(AudioQueueEnqueueBuffer(song.queue, buffer, 0, NULL), kAudio_ParamError);
    buffer->mPacketDescriptionCount = 1;
    EXPECT_STATUS(AudioQueueEnqueueBuffer(song.queue, buffer, 1, NULL), kAudio_ParamError);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++)
        EXPECT_STATUS(AudioQueueEnqueueBuffer(song.queue, buffer, 1, &lies[i]), kAudio_ParamError);
    UInt32 error = 0, size = sizeof error;
    EXPECT_OK(AudioQueueGetProperty(song.queue, kAudioQueueProperty_ConverterError, &error, &size));
    EXPECT_INTEGER(error, 0);
    EXPECT_OK(AudioQueueAddPropertyListener(song.queue, kAudioQueueProperty_ConverterError, note_error, &song));
    EXPECT_OK(AudioQueueEnqueueBuffer(song.queue, buffer, 3, packets));
    EXPECT_OK(AudioQueueStart(song.queue, NULL));
    EXPECT_OK(AudioQueueStop(song.queue, false));
    WAIT_FOR_COUNT(song.changes, 2);
    EXPECT_OK(AudioQueueGetProperty(song.queue, kAudioQueueProperty_ConverterError, &error, &size));
    EXPECT_STATUS(error, kAudioConverterErr_UnspecifiedError);
    EXPECT_INTEGER(song.errors, 1);
    EXPECT_OK(AudioQueueDispose(song.queue, true));
}

/* ---- DVI ADPCM, whose packets have one size ---- */

enum { BLOCK = 256, BLOCK_FRAMES = 505, BLOCKS = 24, DVI_FRAMES = BLOCKS * BLOCK_FRAMES };

static unsigned char blocks[BLOCKS * BLOCK];

static OSStatus give_blocks(AudioConverterRef converter, UInt32 *packets, AudioBufferList *list,
    AudioStreamPacketDescription **descriptions, void *data) {
    UInt32 *next = (UInt32 *)data;
    (void)converter, (void)descriptions;
    if (*packets > BLOCKS - *next) *packets = BLOCKS - *next;
    list->mBuffers[0].mNumberChannels = 1;
    list->mBuffers[0].mData = blocks + *next * BLOCK;
    list->mBuffers[0].mDataByteSize = *packets * BLOCK;
    *next += *packets;
    return 0;
}

/* The samples that are not 0. */
static int sounds_of(const int *samples, int count, int *sounds) {
    int found = 0;
    for (int i = 0; i < count; i++)
        if (samples[i] != 0) sounds[found++] = samples[i];
    return found;
}

TEST(dvi, "Blocks of DVI ADPCM are played sample for sample, without descriptions, and again after a stop") {
    static int16_t decoded[DVI_FRAMES];
    static int expected[2 * DVI_FRAMES], heard[1 << 20], sounds[2 * DVI_FRAMES], heard_sounds[1 << 20];
    AudioStreamBasicDescription format, linear = integers(44100, 1), read;
    AudioStreamPacketDescription lie = {77, 3, 1 << 20};
    AudioConverterRef converter = NULL;
    struct song song;
    uint32_t random = 1;
    UInt32 next = 0, frames = DVI_FRAMES, size = sizeof read;
    size_t count;
    record_what_is_played();
    memset(&song, 0, sizeof song);
    memset(&format, 0, sizeof format);
    format.mSampleRate = 44100;
    format.mFormatID = kAudioFormatDVIIntelIMA;
    format.mChannelsPerFrame = 1;
    format.mBytesPerPacket = BLOCK;
    format.mFramesPerPacket = BLOCK_FRAMES;
    for (int i = 0; i < BLOCKS * BLOCK; i++) blocks[i] = (unsigned char)((random = random * 1664525 + 1013904223) >> 24);
    for (int i = 0; i < BLOCKS; i++) blocks[i * BLOCK + 2] %= 60;
    EXPECT_OK(AudioConverterNew(&format, &linear, &converter));
    AudioBufferList list = {1, {{1, sizeof decoded, decoded}}};
    EXPECT_OK(AudioConverterFillComplexBuffer(converter, give_blocks, &next, &frames, &list, NULL));
    EXPECT_INTEGER(frames, DVI_FRAMES);
    EXPECT_OK(AudioConverterDispose(converter));
    for (int i = 0; i < 2 * DVI_FRAMES; i++) expected[i] = decoded[i % DVI_FRAMES];
    EXPECT_OK(AudioQueueNewOutput(&format, do_nothing, NULL, NULL, NULL, 0, &song.queue));
    REQUIRE(song.queue != NULL);
    EXPECT_OK(AudioQueueAddPropertyListener(song.queue, kAudioQueueProperty_IsRunning, note_song, &song));
    EXPECT_OK(AudioQueueGetProperty(song.queue, kAudioQueueProperty_StreamDescription, &read, &size));
    EXPECT(read.mFormatID == format.mFormatID && read.mFramesPerPacket == BLOCK_FRAMES && read.mBytesPerPacket == BLOCK);
    for (int life = 1; life <= 2; life++) {
        for (int i = 0; i < 3; i++) {
            AudioQueueBufferRef buffer;
            EXPECT_OK(AudioQueueAllocateBuffer(song.queue, BLOCKS / 3 * BLOCK + 9, &buffer));
            memcpy(buffer->mAudioData, blocks + i * (BLOCKS / 3) * BLOCK, BLOCKS / 3 * BLOCK);
            /* The beginning of another block has no sound, and descriptions have no meaning. */
            buffer->mAudioDataByteSize = BLOCKS / 3 * BLOCK + (i == 1 ? 9 : 0);
            EXPECT_OK(AudioQueueEnqueueBuffer(song.queue, buffer, i == 2, i == 2 ? &lie : NULL));
        }
        EXPECT_OK(AudioQueuePrime(song.queue, 0, &frames));
        EXPECT_INTEGER(frames, DVI_FRAMES);
        EXPECT_OK(AudioQueueStart(song.queue, NULL));
        EXPECT_OK(AudioQueueStop(song.queue, false));
        WAIT_FOR_COUNT(song.changes, 2 * life);
    }
    EXPECT_OK(AudioQueueDispose(song.queue, true));
    float *samples = played(&count);
    if (count > sizeof heard / sizeof *heard) count = sizeof heard / sizeof *heard;
    for (size_t i = 0; i < count; i++) heard[i] = (int)lrintf(samples[2 * i] * 32768);
    free(samples);
    int wanted = sounds_of(expected, 2 * DVI_FRAMES, sounds), found = sounds_of(heard, (int)count, heard_sounds);
    EXPECT_INTEGER(found, wanted);
    for (int i = 0; i < wanted && i < found; i++)
        if (sounds[i] != heard_sounds[i])
            return failed(__FILE__, __LINE__, "sound %d is %d, not %d", i, heard_sounds[i], sounds[i]);
}

TEST(dvi_sizes, "A queue of DVI ADPCM needs the sizes of its packets, and of a block that exists") {
    static const UInt32 sizes[][2] = {{0, 0}, {256, 0}, {0, 505}, {255, 505}, {256, 506}, {4, 2}, {1 << 20, 505}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        AudioStreamBasicDescription format;
        AudioQueueRef queue = NULL;
        memset(&format, 0, sizeof format);
        format.mSampleRate = 44100;
        format.mFormatID = kAudioFormatDVIIntelIMA;
        format.mChannelsPerFrame = 1;
        format.mBytesPerPacket = sizes[i][0];
        format.mFramesPerPacket = sizes[i][1];
        EXPECT_STATUS(
            AudioQueueNewOutput(&format, do_nothing, NULL, NULL, NULL, 0, &queue), kAudioFormatUnsupportedDataFormatError);
        EXPECT(queue == NULL);
    }
}

/* ---- Parameters of a buffer ---- */

/* The last sample that was heard. A change of volume is a ramp. */
static float last_played(void) {
    size_t frames;
    float *samples = played(&frames), found = 0;
    for (size_t i = 0; i < 2 * frames; i++)
        if (samples[i] != 0) found = samples[i];
    free(samples);
    return found;
}

TEST(parameters, "A buffer brings the parameters that its call counts, and leaves those behind them alone") {
    enum { FRAMES = 4410 };
    static const AudioQueueParameterEvent events[] = {
        {kAudioQueueParam_Volume, 0.125f}, {kAudioQueueParam_Volume, 0.5f}, {kAudioQueueParam_Volume, 1}};
    AudioStreamBasicDescription format = integers(44100, 2);
    AudioTimeStamp time;
    record_what_is_played();
    for (UInt32 count = 1; count <= 2; count++) {
        struct counter counter;
        AudioQueueRef queue = NULL;
        AudioQueueBufferRef buffer = NULL;
        memset(&counter, 0, sizeof counter);
        EXPECT_OK(AudioQueueNewOutput(&format, do_nothing, NULL, NULL, NULL, 0, &queue));
        EXPECT_OK(AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, note_change, &counter));
        EXPECT_OK(AudioQueueAllocateBuffer(queue, FRAMES * 4, &buffer));
        for (int i = 0; i < FRAMES * 2; i++) ((int16_t *)buffer->mAudioData)[i] = 16384;
        buffer->mAudioDataByteSize = FRAMES * 4;
        memset(&time, 0xFF, sizeof time);
        EXPECT_STATUS(
            AudioQueueEnqueueBufferWithParameters(queue, buffer, 0, NULL, 0, 0, 1, NULL, NULL, &time), kAudio_ParamError);
        EXPECT_OK(AudioQueueEnqueueBufferWithParameters(queue, buffer, 0, NULL, 10, 20, count, events, NULL, &time));
        EXPECT(time.mFlags == kAudioTimeStampSampleTimeValid && time.mSampleTime == 0);
        EXPECT_OK(AudioQueueStart(queue, NULL));
        EXPECT_OK(AudioQueueStop(queue, false));
        WAIT_FOR_COUNT(counter.changes, 2);
        EXPECT_OK(AudioQueueDispose(queue, true));
        EXPECT_NUMBER(last_played(), 0.5f * events[count - 1].mValue);
    }
}

/* ---- Bad input ---- */

TEST(bad_input, "NULL, disposed queues and foreign buffers give an error, and the queue stays usable") {
    AudioStreamBasicDescription format = integers(44100, 2);
    AudioQueueRef queue, other;
    AudioQueueBufferRef buffer, foreign;
    AudioTimeStamp time;
    UInt32 size = 4, value;
    Float32 volume;
    EXPECT_STATUS(AudioQueueNewOutput(NULL, do_nothing, NULL, NULL, NULL, 0, &queue), kAudio_ParamError);
    EXPECT_STATUS(AudioQueueNewOutput(&format, NULL, NULL, NULL, NULL, 0, &queue), kAudio_ParamError);
    EXPECT_STATUS(AudioQueueNewOutput(&format, do_nothing, NULL, NULL, NULL, 0, NULL), kAudio_ParamError);
    EXPECT_STATUS(AudioQueueAddPropertyListener(NULL, kAudioQueueProperty_IsRunning, note_change, NULL), kAudio_ParamError);
    EXPECT_STATUS(AudioQueueStart(NULL, NULL), kAudio_ParamError);
    EXPECT_STATUS(AudioQueueStop((AudioQueueRef)&format, true), kAudio_ParamError);
    EXPECT_STATUS(AudioQueueGetCurrentTime(NULL, NULL, &time, NULL), kAudio_ParamError);
    EXPECT_OK(AudioQueueNewOutput(&format, do_nothing, NULL, NULL, NULL, 0, &queue));
    EXPECT_OK(AudioQueueNewOutput(&format, do_nothing, NULL, NULL, NULL, 0, &other));
    EXPECT_OK(AudioQueueAllocateBuffer(queue, 64, &buffer));
    EXPECT_OK(AudioQueueAllocateBuffer(other, 64, &foreign));
    EXPECT_STATUS(AudioQueueEnqueueBuffer(queue, foreign, 0, NULL), kAudioQueueErr_InvalidBuffer);
    EXPECT_STATUS(AudioQueueEnqueueBuffer(queue, NULL, 0, NULL), kAudioQueueErr_InvalidBuffer);
    EXPECT_STATUS(AudioQueueFreeBuffer(queue, (AudioQueueBufferRef)&format), kAudioQueueErr_InvalidBuffer);
    buffer->mAudioDataByteSize = 65;
    EXPECT_STATUS(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL), kAudioQueueErr_InvalidBuffer);
    EXPECT_STATUS(AudioQueueGetProperty(queue, 1, &value, &size), kAudioQueueErr_InvalidProperty);
    size = 3;
    EXPECT_STATUS(AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &value, &size), kAudioQueueErr_InvalidPropertySize);
    EXPECT_STATUS(AudioQueueSetParameter(queue, kAudioQueueParam_PlayRate, 2), kAudioQueueErr_InvalidParameter);
    value = 1;
    EXPECT_OK(AudioQueueSetProperty(queue, kAudioQueueProperty_EnableTimePitch, &value, sizeof value));
    EXPECT_OK(AudioQueueSetParameter(queue, kAudioQueueParam_PlayRate, 9));
    EXPECT_OK(AudioQueueGetParameter(queue, kAudioQueueParam_PlayRate, &volume));
    EXPECT_NUMBER(volume, 2);
    value = 0;
    EXPECT_OK(AudioQueueSetProperty(queue, kAudioQueueProperty_EnableTimePitch, &value, sizeof value));
    EXPECT_OK(AudioQueueSetParameter(queue, kAudioQueueParam_Volume, 0.5f));
    EXPECT_OK(AudioQueueGetParameter(queue, kAudioQueueParam_Volume, &volume));
    EXPECT_NUMBER(volume, 0.5);
    CFStringRef device = CFSTR("a device");
    EXPECT_STATUS(
        AudioQueueSetProperty(queue, kAudioQueueProperty_CurrentDevice, &device, sizeof device), kAudioQueueErr_InvalidDevice);
    EXPECT_OK(AudioQueueSetProperty(queue, kAudioQueueProperty_MagicCookie, "cookie", 6));
    EXPECT_STATUS(AudioQueueOfflineRender(queue, NULL, buffer, 1), kAudioQueueErr_InvalidOfflineMode);
    buffer->mAudioDataByteSize = 64;
    EXPECT_OK(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
    EXPECT_OK(AudioQueuePrime(queue, 0, &value));
    EXPECT_INTEGER(value, 16);
    EXPECT_OK(AudioQueueDispose(queue, true));
    EXPECT_STATUS(AudioQueueDispose(queue, true), kAudioQueueErr_QueueInvalidated);
    EXPECT_STATUS(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL), kAudioQueueErr_QueueInvalidated);
    EXPECT_OK(AudioQueueDispose(other, false));
    format.mFormatID = 0x7A7A7A7A;
    EXPECT_STATUS(AudioQueueNewOutput(&format, do_nothing, NULL, NULL, NULL, 0, &queue), 0x666D743F);
}
