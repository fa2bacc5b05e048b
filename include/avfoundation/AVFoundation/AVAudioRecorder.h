/* SPDX-License-Identifier: Apache-2.0 */
/* AVAudioRecorder records the session's input into a file: the types and formats that ExtAudioFile writes. The delegate is called
   on the main thread, by its run loop or by AVAudioLinuxDispatchEvents. */
#ifndef AVFOUNDATION_AVAUDIORECORDER_H
#define AVFOUNDATION_AVAUDIORECORDER_H

#import <AVFoundation/AVAudioBase.h>
#import <AVFoundation/AVAudioSettings.h>
#import <Foundation/Foundation.h>

@protocol AVAudioRecorderDelegate;
struct sound_recording;

@interface AVAudioRecorder : NSObject {
  @private
    struct sound_recording *_recording;
    NSURL *_url;
    NSDictionary *_settings;
    AVFOUNDATION_UNRETAINED id<AVAudioRecorderDelegate> _delegate;
    BOOL _isComplete, _hasStopped, _isInterrupted;
}

/* The extension of the file selects its type: caf, wav, aif, aiff, aifc, au, m4a, mp4; caf without an extension. nil and an error
   for settings that it cannot store. The keys are in AVAudioSettings.h. */
- (id)initWithURL:(NSURL *)url settings:(NSDictionary *)settings error:(NSError **)outError;

/* Creates the file, and replaces one that exists. record does it otherwise. */
- (BOOL)prepareToRecord;
/* Begins or continues, and activates the audio session. NO if the session refuses or the file cannot be written. */
- (BOOL)record;
- (BOOL)recordAtTime:(NSTimeInterval)time;
/* Stops after this time: exact to a frame. */
- (BOOL)recordForDuration:(NSTimeInterval)duration;
- (BOOL)recordAtTime:(NSTimeInterval)time forDuration:(NSTimeInterval)duration;
- (void)pause;
/* Completes and closes the file. */
- (void)stop;
/* Deletes the file of a stopped recorder. */
- (BOOL)deleteRecording;

@property(readonly, getter=isRecording) BOOL recording;
@property(readonly) NSURL *url;
@property(readonly) NSDictionary *settings;
/* Not retained: set it to nil before the delegate is freed. */
@property(AVFOUNDATION_DELEGATE) id<AVAudioRecorderDelegate> delegate;
/* Seconds from the start of the file. 0 when stopped. */
@property(readonly) NSTimeInterval currentTime;
/* The time of recordAtTime:, in seconds. */
@property(readonly) NSTimeInterval deviceCurrentTime;

/* Levels in dB: -160 to 0. updateMeters reads them. */
@property(getter=isMeteringEnabled) BOOL meteringEnabled;
- (void)updateMeters;
- (float)peakPowerForChannel:(NSUInteger)channelNumber;
- (float)averagePowerForChannel:(NSUInteger)channelNumber;

@end

#ifdef __cplusplus
extern "C" {
#endif

/* Linux: the number of frames that the file lacks, because the machine was too slow for the microphone, or the disk for half a
   second. Returns 0 for a recording that is whole. The next recording begins with 0. */
long long AVAudioLinuxLostFrames(AVAudioRecorder *recorder);

#ifdef __cplusplus
}
#endif

@protocol AVAudioRecorderDelegate <NSObject>
@optional
/* The file is complete: after stop, and after the time of recordForDuration:. Not called for interruptions. */
- (void)audioRecorderDidFinishRecording:(AVAudioRecorder *)recorder successfully:(BOOL)flag;
- (void)audioRecorderEncodeErrorDidOccur:(AVAudioRecorder *)recorder error:(NSError *)error;
/* The recorder has paused because the session was interrupted. */
- (void)audioRecorderBeginInterruption:(AVAudioRecorder *)recorder;
/* The first that the delegate implements, of these three. */
- (void)audioRecorderEndInterruption:(AVAudioRecorder *)recorder withOptions:(NSUInteger)flags;
- (void)audioRecorderEndInterruption:(AVAudioRecorder *)recorder withFlags:(NSUInteger)flags;
- (void)audioRecorderEndInterruption:(AVAudioRecorder *)recorder;
@end

#endif
