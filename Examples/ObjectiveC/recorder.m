/* SPDX-License-Identifier: Apache-2.0 */
/* A recorder with a level meter: it pauses for calls and goes on after them, in the same file.

       gcc -std=gnu99 recorder.m $(gnustep-config --objc-flags) $(pkg-config --cflags --libs avfoundation) $(gnustep-config --base-libs) \
           -o recorder
       ./recorder MEMO.wav SECONDS */
#import <AVFoundation/AVFoundation.h>

@interface MeteringRecorder : NSObject <AVAudioRecorderDelegate> {
    AVAudioRecorder *_recorder;
    NSTimer *_timer;
    BOOL _hasEnded;
}
- (id)initWithFile:(NSString *)path;
- (BOOL)recordForDuration:(NSTimeInterval)duration;
- (BOOL)hasEnded;
@end

static void report(NSString *what) {
    printf("recorder: %s\n", [what UTF8String]);
    fflush(stdout);
}

@implementation MeteringRecorder

- (id)initWithFile:(NSString *)path {
    NSError *error = nil;
    if (!(self = [super init])) return nil;
    NSDictionary *settings =
        [NSDictionary dictionaryWithObjectsAndKeys:[NSNumber numberWithUnsignedInt:kAudioFormatLinearPCM], AVFormatIDKey,
                      [NSNumber numberWithDouble:44100], AVSampleRateKey, [NSNumber numberWithInt:1], AVNumberOfChannelsKey, nil];
    AVAudioSession *session = [AVAudioSession sharedInstance];
    if ([session setCategory:AVAudioSessionCategoryRecord error:&error] && [session setActive:YES error:&error])
        _recorder = [[AVAudioRecorder alloc] initWithURL:[NSURL fileURLWithPath:path] settings:settings error:&error];
    if (!_recorder) {
        report([error localizedDescription]);
        [self release];
        return nil;
    }
    [_recorder setMeteringEnabled:YES];
    [_recorder setDelegate:self];
    return self;
}

- (void)dealloc {
    [_recorder setDelegate:nil];
    [_recorder release];
    [super dealloc];
}

- (BOOL)recordForDuration:(NSTimeInterval)duration {
    if (![_recorder recordForDuration:duration]) {
        report(@"the recording cannot begin");
        return NO;
    }
    report(@"recording");
    _timer = [NSTimer scheduledTimerWithTimeInterval:0.1 target:self selector:@selector(drawMeter:) userInfo:nil repeats:YES];
    return YES;
}

- (BOOL)hasEnded {
    return _hasEnded;
}

- (void)drawMeter:(NSTimer *)timer {
    (void)timer;
    [_recorder updateMeters];
    /* One character for 3 dB, from -60 dB on. */
    int length = (int)([_recorder peakPowerForChannel:0] + 60) / 3;
    printf("%5.1f s %.*s\n", [_recorder currentTime], length > 0 ? length : 0, "####################");
    fflush(stdout);
}

- (void)audioRecorderDidFinishRecording:(AVAudioRecorder *)recorder successfully:(BOOL)flag {
    [_timer invalidate];
    report([NSString stringWithFormat:@"%@ %@", flag ? @"wrote" : @"could not write", [[recorder url] path]]);
    _hasEnded = YES;
}

- (void)audioRecorderBeginInterruption:(AVAudioRecorder *)recorder {
    (void)recorder;
    report(@"interrupted");
}

- (void)audioRecorderEndInterruption:(AVAudioRecorder *)recorder withOptions:(NSUInteger)flags {
    if ((flags & AVAudioSessionInterruptionOptionShouldResume) && [recorder record]) report(@"recording again");
}

@end

int main(int count, char **arguments) {
    NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
    if (count < 3) {
        fprintf(stderr, "recorder: give a file and a number of seconds\n");
        return 1;
    }
    MeteringRecorder *recorder = [[MeteringRecorder alloc] initWithFile:[NSString stringWithUTF8String:arguments[1]]];
    BOOL runs = [recorder recordForDuration:atof(arguments[2])];
    while (runs && ![recorder hasEnded])
        [[NSRunLoop currentRunLoop] runMode:NSDefaultRunLoopMode beforeDate:[NSDate distantFuture]];
    [recorder release];
    [pool release];
    return runs ? 0 : 1;
}
