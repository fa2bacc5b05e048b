/* SPDX-License-Identifier: Apache-2.0 */
/* The delegate of 2009, notifications, other processes, and the death of the audio server. */
#import "objc.h"

/* ---- What receives events ---- */

@interface OldDelegate : NSObject <AVAudioSessionDelegate>
@end

@implementation OldDelegate
- (void)beginInterruption {
    EXPECT([NSThread isMainThread]);
    note(@"begin");
}

- (void)endInterruption {
    note(@"end");
}

- (void)inputIsAvailableChanged:(BOOL)isInputAvailable {
    note(isInputAvailable ? @"input" : @"no input");
}

- (void)categoryChanged:(NSString *)category {
    note(category);
}

- (void)currentHardwareSampleRateChanged:(double)sampleRate {
    note([NSString stringWithFormat:@"rate %g", sampleRate]);
}

- (void)currentHardwareInputNumberOfChannelsChanged:(NSInteger)numberOfChannels {
    note([NSString stringWithFormat:@"in %ld", (long)numberOfChannels]);
}

- (void)currentHardwareOutputNumberOfChannelsChanged:(NSInteger)numberOfChannels {
    note([NSString stringWithFormat:@"out %ld", (long)numberOfChannels]);
}
@end

@interface NewDelegate : OldDelegate
@end

@implementation NewDelegate
- (void)endInterruptionWithFlags:(NSUInteger)flags {
    note([NSString stringWithFormat:@"end with %lu", (unsigned long)flags]);
}
@end

@interface ThrowingDelegate : NSObject <AVAudioSessionDelegate>
@end

@implementation ThrowingDelegate
- (void)beginInterruption {
    note(@"begin");
    [NSException raise:@"DelegateException" format:@"on purpose"];
}

- (void)endInterruption {
    note(@"end");
}
@end

@interface Observer : NSObject
@end

@implementation Observer
- (void)interruption:(NSNotification *)notification {
    NSDictionary *info = [notification userInfo];
    EXPECT([notification object] == session());
    EXPECT([NSThread isMainThread]);
    if ([[info objectForKey:AVAudioSessionInterruptionTypeKey] intValue] == AVAudioSessionInterruptionTypeBegan) {
        EXPECT([info objectForKey:AVAudioSessionInterruptionOptionKey] == nil);
        note(@"began");
    } else {
        note([NSString stringWithFormat:@"ended with %@", [info objectForKey:AVAudioSessionInterruptionOptionKey]]);
    }
}

- (void)route:(NSNotification *)notification {
    NSDictionary *info = [notification userInfo];
    AVAudioSessionRouteDescription *previous = [info objectForKey:AVAudioSessionRouteChangePreviousRouteKey];
    note([NSString stringWithFormat:@"route %@ from %@", [info objectForKey:AVAudioSessionRouteChangeReasonKey],
                   [[previous.outputs lastObject] portType]]);
}

- (void)hint:(NSNotification *)notification {
    note([NSString
        stringWithFormat:@"hint %@", [[notification userInfo] objectForKey:AVAudioSessionSilenceSecondaryAudioHintTypeKey]]);
}

- (void)lost:(NSNotification *)notification {
    EXPECT([notification userInfo] == nil);
    note(@"lost");
}

- (void)reset:(NSNotification *)notification {
    (void)notification;
    note(@"reset");
}

- (void)throwIt:(NSNotification *)notification {
    (void)notification;
    [NSException raise:@"ObserverException" format:@"on purpose"];
}

- (void)observeValueForKeyPath:(NSString *)path ofObject:(id)object change:(NSDictionary *)change context:(void *)context {
    (void)change, (void)context;
    note([NSString stringWithFormat:@"%@ %.2f", path, [[object valueForKey:path] floatValue]]);
}
@end

static Observer *observe(SEL selector, NSString *name) {
    Observer *observer = [[[Observer alloc] init] autorelease];
    [[NSNotificationCenter defaultCenter] addObserver:observer selector:selector name:name object:nil];
    return observer;
}

/* ---- This process ---- */

OBJC_TEST(delegate_of_2009, "The delegate of 2009 receives the begin and the end of an interruption on the main thread") {
    session().delegate = [[[OldDelegate alloc] init] autorelease];
    EXPECT(session().delegate != nil);
    ACTIVATE();
    SIMULATE("interrupt begin");
    WAIT_FOR_EVENT(@"begin");
    SIMULATE("interrupt end");
    WAIT_FOR_EVENT(@"end");
    session().delegate = nil;
    SIMULATE("unplug microphone");
    EXPECT_INTEGER(times(@"no input"), 0);
}

OBJC_TEST(delegate_with_flags, "endInterruptionWithFlags: has precedence over endInterruption, and says whether to resume") {
    session().delegate = [[[NewDelegate alloc] init] autorelease];
    ACTIVATE();
    SIMULATE("interrupt begin");
    SIMULATE("interrupt end");
    WAIT_FOR_EVENT(@"end with 1");
    ACTIVATE();
    SIMULATE("interrupt begin");
    SIMULATE("interrupt end --should-not-resume");
    WAIT_FOR_EVENT(@"end with 0");
    EXPECT_INTEGER(times(@"end"), 0);
}

OBJC_TEST(delegate_of_hardware, "The delegate receives inputs, channels, rates and categories") {
    session().delegate = [[[OldDelegate alloc] init] autorelease];
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    WAIT_FOR_EVENT(AVAudioSessionCategoryPlayAndRecord);
    WAIT_FOR_EVENT(@"in 1");
    SIMULATE("unplug microphone");
    WAIT_FOR_EVENT(@"no input");
    WAIT_FOR_EVENT(@"in 0");
    SIMULATE("plug microphone");
    WAIT_FOR_EVENT(@"input");
    SIMULATE("plug bluetooth-a2dp");
    EXPECT_YES([session() setPreferredSampleRate:22050 error:&error]);
    WAIT_FOR_EVENT(@"rate 22050");
    SET_CATEGORY(AVAudioSessionCategoryRecord);
    WAIT_FOR_EVENT(@"out 0");
    WAIT_FOR_EVENT(AVAudioSessionCategoryRecord);
    EXPECT_INTEGER(times(AVAudioSessionCategoryRecord), 1);
}

OBJC_TEST(notifications, "Notifications have their types, options, reasons and the previous route") {
    observe(@selector(interruption:), AVAudioSessionInterruptionNotification);
    observe(@selector(route:), AVAudioSessionRouteChangeNotification);
    SET_CATEGORY(AVAudioSessionCategoryPlayback);
    ACTIVATE();
    SIMULATE("interrupt begin");
    WAIT_FOR_EVENT(@"began");
    SIMULATE("interrupt end");
    WAIT_FOR_EVENT(@"ended with 1");
    SIMULATE("plug headphones");
    WAIT_FOR_EVENT(@"route 1 from Speaker");
    SIMULATE("unplug headphones");
    WAIT_FOR_EVENT(@"route 2 from Headphones");
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    WAIT_FOR_EVENT(@"route 3 from Speaker");
}

OBJC_TEST(server_death, "The death and the return of the audio server are notifications; the session works again afterwards") {
    observe(@selector(lost:), AVAudioSessionMediaServicesWereLostNotification);
    observe(@selector(reset:), AVAudioSessionMediaServicesWereResetNotification);
    ACTIVATE();
    SIMULATE("server die");
    WAIT_FOR_EVENT(@"lost");
    EXPECT_NO([session() setActive:YES error:&error], AVAudioSessionErrorCodeMediaServicesFailed);
    SIMULATE("server restart");
    WAIT_FOR_EVENT(@"reset");
    ACTIVATE();
}

OBJC_TEST(observed_value, "An observer of outputVolume is called when the volume changes") {
    Observer *observer = [[[Observer alloc] init] autorelease];
    [session() addObserver:observer forKeyPath:@"outputVolume" options:NSKeyValueObservingOptionNew context:NULL];
    SIMULATE("volume 0.25");
    WAIT_FOR_EVENT(@"outputVolume 0.25");
    [session() removeObserver:observer forKeyPath:@"outputVolume"];
}

OBJC_TEST(observed_gain,
    "An observer of inputGain is called when the gain of the input changes, and one of outputVolume is not, in each life") {
    static const struct {
        const char *command;
        float gain;
    } lives[] = {{"volume 0.25", 0.25f}, {"volume 0.75", 0.5f}};
    NSArray *paths = [NSArray arrayWithObjects:@"inputGain", @"outputVolume", nil];
    Observer *observer = [[[Observer alloc] init] autorelease];
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    for (unsigned i = 0; i < sizeof lives / sizeof *lives; i++) {
        for (NSString *path in paths)
            [session() addObserver:observer forKeyPath:path options:NSKeyValueObservingOptionNew context:NULL];
        /* The events before come first. */
        NSString *volume = [NSString stringWithFormat:@"outputV%s", lives[i].command + 1];
        NSString *gain = [NSString stringWithFormat:@"inputGain %.2f", lives[i].gain];
        SIMULATE(lives[i].command);
        WAIT_FOR_EVENT(volume);
        [log_of_events removeAllObjects];
        ACTIVATE();
        EXPECT_YES([session() setInputGain:lives[i].gain error:&error]);
        WAIT_FOR_EVENT(gain);
        /* The gain that the session has found is restored. */
        EXPECT_YES([session() setActive:NO error:&error]);
        WAIT_FOR_EVENT(@"inputGain 0.75");
        for (NSString *noted in log_of_events) EXPECT([noted hasPrefix:@"inputGain"]);
        for (NSString *path in paths) [session() removeObserver:observer forKeyPath:path];
    }
}

OBJC_TEST(exceptions, "An exception of a delegate or an observer is logged, and nothing is lost") {
    int log = open("log", O_RDWR | O_CREAT | O_TRUNC, 0600);
    int standard_error = dup(2);
    dup2(log, 2);
    session().delegate = [[[ThrowingDelegate alloc] init] autorelease];
    observe(@selector(throwIt:), AVAudioSessionInterruptionNotification);
    observe(@selector(interruption:), AVAudioSessionInterruptionNotification);
    ACTIVATE();
    SIMULATE("interrupt begin");
    WAIT_FOR_EVENT(@"began");
    SIMULATE("interrupt end");
    WAIT_FOR_EVENT(@"end");
    WAIT_FOR_EVENT(@"ended with 1");
    dup2(standard_error, 2);
    EXPECT_INTEGER(times(@"begin"), 1);
    NSString *text = [NSString stringWithContentsOfFile:@"log" encoding:NSUTF8StringEncoding error:NULL];
    EXPECT([text rangeOfString:@"beginInterruption threw"].length > 0);
}

/* Messages that an observer sends cause events, which come later. */
@interface Switcher : Observer
@end

@implementation Switcher
- (void)route:(NSNotification *)notification {
    [super route:notification];
    note(@"inside");
    if (times(@"inside") == 1) SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    note(@"outside");
}
@end

OBJC_TEST(calls_inside, "An observer may send any message; the events of its changes come after it") {
    Switcher *observer = [[[Switcher alloc] init] autorelease];
    [[NSNotificationCenter defaultCenter] addObserver:observer
                                             selector:@selector(route:)
                                                 name:AVAudioSessionRouteChangeNotification
                                               object:session()];
    SET_CATEGORY(AVAudioSessionCategoryPlayback);
    SIMULATE("plug headphones");
    SIMULATE("unplug headphones");
    WAIT_UNTIL(times(@"outside") >= 3);
    for (NSUInteger i = 0; i + 1 < [log_of_events count]; i++)
        if ([[log_of_events objectAtIndex:i] isEqual:@"inside"]) EXPECT_STRING([log_of_events objectAtIndex:i + 1], @"outside");
}

OBJC_TEST(by_hand, "A program without a run loop waits for the descriptor and dispatches") {
    observe(@selector(route:), AVAudioSessionRouteChangeNotification);
    int descriptor = AVAudioLinuxEventDescriptor();
    struct pollfd waiting = {descriptor, POLLIN, 0};
    AVAudioLinuxDispatchEvents();
    EXPECT_INTEGER(poll(&waiting, 1, 0), 0);
    SIMULATE("plug headphones");
    long long deadline = milliseconds() + TIME_LIMIT_MS;
    while (times(@"route 1 from Speaker") == 0 && milliseconds() < deadline) {
        EXPECT_INTEGER(poll(&waiting, 1, TIME_LIMIT_MS), 1);
        AVAudioLinuxDispatchEvents();
    }
    EXPECT_INTEGER(times(@"route 1 from Speaker"), 1);
    EXPECT_INTEGER(poll(&waiting, 1, 0), 0);
}

/* ---- C and Objective-C in one process ---- */

static int begins_of_c, routes_of_c;

static void interruption_of_c(void *data, UInt32 state) {
    (void)data;
    begins_of_c += state == kAudioSessionBeginInterruption;
}

static void route_of_c(void *data, AudioSessionPropertyID property, UInt32 size, const void *value) {
    (void)data, (void)size, (void)value;
    routes_of_c += property == kAudioSessionProperty_AudioRouteChange;
}

OBJC_TEST(listeners_of_c, "The run loop calls the listeners of the C API as well, whichever API comes first") {
    observe(@selector(interruption:), AVAudioSessionInterruptionNotification);
    EXPECT(session() != nil);
    EXPECT_OK(AudioSessionInitialize(NULL, NULL, interruption_of_c, NULL));
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioInputAvailable, route_of_c, NULL));
    EXPECT_OK(AudioSessionSetActive(true));
    SIMULATE("interrupt begin");
    WAIT_FOR_EVENT(@"began");
    WAIT_UNTIL(begins_of_c == 1);
    EXPECT_INTEGER(times(@"began"), 1);
}

/* ---- Another process ---- */

/* Has a session of the C API, and executes the orders of the test: a(ctivate), d(eactivate), p(lay mixing). */
static pid_t start_peer(int *orders) {
    int ends[2], answers[2];
    char ready;
    REQUIRE(pipe(ends) == 0 && pipe(answers) == 0);
    pid_t child = fork_without_leak_check();
    if (child == 0) {
        char order;
        close(ends[1]);
        bool is_ready = AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0 &&
            set_category(kAudioSessionCategory_MediaPlayback) == 0 && write(answers[1], "r", 1) == 1;
        while (is_ready && read(ends[0], &order, 1) == 1)
            AudioSessionSetActiveWithFlags(order == 'a', kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation);
        _exit(0);
    }
    close(ends[0]);
    REQUIRE(read(answers[0], &ready, 1) == 1);
    *orders = ends[1];
    return child;
}

OBJC_TEST(two_processes, "The activation of another process interrupts the session, and its deactivation ends the interruption") {
    int orders;
    pid_t peer = start_peer(&orders);
    session().delegate = [[[NewDelegate alloc] init] autorelease];
    observe(@selector(interruption:), AVAudioSessionInterruptionNotification);
    SET_CATEGORY(AVAudioSessionCategoryPlayback);
    ACTIVATE();
    EXPECT_INTEGER(write(orders, "a", 1), 1);
    WAIT_FOR_EVENT(@"begin");
    WAIT_FOR_EVENT(@"began");
    EXPECT_INTEGER(write(orders, "d", 1), 1);
    WAIT_FOR_EVENT(@"end with 1");
    WAIT_FOR_EVENT(@"ended with 1");
    EXPECT([log_of_events indexOfObject:@"begin"] < [log_of_events indexOfObject:@"began"]);
    close(orders);
    waitpid(peer, NULL, 0);
}

OBJC_TEST(fork_of_a_session, "A child of fork has a session of its own, and does not wait for the events of its parent") {
    ACTIVATE();
    int descriptor = AVAudioLinuxEventDescriptor();
    EXPECT(descriptor >= 0);
    pid_t child = fork_without_leak_check();
    if (child == 0) {
        bool is_new = [[session() category] isEqual:AVAudioSessionCategorySoloAmbient] &&
            [session() setCategory:AVAudioSessionCategoryRecord error:NULL] && AVAudioLinuxEventDescriptor() >= 0 &&
            AVAudioLinuxEventDescriptor() != descriptor;
        _exit(is_new ? 0 : 1);
    }
    int status = -1;
    EXPECT_INTEGER(waitpid(child, &status, 0), child);
    EXPECT_INTEGER(status, 0);
    EXPECT_STRING([session() category], AVAudioSessionCategorySoloAmbient);
}

/* The turns of the run loop in 200 ms. One that waits takes few of them. */
static int turns(void) {
    int count = 0;
    for (long long deadline = milliseconds() + 200; turn(deadline);) count++;
    return count;
}

/* A child of fork, whose parent has an event that it has not delivered yet. */
static void expect_events_of_a_child(bool waits_before_its_session) {
    enum { FEW = 20 };
    NSUInteger known = [log_of_events count];
    int taken = waits_before_its_session ? turns() : 0;
    if (taken > FEW) failed(__FILE__, __LINE__, "%d turns without a session", taken);
    session().delegate = [[[NewDelegate alloc] init] autorelease];
    taken = turns();
    if (taken > FEW) failed(__FILE__, __LINE__, "%d turns without an event", taken);
    EXPECT_INTEGER([log_of_events count], known);
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    WAIT_FOR_EVENT(@"route 3 from Headphones");
    ACTIVATE();
    SIMULATE("interrupt begin");
    WAIT_FOR_EVENT(@"begin");
    SIMULATE("interrupt end");
    WAIT_FOR_EVENT(@"end with 1");
}

OBJC_TEST(
    events_of_a_child, "A child of fork hears of the events of its own session, and does not wake for those of its parent") {
    observe(@selector(route:), AVAudioSessionRouteChangeNotification);
    struct pollfd waiting = {AVAudioLinuxEventDescriptor(), POLLIN, 0};
    for (int life = 1; life <= 2; life++) {
        (void)turns();
        SIMULATE("plug headphones");
        EXPECT_INTEGER(poll(&waiting, 1, TIME_LIMIT_MS), 1);
        pid_t child = fork_without_leak_check();
        if (child == 0) {
            expect_events_of_a_child(life == 1);
            _exit(failures ? 1 : 0);
        }
        int status = -1;
        EXPECT_INTEGER(waitpid(child, &status, 0), child);
        REQUIRE(status == 0);
        WAIT_UNTIL(times(@"route 1 from Speaker") == life);
        SIMULATE("unplug headphones");
        WAIT_UNTIL(times(@"route 2 from Headphones") == life);
    }
}

OBJC_TEST(
    no_descriptors, "A process without descriptors works without events, says so, and receives events once it has some again") {
    int log = open("log", O_RDWR | O_CREAT | O_TRUNC, 0600), standard_error = dup(2), taken[64], count = 0;
    /* The session of C has the descriptors that it needs. */
    EXPECT_OK(AudioSessionInitialize(NULL, NULL, NULL, NULL));
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_AudioInputAvailable), 1);
    /* The run loop and NSLog have their own, from their first use on. */
    turn(milliseconds() + 1);
    dup2(log, 2);
    NSLog(@"first");
    dup2(standard_error, 2);
    int last = dup(2);
    struct rlimit before, small;
    REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
    small = before;
    small.rlim_cur = (rlim_t)last + 1;
    REQUIRE(setrlimit(RLIMIT_NOFILE, &small) == 0);
    while (count < 64 && (taken[count] = dup(2)) >= 0) count++;
    dup2(log, 2);
    /* A failure could not be written now. */
    BOOL isRead = [[session() category] isEqual:AVAudioSessionCategorySoloAmbient];
    int descriptor = AVAudioLinuxEventDescriptor();
    AVAudioLinuxDispatchEvents();
    dup2(standard_error, 2);
    while (count > 0) close(taken[--count]);
    REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
    EXPECT(isRead);
    EXPECT_INTEGER(descriptor, -1);
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    NSString *text = [NSString stringWithContentsOfFile:@"log" encoding:NSUTF8StringEncoding error:NULL];
    EXPECT([text rangeOfString:@"no descriptors left"].length > 0);
    observe(@selector(route:), AVAudioSessionRouteChangeNotification);
    EXPECT(session() != nil);
    SIMULATE("plug headphones");
    WAIT_FOR_EVENT(@"route 1 from Receiver");
}
