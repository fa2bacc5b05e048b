/* SPDX-License-Identifier: Apache-2.0 */
/* Settings, locations, times and errors of players and recorders as the C API has them. */
#ifndef SOUNDSETTINGS_H
#define SOUNDSETTINGS_H

#import <AVFoundation/AVAudioSettings.h>
#include <stdbool.h>

#include "SoundRecording.h"

/* Before any other call of these functions, and of those of SoundPlayback.h and SoundRecording.h that make an object. NO, and an error
   that says what to install, without libAudioToolbox. */
BOOL AVAudioLoadToolbox(NSError **outError);
/* The path of a file URL; NULL for any other object. Valid as long as the autorelease pool. */
const char *AVAudioPathOfURL(NSURL *url);
NSDictionary *AVAudioSettingsOfFormat(const AudioStreamBasicDescription *format);
/* kAudio_ParamError for a value of another class, or one that is not a number. */
OSStatus AVAudioReadSettings(NSDictionary *settings, const char *path, struct recording_settings *recording);
/* False for a time that is not a number. */
bool AVAudioHostTime(double seconds, AudioTimeStamp *time);
/* Sets *outError to an error that names a result of the toolbox. Returns whether there is none. */
BOOL AVAudioFinishOpening(OSStatus status, NSError **outError);

#endif
