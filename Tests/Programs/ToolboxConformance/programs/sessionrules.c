/* SPDX-License-Identifier: Apache-2.0 */
/* Units and queues follow the session of the program: activation, refusals, slices, the end of sound, and fork. */
#include "toolbox.h"

/* ---- a unit and a queue that play ---- */

static volatile int renders, callbacks, changes;
static volatile UInt32 last_running;
static volatile OSStatus deactivation;
static volatile bool deactivates;

static void add_one(volatile int *count) { __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST); }

static OSStatus render(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *data) {
    (void)reference, (void)flags, (void)time, (void)bus, (void)frames, (void)data;
    add_one(&renders);
    return 0;
}

static AudioUnit make_player(void) {
    AudioUnit unit = make_io();
    UNIT_OK(set_render_callback(unit, render, NULL));
    UNIT_OK(AudioUnitInitialize(unit));
    return unit;
}

static void call_again(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    (void)data;
    /* The queue refuses it at its end. */
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
    add_one(&callbacks);
}

static void take_buffer(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    (void)data, (void)queue, (void)buffer;
    add_one(&callbacks);
}

static void record_again(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer, const AudioTimeStamp *start, UInt32 packets,
    const AudioStreamPacketDescription *descriptions) {
    (void)data, (void)start, (void)packets, (void)descriptions;
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
    add_one(&callbacks);
}

static UInt32 is_running(AudioQueueRef queue) {
    UInt32 value = 99, size = sizeof value;
    EXPECT_OK(AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &value, &size));
    return value;
}

static void read_running(void *data, AudioQueueRef queue, AudioQueuePropertyID id) {
    (void)data, (void)id;
    last_running = is_running(queue);
    if (!last_running && deactivates) deactivation = AudioSessionSetActive(false);
    add_one(&changes);
}

static void enqueue(AudioQueueRef queue, int count) {
    for (int i = 0; i < count; i++) {
        AudioQueueBufferRef buffer;
        EXPECT_OK(AudioQueueAllocateBuffer(queue, 2048, &buffer));
        memset(buffer->mAudioData, 0, 2048);
        buffer->mAudioDataByteSize = 2048;
        EXPECT_OK(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
    }
}

static AudioQueueRef make_queue(AudioQueueOutputCallback procedure, int buffers) {
    AudioStreamBasicDescription format = int16_format(44100, 1);
    AudioQueueRef queue = NULL;
    EXPECT_OK(AudioQueueNewOutput(&format, procedure, NULL, NULL, NULL, 0, &queue));
    REQUIRE(queue != NULL);
    EXPECT_OK(AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, read_running, NULL));
    enqueue(queue, buffers);
    return queue;
}

static AudioQueueRef make_recorder(double rate) {
    AudioStreamBasicDescription format = int16_format(rate, 1);
    AudioQueueRef queue = NULL;
    EXPECT_OK(AudioQueueNewInput(&format, record_again, NULL, NULL, NULL, 0, &queue));
    REQUIRE(queue != NULL);
    enqueue(queue, 4);
    return queue;
}

/* ---- the end of sound ---- */

TEST(at_rest, "the session of a queue or unit that has stopped is deactivated without an error") {
    BEGIN_SESSION();
    AudioQueueRef queue = make_queue(call_again, 4);
    for (int round = 0; round < 5; round++) {
        EXPECT_OK(AudioSessionSetActive(true));
        EXPECT_OK(AudioQueueStart(queue, NULL));
        WAIT_FOR(changes, 2 * round + 1);
        EXPECT_OK(AudioQueueStop(queue, true));
        EXPECT_OK(AudioSessionSetActive(false));
        WAIT_FOR(changes, 2 * round + 2);
        enqueue(queue, 4);
    }
    EXPECT_OK(AudioQueueDispose(queue, true));
    AudioUnit unit = make_player();
    UNIT_OK(AudioOutputUnitStart(unit));
    WAIT_FOR(renders, 1);
    EXPECT_STATUS(AudioSessionSetActive(false), kAudioSessionNotActiveError);
    EXPECT_OK(AudioSessionSetActive(true));
    EXPECT_OK(AudioSessionSetActive(false));
    UNIT_OK(AudioOutputUnitStart(unit));
    UNIT_OK(AudioOutputUnitStop(unit));
    EXPECT_OK(AudioSessionSetActive(false));
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

TEST(at_the_end, "the listener of IsRunning reads the new value, and may deactivate the session at the end of the sound") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionSetActive(true));
    AudioQueueRef queue = make_queue(take_buffer, 4);
    deactivates = true;
    deactivation = 1;
    EXPECT_OK(AudioQueueStart(queue, NULL));
    WAIT_FOR(changes, 1);
    EXPECT_INTEGER(last_running, 1);
    EXPECT_OK(AudioQueueStop(queue, false));
    WAIT_FOR(changes, 2);
    EXPECT_INTEGER(last_running, 0);
    EXPECT_STATUS(deactivation, 0);
    EXPECT_INTEGER(callbacks, 4);
    EXPECT_OK(AudioQueueDispose(queue, true));
}

static volatile int unit_changes, fences;
static volatile UInt32 unit_running;

static void read_unit(void *data, AudioUnit unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element) {
    (void)data, (void)scope, (void)element;
    if (id != kAudioOutputUnitProperty_IsRunning) return add_one(&fences);
    unit_running = get_number(unit, id, 0, 0);
    add_one(&unit_changes);
}

TEST(unit_listener, "the listener of a unit's IsRunning reads the new value, and is called for changes only") {
    AudioUnit unit = make_player();
    UNIT_OK(AudioUnitAddPropertyListener(unit, kAudioOutputUnitProperty_IsRunning, read_unit, NULL));
    UNIT_OK(AudioUnitAddPropertyListener(unit, kAudioUnitProperty_ShouldAllocateBuffer, read_unit, NULL));
    UNIT_OK(AudioOutputUnitStart(unit));
    WAIT_FOR(unit_changes, 1);
    EXPECT_INTEGER(unit_running, 1);
    UNIT_OK(AudioOutputUnitStart(unit));
    /* Calls come in their order: the one for this property is the last. */
    UNIT_OK(set_number(unit, kAudioUnitProperty_ShouldAllocateBuffer, 0, 0, 1));
    WAIT_FOR(fences, 1);
    EXPECT_INTEGER(unit_changes, 1);
    UNIT_OK(AudioOutputUnitStop(unit));
    UNIT_OK(AudioOutputUnitStop(unit));
    UNIT_OK(set_number(unit, kAudioUnitProperty_ShouldAllocateBuffer, 0, 0, 1));
    WAIT_FOR(fences, 2);
    EXPECT_INTEGER(unit_changes, 2);
    EXPECT_INTEGER(unit_running, 0);
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

TEST(after_interruption, "after an interruption has stopped units and queues the session is deactivated without an error") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    AudioQueueRef queue = make_queue(call_again, 4);
    AudioUnit unit = make_player();
    EXPECT_OK(AudioQueueStart(queue, NULL));
    UNIT_OK(AudioOutputUnitStart(unit));
    WAIT_FOR(changes, 1);
    SIMULATE("interrupt begin");
    EXPECT_OK(AudioSessionSetActive(false));
    WAIT_FOR(changes, 2);
    SIMULATE("interrupt end");
    EXPECT_OK(AudioSessionSetActive(true));
    EXPECT_OK(AudioSessionSetActive(false));
    EXPECT_OK(AudioQueueDispose(queue, true));
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

TEST(stop_before_start, "a stop that waits, before the start, keeps the buffers: the start plays them, and the queue stops") {
    AudioQueueRef queue = make_queue(take_buffer, 4);
    EXPECT_OK(AudioQueueStop(queue, false));
    EXPECT_INTEGER(is_running(queue), 0);
    EXPECT_OK(AudioQueueStart(queue, NULL));
    WAIT_FOR(changes, 2);
    EXPECT_INTEGER(callbacks, 4);
    EXPECT_INTEGER(is_running(queue), 0);
    /* A stop at once returns them, in the next life as well. */
    enqueue(queue, 2);
    EXPECT_OK(AudioQueueStop(queue, true));
    EXPECT_INTEGER(callbacks, 6);
    enqueue(queue, 2);
    EXPECT_OK(AudioQueueStop(queue, false));
    EXPECT_OK(AudioQueueStart(queue, NULL));
    WAIT_FOR(changes, 4);
    EXPECT_INTEGER(callbacks, 8);
    EXPECT_OK(AudioQueueDispose(queue, true));
}

/* ---- activation ---- */

TEST(category_later, "units and queues that were made before the category record once it allows that") {
    UInt32 on = 1;
    BEGIN_SESSION();
    AudioUnit unit = make_io();
    UNIT_OK(set_number(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, on));
    UNIT_OK(set_callback(unit, kAudioOutputUnitProperty_SetInputCallback, 0, 0, render, NULL));
    UNIT_OK(AudioUnitInitialize(unit));
    /* 0 is the rate of the hardware, also where the category has no input. */
    AudioQueueRef queue = make_recorder(0);
    EXPECT_STATUS(AudioOutputUnitStart(unit), kAudioSessionIncompatibleCategory);
    EXPECT_STATUS(AudioQueueStart(queue, NULL), kAudioSessionIncompatibleCategory);
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    UNIT_OK(AudioOutputUnitStart(unit));
    EXPECT_OK(AudioQueueStart(queue, NULL));
    WAIT_FOR(renders, 3);
    WAIT_FOR(callbacks, 3);
    UNIT_OK(AudioComponentInstanceDispose(unit));
    EXPECT_OK(AudioQueueDispose(queue, true));
}

/* The result of both starts. */
static void expect_starts(AudioUnit unit, AudioQueueRef queue, OSStatus expected) {
    EXPECT_STATUS(AudioOutputUnitStart(unit), expected);
    EXPECT_STATUS(AudioQueueStart(queue, NULL), expected);
}

TEST(refusals, "a refused activation gives units and queues the result code of the session") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    AudioUnit unit = make_player();
    AudioQueueRef queue = make_queue(call_again, 4);
    SIMULATE("interrupt begin");
    expect_starts(unit, queue, kAudioSessionNotActiveError);
    SIMULATE("interrupt end");
    SIMULATE("server die");
    expect_starts(unit, queue, kAudioSessionUnspecifiedError);
    SIMULATE("server restart");
    EXPECT_OK(set_category(kAudioSessionCategory_RecordAudio));
    expect_starts(unit, queue, kAudioSessionIncompatibleCategory);
    AudioQueueRef recorder = make_recorder(44100);
    SIMULATE("unplug microphone");
    EXPECT_STATUS(AudioQueueStart(recorder, NULL), kAudioServicesNoHardwareError);
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    expect_starts(unit, queue, 0);
    /* The listener reads the queue, which ends below. */
    WAIT_FOR(changes, 1);
    UNIT_OK(AudioComponentInstanceDispose(unit));
    EXPECT_OK(AudioQueueDispose(queue, true));
    EXPECT_OK(AudioQueueDispose(recorder, true));
}

/* ---- slices ---- */

static double slice(void) { return get_f32(kAudioSessionProperty_CurrentHardwareIOBufferDuration); }

TEST(slices, "'chbd' is the slice of the first unit, else that of the queues, while there is one") {
    BEGIN_SESSION();
    double period = slice();
    AudioUnit unit = make_io();
    UNIT_OK(set_format(unit, kAudioUnitScope_Input, 0, int16_format(22050, 2)));
    EXPECT(fabs(slice() - 1024.0 / 44100) < 1e-6);
    UNIT_OK(AudioUnitInitialize(unit));
    EXPECT(fabs(slice() - 1024.0 / 22050) < 1e-6);
    EXPECT_OK(set_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration, 512.0f / 22050));
    UNIT_OK(AudioOutputUnitStart(unit));
    EXPECT(fabs(slice() - 512.0 / 22050) < 1e-6);
    /* The slices of the unit are as before until its next start. */
    EXPECT_OK(set_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration, 256.0f / 44100));
    AudioQueueRef queue = make_queue(call_again, 4);
    EXPECT_OK(AudioQueueStart(queue, NULL));
    EXPECT_OK(set_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration, 128.0f / 44100));
    EXPECT(fabs(slice() - 512.0 / 22050) < 1e-6);
    UNIT_OK(AudioComponentInstanceDispose(unit));
    EXPECT(fabs(slice() - 256.0 / 44100) < 1e-6);
    /* The listener reads the queue, which ends below. */
    WAIT_FOR(changes, 1);
    EXPECT_OK(AudioQueueDispose(queue, true));
    EXPECT_OK(set_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration, 0));
    EXPECT_NUMBER(slice(), period);
}

/* ---- voice ---- */

/* A process with a voice unit. It obeys one letter at a time, and answers with the same. */
struct telephone {
    pid_t process;
    int orders, answers;
};

static void obey(char order) {
    static AudioUnit voice;
    switch (order) {
    case 'n':
        BEGIN_SESSION();
        EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
        /* fall through */
    case 'v':
        voice = make_unit(kAudioUnitType_Output, kAudioUnitSubType_VoiceProcessingIO);
        UNIT_OK(set_render_callback(voice, render, NULL));
        UNIT_OK(AudioUnitInitialize(voice));
        break;
    case 's': UNIT_OK(AudioOutputUnitStart(voice)); break;
    case 'x': UNIT_OK(AudioOutputUnitStop(voice)); break;
    case '0':
    case '1': UNIT_OK(set_number(voice, kAUVoiceIOProperty_DuckNonVoiceAudio, 0, 0, (UInt32)(order - '0'))); break;
    case 'd': UNIT_OK(AudioComponentInstanceDispose(voice)); break;
    }
}

static struct telephone begin_telephone(void) {
    struct telephone telephone;
    int orders[2], answers[2];
    REQUIRE(pipe(orders) == 0 && pipe(answers) == 0);
    telephone.process = fork();
    if (telephone.process == 0) {
        char order;
        close(orders[1]);
        while (read(orders[0], &order, 1) == 1) {
            obey(order);
            if (failures || write(answers[1], &order, 1) != 1) break;
        }
        _exit(failures ? 1 : 0);
    }
    close(orders[0]), close(answers[1]);
    telephone.orders = orders[1], telephone.answers = answers[0];
    return telephone;
}

static void order(struct telephone *telephone, const char *orders) {
    for (; *orders; orders++) {
        char answer = 0;
        REQUIRE(write(telephone->orders, orders, 1) == 1 && read(telephone->answers, &answer, 1) == 1 && answer == *orders);
    }
}

/* Whether audiosessionctl shows a session whose sound is ducked. */
static bool is_ducked(void) {
    static char text[65536];
    FILE *pipe = popen("audiosessionctl status --json", "r");
    REQUIRE(pipe != NULL);
    size_t length = fread(text, 1, sizeof text - 1, pipe);
    text[length] = 0;
    EXPECT_INTEGER(pclose(pipe), 0);
    return strstr(text, "\"gain\":0.2") != NULL || strstr(text, "\"gain\": 0.2") != NULL;
}

TEST(ducking, "a voice unit ducks other sessions while it runs: not after a stop, a dispose, an interruption or its death") {
    const struct timespec moment = {0, 10000000};
    struct telephone telephone = begin_telephone();
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_AmbientSound));
    AudioUnit unit = make_player();
    UNIT_OK(AudioOutputUnitStart(unit));
    order(&telephone, "n");
    EXPECT(!is_ducked());
    order(&telephone, "s");
    EXPECT(is_ducked());
    order(&telephone, "0");
    EXPECT(!is_ducked());
    order(&telephone, "1");
    EXPECT(is_ducked());
    order(&telephone, "x");
    EXPECT(!is_ducked());
    order(&telephone, "s");
    EXPECT(is_ducked());
    SIMULATE("interrupt begin");
    SIMULATE("interrupt end");
    WAIT_UNTIL(events_of(0) == 2);
    UNIT_OK(AudioOutputUnitStart(unit));
    EXPECT(!is_ducked());
    order(&telephone, "s");
    EXPECT(is_ducked());
    order(&telephone, "d");
    EXPECT(!is_ducked());
    order(&telephone, "vs");
    EXPECT(is_ducked());
    EXPECT_INTEGER(kill(telephone.process, SIGKILL), 0);
    waitpid(telephone.process, NULL, 0);
    for (long long deadline = milliseconds() + TIME_LIMIT_MS; is_ducked(); nanosleep(&moment, NULL))
        REQUIRE(milliseconds() < deadline);
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

/* ---- fork ---- */

static AudioUnit inherited_unit;
static AudioQueueRef inherited_queue;

static void use_what_is_the_parents(void) {
    EXPECT_STATUS(AudioOutputUnitStop(inherited_unit), kAudio_ParamError);
    EXPECT_STATUS(AudioComponentInstanceDispose(inherited_unit), kAudio_ParamError);
    EXPECT_STATUS(AudioQueueStop(inherited_queue, true), kAudio_ParamError);
    EXPECT_STATUS(AudioQueueDispose(inherited_queue, true), kAudio_ParamError);
    /* The child has units and queues of its own. Its session mixes: it does not interrupt that of the parent. */
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_AmbientSound));
    renders = callbacks = changes = 0;
    AudioUnit unit = make_player();
    AudioQueueRef queue = make_queue(call_again, 4);
    UNIT_OK(AudioOutputUnitStart(unit));
    EXPECT_OK(AudioQueueStart(queue, NULL));
    WAIT_FOR(renders, 2);
    WAIT_FOR(changes, 1);
    UNIT_OK(AudioComponentInstanceDispose(unit));
    EXPECT_OK(AudioQueueDispose(queue, true));
}

TEST(fork_child, "a child of fork has units and queues of its own, and leaves the sound of its parent alone") {
    int status = -1;
    inherited_unit = make_player();
    inherited_queue = make_queue(call_again, 4);
    UNIT_OK(AudioOutputUnitStart(inherited_unit));
    EXPECT_OK(AudioQueueStart(inherited_queue, NULL));
    WAIT_FOR(changes, 1);
    pid_t child = fork();
    if (child == 0) {
        failures = 0;
        alarm(60);
        use_what_is_the_parents();
        _exit(failures ? 1 : 0);
    }
    waitpid(child, &status, 0);
    EXPECT_INTEGER(status, 0);
    EXPECT_INTEGER(get_number(inherited_unit, kAudioOutputUnitProperty_IsRunning, 0, 0), 1);
    EXPECT_INTEGER(is_running(inherited_queue), 1);
    int before = renders;
    WAIT_FOR(renders, before + 3);
    before = callbacks;
    WAIT_FOR(callbacks, before + 3);
    UNIT_OK(AudioComponentInstanceDispose(inherited_unit));
    EXPECT_OK(AudioQueueDispose(inherited_queue, true));
}
