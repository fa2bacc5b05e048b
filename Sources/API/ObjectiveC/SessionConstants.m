/* SPDX-License-Identifier: Apache-2.0 */
/* The constant strings of AVAudioSession, with the values of the platform. */
#import <AVFoundation/AVAudioSession.h>

NSString *const AVAudioSessionCategoryAmbient = @"AVAudioSessionCategoryAmbient";
NSString *const AVAudioSessionCategorySoloAmbient = @"AVAudioSessionCategorySoloAmbient";
NSString *const AVAudioSessionCategoryPlayback = @"AVAudioSessionCategoryPlayback";
NSString *const AVAudioSessionCategoryRecord = @"AVAudioSessionCategoryRecord";
NSString *const AVAudioSessionCategoryPlayAndRecord = @"AVAudioSessionCategoryPlayAndRecord";
NSString *const AVAudioSessionCategoryAudioProcessing = @"AVAudioSessionCategoryAudioProcessing";
NSString *const AVAudioSessionCategoryMultiRoute = @"AVAudioSessionCategoryMultiRoute";

NSString *const AVAudioSessionModeDefault = @"AVAudioSessionModeDefault";
NSString *const AVAudioSessionModeVoiceChat = @"AVAudioSessionModeVoiceChat";
NSString *const AVAudioSessionModeGameChat = @"AVAudioSessionModeGameChat";
NSString *const AVAudioSessionModeVideoRecording = @"AVAudioSessionModeVideoRecording";
NSString *const AVAudioSessionModeMeasurement = @"AVAudioSessionModeMeasurement";
NSString *const AVAudioSessionModeMoviePlayback = @"AVAudioSessionModeMoviePlayback";
NSString *const AVAudioSessionModeVideoChat = @"AVAudioSessionModeVideoChat";
NSString *const AVAudioSessionModeSpokenAudio = @"AVAudioSessionModeSpokenAudio";
NSString *const AVAudioSessionModeVoicePrompt = @"AVAudioSessionModeVoicePrompt";

NSString *const AVAudioSessionPortLineIn = @"LineIn";
NSString *const AVAudioSessionPortBuiltInMic = @"MicrophoneBuiltIn";
NSString *const AVAudioSessionPortHeadsetMic = @"MicrophoneWired";
NSString *const AVAudioSessionPortLineOut = @"LineOut";
NSString *const AVAudioSessionPortHeadphones = @"Headphones";
NSString *const AVAudioSessionPortBluetoothA2DP = @"BluetoothA2DPOutput";
NSString *const AVAudioSessionPortBuiltInReceiver = @"Receiver";
NSString *const AVAudioSessionPortBuiltInSpeaker = @"Speaker";
NSString *const AVAudioSessionPortHDMI = @"HDMIOutput";
NSString *const AVAudioSessionPortAirPlay = @"AirPlay";
NSString *const AVAudioSessionPortBluetoothLE = @"BluetoothLE";
NSString *const AVAudioSessionPortBluetoothHFP = @"BluetoothHFP";
NSString *const AVAudioSessionPortUSBAudio = @"USBAudio";
NSString *const AVAudioSessionPortCarAudio = @"CarAudio";
NSString *const AVAudioSessionPortVirtual = @"Virtual";
NSString *const AVAudioSessionPortPCI = @"PCI";
NSString *const AVAudioSessionPortFireWire = @"FireWire";
NSString *const AVAudioSessionPortDisplayPort = @"DisplayPort";
NSString *const AVAudioSessionPortAVB = @"AVB";
NSString *const AVAudioSessionPortThunderbolt = @"Thunderbolt";

NSString *const AVAudioSessionLocationUpper = @"Upper";
NSString *const AVAudioSessionLocationLower = @"Lower";
NSString *const AVAudioSessionOrientationTop = @"Top";
NSString *const AVAudioSessionOrientationBottom = @"Bottom";
NSString *const AVAudioSessionOrientationFront = @"Front";
NSString *const AVAudioSessionOrientationBack = @"Back";
NSString *const AVAudioSessionOrientationLeft = @"Left";
NSString *const AVAudioSessionOrientationRight = @"Right";
NSString *const AVAudioSessionPolarPatternOmnidirectional = @"Omnidirectional";
NSString *const AVAudioSessionPolarPatternCardioid = @"Cardioid";
NSString *const AVAudioSessionPolarPatternSubcardioid = @"Subcardioid";
NSString *const AVAudioSessionPolarPatternStereo = @"Stereo";

NSString *const AVAudioSessionInterruptionNotification = @"AVAudioSessionInterruptionNotification";
NSString *const AVAudioSessionInterruptionTypeKey = @"AVAudioSessionInterruptionTypeKey";
NSString *const AVAudioSessionInterruptionOptionKey = @"AVAudioSessionInterruptionOptionKey";
NSString *const AVAudioSessionInterruptionWasSuspendedKey = @"AVAudioSessionInterruptionWasSuspendedKey";
NSString *const AVAudioSessionInterruptionReasonKey = @"AVAudioSessionInterruptionReasonKey";
NSString *const AVAudioSessionRouteChangeNotification = @"AVAudioSessionRouteChangeNotification";
NSString *const AVAudioSessionRouteChangeReasonKey = @"AVAudioSessionRouteChangeReasonKey";
NSString *const AVAudioSessionRouteChangePreviousRouteKey = @"AVAudioSessionRouteChangePreviousRouteKey";
NSString *const AVAudioSessionMediaServicesWereLostNotification = @"AVAudioSessionMediaServicesWereLostNotification";
NSString *const AVAudioSessionMediaServicesWereResetNotification = @"AVAudioSessionMediaServicesWereResetNotification";
NSString *const AVAudioSessionSilenceSecondaryAudioHintNotification = @"AVAudioSessionSilenceSecondaryAudioHintNotification";
NSString *const AVAudioSessionSilenceSecondaryAudioHintTypeKey = @"AVAudioSessionSilenceSecondaryAudioHintTypeKey";
