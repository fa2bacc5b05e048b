/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of libAudioToolbox and libAudioSession that audiosessionctl calls. The tool loads the library only for the
   commands that need it: the other commands work without the library. The types are those of the public headers. */
#ifndef CTOOLBOXFUNCTIONS_H
#define CTOOLBOXFUNCTIONS_H

#include "../../../Toolbox/CAudioToolbox/CAudioToolbox.h"

#include "../../../../include/audiosession/AudioToolbox/AudioSession.h"
#include "../../../../include/audiosession/AudioToolbox/AudioSessionLinux.h"

#include <stdbool.h>

/* clang-format off */
#define TOOLBOX_FUNCTIONS(each) \
    each(AudioSessionInitialize) \
    each(AudioSessionSetProperty) \
    each(AudioSessionGetProperty) \
    each(AudioSessionAddPropertyListener) \
    each(AudioSessionLinuxEventDescriptor) \
    each(AudioSessionLinuxDispatchEvents) \
    each(AudioToolboxLinuxStatusName) \
    each(AudioSessionLinuxSetDisplayName) \
    each(AudioQueueNewOutput) \
    each(AudioQueueNewInput) \
    each(AudioQueueAllocateBuffer) \
    each(AudioQueueEnqueueBuffer) \
    each(AudioQueueStart) \
    each(AudioQueueStop) \
    each(AudioQueueDispose) \
    each(AudioQueueGetProperty) \
    each(AudioQueueSetProperty) \
    each(AudioQueueAddPropertyListener) \
    each(AudioQueueGetCurrentTime) \
    each(ExtAudioFileWrapAudioFileID) \
    each(ExtAudioFileLinuxCreateWithPath) \
    each(ExtAudioFileRead) \
    each(ExtAudioFileWrite) \
    each(ExtAudioFileGetProperty) \
    each(ExtAudioFileSetProperty) \
    each(ExtAudioFileDispose) \
    each(AudioFormatGetProperty) \
    each(AudioFileLinuxOpenPath) \
    each(AudioFileGetProperty) \
    each(AudioFileClose)
/* clang-format on */

#define TOOLBOX_MEMBER(name) __typeof__(&name) _Nonnull name;
struct toolbox_functions {
    TOOLBOX_FUNCTIONS(TOOLBOX_MEMBER)
};
#undef TOOLBOX_MEMBER

/* Loads the library at a path. Returns NULL if it cannot be loaded or lacks a function; then reason is the linker's text. */
const struct toolbox_functions *_Nullable toolbox_load(const char *_Nonnull path, const char *_Nullable *_Nonnull reason);

/* True if the linker has not found the library itself. The linker names the first file that it does not find, which may be a
   library that the library needs. */
bool toolbox_is_missing(const char *_Nonnull path, const char *_Nullable reason);

#endif
