/* SPDX-License-Identifier: Apache-2.0 */
/* Functions for Linux that the platform did not have: the names of results, and files by path, for programs without
   CoreFoundation. A path is bytes, as in open(2). After a function of files returns kAudioFileUnspecifiedError, errno is the
   error of the system, if there is one. */
#ifndef AUDIOTOOLBOX_AUDIOTOOLBOXLINUX_H
#define AUDIOTOOLBOX_AUDIOTOOLBOXLINUX_H

#ifndef AUDIOTOOLBOX_EXTENDEDAUDIOFILE_H
#include <AudioToolbox/ExtendedAudioFile.h>
#endif
#ifndef AUDIOTOOLBOX_SYSTEMSOUNDS_H
#include <AudioToolbox/SystemSounds.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Returns, for example, "kAudioQueueErr_InvalidBuffer (-66687)". Knows the results of the session, units, queues, files,
   converters and formats; if several have one number, the first of this order is named. Any other number is returned as a text.
   Never NULL. The text is valid until the thread calls the function again. */
const char *AudioToolboxLinuxStatusName(OSStatus status);

/* AudioFileOpenURL with a path. */
OSStatus AudioFileLinuxOpenPath(const char *path, SInt8 inPermissions, AudioFileTypeID inFileTypeHint, AudioFileID *outAudioFile);

/* AudioFileCreateWithURL with a path. */
OSStatus AudioFileLinuxCreateWithPath(const char *path, AudioFileTypeID inFileType, const AudioStreamBasicDescription *inFormat,
    UInt32 inFlags, AudioFileID *outAudioFile);

/* ExtAudioFileOpenURL with a path. */
OSStatus ExtAudioFileLinuxOpenPath(const char *path, ExtAudioFileRef *outExtAudioFile);

/* ExtAudioFileCreateWithURL with a path. */
OSStatus ExtAudioFileLinuxCreateWithPath(const char *path, AudioFileTypeID inFileType,
    const AudioStreamBasicDescription *inStreamDesc, const AudioChannelLayout *inChannelLayout, UInt32 inFlags,
    ExtAudioFileRef *outExtAudioFile);

/* AudioServicesCreateSystemSoundID with a path. */
OSStatus AudioServicesLinuxCreateSystemSoundIDWithPath(const char *path, SystemSoundID *outSystemSoundID);

#ifdef __cplusplus
}
#endif

#endif
