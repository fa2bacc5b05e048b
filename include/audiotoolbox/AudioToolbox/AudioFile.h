/* SPDX-License-Identifier: Apache-2.0 */
/* Sound files as packets. WAVE, AIFF, AIFC, CAF and NeXT (AU) are read and written with linear PCM, u-law, A-law and IMA4.
   CAF is also read and written with packets of every format, and MPEG-4 with AAC or Apple Lossless. MPEG layers 1 to 3 and AAC
   (ADTS) are read only. Opening an MPEG or ADTS file, or an MPEG-4 file, reads the headers of all packets. */
#ifndef AUDIOTOOLBOX_AUDIOFILE_H
#define AUDIOTOOLBOX_AUDIOFILE_H
#define __AudioFile_h__ /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_COREAUDIOTYPES_H
#include <CoreAudio/CoreAudioTypes.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef UInt32 AudioFileTypeID;
typedef UInt32 AudioFilePropertyID;
typedef UInt32 AudioFileFlags;
typedef SInt8 AudioFilePermissions;
typedef struct OpaqueAudioFileID *AudioFileID;

/* ---- Types of files ---- */

enum {
    kAudioFileAIFFType = 0x41494646,           /* 'AIFF' */
    kAudioFileAIFCType = 0x41494643,           /* 'AIFC' */
    kAudioFileWAVEType = 0x57415645,           /* 'WAVE' */
    kAudioFileSoundDesigner2Type = 0x53643266, /* 'Sd2f' */
    kAudioFileNextType = 0x4E655854,           /* 'NeXT' */
    kAudioFileMP3Type = 0x4D504733,            /* 'MPG3' */
    kAudioFileMP2Type = 0x4D504732,            /* 'MPG2' */
    kAudioFileMP1Type = 0x4D504731,            /* 'MPG1' */
    kAudioFileAC3Type = 0x61632D33,            /* 'ac-3' */
    kAudioFileAAC_ADTSType = 0x61647473,       /* 'adts' */
    kAudioFileMPEG4Type = 0x6D703466,          /* 'mp4f' */
    kAudioFileM4AType = 0x6D346166,            /* 'm4af' */
    kAudioFileM4BType = 0x6D346266,            /* 'm4bf' */
    kAudioFileCAFType = 0x63616666,            /* 'caff' */
    kAudioFile3GPType = 0x33677070,            /* '3gpp' */
    kAudioFile3GP2Type = 0x33677032,           /* '3gp2' */
    kAudioFileAMRType = 0x616D7266,            /* 'amrf' */

    /* Types of later releases. No file has them. */
    kAudioFileFLACType = 0x666C6163,      /* 'flac' */
    kAudioFileRF64Type = 0x52463634,      /* 'RF64' */
    kAudioFileBW64Type = 0x42573634,      /* 'BW64' */
    kAudioFileWave64Type = 0x57363466,    /* 'W64f' */
    kAudioFileLATMInLOASType = 0x6C6F6173 /* 'loas' */
};

/* ---- Results ---- */

enum {
    kAudioFileUnspecifiedError = 0x7768743F,               /* 'wht?' */
    kAudioFileUnsupportedFileTypeError = 0x7479703F,       /* 'typ?' */
    kAudioFileUnsupportedDataFormatError = 0x666D743F,     /* 'fmt?' */
    kAudioFileUnsupportedPropertyError = 0x7074793F,       /* 'pty?' */
    kAudioFileBadPropertySizeError = 0x2173697A,           /* '!siz' */
    kAudioFilePermissionsError = 0x70726D3F,               /* 'prm?' */
    kAudioFileNotOptimizedError = 0x6F70746D,              /* 'optm' */
    kAudioFileInvalidChunkError = 0x63686B3F,              /* 'chk?' */
    kAudioFileDoesNotAllow64BitDataSizeError = 0x6F66663F, /* 'off?': the type allows no more than 4 GB */
    kAudioFileInvalidPacketOffsetError = 0x70636B3F,       /* 'pck?' */
    kAudioFileInvalidFileError = 0x6474613F,               /* 'dta?' */
    kAudioFileInvalidPacketDependencyError = 0x6465703F,   /* 'dep?': is never returned */
    kAudioFileOperationNotSupportedError = 0x6F703F3F,     /* 'op' and two question marks */
    kAudioFileNotOpenError = -38,
    kAudioFileEndOfFileError = -39,
    kAudioFilePositionError = -40,
    kAudioFileFileNotFoundError = -43
};

/* ---- Flags ---- */

enum {
    kAudioFileFlags_EraseFile = 1, /* replaces a file that exists */
    kAudioFileFlags_DontPageAlignAudioData = 2
};

enum { kAudioFileReadPermission = 1, kAudioFileWritePermission = 2, kAudioFileReadWritePermission = 3 };

/* ---- Properties ---- */

enum {
    kAudioFilePropertyFileFormat = 0x66666D74,  /* 'ffmt': AudioFileTypeID, get */
    kAudioFilePropertyDataFormat = 0x64666D74,  /* 'dfmt': AudioStreamBasicDescription, get; set before the first write */
    kAudioFilePropertyIsOptimized = 0x6F70746D, /* 'optm': UInt32, get */
    kAudioFilePropertyMagicCookieData =
        0x6D676963, /* 'mgic': bytes, get; set in CAF and MPEG-4 before the first write: what the codec needs; PCM has none */
    kAudioFilePropertyAudioDataByteCount = 0x62636E74,   /* 'bcnt': UInt64, get; set shortens */
    kAudioFilePropertyAudioDataPacketCount = 0x70636E74, /* 'pcnt': UInt64, get; set shortens */
    kAudioFilePropertyMaximumPacketSize = 0x70737A65,    /* 'psze': UInt32, get */
    kAudioFilePropertyDataOffset = 0x646F6666,           /* 'doff': SInt64, get */
    kAudioFilePropertyChannelLayout = 0x636D6170,        /* 'cmap': AudioChannelLayout, get; set in CAF before the first write */
    kAudioFilePropertyDeferSizeUpdates = 0x64737A75,     /* 'dszu': UInt32, get and set: 1 writes sizes at the end only */
    kAudioFilePropertyDataFormatName = 0x666E6D65,       /* 'fnme': CFStringRef, get */
    kAudioFilePropertyMarkerList = 0x6D6B6C73,           /* 'mkls': is not supported */
    kAudioFilePropertyRegionList = 0x72676C73,           /* 'rgls': is not supported */
    kAudioFilePropertyPacketToFrame = 0x706B6672,        /* 'pkfr': AudioFramePacketTranslation, get */
    kAudioFilePropertyFrameToPacket = 0x6672706B,        /* 'frpk': AudioFramePacketTranslation, get */
    kAudioFilePropertyPacketToByte = 0x706B6279,         /* 'pkby': AudioBytePacketTranslation, get */
    kAudioFilePropertyByteToPacket = 0x6279706B,         /* 'bypk': AudioBytePacketTranslation, get */
    kAudioFilePropertyChunkIDs = 0x63686964,             /* 'chid': UInt32 array, get: the chunks that do not state the format */
    kAudioFilePropertyInfoDictionary = 0x696E666F,       /* 'info': CFDictionaryRef, get: texts, and the approximate duration */
    kAudioFilePropertyPacketTableInfo = 0x706E666F,      /* 'pnfo': AudioFilePacketTableInfo, get; set in CAF and MPEG-4 */
    kAudioFilePropertyFormatList = 0x666C7374,           /* 'flst': AudioFormatListItem array, get */
    kAudioFilePropertyPacketSizeUpperBound = 0x706B7562, /* 'pkub': UInt32, get: without reading the file */
    kAudioFilePropertyReserveDuration = 0x72737276,      /* 'rsrv': is not supported */
    kAudioFilePropertyEstimatedDuration = 0x65647572,    /* 'edur': Float64, get: seconds */
    kAudioFilePropertyBitRate = 0x62726174,              /* 'brat': UInt32, get: bits a second */
    kAudioFilePropertyID3Tag = 0x69643374,               /* 'id3t': is not supported */
    kAudioFilePropertySourceBitDepth = 0x73627464,       /* 'sbtd': is not supported */
    kAudioFilePropertyAlbumArtwork = 0x61617274,         /* 'aart': is not supported */
    kAudioFilePropertyAudioTrackCount = 0x61746374,      /* 'atct': UInt32, get */
    kAudioFilePropertyUseAudioTrack = 0x7561746B,        /* 'uatk': is not supported */

    /* Properties of later releases. They are not supported. */
    kAudioFilePropertyRestrictsRandomAccess = 0x72726170,         /* 'rrap' */
    kAudioFilePropertyPacketToRollDistance = 0x706B726C,          /* 'pkrl' */
    kAudioFilePropertyPreviousIndependentPacket = 0x70696E64,     /* 'pind' */
    kAudioFilePropertyNextIndependentPacket = 0x6E696E64,         /* 'nind' */
    kAudioFilePropertyPacketToDependencyInfo = 0x706B6470,        /* 'pkdp' */
    kAudioFilePropertyPacketRangeByteCountUpperBound = 0x70727562 /* 'prub' */
};

/* Properties of AudioFileGetGlobalInfo. */
enum {
    kAudioFileGlobalInfo_ReadableTypes = 0x61667266,                        /* 'afrf': UInt32 array */
    kAudioFileGlobalInfo_WritableTypes = 0x61667766,                        /* 'afwf': UInt32 array */
    kAudioFileGlobalInfo_FileTypeName = 0x66746E6D,                         /* 'ftnm': of a type: CFStringRef */
    kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat = 0x73646964, /* 'sdid': of an AudioFileTypeAndFormatID: array */
    kAudioFileGlobalInfo_AvailableFormatIDs = 0x666D6964,                   /* 'fmid': of a type: UInt32 array */
    kAudioFileGlobalInfo_AllExtensions = 0x616C7874,                        /* 'alxt': CFArrayRef, and so are the following */
    kAudioFileGlobalInfo_AllHFSTypeCodes = 0x61686673,                      /* 'ahfs': is not supported */
    kAudioFileGlobalInfo_AllUTIs = 0x61757469,                              /* 'auti' */
    kAudioFileGlobalInfo_AllMIMETypes = 0x616D696D,                         /* 'amim' */
    kAudioFileGlobalInfo_ExtensionsForType = 0x66657874,                    /* 'fext': of a type */
    kAudioFileGlobalInfo_HFSTypeCodesForType = 0x66686673,                  /* 'fhfs': is not supported */
    kAudioFileGlobalInfo_UTIsForType = 0x66757469,                          /* 'futi': of a type */
    kAudioFileGlobalInfo_MIMETypesForType = 0x666D696D,                     /* 'fmim': of a type */
    kAudioFileGlobalInfo_TypesForMIMEType = 0x746D696D,                     /* 'tmim': of a CFStringRef: UInt32 array */
    kAudioFileGlobalInfo_TypesForUTI = 0x74757469,                          /* 'tuti': of a CFStringRef: UInt32 array */
    kAudioFileGlobalInfo_TypesForHFSTypeCode = 0x74686673,                  /* 'thfs': is not supported */
    kAudioFileGlobalInfo_TypesForExtension = 0x74657874                     /* 'text': of a CFStringRef: UInt32 array */
};

typedef struct AudioFileTypeAndFormatID {
    AudioFileTypeID mFileType;
    UInt32 mFormatID;
} AudioFileTypeAndFormatID;

typedef struct AudioFilePacketTableInfo {
    SInt64 mNumberValidFrames;
    SInt32 mPrimingFrames;
    SInt32 mRemainderFrames;
} AudioFilePacketTableInfo;

typedef struct AudioFramePacketTranslation {
    SInt64 mFrame;
    SInt64 mPacket;
    UInt32 mFrameOffsetInPacket;
} AudioFramePacketTranslation;

typedef UInt32 AudioBytePacketTranslationFlags;

enum { kBytePacketTranslationFlag_IsEstimate = 1 };

typedef struct AudioBytePacketTranslation {
    SInt64 mByte;
    SInt64 mPacket;
    UInt32 mByteOffsetInPacket;
    UInt32 mFlags;
} AudioBytePacketTranslation;

typedef struct AudioPacketRangeByteCountTranslation {
    SInt64 mPacket;
    SInt64 mPacketCount;
    SInt64 mByteCountUpperBound;
} AudioPacketRangeByteCountTranslation;

typedef struct AudioPacketRollDistanceTranslation {
    SInt64 mPacket;
    SInt64 mRollDistance;
} AudioPacketRollDistanceTranslation;

typedef struct AudioIndependentPacketTranslation {
    SInt64 mPacket;
    SInt64 mIndependentlyDecodablePacket;
} AudioIndependentPacketTranslation;

typedef struct AudioPacketDependencyInfoTranslation {
    SInt64 mPacket;
    UInt32 mIsIndependentlyDecodable;
    UInt32 mNumberPrerollPackets;
} AudioPacketDependencyInfoTranslation;

/* ---- Markers and regions ---- */

typedef struct AudioFile_SMPTE_Time {
    SInt8 mHours;
    UInt8 mMinutes;
    UInt8 mSeconds;
    UInt8 mFrames;
    UInt32 mSubFrameSampleOffset;
} AudioFile_SMPTE_Time;

enum { kAudioFileMarkerType_Generic = 0 };

typedef struct AudioFileMarker {
    Float64 mFramePosition;
    CFStringRef mName;
    SInt32 mMarkerID;
    AudioFile_SMPTE_Time mSMPTETime;
    UInt32 mType;
    UInt16 mReserved;
    UInt16 mChannel;
} AudioFileMarker;

typedef struct AudioFileMarkerList {
    UInt32 mSMPTE_TimeType;
    UInt32 mNumberMarkers;
    AudioFileMarker mMarkers[1];
} AudioFileMarkerList;

/* The size of a list, and the number of markers in a list of a size */
#define NumAudioFileMarkersToNumBytes(markers) (offsetof(AudioFileMarkerList, mMarkers) + (markers) * sizeof(AudioFileMarker))
#define NumBytesToNumAudioFileMarkers(bytes) \
    ((bytes) < offsetof(AudioFileMarkerList, mMarkers) \
            ? 0 \
            : ((bytes)-offsetof(AudioFileMarkerList, mMarkers)) / sizeof(AudioFileMarker))

enum {
    kAudioFileLoopDirection_NoLooping = 0,
    kAudioFileLoopDirection_Forward = 1,
    kAudioFileLoopDirection_ForwardAndBackward = 2,
    kAudioFileLoopDirection_Backward = 3
};

typedef UInt32 AudioFileRegionFlags;

enum { kAudioFileRegionFlag_LoopEnable = 1, kAudioFileRegionFlag_PlayForward = 2, kAudioFileRegionFlag_PlayBackward = 4 };

typedef struct AudioFileRegion {
    UInt32 mRegionID;
    CFStringRef mName;
    UInt32 mFlags;
    UInt32 mNumberMarkers;
    AudioFileMarker mMarkers[1];
} AudioFileRegion;

/* The region behind this one: the regions of a list differ in size. */
#define NextAudioFileRegion(region) \
    ((AudioFileRegion *)((char *)(region) + offsetof(AudioFileRegion, mMarkers) + \
        (region)->mNumberMarkers * sizeof(AudioFileMarker)))

typedef struct AudioFileRegionList {
    UInt32 mSMPTE_TimeType;
    UInt32 mNumberRegions;
    AudioFileRegion mRegions[1];
} AudioFileRegionList;

/* ---- Keys of the info dictionary ---- */

#define kAFInfoDictionary_Album "album"
#define kAFInfoDictionary_ApproximateDurationInSeconds "approximate duration in seconds"
#define kAFInfoDictionary_Artist "artist"
#define kAFInfoDictionary_ChannelLayout "channel layout"
#define kAFInfoDictionary_Comments "comments"
#define kAFInfoDictionary_Composer "composer"
#define kAFInfoDictionary_Copyright "copyright"
#define kAFInfoDictionary_EncodingApplication "encoding application"
#define kAFInfoDictionary_Genre "genre"
#define kAFInfoDictionary_ISRC "ISRC"
#define kAFInfoDictionary_KeySignature "key signature"
#define kAFInfoDictionary_Lyricist "lyricist"
#define kAFInfoDictionary_NominalBitRate "nominal bit rate"
#define kAFInfoDictionary_RecordedDate "recorded date"
#define kAFInfoDictionary_SourceBitDepth "source bit depth"
#define kAFInfoDictionary_SourceEncoder "source encoder"
#define kAFInfoDictionary_SubTitle "subtitle"
#define kAFInfoDictionary_Tempo "tempo"
#define kAFInfoDictionary_TimeSignature "time signature"
#define kAFInfoDictionary_Title "title"
#define kAFInfoDictionary_TrackNumber "track number"
#define kAFInfoDictionary_Year "year"

/* ---- Callbacks ---- */

/* Reads bytes at a position, and writes the number of bytes read. */
typedef OSStatus (*AudioFile_ReadProc)(
    void *inClientData, SInt64 inPosition, UInt32 requestCount, void *buffer, UInt32 *actualCount);

/* Writes bytes at a position, and writes the number of bytes stored. */
typedef OSStatus (*AudioFile_WriteProc)(
    void *inClientData, SInt64 inPosition, UInt32 requestCount, const void *buffer, UInt32 *actualCount);

/* Returns the size of the file. */
typedef SInt64 (*AudioFile_GetSizeProc)(void *inClientData);

/* Sets the size of the file. */
typedef OSStatus (*AudioFile_SetSizeProc)(void *inClientData, SInt64 inSize);

/* ---- Open and close ---- */

/* Creates a file. Without kAudioFileFlags_EraseFile a file that exists is an error. */
OSStatus AudioFileCreateWithURL(CFURLRef inFileRef, AudioFileTypeID inFileType, const AudioStreamBasicDescription *inFormat,
    UInt32 inFlags, AudioFileID *outAudioFile);

/* Opens a file. Its contents decide the type. The hint decides when the contents do not; a hint of 0 stands for the type that
   has the extension of the file's name. */
OSStatus AudioFileOpenURL(CFURLRef inFileRef, SInt8 inPermissions, AudioFileTypeID inFileTypeHint, AudioFileID *outAudioFile);

/* Creates a file that the callbacks read and write. */
OSStatus AudioFileInitializeWithCallbacks(void *inClientData, AudioFile_ReadProc inReadFunc, AudioFile_WriteProc inWriteFunc,
    AudioFile_GetSizeProc inGetSizeFunc, AudioFile_SetSizeProc inSetSizeFunc, AudioFileTypeID inFileType,
    const AudioStreamBasicDescription *inFormat, UInt32 inFlags, AudioFileID *outAudioFile);

/* Opens a file that the callbacks read. They also write it, unless the write callbacks are NULL. */
OSStatus AudioFileOpenWithCallbacks(void *inClientData, AudioFile_ReadProc inReadFunc, AudioFile_WriteProc inWriteFunc,
    AudioFile_GetSizeProc inGetSizeFunc, AudioFile_SetSizeProc inSetSizeFunc, AudioFileTypeID inFileTypeHint,
    AudioFileID *outAudioFile);

/* Writes pending data and closes the file. */
OSStatus AudioFileClose(AudioFileID inAudioFile);

/* Moves other chunks to a position before the sound. The result is kAudioFileNotOptimizedError, and the file does not change,
   if a chunk cannot be moved or if bytes after the sound are not chunks. */
OSStatus AudioFileOptimize(AudioFileID inAudioFile);

/* ---- Read and write ---- */

/* Reads bytes of the sound. ioNumBytes: wanted on entry, read on return. At the end of the sound the result is
   kAudioFileEndOfFileError, and the remaining bytes are read. inUseCache is ignored. */
OSStatus AudioFileReadBytes(
    AudioFileID inAudioFile, Boolean inUseCache, SInt64 inStartingByte, UInt32 *ioNumBytes, void *outBuffer);

/* Writes bytes of the sound. */
OSStatus AudioFileWriteBytes(
    AudioFileID inAudioFile, Boolean inUseCache, SInt64 inStartingByte, UInt32 *ioNumBytes, const void *inBuffer);

/* Reads the packets that fit. ioNumBytes: room on entry, bytes read on return. Fewer packets than wanted are no
   error; after the last packet the result is kAudioFileEndOfFileError. */
OSStatus AudioFileReadPacketData(AudioFileID inAudioFile, Boolean inUseCache, UInt32 *ioNumBytes,
    AudioStreamPacketDescription *outPacketDescriptions, SInt64 inStartingPacket, UInt32 *ioNumPackets, void *outBuffer);

/* Reads packets into a buffer with room for this number of packets of MaximumPacketSize. After the last packet there is no
   error, and 0 packets and 0 bytes are read. */
OSStatus AudioFileReadPackets(AudioFileID inAudioFile, Boolean inUseCache, UInt32 *outNumBytes,
    AudioStreamPacketDescription *outPacketDescriptions, SInt64 inStartingPacket, UInt32 *ioNumPackets, void *outBuffer);

/* Writes packets. ioNumPackets: to write on entry, written on return. inNumBytes is ignored if all packets have one size. If the
   last packet of a sound has fewer frames than others, its mVariableFramesInPacket states them: the file ends with this
   packet. */
OSStatus AudioFileWritePackets(AudioFileID inAudioFile, Boolean inUseCache, UInt32 inNumBytes,
    const AudioStreamPacketDescription *inPacketDescriptions, SInt64 inStartingPacket, UInt32 *ioNumPackets,
    const void *inBuffer);

/* ---- Other chunks ---- */

/* Writes the number of chunks with this name. */
OSStatus AudioFileCountUserData(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 *outNumberItems);

/* Writes the size of a chunk. */
OSStatus AudioFileGetUserDataSize(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex, UInt32 *outUserDataSize);

/* Writes a chunk. ioUserDataSize: room on entry, the size on return. */
OSStatus AudioFileGetUserData(
    AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex, UInt32 *ioUserDataSize, void *outUserData);

/* Stores a chunk: replaces the chunk with this index, or appends it. */
OSStatus AudioFileSetUserData(
    AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex, UInt32 inUserDataSize, const void *inUserData);

/* Removes a chunk. Chunks before the sound cannot be changed. */
OSStatus AudioFileRemoveUserData(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex);

/* ---- Properties ---- */

/* Writes the size of a property and whether it can be set. Either pointer may be NULL. */
OSStatus AudioFileGetPropertyInfo(
    AudioFileID inAudioFile, AudioFilePropertyID inPropertyID, UInt32 *outDataSize, UInt32 *isWritable);

/* Writes a property. ioDataSize: room on entry, the value's size on return. CoreFoundation values belong to
   the caller. */
OSStatus AudioFileGetProperty(
    AudioFileID inAudioFile, AudioFilePropertyID inPropertyID, UInt32 *ioDataSize, void *outPropertyData);

/* Sets a property. */
OSStatus AudioFileSetProperty(
    AudioFileID inAudioFile, AudioFilePropertyID inPropertyID, UInt32 inDataSize, const void *inPropertyData);

/* Writes the size of the value that AudioFileGetGlobalInfo writes. */
OSStatus AudioFileGetGlobalInfoSize(
    AudioFilePropertyID inPropertyID, UInt32 inSpecifierSize, void *inSpecifier, UInt32 *outDataSize);

/* Writes a property of file types. CoreFoundation values belong to the caller. */
OSStatus AudioFileGetGlobalInfo(
    AudioFilePropertyID inPropertyID, UInt32 inSpecifierSize, void *inSpecifier, UInt32 *ioDataSize, void *outPropertyData);

#ifdef __cplusplus
}
#endif

#endif
