/* SPDX-License-Identifier: Apache-2.0 */
#import <AVFoundation/AVAudioRecorder.h>
#include <mach/mach_time.h>
#include <unistd.h>

#include "DiscardedFile.h"
#include "LoadedToolbox.h"
#import "ObjectMemory.h"
#import "SessionAccess.h"
#include "SoundRecording.h"
#import "SoundSettings.h"

@interface AVAudioRecorder (Events) <AVAudioEventReceiver>
@end

@implementation AVAudioRecorder

/* ---- Opening ---- */

- (OSStatus)openURL:(NSURL *)url settings:(NSDictionary *)settings {
    struct recording_settings wanted;
    const char *path = AVAudioPathOfURL(url);
    OSStatus status = path ? AVAudioReadSettings(settings, path, &wanted) : kAudio_ParamError;
    return status ? status : recording_open(path, &wanted, AVAudioSignalEvents, &_recording);
}

- (id)initWithURL:(NSURL *)url settings:(NSDictionary *)settings error:(NSError **)outError {
    if (!(self = [super init])) return nil;
    AVAudioBegin();
    if (AVAudioLoadToolbox(outError) && AVAudioFinishOpening([self openURL:url settings:settings], outError)) {
        _url = [url copy];
        _settings = [settings copy];
        AVAudioAddReceiver(self);
        return self;
    }
    AV_RELEASE(self);
    return nil;
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
    if (_recording) recording_close(_recording);
    AV_RELEASE(_url);
    AV_RELEASE(_settings);
    AV_SUPER_DEALLOC;
}

/* ---- Recording ---- */

- (BOOL)prepareToRecord {
    return recording_prepare(_recording) == noErr;
}

/* A session that could not begin when the object was made begins now. */
- (BOOL)startAt:(const AudioTimeStamp *)start frames:(SInt64)frames {
    AVAudioBegin();
    return recording_start(_recording, start, frames) == noErr;
}

- (BOOL)record {
    return [self startAt:NULL frames:0];
}

- (BOOL)recordAtTime:(NSTimeInterval)time {
    AudioTimeStamp start;
    return AVAudioHostTime(time, &start) && [self startAt:&start frames:0];
}

/* 0 for a duration that is no positive number of frames. */
- (SInt64)framesOf:(NSTimeInterval)duration {
    double frames = duration * recording_rate(_recording);
    return frames >= 1 && frames < 1e15 ? (SInt64)(frames + 0.5) : 0;
}

- (BOOL)recordForDuration:(NSTimeInterval)duration {
    SInt64 frames = [self framesOf:duration];
    return frames > 0 && [self startAt:NULL frames:frames];
}

- (BOOL)recordAtTime:(NSTimeInterval)time forDuration:(NSTimeInterval)duration {
    AudioTimeStamp start;
    SInt64 frames = [self framesOf:duration];
    return frames > 0 && AVAudioHostTime(time, &start) && [self startAt:&start frames:frames];
}

- (void)pause {
    recording_pause(_recording);
}

- (void)stop {
    if (!recording_has_file(_recording)) return;
    _isComplete = recording_stop(_recording);
    _hasStopped = YES;
    /* The main thread calls the delegate after this method has returned. */
    AVAudioSignalEvents();
}

- (BOOL)deleteRecording {
    if (recording_has_file(_recording)) return NO;
    const char *path = AVAudioPathOfURL(_url);
    return path && !discarded_path(path) && unlink(path) == 0;
}

- (BOOL)isRecording {
    return recording_is_running(_recording);
}

/* ---- The file ---- */

- (NSURL *)url {
    return _url;
}

- (NSDictionary *)settings {
    return _settings ? _settings : AVAudioSettingsOfFormat(recording_format(_recording));
}

- (id<AVAudioRecorderDelegate>)delegate {
    return _delegate;
}

- (void)setDelegate:(id<AVAudioRecorderDelegate>)delegate {
    _delegate = delegate;
}

- (NSTimeInterval)currentTime {
    return recording_time(_recording);
}

- (NSTimeInterval)deviceCurrentTime {
    return (NSTimeInterval)mach_absolute_time() / 1e9;
}

long long AVAudioLinuxLostFrames(AVAudioRecorder *recorder) { return recorder ? recording_lost_frames(recorder->_recording) : 0; }

/* ---- Levels ---- */

- (BOOL)isMeteringEnabled {
    return recording_has_meters(_recording);
}

- (void)setMeteringEnabled:(BOOL)on {
    recording_enable_meters(_recording, on);
}

- (void)updateMeters {
    recording_read_meters(_recording);
}

- (float)peakPowerForChannel:(NSUInteger)channelNumber {
    return recording_meter(_recording, channelNumber).mPeakPower;
}

- (float)averagePowerForChannel:(NSUInteger)channelNumber {
    return recording_meter(_recording, channelNumber).mAveragePower;
}

@end

@implementation AVAudioRecorder (Events)

/* A delegate may release the recorder. */
- (void)deliverEvents {
    struct recording_events events = recording_take_events(_recording);
    if (events.hasFailed && [_delegate respondsToSelector:@selector(audioRecorderEncodeErrorDidOccur:error:)]) {
        NSError *error = AVAudioErrorWithText(events.error, toolbox.AudioToolboxLinuxStatusName(events.error));
        AV_CALL_PROGRAM("audioRecorderEncodeErrorDidOccur:error:", [_delegate audioRecorderEncodeErrorDidOccur:self error:error]);
    }
    /* An end that has come since is told after its own error, and the delegate may have begun another recording. */
    if (events.hasEnded && recording_has_ended(_recording)) [self stop];
    if (!_hasStopped) return;
    _hasStopped = NO;
    if ([_delegate respondsToSelector:@selector(audioRecorderDidFinishRecording:successfully:)])
        AV_CALL_PROGRAM("audioRecorderDidFinishRecording:successfully:",
            [_delegate audioRecorderDidFinishRecording:self successfully:_isComplete]);
}

- (void)sessionWasInterrupted {
    if (!recording_interrupt(_recording)) return;
    _isInterrupted = YES;
    if ([_delegate respondsToSelector:@selector(audioRecorderBeginInterruption:)])
        AV_CALL_PROGRAM("audioRecorderBeginInterruption:", [_delegate audioRecorderBeginInterruption:self]);
}

- (void)sessionInterruptionEndedWithOptions:(NSUInteger)options {
    if (!_isInterrupted) return;
    _isInterrupted = NO;
    if ([_delegate respondsToSelector:@selector(audioRecorderEndInterruption:withOptions:)])
        AV_CALL_PROGRAM(
            "audioRecorderEndInterruption:withOptions:", [_delegate audioRecorderEndInterruption:self withOptions:options])
    else if ([_delegate respondsToSelector:@selector(audioRecorderEndInterruption:withFlags:)])
        AV_CALL_PROGRAM(
            "audioRecorderEndInterruption:withFlags:", [_delegate audioRecorderEndInterruption:self withFlags:options])
    else if ([_delegate respondsToSelector:@selector(audioRecorderEndInterruption:)])
        AV_CALL_PROGRAM("audioRecorderEndInterruption:", [_delegate audioRecorderEndInterruption:self])
}

- (void)sessionStoppedSound {
    recording_hold(_recording);
}

@end
