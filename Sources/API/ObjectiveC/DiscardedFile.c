/* SPDX-License-Identifier: Apache-2.0 */
#include "DiscardedFile.h"

#include <string.h>

#include "LoadedToolbox.h"

bool discarded_path(const char *path) { return strcmp(path, "/dev/null") == 0; }

static OSStatus readNothing(void *context, SInt64 position, UInt32 wanted, void *bytes, UInt32 *done) {
    (void)context, (void)position, (void)wanted, (void)bytes;
    *done = 0;
    return kAudioFileEndOfFileError;
}

static OSStatus discard(void *context, SInt64 position, UInt32 count, const void *bytes, UInt32 *done) {
    struct discarded_file *discarded = context;
    (void)bytes;
    if (position + count > discarded->size) discarded->size = position + count;
    *done = count;
    return noErr;
}

static SInt64 size(void *context) { return ((struct discarded_file *)context)->size; }

static OSStatus setSize(void *context, SInt64 size) {
    ((struct discarded_file *)context)->size = size;
    return noErr;
}

OSStatus discarded_create(
    struct discarded_file *discarded, AudioFileTypeID type, const AudioStreamBasicDescription *format, ExtAudioFileRef *result) {
    discarded->size = 0;
    OSStatus status = toolbox.AudioFileInitializeWithCallbacks(
        discarded, readNothing, discard, size, setSize, type, format, kAudioFileFlags_EraseFile, &discarded->file);
    return status ? status : toolbox.ExtAudioFileWrapAudioFileID(discarded->file, true, result);
}

void discarded_close(struct discarded_file *discarded) {
    if (discarded->file) toolbox.AudioFileClose(discarded->file);
    discarded->file = NULL;
}
