/* SPDX-License-Identifier: Apache-2.0 */
/* AVAudioRecorder: what is in the file, and what its delegate hears. */
/* RTLD_NEXT */
#define _GNU_SOURCE
#import "sounds.h"
#include <dlfcn.h>
#include <semaphore.h>
#include <sys/stat.h>
#include <unistd.h>

@interface RecorderDelegate : NSObject <AVAudioRecorderDelegate> {
  @public
    BOOL releases;
}
@end

@implementation RecorderDelegate
- (void)audioRecorderDidFinishRecording:(AVAudioRecorder *)recorder successfully:(BOOL)flag {
    EXPECT([NSThread isMainThread]);
    EXPECT(![recorder isRecording]);
    note(flag ? @"finished" : @"failed");
    if (releases) [recorder release];
}

- (void)audioRecorderEncodeErrorDidOccur:(AVAudioRecorder *)recorder error:(NSError *)error {
    (void)recorder;
    EXPECT_STRING([error domain], NSOSStatusErrorDomain);
    note(@"error");
}

- (void)audioRecorderBeginInterruption:(AVAudioRecorder *)recorder {
    EXPECT(![recorder isRecording]);
    note(@"begin");
}

- (void)audioRecorderEndInterruption:(AVAudioRecorder *)recorder withOptions:(NSUInteger)flags {
    note([NSString stringWithFormat:@"end %lu", (unsigned long)flags]);
    EXPECT([recorder record]);
}
@end

/* Begins another recording when one has failed, and lifts the limit of the size of a file. */
@interface RestartingDelegate : RecorderDelegate
@end

@implementation RestartingDelegate
- (void)audioRecorderDidFinishRecording:(AVAudioRecorder *)recorder successfully:(BOOL)flag {
    (void)recorder;
    note(flag ? @"finished" : @"failed");
}

- (void)audioRecorderEncodeErrorDidOccur:(AVAudioRecorder *)recorder error:(NSError *)error {
    struct rlimit none;
    [super audioRecorderEncodeErrorDidOccur:recorder error:error];
    getrlimit(RLIMIT_FSIZE, &none);
    none.rlim_cur = none.rlim_max;
    setrlimit(RLIMIT_FSIZE, &none);
    [recorder stop];
    EXPECT([recorder record]);
}
@end

static RecorderDelegate *delegate(void) { return [[[RecorderDelegate alloc] init] autorelease]; }

static NSMutableDictionary *settings_of(UInt32 format, double rate, int channels) {
    return [NSMutableDictionary dictionaryWithObjectsAndKeys:[NSNumber numberWithUnsignedInt:format], AVFormatIDKey,
                                [NSNumber numberWithDouble:rate], AVSampleRateKey, [NSNumber numberWithInt:channels],
                                AVNumberOfChannelsKey, nil];
}

static AVAudioRecorder *open_recorder(const char *path, NSDictionary *settings) {
    NSError *error = nil;
    AVAudioRecorder *recorder = [[AVAudioRecorder alloc] initWithURL:url_of(path) settings:settings error:&error];
    if (!recorder) failed(__FILE__, __LINE__, "%s", [[error description] UTF8String]);
    REQUIRE(recorder != nil);
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    return recorder;
}

/* The format of a file, and its frames as integers of one channel. */
static int16_t *read_file(const char *path, AudioStreamBasicDescription *format, SInt64 *frames) {
    ExtAudioFileRef file;
    UInt32 size = sizeof *format;
    REQUIRE(ExtAudioFileLinuxOpenPath(path, &file) == 0);
    EXPECT_OK(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileDataFormat, &size, format));
    size = sizeof *frames;
    EXPECT_OK(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileLengthFrames, &size, frames));
    AudioStreamBasicDescription client = {format->mSampleRate, kAudioFormatLinearPCM,
        kAudioFormatFlagIsSignedInteger | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked, 2 * format->mChannelsPerFrame,
        1, 2 * format->mChannelsPerFrame, format->mChannelsPerFrame, 16, 0};
    EXPECT_OK(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client));
    int16_t *samples = calloc((size_t)*frames + 1, client.mBytesPerFrame);
    UInt32 done = 0, count;
    do {
        count = (UInt32)*frames - done;
        AudioBufferList list = {
            1, {{client.mChannelsPerFrame, count * client.mBytesPerFrame, samples + done * client.mChannelsPerFrame}}};
        EXPECT_OK(ExtAudioFileRead(file, &count, &list));
        done += count;
    } while (count);
    EXPECT_INTEGER(done, *frames);
    EXPECT_OK(ExtAudioFileDispose(file));
    return samples;
}

/* The numbers of the microphone count up, but for the places where the recording paused. A machine that is too slow loses frames: the
   recorder says how many. */
static void expect_whole(int line, AVAudioRecorder *recorder, const int16_t *samples, SInt64 frames, int pauses) {
    long long lost = AVAudioLinuxLostFrames(recorder), missing = 0, jumps = 0;
    for (SInt64 i = 1; i < frames; i++) {
        int skipped = (samples[i] - samples[i - 1] + 29999) % 30000;
        missing += skipped;
        jumps += skipped != 0;
    }
    if (lost == 0 && jumps > pauses) failed(__FILE__, line, "the recording has %lld gaps and no lost frame", jumps);
    if (lost > 0 && pauses == 0 && missing % 30000 != lost % 30000)
        failed(__FILE__, line, "%lld frames are missing, and %lld lost", missing, lost);
}
#define EXPECT_WHOLE(...) expect_whole(__LINE__, __VA_ARGS__)

OBJC_TEST(exact, "recordForDuration: writes this number of frames of the microphone, and then tells the delegate") {
    AudioStreamBasicDescription format;
    SInt64 frames;
    write_microphone();
    AVAudioRecorder *recorder = open_recorder("memo.wav", settings_of(kAudioFormatLinearPCM, 44100, 1));
    recorder.delegate = delegate();
    EXPECT([recorder prepareToRecord]);
    EXPECT(!recorder.recording);
    EXPECT([recorder recordForDuration:0.5]);
    EXPECT(recorder.recording);
    WAIT_FOR_EVENT(@"finished");
    EXPECT(!recorder.recording);
    EXPECT_NUMBER(recorder.currentTime, 0);
    int16_t *samples = read_file("memo.wav", &format, &frames);
    EXPECT_INTEGER(frames, 22050);
    EXPECT_WHOLE(recorder, samples, frames, 0);
    EXPECT_INTEGER(format.mBitsPerChannel, 16);
    free(samples);
    EXPECT_INTEGER(times(@"finished"), 1);
    [recorder release];
}

OBJC_TEST(durations, "A duration is that of the nearest number of frames, and counts from the end of what is recorded") {
    /* 0.35 s and 0.7 s are a little less than a whole number of frames. */
    static const double seconds[] = {0.35, 0.7, 0.1};
    AudioStreamBasicDescription format;
    SInt64 frames;
    write_microphone();
    for (int i = 0; i < 3; i++) {
        AVAudioRecorder *recorder = open_recorder("memo.wav", settings_of(kAudioFormatLinearPCM, 44100, 1));
        recorder.delegate = delegate();
        EXPECT([recorder recordForDuration:seconds[i]]);
        WAIT_UNTIL(times(@"finished") == 2 * i + 1);
        free(read_file("memo.wav", &format, &frames));
        EXPECT_INTEGER(frames, lrint(seconds[i] * 44100));
        NSTimeInterval paused = -1;
        EXPECT([recorder record]);
        WAIT_FOR_SOUND(recorder.currentTime > 0.2);
        [recorder pause];
        /* The last buffer comes after the call. */
        while (paused != recorder.currentTime) {
            paused = recorder.currentTime;
            turn(milliseconds() + 100);
        }
        EXPECT([recorder recordForDuration:seconds[i]]);
        WAIT_UNTIL(times(@"finished") == 2 * i + 2);
        free(read_file("memo.wav", &format, &frames));
        /* What a busy machine loses is in the time, and not in the file. */
        if (AVAudioLinuxLostFrames(recorder) == 0) EXPECT_INTEGER(frames, lrint(paused * 44100) + lrint(seconds[i] * 44100));
        [recorder release];
    }
}

OBJC_TEST(duration_taken_away, "record takes away the duration of the call before it, while paused and not, in each life") {
    AudioStreamBasicDescription format;
    SInt64 frames;
    write_microphone();
    AVAudioRecorder *recorder = open_recorder("memo.wav", settings_of(kAudioFormatLinearPCM, 44100, 1));
    recorder.delegate = delegate();
    for (int life = 1; life <= 4; life++) {
        EXPECT([recorder recordForDuration:0.2]);
        if (life % 2) [recorder pause];
        EXPECT([recorder record]);
        WAIT_FOR_SOUND(!recorder.recording || recorder.currentTime > 0.6);
        EXPECT(recorder.recording);
        [recorder stop];
        WAIT_UNTIL(times(@"finished") == life);
        free(read_file("memo.wav", &format, &frames));
        EXPECT(frames + AVAudioLinuxLostFrames(recorder) > 0.5 * 44100);
    }
    [recorder release];
}

/* Returns when the file has this size, without a turn of the run loop. */
static void wait_for_size(const char *path, off_t size) {
    struct stat now = {0};
    long long deadline = milliseconds() + TIME_LIMIT_MS;
    while (stat(path, &now) != 0 || now.st_size < size) {
        usleep(1000);
        if (milliseconds() > deadline) end_of_time(__FILE__, __LINE__, path);
    }
}

OBJC_TEST(another_after_the_end, "A recording that has ended before stop and record ends no other one") {
    write_microphone();
    AVAudioRecorder *recorder = open_recorder("memo.wav", settings_of(kAudioFormatLinearPCM, 44100, 1));
    for (int life = 0; life < 2; life++) {
        EXPECT([recorder recordForDuration:0.05]);
        wait_for_size("memo.wav", (off_t)(0.05 * 44100 * 2));
        [recorder stop];
        EXPECT([recorder record]);
        WAIT_FOR_SOUND(!recorder.recording || recorder.currentTime > 0.3);
        EXPECT(recorder.recording);
        [recorder stop];
    }
    [recorder release];
}

OBJC_TEST(pause_and_stop, "pause keeps the file open, record goes on, and stop completes the file") {
    AudioStreamBasicDescription format;
    SInt64 frames;
    write_microphone();
    AVAudioRecorder *recorder = open_recorder("memo.caf", settings_of(kAudioFormatLinearPCM, 44100, 1));
    recorder.delegate = delegate();
    EXPECT([recorder record]);
    WAIT_FOR_SOUND(recorder.currentTime > 0.3);
    [recorder pause];
    EXPECT(!recorder.recording && recorder.currentTime > 0.2);
    EXPECT_INTEGER(times(@"finished"), 0);
    EXPECT([recorder record]);
    WAIT_FOR_SOUND(recorder.currentTime > 0.7);
    [recorder stop];
    WAIT_FOR_EVENT(@"finished");
    int16_t *samples = read_file("memo.caf", &format, &frames);
    EXPECT(frames + AVAudioLinuxLostFrames(recorder) > 0.6 * 44100);
    EXPECT_WHOLE(recorder, samples, frames, 1);
    free(samples);
    EXPECT([recorder deleteRecording]);
    EXPECT(access("memo.caf", F_OK) != 0);
    EXPECT(![recorder deleteRecording]);
    [recorder release];
}

OBJC_TEST(formats, "The settings select the format of the file") {
    struct {
        const char *path;
        NSMutableDictionary *settings;
        UInt32 format, bits, flags;
    } all[] = {
        {"a.wav", settings_of(kAudioFormatLinearPCM, 22050, 2), kAudioFormatLinearPCM, 16, kAudioFormatFlagIsSignedInteger},
        {"a.aiff", settings_of(kAudioFormatLinearPCM, 44100, 1), kAudioFormatLinearPCM, 16,
            kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian},
        {"a.caf", settings_of(kAudioFormatLinearPCM, 48000, 1), kAudioFormatLinearPCM, 32, kAudioFormatFlagIsFloat},
        {"b.wav", settings_of(kAudioFormatLinearPCM, 44100, 1), kAudioFormatLinearPCM, 24, kAudioFormatFlagIsSignedInteger},
        {"b.caf", settings_of(kAudioFormatAppleIMA4, 44100, 1), kAudioFormatAppleIMA4, 0, 0},
        {"c.caf", settings_of(kAudioFormatULaw, 8000, 1), kAudioFormatULaw, 8, 0},
        {"c.wav", settings_of(kAudioFormatLinearPCM, 44100, 1), kAudioFormatLinearPCM, 8, 0},
        {"d.caf", settings_of(kAudioFormatLinearPCM, 44100, 1), kAudioFormatLinearPCM, 8, kAudioFormatFlagIsSignedInteger},
        {"d.aiff", settings_of(kAudioFormatLinearPCM, 44100, 1), kAudioFormatLinearPCM, 8, kAudioFormatFlagIsSignedInteger},
    };
    for (int i = 6; i < 9; i++) [all[i].settings setObject:[NSNumber numberWithInt:8] forKey:AVLinearPCMBitDepthKey];
    [all[2].settings setObject:[NSNumber numberWithBool:YES] forKey:AVLinearPCMIsFloatKey];
    [all[2].settings setObject:[NSNumber numberWithInt:32] forKey:AVLinearPCMBitDepthKey];
    [all[3].settings setObject:[NSNumber numberWithInt:24] forKey:AVLinearPCMBitDepthKey];
    [all[4].settings setObject:[NSNumber numberWithInt:12800] forKey:AVEncoderBitRateKey];
    [all[4].settings setObject:[NSNumber numberWithInt:AVAudioQualityHigh] forKey:AVEncoderAudioQualityKey];
    write_microphone();
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        AudioStreamBasicDescription format;
        SInt64 frames;
        AVAudioRecorder *recorder = open_recorder(all[i].path, all[i].settings);
        EXPECT([recorder.settings isEqual:all[i].settings]);
        EXPECT([recorder recordForDuration:0.2]);
        recorder.delegate = delegate();
        WAIT_UNTIL(times(@"finished") == (int)i + 1);
        free(read_file(all[i].path, &format, &frames));
        EXPECT_INTEGER(format.mFormatID, all[i].format);
        EXPECT_NUMBER(format.mSampleRate, [[all[i].settings objectForKey:AVSampleRateKey] doubleValue]);
        EXPECT_INTEGER(format.mChannelsPerFrame, [[all[i].settings objectForKey:AVNumberOfChannelsKey] intValue]);
        EXPECT_INTEGER(format.mBitsPerChannel, all[i].bits);
        if (all[i].format == kAudioFormatLinearPCM) {
            EXPECT_INTEGER(format.mFormatFlags & 7, all[i].flags);
            EXPECT_INTEGER(frames, (SInt64)(0.2 * format.mSampleRate));
        }
        [recorder release];
    }
}

/* The disk takes its time for the next write. */
static bool is_slow;
static sem_t writes, goes_on;

OSStatus ExtAudioFileWrite(ExtAudioFileRef file, UInt32 frames, const AudioBufferList *list) {
    if (__atomic_exchange_n(&is_slow, false, __ATOMIC_ACQ_REL)) {
        sem_post(&writes);
        while (sem_wait(&goes_on) != 0) {}
    }
    return ((__typeof__(&ExtAudioFileWrite))(intptr_t)dlsym(RTLD_NEXT, "ExtAudioFileWrite"))(file, frames, list);
}

OBJC_TEST(slow_disk, "A disk that is late by more than the buffers have room for costs frames, and the recorder says how many") {
    AudioStreamBasicDescription format;
    SInt64 frames;
    REQUIRE(sem_init(&writes, 0, 0) == 0 && sem_init(&goes_on, 0, 0) == 0);
    write_microphone();
    AVAudioRecorder *recorder = open_recorder("memo.wav", settings_of(kAudioFormatLinearPCM, 44100, 1));
    AVAudioRecorder *other = open_recorder("other.wav", settings_of(kAudioFormatLinearPCM, 44100, 1));
    recorder.delegate = delegate();
    is_slow = true;
    EXPECT([recorder recordForDuration:0.8]);
    while (sem_wait(&writes) != 0) {}
    EXPECT([other record]);
    WAIT_FOR_SOUND(other.currentTime > 0.7);
    sem_post(&goes_on);
    WAIT_FOR_EVENT(@"finished");
    int16_t *samples = read_file("memo.wav", &format, &frames);
    EXPECT_INTEGER(frames, 35280);
    EXPECT(AVAudioLinuxLostFrames(recorder) > 0);
    EXPECT_WHOLE(recorder, samples, frames, 0);
    free(samples);
    /* The next recording has lost nothing yet. */
    EXPECT([recorder prepareToRecord]);
    EXPECT_INTEGER(AVAudioLinuxLostFrames(recorder), 0);
    [other release];
    [recorder release];
}

OBJC_TEST(duration_during_a_write, "A duration also counts the frames of a buffer that the disk is taking") {
    AudioStreamBasicDescription format;
    SInt64 frames;
    REQUIRE(sem_init(&writes, 0, 0) == 0 && sem_init(&goes_on, 0, 0) == 0);
    write_microphone();
    AVAudioRecorder *recorder = open_recorder("memo.wav", settings_of(kAudioFormatLinearPCM, 44100, 1));
    recorder.delegate = delegate();
    is_slow = true;
    EXPECT([recorder record]);
    while (sem_wait(&writes) != 0) {}
    [recorder pause];
    NSTimeInterval captured = recorder.currentTime;
    EXPECT(captured > 0);
    EXPECT([recorder recordForDuration:0.25]);
    sem_post(&goes_on);
    WAIT_FOR_EVENT(@"finished");
    free(read_file("memo.wav", &format, &frames));
    EXPECT(frames + AVAudioLinuxLostFrames(recorder) >= lrint((captured + 0.25) * 44100));
    [recorder release];
}

OBJC_TEST(no_extension, "A file without an extension is CAF, and /dev/null takes a recording whose level is measured") {
    AudioStreamBasicDescription format;
    SInt64 frames;
    write_microphone();
    AVAudioRecorder *recorder = open_recorder("memo", settings_of(kAudioFormatAppleIMA4, 44100, 1));
    recorder.delegate = delegate();
    EXPECT([recorder recordForDuration:0.05]);
    WAIT_FOR_EVENT(@"finished");
    free(read_file("memo", &format, &frames));
    EXPECT_INTEGER(format.mFormatID, kAudioFormatAppleIMA4);
    [recorder release];
    recorder = open_recorder("/dev/null", settings_of(kAudioFormatLinearPCM, 44100, 1));
    recorder.meteringEnabled = YES;
    EXPECT([recorder record]);
    WAIT_FOR_SOUND(([recorder updateMeters], [recorder peakPowerForChannel:0] > -100));
    [recorder stop];
    [recorder release];
}

/* nil has every type of pointer, as on the platform. */
OBJC_TEST(nil_of_any_type, "A program passes nil for the error, and compares a queue with nil") {
    AudioQueueRef queue = nil;
    AVAudioRecorder *recorder = [[AVAudioRecorder alloc] initWithURL:url_of("memo.xyz") settings:nil error:nil];
    EXPECT(recorder == nil && queue == nil);
    EXPECT([session() setCategory:AVAudioSessionCategoryRecord error:nil]);
}

OBJC_TEST(wrong_settings, "Settings that a file cannot store give nil and an error") {
    NSError *error = nil;
    NSMutableDictionary *settings = settings_of(kAudioFormatLinearPCM, 44100, 1);
#define REFUSED(location, wanted, expected) \
    EXPECT([[AVAudioRecorder alloc] initWithURL:(location) settings:(wanted)error:&error] == nil); \
    EXPECT_INTEGER([error code], (OSStatus)(expected)); \
    EXPECT_STRING([error domain], NSOSStatusErrorDomain)
    REFUSED(nil, settings, kAudio_ParamError);
    REFUSED((id) @"memo.wav", settings, kAudio_ParamError);
    REFUSED(url_of("memo.wav"), (id) @"settings", kAudio_ParamError);
    REFUSED(url_of("memo.xyz"), settings, kAudioFileUnsupportedFileTypeError);
    REFUSED(url_of("memo.wav"), settings_of(kAudioFormatLinearPCM, NAN, 1), kAudio_ParamError);
    REFUSED(url_of("memo.wav"), settings_of(kAudioFormatLinearPCM, -1, 1), kAudio_ParamError);
    REFUSED(url_of("memo.wav"), settings_of(kAudioFormatLinearPCM, 44100, 0), kAudio_ParamError);
    REFUSED(url_of("memo.wav"), settings_of(kAudioFormatLinearPCM, 44100, 99), kAudio_ParamError);
    REFUSED(url_of("memo.wav"), settings_of(kAudioFormatMPEGLayer3, 44100, 1), kAudioFileUnsupportedDataFormatError);
    [settings setObject:@"loud" forKey:AVSampleRateKey];
    REFUSED(url_of("memo.wav"), settings, kAudio_ParamError);
    AVAudioRecorder *recorder = open_recorder("missing/memo.wav", settings_of(kAudioFormatLinearPCM, 44100, 1));
    EXPECT(![recorder prepareToRecord]);
    EXPECT(![recorder record]);
    EXPECT(![recorder recordForDuration:NAN]);
    [recorder stop];
    [recorder release];
    AVAudioRecorder *none = [[AVAudioRecorder alloc] init];
    EXPECT(none != nil && ![none prepareToRecord] && ![none record] && ![none recordForDuration:1] && !none.recording);
    [none pause];
    [none stop];
    [none updateMeters];
    EXPECT(![none deleteRecording] && none.currentTime == 0);
    [none release];
}

OBJC_TEST(layouts, "The file has the layout of the settings, which fits the number of channels") {
    AudioChannelLayout layout = {kAudioChannelLayoutTag_MidSide, 0, 0, {{0}}}, found = layout;
    NSMutableDictionary *settings = settings_of(kAudioFormatLinearPCM, 44100, 2);
    NSError *error = nil;
    AudioFileID file;
    UInt32 size = sizeof found;
    [settings setObject:[NSData dataWithBytes:&layout length:sizeof layout] forKey:AVChannelLayoutKey];
    AVAudioRecorder *recorder = open_recorder("memo.caf", settings);
    EXPECT([recorder prepareToRecord]);
    [recorder release];
    EXPECT_OK(AudioFileLinuxOpenPath("memo.caf", kAudioFileReadPermission, 0, &file));
    EXPECT_OK(AudioFileGetProperty(file, kAudioFilePropertyChannelLayout, &size, &found));
    EXPECT_INTEGER(found.mChannelLayoutTag, kAudioChannelLayoutTag_MidSide);
    EXPECT_OK(AudioFileClose(file));
    layout.mNumberChannelDescriptions = 1000;
    AudioChannelLayout mono = {kAudioChannelLayoutTag_Mono, 0, 0, {{0}}};
    NSArray *wrong = [NSArray arrayWithObjects:@"layout", [NSData data], [NSData dataWithBytes:&layout length:sizeof layout],
                              [NSData dataWithBytes:&mono length:sizeof mono], nil];
    for (id value in wrong) {
        [settings setObject:value forKey:AVChannelLayoutKey];
        EXPECT([[AVAudioRecorder alloc] initWithURL:url_of("memo.caf") settings:settings error:&error] == nil);
        EXPECT_INTEGER([error code], kAudio_ParamError);
    }
}

OBJC_TEST(wrong_values, "A setting of another class, or outside its range, gives nil and BadParam, whatever the key") {
    struct {
        NSString *key;
        double wrong[6];
    } all[] = {
        {AVFormatIDKey, {NAN, -1, INFINITY, 4294967296.0, -INFINITY, 1e300}},
        {AVSampleRateKey, {NAN, -1, INFINITY, 0, 3999, 192001}},
        {AVNumberOfChannelsKey, {NAN, -1, INFINITY, 0, 9, 1e300}},
        {AVLinearPCMBitDepthKey, {NAN, -1, INFINITY, 0, 12, 64}},
        {AVLinearPCMIsBigEndianKey, {NAN, -1, INFINITY, 2, 1e300, -INFINITY}},
        {AVLinearPCMIsFloatKey, {NAN, -1, INFINITY, 2, 1e300, -INFINITY}},
        {AVLinearPCMIsNonInterleaved, {NAN, -1, INFINITY, 2, 1e300, -INFINITY}},
        {AVEncoderAudioQualityKey, {NAN, -1, INFINITY, 128, 1e300, -INFINITY}},
        {AVEncoderBitRateKey, {NAN, -1, INFINITY, 1e8, 1e300, -INFINITY}},
        {AVEncoderBitRatePerChannelKey, {NAN, -1, INFINITY, 1e8, 1e300, -INFINITY}},
        {AVEncoderBitDepthHintKey, {NAN, -1, INFINITY, 33, 1e300, -INFINITY}},
        {AVSampleRateConverterAudioQualityKey, {NAN, -1, INFINITY, 128, 1e300, -INFINITY}},
    };
    NSArray *objects = [NSArray arrayWithObjects:@"1", [NSNull null], [NSData data], [NSArray array], nil];
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        NSMutableArray *values = [NSMutableArray arrayWithArray:objects];
        for (unsigned j = 0; j < 6; j++) [values addObject:[NSNumber numberWithDouble:all[i].wrong[j]]];
        for (id value in values) {
            NSError *error = nil;
            NSMutableDictionary *settings = settings_of(kAudioFormatLinearPCM, 44100, 1);
            [settings setObject:value forKey:all[i].key];
            AVAudioRecorder *recorder = [[AVAudioRecorder alloc] initWithURL:url_of("memo.wav") settings:settings error:&error];
            if (recorder || [error code] != kAudio_ParamError || ![[error domain] isEqual:NSOSStatusErrorDomain])
                failed(__FILE__, __LINE__, "%s = %s gives %s", [all[i].key UTF8String], [[value description] UTF8String],
                    [[error description] UTF8String]);
            [recorder release];
        }
    }
    NSError *error = nil;
    for (id object in objects) {
        EXPECT([[AVAudioRecorder alloc] initWithURL:object settings:nil error:&error] == nil);
        EXPECT_INTEGER([error code], kAudio_ParamError);
        EXPECT([[AVAudioRecorder alloc] initWithURL:url_of("memo.wav") settings:object error:&error] == nil);
        EXPECT_INTEGER([error code], kAudio_ParamError);
    }
    EXPECT(access("memo.wav", F_OK) != 0);
    /* A key that nobody knows, also one of another class, means nothing. */
    NSMutableDictionary *settings = settings_of(kAudioFormatLinearPCM, 44100, 1);
    [settings setObject:@"yes" forKey:@"AVUnknownKey"];
    [settings setObject:@"yes" forKey:[NSNumber numberWithInt:1]];
    AVAudioRecorder *recorder = open_recorder("memo.wav", settings);
    [recorder release];
}

OBJC_TEST(wrong_times, "A time or a duration that is none does not record") {
    AVAudioRecorder *recorder = open_recorder("memo.wav", nil);
    static const NSTimeInterval none[] = {NAN, INFINITY, -INFINITY, -1, 1e300};
    NSTimeInterval now = recorder.deviceCurrentTime;
    for (unsigned i = 0; i < sizeof none / sizeof *none; i++) {
        EXPECT(![recorder recordAtTime:none[i]]);
        EXPECT(![recorder recordForDuration:none[i]]);
        EXPECT(![recorder recordAtTime:none[i] forDuration:1]);
        EXPECT(![recorder recordAtTime:now forDuration:none[i]]);
    }
    EXPECT(![recorder recordForDuration:0] && !recorder.recording);
    static const NSUInteger channels[] = {2, 1000, NSUIntegerMax};
    recorder.meteringEnabled = YES;
    [recorder updateMeters];
    for (unsigned i = 0; i < sizeof channels / sizeof *channels; i++) {
        EXPECT_NUMBER([recorder peakPowerForChannel:channels[i]], -160);
        EXPECT_NUMBER([recorder averagePowerForChannel:channels[i]], -160);
    }
    recorder.delegate = (id) @"not a delegate";
    EXPECT([recorder recordForDuration:0.05]);
    WAIT_FOR_SOUND(!recorder.recording);
    recorder.delegate = nil;
    [recorder release];
}

OBJC_TEST(start_times, "A recording begins at its time, and not before, with a duration and without one") {
    AudioStreamBasicDescription format;
    SInt64 frames;
    write_microphone();
    AVAudioRecorder *recorder = open_recorder("memo.wav", settings_of(kAudioFormatLinearPCM, 44100, 1));
    recorder.delegate = delegate();
    for (int life = 1; life <= 2; life++) {
        NSTimeInterval start = recorder.deviceCurrentTime + 0.3;
        EXPECT([recorder recordAtTime:start forDuration:0.1]);
        WAIT_UNTIL(times(@"finished") == 2 * life - 1);
        EXPECT(recorder.deviceCurrentTime >= start + 0.1);
        free(read_file("memo.wav", &format, &frames));
        EXPECT_INTEGER(frames, 4410);
        start = recorder.deviceCurrentTime + 0.3;
        EXPECT([recorder recordAtTime:start]);
        WAIT_FOR_SOUND(recorder.currentTime > 0.05);
        EXPECT(recorder.deviceCurrentTime >= start + 0.05);
        [recorder stop];
        WAIT_UNTIL(times(@"finished") == 2 * life);
    }
    [recorder release];
}

static bool encodes_aac(void) {
    UInt32 formats[64], size = sizeof formats;
    if (AudioFormatGetProperty(kAudioFormatProperty_EncodeFormatIDs, 0, NULL, &size, formats) != noErr) return false;
    for (UInt32 i = 0; i < size / sizeof *formats; i++)
        if (formats[i] == kAudioFormatMPEG4AAC) return true;
    return false;
}

/* The size of a file of AAC with a second of the microphone. A rate of 0 is no setting. */
static off_t size_of_aac(int rate, int rate_per_channel) {
    struct stat found = {0};
    NSMutableDictionary *settings = settings_of(kAudioFormatMPEG4AAC, 44100, 2);
    if (rate) [settings setObject:[NSNumber numberWithInt:rate] forKey:AVEncoderBitRateKey];
    if (rate_per_channel) [settings setObject:[NSNumber numberWithInt:rate_per_channel] forKey:AVEncoderBitRatePerChannelKey];
    AVAudioRecorder *recorder = open_recorder("memo.m4a", settings);
    recorder.delegate = delegate();
    [log_of_events removeAllObjects];
    EXPECT([recorder recordForDuration:1]);
    WAIT_FOR_EVENT(@"finished");
    REQUIRE(stat("memo.m4a", &found) == 0);
    [recorder release];
    return found.st_size;
}

/* Files with one rate differ less than those with half of it. */
static void expect_one_rate(int line, off_t found, off_t expected) {
    if (labs(found - expected) >= expected / 8)
        failed(__FILE__, line, "the file has %ld bytes, not about %ld", (long)found, (long)expected);
}
#define EXPECT_ONE_RATE(found, expected) expect_one_rate(__LINE__, found, expected)

OBJC_TEST(bit_rates, "A bit rate for each channel is that of the file divided by its channels") {
    if (!encodes_aac()) {
        printf("# no module encodes AAC\n");
        return;
    }
    write_microphone();
    off_t size = size_of_aac(128000, 0);
    EXPECT(size > 12000);
    EXPECT_ONE_RATE(size_of_aac(0, 64000), size);
}

OBJC_TEST(both_bit_rates, "A bit rate has precedence over one for each channel, whichever is higher") {
    static const int lower = 64000, higher = 128000;
    if (!encodes_aac()) {
        printf("# no module encodes AAC\n");
        return;
    }
    write_microphone();
    for (int life = 0; life < 2; life++) {
        EXPECT_ONE_RATE(size_of_aac(lower, 96000), size_of_aac(lower, 0));
        EXPECT_ONE_RATE(size_of_aac(higher, 32000), size_of_aac(higher, 0));
    }
}

OBJC_TEST(levels, "The meters of a recorder follow the microphone") {
    write_microphone();
    AVAudioRecorder *recorder = open_recorder("memo.wav", settings_of(kAudioFormatLinearPCM, 44100, 1));
    EXPECT_NUMBER([recorder peakPowerForChannel:0], -160);
    recorder.meteringEnabled = YES;
    EXPECT([recorder record]);
    long long deadline = milliseconds() + TIME_LIMIT_MS;
    while ([recorder peakPowerForChannel:0] < -20 && milliseconds() < deadline) {
        turn(milliseconds() + 20);
        [recorder updateMeters];
    }
    EXPECT([recorder peakPowerForChannel:0] <= 0 && [recorder averagePowerForChannel:0] > -160);
    EXPECT_NUMBER([recorder peakPowerForChannel:3], -160);
    for (int life = 0; life < 2; life++) {
        recorder.meteringEnabled = NO;
        EXPECT_NUMBER([recorder peakPowerForChannel:0], -160);
        [recorder updateMeters];
        EXPECT_NUMBER([recorder peakPowerForChannel:0], -160);
        recorder.meteringEnabled = YES;
        WAIT_FOR_SOUND(([recorder updateMeters], [recorder peakPowerForChannel:0] > -20));
    }
    /* The levels of the end, until they are read again. */
    [recorder stop];
    EXPECT([recorder peakPowerForChannel:0] > -20);
    [recorder updateMeters];
    EXPECT_NUMBER([recorder peakPowerForChannel:0], -160);
    [recorder release];
}

OBJC_TEST(interrupted, "An interruption pauses the recorder, and record goes on in the same file") {
    AudioStreamBasicDescription format;
    SInt64 frames;
    write_microphone();
    AVAudioRecorder *recorder = open_recorder("memo.wav", settings_of(kAudioFormatLinearPCM, 44100, 1));
    recorder.delegate = delegate();
    EXPECT([recorder record]);
    WAIT_FOR_SOUND(recorder.currentTime > 0.3);
    SIMULATE("interrupt begin");
    WAIT_FOR_EVENT(@"begin");
    EXPECT(![recorder record]);
    SIMULATE("interrupt end");
    WAIT_FOR_EVENT(@"end 1");
    WAIT_FOR_SOUND(recorder.currentTime > 0.6);
    [recorder stop];
    WAIT_FOR_EVENT(@"finished");
    int16_t *samples = read_file("memo.wav", &format, &frames);
    EXPECT(frames + AVAudioLinuxLostFrames(recorder) > 0.5 * 44100);
    EXPECT_WHOLE(recorder, samples, frames, 1);
    free(samples);
    [recorder release];
}

OBJC_TEST(stopped_before, "A recorder hears only of an interruption that stops it, also after one that has stopped it") {
    write_microphone();
    AVAudioRecorder *recorder = open_recorder("memo.wav", settings_of(kAudioFormatLinearPCM, 44100, 1));
    AVAudioRecorder *other = open_recorder("other.wav", settings_of(kAudioFormatLinearPCM, 44100, 1));
    recorder.delegate = delegate();
    other.delegate = delegate();
    EXPECT([recorder record] && [other record]);
    WAIT_FOR_SOUND(recorder.currentTime > 0 && other.currentTime > 0);
    interrupt_once(2);
    [recorder stop];
    WAIT_FOR_EVENT(@"finished");
    interrupt_once(3);
    interrupt_once(4);
    EXPECT(!recorder.recording && other.recording);
    [recorder release];
    [other release];
}

OBJC_TEST(deactivated,
    "A recorder that the program stops by a deactivation hears nothing, also of the next interruption, and records again") {
    write_microphone();
    AVAudioRecorder *recorder = open_recorder("memo.wav", settings_of(kAudioFormatLinearPCM, 44100, 1));
    AVAudioRecorder *other = open_recorder("other.wav", settings_of(kAudioFormatLinearPCM, 44100, 1));
    recorder.delegate = delegate();
    other.delegate = delegate();
    for (int life = 1; life <= 2; life++) {
        EXPECT([recorder record]);
        WAIT_FOR_SOUND(recorder.currentTime > 0);
        [session() setActive:NO error:NULL];
        EXPECT(!recorder.recording);
        EXPECT([other record]);
        interrupt_once(life);
        EXPECT(!recorder.recording && other.recording);
        EXPECT([recorder recordForDuration:0.05]);
        WAIT_UNTIL(times(@"finished") == life);
    }
    [recorder release];
    [other release];
}

OBJC_TEST(released, "A recorder that is released completes its file, also by its delegate") {
    AudioStreamBasicDescription format;
    SInt64 frames;
    write_microphone();
    AVAudioRecorder *recorder = open_recorder("first.wav", settings_of(kAudioFormatLinearPCM, 44100, 1));
    EXPECT([recorder record]);
    WAIT_FOR_SOUND(recorder.currentTime > 0.3);
    [recorder release];
    free(read_file("first.wav", &format, &frames));
    EXPECT(frames > 0);
    RecorderDelegate *releasing = delegate();
    releasing->releases = YES;
    recorder = open_recorder("second.wav", nil);
    recorder.delegate = releasing;
    EXPECT([recorder recordForDuration:0.1]);
    WAIT_FOR_EVENT(@"finished");
}

OBJC_TEST(full_disk, "A file that cannot be written ends the recording with an error and without success") {
    struct rlimit small = {100000, 100000};
    write_microphone();
    signal(SIGXFSZ, SIG_IGN);
    AVAudioRecorder *recorder = open_recorder("memo.wav", settings_of(kAudioFormatLinearPCM, 44100, 1));
    recorder.delegate = delegate();
    EXPECT([recorder record]);
    setrlimit(RLIMIT_FSIZE, &small);
    WAIT_FOR_EVENT(@"error");
    WAIT_FOR_EVENT(@"failed");
    EXPECT(!recorder.recording);
    [recorder release];
}

OBJC_TEST(
    restarted_by_an_error, "A recording that the delegate begins when one has failed goes on, and each of them has its own end") {
    AudioStreamBasicDescription format;
    SInt64 frames;
    struct rlimit small;
    getrlimit(RLIMIT_FSIZE, &small);
    small.rlim_cur = 100000;
    write_microphone();
    signal(SIGXFSZ, SIG_IGN);
    AVAudioRecorder *recorder = open_recorder("memo.wav", settings_of(kAudioFormatLinearPCM, 44100, 1));
    recorder.delegate = [[[RestartingDelegate alloc] init] autorelease];
    for (int life = 1; life <= 2; life++) {
        EXPECT([recorder record]);
        setrlimit(RLIMIT_FSIZE, &small);
        WAIT_UNTIL(times(@"failed") == life);
        EXPECT_INTEGER(times(@"error"), life);
        WAIT_FOR_SOUND(recorder.currentTime > 0.1);
        EXPECT(recorder.recording);
        [recorder stop];
        WAIT_UNTIL(times(@"finished") == life);
        free(read_file("memo.wav", &format, &frames));
        EXPECT(frames > 4410);
    }
    [recorder release];
}
