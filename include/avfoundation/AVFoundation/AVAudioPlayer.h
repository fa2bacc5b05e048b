/* SPDX-License-Identifier: Apache-2.0 */
/* AVAudioPlayer plays a sound from a file or from memory: every format that ExtAudioFile reads. The delegate is called on the main
   thread, by its run loop or by AVAudioLinuxDispatchEvents. */
#ifndef AVFOUNDATION_AVAUDIOPLAYER_H
#define AVFOUNDATION_AVAUDIOPLAYER_H

#import <AVFoundation/AVAudioBase.h>
#import <AVFoundation/AVAudioSettings.h>
#import <Foundation/Foundation.h>

@protocol AVAudioPlayerDelegate;
struct sound_playback;

@interface AVAudioPlayer : NSObject {
  @private
    struct sound_playback *_playback;
    NSURL *_url;
    NSData *_data;
    AVFOUNDATION_UNRETAINED id<AVAudioPlayerDelegate> _delegate;
    BOOL _isInterrupted;
}

/* nil and an error if the sound cannot be played. */
- (id)initWithContentsOfURL:(NSURL *)url error:(NSError **)outError;
- (id)initWithData:(NSData *)data error:(NSError **)outError;
/* The hint, a uniform type identifier, helps only where the contents do not tell the type. */
- (id)initWithContentsOfURL:(NSURL *)url fileTypeHint:(NSString *)utiString error:(NSError **)outError;
- (id)initWithData:(NSData *)data fileTypeHint:(NSString *)utiString error:(NSError **)outError;

/* Reads the first buffers, so that play begins without delay. play does it otherwise. */
- (BOOL)prepareToPlay;
/* Begins or continues, and activates the audio session. NO if the session refuses. */
- (BOOL)play;
/* The same, at a time of deviceCurrentTime. */
- (BOOL)playAtTime:(NSTimeInterval)time;
- (void)pause;
/* As pause, and frees the buffers. */
- (void)stop;

@property(readonly, getter=isPlaying) BOOL playing;
@property(readonly) NSUInteger numberOfChannels;
/* Seconds. */
@property(readonly) NSTimeInterval duration;
/* Not retained: set it to nil before the delegate is freed. */
@property(AVFOUNDATION_DELEGATE) id<AVAudioPlayerDelegate> delegate;
/* nil for a player of data, and the other way round. */
@property(readonly) NSURL *url;
@property(readonly) NSData *data;
/* The format of the sound: AVFormatIDKey, AVSampleRateKey, AVNumberOfChannelsKey, and for linear PCM its keys. */
@property(readonly) NSDictionary *settings;

/* -1 left, 0, 1 right. */
@property float pan;
/* 0 to 1. */
@property float volume;
- (void)setVolume:(float)volume fadeDuration:(NSTimeInterval)duration;
/* Whether rate has an effect. A change takes effect with the next prepareToPlay or play of a player that is stopped. */
@property BOOL enableRate;
/* The speed with enableRate: 0.5 to 2, at first 1. The pitch stays, and the times are those of the sound. */
@property float rate;

/* Seconds from the start of the sound. A set during sound goes on there. */
@property NSTimeInterval currentTime;
/* The time of playAtTime:, in seconds. */
@property(readonly) NSTimeInterval deviceCurrentTime;
/* 0 plays once, 1 twice; a negative number until stop. */
@property NSInteger numberOfLoops;

/* Levels before volume and pan, in dB: -160 to 0. updateMeters reads them. */
@property(getter=isMeteringEnabled) BOOL meteringEnabled;
- (void)updateMeters;
- (float)peakPowerForChannel:(NSUInteger)channelNumber;
- (float)averagePowerForChannel:(NSUInteger)channelNumber;

@end

@protocol AVAudioPlayerDelegate <NSObject>
@optional
/* The sound has ended. Not called by stop, pause and interruptions. NO: a packet could not be decoded. */
- (void)audioPlayerDidFinishPlaying:(AVAudioPlayer *)player successfully:(BOOL)flag;
- (void)audioPlayerDecodeErrorDidOccur:(AVAudioPlayer *)player error:(NSError *)error;
/* The player has paused because the session was interrupted. */
- (void)audioPlayerBeginInterruption:(AVAudioPlayer *)player;
/* The first that the delegate implements, of these three. The options: AVAudioSessionInterruptionOptionShouldResume, or 0. */
- (void)audioPlayerEndInterruption:(AVAudioPlayer *)player withOptions:(NSUInteger)flags;
- (void)audioPlayerEndInterruption:(AVAudioPlayer *)player withFlags:(NSUInteger)flags;
- (void)audioPlayerEndInterruption:(AVAudioPlayer *)player;
@end

#endif
