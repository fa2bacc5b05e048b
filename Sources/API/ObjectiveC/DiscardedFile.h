/* SPDX-License-Identifier: Apache-2.0 */
/* A sound file that has a size and keeps no byte: programs record to /dev/null to measure the level of the microphone. */
#ifndef DISCARDED_FILE_H
#define DISCARDED_FILE_H

#include <AudioToolbox/ExtendedAudioFile.h>
#include <stdbool.h>

struct discarded_file {
    AudioFileID file;
    SInt64 size;
};

bool discarded_path(const char *path);
/* The caller closes the result before the file. */
OSStatus discarded_create(
    struct discarded_file *discarded, AudioFileTypeID type, const AudioStreamBasicDescription *format, ExtAudioFileRef *result);
void discarded_close(struct discarded_file *discarded);

#endif
