/* SPDX-License-Identifier: Apache-2.0 */
/* The types that all audio calls share: formats, buffers, time stamps, channel layouts. */
#ifndef AUDIOTOOLBOX_COREAUDIOTYPES_H
#define AUDIOTOOLBOX_COREAUDIOTYPES_H
#define __CoreAudioTypes_h__ /* the guard of the platform's header */

#ifndef AUDIOSESSION_TARGETCONDITIONALS_H
#include <TargetConditionals.h>
#endif
#ifndef AUDIOTOOLBOX_MACTYPES_H
#include <MacTypes.h>
#endif
#ifndef AUDIOTOOLBOX_AVAILABILITYMACROS_H
#include <AvailabilityMacros.h>
#endif

/* Programs for older headers declare the types that these headers lack: AudioSampleType if the version is below 1050,
   AudioUnitSampleType and the constants of fixed point if it is below 1051. */
#ifndef COREAUDIOTYPES_VERSION
#define COREAUDIOTYPES_VERSION 1051
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Results ---- */

enum {
    kAudio_NoError = 0,
    kAudio_UnimplementedError = -4,
    kAudio_TooManyFilesOpenError = -42,
    kAudio_FileNotFoundError = -43,
    kAudio_FilePermissionError = -54,
    kAudio_MemFullError = -108,
    kAudio_BadFilePathError = 0x21707468 /* '!pth' */
};

/* A required pointer was NULL. AudioToolbox/AudioSession.h also defines this result. */
#ifndef kAudio_ParamError
#define kAudio_ParamError (-50)
#endif

/* ---- Values ---- */

typedef struct AudioValueRange {
    Float64 mMinimum;
    Float64 mMaximum;
} AudioValueRange;

typedef struct AudioValueTranslation {
    void *mInputData;
    UInt32 mInputDataSize;
    void *mOutputData;
    UInt32 mOutputDataSize;
} AudioValueTranslation;

/* ---- Buffers ---- */

typedef struct AudioBuffer {
    UInt32 mNumberChannels; /* interleaved in this buffer */
    UInt32 mDataByteSize;
    void *mData;
} AudioBuffer;

/* The first buffer is followed by others, mNumberBuffers in all: one for interleaved sound, otherwise one for each
   channel. */
typedef struct AudioBufferList {
    UInt32 mNumberBuffers;
    AudioBuffer mBuffers[1];
} AudioBufferList;

/* ---- Samples ---- */

/* 1: canonical samples are 16-bit integers, and 8.24 fixed point in audio units. 0: 32-bit floats. */
#ifndef CA_PREFER_FIXED_POINT
#define CA_PREFER_FIXED_POINT 1
#endif

#if CA_PREFER_FIXED_POINT
typedef SInt16 AudioSampleType;
typedef SInt32 AudioUnitSampleType;
#define kAudioUnitSampleFractionBits 24
#else
typedef Float32 AudioSampleType;
typedef Float32 AudioUnitSampleType;
#endif

/* ---- Formats ---- */

typedef struct AudioStreamBasicDescription {
    Float64 mSampleRate;
    UInt32 mFormatID;
    UInt32 mFormatFlags;
    UInt32 mBytesPerPacket;  /* 0 where packets differ in size */
    UInt32 mFramesPerPacket; /* 1 for linear PCM, 0 where packets differ in duration */
    UInt32 mBytesPerFrame;   /* of one buffer: of one channel with kAudioFormatFlagIsNonInterleaved */
    UInt32 mChannelsPerFrame;
    UInt32 mBitsPerChannel;
    UInt32 mReserved; /* is ignored */
} AudioStreamBasicDescription;

enum { kAudioStreamAnyRate = 0 };

/* mFormatID */
typedef UInt32 AudioFormatID;

enum {
    kAudioFormatLinearPCM = 0x6C70636D,            /* 'lpcm' */
    kAudioFormatAC3 = 0x61632D33,                  /* 'ac-3' */
    kAudioFormat60958AC3 = 0x63616333,             /* 'cac3' */
    kAudioFormatAppleIMA4 = 0x696D6134,            /* 'ima4' */
    kAudioFormatMPEG4AAC = 0x61616320,             /* 'aac ' */
    kAudioFormatMPEG4CELP = 0x63656C70,            /* 'celp' */
    kAudioFormatMPEG4HVXC = 0x68767863,            /* 'hvxc' */
    kAudioFormatMPEG4TwinVQ = 0x74777671,          /* 'twvq' */
    kAudioFormatMACE3 = 0x4D414333,                /* 'MAC3' */
    kAudioFormatMACE6 = 0x4D414336,                /* 'MAC6' */
    kAudioFormatULaw = 0x756C6177,                 /* 'ulaw' */
    kAudioFormatALaw = 0x616C6177,                 /* 'alaw' */
    kAudioFormatQDesign = 0x51444D43,              /* 'QDMC' */
    kAudioFormatQDesign2 = 0x51444D32,             /* 'QDM2' */
    kAudioFormatQUALCOMM = 0x51636C70,             /* 'Qclp' */
    kAudioFormatMPEGLayer1 = 0x2E6D7031,           /* '.mp1' */
    kAudioFormatMPEGLayer2 = 0x2E6D7032,           /* '.mp2' */
    kAudioFormatMPEGLayer3 = 0x2E6D7033,           /* '.mp3' */
    kAudioFormatTimeCode = 0x74696D65,             /* 'time' */
    kAudioFormatMIDIStream = 0x6D696469,           /* 'midi' */
    kAudioFormatParameterValueStream = 0x61707673, /* 'apvs' */
    kAudioFormatAppleLossless = 0x616C6163,        /* 'alac' */
    kAudioFormatMPEG4AAC_HE = 0x61616368,          /* 'aach' */
    kAudioFormatMPEG4AAC_LD = 0x6161636C,          /* 'aacl' */
    kAudioFormatMPEG4AAC_ELD = 0x61616365,         /* 'aace' */
    kAudioFormatMPEG4AAC_ELD_SBR = 0x61616366,     /* 'aacf' */
    kAudioFormatMPEG4AAC_ELD_V2 = 0x61616367,      /* 'aacg' */
    kAudioFormatMPEG4AAC_HE_V2 = 0x61616370,       /* 'aacp' */
    kAudioFormatMPEG4AAC_Spatial = 0x61616373,     /* 'aacs' */
    kAudioFormatAMR = 0x73616D72,                  /* 'samr' */
    kAudioFormatAMR_WB = 0x73617762,               /* 'sawb' */
    kAudioFormatAudible = 0x41554442,              /* 'AUDB' */
    kAudioFormatiLBC = 0x696C6263,                 /* 'ilbc' */
    kAudioFormatDVIIntelIMA = 0x6D730011,          /* WAVE format 0x11 */
    kAudioFormatMicrosoftGSM = 0x6D730031,         /* WAVE format 0x31 */
    kAudioFormatAES3 = 0x61657333,                 /* 'aes3' */
    kAudioFormatEnhancedAC3 = 0x65632D33,          /* 'ec-3' */
    kAudioFormatFLAC = 0x666C6163,                 /* 'flac' */
    kAudioFormatOpus = 0x6F707573,                 /* 'opus' */
    kAudioFormatMPEGD_USAC = 0x75736163,           /* 'usac' */
    kAudioFormatAPAC = 0x61706163                  /* 'apac' */
};

/* mFormatFlags */
typedef UInt32 AudioFormatFlags;

enum {
    kAudioFormatFlagIsFloat = 1 << 0,
    kAudioFormatFlagIsBigEndian = 1 << 1,
    kAudioFormatFlagIsSignedInteger = 1 << 2,
    kAudioFormatFlagIsPacked = 1 << 3,         /* the sample's bits fill its bytes */
    kAudioFormatFlagIsAlignedHigh = 1 << 4,    /* the sample is in the upper bits */
    kAudioFormatFlagIsNonInterleaved = 1 << 5, /* a buffer for each channel */
    kAudioFormatFlagIsNonMixable = 1 << 6,

    kLinearPCMFormatFlagIsFloat = kAudioFormatFlagIsFloat,
    kLinearPCMFormatFlagIsBigEndian = kAudioFormatFlagIsBigEndian,
    kLinearPCMFormatFlagIsSignedInteger = kAudioFormatFlagIsSignedInteger,
    kLinearPCMFormatFlagIsPacked = kAudioFormatFlagIsPacked,
    kLinearPCMFormatFlagIsAlignedHigh = kAudioFormatFlagIsAlignedHigh,
    kLinearPCMFormatFlagIsNonInterleaved = kAudioFormatFlagIsNonInterleaved,
    kLinearPCMFormatFlagIsNonMixable = kAudioFormatFlagIsNonMixable,
    kLinearPCMFormatFlagsSampleFractionShift = 7, /* fixed point: the number of fraction bits */
    kLinearPCMFormatFlagsSampleFractionMask = 0x3F << kLinearPCMFormatFlagsSampleFractionShift,

    kAppleLosslessFormatFlag_16BitSourceData = 1,
    kAppleLosslessFormatFlag_20BitSourceData = 2,
    kAppleLosslessFormatFlag_24BitSourceData = 3,
    kAppleLosslessFormatFlag_32BitSourceData = 4
};

/* A macro, because an enumerator of C cannot have this value. */
#define kAudioFormatFlagsAreAllClear 0x80000000u
#define kLinearPCMFormatFlagsAreAllClear kAudioFormatFlagsAreAllClear

enum {
    kAudioFormatFlagsNativeEndian = TARGET_RT_BIG_ENDIAN ? kAudioFormatFlagIsBigEndian : 0,
    kAudioFormatFlagsNativeFloatPacked = kAudioFormatFlagIsFloat | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked,
#if CA_PREFER_FIXED_POINT
    kAudioFormatFlagsCanonical = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked,
    kAudioFormatFlagsAudioUnitCanonical = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagsNativeEndian |
        kAudioFormatFlagIsPacked | kAudioFormatFlagIsNonInterleaved |
        kAudioUnitSampleFractionBits << kLinearPCMFormatFlagsSampleFractionShift
#else
    kAudioFormatFlagsCanonical = kAudioFormatFlagsNativeFloatPacked,
    kAudioFormatFlagsAudioUnitCanonical = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved
#endif
};

/* Whether a linear PCM format has the byte order of this machine. */
#define TestAudioFormatNativeEndian(format) \
    ((format).mFormatID == kAudioFormatLinearPCM && \
        ((format).mFormatFlags & kAudioFormatFlagIsBigEndian) == kAudioFormatFlagsNativeEndian)

/* One packet of a format whose packets differ in size or duration. */
typedef struct AudioStreamPacketDescription {
    SInt64 mStartOffset;            /* from the beginning of the buffer */
    UInt32 mVariableFramesInPacket; /* 0 where mFramesPerPacket says it */
    UInt32 mDataByteSize;
} AudioStreamPacketDescription;

/* A codec. */
typedef struct AudioClassDescription {
    OSType mType;
    OSType mSubType;
    OSType mManufacturer;
} AudioClassDescription;

enum {
    kMPEG4Object_AAC_Main = 1,
    kMPEG4Object_AAC_LC = 2,
    kMPEG4Object_AAC_SSR = 3,
    kMPEG4Object_AAC_LTP = 4,
    kMPEG4Object_AAC_SBR = 5,
    kMPEG4Object_AAC_Scalable = 6,
    kMPEG4Object_TwinVQ = 7,
    kMPEG4Object_CELP = 8,
    kMPEG4Object_HVXC = 9
};
typedef SInt32 MPEG4ObjectID;

/* ---- Time ---- */

/* Programs test this macro before they define the structure. */
#define __SMPTETime__

typedef struct SMPTETime {
    SInt16 mSubframes;
    SInt16 mSubframeDivisor;
    UInt32 mCounter;
    UInt32 mType;
    UInt32 mFlags;
    SInt16 mHours;
    SInt16 mMinutes;
    SInt16 mSeconds;
    SInt16 mFrames;
} SMPTETime;

typedef UInt32 SMPTETimeType;

enum {
    kSMPTETimeType24 = 0,
    kSMPTETimeType25 = 1,
    kSMPTETimeType30Drop = 2,
    kSMPTETimeType30 = 3,
    kSMPTETimeType2997 = 4,
    kSMPTETimeType2997Drop = 5,
    kSMPTETimeType60 = 6,
    kSMPTETimeType5994 = 7,
    kSMPTETimeType60Drop = 8,
    kSMPTETimeType5994Drop = 9,
    kSMPTETimeType50 = 10,
    kSMPTETimeType2398 = 11
};

typedef UInt32 SMPTETimeFlags;

enum { kSMPTETimeUnknown = 0, kSMPTETimeValid = 1 << 0, kSMPTETimeRunning = 1 << 1 };

typedef struct AudioTimeStamp {
    Float64 mSampleTime; /* frames since the start */
    UInt64 mHostTime;    /* as mach_absolute_time has it: when the first frame is played or was captured */
    Float64 mRateScalar; /* the device's rate divided by the nominal one */
    UInt64 mWordClockTime;
    SMPTETime mSMPTETime;
    UInt32 mFlags; /* which members are valid */
    UInt32 mReserved;
} AudioTimeStamp;

typedef UInt32 AudioTimeStampFlags;

enum {
    kAudioTimeStampNothingValid = 0,
    kAudioTimeStampSampleTimeValid = 1 << 0,
    kAudioTimeStampHostTimeValid = 1 << 1,
    kAudioTimeStampRateScalarValid = 1 << 2,
    kAudioTimeStampWordClockTimeValid = 1 << 3,
    kAudioTimeStampSMPTETimeValid = 1 << 4,
    kAudioTimeStampSampleHostTimeValid = kAudioTimeStampSampleTimeValid | kAudioTimeStampHostTimeValid
};

/* ---- Channels ---- */

typedef UInt32 AudioChannelLabel;
typedef UInt32 AudioChannelLayoutTag;
typedef UInt32 AudioChannelBitmap;
typedef UInt32 AudioChannelFlags;
typedef UInt32 AudioChannelCoordinateIndex;

typedef struct AudioChannelDescription {
    AudioChannelLabel mChannelLabel;
    UInt32 mChannelFlags;
    Float32 mCoordinates[3];
} AudioChannelDescription;

/* mChannelLayoutTag states whether the descriptions or the bitmap are used. The first description is followed by others,
   mNumberChannelDescriptions in all. */
typedef struct AudioChannelLayout {
    AudioChannelLayoutTag mChannelLayoutTag;
    UInt32 mChannelBitmap;
    UInt32 mNumberChannelDescriptions;
    AudioChannelDescription mChannelDescriptions[1];
} AudioChannelLayout;

#define kAudioChannelLabel_Unknown 0xFFFFFFFFu

enum {
    kAudioChannelLabel_Unused = 0,
    kAudioChannelLabel_Left = 1,
    kAudioChannelLabel_Right = 2,
    kAudioChannelLabel_Center = 3,
    kAudioChannelLabel_LFEScreen = 4,
    kAudioChannelLabel_LeftSurround = 5,
    kAudioChannelLabel_RightSurround = 6,
    kAudioChannelLabel_LeftCenter = 7,
    kAudioChannelLabel_RightCenter = 8,
    kAudioChannelLabel_CenterSurround = 9,
    kAudioChannelLabel_LeftSurroundDirect = 10,
    kAudioChannelLabel_RightSurroundDirect = 11,
    kAudioChannelLabel_TopCenterSurround = 12,
    kAudioChannelLabel_VerticalHeightLeft = 13,
    kAudioChannelLabel_VerticalHeightCenter = 14,
    kAudioChannelLabel_VerticalHeightRight = 15,
    kAudioChannelLabel_TopBackLeft = 16,
    kAudioChannelLabel_TopBackCenter = 17,
    kAudioChannelLabel_TopBackRight = 18,
    kAudioChannelLabel_RearSurroundLeft = 33,
    kAudioChannelLabel_RearSurroundRight = 34,
    kAudioChannelLabel_LeftWide = 35,
    kAudioChannelLabel_RightWide = 36,
    kAudioChannelLabel_LFE2 = 37,
    kAudioChannelLabel_LeftTotal = 38,
    kAudioChannelLabel_RightTotal = 39,
    kAudioChannelLabel_HearingImpaired = 40,
    kAudioChannelLabel_Narration = 41,
    kAudioChannelLabel_Mono = 42,
    kAudioChannelLabel_DialogCentricMix = 43,
    kAudioChannelLabel_CenterSurroundDirect = 44,
    kAudioChannelLabel_Haptic = 45,
    kAudioChannelLabel_LeftTopFront = kAudioChannelLabel_VerticalHeightLeft,
    kAudioChannelLabel_CenterTopFront = kAudioChannelLabel_VerticalHeightCenter,
    kAudioChannelLabel_RightTopFront = kAudioChannelLabel_VerticalHeightRight,
    kAudioChannelLabel_LeftTopMiddle = 49,
    kAudioChannelLabel_CenterTopMiddle = kAudioChannelLabel_TopCenterSurround,
    kAudioChannelLabel_RightTopMiddle = 51,
    kAudioChannelLabel_LeftTopRear = 52,
    kAudioChannelLabel_CenterTopRear = 53,
    kAudioChannelLabel_RightTopRear = 54,
    kAudioChannelLabel_LeftSideSurround = 55,
    kAudioChannelLabel_RightSideSurround = 56,
    kAudioChannelLabel_LeftBottom = 57,
    kAudioChannelLabel_RightBottom = 58,
    kAudioChannelLabel_CenterBottom = 59,
    kAudioChannelLabel_LeftTopSurround = 60,
    kAudioChannelLabel_RightTopSurround = 61,
    kAudioChannelLabel_LFE3 = 62,
    kAudioChannelLabel_LeftBackSurround = 63,
    kAudioChannelLabel_RightBackSurround = 64,
    kAudioChannelLabel_LeftEdgeOfScreen = 65,
    kAudioChannelLabel_RightEdgeOfScreen = 66,
    kAudioChannelLabel_UseCoordinates = 100,
    kAudioChannelLabel_Ambisonic_W = 200,
    kAudioChannelLabel_Ambisonic_X = 201,
    kAudioChannelLabel_Ambisonic_Y = 202,
    kAudioChannelLabel_Ambisonic_Z = 203,
    kAudioChannelLabel_MS_Mid = 204,
    kAudioChannelLabel_MS_Side = 205,
    kAudioChannelLabel_XY_X = 206,
    kAudioChannelLabel_XY_Y = 207,
    kAudioChannelLabel_BinauralLeft = 208,
    kAudioChannelLabel_BinauralRight = 209,
    kAudioChannelLabel_HeadphonesLeft = 301,
    kAudioChannelLabel_HeadphonesRight = 302,
    kAudioChannelLabel_ClickTrack = 304,
    kAudioChannelLabel_ForeignLanguage = 305,
    kAudioChannelLabel_Discrete = 400,
    kAudioChannelLabel_Discrete_0 = 1 << 16, /* the others count on from here */
    kAudioChannelLabel_Discrete_1 = 1 << 16 | 1,
    kAudioChannelLabel_Discrete_2 = 1 << 16 | 2,
    kAudioChannelLabel_Discrete_3 = 1 << 16 | 3,
    kAudioChannelLabel_Discrete_4 = 1 << 16 | 4,
    kAudioChannelLabel_Discrete_5 = 1 << 16 | 5,
    kAudioChannelLabel_Discrete_6 = 1 << 16 | 6,
    kAudioChannelLabel_Discrete_7 = 1 << 16 | 7,
    kAudioChannelLabel_Discrete_8 = 1 << 16 | 8,
    kAudioChannelLabel_Discrete_9 = 1 << 16 | 9,
    kAudioChannelLabel_Discrete_10 = 1 << 16 | 10,
    kAudioChannelLabel_Discrete_11 = 1 << 16 | 11,
    kAudioChannelLabel_Discrete_12 = 1 << 16 | 12,
    kAudioChannelLabel_Discrete_13 = 1 << 16 | 13,
    kAudioChannelLabel_Discrete_14 = 1 << 16 | 14,
    kAudioChannelLabel_Discrete_15 = 1 << 16 | 15,
    kAudioChannelLabel_Discrete_65535 = 1 << 16 | 65535,

    /* Ambisonics of higher order: the channel with this number in the order ACN */
    kAudioChannelLabel_HOA_ACN = 500,
    kAudioChannelLabel_HOA_ACN_0 = 2 << 16 | 0,
    kAudioChannelLabel_HOA_ACN_1 = 2 << 16 | 1,
    kAudioChannelLabel_HOA_ACN_2 = 2 << 16 | 2,
    kAudioChannelLabel_HOA_ACN_3 = 2 << 16 | 3,
    kAudioChannelLabel_HOA_ACN_4 = 2 << 16 | 4,
    kAudioChannelLabel_HOA_ACN_5 = 2 << 16 | 5,
    kAudioChannelLabel_HOA_ACN_6 = 2 << 16 | 6,
    kAudioChannelLabel_HOA_ACN_7 = 2 << 16 | 7,
    kAudioChannelLabel_HOA_ACN_8 = 2 << 16 | 8,
    kAudioChannelLabel_HOA_ACN_9 = 2 << 16 | 9,
    kAudioChannelLabel_HOA_ACN_10 = 2 << 16 | 10,
    kAudioChannelLabel_HOA_ACN_11 = 2 << 16 | 11,
    kAudioChannelLabel_HOA_ACN_12 = 2 << 16 | 12,
    kAudioChannelLabel_HOA_ACN_13 = 2 << 16 | 13,
    kAudioChannelLabel_HOA_ACN_14 = 2 << 16 | 14,
    kAudioChannelLabel_HOA_ACN_15 = 2 << 16 | 15,
    kAudioChannelLabel_HOA_ACN_65024 = 2 << 16 | 65024,
    kAudioChannelLabel_HOA_N3D = 3 << 16 /* with the number of the channel in the lower half */
};

/* mChannelBitmap: bit n is the channel with label n + 1. */
enum {
    kAudioChannelBit_Left = 1 << 0,
    kAudioChannelBit_Right = 1 << 1,
    kAudioChannelBit_Center = 1 << 2,
    kAudioChannelBit_LFEScreen = 1 << 3,
    kAudioChannelBit_LeftSurround = 1 << 4,
    kAudioChannelBit_RightSurround = 1 << 5,
    kAudioChannelBit_LeftCenter = 1 << 6,
    kAudioChannelBit_RightCenter = 1 << 7,
    kAudioChannelBit_CenterSurround = 1 << 8,
    kAudioChannelBit_LeftSurroundDirect = 1 << 9,
    kAudioChannelBit_RightSurroundDirect = 1 << 10,
    kAudioChannelBit_TopCenterSurround = 1 << 11,
    kAudioChannelBit_VerticalHeightLeft = 1 << 12,
    kAudioChannelBit_VerticalHeightCenter = 1 << 13,
    kAudioChannelBit_VerticalHeightRight = 1 << 14,
    kAudioChannelBit_TopBackLeft = 1 << 15,
    kAudioChannelBit_TopBackCenter = 1 << 16,
    kAudioChannelBit_TopBackRight = 1 << 17,

    /* The loudspeakers above, by their names of later releases */
    kAudioChannelBit_LeftTopFront = kAudioChannelBit_VerticalHeightLeft,
    kAudioChannelBit_CenterTopFront = kAudioChannelBit_VerticalHeightCenter,
    kAudioChannelBit_RightTopFront = kAudioChannelBit_VerticalHeightRight,
    kAudioChannelBit_LeftTopMiddle = 1 << 21,
    kAudioChannelBit_CenterTopMiddle = kAudioChannelBit_TopCenterSurround,
    kAudioChannelBit_RightTopMiddle = 1 << 23,
    kAudioChannelBit_LeftTopRear = 1 << 24,
    kAudioChannelBit_CenterTopRear = 1 << 25,
    kAudioChannelBit_RightTopRear = 1 << 26
};

/* mChannelFlags: the meaning of mCoordinates. */
enum {
    kAudioChannelFlags_AllOff = 0,
    kAudioChannelFlags_RectangularCoordinates = 1 << 0,
    kAudioChannelFlags_SphericalCoordinates = 1 << 1,
    kAudioChannelFlags_Meters = 1 << 2
};

enum {
    kAudioChannelCoordinates_LeftRight = 0,
    kAudioChannelCoordinates_BackFront = 1,
    kAudioChannelCoordinates_DownUp = 2,
    kAudioChannelCoordinates_Azimuth = 0,
    kAudioChannelCoordinates_Elevation = 1,
    kAudioChannelCoordinates_Distance = 2
};

/* The lower half of a tag is the number of its channels. */
#define AudioChannelLayoutTag_GetNumberOfChannels(tag) ((UInt32)((tag)&0xFFFF))

/* mChannelLayoutTag: L left, R right, C center, Ls Rs surround, Lfe effects, Cs center surround, Lc Rc left
   and right center, Rls Rrs rear surround, Ts top surround. */
enum {
    kAudioChannelLayoutTag_UseChannelDescriptions = 0,
    kAudioChannelLayoutTag_UseChannelBitmap = 1 << 16,
    kAudioChannelLayoutTag_Mono = 100 << 16 | 1,
    kAudioChannelLayoutTag_Stereo = 101 << 16 | 2,
    kAudioChannelLayoutTag_StereoHeadphones = 102 << 16 | 2,
    kAudioChannelLayoutTag_MatrixStereo = 103 << 16 | 2,
    kAudioChannelLayoutTag_MidSide = 104 << 16 | 2,
    kAudioChannelLayoutTag_XY = 105 << 16 | 2,
    kAudioChannelLayoutTag_Binaural = 106 << 16 | 2,
    kAudioChannelLayoutTag_Ambisonic_B_Format = 107 << 16 | 4,
    kAudioChannelLayoutTag_Quadraphonic = 108 << 16 | 4, /* L R Ls Rs */
    kAudioChannelLayoutTag_Pentagonal = 109 << 16 | 5,   /* L R Ls Rs C */
    kAudioChannelLayoutTag_Hexagonal = 110 << 16 | 6,    /* L R Ls Rs C Cs */
    kAudioChannelLayoutTag_Octagonal = 111 << 16 | 8,
    kAudioChannelLayoutTag_Cube = 112 << 16 | 8,

    kAudioChannelLayoutTag_MPEG_1_0 = kAudioChannelLayoutTag_Mono,
    kAudioChannelLayoutTag_MPEG_2_0 = kAudioChannelLayoutTag_Stereo,
    kAudioChannelLayoutTag_MPEG_3_0_A = 113 << 16 | 3,         /* L R C */
    kAudioChannelLayoutTag_MPEG_3_0_B = 114 << 16 | 3,         /* C L R */
    kAudioChannelLayoutTag_MPEG_4_0_A = 115 << 16 | 4,         /* L R C Cs */
    kAudioChannelLayoutTag_MPEG_4_0_B = 116 << 16 | 4,         /* C L R Cs */
    kAudioChannelLayoutTag_MPEG_5_0_A = 117 << 16 | 5,         /* L R C Ls Rs */
    kAudioChannelLayoutTag_MPEG_5_0_B = 118 << 16 | 5,         /* L R Ls Rs C */
    kAudioChannelLayoutTag_MPEG_5_0_C = 119 << 16 | 5,         /* L C R Ls Rs */
    kAudioChannelLayoutTag_MPEG_5_0_D = 120 << 16 | 5,         /* C L R Ls Rs */
    kAudioChannelLayoutTag_MPEG_5_1_A = 121 << 16 | 6,         /* L R C Lfe Ls Rs */
    kAudioChannelLayoutTag_MPEG_5_1_B = 122 << 16 | 6,         /* L R Ls Rs C Lfe */
    kAudioChannelLayoutTag_MPEG_5_1_C = 123 << 16 | 6,         /* L C R Ls Rs Lfe */
    kAudioChannelLayoutTag_MPEG_5_1_D = 124 << 16 | 6,         /* C L R Ls Rs Lfe */
    kAudioChannelLayoutTag_MPEG_6_1_A = 125 << 16 | 7,         /* L R C Lfe Ls Rs Cs */
    kAudioChannelLayoutTag_MPEG_7_1_A = 126 << 16 | 8,         /* L R C Lfe Ls Rs Lc Rc */
    kAudioChannelLayoutTag_MPEG_7_1_B = 127 << 16 | 8,         /* C Lc Rc L R Ls Rs Lfe */
    kAudioChannelLayoutTag_MPEG_7_1_C = 128 << 16 | 8,         /* L R C Lfe Ls Rs Rls Rrs */
    kAudioChannelLayoutTag_Emagic_Default_7_1 = 129 << 16 | 8, /* L R Ls Rs C Lfe Lc Rc */
    kAudioChannelLayoutTag_SMPTE_DTV = 130 << 16 | 8,          /* MPEG_5_1_A and a stereo mix */

    kAudioChannelLayoutTag_ITU_1_0 = kAudioChannelLayoutTag_Mono,
    kAudioChannelLayoutTag_ITU_2_0 = kAudioChannelLayoutTag_Stereo,
    kAudioChannelLayoutTag_ITU_2_1 = 131 << 16 | 3, /* L R Cs */
    kAudioChannelLayoutTag_ITU_2_2 = 132 << 16 | 4, /* L R Ls Rs */
    kAudioChannelLayoutTag_ITU_3_0 = kAudioChannelLayoutTag_MPEG_3_0_A,
    kAudioChannelLayoutTag_ITU_3_1 = kAudioChannelLayoutTag_MPEG_4_0_A,
    kAudioChannelLayoutTag_ITU_3_2 = kAudioChannelLayoutTag_MPEG_5_0_A,
    kAudioChannelLayoutTag_ITU_3_2_1 = kAudioChannelLayoutTag_MPEG_5_1_A,
    kAudioChannelLayoutTag_ITU_3_4_1 = kAudioChannelLayoutTag_MPEG_7_1_C,

    kAudioChannelLayoutTag_DVD_0 = kAudioChannelLayoutTag_Mono,
    kAudioChannelLayoutTag_DVD_1 = kAudioChannelLayoutTag_Stereo,
    kAudioChannelLayoutTag_DVD_2 = kAudioChannelLayoutTag_ITU_2_1,
    kAudioChannelLayoutTag_DVD_3 = kAudioChannelLayoutTag_ITU_2_2,
    kAudioChannelLayoutTag_DVD_4 = 133 << 16 | 3, /* L R Lfe */
    kAudioChannelLayoutTag_DVD_5 = 134 << 16 | 4, /* L R Lfe Cs */
    kAudioChannelLayoutTag_DVD_6 = 135 << 16 | 5, /* L R Lfe Ls Rs */
    kAudioChannelLayoutTag_DVD_7 = kAudioChannelLayoutTag_MPEG_3_0_A,
    kAudioChannelLayoutTag_DVD_8 = kAudioChannelLayoutTag_MPEG_4_0_A,
    kAudioChannelLayoutTag_DVD_9 = kAudioChannelLayoutTag_MPEG_5_0_A,
    kAudioChannelLayoutTag_DVD_10 = 136 << 16 | 4, /* L R C Lfe */
    kAudioChannelLayoutTag_DVD_11 = 137 << 16 | 5, /* L R C Lfe Cs */
    kAudioChannelLayoutTag_DVD_12 = kAudioChannelLayoutTag_MPEG_5_1_A,
    kAudioChannelLayoutTag_DVD_13 = kAudioChannelLayoutTag_DVD_8,
    kAudioChannelLayoutTag_DVD_14 = kAudioChannelLayoutTag_DVD_9,
    kAudioChannelLayoutTag_DVD_15 = kAudioChannelLayoutTag_DVD_10,
    kAudioChannelLayoutTag_DVD_16 = kAudioChannelLayoutTag_DVD_11,
    kAudioChannelLayoutTag_DVD_17 = kAudioChannelLayoutTag_DVD_12,
    kAudioChannelLayoutTag_DVD_18 = 138 << 16 | 5, /* L R Ls Rs Lfe */
    kAudioChannelLayoutTag_DVD_19 = kAudioChannelLayoutTag_MPEG_5_0_B,
    kAudioChannelLayoutTag_DVD_20 = kAudioChannelLayoutTag_MPEG_5_1_B,

    kAudioChannelLayoutTag_AudioUnit_4 = kAudioChannelLayoutTag_Quadraphonic,
    kAudioChannelLayoutTag_AudioUnit_5 = kAudioChannelLayoutTag_Pentagonal,
    kAudioChannelLayoutTag_AudioUnit_6 = kAudioChannelLayoutTag_Hexagonal,
    kAudioChannelLayoutTag_AudioUnit_8 = kAudioChannelLayoutTag_Octagonal,
    kAudioChannelLayoutTag_AudioUnit_5_0 = kAudioChannelLayoutTag_MPEG_5_0_B,
    kAudioChannelLayoutTag_AudioUnit_6_0 = 139 << 16 | 6,       /* L R Ls Rs C Cs */
    kAudioChannelLayoutTag_AudioUnit_7_0 = 140 << 16 | 7,       /* L R Ls Rs C Rls Rrs */
    kAudioChannelLayoutTag_AudioUnit_7_0_Front = 148 << 16 | 7, /* L R Ls Rs C Lc Rc */
    kAudioChannelLayoutTag_AudioUnit_5_1 = kAudioChannelLayoutTag_MPEG_5_1_A,
    kAudioChannelLayoutTag_AudioUnit_6_1 = kAudioChannelLayoutTag_MPEG_6_1_A,
    kAudioChannelLayoutTag_AudioUnit_7_1 = kAudioChannelLayoutTag_MPEG_7_1_C,
    kAudioChannelLayoutTag_AudioUnit_7_1_Front = kAudioChannelLayoutTag_MPEG_7_1_A,

    kAudioChannelLayoutTag_AAC_3_0 = kAudioChannelLayoutTag_MPEG_3_0_B,
    kAudioChannelLayoutTag_AAC_Quadraphonic = kAudioChannelLayoutTag_Quadraphonic,
    kAudioChannelLayoutTag_AAC_4_0 = kAudioChannelLayoutTag_MPEG_4_0_B,
    kAudioChannelLayoutTag_AAC_5_0 = kAudioChannelLayoutTag_MPEG_5_0_D,
    kAudioChannelLayoutTag_AAC_5_1 = kAudioChannelLayoutTag_MPEG_5_1_D,
    kAudioChannelLayoutTag_AAC_6_0 = 141 << 16 | 6, /* C L R Ls Rs Cs */
    kAudioChannelLayoutTag_AAC_6_1 = 142 << 16 | 7, /* C L R Ls Rs Cs Lfe */
    kAudioChannelLayoutTag_AAC_7_0 = 143 << 16 | 7, /* C L R Ls Rs Rls Rrs */
    kAudioChannelLayoutTag_AAC_7_1 = kAudioChannelLayoutTag_MPEG_7_1_B,
    kAudioChannelLayoutTag_AAC_7_1_B = 183 << 16 | 8,     /* C L R Ls Rs Rls Rrs Lfe */
    kAudioChannelLayoutTag_AAC_7_1_C = 184 << 16 | 8,     /* C L R Ls Rs Lfe and two heights */
    kAudioChannelLayoutTag_AAC_Octagonal = 144 << 16 | 8, /* C L R Ls Rs Rls Rrs Cs */

    kAudioChannelLayoutTag_TMH_10_2_std = 145 << 16 | 16,
    kAudioChannelLayoutTag_TMH_10_2_full = 146 << 16 | 21,

    kAudioChannelLayoutTag_AC3_1_0_1 = 149 << 16 | 2, /* C Lfe */
    kAudioChannelLayoutTag_AC3_3_0 = 150 << 16 | 3,   /* L C R */
    kAudioChannelLayoutTag_AC3_3_1 = 151 << 16 | 4,   /* L C R Cs */
    kAudioChannelLayoutTag_AC3_3_0_1 = 152 << 16 | 4, /* L C R Lfe */
    kAudioChannelLayoutTag_AC3_2_1_1 = 153 << 16 | 4, /* L R Cs Lfe */
    kAudioChannelLayoutTag_AC3_3_1_1 = 154 << 16 | 5, /* L C R Cs Lfe */

    kAudioChannelLayoutTag_EAC_6_0_A = 155 << 16 | 6, /* L C R Ls Rs Cs */
    kAudioChannelLayoutTag_EAC_7_0_A = 156 << 16 | 7, /* L C R Ls Rs Rls Rrs */

    kAudioChannelLayoutTag_EAC3_6_1_A = 157 << 16 | 7, /* L C R Ls Rs Lfe Cs */
    kAudioChannelLayoutTag_EAC3_6_1_B = 158 << 16 | 7, /* L C R Ls Rs Lfe Ts */
    kAudioChannelLayoutTag_EAC3_6_1_C = 159 << 16 | 7, /* L C R Ls Rs Lfe and a height */
    kAudioChannelLayoutTag_EAC3_7_1_A = 160 << 16 | 8, /* L C R Ls Rs Lfe Rls Rrs */
    kAudioChannelLayoutTag_EAC3_7_1_B = 161 << 16 | 8, /* L C R Ls Rs Lfe Lc Rc */
    kAudioChannelLayoutTag_EAC3_7_1_C = 162 << 16 | 8, /* L C R Ls Rs Lfe and two direct surrounds */
    kAudioChannelLayoutTag_EAC3_7_1_D = 163 << 16 | 8, /* L C R Ls Rs Lfe and two wide */
    kAudioChannelLayoutTag_EAC3_7_1_E = 164 << 16 | 8, /* L C R Ls Rs Lfe and two heights */
    kAudioChannelLayoutTag_EAC3_7_1_F = 165 << 16 | 8, /* L C R Ls Rs Lfe Cs Ts */
    kAudioChannelLayoutTag_EAC3_7_1_G = 166 << 16 | 8, /* L C R Ls Rs Lfe Cs and a height */
    kAudioChannelLayoutTag_EAC3_7_1_H = 167 << 16 | 8, /* L C R Ls Rs Lfe Ts and a height */

    kAudioChannelLayoutTag_DTS_3_1 = 168 << 16 | 4,   /* C L R Lfe */
    kAudioChannelLayoutTag_DTS_4_1 = 169 << 16 | 5,   /* C L R Cs Lfe */
    kAudioChannelLayoutTag_DTS_6_0_A = 170 << 16 | 6, /* Lc Rc L R Ls Rs */
    kAudioChannelLayoutTag_DTS_6_0_B = 171 << 16 | 6, /* C L R Rls Rrs Ts */
    kAudioChannelLayoutTag_DTS_6_0_C = 172 << 16 | 6, /* C Cs L R Rls Rrs */
    kAudioChannelLayoutTag_DTS_6_1_A = 173 << 16 | 7, /* Lc Rc L R Ls Rs Lfe */
    kAudioChannelLayoutTag_DTS_6_1_B = 174 << 16 | 7, /* C L R Rls Rrs Ts Lfe */
    kAudioChannelLayoutTag_DTS_6_1_C = 175 << 16 | 7, /* C Cs L R Rls Rrs Lfe */
    kAudioChannelLayoutTag_DTS_7_0 = 176 << 16 | 7,   /* Lc C Rc L R Ls Rs */
    kAudioChannelLayoutTag_DTS_7_1 = 177 << 16 | 8,   /* Lc C Rc L R Ls Rs Lfe */
    kAudioChannelLayoutTag_DTS_8_0_A = 178 << 16 | 8, /* Lc Rc L R Ls Rs Rls Rrs */
    kAudioChannelLayoutTag_DTS_8_0_B = 179 << 16 | 8, /* Lc C Rc L R Ls Cs Rs */
    kAudioChannelLayoutTag_DTS_8_1_A = 180 << 16 | 9, /* Lc Rc L R Ls Rs Rls Rrs Lfe */
    kAudioChannelLayoutTag_DTS_8_1_B = 181 << 16 | 9, /* Lc C Rc L R Ls Cs Rs Lfe */
    kAudioChannelLayoutTag_DTS_6_1_D = 182 << 16 | 7, /* C L R Ls Rs Lfe Cs */

    /* The orders of WAVE files. Vhl Vhr are top front, Ltm Rtm top middle, Ltr Rtr top rear. */
    kAudioChannelLayoutTag_WAVE_2_1 = 133 << 16 | 3,   /* L R Lfe */
    kAudioChannelLayoutTag_WAVE_3_0 = 113 << 16 | 3,   /* L R C */
    kAudioChannelLayoutTag_WAVE_4_0_A = 132 << 16 | 4, /* L R Ls Rs */
    kAudioChannelLayoutTag_WAVE_4_0_B = 185 << 16 | 4, /* L R Rls Rrs */
    kAudioChannelLayoutTag_WAVE_5_0_A = 117 << 16 | 5, /* L R C Ls Rs */
    kAudioChannelLayoutTag_WAVE_5_0_B = 186 << 16 | 5, /* L R C Rls Rrs */
    kAudioChannelLayoutTag_WAVE_5_1_A = 121 << 16 | 6, /* L R C Lfe Ls Rs */
    kAudioChannelLayoutTag_WAVE_5_1_B = 187 << 16 | 6, /* L R C Lfe Rls Rrs */
    kAudioChannelLayoutTag_WAVE_6_1 = 188 << 16 | 7,   /* L R C Lfe Cs Ls Rs */
    kAudioChannelLayoutTag_WAVE_7_1 = 189 << 16 | 8,   /* L R C Lfe Rls Rrs Ls Rs */

    kAudioChannelLayoutTag_HOA_ACN_SN3D = 190 << 16, /* with the number of channels in the lower half */
    kAudioChannelLayoutTag_HOA_ACN_N3D = 191 << 16,  /* the same */

    kAudioChannelLayoutTag_Atmos_5_1_2 = 194 << 16 | 8,  /* L R C Lfe Ls Rs Ltm Rtm */
    kAudioChannelLayoutTag_Atmos_7_1_4 = 192 << 16 | 12, /* L R C Lfe Ls Rs Rls Rrs Vhl Vhr Ltr Rtr */
    kAudioChannelLayoutTag_Atmos_9_1_6 = 193 << 16 | 16, /* L R C Lfe Ls Rs Rls Rrs, two wide, Vhl Vhr Ltm Rtm Ltr Rtr */

    /* Orders of later releases, which have no descriptions here */
    kAudioChannelLayoutTag_Atmos_5_1_4 = 195 << 16 | 10,
    kAudioChannelLayoutTag_Atmos_7_1_2 = 196 << 16 | 10,
    kAudioChannelLayoutTag_Logic_4_0_C = 197 << 16 | 4,
    kAudioChannelLayoutTag_Logic_6_0_B = 198 << 16 | 6,
    kAudioChannelLayoutTag_Logic_6_1_B = 199 << 16 | 7,
    kAudioChannelLayoutTag_Logic_6_1_D = 200 << 16 | 7,
    kAudioChannelLayoutTag_Logic_7_1_B = 201 << 16 | 8,
    kAudioChannelLayoutTag_Logic_Atmos_7_1_4_B = 202 << 16 | 12,
    kAudioChannelLayoutTag_Logic_Atmos_7_1_6 = 203 << 16 | 14,
    kAudioChannelLayoutTag_CICP_13 = 204 << 16 | 24,
    kAudioChannelLayoutTag_CICP_14 = 205 << 16 | 8,
    kAudioChannelLayoutTag_CICP_15 = 206 << 16 | 12,
    kAudioChannelLayoutTag_CICP_16 = 207 << 16 | 10,
    kAudioChannelLayoutTag_CICP_17 = 208 << 16 | 12,
    kAudioChannelLayoutTag_CICP_18 = 209 << 16 | 14,
    kAudioChannelLayoutTag_CICP_19 = 210 << 16 | 12,
    kAudioChannelLayoutTag_CICP_20 = 211 << 16 | 14,
    kAudioChannelLayoutTag_Ogg_5_0 = 212 << 16 | 5,
    kAudioChannelLayoutTag_Ogg_5_1 = 213 << 16 | 6,
    kAudioChannelLayoutTag_Ogg_6_1 = 214 << 16 | 7,
    kAudioChannelLayoutTag_Ogg_7_1 = 215 << 16 | 8,
    kAudioChannelLayoutTag_MPEG_5_0_E = 216 << 16 | 5,
    kAudioChannelLayoutTag_MPEG_5_1_E = 217 << 16 | 6,
    kAudioChannelLayoutTag_MPEG_6_1_B = 218 << 16 | 7,
    kAudioChannelLayoutTag_MPEG_7_1_D = 219 << 16 | 8,

    kAudioChannelLayoutTag_DiscreteInOrder = 147 << 16 /* with the number of channels in the lower half */
};

#define kAudioChannelLayoutTag_Unknown 0xFFFF0000u

/* The mark of the types that later releases no longer recommend. It has no effect. */
#ifndef CA_CANONICAL_DEPRECATED
#define CA_CANONICAL_DEPRECATED
#endif

#ifdef __cplusplus
}

/* ---- C++ ---- */

/* Flags of a linear PCM format. Samples are packed when all their bits are valid. */
inline UInt32 CalculateLPCMFlags(UInt32 inValidBitsPerChannel, UInt32 inTotalBitsPerChannel, bool inIsFloat, bool inIsBigEndian,
    bool inIsNonInterleaved = false) {
    UInt32 flags = inIsFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger;
    if (inIsBigEndian) flags |= kAudioFormatFlagIsBigEndian;
    flags |= inValidBitsPerChannel == inTotalBitsPerChannel ? kAudioFormatFlagIsPacked : kAudioFormatFlagIsAlignedHigh;
    if (inIsNonInterleaved) flags |= kAudioFormatFlagIsNonInterleaved;
    return flags;
}

/* Sets every member for linear PCM. */
inline void FillOutASBDForLPCM(AudioStreamBasicDescription &outASBD, Float64 inSampleRate, UInt32 inChannelsPerFrame,
    UInt32 inValidBitsPerChannel, UInt32 inTotalBitsPerChannel, bool inIsFloat, bool inIsBigEndian,
    bool inIsNonInterleaved = false) {
    UInt32 channels = inIsNonInterleaved ? 1 : inChannelsPerFrame;
    outASBD.mSampleRate = inSampleRate;
    outASBD.mFormatID = kAudioFormatLinearPCM;
    outASBD.mFormatFlags =
        CalculateLPCMFlags(inValidBitsPerChannel, inTotalBitsPerChannel, inIsFloat, inIsBigEndian, inIsNonInterleaved);
    outASBD.mBytesPerFrame = channels * (inTotalBitsPerChannel / 8);
    outASBD.mFramesPerPacket = 1;
    outASBD.mBytesPerPacket = outASBD.mBytesPerFrame;
    outASBD.mChannelsPerFrame = inChannelsPerFrame;
    outASBD.mBitsPerChannel = inValidBitsPerChannel;
    outASBD.mReserved = 0;
}

/* Whether a linear PCM format has the byte order of this machine. */
inline bool IsAudioFormatNativeEndian(const AudioStreamBasicDescription &format) { return TestAudioFormatNativeEndian(format); }

/* Sets the sample time. No other member is valid. */
inline void FillOutAudioTimeStampWithSampleTime(AudioTimeStamp &outATS, Float64 inSampleTime) {
    outATS = AudioTimeStamp();
    outATS.mSampleTime = inSampleTime;
    outATS.mFlags = kAudioTimeStampSampleTimeValid;
}

/* Sets the host time. No other member is valid. */
inline void FillOutAudioTimeStampWithHostTime(AudioTimeStamp &outATS, UInt64 inHostTime) {
    outATS = AudioTimeStamp();
    outATS.mHostTime = inHostTime;
    outATS.mFlags = kAudioTimeStampHostTimeValid;
}

/* Sets both times. No other member is valid. */
inline void FillOutAudioTimeStampWithSampleAndHostTime(AudioTimeStamp &outATS, Float64 inSampleTime, UInt64 inHostTime) {
    outATS = AudioTimeStamp();
    outATS.mSampleTime = inSampleTime;
    outATS.mHostTime = inHostTime;
    outATS.mFlags = kAudioTimeStampSampleHostTimeValid;
}
#endif

#endif
