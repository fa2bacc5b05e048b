/* SPDX-License-Identifier: Apache-2.0 */
/* Listeners on run loops: the main one, a given one, in a given mode, on another thread. */
#include "corefoundation.h"

#define VOLUME kAudioSessionProperty_CurrentHardwareOutputVolume

TEST(main_run_loop, "NULL, NULL: listeners are called on the main run loop in its default mode") {
    BEGIN_ON_RUN_LOOP();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, NULL));
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("volume 0.75");
    SIMULATE("interrupt begin");
    EXPECT_INTEGER(event_count, 0);
    WAIT_UNTIL(event_count == 2);
    EXPECT_INTEGER(events[0].id, VOLUME);
    EXPECT_INTEGER(events[1].whole, kAudioSessionBeginInterruption);
}

TEST(a_run_loop_that_stands, "events for a run loop that does not run: the log says so") {
    begin_log_for_waiting();
    BEGIN_ON_RUN_LOOP();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, NULL));
    SIMULATE("volume 0.75");
    EXPECT(strstr(wait_for_log("events are pending"), "the main thread does not run its CFRunLoop") != NULL);
    EXPECT_INTEGER(event_count, 0);
    WAIT_UNTIL(event_count == 1);
}

static CFRunLoopRef loop_of_listener;
static pthread_t thread_of_listener;
static char mode_of_listener[TEXT];

static void note_loop(void *data, AudioSessionPropertyID id, UInt32 size, const void *value) {
    CFStringRef mode = CFRunLoopCopyCurrentMode(CFRunLoopGetCurrent());
    loop_of_listener = CFRunLoopGetCurrent();
    thread_of_listener = pthread_self();
    text_of(mode, mode_of_listener);
    if (mode) CFRelease(mode);
    record_event(data, id, size, value);
}

TEST(the_main_thread, "the default run loop is that of the main thread, whichever thread causes the event") {
    BEGIN_ON_RUN_LOOP();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, note_loop, NULL));
    SIMULATE("volume 0.75");
    WAIT_UNTIL(event_count == 1);
    EXPECT(pthread_equal(thread_of_listener, pthread_self()));
    EXPECT(loop_of_listener == CFRunLoopGetMain());
}

TEST(a_given_mode, "with a given mode listeners are called in this mode only") {
    CFStringRef mode = CFSTR("private mode");
    EXPECT_OK(AudioSessionInitialize(CFRunLoopGetMain(), mode, record_interruption, NULL));
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, note_loop, NULL));
    SIMULATE("volume 0.75");
    CFRunLoopRunResult other = CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, 1);
    EXPECT(other == kCFRunLoopRunFinished || other == kCFRunLoopRunTimedOut);
    EXPECT_INTEGER(event_count, 0);
    EXPECT_INTEGER(CFRunLoopRunInMode(mode, TIME_LIMIT_MS / 1000, 1), kCFRunLoopRunHandledSource);
    EXPECT_INTEGER(event_count, 1);
    EXPECT_TEXT(mode_of_listener, "private mode");
    /* The interruption listener too. */
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("interrupt begin");
    (void)CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, 1);
    EXPECT_INTEGER(event_count, 1);
    EXPECT_INTEGER(CFRunLoopRunInMode(mode, TIME_LIMIT_MS / 1000, 1), kCFRunLoopRunHandledSource);
    EXPECT_INTEGER(event_count, 2);
    EXPECT_INTEGER(events[1].whole, kAudioSessionBeginInterruption);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static CFRunLoopRef other_loop;
static int received;

static void count_told(void *data, AudioSessionPropertyID id, UInt32 size, const void *value) {
    note_loop(data, id, size, value);
    pthread_mutex_lock(&mutex);
    received++;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    if (received == 2) CFRunLoopStop(CFRunLoopGetCurrent());
}

static void nothing(void *info) { (void)info; }

static void *run_a_loop(void *unused) {
    CFRunLoopSourceContext context;
    memset(&context, 0, sizeof context);
    context.perform = nothing;
    CFRunLoopSourceRef source = CFRunLoopSourceCreate(NULL, 0, &context);
    CFRunLoopAddSource(CFRunLoopGetCurrent(), source, kCFRunLoopDefaultMode);
    pthread_mutex_lock(&mutex);
    other_loop = CFRunLoopGetCurrent();
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    CFRunLoopRun();
    CFRelease(source);
    return unused;
}

TEST(a_secondary_thread, "the run loop of another thread: listeners are called there") {
    pthread_t thread;
    pthread_create(&thread, NULL, run_a_loop, NULL);
    pthread_mutex_lock(&mutex);
    while (!other_loop) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    EXPECT_OK(AudioSessionInitialize(other_loop, NULL, record_interruption, NULL));
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, count_told, NULL));
    for (int i = 1; i <= 2; i++) {
        SIMULATE(i == 1 ? "volume 0.75" : "volume 0.25");
        pthread_mutex_lock(&mutex);
        while (received < i) pthread_cond_wait(&condition, &mutex);
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, NULL);
    EXPECT(pthread_equal(thread_of_listener, thread));
}

static void *initialize_elsewhere(void *unused) {
    EXPECT_OK(AudioSessionInitialize(NULL, NULL, record_interruption, NULL));
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, note_loop, NULL));
    SIMULATE("volume 0.75");
    return unused;
}

static void note_interruption(void *data, UInt32 state) { count_told(data, 0, sizeof state, &state); }

TEST(interrupted_there, "and so is the interruption listener") {
    pthread_t thread;
    pthread_create(&thread, NULL, run_a_loop, NULL);
    pthread_mutex_lock(&mutex);
    while (!other_loop) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    EXPECT_OK(AudioSessionInitialize(other_loop, NULL, note_interruption, NULL));
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("interrupt begin");
    SIMULATE("interrupt end");
    pthread_join(thread, NULL);
    EXPECT_INTEGER(received, 2);
    EXPECT(pthread_equal(thread_of_listener, thread));
}

TEST(initialized_elsewhere, "NULL means the main run loop, also when another thread initializes") {
    pthread_t thread;
    pthread_create(&thread, NULL, initialize_elsewhere, NULL);
    pthread_join(thread, NULL);
    turn = turn_of_run_loop;
    WAIT_UNTIL(event_count == 1);
    EXPECT(pthread_equal(thread_of_listener, pthread_self()));
}

static void run_nested(void *data, AudioSessionPropertyID id, UInt32 size, const void *value) {
    static int depth;
    record_event(data, id, size, value);
    if (depth++ > 0) return;
    SIMULATE("volume 0.25");
    /* A source is not called inside itself: the change is delivered after this listener has returned. */
    (void)CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, 1);
}

TEST(a_nested_run, "a listener may run the run loop itself; nothing is lost and nothing deadlocks") {
    BEGIN_ON_RUN_LOOP();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, run_nested, NULL));
    SIMULATE("volume 0.75");
    WAIT_UNTIL(event_count == 2);
    EXPECT_NUMBER(events[0].number, 0.75);
    EXPECT_NUMBER(events[1].number, 0.25);
}

TEST(moving_to_the_descriptor, "taking the descriptor moves delivery from the run loop to the next call, for good") {
    BEGIN_ON_RUN_LOOP();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, NULL));
    SIMULATE("volume 0.75");
    EXPECT(AudioSessionLinuxEventDescriptor() >= 0);
    (void)CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, 1);
    EXPECT_INTEGER(event_count, 0);
    turn = turn_of_descriptor;
    WAIT_UNTIL(event_count == 1);
    SIMULATE("volume 0.25");
    (void)CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, 1);
    EXPECT_INTEGER(event_count, 1);
    WAIT_UNTIL(event_count == 2);
}

TEST(removal_on_the_run_loop, "after a removal on the run loop's thread has returned the listener is not called again") {
    BEGIN_ON_RUN_LOOP();
    for (int i = 0; i < 200; i++) {
        EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, NULL));
        SIMULATE(i % 2 ? "volume 0.75" : "volume 0.25");
        EXPECT_OK(AudioSessionRemovePropertyListenerWithUserData(VOLUME, record_event, NULL));
    }
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(event_count, 0);
}

static int chain;

static void answer_each_other(void *data, AudioSessionPropertyID id, UInt32 size, const void *value) {
    record_event(data, id, size, value);
    if (++chain < 100) SIMULATE(chain % 2 ? "volume 0.75" : "volume 0.25");
}

static void timer_fires(CFRunLoopTimerRef timer, void *info) {
    (void)timer;
    *(int *)info = chain;
}

TEST(a_fair_turn, "listeners that cause events do not block the run loop") {
    int chain_at_timer = -1;
    CFRunLoopTimerContext context = {0, &chain_at_timer, NULL, NULL, NULL};
    BEGIN_ON_RUN_LOOP();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, answer_each_other, NULL));
    CFRunLoopTimerRef timer = CFRunLoopTimerCreate(NULL, CFAbsoluteTimeGetCurrent(), 0, 0, 0, timer_fires, &context);
    CFRunLoopAddTimer(CFRunLoopGetMain(), timer, kCFRunLoopDefaultMode);
    SIMULATE("volume 1");
    WAIT_UNTIL(chain == 100);
    EXPECT(chain_at_timer >= 0 && chain_at_timer < 100);
    CFRelease(timer);
}

static OSStatus initialize(void) { return AudioSessionInitialize(NULL, NULL, record_interruption, NULL); }

/* Initialize has failed. Repeated, it fails as before, and succeeds under the limit that leaves enough descriptors. */
static bool succeeds_later(const struct rlimit *enough) {
    return AudioSessionSetActive(1) == kAudioSessionNotInitialized && initialize() == kAudioSessionInitializationError &&
        setrlimit(RLIMIT_NOFILE, enough) == 0 && initialize() == kAudioSessionNoError &&
        initialize() == kAudioSessionAlreadyInitialized && AudioSessionSetActive(1) == kAudioSessionNoError;
}

/* In a child whose limit leaves so many descriptors: its exit status says the result. */
static int initialize_with(int descriptors) {
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        int next = dup(0);
        struct rlimit before, limit;
        if (getrlimit(RLIMIT_NOFILE, &before) != 0) _exit(3);
        limit = before;
        limit.rlim_cur = (rlim_t)(next + descriptors);
        close(next);
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0) _exit(3);
        OSStatus result = initialize();
        if (result == kAudioSessionInitializationError) _exit(succeeds_later(&before) ? 1 : 4);
        _exit(result == kAudioSessionNoError ? 0 : 3);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(few_descriptors,
    "with any number of free descriptors Initialize returns 0 or 'ini?', which leaves no session and may be repeated") {
    EXPECT_INTEGER(initialize_with(0), 1);
    for (int count = 1; count <= 40; count++) {
        int result = initialize_with(count);
        if (result != 0 && result != 1) failed(__FILE__, __LINE__, "with %d descriptors the child ends with %d", count, result);
    }
    EXPECT_INTEGER(initialize_with(40), 0);
}
