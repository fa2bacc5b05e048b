/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of formats, codecs and channel layouts. */
#ifndef AUDIOTOOLBOX_AUDIOFORMAT_H
#define AUDIOTOOLBOX_AUDIOFORMAT_H
#define __AudioFormat_h__ /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_COREAUDIOTYPES_H
#include <CoreAudio/CoreAudioTypes.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef UInt32 AudioFormatPropertyID;

/* ---- Properties ---- */

enum {
    /* AudioStreamBasicDescription: missing members are filled in. The specifier is empty or a magic cookie, which states the rate,
       the channels and the frames of a packet. */
    kAudioFormatProperty_FormatInfo = 0x666D7469,            /* 'fmti' */
    kAudioFormatProperty_FormatName = 0x666E616D,            /* 'fnam': of an AudioStreamBasicDescription: CFStringRef */
    kAudioFormatProperty_EncodeFormatIDs = 0x61636F66,       /* 'acof': AudioFormatID array */
    kAudioFormatProperty_DecodeFormatIDs = 0x61636966,       /* 'acif': AudioFormatID array */
    kAudioFormatProperty_FormatList = 0x666C7374,            /* 'flst': of an AudioFormatInfo: AudioFormatListItem array */
    kAudioFormatProperty_ASBDFromESDS = 0x65737364,          /* 'essd': of the magic cookie of AAC: AudioStreamBasicDescription */
    kAudioFormatProperty_ChannelLayoutFromESDS = 0x6573636C, /* 'escl': is not supported */
    kAudioFormatProperty_OutputFormatList = 0x6F666C73,      /* 'ofls': of an AudioFormatInfo: AudioFormatListItem array */
    kAudioFormatProperty_FirstPlayableFormatFromList = 0x6670666C, /* 'fpfl': of an AudioFormatListItem array: UInt32, an index */
    kAudioFormatProperty_FormatIsVBR = 0x66766272,                 /* 'fvbr': of an AudioStreamBasicDescription: UInt32 */
    kAudioFormatProperty_FormatIsExternallyFramed = 0x66657866,    /* 'fexf': of an AudioStreamBasicDescription: UInt32 */
    kAudioFormatProperty_FormatIsEncrypted = 0x63727970,           /* 'cryp': of an AudioFormatID: UInt32 */
    kAudioFormatProperty_Encoders = 0x6176656E,                    /* 'aven': of an AudioFormatID: AudioClassDescription array */
    kAudioFormatProperty_Decoders = 0x61766465,                    /* 'avde': of an AudioFormatID: AudioClassDescription array */
    kAudioFormatProperty_AvailableEncodeBitRates = 0x61656272,     /* 'aebr': is not supported */
    kAudioFormatProperty_AvailableEncodeSampleRates = 0x61657372,  /* 'aesr': is not supported */
    kAudioFormatProperty_AvailableEncodeChannelLayoutTags = 0x6165636C, /* 'aecl': is not supported */
    kAudioFormatProperty_AvailableEncodeNumberChannels = 0x61766E63, /* 'avnc': of an AudioStreamBasicDescription: UInt32 array */
    kAudioFormatProperty_ASBDFromMPEGPacket = 0x61646D70,            /* 'admp': is not supported */

    kAudioFormatProperty_BitmapForLayoutTag = 0x626D7467,          /* 'bmtg': of a tag: UInt32 */
    kAudioFormatProperty_MatrixMixMap = 0x6D6D6170,                /* 'mmap': is not supported */
    kAudioFormatProperty_ChannelMap = 0x63686D70,                  /* 'chmp': of two addresses of layouts: SInt32 array */
    kAudioFormatProperty_NumberOfChannelsForLayout = 0x6E63686D,   /* 'nchm': of a layout: UInt32 */
    kAudioFormatProperty_AreChannelLayoutsEquivalent = 0x63686571, /* 'cheq': of two addresses of layouts: UInt32 */
    kAudioFormatProperty_ChannelLayoutHash = 0x63686861,           /* 'chha': is not supported */
    kAudioFormatProperty_ValidateChannelLayout = 0x7661636C,       /* 'vacl': of a layout: nothing; an error when it is invalid */
    kAudioFormatProperty_ChannelLayoutForTag = 0x636D706C,         /* 'cmpl': of a tag: AudioChannelLayout */
    kAudioFormatProperty_TagForChannelLayout = 0x636D7074,         /* 'cmpt': of a layout: AudioChannelLayoutTag */
    kAudioFormatProperty_ChannelLayoutName = 0x6C6F6E6D,           /* 'lonm': of a layout: CFStringRef */
    kAudioFormatProperty_ChannelLayoutSimpleName = 0x6C736E6D,     /* 'lsnm': of a layout: CFStringRef */
    kAudioFormatProperty_ChannelLayoutForBitmap = 0x636D7062,      /* 'cmpb': of a bitmap: AudioChannelLayout */
    kAudioFormatProperty_ChannelName = 0x636E616D,                 /* 'cnam': of an AudioChannelDescription: CFStringRef */
    kAudioFormatProperty_ChannelShortName = 0x63736E6D,            /* 'csnm': of an AudioChannelDescription: CFStringRef */
    kAudioFormatProperty_TagsForNumberOfChannels = 0x74616763,     /* 'tagc': of a UInt32: AudioChannelLayoutTag array */
    kAudioFormatProperty_PanningMatrix = 0x70616E6D,               /* 'panm': is not supported */
    kAudioFormatProperty_BalanceFade = 0x62616C66,                 /* 'balf': is not supported */

    kAudioFormatProperty_ID3TagSize = 0x69643373,                   /* 'id3s': of a tag's first bytes: UInt32 */
    kAudioFormatProperty_ID3TagToDictionary = 0x69643364,           /* 'id3d': is not supported */
    kAudioFormatProperty_HardwareCodecCapabilities = 0x68776363,    /* 'hwcc': UInt32: 0 */
    kAudioFormatProperty_FormatEmploysDependentPackets = 0x66646570 /* 'fdep': is not supported */
};

typedef UInt32 AudioPanningMode;

enum { kPanningMode_SoundField = 3, kPanningMode_VectorBasedPanning = 4 };

typedef struct AudioPanningInfo {
    AudioPanningMode mPanningMode;
    UInt32 mCoordinateFlags;
    Float32 mCoordinates[3];
    Float32 mGainScale;
    const AudioChannelLayout *mOutputChannelMap;
} AudioPanningInfo;

typedef UInt32 AudioBalanceFadeType;

enum { kAudioBalanceFadeType_MaxUnityGain = 0, kAudioBalanceFadeType_EqualPower = 1 };

typedef struct AudioBalanceFade {
    Float32 mLeftRightBalance;
    Float32 mBackFrontFade;
    AudioBalanceFadeType mType;
    const AudioChannelLayout *mChannelLayout;
} AudioBalanceFade;

typedef struct AudioFormatInfo {
    AudioStreamBasicDescription mASBD;
    const void *mMagicCookie;
    UInt32 mMagicCookieSize;
} AudioFormatInfo;

typedef struct ExtendedAudioFormatInfo {
    AudioStreamBasicDescription mASBD;
    const void *mMagicCookie;
    UInt32 mMagicCookieSize;
    AudioClassDescription mClassDescription;
} ExtendedAudioFormatInfo;

typedef struct AudioFormatListItem {
    AudioStreamBasicDescription mASBD;
    AudioChannelLayoutTag mChannelLayoutTag;
} AudioFormatListItem;

/* Codecs: mType and mManufacturer of AudioClassDescription. All codecs here are software. */
enum {
    kAudioDecoderComponentType = 0x61646563, /* 'adec' */
    kAudioEncoderComponentType = 0x61656E63  /* 'aenc' */
};
enum {
    kAppleSoftwareAudioCodecManufacturer = 0x6170706C, /* 'appl' */
    kAppleHardwareAudioCodecManufacturer = 0x61706877  /* 'aphw' */
};

/* ---- Results ---- */

enum {
    kAudioFormatUnspecifiedError = 0x77686174,           /* 'what' */
    kAudioFormatUnsupportedPropertyError = 0x70726F70,   /* 'prop' */
    kAudioFormatBadPropertySizeError = 0x2173697A,       /* '!siz' */
    kAudioFormatBadSpecifierSizeError = 0x21737063,      /* '!spc' */
    kAudioFormatUnsupportedDataFormatError = 0x666D743F, /* 'fmt?' */
    kAudioFormatUnknownFormatError = 0x21666D74          /* '!fmt' */
};

/* ---- Functions ---- */

/* Writes the size of the value that AudioFormatGetProperty writes for the specifier. */
OSStatus AudioFormatGetPropertyInfo(
    AudioFormatPropertyID inPropertyID, UInt32 inSpecifierSize, const void *inSpecifier, UInt32 *outPropertyDataSize);

/* Writes a property of the specifier. ioPropertyDataSize: room on entry, the value's size on return.
   CoreFoundation values belong to the caller. */
OSStatus AudioFormatGetProperty(AudioFormatPropertyID inPropertyID, UInt32 inSpecifierSize, const void *inSpecifier,
    UInt32 *ioPropertyDataSize, void *outPropertyData);

#ifdef __cplusplus
}
#endif

#endif
