/* SPDX-License-Identifier: Apache-2.0 */
/* Each call that the classes make fails in turn, once and from there on: a method says so, nothing crashes and no memory is lost,
   and the object works again as soon as the calls do. */
#import "failures.h"

/* ---- The session ---- */

static void change_session(void) {
    AVAudioSession *shared = session();
    OBEYS([shared setCategory:AVAudioSessionCategoryPlayAndRecord error:&error]);
    OBEYS([shared setCategory:AVAudioSessionCategoryPlayAndRecord
                  withOptions:AVAudioSessionCategoryOptionMixWithOthers
                        error:&error]);
    OBEYS([shared setCategory:AVAudioSessionCategoryPlayAndRecord mode:AVAudioSessionModeDefault options:0 error:&error]);
    OBEYS([shared setMode:AVAudioSessionModeVoiceChat error:&error]);
    OBEYS([shared setActive:YES error:&error]);
    OBEYS([shared setActive:NO withOptions:0 error:&error]);
    OBEYS([shared setPreferredSampleRate:44100 error:&error]);
    OBEYS([shared setPreferredIOBufferDuration:0.02 error:&error]);
    OBEYS([shared setPreferredInputNumberOfChannels:1 error:&error]);
    OBEYS([shared setPreferredOutputNumberOfChannels:1 error:&error]);
    OBEYS([shared overrideOutputAudioPort:AVAudioSessionPortOverrideNone error:&error]);
    OBEYS([shared setPreferredInput:nil error:&error]);
}

/* A read has no error: 0, nil, or the default. */
static void read_session(void) {
    AVAudioSession *shared = session();
    EXPECT([[shared category] length] > 0 && [[shared mode] length] > 0);
    EXPECT([shared sampleRate] >= 0 && [shared IOBufferDuration] >= 0 && [shared preferredIOBufferDuration] >= 0);
    EXPECT([shared inputNumberOfChannels] >= 0 && [shared outputNumberOfChannels] >= 0);
    EXPECT([shared outputLatency] >= 0 && [shared inputLatency] >= 0 && [shared outputVolume] >= 0);
    EXPECT([[shared availableCategories] count] >= 5);
    (void)[shared isOtherAudioPlaying];
    (void)[shared isInputGainSettable];
    (void)[shared recordPermission];
    EXPECT([shared currentRoute] != nil);
    EXPECT([[shared availableInputs] count] <= 1);
    EXPECT([shared preferredInput] == nil);
}

/* Runs a step with the failure of each call, until a run makes fewer calls. */
static void fail_each_call(void (*step)(void), bool from_there) {
    bool isOver = false;
    for (int call = 1; !isOver && failures == 0; call++) {
        NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
        plan_failure(call, from_there);
        step();
        isOver = hits_so_far() == 0;
        if (failures)
            failed(__FILE__, __LINE__, "that was call %d: %s%s", call, failed_call, from_there ? ", and all after it" : "");
        plan_failure(0, false);
        if (!isOver && failures == 0) step();
        if (failures && !isOver) failed(__FILE__, __LINE__, "it failed after call %d: %s", call, failed_call);
        [pool release];
    }
}

OBJC_TEST(of_session, "A change of the session that fails gives NO and the error of the platform, and the next one succeeds") {
    EXPECT(session() != nil);
    fail_each_call(change_session, false);
    fail_each_call(change_session, true);
    fail_each_call(read_session, false);
    fail_each_call(read_session, true);
}

OBJC_TEST(of_data_source, "A data source that cannot be selected gives NO and an error, and stays as it was") {
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    SIMULATE("plug usb");
    AVAudioSessionPortDescription *port = [session().currentRoute.inputs lastObject];
    AVAudioSessionDataSourceDescription *other = nil;
    for (AVAudioSessionDataSourceDescription *source in [port dataSources])
        if (![source isEqual:[port selectedDataSource]]) other = source;
    REQUIRE(other != nil);
    plan_failure(1, false);
    EXPECT_NO([port setPreferredDataSource:other error:&error], AVAudioSessionErrorCodeUnspecified);
    plan_failure(0, false);
    EXPECT([port preferredDataSource] == nil);
    EXPECT(![[session() inputDataSource] isEqual:other]);
    EXPECT_YES([port setPreferredDataSource:other error:&error]);
    EXPECT([[session() inputDataSource] isEqual:other]);
}

/* The first message of a process. */
static void begin_session(void) {
    AVAudioSession *shared = [AVAudioSession sharedInstance];
    EXPECT(shared != nil && [[shared category] length] > 0);
    (void)AVAudioLinuxEventDescriptor();
    AVAudioLinuxDispatchEvents();
}

@interface RouteObserver : NSObject
@end

@implementation RouteObserver
- (void)changed:(NSNotification *)notification {
    (void)notification;
    note(@"route");
}
@end

/* Returns whether the call was made. */
static bool begin_in_child(int call, bool from_there) {
    enum { CALLED = 0, NOT_CALLED = 3 };
    int status = -1;
    pid_t child = fork_without_leak_check();
    if (child == 0) {
        /* What the log says is no output of the test. */
        int nothing = open("/dev/null", O_WRONLY);
        dup2(nothing, 2);
        plan_failure(call, from_there);
        begin_session();
        bool isCalled = hits_so_far() > 0;
        plan_failure(0, false);
        /* The next message begins what is missing, and events arrive. */
        RouteObserver *observer = [[RouteObserver alloc] init];
        [[NSNotificationCenter defaultCenter] addObserver:observer
                                                 selector:@selector(changed:)
                                                     name:AVAudioSessionRouteChangeNotification
                                                   object:nil];
        begin_session();
        SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
        SIMULATE("plug headphones");
        WAIT_FOR_EVENT(@"route");
        /* Processes share the simulated machine. */
        SIMULATE("unplug headphones");
        if (failures) failed(__FILE__, __LINE__, "that was after call %d: %s", call, failed_call);
        _exit(failures ? 1 : isCalled ? CALLED : NOT_CALLED);
    }
    EXPECT_INTEGER(waitpid(child, &status, 0), child);
    EXPECT(WIFEXITED(status) && (WEXITSTATUS(status) == CALLED || WEXITSTATUS(status) == NOT_CALLED));
    return failures == 0 && WEXITSTATUS(status) == CALLED;
}

OBJC_TEST(of_begin, "A session that cannot begin, or has no events, begins with the next message") {
    int call = 1;
    while (begin_in_child(call, false)) call++;
    EXPECT(call > 5);
    for (call = 1; begin_in_child(call, true);) call++;
    EXPECT(call > 5);
}

/* ---- A player ---- */

@interface SoundDelegate : NSObject <AVAudioPlayerDelegate, AVAudioRecorderDelegate>
@end

@implementation SoundDelegate
- (void)audioPlayerDidFinishPlaying:(AVAudioPlayer *)player successfully:(BOOL)flag {
    EXPECT(![player isPlaying]);
    note(flag ? @"played" : @"failed");
}

- (void)audioPlayerDecodeErrorDidOccur:(AVAudioPlayer *)player error:(NSError *)error {
    (void)player;
    EXPECT([[error domain] isEqual:NSOSStatusErrorDomain] && [error code] != 0);
    note(@"error");
}

- (void)audioRecorderDidFinishRecording:(AVAudioRecorder *)recorder successfully:(BOOL)flag {
    EXPECT(![recorder isRecording]);
    note(flag ? @"recorded" : @"failed");
}

- (void)audioRecorderEncodeErrorDidOccur:(AVAudioRecorder *)recorder error:(NSError *)error {
    (void)recorder;
    EXPECT([[error domain] isEqual:NSOSStatusErrorDomain] && [error code] != 0);
    note(@"error");
}
@end

static id open_sound(bool ofData) {
    AVAudioPlayer *player = [AVAudioPlayer alloc];
    if (ofData)
        OBEYS((player = [player initWithData:[NSData dataWithContentsOfFile:@"sound.wav"] error:&error]) != nil);
    else
        OBEYS((player = [player initWithContentsOfURL:url_of("sound.wav") error:&error]) != nil);
    return player;
}

/* Whether the call that failed brings frames into the queue. */
static bool loses_frames(void) {
    return strcmp(failed_call, "ExtAudioFileRead") == 0 || strcmp(failed_call, "ExtAudioFileSeek") == 0 ||
        strcmp(failed_call, "AudioQueueEnqueueBuffer") == 0;
}

/* Whether the player has told the end of the sound: as a failure if a call has failed. */
static void expect_end(AVAudioPlayer *player) {
    /* A short sound may have ended before. */
    AVAudioLinuxDispatchEvents();
    [log_of_events removeAllObjects];
    int before = hits_so_far();
    if ([player play]) {
        WAIT_UNTIL(times(@"played") + times(@"failed") == 1);
        if (hits_so_far() == 0) EXPECT_INTEGER(times(@"played"), 1);
        if (hits_so_far() > before && loses_frames()) EXPECT(times(@"failed") == 1 && times(@"error") == 1);
    } else {
        EXPECT(hits_so_far() > 0);
    }
    EXPECT(![player isPlaying]);
}

static bool isOfData;

static void play_sound(void) {
    AVAudioPlayer *player = open_sound(isOfData);
    if (!player) return;
    SoundDelegate *delegate = [[[SoundDelegate alloc] init] autorelease];
    player.delegate = delegate;
    player.volume = 0.5;
    player.enableRate = YES;
    player.rate = 1.5;
    player.meteringEnabled = YES;
    (void)[player prepareToPlay];
    (void)[player play];
    [player updateMeters];
    EXPECT(player.currentTime >= 0 && player.currentTime <= player.duration + 1);
    [player pause];
    EXPECT(![player isPlaying]);
    (void)[player play];
    [player setCurrentTime:0.01];
    [player stop];
    EXPECT(![player isPlaying]);
    if (!fails_from_there) expect_end(player);
    player.delegate = nil;
    [player release];
}

OBJC_TEST(of_player, "A player of a file says which call failed, and plays again when it can") {
    write_counting("sound.wav", kAudioFileWAVEType, 1, 2000);
    EXPECT(session() != nil);
    fail_each_call(play_sound, false);
    fail_each_call(play_sound, true);
}

OBJC_TEST(of_player_of_data, "A player of data says which call failed, and plays again when it can") {
    write_counting("sound.wav", kAudioFileWAVEType, 1, 2000);
    EXPECT(session() != nil);
    isOfData = true;
    fail_each_call(play_sound, false);
    fail_each_call(play_sound, true);
}

/* The same object, after the failure. The sound lasts longer than what is decoded ahead; the end of it is enough without a failure. */
static void play_again(void) {
    static AVAudioPlayer *player;
    if (!player) {
        player = [[AVAudioPlayer alloc] initWithContentsOfURL:url_of("sound.wav") error:NULL];
        player.delegate = [[SoundDelegate alloc] init];
    }
    bool isWhole = failing_call != 0;
    [player setNumberOfLoops:isWhole ? 2 : 0];
    [player setCurrentTime:isWhole ? 0 : player.duration - 0.02];
    expect_end(player);
    [player stop];
}

OBJC_TEST(of_playing, "A player whose sound has failed plays it again, from the start to the end") {
    write_counting("sound.wav", kAudioFileWAVEType, 1, 9000);
    EXPECT(session() != nil);
    fail_each_call(play_again, false);
}

/* ---- A recorder ---- */

static AVAudioRecorder *open_recorder(void) {
    NSDictionary *settings =
        [NSDictionary dictionaryWithObjectsAndKeys:[NSNumber numberWithUnsignedInt:kAudioFormatULaw], AVFormatIDKey,
                      [NSNumber numberWithInt:44100], AVSampleRateKey, [NSNumber numberWithInt:1], AVNumberOfChannelsKey, nil];
    AVAudioRecorder *recorder = [AVAudioRecorder alloc];
    OBEYS((recorder = [recorder initWithURL:url_of("memo.caf") settings:settings error:&error]) != nil);
    return recorder;
}

/* The recordings that ended with an error because the queue had refused a buffer. */
static int refused_buffers;

static void record_sound(void) {
    AVAudioRecorder *recorder = open_recorder();
    if (!recorder) return;
    SoundDelegate *delegate = [[[SoundDelegate alloc] init] autorelease];
    [log_of_events removeAllObjects];
    recorder.delegate = delegate;
    recorder.meteringEnabled = YES;
    (void)[recorder prepareToRecord];
    [recorder pause];
    [recorder updateMeters];
    bool isRecording = [recorder recordForDuration:0.2];
    EXPECT(recorder.currentTime >= 0);
    if (isRecording && !fails_from_there) {
        WAIT_UNTIL(times(@"recorded") + times(@"failed") == 1);
        if (strcmp(failed_call, "AudioQueueEnqueueBuffer") == 0) refused_buffers += times(@"failed") == 1 && times(@"error") == 1;
        if (times(@"recorded")) {
            ExtAudioFileRef file = NULL;
            SInt64 frames = 0;
            UInt32 size = sizeof frames;
            EXPECT_OK(ExtAudioFileLinuxOpenPath("memo.caf", &file));
            EXPECT_OK(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileLengthFrames, &size, &frames));
            EXPECT_OK(ExtAudioFileDispose(file));
            EXPECT_INTEGER(frames, 8820);
        }
    }
    if (!isRecording) EXPECT(hits_so_far() > 0 && !recorder.recording);
    [recorder stop];
    EXPECT(![recorder isRecording]);
    recorder.delegate = nil;
    [recorder release];
}

OBJC_TEST(of_recorder, "A recorder says which call failed, tells no success of a file with gaps, and records again when it can") {
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    fail_each_call(record_sound, false);
    EXPECT(refused_buffers > 0);
    fail_each_call(record_sound, true);
}
