/* SPDX-License-Identifier: Apache-2.0 */
/* Many threads at once. */
#include "conformance.h"
#include "properties.h"

enum { THREADS = 8 };

static volatile int stop;
static volatile unsigned long calls, received;

static void count_event(void *data, AudioSessionPropertyID id, UInt32 size, const void *value) {
    const struct property *property = property_of(id);
    (void)data;
    /* A CoreFoundation payload is NULL only where there is no CoreFoundation. */
    if (!property || (property->size == 4 && (size != 4 || !value))) failed(__FILE__, __LINE__, "a broken event");
    __atomic_add_fetch(&received, 1, __ATOMIC_RELAXED);
}

static void count_interruption(void *data, UInt32 state) {
    (void)data, (void)state;
    __atomic_add_fetch(&received, 1, __ATOMIC_RELAXED);
}

static void expect_sane(OSStatus status) {
    if (status == kAudioSessionNotInitialized || status == kAudio_ParamError || status == kAudioSessionBadPropertySizeError)
        failed(__FILE__, __LINE__, "a thread got %s", AudioSessionLinuxStatusName(status));
}

static void *call_everything(void *argument) {
    unsigned turn_ = (unsigned)(uintptr_t)argument * 7919u;
    while (!stop) {
        const struct property *property = &properties[++turn_ % PROPERTY_COUNT];
        UInt32 size = property->size, number;
        uint64_t bits = 0;
        /* Numbers only: other tests cover CoreFoundation values. */
        if (property->size == 4 || property->id == kAudioSessionProperty_PreferredHardwareSampleRate ||
            property->id == kAudioSessionProperty_CurrentHardwareSampleRate)
            expect_sane(AudioSessionGetProperty(property->id, &size, &bits));
        expect_sane(AudioSessionGetPropertySize(property->id, &number));
        expect_sane(AudioSessionAddPropertyListener(property->id, count_event, argument));
        expect_sane(set_category(categories[turn_ % CATEGORY_COUNT]));
        expect_sane(set_u32(kAudioSessionProperty_OtherMixableAudioShouldDuck, turn_ & 1));
        expect_sane(set_u32(kAudioSessionProperty_OverrideAudioRoute, turn_ & 2 ? kAudioSessionOverrideAudioRoute_Speaker : 0));
        expect_sane(set_f32(kAudioSessionProperty_InputGainScalar, (Float32)(turn_ % 100) / 100));
        expect_sane(AudioSessionSetActiveWithFlags((Boolean)(turn_ & 4 ? 1 : 0), turn_ & 1));
        expect_sane(AudioSessionLinuxDispatchEvents());
        if (turn_ % 64 == 0) expect_sane(AudioSessionLinuxSimulate(turn_ & 128 ? "interrupt begin" : "interrupt end"));
        if (turn_ % 3 == 0) expect_sane(AudioSessionRemovePropertyListenerWithUserData(property->id, count_event, argument));
        if (turn_ % 101 == 0) expect_sane(AudioSessionRemovePropertyListener(property->id));
        __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
    }
    return argument;
}

/* STORM_PLUGS=10000 for the long test. */
TEST(a_storm, "8 threads call everything while ports are plugged and unplugged") {
    const char *ports[] = {"headphones", "headset", "usb", "hdmi", "bluetooth-hfp", "microphone", "airplay"};
    pthread_t threads[THREADS];
    char command[64];
    EXPECT_OK(AudioSessionInitialize(NULL, NULL, count_interruption, NULL));
    EXPECT(AudioSessionLinuxEventDescriptor() >= 0);
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareOutputNumberChannels, count_event, NULL));
    for (uintptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, call_everything, (void *)i);
    const char *wanted = getenv("STORM_PLUGS");
    const int plugs = wanted ? atoi(wanted) : 1500;
    for (int i = 0; i < plugs; i++) {
        /* On a busy machine this needs a long time. */
        if (i % 1000 == 0) alarm(120);
        snprintf(command, sizeof command, "%s %s", (i / 7) % 2 ? "unplug" : "plug", ports[i % 7]);
        EXPECT_OK(AudioSessionLinuxSimulate(command));
    }
    stop = 1;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    EXPECT(calls > 0 && received > 0);
    /* The session works, and has the present route. */
    (void)AudioSessionLinuxSimulate("interrupt end");
    for (int i = 0; i < 7; i++) {
        snprintf(command, sizeof command, "unplug %s", ports[i]);
        SIMULATE(command);
    }
    SIMULATE("plug microphone");
    EXPECT_OK(set_category(kAudioSessionCategory_SoloAmbientSound));
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_CurrentHardwareOutputNumberChannels), 1);
    EXPECT_OK(AudioSessionSetActive(1));
}

static pthread_barrier_t barrier;
static int winners, losers;

static void *initialize(void *unused) {
    pthread_barrier_wait(&barrier);
    OSStatus status = AudioSessionInitialize(NULL, NULL, NULL, NULL);
    if (status == 0) __atomic_add_fetch(&winners, 1, __ATOMIC_SEQ_CST);
    if (status == kAudioSessionAlreadyInitialized) __atomic_add_fetch(&losers, 1, __ATOMIC_SEQ_CST);
    return unused;
}

TEST(initialize_at_once, "of many threads that initialize at the same time, one gets 0 and the others 'init'") {
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, initialize, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    EXPECT_INTEGER(winners, 1);
    EXPECT_INTEGER(losers, THREADS - 1);
    EXPECT_OK(AudioSessionSetActive(1));
}

static volatile sig_atomic_t signals;

static void note_signal(int number) {
    (void)number;
    signals = signals + 1;
}

TEST(no_signals, "the library's threads receive no signals of the program") {
    sigset_t blocked, none;
    BEGIN_SESSION();
    signal(SIGUSR1, note_signal);
    sigemptyset(&none);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    kill(getpid(), SIGUSR1);
    SIMULATE("volume 0.75");
    DELIVER_ALL_EVENTS();
    /* Still pending: no other thread could receive it. */
    EXPECT_INTEGER(signals, 0);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    EXPECT_INTEGER(signals, 1);
}
