/* SPDX-License-Identifier: Apache-2.0 */
/* AVAudioSession: the audio session of the process, in Objective-C. The functions of <AudioToolbox/AudioSession.h> and the ALSA
   device of the process use the same session.

   Any thread may send any message. The delegate and the observers of notifications are called on the main thread, by its run
   loop in the default mode; a program without a run loop calls AVAudioLinuxDispatchEvents. A method with an error returns NO
   and sets an NSError of the domain NSOSStatusErrorDomain with a code of this header. */
#ifndef AVFOUNDATION_AVAUDIOSESSION_H
#define AVFOUNDATION_AVAUDIOSESSION_H

#import <AVFoundation/AVAudioBase.h>
#import <Foundation/Foundation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Categories ---- */

extern NSString *const AVAudioSessionCategoryAmbient;
extern NSString *const AVAudioSessionCategorySoloAmbient;
extern NSString *const AVAudioSessionCategoryPlayback;
extern NSString *const AVAudioSessionCategoryRecord;
extern NSString *const AVAudioSessionCategoryPlayAndRecord;
extern NSString *const AVAudioSessionCategoryAudioProcessing;
extern NSString *const AVAudioSessionCategoryMultiRoute;

/* ---- Modes ---- */

extern NSString *const AVAudioSessionModeDefault;
extern NSString *const AVAudioSessionModeVoiceChat;
extern NSString *const AVAudioSessionModeGameChat;
extern NSString *const AVAudioSessionModeVideoRecording;
extern NSString *const AVAudioSessionModeMeasurement;
extern NSString *const AVAudioSessionModeMoviePlayback;
extern NSString *const AVAudioSessionModeVideoChat;
extern NSString *const AVAudioSessionModeSpokenAudio;
extern NSString *const AVAudioSessionModeVoicePrompt;

/* ---- Ports ---- */

extern NSString *const AVAudioSessionPortLineIn;
extern NSString *const AVAudioSessionPortBuiltInMic;
extern NSString *const AVAudioSessionPortHeadsetMic;
extern NSString *const AVAudioSessionPortLineOut;
extern NSString *const AVAudioSessionPortHeadphones;
extern NSString *const AVAudioSessionPortBluetoothA2DP;
extern NSString *const AVAudioSessionPortBuiltInReceiver;
extern NSString *const AVAudioSessionPortBuiltInSpeaker;
extern NSString *const AVAudioSessionPortHDMI;
extern NSString *const AVAudioSessionPortAirPlay;
extern NSString *const AVAudioSessionPortBluetoothLE; /* never found on Linux */
extern NSString *const AVAudioSessionPortBluetoothHFP;
extern NSString *const AVAudioSessionPortUSBAudio;
extern NSString *const AVAudioSessionPortCarAudio; /* never found on Linux */
/* Later releases have these kinds. No port on Linux has one of them. */
extern NSString *const AVAudioSessionPortVirtual;
extern NSString *const AVAudioSessionPortPCI;
extern NSString *const AVAudioSessionPortFireWire;
extern NSString *const AVAudioSessionPortDisplayPort;
extern NSString *const AVAudioSessionPortAVB;
extern NSString *const AVAudioSessionPortThunderbolt;

extern NSString *const AVAudioSessionLocationUpper;
extern NSString *const AVAudioSessionLocationLower;
extern NSString *const AVAudioSessionOrientationTop;
extern NSString *const AVAudioSessionOrientationBottom;
extern NSString *const AVAudioSessionOrientationFront;
extern NSString *const AVAudioSessionOrientationBack;
extern NSString *const AVAudioSessionOrientationLeft;
extern NSString *const AVAudioSessionOrientationRight;
extern NSString *const AVAudioSessionPolarPatternOmnidirectional;
extern NSString *const AVAudioSessionPolarPatternCardioid;
extern NSString *const AVAudioSessionPolarPatternSubcardioid;
extern NSString *const AVAudioSessionPolarPatternStereo;

/* ---- Notifications: their object is the session ---- */

/* An interruption begins or ends. Keys: type, and for an end the option. */
extern NSString *const AVAudioSessionInterruptionNotification;
extern NSString *const AVAudioSessionInterruptionTypeKey;   /* NSNumber: AVAudioSessionInterruptionType */
extern NSString *const AVAudioSessionInterruptionOptionKey; /* NSNumber: AVAudioSessionInterruptionOptions */
/* Later releases have these two keys. No notification has them here: Linux suspends no program, and an interruption has no reason. */
extern NSString *const AVAudioSessionInterruptionWasSuspendedKey;
extern NSString *const AVAudioSessionInterruptionReasonKey;
/* The route has changed. Keys: reason, previous route. */
extern NSString *const AVAudioSessionRouteChangeNotification;
extern NSString *const AVAudioSessionRouteChangeReasonKey;        /* NSNumber: AVAudioSessionRouteChangeReason */
extern NSString *const AVAudioSessionRouteChangePreviousRouteKey; /* AVAudioSessionRouteDescription */
/* The audio server died: the session is inactive, and can be activated once the server is back. */
extern NSString *const AVAudioSessionMediaServicesWereLostNotification;
extern NSString *const AVAudioSessionMediaServicesWereResetNotification;
/* For an active session: another session that does not mix starts or stops playing. Key: type. */
extern NSString *const AVAudioSessionSilenceSecondaryAudioHintNotification;
extern NSString *const AVAudioSessionSilenceSecondaryAudioHintTypeKey; /* NSNumber: AVAudioSessionSilenceSecondaryAudioHintType */

/* ---- Numbers ---- */

enum {
    AVAudioSessionCategoryOptionMixWithOthers = 0x1,    /* Playback, PlayAndRecord, MultiRoute; Ambient always mixes */
    AVAudioSessionCategoryOptionDuckOthers = 0x2,       /* the same, and Ambient; implies MixWithOthers */
    AVAudioSessionCategoryOptionAllowBluetooth = 0x4,   /* Record, PlayAndRecord */
    AVAudioSessionCategoryOptionDefaultToSpeaker = 0x8, /* PlayAndRecord */
    AVAudioSessionCategoryOptionInterruptSpokenAudioAndMixWithOthers = 0x11, /* as MixWithOthers */
    AVAudioSessionCategoryOptionAllowBluetoothA2DP = 0x20,                   /* PlayAndRecord */
    AVAudioSessionCategoryOptionAllowAirPlay = 0x40,                         /* PlayAndRecord */
    /* Record, PlayAndRecord, MultiRoute. Stored without an effect: no microphone here interrupts a session. */
    AVAudioSessionCategoryOptionOverrideMutedMicrophoneInterruption = 0x80
};
typedef NSUInteger AVAudioSessionCategoryOptions;

enum { AVAudioSessionInterruptionTypeEnded = 0, AVAudioSessionInterruptionTypeBegan = 1 };
typedef NSUInteger AVAudioSessionInterruptionType;

enum { AVAudioSessionInterruptionOptionShouldResume = 1 };
typedef NSUInteger AVAudioSessionInterruptionOptions;

/* The values of AVAudioSessionInterruptionReasonKey, which no notification has on Linux. */
enum {
    AVAudioSessionInterruptionReasonDefault = 0,
    AVAudioSessionInterruptionReasonAppWasSuspended = 1,
    AVAudioSessionInterruptionReasonBuiltInMicMuted = 2,
    AVAudioSessionInterruptionReasonRouteDisconnected = 4
};
typedef NSUInteger AVAudioSessionInterruptionReason;

/* The flags of the API of iOS 4. */
enum { AVAudioSessionInterruptionFlags_ShouldResume = 1 };
enum { AVAudioSessionSetActiveFlags_NotifyOthersOnDeactivation = 1 };

enum { AVAudioSessionSetActiveOptionNotifyOthersOnDeactivation = 1 };
typedef NSUInteger AVAudioSessionSetActiveOptions;

enum {
    AVAudioSessionRouteChangeReasonUnknown = 0,
    AVAudioSessionRouteChangeReasonNewDeviceAvailable = 1,
    AVAudioSessionRouteChangeReasonOldDeviceUnavailable = 2, /* a device was disconnected: players pause */
    AVAudioSessionRouteChangeReasonCategoryChange = 3,
    AVAudioSessionRouteChangeReasonOverride = 4,
    AVAudioSessionRouteChangeReasonWakeFromSleep = 6,
    AVAudioSessionRouteChangeReasonNoSuitableRouteForCategory = 7,
    AVAudioSessionRouteChangeReasonRouteConfigurationChange = 8
};
typedef NSUInteger AVAudioSessionRouteChangeReason;

enum { AVAudioSessionSilenceSecondaryAudioHintTypeEnd = 0, AVAudioSessionSilenceSecondaryAudioHintTypeBegin = 1 };
typedef NSUInteger AVAudioSessionSilenceSecondaryAudioHintType;

enum { AVAudioSessionPortOverrideNone = 0, AVAudioSessionPortOverrideSpeaker = 0x73706B72 /* 'spkr' */ };
typedef NSUInteger AVAudioSessionPortOverride;

enum {
    AVAudioSessionRecordPermissionUndetermined = 0x756E6474, /* 'undt' */
    AVAudioSessionRecordPermissionDenied = 0x64656E79,       /* 'deny' */
    AVAudioSessionRecordPermissionGranted = 0x67726E74       /* 'grnt' */
};
typedef NSUInteger AVAudioSessionRecordPermission;

/* Linux stores and checks a policy. It has no other effect. */
enum {
    AVAudioSessionRouteSharingPolicyDefault = 0,
    AVAudioSessionRouteSharingPolicyLongForm = 1,
    AVAudioSessionRouteSharingPolicyLongFormAudio = 1,
    AVAudioSessionRouteSharingPolicyIndependent = 2,
    AVAudioSessionRouteSharingPolicyLongFormVideo = 3
};
typedef NSUInteger AVAudioSessionRouteSharingPolicy;

enum {
    AVAudioSessionErrorCodeNone = 0,
    AVAudioSessionErrorCodeMediaServicesFailed = 0x6D737276,   /* 'msrv': the audio server died and is not back yet */
    AVAudioSessionErrorCodeIsBusy = 0x21616374,                /* '!act': a deactivation while audio ran; it has stopped */
    AVAudioSessionErrorCodeIncompatibleCategory = 0x21636174,  /* '!cat': the category does not allow it */
    AVAudioSessionErrorCodeCannotInterruptOthers = 0x21696E74, /* '!int': a session stops mixing during a call */
    AVAudioSessionErrorCodeMissingEntitlement = 0x656E743F,    /* 'ent?': not on Linux */
    AVAudioSessionErrorCodeSiriIsRecording = 0x73697269,       /* 'siri': not on Linux */
    AVAudioSessionErrorCodeCannotStartPlaying = 0x21706C61,    /* '!pla': not on Linux */
    AVAudioSessionErrorCodeCannotStartRecording = 0x21726563,  /* '!rec': not on Linux */
    AVAudioSessionErrorCodeBadParam = -50,
    AVAudioSessionErrorCodeInsufficientPriority = 0x21707269, /* '!pri': an activation during a phone call */
    AVAudioSessionErrorCodeResourceNotAvailable = 0x21726573, /* '!res': the required hardware is not present */
    AVAudioSessionErrorCodeExpiredSession = 0x21736573,       /* '!ses': not on Linux */
    AVAudioSessionErrorCodeSessionNotActive = 0x696E6163,     /* 'inac': not on Linux */
    AVAudioSessionErrorCodeUnspecified = 0x77686174           /* 'what': the log states the cause */
};
typedef NSInteger AVAudioSessionErrorCode;
/* Older names of two codes. */
enum {
    AVAudioSessionErrorInsufficientPriority = AVAudioSessionErrorCodeInsufficientPriority,
    AVAudioSessionErrorCodeInvalidParameter = AVAudioSessionErrorCodeBadParam
};

/* ---- Ports and routes ---- */

/* One of several selectable sources or destinations of a port. */
@interface AVAudioSessionDataSourceDescription : NSObject {
  @private
    NSNumber *_identifier;
    NSString *_name;
    NSString *_port;
}
- (NSNumber *)dataSourceID;
- (NSString *)dataSourceName;
/* nil: ALSA does not report it. */
- (NSString *)location;
/* Derived from the name of the data source; nil if the name has no direction. */
- (NSString *)orientation;
/* nil: ALSA does not report patterns. */
- (NSArray *)supportedPolarPatterns;
- (NSString *)selectedPolarPattern;
- (NSString *)preferredPolarPattern;
/* No pattern is supported: nil succeeds. */
- (BOOL)setPreferredPolarPattern:(NSString *)pattern error:(NSError **)outError;
@end

@interface AVAudioSessionChannelDescription : NSObject {
  @private
    NSString *_name;
    NSString *_port;
    NSUInteger _number;
    unsigned _label;
}
- (NSString *)channelName;
- (NSString *)owningPortUID;
/* From 1. */
- (NSUInteger)channelNumber;
/* An AudioChannelLabel: left, right, mono, or the number of a discrete channel. */
- (unsigned)channelLabel;
@end

/* An input or output of the machine. */
@interface AVAudioSessionPortDescription : NSObject {
  @private
    NSString *_type;
    NSString *_name;
    NSString *_uid;
    NSString *_device;
    NSMutableArray *_sources;
    AVAudioSessionDataSourceDescription *_selected;
    NSUInteger _channels;
    BOOL _isInput;
}
- (NSString *)portType;
/* A name to display. */
- (NSString *)portName;
/* A port that is plugged in again has the same identifier. */
- (NSString *)UID;
- (NSArray *)channels;
/* NO: ALSA does not report this. */
- (BOOL)hasHardwareVoiceCallProcessing;
/* nil without any. */
- (NSArray *)dataSources;
- (AVAudioSessionDataSourceDescription *)selectedDataSource;
/* The data source of the last set; nil before. */
- (AVAudioSessionDataSourceDescription *)preferredDataSource;
/* Selects at once, also for a port outside the route. nil keeps the present selection. */
- (BOOL)setPreferredDataSource:(AVAudioSessionDataSourceDescription *)dataSource error:(NSError **)outError;
/* The name of the port for snd_pcm_open. Only on Linux. */
- (NSString *)alsaDevice;
@end

/* The ports that a session uses, at one moment. */
@interface AVAudioSessionRouteDescription : NSObject {
  @private
    NSMutableArray *_inputs;
    NSMutableArray *_outputs;
}
- (NSArray *)inputs;
- (NSArray *)outputs;
@end

/* ---- The delegate of the API of 2009 ---- */

@protocol AVAudioSessionDelegate <NSObject>
@optional
/* The session has become inactive, its sound has stopped. */
- (void)beginInterruption;
/* AVAudioSessionInterruptionFlags_ShouldResume, or 0. */
- (void)endInterruptionWithFlags:(NSUInteger)flags;
/* Called unless the delegate implements endInterruptionWithFlags:. */
- (void)endInterruption;
- (void)inputIsAvailableChanged:(BOOL)isInputAvailable;
- (void)categoryChanged:(NSString *)category;
- (void)currentHardwareSampleRateChanged:(double)sampleRate;
- (void)currentHardwareInputNumberOfChannelsChanged:(NSInteger)numberOfChannels;
- (void)currentHardwareOutputNumberOfChannelsChanged:(NSInteger)numberOfChannels;
@end

/* ---- The session ---- */

@interface AVAudioSession : NSObject

/* The session of the process. The first message begins it. */
+ (id)sharedInstance;

/* Not retained: set it to nil before the delegate is freed. */
@property(AVFOUNDATION_DELEGATE) id<AVAudioSessionDelegate> delegate;

/* Category, mode, options. A set replaces all options, and keeps the mode if it fits. */
@property(readonly) NSString *category;
@property(readonly) AVAudioSessionCategoryOptions categoryOptions;
@property(readonly) NSString *mode;
@property(readonly) AVAudioSessionRouteSharingPolicy routeSharingPolicy;
@property(readonly) NSArray *availableCategories;
@property(readonly) NSArray *availableModes;
- (BOOL)setCategory:(NSString *)theCategory error:(NSError **)outError;
- (BOOL)setCategory:(NSString *)category withOptions:(AVAudioSessionCategoryOptions)options error:(NSError **)outError;
- (BOOL)setCategory:(NSString *)category
               mode:(NSString *)mode
            options:(AVAudioSessionCategoryOptions)options
              error:(NSError **)outError;
- (BOOL)setCategory:(NSString *)category
                  mode:(NSString *)mode
    routeSharingPolicy:(AVAudioSessionRouteSharingPolicy)policy
               options:(AVAudioSessionCategoryOptions)options
                 error:(NSError **)outError;
- (BOOL)setMode:(NSString *)theMode error:(NSError **)outError;

/* Activity. */
- (BOOL)setActive:(BOOL)beActive error:(NSError **)outError;
- (BOOL)setActive:(BOOL)beActive withFlags:(NSInteger)flags error:(NSError **)outError;
- (BOOL)setActive:(BOOL)active withOptions:(AVAudioSessionSetActiveOptions)options error:(NSError **)outError;
@property(readonly, getter=isOtherAudioPlaying) BOOL otherAudioPlaying;
@property(readonly) BOOL secondaryAudioShouldBeSilencedHint;

/* Hardware: present values. 0 without a device. */
@property(readonly) double sampleRate;
@property(readonly) NSTimeInterval IOBufferDuration;
@property(readonly) NSInteger inputNumberOfChannels;
@property(readonly) NSInteger outputNumberOfChannels;
@property(readonly) NSInteger maximumInputNumberOfChannels;
@property(readonly) NSInteger maximumOutputNumberOfChannels;
@property(readonly) NSTimeInterval inputLatency;
@property(readonly) NSTimeInterval outputLatency;
@property(readonly) float outputVolume;
@property(readonly) float inputGain;
@property(readonly, getter=isInputGainSettable) BOOL inputGainSettable;
@property(readonly, getter=isInputAvailable) BOOL inputAvailable;
- (BOOL)setInputGain:(float)gain error:(NSError **)outError;

/* Preferences: the values of the last set, 0 without a preference. */
@property(readonly) double preferredSampleRate;
@property(readonly) NSTimeInterval preferredIOBufferDuration;
@property(readonly) NSInteger preferredInputNumberOfChannels;
@property(readonly) NSInteger preferredOutputNumberOfChannels;
- (BOOL)setPreferredSampleRate:(double)sampleRate error:(NSError **)outError;
- (BOOL)setPreferredIOBufferDuration:(NSTimeInterval)duration error:(NSError **)outError;
- (BOOL)setPreferredInputNumberOfChannels:(NSInteger)count error:(NSError **)outError;
- (BOOL)setPreferredOutputNumberOfChannels:(NSInteger)count error:(NSError **)outError;
/* Preferences without an effect, initially NO: recording silences no system sound here, there are no haptics, and no alert of the
   system interrupts a session. */
@property(readonly) BOOL allowHapticsAndSystemSoundsDuringRecording;
@property(readonly) BOOL prefersNoInterruptionsFromSystemAlerts;
- (BOOL)setAllowHapticsAndSystemSoundsDuringRecording:(BOOL)inValue error:(NSError **)outError;
- (BOOL)setPrefersNoInterruptionsFromSystemAlerts:(BOOL)inValue error:(NSError **)outError;

/* The names of 2009. */
@property(readonly) double currentHardwareSampleRate;
@property(readonly) NSInteger currentHardwareInputNumberOfChannels;
@property(readonly) NSInteger currentHardwareOutputNumberOfChannels;
@property(readonly) BOOL inputIsAvailable;
@property(readonly) double preferredHardwareSampleRate;
- (BOOL)setPreferredHardwareSampleRate:(double)sampleRate error:(NSError **)outError;

/* The route. */
@property(readonly) AVAudioSessionRouteDescription *currentRoute;
/* nil in a category without input. */
@property(readonly) NSArray *availableInputs;
@property(readonly) AVAudioSessionPortDescription *preferredInput;
- (BOOL)setPreferredInput:(AVAudioSessionPortDescription *)inPort error:(NSError **)outError;
- (BOOL)overrideOutputAudioPort:(AVAudioSessionPortOverride)portOverride error:(NSError **)outError;
@property(readonly) NSArray *inputDataSources;
@property(readonly) AVAudioSessionDataSourceDescription *inputDataSource;
- (BOOL)setInputDataSource:(AVAudioSessionDataSourceDescription *)dataSource error:(NSError **)outError;
@property(readonly) NSArray *outputDataSources;
@property(readonly) AVAudioSessionDataSourceDescription *outputDataSource;
- (BOOL)setOutputDataSource:(AVAudioSessionDataSourceDescription *)dataSource error:(NSError **)outError;

/* Recording. Denied if the machine has inputs and the process may open none of them. */
@property(readonly) AVAudioSessionRecordPermission recordPermission;
#if defined(__BLOCKS__)
/* Linux asks no user: the block is called with the present permission before the return. */
- (void)requestRecordPermission:(void (^)(BOOL granted))response;
#endif

@end

/* ---- Linux: programs without a run loop ---- */

/* Returns a descriptor that is readable while AVAudioLinuxDispatchEvents has something to do; -1 without a session or a free
   descriptor. The library owns it: do not read or close it. */
int AVAudioLinuxEventDescriptor(void);

/* Posts the pending notifications and calls the delegates, and the listeners of the C API, on the calling thread. The main run
   loop does the same. */
void AVAudioLinuxDispatchEvents(void);

#ifdef __cplusplus
}
#endif

#endif
