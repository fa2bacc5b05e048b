/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in front of libAudioToolbox for the tool that loads it: the file refuses the write of the number in REFUSED_WRITE, and with
   REFUSED_CLOSE its close fails. */
#define _GNU_SOURCE
#include <AudioToolbox/AudioToolbox.h>
#include <dlfcn.h>
#include <stdlib.h>

OSStatus ExtAudioFileWrite(ExtAudioFileRef file, UInt32 frames, const AudioBufferList *list) {
    static int calls; /* atomic */
    __typeof__(ExtAudioFileWrite) *next;
    *(void **)&next = dlsym(RTLD_NEXT, "ExtAudioFileWrite");
    const char *refused = getenv("REFUSED_WRITE");
    if (refused && __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) == atoi(refused)) return kAudioFilePermissionsError;
    return next(file, frames, list);
}

OSStatus ExtAudioFileDispose(ExtAudioFileRef file) {
    __typeof__(ExtAudioFileDispose) *next;
    *(void **)&next = dlsym(RTLD_NEXT, "ExtAudioFileDispose");
    OSStatus status = next(file);
    const char *refused = getenv("REFUSED_CLOSE");
    return refused && *refused ? kAudioFileInvalidChunkError : status;
}
