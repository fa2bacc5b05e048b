/* SPDX-License-Identifier: Apache-2.0 */
/* The audio threads of units and queues: between commands they wait, move frames and call the program, and do nothing else. The
   kernel ends the test on any other system call of these threads. */
#include "toolbox.h"

#include "../../Plugin/watched.h"

enum { WATCHED_SLICES = 300 };

static volatile int slices;

/* A first slice has brought pages of the stack and of the libraries. */
static void watch_from_the_second(void) {
    if (slices == 1) {
        forbid_system_calls(FUTEX_WAIT_BITSET_PRIVATE, FUTEX_WAIT_BITSET_PRIVATE);
        is_watched = true;
    }
    __atomic_add_fetch(&slices, 1, __ATOMIC_SEQ_CST);
}

/* The stop of a stream is a command: the process ends while the stream runs. */
static void expect_nothing_but_waits(void) {
    EXPECT_INTEGER(locks, 0);
    if (WATCHES_MEMORY) EXPECT_INTEGER(allocations, 0);
    fflush(NULL);
    _exit(failures ? 1 : 0);
}

/* Plays what the unit records, at another rate than the hardware's, and asks for what audio threads ask. */
static OSStatus play_input(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *data) {
    AudioUnit unit = *(AudioUnit *)reference;
    Float32 volume;
    (void)bus;
    if (AudioUnitRender(unit, flags, time, 1, frames, data) != 0) failed(__FILE__, __LINE__, "no input");
    if (AudioUnitGetParameter(unit, kHALOutputParam_Volume, kAudioUnitScope_Output, 0, &volume) != 0)
        failed(__FILE__, __LINE__, "no volume");
    watch_from_the_second();
    return 0;
}

static void run_watched(UInt32 subtype) {
    static AudioUnit unit;
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(set_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration, 0.004f));
    unit = make_unit(kAudioUnitType_Output, subtype);
    UNIT_OK(set_number(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, 1));
    UNIT_OK(set_format(unit, kAudioUnitScope_Input, 0, int16_format(16000, 1)));
    UNIT_OK(set_format(unit, kAudioUnitScope_Output, 1, int16_format(16000, 1)));
    UNIT_OK(set_render_callback(unit, play_input, &unit));
    UNIT_OK(AudioUnitInitialize(unit));
    UNIT_OK(AudioOutputUnitStart(unit));
    WAIT_FOR(slices, WATCHED_SLICES);
    expect_nothing_but_waits();
}

TEST(unit, "the thread of a unit takes no lock, allocates nothing, and makes no system call but the wait") {
    run_watched(kAudioUnitSubType_RemoteIO);
}

TEST(voice, "the thread of a voice unit takes no lock, allocates nothing, and makes no system call but the wait") {
    run_watched(kAudioUnitSubType_VoiceProcessingIO);
}

/* ---- queues ---- */

/* The thread of the queues runs no code of the program. It reads the clock around each cycle: the program watches it from
   there. It may wake the thread that hands buffers back. */
enum { READINGS_AT_THE_START = 40, WATCHED_READINGS = 600 };

static volatile bool watches_queues;
static volatile int readings;

int clock_gettime(clockid_t clock, struct timespec *time) __attribute__((visibility("default")));
int clock_gettime(clockid_t clock, struct timespec *time) {
    static __typeof__(&clock_gettime) real;
    static __thread int of_this_thread;
    char name[16] = "";
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    if (!watches_queues || is_watched) {
        if (is_watched) __atomic_add_fetch(&readings, 1, __ATOMIC_SEQ_CST);
        return real(clock, time);
    }
    pthread_getname_np(pthread_self(), name, sizeof name);
    if (strcmp(name, "audiosession-io") == 0 && ++of_this_thread == READINGS_AT_THE_START) {
        forbid_system_calls(FUTEX_WAIT_BITSET_PRIVATE, FUTEX_WAKE_PRIVATE);
        is_watched = true;
    }
    return real(clock, time);
}

static void enqueue_again(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    (void)data;
    EXPECT_OK(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
}

static void record_again(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer, const AudioTimeStamp *start, UInt32 packets,
    const AudioStreamPacketDescription *descriptions) {
    (void)start, (void)packets, (void)descriptions;
    enqueue_again(data, queue, buffer);
}

static void start_queue(AudioQueueRef queue) {
    REQUIRE(queue != NULL);
    for (int i = 0; i < 8; i++) {
        AudioQueueBufferRef buffer = NULL;
        EXPECT_OK(AudioQueueAllocateBuffer(queue, 4000, &buffer));
        REQUIRE(buffer != NULL);
        memset(buffer->mAudioData, 1, 4000);
        buffer->mAudioDataByteSize = 4000;
        EXPECT_OK(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
    }
    EXPECT_OK(AudioQueueStart(queue, NULL));
}

static void begin_queues(void) {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(set_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration, 0.004f));
    watches_queues = true;
}

TEST(playing_queues,
    "the thread of queues that play takes no lock, allocates nothing, and makes no system call but waits and wakes") {
    AudioStreamBasicDescription one = int16_format(22050, 2), other = int16_format(44100, 1);
    AudioQueueRef queues[2] = {NULL, NULL};
    begin_queues();
    EXPECT_OK(AudioQueueNewOutput(&one, enqueue_again, NULL, NULL, NULL, 0, &queues[0]));
    EXPECT_OK(AudioQueueNewOutput(&other, enqueue_again, NULL, NULL, NULL, 0, &queues[1]));
    for (int i = 0; i < 2; i++) start_queue(queues[i]);
    WAIT_FOR(readings, WATCHED_READINGS);
    expect_nothing_but_waits();
}

TEST(recording_queue, "the thread of a queue that records takes no lock, allocates nothing, and makes no system call but these") {
    AudioStreamBasicDescription format = int16_format(16000, 1);
    AudioQueueRef queue = NULL;
    begin_queues();
    EXPECT_OK(AudioQueueNewInput(&format, record_again, NULL, NULL, NULL, 0, &queue));
    start_queue(queue);
    WAIT_FOR(readings, WATCHED_READINGS);
    expect_nothing_but_waits();
}
