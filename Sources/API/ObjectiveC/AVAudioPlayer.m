/* SPDX-License-Identifier: Apache-2.0 */
#import <AVFoundation/AVAudioPlayer.h>
#include <mach/mach_time.h>
#include <math.h>

#include "LoadedToolbox.h"
#import "ObjectMemory.h"
#import "SessionAccess.h"
#include "SoundPlayback.h"
#import "SoundSettings.h"

@interface AVAudioPlayer (Events) <AVAudioEventReceiver>
@end

/* The type of files that a uniform type identifier names; 0 if it names none. */
static AudioFileTypeID typeOfHint(NSString *hint) {
    static const struct {
        const char *identifier;
        AudioFileTypeID type;
    } types[] = {
        {"public.mp3", kAudioFileMP3Type},
        {"public.aiff-audio", kAudioFileAIFFType},
        {"public.aifc-audio", kAudioFileAIFCType},
        {"com.microsoft.waveform-audio", kAudioFileWAVEType},
        {"com.apple.coreaudio-format", kAudioFileCAFType},
        {"com.apple.m4a-audio", kAudioFileM4AType},
        {"public.mpeg-4-audio", kAudioFileMPEG4Type},
        {"public.aac-audio", kAudioFileAAC_ADTSType},
        {"public.au-audio", kAudioFileNextType},
        {"public.ulaw-audio", kAudioFileNextType},
    };
    if (![hint isKindOfClass:[NSString class]]) return 0;
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp([hint UTF8String], types[i].identifier) == 0) return types[i].type;
    return 0;
}

@implementation AVAudioPlayer

/* ---- Opening ---- */

- (id)openPath:(const char *)path data:(NSData *)data hint:(NSString *)hint error:(NSError **)outError {
    AVAudioBegin();
    if (AVAudioLoadToolbox(outError)) {
        OSStatus status = path || data
            ? playback_open(path, [data bytes], [data length], typeOfHint(hint), AVAudioSignalEvents, &_playback)
            : kAudio_ParamError;
        if (AVAudioFinishOpening(status, outError)) {
            AVAudioAddReceiver(self);
            return self;
        }
    }
    AV_RELEASE(self);
    return nil;
}

- (id)initWithContentsOfURL:(NSURL *)url error:(NSError **)outError {
    return [self initWithContentsOfURL:url fileTypeHint:nil error:outError];
}

- (id)initWithData:(NSData *)data error:(NSError **)outError {
    return [self initWithData:data fileTypeHint:nil error:outError];
}

- (id)initWithContentsOfURL:(NSURL *)url fileTypeHint:(NSString *)utiString error:(NSError **)outError {
    if (!(self = [super init])) return nil;
    const char *path = AVAudioPathOfURL(url);
    _url = path ? [url copy] : nil;
    return [self openPath:path data:nil hint:utiString error:outError];
}

- (id)initWithData:(NSData *)data fileTypeHint:(NSString *)utiString error:(NSError **)outError {
    if (!(self = [super init])) return nil;
    _data = [data isKindOfClass:[NSData class]] ? [data copy] : nil;
    return [self openPath:NULL data:_data hint:utiString error:outError];
}

/* An object without a sound, for subclasses that make others. */
- (id)init {
    return [super init];
}

#if !__has_feature(objc_arc)
- (oneway void)release {
    AVAudioRemoveReceiverAtLastRelease(self);
    [super release];
}
#endif

- (void)dealloc {
    AVAudioRemoveReceiver(self);
    if (_playback) playback_close(_playback);
    AV_RELEASE(_url);
    AV_RELEASE(_data);
    AV_SUPER_DEALLOC;
}

/* ---- Playing ---- */

- (BOOL)prepareToPlay {
    return playback_prepare(_playback) == noErr;
}

- (BOOL)play {
    AVAudioBegin();
    return playback_start(_playback, NULL) == noErr;
}

- (BOOL)playAtTime:(NSTimeInterval)time {
    AudioTimeStamp start;
    AVAudioBegin();
    return AVAudioHostTime(time, &start) && playback_start(_playback, &start) == noErr;
}

- (void)pause {
    playback_pause(_playback);
}

- (void)stop {
    playback_stop(_playback);
}

- (BOOL)isPlaying {
    return playback_is_playing(_playback);
}

/* ---- The sound ---- */

- (NSUInteger)numberOfChannels {
    return playback_format(_playback)->mChannelsPerFrame;
}

- (NSTimeInterval)duration {
    return playback_duration(_playback);
}

- (NSURL *)url {
    return _url;
}

- (NSData *)data {
    return _data;
}

- (NSDictionary *)settings {
    return AVAudioSettingsOfFormat(playback_format(_playback));
}

- (id<AVAudioPlayerDelegate>)delegate {
    return _delegate;
}

- (void)setDelegate:(id<AVAudioPlayerDelegate>)delegate {
    _delegate = delegate;
}

/* ---- Levels ---- */

- (float)pan {
    return playback_parameter(_playback, kAudioQueueParam_Pan);
}

- (void)setPan:(float)pan {
    playback_set_parameter(_playback, kAudioQueueParam_Pan, pan);
}

- (float)volume {
    return playback_parameter(_playback, kAudioQueueParam_Volume);
}

- (void)setVolume:(float)volume {
    [self setVolume:volume fadeDuration:0];
}

/* The queue refuses what is no number: it would keep the duration before. It limits a longer one to an hour. */
- (void)setVolume:(float)volume fadeDuration:(NSTimeInterval)duration {
    playback_set_parameter(_playback, kAudioQueueParam_VolumeRampTime, isfinite(duration) ? (float)duration : 0);
    playback_set_parameter(_playback, kAudioQueueParam_Volume, volume);
}

- (BOOL)enableRate {
    return playback_enables_rate(_playback);
}

- (void)setEnableRate:(BOOL)enableRate {
    playback_enable_rate(_playback, enableRate);
}

- (float)rate {
    return playback_rate(_playback);
}

- (void)setRate:(float)rate {
    playback_set_rate(_playback, rate);
}

- (BOOL)isMeteringEnabled {
    return playback_has_meters(_playback);
}

- (void)setMeteringEnabled:(BOOL)on {
    playback_enable_meters(_playback, on);
}

- (void)updateMeters {
    playback_read_meters(_playback);
}

- (float)peakPowerForChannel:(NSUInteger)channelNumber {
    return playback_meter(_playback, channelNumber).mPeakPower;
}

- (float)averagePowerForChannel:(NSUInteger)channelNumber {
    return playback_meter(_playback, channelNumber).mAveragePower;
}

/* ---- Time ---- */

- (NSTimeInterval)currentTime {
    return playback_time(_playback);
}

- (void)setCurrentTime:(NSTimeInterval)time {
    playback_set_time(_playback, time);
}

- (NSTimeInterval)deviceCurrentTime {
    return (NSTimeInterval)mach_absolute_time() / 1e9;
}

- (NSInteger)numberOfLoops {
    return playback_loops(_playback);
}

- (void)setNumberOfLoops:(NSInteger)numberOfLoops {
    playback_set_loops(_playback, numberOfLoops);
}

@end

@implementation AVAudioPlayer (Events)

/* A delegate may release the player. */
- (void)deliverEvents {
    struct playback_events events = playback_take_events(_playback);
    if (events.hasFailed && [_delegate respondsToSelector:@selector(audioPlayerDecodeErrorDidOccur:error:)]) {
        NSError *error = AVAudioErrorWithText(events.error, toolbox.AudioToolboxLinuxStatusName(events.error));
        AV_CALL_PROGRAM("audioPlayerDecodeErrorDidOccur:error:", [_delegate audioPlayerDecodeErrorDidOccur:self error:error]);
    }
    if (!events.hasFinished) return;
    if ([_delegate respondsToSelector:@selector(audioPlayerDidFinishPlaying:successfully:)])
        AV_CALL_PROGRAM("audioPlayerDidFinishPlaying:successfully:",
            [_delegate audioPlayerDidFinishPlaying:self successfully:events.isSuccess]);
}

- (void)sessionWasInterrupted {
    if (!playback_interrupt(_playback)) return;
    _isInterrupted = YES;
    if ([_delegate respondsToSelector:@selector(audioPlayerBeginInterruption:)])
        AV_CALL_PROGRAM("audioPlayerBeginInterruption:", [_delegate audioPlayerBeginInterruption:self]);
}

- (void)sessionInterruptionEndedWithOptions:(NSUInteger)options {
    if (!_isInterrupted) return;
    _isInterrupted = NO;
    if ([_delegate respondsToSelector:@selector(audioPlayerEndInterruption:withOptions:)])
        AV_CALL_PROGRAM(
            "audioPlayerEndInterruption:withOptions:", [_delegate audioPlayerEndInterruption:self withOptions:options])
    else if ([_delegate respondsToSelector:@selector(audioPlayerEndInterruption:withFlags:)])
        AV_CALL_PROGRAM("audioPlayerEndInterruption:withFlags:", [_delegate audioPlayerEndInterruption:self withFlags:options])
    else if ([_delegate respondsToSelector:@selector(audioPlayerEndInterruption:)])
        AV_CALL_PROGRAM("audioPlayerEndInterruption:", [_delegate audioPlayerEndInterruption:self])
}

- (void)sessionStoppedSound {
    playback_hold(_playback);
}

@end
