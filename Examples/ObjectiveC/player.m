/* SPDX-License-Identifier: Apache-2.0 */
/* A music player as programs of iOS 6 have it: it pauses for calls and resumes after them, and it pauses when headphones are
   unplugged.

       gcc -std=gnu99 player.m $(gnustep-config --objc-flags) $(pkg-config --cflags --libs avfoundation) $(gnustep-config --base-libs) -o player
       ./player MUSIC.m4a [LOOPS] */
#import <AVFoundation/AVFoundation.h>

@interface MusicPlayer : NSObject <AVAudioPlayerDelegate> {
    AVAudioPlayer *_player;
    BOOL _hasEnded;
}
- (id)initWithFile:(NSString *)path loops:(NSInteger)loops;
- (BOOL)play;
- (BOOL)hasEnded;
@end

static void report(NSString *what) {
    printf("player: %s\n", [what UTF8String]);
    fflush(stdout);
}

@implementation MusicPlayer

- (id)initWithFile:(NSString *)path loops:(NSInteger)loops {
    NSError *error = nil;
    if (!(self = [super init])) return nil;
    _player = [[AVAudioPlayer alloc] initWithContentsOfURL:[NSURL fileURLWithPath:path] error:&error];
    if (!_player || ![[AVAudioSession sharedInstance] setCategory:AVAudioSessionCategoryPlayback error:&error]) {
        report([NSString stringWithFormat:@"%@: %@", path, [error localizedDescription]]);
        [self release];
        return nil;
    }
    [_player setNumberOfLoops:loops];
    [_player setDelegate:self];
    NSNotificationCenter *center = [NSNotificationCenter defaultCenter];
    [center addObserver:self selector:@selector(interruption:) name:AVAudioSessionInterruptionNotification object:nil];
    [center addObserver:self selector:@selector(routeChange:) name:AVAudioSessionRouteChangeNotification object:nil];
    return self;
}

- (void)dealloc {
    [[NSNotificationCenter defaultCenter] removeObserver:self];
    [_player setDelegate:nil];
    [_player release];
    [super dealloc];
}

- (BOOL)play {
    BOOL plays = [_player play];
    report(plays ? @"playing" : @"the session does not allow it now");
    return plays;
}

- (BOOL)hasEnded {
    return _hasEnded;
}

- (void)interruption:(NSNotification *)notification {
    NSDictionary *info = [notification userInfo];
    if ([[info objectForKey:AVAudioSessionInterruptionTypeKey] unsignedIntegerValue] == AVAudioSessionInterruptionTypeBegan) {
        report(@"interrupted");
        return;
    }
    NSUInteger options = [[info objectForKey:AVAudioSessionInterruptionOptionKey] unsignedIntegerValue];
    if (options & AVAudioSessionInterruptionOptionShouldResume) [self play];
}

- (void)routeChange:(NSNotification *)notification {
    NSDictionary *info = [notification userInfo];
    NSUInteger reason = [[info objectForKey:AVAudioSessionRouteChangeReasonKey] unsignedIntegerValue];
    if (reason != AVAudioSessionRouteChangeReasonOldDeviceUnavailable || ![_player isPlaying]) return;
    [_player pause];
    AVAudioSessionRouteDescription *previous = [info objectForKey:AVAudioSessionRouteChangePreviousRouteKey];
    report([NSString stringWithFormat:@"paused at %.1f s: %@ was unplugged", [_player currentTime],
                     [[[previous outputs] lastObject] portName]]);
}

- (void)audioPlayerDidFinishPlaying:(AVAudioPlayer *)player successfully:(BOOL)flag {
    (void)player;
    report(flag ? @"finished" : @"stopped by an error");
    _hasEnded = YES;
}

@end

int main(int count, char **arguments) {
    NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
    if (count < 2) {
        fprintf(stderr, "player: give a sound file\n");
        return 1;
    }
    NSString *path = [NSString stringWithUTF8String:arguments[1]];
    MusicPlayer *player = [[MusicPlayer alloc] initWithFile:path loops:count > 2 ? atoi(arguments[2]) : 0];
    BOOL runs = [player play];
    while (runs && ![player hasEnded])
        [[NSRunLoop currentRunLoop] runMode:NSDefaultRunLoopMode beforeDate:[NSDate distantFuture]];
    [player release];
    [pool release];
    return runs ? 0 : 1;
}
