/* SPDX-License-Identifier: Apache-2.0 */
/* System sounds: short files that play at once. A new sound ends the sound that plays now. They are no part of the program's
   session: they activate and interrupt nothing, and the silent switch, the lock and a call silence them.
   AudioToolbox/AudioServices.h includes this file. */
#ifndef AUDIOTOOLBOX_SYSTEMSOUNDS_H
#define AUDIOTOOLBOX_SYSTEMSOUNDS_H

#ifndef AUDIOTOOLBOX_COREAUDIOTYPES_H
#include <CoreAudio/CoreAudioTypes.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef UInt32 SystemSoundID;
typedef UInt32 AudioServicesPropertyID;

enum {
    kAudioServicesNoError = 0,
    kAudioServicesUnsupportedPropertyError = 0x7074793F, /* 'pty?' */
    kAudioServicesBadPropertySizeError = 0x2173697A,     /* '!siz' */
    kAudioServicesBadSpecifierSizeError = 0x21737063,    /* '!spc' */
    kAudioServicesSystemSoundUnspecifiedError = -1500,
    kAudioServicesSystemSoundClientTimedOutError = -1501,
    kAudioServicesSystemSoundExceededMaximumDurationError = -1502 /* later systems'; here the result is -1500 */
};

enum {
    kSystemSoundID_FlashScreen = 0xFFE,         /* does nothing */
    kSystemSoundID_Vibrate = 0xFFF,             /* a line in the log */
    kSystemSoundID_UserPreferredAlert = 0x1000, /* there is none: silence */
    kUserPreferredAlert = kSystemSoundID_UserPreferredAlert
};

/* The specifier is a SystemSoundID. */
enum {
    kAudioServicesPropertyIsUISound = 0x69737569,                /* 'isui': UInt32, get and set: has no effect */
    kAudioServicesPropertyCompletePlaybackIfAppDies = 0x69666469 /* 'ifdi': UInt32, get and set: has no effect */
};

/* Called on the run loop after the sound was played. */
typedef void (*AudioServicesSystemSoundCompletionProc)(SystemSoundID ssID, void *clientData);

/* Loads a sound file of up to 30 seconds, of each type and format that ExtAudioFile reads. Any other file is
   kAudioServicesSystemSoundUnspecifiedError. */
OSStatus AudioServicesCreateSystemSoundID(CFURLRef inFileURL, SystemSoundID *outSystemSoundID);

/* Stops the sound and frees it. */
OSStatus AudioServicesDisposeSystemSoundID(SystemSoundID inSystemSoundID);

/* Plays a sound and vibrates. Returns at once. */
void AudioServicesPlayAlertSound(SystemSoundID inSystemSoundID);

/* Plays a sound. Returns at once. */
void AudioServicesPlaySystemSound(SystemSoundID inSystemSoundID);

/* Registers a procedure for the end of a sound. NULL as the run loop: the main run loop or, in a process without
   CoreFoundation, a thread of the library. NULL as the mode: the default mode. If no sound has the
   number, the result is kAudioServicesSystemSoundUnspecifiedError, except for the constants kSystemSoundID_... */
OSStatus AudioServicesAddSystemSoundCompletion(SystemSoundID inSystemSoundID, CFRunLoopRef inRunLoop, CFStringRef inRunLoopMode,
    AudioServicesSystemSoundCompletionProc inCompletionRoutine, void *inClientData);

/* Removes the procedure of a sound. */
void AudioServicesRemoveSystemSoundCompletion(SystemSoundID inSystemSoundID);

/* Writes the size of a property and whether it can be set. Either pointer may be NULL. */
OSStatus AudioServicesGetPropertyInfo(AudioServicesPropertyID inPropertyID, UInt32 inSpecifierSize, const void *inSpecifier,
    UInt32 *outPropertyDataSize, Boolean *outWritable);

/* Writes a property. ioPropertyDataSize: room on entry, the value's size on return. */
OSStatus AudioServicesGetProperty(AudioServicesPropertyID inPropertyID, UInt32 inSpecifierSize, const void *inSpecifier,
    UInt32 *ioPropertyDataSize, void *outPropertyData);

/* Sets a property. */
OSStatus AudioServicesSetProperty(AudioServicesPropertyID inPropertyID, UInt32 inSpecifierSize, const void *inSpecifier,
    UInt32 inPropertyDataSize, const void *inPropertyData);

#ifdef __cplusplus
}
#endif

#endif
