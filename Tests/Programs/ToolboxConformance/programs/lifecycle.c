/* SPDX-License-Identifier: Apache-2.0 */
/* Threads start, stop, initialize, uninitialize and dispose of one unit at the same time. Each call returns, each callback ends
   before the call that ends it returns, and no thread is left. */
#include "toolbox.h"

#include <dirent.h>
#include <pthread.h>

enum { ROUND_MS = 700, MOST_THREADS = 4 };

/* The callbacks read this memory. Its mark changes with the disposal, so that a later callback fails. */
struct sound {
    int mark, calls;
};

enum { ALIVE = 0x50C1A1, DEAD = 0xDEAD };

static struct {
    AudioUnit unit;
    struct sound *sound;
    bool records;
    volatile int is_over;
} program;
/* The program replaces its unit under this lock; the other calls of the program do not take it. */
static pthread_mutex_t replacing = PTHREAD_MUTEX_INITIALIZER;

static OSStatus play(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *data) {
    struct sound *sound = (struct sound *)reference;
    (void)flags, (void)time, (void)bus, (void)frames;
    EXPECT(sound->mark == ALIVE);
    sound->calls++;
    for (UInt32 i = 0; i < data->mNumberBuffers; i++) memset(data->mBuffers[i].mData, 0, data->mBuffers[i].mDataByteSize);
    EXPECT(sound->mark == ALIVE);
    return 0;
}

static void stop_in_listener(
    void *reference, AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element) {
    (void)reference, (void)property, (void)scope, (void)element;
    UInt32 is_running = 0, size = sizeof is_running;
    OSStatus status =
        AudioUnitGetProperty(unit, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, &is_running, &size);
    /* The main thread may have begun to dispose of the unit. */
    EXPECT(status == 0 || status == kAudio_ParamError);
    if (status == 0 && is_running) AudioOutputUnitStop(unit);
}

static void make(void) {
    struct sound *sound = (struct sound *)calloc(1, sizeof *sound);
    AudioUnit unit = make_io();
    REQUIRE(sound != NULL);
    sound->mark = ALIVE;
    if (program.records) UNIT_OK(set_number(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, 1));
    UNIT_OK(set_render_callback(unit, play, sound));
    UNIT_OK(AudioUnitInitialize(unit));
    program.sound = sound;
    __atomic_store_n(&program.unit, unit, __ATOMIC_SEQ_CST);
}

static void dispose(void) {
    struct sound *sound = program.sound;
    UNIT_OK(AudioComponentInstanceDispose(program.unit));
    sound->mark = DEAD;
    free(sound);
}

static void expect_one_of(const char *call, OSStatus status, OSStatus first, OSStatus second) {
    if (status == 0 || status == first || status == second) return;
    failed(__FILE__, __LINE__, "%s gives %d", call, (int)status);
}

static void act(char call) {
    AudioUnit unit = __atomic_load_n(&program.unit, __ATOMIC_SEQ_CST);
    switch (call) {
    case 's':
        expect_one_of("AudioOutputUnitStart", AudioOutputUnitStart(unit), kAudioUnitErr_Uninitialized, kAudio_ParamError);
        break;
    case 't': expect_one_of("AudioOutputUnitStop", AudioOutputUnitStop(unit), kAudio_ParamError, 0); break;
    case 'i': expect_one_of("AudioUnitInitialize", AudioUnitInitialize(unit), kAudio_ParamError, 0); break;
    case 'u': expect_one_of("AudioUnitUninitialize", AudioUnitUninitialize(unit), kAudio_ParamError, 0); break;
    default:
        pthread_mutex_lock(&replacing);
        dispose();
        make();
        pthread_mutex_unlock(&replacing);
    }
}

/* One thread of a round: it makes the calls of its letters in a random order. */
static void *run(void *argument) {
    const char *calls = (const char *)argument;
    size_t count = strlen(calls);
    uint32_t number = (uint32_t)(uintptr_t)calls;
    while (!program.is_over) {
        number = number * 1664525 + 1013904223;
        act(calls[(number >> 9) % count]);
    }
    return NULL;
}

static int thread_count(void) {
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    REQUIRE(tasks != NULL);
    while (readdir(tasks)) count++;
    closedir(tasks);
    return count - 2;
}

static void race(const char *const calls[], bool records) {
    pthread_t threads[MOST_THREADS];
    int count = 0;
    struct timespec time = {ROUND_MS / 1000, ROUND_MS % 1000 * 1000000L};
    program.records = records;
    program.is_over = 0;
    make();
    for (; calls[count]; count++) REQUIRE(pthread_create(&threads[count], NULL, run, (void *)(uintptr_t)calls[count]) == 0);
    nanosleep(&time, NULL);
    program.is_over = 1;
    while (count-- > 0) pthread_join(threads[count], NULL);
    dispose();
}

/* The threads of units end before a unit is gone, or soon afterwards if the unit was disposed of in a callback. */
static void expect_threads(int count) {
    struct timespec pause = {0, 1000000};
    for (long long deadline = milliseconds() + TIME_LIMIT_MS; thread_count() > count && milliseconds() < deadline;)
        nanosleep(&pause, NULL);
    EXPECT_INTEGER(thread_count(), count);
}

static void begin(void) {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(AudioSessionSetActive(true));
    /* The threads of the session exist from the first unit on. */
    make();
    UNIT_OK(AudioOutputUnitStart(program.unit));
    dispose();
}

TEST(uninitialize, "each of three threads starts, initializes and uninitializes a unit") {
    static const char *const calls[] = {"siu", "siu", "siu", NULL};
    begin();
    int before = thread_count();
    race(calls, false);
    race(calls, true);
    expect_threads(before);
}

TEST(start, "a thread starts a unit that another thread uninitializes") {
    static const char *const calls[] = {"si", "u", NULL};
    begin();
    int before = thread_count();
    race(calls, false);
    expect_threads(before);
}

TEST(disposal, "a thread starts a unit that another thread disposes of") {
    static const char *const calls[] = {"s", "d", NULL};
    begin();
    int before = thread_count();
    race(calls, false);
    expect_threads(before);
}

TEST(all, "four threads make every call that changes the life of a unit") {
    static const char *const calls[] = {"sitt", "ud", "st", "siu", NULL};
    begin();
    int before = thread_count();
    race(calls, true);
    expect_threads(before);
}

TEST(listener, "the thread of the listeners stops a unit that the main thread disposes of") {
    begin();
    for (int i = 0; i < 200; i++) {
        make();
        UNIT_OK(AudioUnitAddPropertyListener(program.unit, kAudioOutputUnitProperty_IsRunning, stop_in_listener, NULL));
        UNIT_OK(AudioOutputUnitStart(program.unit));
        dispose();
    }
}
