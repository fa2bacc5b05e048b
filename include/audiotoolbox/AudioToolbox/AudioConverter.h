/* SPDX-License-Identifier: Apache-2.0 */
/* Converts between sound formats: every linear PCM, rates, channels, u-law, A-law, IMA4, and the formats of
   codec modules. */
#ifndef AUDIOTOOLBOX_AUDIOCONVERTER_H
#define AUDIOTOOLBOX_AUDIOCONVERTER_H
#define __AudioConverter_h__ /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_COREAUDIOTYPES_H
#include <CoreAudio/CoreAudioTypes.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OpaqueAudioConverter *AudioConverterRef;
typedef UInt32 AudioConverterPropertyID;

/* ---- Properties ---- */

enum {
    kAudioConverterPropertyMinimumInputBufferSize = 0x6D696273,    /* 'mibs': UInt32, get: what one packet of output needs */
    kAudioConverterPropertyMinimumOutputBufferSize = 0x6D6F6273,   /* 'mobs': UInt32, get */
    kAudioConverterPropertyMaximumInputBufferSize = 0x78696273,    /* 'xibs': is not supported */
    kAudioConverterPropertyMaximumInputPacketSize = 0x78697073,    /* 'xips': UInt32, get */
    kAudioConverterPropertyMaximumOutputPacketSize = 0x786F7073,   /* 'xops': UInt32, get */
    kAudioConverterPropertyCalculateInputBufferSize = 0x63696273,  /* 'cibs': UInt32, get: of output bytes, input bytes */
    kAudioConverterPropertyCalculateOutputBufferSize = 0x636F6273, /* 'cobs': UInt32, get: of input bytes, output bytes */
    kAudioConverterPropertyInputCodecParameters = 0x69636470,      /* 'icdp': is not supported */
    kAudioConverterPropertyOutputCodecParameters = 0x6F636470,     /* 'ocdp': is not supported */
    kAudioConverterSampleRateConverterAlgorithm = 0x73726369,      /* 'srci': is not supported */
    kAudioConverterSampleRateConverterComplexity = 0x73726361,     /* 'srca': UInt32, get and set: one of the three below */
    kAudioConverterSampleRateConverterQuality = 0x73726371,        /* 'srcq': UInt32, get and set: kAudioConverterQuality_ */
    kAudioConverterSampleRateConverterInitialPhase = 0x73726370,   /* 'srcp': is not supported */
    kAudioConverterCodecQuality = 0x63647175, /* 'cdqu': UInt32, get and set: has no effect, no codec has one */
    kAudioConverterPrimeMethod = 0x70726D6D,  /* 'prmm': UInt32, get and set: kConverterPrimeMethod_ */
    kAudioConverterPrimeInfo = 0x7072696D,    /* 'prim': AudioConverterPrimeInfo, get; set of decoders: frames to drop */
    kAudioConverterChannelMap = 0x63686D70, /* 'chmp': SInt32 array, get and set: each output's input; -1: silence; none: a mix */
    kAudioConverterDecompressionMagicCookie = 0x646D6763,         /* 'dmgc': bytes, set: of decoders that take one */
    kAudioConverterCompressionMagicCookie = 0x636D6763,           /* 'cmgc': bytes, get: of AAC and Apple Lossless */
    kAudioConverterEncodeBitRate = 0x62726174,                    /* 'brat': UInt32, get; set of AAC: bits a second */
    kAudioConverterEncodeAdjustableSampleRate = 0x616A7372,       /* 'ajsr': is not supported */
    kAudioConverterInputChannelLayout = 0x69636C20,               /* 'icl ': AudioChannelLayout, get and set: see ChannelMap */
    kAudioConverterOutputChannelLayout = 0x6F636C20,              /* 'ocl ': AudioChannelLayout, get and set: see ChannelMap */
    kAudioConverterApplicableEncodeBitRates = 0x61656272,         /* 'aebr': of an encoder: AudioValueRange array */
    kAudioConverterAvailableEncodeBitRates = 0x76656272,          /* 'vebr': of an encoder: AudioValueRange array */
    kAudioConverterApplicableEncodeSampleRates = 0x61657372,      /* 'aesr': of an encoder: AudioValueRange array */
    kAudioConverterAvailableEncodeSampleRates = 0x76657372,       /* 'vesr': of an encoder: AudioValueRange array */
    kAudioConverterAvailableEncodeChannelLayoutTags = 0x6165636C, /* 'aecl': is not supported */
    kAudioConverterCurrentOutputStreamDescription = 0x61636F64,   /* 'acod': AudioStreamBasicDescription, get */
    kAudioConverterCurrentInputStreamDescription = 0x61636964,    /* 'acid': AudioStreamBasicDescription, get */
    kAudioConverterPropertySettings = 0x61637073,                 /* 'acps': is not supported */
    kAudioConverterPropertyBitDepthHint = 0x61636264,             /* 'acbd': is not supported */
    kAudioConverterPropertyFormatList = 0x666C7374,               /* 'flst': is not supported */
    kAudioConverterPropertyCanResumeFromInterruption = 0x63726669 /* 'crfi': UInt32, get: 1 */
};

enum {
    kAudioConverterQuality_Max = 0x7F,
    kAudioConverterQuality_High = 0x60,
    kAudioConverterQuality_Medium = 0x40,
    kAudioConverterQuality_Low = 0x20,
    kAudioConverterQuality_Min = 0
};

enum {
    kAudioConverterSampleRateConverterComplexity_Linear = 0x6C696E65,      /* 'line' */
    kAudioConverterSampleRateConverterComplexity_Normal = 0x6E6F726D,      /* 'norm' */
    kAudioConverterSampleRateConverterComplexity_Mastering = 0x62617473,   /* 'bats' */
    kAudioConverterSampleRateConverterComplexity_MinimumPhase = 0x6D696E70 /* 'minp': is not supported */
};

/* A rate conversion needs frames before the first and after the last input frame. */
enum {
    kConverterPrimeMethod_Pre = 0,    /* input frames on both sides */
    kConverterPrimeMethod_Normal = 1, /* input frames after the end, silence before */
    kConverterPrimeMethod_None = 2    /* silence on both sides */
};

typedef struct AudioConverterPrimeInfo {
    UInt32 leadingFrames;
    UInt32 trailingFrames;
} AudioConverterPrimeInfo;

/* ---- Results ---- */

enum {
    kAudioConverterErr_FormatNotSupported = 0x666D743F,              /* 'fmt?': the log names the package with the codec */
    kAudioConverterErr_OperationNotSupported = 0x6F703F3F,           /* 'op' and two question marks */
    kAudioConverterErr_PropertyNotSupported = 0x70726F70,            /* 'prop' */
    kAudioConverterErr_InvalidInputSize = 0x696E737A,                /* 'insz' */
    kAudioConverterErr_InvalidOutputSize = 0x6F74737A,               /* 'otsz' */
    kAudioConverterErr_UnspecifiedError = 0x77686174,                /* 'what' */
    kAudioConverterErr_BadPropertySizeError = 0x2173697A,            /* '!siz' */
    kAudioConverterErr_RequiresPacketDescriptionsError = 0x21706B64, /* '!pkd' */
    kAudioConverterErr_InputSampleRateOutOfRange = 0x21697372,       /* '!isr' */
    kAudioConverterErr_OutputSampleRateOutOfRange = 0x216F7372,      /* '!osr' */
    kAudioConverterErr_HardwareInUse = 0x68776975,                   /* 'hwiu': is never returned */
    kAudioConverterErr_NoHardwarePermission = 0x7065726D             /* 'perm': is never returned */
};

/* ---- Functions ---- */

/* Supplies input: sets the buffers in ioData and the number of packets, 0 at the end. The data must stay
   valid until the next call. An error ends the conversion, which returns it. */
typedef OSStatus (*AudioConverterComplexInputDataProc)(AudioConverterRef inAudioConverter, UInt32 *ioNumberDataPackets,
    AudioBufferList *ioData, AudioStreamPacketDescription **outDataPacketDescription, void *inUserData);

/* The type for AudioConverterFillBuffer, an older function that is not declared. */
typedef OSStatus (*AudioConverterInputDataProc)(
    AudioConverterRef inAudioConverter, UInt32 *ioDataSize, void **outData, void *inUserData);

/* Makes a converter. */
OSStatus AudioConverterNew(const AudioStreamBasicDescription *inSourceFormat,
    const AudioStreamBasicDescription *inDestinationFormat, AudioConverterRef *outAudioConverter);

/* Makes a converter with one of the given codecs. */
OSStatus AudioConverterNewSpecific(const AudioStreamBasicDescription *inSourceFormat,
    const AudioStreamBasicDescription *inDestinationFormat, UInt32 inNumberClassDescriptions,
    const AudioClassDescription *inClassDescriptions, AudioConverterRef *outAudioConverter);

/* Frees the converter. */
OSStatus AudioConverterDispose(AudioConverterRef inAudioConverter);

/* Drops the sound in the converter: the next input begins a new sound. */
OSStatus AudioConverterReset(AudioConverterRef inAudioConverter);

/* Writes the size of a property and whether it can be set. Either pointer may be NULL. */
OSStatus AudioConverterGetPropertyInfo(
    AudioConverterRef inAudioConverter, AudioConverterPropertyID inPropertyID, UInt32 *outSize, Boolean *outWritable);

/* Writes a property. ioPropertyDataSize: room on entry, the value's size on return. */
OSStatus AudioConverterGetProperty(
    AudioConverterRef inAudioConverter, AudioConverterPropertyID inPropertyID, UInt32 *ioPropertyDataSize, void *outPropertyData);

/* Sets a property. */
OSStatus AudioConverterSetProperty(AudioConverterRef inAudioConverter, AudioConverterPropertyID inPropertyID,
    UInt32 inPropertyDataSize, const void *inPropertyData);

/* Converts all of the input: interleaved linear PCM at the same rate. The output may be the memory of the input if its samples are
   not larger. */
OSStatus AudioConverterConvertBuffer(AudioConverterRef inAudioConverter, UInt32 inInputDataSize, const void *inInputData,
    UInt32 *ioOutputDataSize, void *outOutputData);

/* Converts until the output is full or the input ends. ioOutputDataPacketSize: packets of room on entry,
   packets written on return. */
OSStatus AudioConverterFillComplexBuffer(AudioConverterRef inAudioConverter, AudioConverterComplexInputDataProc inInputDataProc,
    void *inInputDataProcUserData, UInt32 *ioOutputDataPacketSize, AudioBufferList *outOutputData,
    AudioStreamPacketDescription *outPacketDescription);

/* Converts all of the input: linear PCM at the same rate, interleaved or not. */
OSStatus AudioConverterConvertComplexBuffer(AudioConverterRef inAudioConverter, UInt32 inNumberPCMFrames,
    const AudioBufferList *inInputData, AudioBufferList *outOutputData);

#ifdef __cplusplus
}
#endif

#endif
