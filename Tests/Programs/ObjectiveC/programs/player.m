/* SPDX-License-Identifier: Apache-2.0 */
/* AVAudioPlayer: what it plays, to a frame, and what its delegate hears. */
#import "sounds.h"

@interface PlayerDelegate : NSObject <AVAudioPlayerDelegate> {
  @public
    BOOL releases, throws;
}
@end

@implementation PlayerDelegate
- (void)audioPlayerDidFinishPlaying:(AVAudioPlayer *)player successfully:(BOOL)flag {
    EXPECT([NSThread isMainThread]);
    EXPECT(![player isPlaying]);
    note(flag ? @"finished" : @"failed");
    if (releases) [player release];
    if (throws) [NSException raise:@"PlayerException" format:@"on purpose"];
}

- (void)audioPlayerDecodeErrorDidOccur:(AVAudioPlayer *)player error:(NSError *)error {
    (void)player;
    EXPECT_STRING([error domain], NSOSStatusErrorDomain);
    note(@"error");
}

- (void)audioPlayerBeginInterruption:(AVAudioPlayer *)player {
    EXPECT(![player isPlaying]);
    note(@"begin");
    if (releases) [player release];
}

- (void)audioPlayerEndInterruption:(AVAudioPlayer *)player withFlags:(NSUInteger)flags {
    note([NSString stringWithFormat:@"end %lu", (unsigned long)flags]);
    EXPECT([player play]);
}
@end

static PlayerDelegate *delegate(void) { return [[[PlayerDelegate alloc] init] autorelease]; }

static AVAudioPlayer *open_player(const char *path) {
    NSError *error = nil;
    AVAudioPlayer *player = [[AVAudioPlayer alloc] initWithContentsOfURL:url_of(path) error:&error];
    if (!player) failed(__FILE__, __LINE__, "%s", [[error description] UTF8String]);
    REQUIRE(player != nil);
    return player;
}

/* Where the sound that the machine has played has these numbers, from the first to behind the last. */
static void expect_run(int first, int count) {
    size_t frames;
    float *samples = sounding(&frames);
    if (find_run(samples, frames, first, count) < 0) failed(__FILE__, __LINE__, "%d and %d more was not played", first, count);
    free(samples);
}

/* The last sound that the machine has played has these numbers. */
static void expect_last(int first, int count) {
    size_t frames;
    float *samples = sounding(&frames);
    REQUIRE(frames >= (size_t)count);
    EXPECT_INTEGER(find_run(samples + 2 * (frames - (size_t)count), (size_t)count, first, count), 0);
    free(samples);
}

OBJC_TEST(facts, "A player knows the length, the channels and the settings of its sound") {
    write_counting("sound.aiff", kAudioFileAIFFType, 2, 22050);
    AVAudioPlayer *player = open_player("sound.aiff");
    EXPECT_NUMBER(player.duration, 0.5);
    EXPECT_INTEGER(player.numberOfChannels, 2);
    EXPECT([player.url isEqual:url_of("sound.aiff")]);
    EXPECT(player.data == nil);
    EXPECT_INTEGER([[player.settings objectForKey:AVFormatIDKey] unsignedIntValue], kAudioFormatLinearPCM);
    EXPECT_NUMBER([[player.settings objectForKey:AVSampleRateKey] doubleValue], 44100);
    EXPECT_INTEGER([[player.settings objectForKey:AVNumberOfChannelsKey] intValue], 2);
    EXPECT_INTEGER([[player.settings objectForKey:AVLinearPCMBitDepthKey] intValue], 16);
    EXPECT([[player.settings objectForKey:AVLinearPCMIsBigEndianKey] boolValue]);
    EXPECT_NUMBER(player.volume, 1);
    EXPECT_NUMBER(player.pan, 0);
    EXPECT_INTEGER(player.numberOfLoops, 0);
    EXPECT_NUMBER(player.currentTime, 0);
    EXPECT(!player.playing && !player.meteringEnabled);
    [player release];
}

OBJC_TEST(wrong_sounds, "A sound that cannot be opened gives nil and an error") {
    NSError *error = nil;
    EXPECT([[AVAudioPlayer alloc] initWithContentsOfURL:nil error:&error] == nil);
    EXPECT_INTEGER([error code], -50);
    EXPECT([[AVAudioPlayer alloc] initWithContentsOfURL:(id) @"sound.wav" error:&error] == nil);
    EXPECT_INTEGER([error code], -50);
    EXPECT([[AVAudioPlayer alloc] initWithContentsOfURL:[NSURL URLWithString:@"http://example.com/a.wav"] error:&error] == nil);
    EXPECT_INTEGER([error code], -50);
    EXPECT([[AVAudioPlayer alloc] initWithContentsOfURL:url_of("missing.wav") error:&error] == nil);
    EXPECT_INTEGER([error code], kAudioFileFileNotFoundError);
    EXPECT_STRING([error domain], NSOSStatusErrorDomain);
    EXPECT([[AVAudioPlayer alloc] initWithData:nil error:&error] == nil);
    EXPECT_INTEGER([error code], -50);
    EXPECT([[AVAudioPlayer alloc] initWithData:[NSData dataWithBytes:"not a sound" length:11] error:&error] == nil);
    EXPECT_INTEGER([error code], kAudioFileUnsupportedFileTypeError);
    EXPECT([[AVAudioPlayer alloc] initWithData:[NSData data] error:NULL] == nil);
    /* For subclasses that make others. */
    AVAudioPlayer *none = [[AVAudioPlayer alloc] init];
    EXPECT(none != nil && ![none prepareToPlay] && ![none play] && !none.playing);
    [none setCurrentTime:1];
    none.volume = 0.5;
    none.numberOfLoops = 2;
    none.enableRate = YES;
    none.rate = 2;
    EXPECT(!none.enableRate);
    EXPECT_NUMBER(none.rate, 0);
    [none updateMeters];
    [none pause];
    [none stop];
    EXPECT_NUMBER(none.duration + none.currentTime + none.volume + none.numberOfChannels + none.numberOfLoops, 0);
    EXPECT_NUMBER([none peakPowerForChannel:0], -160);
    [none release];
}

/* Objects of classes that no initializer takes. */
static NSArray *wrong_objects(void) {
    return [NSArray arrayWithObjects:[NSNull null], [NSNumber numberWithInt:1], [NSArray array], [NSDictionary dictionary],
                    [NSDate date], nil];
}

OBJC_TEST(
    wrong_classes, "An argument of another class, a folder and an empty name give nil and an error; a wrong hint means nothing") {
    write_counting("sound.wav", kAudioFileWAVEType, 1, 2000);
    NSError *error = nil;
#define REFUSED(message, expected) \
    EXPECT((message) == nil); \
    EXPECT_INTEGER([error code], (OSStatus)(expected)); \
    EXPECT_STRING([error domain], NSOSStatusErrorDomain); \
    error = nil
    for (id object in wrong_objects()) {
        REFUSED([[AVAudioPlayer alloc] initWithContentsOfURL:object error:&error], kAudio_ParamError);
        REFUSED([[AVAudioPlayer alloc] initWithData:object error:&error], kAudio_ParamError);
        REFUSED([[AVAudioPlayer alloc] initWithContentsOfURL:object fileTypeHint:nil error:&error], kAudio_ParamError);
        REFUSED([[AVAudioPlayer alloc] initWithData:object fileTypeHint:nil error:&error], kAudio_ParamError);
        AVAudioPlayer *player = [[AVAudioPlayer alloc] initWithContentsOfURL:url_of("sound.wav")
                                                                fileTypeHint:object
                                                                       error:&error];
        EXPECT(player != nil && error == nil);
        [player release];
        player = [[AVAudioPlayer alloc] initWithData:[NSData dataWithContentsOfFile:@"sound.wav"]
                                        fileTypeHint:object
                                               error:&error];
        EXPECT(player != nil && error == nil);
        [player release];
    }
    REFUSED([[AVAudioPlayer alloc] initWithContentsOfURL:(id)[NSData data] error:&error], kAudio_ParamError);
    REFUSED([[AVAudioPlayer alloc] initWithData:(id) @"sound.wav" error:&error], kAudio_ParamError);
    REFUSED([[AVAudioPlayer alloc] initWithContentsOfURL:[NSURL URLWithString:@"file:"] error:&error], kAudio_ParamError);
    EXPECT([[AVAudioPlayer alloc] initWithContentsOfURL:[NSURL fileURLWithPath:@"/tmp"] error:&error] == nil);
    EXPECT([error code] != 0 && [[error localizedDescription] length] > 0);
#undef REFUSED
}

OBJC_TEST(wrong_numbers, "A level, a time, a number of loops or a channel that is none changes nothing and does not play") {
    write_counting("sound.wav", kAudioFileWAVEType, 1, 2000);
    AVAudioPlayer *player = open_player("sound.wav");
    static const float none[] = {NAN};
    player.volume = 0.5;
    player.pan = 0.5;
    for (unsigned i = 0; i < sizeof none / sizeof *none; i++) {
        player.volume = none[i];
        player.pan = none[i];
        [player setVolume:none[i] fadeDuration:1];
        EXPECT_NUMBER(player.volume, 0.5);
        EXPECT_NUMBER(player.pan, 0.5);
    }
    [player setVolume:INFINITY];
    EXPECT_NUMBER(player.volume, 1);
    [player setVolume:-INFINITY];
    EXPECT_NUMBER(player.volume, 0);
    [player setPan:-INFINITY];
    EXPECT_NUMBER(player.pan, -1);
    static const struct {
        float rate, accepted;
    } rates[] = {{1.25f, 1.25f}, {NAN, 1.25f}, {3, 2}, {NAN, 2}, {0, 0.5f}, {INFINITY, 2}, {-INFINITY, 0.5f}, {1, 1}};
    for (unsigned i = 0; i < sizeof rates / sizeof *rates; i++) {
        player.rate = rates[i].rate;
        EXPECT_NUMBER(player.rate, rates[i].accepted);
    }
    static const NSTimeInterval fades[] = {NAN, -1, -INFINITY, -1e300};
    for (unsigned i = 0; i < sizeof fades / sizeof *fades; i++) {
        [player setVolume:i % 2 ? 0.25f : 0.75f fadeDuration:fades[i]];
        EXPECT_NUMBER(player.volume, i % 2 ? 0.25 : 0.75);
    }
    static const NSTimeInterval times_[] = {NAN, INFINITY, -INFINITY, -1, 1e300};
    for (unsigned i = 0; i < sizeof times_ / sizeof *times_; i++) {
        EXPECT(![player playAtTime:times_[i]]);
        EXPECT(!player.playing);
    }
    static const NSInteger loops[] = {NSIntegerMin, NSIntegerMax, -1, 0};
    for (unsigned i = 0; i < sizeof loops / sizeof *loops; i++) {
        player.numberOfLoops = loops[i];
        EXPECT_INTEGER(player.numberOfLoops, loops[i]);
    }
    player.meteringEnabled = YES;
    [player updateMeters];
    static const NSUInteger channels[] = {1, 2, 1000, NSUIntegerMax};
    for (unsigned i = 0; i < sizeof channels / sizeof *channels; i++) {
        EXPECT_NUMBER([player peakPowerForChannel:channels[i]], -160);
        EXPECT_NUMBER([player averagePowerForChannel:channels[i]], -160);
    }
    player.delegate = nil;
    player.delegate = (id) @"not a delegate";
    EXPECT([player play]);
    WAIT_FOR_SOUND(!player.playing);
    player.delegate = nil;
    [player release];
}

OBJC_TEST(exact, "The machine plays each frame of the file once, and the delegate hears of the end") {
    record_what_is_played();
    write_counting("sound.wav", kAudioFileWAVEType, 2, 25000);
    AVAudioPlayer *player = open_player("sound.wav");
    player.delegate = delegate();
    EXPECT([player play]);
    EXPECT(player.playing);
    EXPECT([player play]);
    WAIT_FOR_EVENT(@"finished");
    EXPECT_NUMBER(player.currentTime, 0);
    expect_run(1, 25000);
    EXPECT([player play]);
    WAIT_UNTIL(times(@"finished") == 2);
    [player release];
}

/* A player of samples that are all 1/32768: what the machine plays of them is the gain. */
static AVAudioPlayer *open_ones(UInt32 frames) {
    record_what_is_played();
    write_counting_to(1, "sound.wav", kAudioFileWAVEType, 1, frames);
    AVAudioPlayer *player = open_player("sound.wav");
    player.delegate = delegate();
    return player;
}

static void play_at_full_volume(AVAudioPlayer *player) {
    player.volume = 1;
    EXPECT([player play]);
    WAIT_FOR_SOUND(player.currentTime > 0.1);
}

OBJC_TEST(fade, "A volume with a duration is reached evenly in this time, and one without, or with one that is none, in 5 ms") {
    enum { LIVES = 3 };
    static const NSTimeInterval none[LIVES] = {0, NAN, INFINITY};
    AVAudioPlayer *player = open_ones(66150);
    for (int life = 1; life <= LIVES; life++) {
        play_at_full_volume(player);
        [player setVolume:0.25f fadeDuration:0.2];
        WAIT_FOR_SOUND(player.currentTime > 0.5);
        [player setVolume:0.75f fadeDuration:none[life - 1]];
        WAIT_UNTIL(times(@"finished") == life);
    }
    [player release];
    size_t frames, between = 0, after = 0;
    float *samples = sounding(&frames);
    for (size_t i = 0; i < frames; i++) {
        float gain = samples[2 * i] * 32768;
        between += gain > 0.3f && gain < 0.7f;
        after += gain == 0.75f;
    }
    free(samples);
    /* Of the fade 0.4 / 0.75 of 0.2 s, and 0.4 / 0.5 of the 5 ms in which each new volume is reached. The sound plays 1.5 s. */
    long expected = LIVES * (4704 + 176);
    if (labs((long)between - expected) > expected / 100)
        failed(__FILE__, __LINE__, "%zu frames of the fades, not %ld", between, expected);
    EXPECT(after > LIVES * 11025);
}

OBJC_TEST(long_fade, "A fade of more than an hour takes an hour, also when the one before took no time") {
    enum { LIVES = 2 };
    AVAudioPlayer *player = open_ones(22050);
    for (int life = 1; life <= LIVES; life++) {
        play_at_full_volume(player);
        [player setVolume:0.25f fadeDuration:life == 1 ? 1e300 : 3601];
        WAIT_UNTIL(times(@"finished") == life);
    }
    [player release];
    size_t frames, lower = 0;
    float *samples = sounding(&frames);
    for (size_t i = 0; i < frames; i++) lower += samples[2 * i] * 32768 < 0.999f;
    free(samples);
    EXPECT(frames >= LIVES * 22050);
    EXPECT_INTEGER(lower, 0);
}

OBJC_TEST(data, "A player of data keeps the data and plays it") {
    record_what_is_played();
    write_counting("sound.caf", kAudioFileCAFType, 1, 3000);
    NSData *data = [NSData dataWithContentsOfFile:@"sound.caf"];
    AVAudioPlayer *player = [[AVAudioPlayer alloc] initWithData:data fileTypeHint:@"com.apple.coreaudio-format" error:NULL];
    EXPECT([player.data isEqual:data] && player.url == nil);
    player.delegate = delegate();
    EXPECT([player prepareToPlay]);
    EXPECT([player play]);
    WAIT_FOR_EVENT(@"finished");
    expect_run(1, 3000);
    [player release];
}

OBJC_TEST(loops, "Loops follow each other without a gap, in each life of the player") {
    enum { LIVES = 2, FRAMES = 15000 };
    record_what_is_played();
    write_counting("sound.wav", kAudioFileWAVEType, 1, 5000);
    AVAudioPlayer *player = open_player("sound.wav");
    player.delegate = delegate();
    player.numberOfLoops = 2;
    for (int life = 1; life <= LIVES; life++) {
        EXPECT([player play]);
        WAIT_UNTIL(times(@"finished") == life);
        EXPECT_INTEGER(player.numberOfLoops, 2);
    }
    size_t frames;
    float *samples = sounding(&frames);
    EXPECT_INTEGER(frames, LIVES * FRAMES);
    for (size_t i = 0; i < frames; i++)
        if (samples[2 * i] != (float)(i % 5000 + 1) / 32768) {
            failed(__FILE__, __LINE__, "frame %zu is %g", i, samples[2 * i] * 32768);
            break;
        }
    free(samples);
    [player release];
}

OBJC_TEST(endless, "A negative number of loops plays until stop; stop keeps the position and calls no delegate") {
    write_counting("sound.wav", kAudioFileWAVEType, 1, 2000);
    AVAudioPlayer *player = open_player("sound.wav");
    player.delegate = delegate();
    player.numberOfLoops = -1;
    EXPECT([player play]);
    NSTimeInterval start = player.deviceCurrentTime;
    while (player.deviceCurrentTime < start + 1) turn(milliseconds() + 50);
    EXPECT(player.playing);
    EXPECT(player.currentTime >= 0 && player.currentTime <= player.duration);
    [player stop];
    EXPECT(!player.playing);
    EXPECT_INTEGER([log_of_events count], 0);
    [player release];
}

/* The sound does not end before a slow machine has done what it does during the sound. */
static void play_endlessly(AVAudioPlayer *player) {
    player.numberOfLoops = -1;
    EXPECT([player play]);
}

/* Pauses, and returns the time when the device has played what it had. */
static NSTimeInterval pause_of(AVAudioPlayer *player) {
    NSTimeInterval paused = 0;
    [player pause];
    while (paused != player.currentTime) {
        paused = player.currentTime;
        turn(milliseconds() + 100);
    }
    return paused;
}

OBJC_TEST(pause_and_seek, "pause keeps the position, and a new currentTime is exact to a frame") {
    record_what_is_played();
    write_counting("sound.wav", kAudioFileWAVEType, 1, 29000);
    AVAudioPlayer *player = open_player("sound.wav");
    player.delegate = delegate();
    [player setCurrentTime:20000.0 / 44100];
    EXPECT_NUMBER(player.currentTime, 20000.0 / 44100);
    EXPECT([player play]);
    WAIT_FOR_EVENT(@"finished");
    expect_run(20001, 9000);
    play_endlessly(player);
    WAIT_FOR_SOUND(player.currentTime > 0.05);
    NSTimeInterval paused = pause_of(player);
    EXPECT(!player.playing && paused > 0 && paused < player.duration);
    turn(milliseconds() + 100);
    EXPECT_NUMBER(player.currentTime, paused);
    EXPECT([player play]);
    player.numberOfLoops = 0;
    [player setCurrentTime:25000.0 / 44100];
    EXPECT(player.currentTime >= 25000.0 / 44100 || !player.playing);
    WAIT_UNTIL(times(@"finished") == 2);
    expect_run(25001, 4000);
    player.currentTime = NAN;
    EXPECT_NUMBER(player.currentTime, 0);
    player.currentTime = 1e9;
    EXPECT_NUMBER(player.currentTime, player.duration);
    player.currentTime = -1;
    EXPECT_NUMBER(player.currentTime, 0);
    [player release];
}

OBJC_TEST(again_from_the_start, "A player that has played from a time to the end begins at 0 again, in each life") {
    enum { LIVES = 2, FRAMES = 20000 };
    record_what_is_played();
    write_counting("sound.wav", kAudioFileWAVEType, 1, FRAMES);
    AVAudioPlayer *player = open_player("sound.wav");
    player.delegate = delegate();
    for (int life = 1; life <= LIVES; life++) {
        [player setCurrentTime:15000.0 / 44100];
        EXPECT([player play]);
        WAIT_UNTIL(times(@"finished") == 2 * life - 1);
        EXPECT_NUMBER(player.currentTime, 0);
        EXPECT([player play]);
        WAIT_UNTIL(times(@"finished") == 2 * life);
        EXPECT_NUMBER(player.currentTime, 0);
        expect_last(1, FRAMES);
    }
    [player release];
}

OBJC_TEST(levels, "Volume, pan and meters are those of the queue") {
    record_what_is_played();
    write_counting("sound.wav", kAudioFileWAVEType, 1, 29000);
    AVAudioPlayer *player = open_player("sound.wav");
    player.volume = 0.5;
    player.pan = -1;
    EXPECT_NUMBER(player.volume, 0.5);
    EXPECT_NUMBER(player.pan, -1);
    player.volume = 7;
    EXPECT_NUMBER(player.volume, 1);
    player.volume = 0.5;
    EXPECT_NUMBER([player averagePowerForChannel:0], -160);
    player.meteringEnabled = YES;
    EXPECT(player.meteringEnabled);
    player.delegate = delegate();
    EXPECT([player play]);
    while (times(@"finished") == 0 && [player peakPowerForChannel:0] < -20) {
        turn(milliseconds() + 20);
        [player updateMeters];
    }
    EXPECT([player peakPowerForChannel:0] >= -20 && [player peakPowerForChannel:0] <= 0);
    EXPECT([player averagePowerForChannel:0] > -160);
    EXPECT_NUMBER([player peakPowerForChannel:5], -160);
    WAIT_FOR_EVENT(@"finished");
    size_t frames, loud = 0;
    float *samples = played(&frames);
    for (size_t i = 0; i < frames; i++) {
        EXPECT(samples[2 * i + 1] == 0);
        loud += samples[2 * i] > 0.4f && samples[2 * i] < 0.5f;
    }
    EXPECT(loud > 1000);
    free(samples);
    [player release];
}

/* Plays the sound to its end, and returns the number of frames that the machine has played for it. */
static long frames_of_play(AVAudioPlayer *player) {
    size_t before, after;
    free(sounding(&before));
    [log_of_events removeAllObjects];
    EXPECT([player play]);
    WAIT_FOR_EVENT(@"finished");
    free(sounding(&after));
    return (long)(after - before);
}

/* A change of the speed overlaps segments: their number is not exact. */
#define EXPECT_ABOUT(frames, expected) \
    do { \
        long frames_ = (long)(frames), expected_ = (long)(expected); \
        if (labs(frames_ - expected_) > 2500) \
            failed(__FILE__, __LINE__, "%s is %ld, not about %ld", #frames, frames_, expected_); \
    } while (0)

OBJC_TEST(rate, "With enableRate a player plays at its rate, without it each frame once") {
    record_what_is_played();
    write_counting("sound.wav", kAudioFileWAVEType, 1, 20000);
    AVAudioPlayer *player = open_player("sound.wav");
    player.delegate = delegate();
    EXPECT(!player.enableRate);
    EXPECT_NUMBER(player.rate, 1);
    player.rate = 2;
    EXPECT([player play]);
    WAIT_FOR_EVENT(@"finished");
    expect_last(1, 20000);
    player.enableRate = YES;
    EXPECT(player.enableRate);
    EXPECT_ABOUT(frames_of_play(player), 10000);
    /* A rate that comes when the buffers are ready. */
    EXPECT([player prepareToPlay]);
    player.rate = 0.5;
    EXPECT_ABOUT(frames_of_play(player), 40000);
    EXPECT_NUMBER(player.currentTime, 0);
    EXPECT_NUMBER(player.duration, 20000.0 / 44100);
    player.enableRate = NO;
    EXPECT_ABOUT(frames_of_play(player), 20000);
    expect_last(1, 20000);
    EXPECT_NUMBER(player.rate, 0.5);
    [player release];
}

OBJC_TEST(rate_and_time, "The time of a player with a rate is that of its sound, from a new time on") {
    record_what_is_played();
    write_counting("sound.wav", kAudioFileWAVEType, 1, 2000000);
    AVAudioPlayer *player = open_player("sound.wav");
    player.delegate = delegate();
    player.enableRate = YES;
    player.rate = 2;
    player.currentTime = 10;
    EXPECT([player play]);
    WAIT_FOR_SOUND(player.currentTime > 10.5);
    NSTimeInterval paused = pause_of(player);
    size_t frames;
    free(sounding(&frames));
    EXPECT_ABOUT(frames, (paused - 10) * 44100 / 2);
    player.currentTime = player.duration - 20000.0 / 44100;
    EXPECT_ABOUT(frames_of_play(player), 10000);
    [player release];
}

OBJC_TEST(at_time, "playAtTime begins at a time of deviceCurrentTime") {
    write_counting("sound.wav", kAudioFileWAVEType, 1, 2000);
    AVAudioPlayer *player = open_player("sound.wav");
    player.delegate = delegate();
    NSTimeInterval start = player.deviceCurrentTime;
    EXPECT(![player playAtTime:NAN]);
    EXPECT([player playAtTime:start + 0.5]);
    WAIT_FOR_EVENT(@"finished");
    EXPECT(player.deviceCurrentTime >= start + 0.5 + 2000.0 / 44100);
    [player release];
}

OBJC_TEST(released_by_delegate, "A delegate may release the player when it has finished, and may throw") {
    write_counting("sound.wav", kAudioFileWAVEType, 1, 2000);
    PlayerDelegate *releasing = delegate();
    releasing->releases = YES;
    AVAudioPlayer *first = open_player("sound.wav");
    first.delegate = releasing;
    EXPECT([first play]);
    WAIT_FOR_EVENT(@"finished");
    int log = open("log", O_RDWR | O_CREAT | O_TRUNC, 0600), standard_error = dup(2);
    PlayerDelegate *throwing = delegate();
    throwing->throws = YES;
    AVAudioPlayer *second = open_player("sound.wav"), *third = open_player("sound.wav");
    second.delegate = throwing;
    third.delegate = delegate();
    dup2(log, 2);
    EXPECT([second play] && [third play]);
    WAIT_UNTIL(times(@"finished") == 3);
    dup2(standard_error, 2);
    [second release];
    [third release];
}

OBJC_TEST(released_while_playing, "A player that is released while it plays is silent, and its delegate hears nothing") {
    write_counting("sound.wav", kAudioFileWAVEType, 1, 4000);
    for (int i = 0; i < 10; i++) {
        AVAudioPlayer *player = open_player("sound.wav");
        player.delegate = delegate();
        EXPECT([player play]);
        [player release];
    }
    AVAudioPlayer *last = open_player("sound.wav");
    last.delegate = delegate();
    EXPECT([last play]);
    WAIT_FOR_EVENT(@"finished");
    EXPECT_INTEGER(times(@"finished"), 1);
    [last release];
}

OBJC_TEST(interrupted, "An interruption pauses the player, and play goes on with the next frame") {
    record_what_is_played();
    write_counting("sound.wav", kAudioFileWAVEType, 1, 29000);
    SET_CATEGORY(AVAudioSessionCategoryPlayback);
    AVAudioPlayer *player = open_player("sound.wav");
    player.delegate = delegate();
    play_endlessly(player);
    WAIT_FOR_SOUND(player.currentTime > 0.1);
    SIMULATE("interrupt begin");
    WAIT_FOR_EVENT(@"begin");
    EXPECT(![player play]);
    NSTimeInterval where = player.currentTime;
    EXPECT(where > 0 && where < player.duration);
    SIMULATE("interrupt end");
    WAIT_FOR_EVENT(@"end 1");
    EXPECT(player.playing);
    player.numberOfLoops = 0;
    WAIT_FOR_EVENT(@"finished");
    EXPECT_INTEGER(times(@"begin"), 1);
    expect_last(26001, 3000);
    [player release];
}

OBJC_TEST(stopped_before, "A player hears only of an interruption that stops it, also after one that has stopped it") {
    write_counting("sound.wav", kAudioFileWAVEType, 1, 29000);
    SET_CATEGORY(AVAudioSessionCategoryPlayback);
    AVAudioPlayer *player = open_player("sound.wav"), *other = open_player("sound.wav");
    player.delegate = delegate();
    other.delegate = delegate();
    play_endlessly(player);
    play_endlessly(other);
    WAIT_FOR_SOUND(player.currentTime > 0 && other.currentTime > 0);
    interrupt_once(2);
    [player stop];
    interrupt_once(3);
    interrupt_once(4);
    EXPECT(!player.playing && other.playing);
    [player release];
    [other release];
}

OBJC_TEST(deactivated,
    "A player that the program stops by a deactivation hears nothing, also of the next interruption, and plays again") {
    write_counting("sound.wav", kAudioFileWAVEType, 1, 29000);
    SET_CATEGORY(AVAudioSessionCategoryPlayback);
    AVAudioPlayer *player = open_player("sound.wav"), *other = open_player("sound.wav");
    player.delegate = delegate();
    other.delegate = delegate();
    /* With a start that is heard, and with one that is not reached. */
    for (int life = 1; life <= 4; life++) {
        player.numberOfLoops = -1;
        if (life % 2) {
            EXPECT([player play]);
            WAIT_FOR_SOUND(player.currentTime > 0);
        } else {
            EXPECT([player playAtTime:player.deviceCurrentTime + 1000]);
        }
        [session() setActive:NO error:NULL];
        EXPECT(!player.playing);
        play_endlessly(other);
        WAIT_FOR_SOUND(other.currentTime > 0);
        interrupt_once(life);
        EXPECT(!player.playing && other.playing);
        EXPECT([player play]);
        player.numberOfLoops = 0;
        WAIT_UNTIL(times(@"finished") == life);
    }
    [player release];
    [other release];
}

OBJC_TEST(interrupted_near_the_end, "An interruption in the last buffer is no end of the sound") {
    write_counting("sound.wav", kAudioFileWAVEType, 1, 12000);
    SET_CATEGORY(AVAudioSessionCategoryPlayback);
    AVAudioPlayer *player = open_player("sound.wav");
    player.delegate = delegate();
    /* Again, if the sound has ended before the interruption. */
    do {
        [log_of_events removeAllObjects];
        EXPECT([player play]);
        WAIT_FOR_SOUND(player.currentTime > 0.05 || times(@"finished"));
        SIMULATE("interrupt begin");
        WAIT_UNTIL(times(@"begin") || times(@"finished"));
        SIMULATE("interrupt end");
        WAIT_FOR_EVENT(@"finished");
    } while (times(@"begin") == 0);
    EXPECT_STRING([log_of_events objectAtIndex:0], @"begin");
    EXPECT_STRING([log_of_events objectAtIndex:1], @"end 1");
    [player release];
}

OBJC_TEST(server_death, "After the death of the audio server the player plays again") {
    write_counting("sound.wav", kAudioFileWAVEType, 1, 29000);
    AVAudioPlayer *player = open_player("sound.wav");
    player.delegate = delegate();
    play_endlessly(player);
    WAIT_FOR_SOUND(player.currentTime > 0.1);
    SIMULATE("server die");
    /* The queue is told by another thread than the session. */
    WAIT_FOR_SOUND(![player play]);
    EXPECT(!player.playing);
    SIMULATE("server restart");
    EXPECT([player play]);
    player.numberOfLoops = 0;
    WAIT_FOR_EVENT(@"finished");
    [player release];
}

OBJC_TEST(two_players, "Two players play at the same time") {
    write_counting("sound.wav", kAudioFileWAVEType, 1, 5000);
    AVAudioPlayer *first = open_player("sound.wav"), *second = open_player("sound.wav");
    first.delegate = second.delegate = delegate();
    EXPECT([first play] && [second play]);
    WAIT_UNTIL(times(@"finished") == 2);
    [first release];
    [second release];
}
