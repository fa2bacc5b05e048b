/* SPDX-License-Identifier: Apache-2.0 */
/* The session as programs of 2009 use it: a delegate, the names of that API, and no notification. It prints what the delegate
   hears until its input ends.

       gcc -std=gnu99 olddelegate.m $(gnustep-config --objc-flags) $(pkg-config --cflags --libs avfoundation) $(gnustep-config --base-libs) \
           -o olddelegate
       ./olddelegate */
#import <AVFoundation/AVFoundation.h>

@interface SessionDelegate : NSObject <AVAudioSessionDelegate> {
    BOOL _hasEnded;
}
- (BOOL)hasEnded;
@end

static void report(NSString *what) {
    printf("session: %s\n", [what UTF8String]);
    fflush(stdout);
}

@implementation SessionDelegate

- (void)beginInterruption {
    report(@"interrupted");
}

- (void)endInterruption {
    NSError *error = nil;
    if ([[AVAudioSession sharedInstance] setActive:YES error:&error])
        report(@"active again");
    else
        report([error localizedDescription]);
}

- (void)inputIsAvailableChanged:(BOOL)isInputAvailable {
    report(isInputAvailable ? @"an input" : @"no input");
}

- (void)categoryChanged:(NSString *)category {
    report(category);
}

- (void)currentHardwareOutputNumberOfChannelsChanged:(NSInteger)numberOfChannels {
    report([NSString stringWithFormat:@"%ld output channels", (long)numberOfChannels]);
}

- (BOOL)hasEnded {
    return _hasEnded;
}

- (void)inputEnded:(NSNotification *)notification {
    (void)notification;
    _hasEnded = YES;
}

@end

int main(void) {
    NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
    AVAudioSession *session = [AVAudioSession sharedInstance];
    SessionDelegate *delegate = [[SessionDelegate alloc] init];
    NSFileHandle *input = [NSFileHandle fileHandleWithStandardInput];
    NSError *error = nil;
    [session setDelegate:delegate];
    [[NSNotificationCenter defaultCenter] addObserver:delegate
                                             selector:@selector(inputEnded:)
                                                 name:NSFileHandleReadToEndOfFileCompletionNotification
                                               object:input];
    [input readToEndOfFileInBackgroundAndNotify];
    if (![session setCategory:AVAudioSessionCategoryPlayAndRecord error:&error] || ![session setActive:YES error:&error]) {
        report([error localizedDescription]);
        return 1;
    }
    report(
        [NSString stringWithFormat:@"%g Hz, %ld in, %ld out", [session currentHardwareSampleRate],
                  (long)[session currentHardwareInputNumberOfChannels], (long)[session currentHardwareOutputNumberOfChannels]]);
    while (![delegate hasEnded]) [[NSRunLoop currentRunLoop] runMode:NSDefaultRunLoopMode beforeDate:[NSDate distantFuture]];
    [session setDelegate:nil];
    [delegate release];
    [pool release];
    return 0;
}
