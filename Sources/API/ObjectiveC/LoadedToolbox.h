/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of libAudioToolbox that the classes call. The library is loaded with the first player or recorder: a program that
   has only a session starts without it. */
#ifndef LOADEDTOOLBOX_H
#define LOADEDTOOLBOX_H

#include <AudioToolbox/AudioToolbox.h>
#include <AudioToolbox/AudioToolboxLinux.h>
#include <stdbool.h>
#include <stddef.h>

/* clang-format off */
#define LOADED_FUNCTIONS(each) \
    each(AudioConverterSetProperty) \
    each(AudioFileClose) \
    each(AudioFileGetGlobalInfoSize) \
    each(AudioFileInitializeWithCallbacks) \
    each(AudioFileLinuxOpenPath) \
    each(AudioFileOpenWithCallbacks) \
    each(AudioFormatGetProperty) \
    each(AudioQueueAddPropertyListener) \
    each(AudioQueueAllocateBuffer) \
    each(AudioQueueDispose) \
    each(AudioQueueEnqueueBuffer) \
    each(AudioQueueGetCurrentTime) \
    each(AudioQueueGetParameter) \
    each(AudioQueueGetProperty) \
    each(AudioQueueNewInput) \
    each(AudioQueueNewOutput) \
    each(AudioQueuePause) \
    each(AudioQueueSetParameter) \
    each(AudioQueueSetProperty) \
    each(AudioQueueStart) \
    each(AudioQueueStop) \
    each(AudioToolboxLinuxStatusName) \
    each(ExtAudioFileDispose) \
    each(ExtAudioFileGetProperty) \
    each(ExtAudioFileLinuxCreateWithPath) \
    each(ExtAudioFileRead) \
    each(ExtAudioFileSeek) \
    each(ExtAudioFileSetProperty) \
    each(ExtAudioFileWrapAudioFileID) \
    each(ExtAudioFileWrite)
/* clang-format on */

#define LOADED_MEMBER(name) __typeof__(&name) name;
struct loaded_toolbox {
    LOADED_FUNCTIONS(LOADED_MEMBER)
};
#undef LOADED_MEMBER

/* Complete after a load_toolbox that has succeeded, and then constant. An object with a sound was made after that. */
extern struct loaded_toolbox toolbox __attribute__((visibility("hidden")));

/* Loads the library if the process does not have its functions. False if it cannot be loaded or lacks a function: then `reason`, of
   `size` bytes, says what to install. The next call tries again. */
bool load_toolbox(char *reason, size_t size);

#endif
