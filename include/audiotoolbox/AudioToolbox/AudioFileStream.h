/* SPDX-License-Identifier: Apache-2.0 */
/* Parses sound that arrives in pieces: MPEG audio, ADTS, CAF, WAVE, AIFF, AIFC, AU, and MPEG-4 whose header precedes the sound.
   MPEG-4 may consist of fragments. The number and the offsets of packets are then unknown, and AudioFileStreamSeek returns
   ValueUnknown. */
#ifndef AUDIOTOOLBOX_AUDIOFILESTREAM_H
#define AUDIOTOOLBOX_AUDIOFILESTREAM_H
#define __AudioFileStream_h__ /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_AUDIOFILE_H
#include <AudioToolbox/AudioFile.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef UInt32 AudioFileStreamPropertyID;
typedef struct OpaqueAudioFileStreamID *AudioFileStreamID;

typedef UInt32 AudioFileStreamPropertyFlags;

enum {
    kAudioFileStreamPropertyFlag_PropertyIsCached = 1, /* on entry: the parser keeps the value */
    kAudioFileStreamPropertyFlag_CacheProperty = 2     /* on return: it shall keep the value */
};

typedef UInt32 AudioFileStreamParseFlags;

enum {
    kAudioFileStreamParseFlag_Discontinuity = 1 /* the bytes do not follow those of the last call */
};

typedef UInt32 AudioFileStreamSeekFlags;

enum { kAudioFileStreamSeekFlag_OffsetIsEstimated = 1 };

enum {
    kAudioFileStreamError_UnsupportedFileType = 0x7479703F,     /* 'typ?' */
    kAudioFileStreamError_UnsupportedDataFormat = 0x666D743F,   /* 'fmt?' */
    kAudioFileStreamError_UnsupportedProperty = 0x7074793F,     /* 'pty?' */
    kAudioFileStreamError_BadPropertySize = 0x2173697A,         /* '!siz' */
    kAudioFileStreamError_NotOptimized = 0x6F70746D,            /* 'optm': the header comes after the sound */
    kAudioFileStreamError_InvalidPacketOffset = 0x70636B3F,     /* 'pck?' */
    kAudioFileStreamError_InvalidFile = 0x6474613F,             /* 'dta?' */
    kAudioFileStreamError_ValueUnknown = 0x756E6B3F,            /* 'unk?': what decides the value has not arrived */
    kAudioFileStreamError_DataUnavailable = 0x6D6F7265,         /* 'more' */
    kAudioFileStreamError_IllegalOperation = 0x6E6F7065,        /* 'nope' */
    kAudioFileStreamError_UnspecifiedError = 0x7768743F,        /* 'wht?' */
    kAudioFileStreamError_DiscontinuityCantRecover = 0x64736321 /* 'dsc!' */
};

enum {
    kAudioFileStreamProperty_ReadyToProducePackets = 0x72656479, /* 'redy': UInt32: packets follow */
    kAudioFileStreamProperty_FileFormat = 0x66666D74,            /* 'ffmt': AudioFileTypeID */
    kAudioFileStreamProperty_DataFormat = 0x64666D74,            /* 'dfmt': AudioStreamBasicDescription */
    kAudioFileStreamProperty_FormatList = 0x666C7374,            /* 'flst': AudioFormatListItem array */
    kAudioFileStreamProperty_MagicCookieData = 0x6D676963,       /* 'mgic': bytes */
    kAudioFileStreamProperty_AudioDataByteCount = 0x62636E74,    /* 'bcnt': UInt64 */
    kAudioFileStreamProperty_AudioDataPacketCount = 0x70636E74,  /* 'pcnt': UInt64 */
    kAudioFileStreamProperty_MaximumPacketSize = 0x70737A65,     /* 'psze': UInt32 */
    kAudioFileStreamProperty_DataOffset = 0x646F6666,            /* 'doff': SInt64 */
    kAudioFileStreamProperty_ChannelLayout = 0x636D6170,         /* 'cmap': AudioChannelLayout */
    kAudioFileStreamProperty_PacketToFrame = 0x706B6672,         /* 'pkfr': AudioFramePacketTranslation */
    kAudioFileStreamProperty_FrameToPacket = 0x6672706B,         /* 'frpk': AudioFramePacketTranslation */
    kAudioFileStreamProperty_PacketToByte = 0x706B6279,          /* 'pkby': AudioBytePacketTranslation */
    kAudioFileStreamProperty_ByteToPacket = 0x6279706B,          /* 'bypk': AudioBytePacketTranslation */
    kAudioFileStreamProperty_PacketTableInfo = 0x706E666F,       /* 'pnfo': AudioFilePacketTableInfo */
    kAudioFileStreamProperty_PacketSizeUpperBound = 0x706B7562,  /* 'pkub': UInt32 */
    kAudioFileStreamProperty_AverageBytesPerPacket = 0x61627070, /* 'abpp': Float64 */
    kAudioFileStreamProperty_BitRate = 0x62726174,               /* 'brat': UInt32: bits a second */
    kAudioFileStreamProperty_InfoDictionary = 0x696E666F,        /* 'info': CFDictionaryRef */

    /* Properties of later releases. They are not supported. */
    kAudioFileStreamProperty_RestrictsRandomAccess = 0x72726170,     /* 'rrap' */
    kAudioFileStreamProperty_PacketToRollDistance = 0x706B726C,      /* 'pkrl' */
    kAudioFileStreamProperty_PreviousIndependentPacket = 0x70696E64, /* 'pind' */
    kAudioFileStreamProperty_NextIndependentPacket = 0x6E696E64,     /* 'nind' */
    kAudioFileStreamProperty_PacketToDependencyInfo = 0x706B6470     /* 'pkdp' */
};

/* Called in AudioFileStreamParseBytes when a property is known. */
typedef void (*AudioFileStream_PropertyListenerProc)(void *inClientData, AudioFileStreamID inAudioFileStream,
    AudioFileStreamPropertyID inPropertyID, AudioFileStreamPropertyFlags *ioFlags);

/* Called in AudioFileStreamParseBytes with whole packets. The descriptions are NULL if all packets have
   the same size. */
typedef void (*AudioFileStream_PacketsProc)(void *inClientData, UInt32 inNumberBytes, UInt32 inNumberPackets,
    const void *inInputData, AudioStreamPacketDescription *inPacketDescriptions);

/* Makes a parser. The hint decides the type if the first bytes do not. */
OSStatus AudioFileStreamOpen(void *inClientData, AudioFileStream_PropertyListenerProc inPropertyListenerProc,
    AudioFileStream_PacketsProc inPacketsProc, AudioFileTypeID inFileTypeHint, AudioFileStreamID *outAudioFileStream);

/* Parses the next bytes and calls the callbacks. A packet may be split over several calls. The first packet of MPEG audio
   or ADTS is passed when the header of the second packet has arrived. If there is no second packet, a discontinuity without
   bytes ends the stream and passes the packet. */
OSStatus AudioFileStreamParseBytes(
    AudioFileStreamID inAudioFileStream, UInt32 inDataByteSize, const void *inData, AudioFileStreamParseFlags inFlags);

/* Writes the offset of a packet, relative to DataOffset. The next bytes must be those at this offset. */
OSStatus AudioFileStreamSeek(
    AudioFileStreamID inAudioFileStream, SInt64 inPacketOffset, SInt64 *outDataByteOffset, AudioFileStreamSeekFlags *ioFlags);

/* Writes the size of a property and whether it can be set. Either pointer may be NULL. */
OSStatus AudioFileStreamGetPropertyInfo(AudioFileStreamID inAudioFileStream, AudioFileStreamPropertyID inPropertyID,
    UInt32 *outPropertyDataSize, Boolean *outWritable);

/* Writes a property. ioPropertyDataSize: room on entry, the value's size on return. */
OSStatus AudioFileStreamGetProperty(AudioFileStreamID inAudioFileStream, AudioFileStreamPropertyID inPropertyID,
    UInt32 *ioPropertyDataSize, void *outPropertyData);

/* Sets a property. */
OSStatus AudioFileStreamSetProperty(AudioFileStreamID inAudioFileStream, AudioFileStreamPropertyID inPropertyID,
    UInt32 inPropertyDataSize, const void *inPropertyData);

/* Frees the parser. */
OSStatus AudioFileStreamClose(AudioFileStreamID inAudioFileStream);

#ifdef __cplusplus
}
#endif

#endif
