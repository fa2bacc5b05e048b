/* SPDX-License-Identifier: Apache-2.0 */
/* Sound files as linear PCM: an AudioFile and an AudioConverter in one. */
#ifndef AUDIOTOOLBOX_EXTENDEDAUDIOFILE_H
#define AUDIOTOOLBOX_EXTENDEDAUDIOFILE_H
#define __ExtendedAudioFile_h__ /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_AUDIOFILE_H
#include <AudioToolbox/AudioFile.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OpaqueExtAudioFile *ExtAudioFileRef;
typedef UInt32 ExtAudioFilePropertyID;

enum {
    kExtAudioFileProperty_FileDataFormat = 0x66666D74,    /* 'ffmt': AudioStreamBasicDescription, get */
    kExtAudioFileProperty_FileChannelLayout = 0x66636C6F, /* 'fclo': AudioChannelLayout, get; set in CAF before the first write */
    kExtAudioFileProperty_ClientDataFormat = 0x63666D74,  /* 'cfmt': AudioStreamBasicDescription, get and set: linear PCM */
    kExtAudioFileProperty_ClientChannelLayout =
        0x63636C6F, /* 'cclo': AudioChannelLayout, get and set: the channels keep their order */
    kExtAudioFileProperty_CodecManufacturer =
        0x636D616E,                                    /* 'cman': UInt32, get and set: has no effect, all codecs are software */
    kExtAudioFileProperty_AudioConverter = 0x61636E76, /* 'acnv': AudioConverterRef, get */
    kExtAudioFileProperty_AudioFile = 0x6166696C,      /* 'afil': AudioFileID, get */
    kExtAudioFileProperty_FileMaxPacketSize = 0x666D7073,   /* 'fmps': UInt32, get */
    kExtAudioFileProperty_ClientMaxPacketSize = 0x636D7073, /* 'cmps': UInt32, get */
    kExtAudioFileProperty_FileLengthFrames = 0x2366726D,    /* '#frm': SInt64, get: at the file's rate */
    kExtAudioFileProperty_ConverterConfig = 0x61636366,     /* 'accf': set to NULL after a change of the converter */
    kExtAudioFileProperty_IOBufferSizeBytes = 0x696F6273,   /* 'iobs': UInt32, get and set */
    kExtAudioFileProperty_IOBuffer = 0x696F6266,            /* 'iobf': is not supported */
    kExtAudioFileProperty_PacketTable = 0x78707469          /* 'xpti': AudioFilePacketTableInfo, get and set */
};

enum {
    kExtAudioFileError_InvalidProperty = -66561,
    kExtAudioFileError_InvalidPropertySize = -66562,
    kExtAudioFileError_NonPCMClientFormat = -66563,
    kExtAudioFileError_InvalidChannelMap = -66564,
    kExtAudioFileError_InvalidOperationOrder = -66565, /* set the client format before the first write */
    kExtAudioFileError_InvalidDataFormat = -66566,
    kExtAudioFileError_MaxPacketSizeUnknown = -66567,
    kExtAudioFileError_InvalidSeek = -66568, /* while writing, or outside the file */
    kExtAudioFileError_AsyncWriteTooLarge = -66569,
    kExtAudioFileError_AsyncWriteBufferOverflow = -66570,
    kExtAudioFileError_CodecUnavailableInputConsumed = -66559,   /* is never returned: codecs are software */
    kExtAudioFileError_CodecUnavailableInputNotConsumed = -66560 /* is never returned */
};

/* Opens a file for reading. */
OSStatus ExtAudioFileOpenURL(CFURLRef inURL, ExtAudioFileRef *outExtAudioFile);

/* Reads or writes an open file, which the program closes after ExtAudioFileDispose. */
OSStatus ExtAudioFileWrapAudioFileID(AudioFileID inFileID, Boolean inForWriting, ExtAudioFileRef *outExtAudioFile);

/* Creates a file. Without kAudioFileFlags_EraseFile a file that exists is an error. */
OSStatus ExtAudioFileCreateWithURL(CFURLRef inURL, AudioFileTypeID inFileType, const AudioStreamBasicDescription *inStreamDesc,
    const AudioChannelLayout *inChannelLayout, UInt32 inFlags, ExtAudioFileRef *outExtAudioFile);

/* Writes pending data and closes the file. */
OSStatus ExtAudioFileDispose(ExtAudioFileRef inExtAudioFile);

/* Reads frames in the client format. ioNumberFrames: wanted on entry, read on return; 0 at the end. */
OSStatus ExtAudioFileRead(ExtAudioFileRef inExtAudioFile, UInt32 *ioNumberFrames, AudioBufferList *ioData);

/* Writes frames in the client format. Frames of earlier asynchronous writes are written first. */
OSStatus ExtAudioFileWrite(ExtAudioFileRef inExtAudioFile, UInt32 inNumberFrames, const AudioBufferList *ioData);

/* Copies frames into a ring that another thread writes to the file; does not block or allocate. The first call, with 0
   frames and NULL, prepares the ring. */
OSStatus ExtAudioFileWriteAsync(ExtAudioFileRef inExtAudioFile, UInt32 inNumberFrames, const AudioBufferList *ioData);

/* Moves the position of the next read, counted at the file's rate. */
OSStatus ExtAudioFileSeek(ExtAudioFileRef inExtAudioFile, SInt64 inFrameOffset);

/* Writes the position, counted at the file's rate. */
OSStatus ExtAudioFileTell(ExtAudioFileRef inExtAudioFile, SInt64 *outFrameOffset);

/* Writes the size of a property and whether it can be set. Either pointer may be NULL. */
OSStatus ExtAudioFileGetPropertyInfo(
    ExtAudioFileRef inExtAudioFile, ExtAudioFilePropertyID inPropertyID, UInt32 *outSize, Boolean *outWritable);

/* Writes a property. ioPropertyDataSize: room on entry, the value's size on return. */
OSStatus ExtAudioFileGetProperty(
    ExtAudioFileRef inExtAudioFile, ExtAudioFilePropertyID inPropertyID, UInt32 *ioPropertyDataSize, void *outPropertyData);

/* Sets a property. */
OSStatus ExtAudioFileSetProperty(
    ExtAudioFileRef inExtAudioFile, ExtAudioFilePropertyID inPropertyID, UInt32 inPropertyDataSize, const void *inPropertyData);

#ifdef __cplusplus
}
#endif

#endif
