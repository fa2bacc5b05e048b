/* SPDX-License-Identifier: Apache-2.0 */
/* Liberties that programs take with audio queues, and that have to work: each was found in programs for the platform. */
#include "queues.h"

enum { LEVEL = 8192, MOST = 8 };

/* A queue that plays one value, and what its callbacks saw. */
struct player {
    AudioQueueRef queue;
    AudioQueueBufferRef buffers[MOST];
    volatile int callbacks, changes;
    volatile bool refills;
    volatile int faults;
};

static void set_samples(AudioQueueBufferRef buffer) {
    int16_t *samples = (int16_t *)buffer->mAudioData;
    for (UInt32 i = 0; i < buffer->mAudioDataBytesCapacity / 2; i++) samples[i] = LEVEL;
    buffer->mAudioDataByteSize = buffer->mAudioDataBytesCapacity;
}

static void play_on(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    struct player *player = (struct player *)data;
    if (player->refills) {
        set_samples(buffer);
        if (AudioQueueEnqueueBuffer(queue, buffer, 0, NULL) != 0) add_one(&player->faults);
    }
    add_one(&player->callbacks);
}

static void note_change(void *data, AudioQueueRef queue, AudioQueuePropertyID id) {
    (void)queue, (void)id;
    add_one(&((struct player *)data)->changes);
}

static void make_player(struct player *player, AudioStreamBasicDescription format, CFRunLoopRef loop) {
    memset(player, 0, sizeof *player);
    EXPECT_OK(AudioQueueNewOutput(&format, play_on, player, loop, kCFRunLoopCommonModes, 0, &player->queue));
    REQUIRE(player->queue != NULL);
    EXPECT_OK(AudioQueueAddPropertyListener(player->queue, kAudioQueueProperty_IsRunning, note_change, player));
}

/* Buffers of mono samples. */
static void enqueue(struct player *player, int count, UInt32 frames) {
    for (int i = 0; i < count; i++) {
        EXPECT_OK(AudioQueueAllocateBuffer(player->queue, frames * 2, &player->buffers[i]));
        REQUIRE(player->buffers[i] != NULL);
        set_samples(player->buffers[i]);
        EXPECT_OK(AudioQueueEnqueueBuffer(player->queue, player->buffers[i], 0, NULL));
    }
}

static void expect_sounds(size_t wanted) {
    size_t frames, sounds = 0;
    float *samples = played(&frames);
    for (size_t i = 0; i < frames; i++) sounds += samples[2 * i] != 0;
    EXPECT_INTEGER(sounds, wanted);
    free(samples);
}

TEST(size_later, "a buffer that is enqueued before its size is set comes back once, and is played with a size from then on") {
    struct player player;
    make_player(&player, integers(44100, 1), NULL);
    for (int i = 0; i < 3; i++) {
        EXPECT_OK(AudioQueueAllocateBuffer(player.queue, 1024, &player.buffers[i]));
        REQUIRE(player.buffers[i] != NULL);
        EXPECT_INTEGER(player.buffers[i]->mAudioDataByteSize, 0);
        EXPECT_OK(AudioQueueEnqueueBuffer(player.queue, player.buffers[i], 0, NULL));
        player.buffers[i]->mAudioDataByteSize = 1024;
    }
    player.refills = true;
    EXPECT_OK(AudioQueueStart(player.queue, NULL));
    /* Three empty ones, then each many times. */
    WAIT_FOR_COUNT(player.callbacks, 20);
    player.refills = false;
    EXPECT_OK(AudioQueueStop(player.queue, true));
    int callbacks = player.callbacks;
    for (int i = 0; i < 3; i++) EXPECT_OK(AudioQueueFreeBuffer(player.queue, player.buffers[i]));
    EXPECT_OK(AudioQueueDispose(player.queue, true));
    EXPECT_INTEGER(player.callbacks, callbacks);
}

TEST(free_after_stop, "after a stop at once every buffer has come back and can be freed, once") {
    struct player player;
    make_player(&player, integers(44100, 1), NULL);
    enqueue(&player, MOST, 44100);
    EXPECT_OK(AudioQueueStart(player.queue, NULL));
    WAIT_FOR_COUNT(player.changes, 1);
    EXPECT_STATUS(AudioQueueFreeBuffer(player.queue, player.buffers[MOST - 1]), kAudioQueueErr_BufferInQueue);
    EXPECT_OK(AudioQueueStop(player.queue, true));
    EXPECT_INTEGER(player.callbacks, MOST);
    for (int i = 0; i < MOST; i++) EXPECT_OK(AudioQueueFreeBuffer(player.queue, player.buffers[i]));
    EXPECT_STATUS(AudioQueueFreeBuffer(player.queue, player.buffers[0]), kAudioQueueErr_InvalidBuffer);
    EXPECT_OK(AudioQueueDispose(player.queue, true));
    EXPECT_INTEGER(player.callbacks, MOST);
}

/* ---- A program that counts its buffers ---- */

struct ledger {
    AudioQueueRef queue;
    AudioQueueBufferRef buffers[MOST];
    pthread_t stopper;
    volatile int out, refusals, callbacks;
};

static void enqueue_again(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    struct ledger *ledger = (struct ledger *)data;
    __atomic_sub_fetch(&ledger->out, 1, __ATOMIC_SEQ_CST);
    /* Inside of the stop no buffer is accepted. */
    if (!pthread_equal(pthread_self(), ledger->stopper)) {
        __atomic_add_fetch(&ledger->out, 1, __ATOMIC_SEQ_CST);
        if (AudioQueueEnqueueBuffer(queue, buffer, 0, NULL) != 0) add_one(&ledger->refusals);
    }
    add_one(&ledger->callbacks);
}

TEST(stop_in_a_callback, "a stop at once begins after the callback that runs: it refuses no buffer, and all have come back") {
    AudioStreamBasicDescription format = integers(44100, 1);
    struct ledger ledger;
    memset(&ledger, 0, sizeof ledger);
    ledger.stopper = pthread_self();
    EXPECT_OK(AudioQueueNewOutput(&format, enqueue_again, &ledger, NULL, NULL, 0, &ledger.queue));
    for (int i = 0; i < MOST; i++) {
        EXPECT_OK(AudioQueueAllocateBuffer(ledger.queue, 128, &ledger.buffers[i]));
        REQUIRE(ledger.buffers[i] != NULL);
        set_samples(ledger.buffers[i]);
    }
    for (int life = 0; life < 30; life++) {
        int callbacks = count_of(&ledger.callbacks);
        for (int i = 0; i < MOST; i++) {
            add_one(&ledger.out);
            EXPECT_OK(AudioQueueEnqueueBuffer(ledger.queue, ledger.buffers[i], 0, NULL));
        }
        EXPECT_OK(AudioQueueStart(ledger.queue, NULL));
        WAIT_FOR_COUNT(ledger.callbacks, callbacks + life % 5 + 1);
        EXPECT_OK(AudioQueueStop(ledger.queue, true));
        EXPECT_INTEGER(ledger.out, 0);
    }
    EXPECT_INTEGER(ledger.refusals, 0);
    EXPECT_OK(AudioQueueDispose(ledger.queue, true));
}

TEST(stop_free_dispose, "FreeBuffer after a stop that waits is refused while the buffer plays, and Dispose ends it") {
    struct player player;
    make_player(&player, integers(44100, 1), NULL);
    /* Minutes: none of them is played to its end. */
    enqueue(&player, 2, 44100 * 180);
    EXPECT_OK(AudioQueueStart(player.queue, NULL));
    WAIT_FOR_COUNT(player.changes, 1);
    EXPECT_OK(AudioQueueStop(player.queue, false));
    for (int i = 0; i < 2; i++)
        EXPECT_STATUS(AudioQueueFreeBuffer(player.queue, player.buffers[i]), kAudioQueueErr_BufferInQueue);
    EXPECT_OK(AudioQueueDispose(player.queue, true));
    EXPECT_INTEGER(player.callbacks, 0);
    EXPECT_STATUS(AudioQueueFreeBuffer(player.queue, player.buffers[0]), kAudioQueueErr_QueueInvalidated);
}

TEST(start_twice, "a start of a queue that runs is harmless: each frame is played once, and nothing changes") {
    struct player player;
    record_what_is_played();
    make_player(&player, integers(44100, 1), NULL);
    enqueue(&player, 4, 5000);
    EXPECT_OK(AudioQueueStart(player.queue, NULL));
    EXPECT_OK(AudioQueueStart(player.queue, NULL));
    WAIT_FOR_COUNT(player.callbacks, 1);
    EXPECT_OK(AudioQueueStart(player.queue, NULL));
    EXPECT_OK(AudioQueueStop(player.queue, false));
    WAIT_FOR_COUNT(player.changes, 2);
    EXPECT_INTEGER(player.callbacks, 4);
    EXPECT_OK(AudioQueueDispose(player.queue, true));
    EXPECT_INTEGER(player.changes, 2);
    expect_sounds(4 * 5000);
}

TEST(not_packed, "a format whose flags lack Packed is played, where its sizes say that it is packed") {
    struct player player;
    AudioStreamBasicDescription format = integers(44100, 1);
    format.mFormatFlags = kAudioFormatFlagIsSignedInteger;
    record_what_is_played();
    make_player(&player, format, NULL);
    enqueue(&player, 4, 5000);
    EXPECT_OK(AudioQueueStart(player.queue, NULL));
    EXPECT_OK(AudioQueueStop(player.queue, false));
    WAIT_FOR_COUNT(player.changes, 2);
    EXPECT_OK(AudioQueueDispose(player.queue, true));
    expect_sounds(4 * 5000);
}

TEST(no_such_device, "a device that the queue refuses changes nothing: it plays") {
    struct player player;
    CFStringRef device = CFSTR("a device");
    record_what_is_played();
    make_player(&player, integers(44100, 1), NULL);
    EXPECT_STATUS(AudioQueueSetProperty(player.queue, kAudioQueueProperty_CurrentDevice, &device, sizeof device),
        kAudioQueueErr_InvalidDevice);
    enqueue(&player, 4, 5000);
    EXPECT_OK(AudioQueueStart(player.queue, NULL));
    EXPECT_OK(AudioQueueStop(player.queue, false));
    WAIT_FOR_COUNT(player.changes, 2);
    EXPECT_OK(AudioQueueDispose(player.queue, true));
    expect_sounds(4 * 5000);
}

TEST(too_many_channels, "a queue and a converter refuse any number of channels that no packet has") {
    static const UInt32 ids[] = {kAudioFormatDVIIntelIMA, kAudioFormatAppleIMA4, kAudioFormatULaw};
    static const UInt32 counts[] = {9, 0x40000000, 0x80000000, 0xFFFFFFFF};
    for (size_t i = 0; i < sizeof ids / sizeof *ids * 4; i++) {
        AudioStreamBasicDescription format, target = integers(8000, 1);
        AudioQueueRef queue = NULL;
        AudioConverterRef converter = NULL;
        memset(&format, 0, sizeof format);
        format.mSampleRate = 8000;
        format.mFormatID = ids[i / 4];
        format.mChannelsPerFrame = counts[i % 4];
        /* DVI ADPCM states the sizes of its packets. */
        format.mBytesPerPacket = i < 4 ? 256 : 0;
        format.mFramesPerPacket = i < 4 ? 505 : 0;
        EXPECT_STATUS(AudioQueueNewOutput(&format, play_on, NULL, NULL, NULL, 0, &queue), kAudioFormatUnsupportedDataFormatError);
        EXPECT_STATUS(AudioConverterNew(&format, &target, &converter), kAudioConverterErr_FormatNotSupported);
    }
}

/* ---- The main run loop ---- */

static struct player on_main;
static pthread_t main_thread;

static void note_thread(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    (void)data, (void)queue, (void)buffer;
    if (!pthread_equal(pthread_self(), main_thread)) add_one(&on_main.faults);
    add_one(&on_main.callbacks);
}

static void *start_for_the_main_loop(void *nothing) {
    AudioStreamBasicDescription format = integers(44100, 1);
    EXPECT_OK(AudioQueueNewOutput(&format, note_thread, NULL, CFRunLoopGetMain(), kCFRunLoopCommonModes, 0, &on_main.queue));
    REQUIRE(on_main.queue != NULL);
    enqueue(&on_main, 3, 500);
    /* The time goes on behind the short ones. */
    enqueue(&on_main, 1, 44100 * 180);
    EXPECT_OK(AudioQueueStart(on_main.queue, NULL));
    return nothing;
}

TEST(main_loop, "the callbacks of a queue with the main run loop wait until the main thread turns it, and come there") {
    pthread_t thread;
    main_thread = pthread_self();
    REQUIRE(pthread_create(&thread, NULL, start_for_the_main_loop, NULL) == 0);
    pthread_join(thread, NULL);
    wait_for_time(on_main.queue, 4000);
    long long deadline = milliseconds() + TIME_LIMIT_MS;
    EXPECT_INTEGER(count_of(&on_main.callbacks), 0);
    while (count_of(&on_main.callbacks) < 3 && milliseconds() < deadline) CFRunLoopRunInMode(kCFRunLoopDefaultMode, 1, 1);
    EXPECT_INTEGER(on_main.callbacks, 3);
    EXPECT_INTEGER(on_main.faults, 0);
    EXPECT_OK(AudioQueueDispose(on_main.queue, true));
}
