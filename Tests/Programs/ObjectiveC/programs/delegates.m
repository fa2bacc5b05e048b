/* SPDX-License-Identifier: Apache-2.0 */
/* Each method of each delegate throws, releases the object that calls it, or ends the delegate itself; and a second object is told
   nevertheless. */
#import "sounds.h"
#include <dlfcn.h>

/* ---- Reads and writes that fail ---- */

static bool breaks;

OSStatus ExtAudioFileRead(ExtAudioFileRef file, UInt32 *frames, AudioBufferList *list) {
    if (__atomic_load_n(&breaks, __ATOMIC_SEQ_CST)) return kAudio_MemFullError;
    return ((__typeof__(&ExtAudioFileRead))(intptr_t)dlsym(RTLD_NEXT, "ExtAudioFileRead"))(file, frames, list);
}

OSStatus ExtAudioFileWrite(ExtAudioFileRef file, UInt32 frames, const AudioBufferList *list) {
    if (__atomic_load_n(&breaks, __ATOMIC_SEQ_CST)) return kAudio_MemFullError;
    return ((__typeof__(&ExtAudioFileWrite))(intptr_t)dlsym(RTLD_NEXT, "ExtAudioFileWrite"))(file, frames, list);
}

static void break_sound(bool on) { __atomic_store_n(&breaks, on, __ATOMIC_SEQ_CST); }

/* ---- Delegates ---- */

enum action { NOTHING, THROWS, RELEASES, LEAVES };

/* Notes each call, and acts in one of them. */
@interface Delegate : NSObject <AVAudioPlayerDelegate, AVAudioRecorderDelegate> {
  @public
    NSString *who;
    NSString *when;
    enum action action;
    id object;
}
- (void)take:(NSString *)call;
@end

@implementation Delegate
- (void)take:(NSString *)call {
    note([NSString stringWithFormat:@"%@ %@", who, call]);
    if (![call isEqual:when]) return;
    switch (action) {
    case NOTHING: break;
    case THROWS: [NSException raise:@"DelegateException" format:@"in %@", call]; break;
    case RELEASES:
        [object release];
        object = nil;
        break;
    case LEAVES:
        [object setDelegate:nil];
        [self release];
        break;
    }
}

- (void)audioPlayerDidFinishPlaying:(AVAudioPlayer *)player successfully:(BOOL)flag {
    (void)player, (void)flag;
    [self take:@"finish"];
}

- (void)audioPlayerDecodeErrorDidOccur:(AVAudioPlayer *)player error:(NSError *)error {
    (void)player, (void)error;
    [self take:@"error"];
}

- (void)audioPlayerBeginInterruption:(AVAudioPlayer *)player {
    (void)player;
    [self take:@"begin"];
}

- (void)audioPlayerEndInterruption:(AVAudioPlayer *)player {
    (void)player;
    [self take:@"end"];
}

- (void)audioRecorderDidFinishRecording:(AVAudioRecorder *)recorder successfully:(BOOL)flag {
    (void)recorder, (void)flag;
    [self take:@"finish"];
}

- (void)audioRecorderEncodeErrorDidOccur:(AVAudioRecorder *)recorder error:(NSError *)error {
    (void)recorder, (void)error;
    [self take:@"error"];
}

- (void)audioRecorderBeginInterruption:(AVAudioRecorder *)recorder {
    (void)recorder;
    [self take:@"begin"];
}

- (void)audioRecorderEndInterruption:(AVAudioRecorder *)recorder {
    (void)recorder;
    [self take:@"end"];
}
@end

@interface DelegateWithFlags : Delegate
@end

@implementation DelegateWithFlags
- (void)audioPlayerEndInterruption:(AVAudioPlayer *)player withFlags:(NSUInteger)flags {
    (void)player, (void)flags;
    [self take:@"end with flags"];
}

- (void)audioRecorderEndInterruption:(AVAudioRecorder *)recorder withFlags:(NSUInteger)flags {
    (void)recorder, (void)flags;
    [self take:@"end with flags"];
}
@end

@interface DelegateWithOptions : DelegateWithFlags
@end

@implementation DelegateWithOptions
- (void)audioPlayerEndInterruption:(AVAudioPlayer *)player withOptions:(NSUInteger)flags {
    (void)player, (void)flags;
    [self take:@"end with options"];
}

- (void)audioRecorderEndInterruption:(AVAudioRecorder *)recorder withOptions:(NSUInteger)flags {
    (void)recorder, (void)flags;
    [self take:@"end with options"];
}
@end

static id delegate(Class class, NSString *who, id object) {
    Delegate *made = [[class alloc] init];
    made->who = who;
    made->object = object;
    [object setDelegate:made];
    return made;
}

/* A call of the object under test and of the witness. */
static int calls(NSString *who, NSString *call) { return times([NSString stringWithFormat:@"%@ %@", who, call]); }

#define WAIT_FOR_WITNESS(call, count) WAIT_UNTIL(calls(@"witness", call) == (count))

/* Whether the object is there and has its delegate. */
static bool is_told(Delegate *tested) { return tested->object && [tested->object delegate]; }

/* ---- The stories ---- */

static id open_player(void) {
    AVAudioPlayer *player = [[AVAudioPlayer alloc] initWithContentsOfURL:url_of("sound.wav") error:NULL];
    REQUIRE(player != nil);
    [player setNumberOfLoops:-1];
    return player;
}

/* Begin and end of an interruption, the end of the sound, and a sound that cannot be read. The object of `tested` may be gone. */
static void play(Delegate *tested, AVAudioPlayer *witness) {
    EXPECT([tested->object play] && [witness play]);
    SIMULATE("interrupt begin");
    WAIT_FOR_WITNESS(@"begin", 1);
    SIMULATE("interrupt end");
    WAIT_FOR_WITNESS(@"end", 1);
    EXPECT((!tested->object || [tested->object play]) && [witness play]);
    [tested->object setNumberOfLoops:0];
    [witness setNumberOfLoops:0];
    WAIT_FOR_WITNESS(@"finish", 1);
    WAIT_UNTIL(!is_told(tested) || calls(@"tested", @"finish") == 1);
    /* A player without its delegate ends as well. */
    WAIT_FOR_SOUND(![tested->object isPlaying]);
    break_sound(true);
    EXPECT(![tested->object play] && ![witness play]);
    WAIT_FOR_WITNESS(@"error", 1);
    break_sound(false);
}

static id open_recorder(const char *path) {
    AVAudioRecorder *recorder = [[AVAudioRecorder alloc] initWithURL:url_of(path) settings:nil error:NULL];
    REQUIRE(recorder != nil);
    return recorder;
}

static void record(Delegate *tested, AVAudioRecorder *witness) {
    EXPECT([tested->object record] && [witness record]);
    SIMULATE("interrupt begin");
    WAIT_FOR_WITNESS(@"begin", 1);
    SIMULATE("interrupt end");
    WAIT_FOR_WITNESS(@"end", 1);
    EXPECT((!tested->object || [tested->object record]) && [witness record]);
    [tested->object stop];
    [witness stop];
    WAIT_FOR_WITNESS(@"finish", 1);
    break_sound(true);
    EXPECT((!tested->object || [tested->object record]) && [witness record]);
    WAIT_FOR_WITNESS(@"error", 1);
    WAIT_FOR_WITNESS(@"finish", 2);
    WAIT_UNTIL(!is_told(tested) || calls(@"tested", @"finish") == 2);
    break_sound(false);
}

/* ---- The calls in which the delegate acts ---- */

struct turn_of_delegate {
    NSString *when;
    Class class;
};

/* Runs the story once for each call. */
static void act_in_each_call(enum action action, bool plays) {
    struct turn_of_delegate turns[] = {
        {@"begin", [Delegate class]},
        {@"end", [Delegate class]},
        {@"end with flags", [DelegateWithFlags class]},
        {@"end with options", [DelegateWithOptions class]},
        {@"finish", [Delegate class]},
        {@"error", [Delegate class]},
    };
    write_counting("sound.wav", kAudioFileWAVEType, 1, 4000);
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    for (unsigned i = 0; i < sizeof turns / sizeof *turns; i++) {
        NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
        [log_of_events removeAllObjects];
        Delegate *tested = delegate(turns[i].class, @"tested", plays ? open_player() : open_recorder("tested.caf"));
        id object = plays ? open_player() : open_recorder("witness.caf");
        Delegate *witness = delegate([Delegate class], @"witness", object);
        /* The delegate may end itself in its call. */
        [tested retain];
        tested->when = turns[i].when;
        tested->action = action;
        if (plays)
            play(tested, object);
        else
            record(tested, object);
        EXPECT_INTEGER(calls(@"tested", turns[i].when), action == THROWS && !plays && i == 4 ? 2 : 1);
        EXPECT_INTEGER(calls(@"witness", @"begin"), 1);
        bool isGone = action == RELEASES || action == LEAVES;
        /* Calls after it come only to an object that is there, and a delegate that it has. */
        if (isGone && i == 0) EXPECT_INTEGER(calls(@"tested", @"finish") + calls(@"tested", @"error"), 0);
        if (!isGone) EXPECT(calls(@"tested", @"finish") >= 1 && calls(@"tested", @"error") == 1);
        if (action == RELEASES) EXPECT(tested->object == nil);
        if (action != RELEASES) {
            [tested->object setDelegate:nil];
            [tested->object release];
        }
        [object setDelegate:nil];
        [object release];
        if (action != LEAVES) [tested release];
        [tested release];
        [witness release];
        [pool release];
    }
}

/* What the runtime logs of exceptions is no output of the test. */
static int log_into_file(void) {
    int log = open("log", O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600), standard_error = dup(2);
    dup2(log, 2);
    close(log);
    return standard_error;
}

static void expect_in_log(int standard_error, NSArray *names) {
    dup2(standard_error, 2);
    NSString *text = [NSString stringWithContentsOfFile:@"log" encoding:NSUTF8StringEncoding error:NULL];
    for (NSString *name in names)
        if ([text rangeOfString:[name stringByAppendingString:@" threw"]].length == 0)
            failed(__FILE__, __LINE__, "the log says nothing of %s: %s", [name UTF8String], [text UTF8String]);
}

OBJC_TEST(
    player_throws, "What a delegate of a player throws in any call is logged, and the other delegates and the sound go on") {
    int standard_error = log_into_file();
    act_in_each_call(THROWS, true);
    expect_in_log(standard_error,
        [NSArray arrayWithObjects:@"audioPlayerBeginInterruption:", @"audioPlayerEndInterruption:",
                 @"audioPlayerEndInterruption:withFlags:", @"audioPlayerEndInterruption:withOptions:",
                 @"audioPlayerDidFinishPlaying:successfully:", @"audioPlayerDecodeErrorDidOccur:error:", nil]);
}

OBJC_TEST(recorder_throws, "What a delegate of a recorder throws in any call is logged, and the other delegates are called") {
    int standard_error = log_into_file();
    act_in_each_call(THROWS, false);
    expect_in_log(standard_error,
        [NSArray arrayWithObjects:@"audioRecorderBeginInterruption:", @"audioRecorderEndInterruption:",
                 @"audioRecorderEndInterruption:withFlags:", @"audioRecorderEndInterruption:withOptions:",
                 @"audioRecorderDidFinishRecording:successfully:", @"audioRecorderEncodeErrorDidOccur:error:", nil]);
}

OBJC_TEST(player_released, "A delegate may release its player in any call") { act_in_each_call(RELEASES, true); }

OBJC_TEST(recorder_released, "A delegate may release its recorder in any call") { act_in_each_call(RELEASES, false); }

OBJC_TEST(delegate_of_player_ends, "A delegate of a player may end itself in any call, and hears nothing after it") {
    act_in_each_call(LEAVES, true);
}

OBJC_TEST(delegate_of_recorder_ends, "A delegate of a recorder may end itself in any call, and hears nothing after it") {
    act_in_each_call(LEAVES, false);
}

OBJC_TEST(delegate_before_the_call, "A delegate that was removed and freed before the call is not called") {
    write_counting("sound.wav", kAudioFileWAVEType, 1, 4000);
    AVAudioPlayer *player = open_player(), *object = open_player();
    Delegate *removed = delegate([Delegate class], @"tested", player), *witness = delegate([Delegate class], @"witness", object);
    [player setNumberOfLoops:0];
    [object setNumberOfLoops:0];
    EXPECT([player play] && [object play]);
    [player setDelegate:nil];
    [removed release];
    WAIT_FOR_WITNESS(@"finish", 1);
    WAIT_FOR_SOUND(![player isPlaying]);
    EXPECT_INTEGER(calls(@"tested", @"finish"), 0);
    [player release];
    [object release];
    [witness release];
}

/* ---- The delegate of the session ---- */

@interface DelegateOfSession : Delegate <AVAudioSessionDelegate>
@end

@implementation DelegateOfSession
- (void)beginInterruption {
    [self take:@"beginInterruption"];
}

- (void)endInterruption {
    [self take:@"endInterruption"];
}

- (void)inputIsAvailableChanged:(BOOL)isInputAvailable {
    (void)isInputAvailable;
    [self take:@"inputIsAvailableChanged:"];
}

- (void)categoryChanged:(NSString *)category {
    (void)category;
    [self take:@"categoryChanged:"];
}

- (void)currentHardwareSampleRateChanged:(double)sampleRate {
    (void)sampleRate;
    [self take:@"currentHardwareSampleRateChanged:"];
}

- (void)currentHardwareInputNumberOfChannelsChanged:(NSInteger)numberOfChannels {
    (void)numberOfChannels;
    [self take:@"currentHardwareInputNumberOfChannelsChanged:"];
}

- (void)currentHardwareOutputNumberOfChannelsChanged:(NSInteger)numberOfChannels {
    (void)numberOfChannels;
    [self take:@"currentHardwareOutputNumberOfChannelsChanged:"];
}
@end

@interface DelegateOfSessionWithFlags : DelegateOfSession
@end

@implementation DelegateOfSessionWithFlags
- (void)endInterruptionWithFlags:(NSUInteger)flags {
    (void)flags;
    [self take:@"endInterruptionWithFlags:"];
}
@end

@interface WitnessOfSession : NSObject
@end

@implementation WitnessOfSession
- (void)interruption:(NSNotification *)notification {
    NSNumber *type = [[notification userInfo] objectForKey:AVAudioSessionInterruptionTypeKey];
    note([type intValue] == AVAudioSessionInterruptionTypeBegan ? @"witness began" : @"witness ended");
}

- (void)route:(NSNotification *)notification {
    (void)notification;
    note(@"witness route");
}
@end

/* What causes each call once or more. An observer hears of what comes last. */
static void tell_session(void) {
    ACTIVATE();
    SIMULATE("interrupt begin");
    WAIT_UNTIL(calls(@"witness", @"began") == 1);
    SIMULATE("interrupt end");
    WAIT_UNTIL(calls(@"witness", @"ended") == 1);
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    SIMULATE("unplug microphone");
    SIMULATE("plug microphone");
    SIMULATE("plug bluetooth-a2dp");
    EXPECT_YES([session() setPreferredSampleRate:22050 error:&error]);
    SET_CATEGORY(AVAudioSessionCategoryRecord);
    [log_of_events removeObject:@"witness route"];
    SIMULATE("plug usb");
    WAIT_FOR_EVENT(@"witness route");
    SIMULATE("unplug usb");
    SIMULATE("unplug bluetooth-a2dp");
    EXPECT_YES([session() setPreferredSampleRate:0 error:&error]);
    SET_CATEGORY(AVAudioSessionCategorySoloAmbient);
    EXPECT_YES([session() setActive:NO error:&error]);
    struct pollfd waiting = {AVAudioLinuxEventDescriptor(), POLLIN, 0};
    do AVAudioLinuxDispatchEvents();
    while (poll(&waiting, 1, 0) == 1);
}

static NSArray *names_of_session_calls(void) {
    return [NSArray arrayWithObjects:@"beginInterruption", @"endInterruption", @"endInterruptionWithFlags:",
                    @"inputIsAvailableChanged:", @"categoryChanged:", @"currentHardwareSampleRateChanged:",
                    @"currentHardwareInputNumberOfChannelsChanged:", @"currentHardwareOutputNumberOfChannelsChanged:", nil];
}

static void act_in_each_call_of_session(enum action action) {
    WitnessOfSession *witness = [[[WitnessOfSession alloc] init] autorelease];
    [[NSNotificationCenter defaultCenter] addObserver:witness
                                             selector:@selector(interruption:)
                                                 name:AVAudioSessionInterruptionNotification
                                               object:nil];
    [[NSNotificationCenter defaultCenter] addObserver:witness
                                             selector:@selector(route:)
                                                 name:AVAudioSessionRouteChangeNotification
                                               object:nil];
    for (NSString *name in names_of_session_calls()) {
        NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
        bool hasFlags = [name hasSuffix:@"WithFlags:"];
        Class class = hasFlags ? [DelegateOfSessionWithFlags class] : [DelegateOfSession class];
        [log_of_events removeAllObjects];
        Delegate *tested = delegate(class, @"tested", session());
        [tested retain];
        tested->when = name;
        tested->action = action;
        tell_session();
        int count = calls(@"tested", name);
        if (action == LEAVES ? count != 1 : count < 1) failed(__FILE__, __LINE__, "%s came %d times", [name UTF8String], count);
        if (action == LEAVES) EXPECT(session().delegate == nil);
        session().delegate = nil;
        if (action != LEAVES) [tested release];
        [tested release];
        [pool release];
    }
    [[NSNotificationCenter defaultCenter] removeObserver:witness];
}

OBJC_TEST(delegate_of_session_throws, "What the delegate of the session throws in any call is logged, and observers are told") {
    int standard_error = log_into_file();
    act_in_each_call_of_session(THROWS);
    expect_in_log(standard_error, names_of_session_calls());
}

OBJC_TEST(delegate_of_session_ends, "The delegate of the session may end itself in any call, and hears nothing after it") {
    act_in_each_call_of_session(LEAVES);
}

/* ---- The order of calls ---- */

static NSUInteger place(NSString *event) { return [log_of_events indexOfObject:event]; }

OBJC_TEST(order_of_interruptions,
    "Players and recorders hear of an interruption before the session's delegate and observers, and of its end after them") {
    write_counting("sound.wav", kAudioFileWAVEType, 1, 4000);
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    AVAudioPlayer *player = open_player();
    AVAudioRecorder *recorder = open_recorder("memo.caf");
    WitnessOfSession *observer = [[[WitnessOfSession alloc] init] autorelease];
    [[NSNotificationCenter defaultCenter] addObserver:observer
                                             selector:@selector(interruption:)
                                                 name:AVAudioSessionInterruptionNotification
                                               object:nil];
    NSArray *delegates = [NSArray arrayWithObjects:[delegate([Delegate class], @"player", player) autorelease],
                                  [delegate([Delegate class], @"recorder", recorder) autorelease],
                                  [delegate([DelegateOfSession class], @"session", session()) autorelease], nil];
    EXPECT_INTEGER([delegates count], 3);
    for (int life = 0; life < 2; life++) {
        [log_of_events removeAllObjects];
        EXPECT([player play] && [recorder record]);
        SIMULATE("interrupt begin");
        WAIT_FOR_EVENT(@"witness began");
        SIMULATE("interrupt end");
        WAIT_UNTIL(times(@"witness ended") && times(@"player end") && times(@"recorder end"));
        for (NSString *sound in [NSArray arrayWithObjects:@"player", @"recorder", nil]) {
            NSString *begin = [sound stringByAppendingString:@" begin"], *end = [sound stringByAppendingString:@" end"];
            EXPECT_INTEGER(times(begin), 1);
            EXPECT_INTEGER(times(end), 1);
            EXPECT(place(begin) < place(@"session beginInterruption") && place(begin) < place(@"witness began"));
            EXPECT(place(end) > place(@"session endInterruption") && place(end) > place(@"witness ended"));
        }
        EXPECT_INTEGER(times(@"session beginInterruption"), 1);
        EXPECT_INTEGER(times(@"session endInterruption"), 1);
    }
    [[NSNotificationCenter defaultCenter] removeObserver:observer];
    session().delegate = nil;
    player.delegate = nil;
    recorder.delegate = nil;
    [player release];
    [recorder release];
}
