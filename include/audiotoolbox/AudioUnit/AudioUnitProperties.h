/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of audio units. A unit returns kAudioUnitErr_InvalidProperty for a property that it does not have. */
#ifndef AUDIOTOOLBOX_AUDIOUNITPROPERTIES_H
#define AUDIOTOOLBOX_AUDIOUNITPROPERTIES_H

#ifndef AUDIOTOOLBOX_AUCOMPONENT_H
#include <AudioUnit/AUComponent.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* An I/O unit has element 0 for output and element 1 for input. The input scope of element 0 and the output scope of element 1
   are the sides of the program; the other two are the sides of the hardware. */
enum {
    kAudioUnitScope_Global = 0,
    kAudioUnitScope_Input = 1,
    kAudioUnitScope_Output = 2,
    kAudioUnitScope_Group = 3,
    kAudioUnitScope_Part = 4,
    kAudioUnitScope_Note = 5
};

/* ---- Properties of all units ---- */

enum {
    kAudioUnitProperty_ClassInfo = 0,      /* no unit has it */
    kAudioUnitProperty_MakeConnection = 1, /* AudioUnitConnection, set: another unit's output is the input */
    kAudioUnitProperty_SampleRate = 2,     /* Float64, get and set: the rate of StreamFormat; 0: the hardware's */
    kAudioUnitProperty_ParameterList = 3,  /* AudioUnitParameterID array, get */
    kAudioUnitProperty_ParameterInfo = 4,  /* AudioUnitParameterInfo, get; the element is the parameter */
    kAudioUnitProperty_FastDispatch = 5,   /* no unit has it */
    kAudioUnitProperty_CPULoad = 6,        /* Float32, get: the time of rendering divided by the time of the slice */
    kAudioUnitProperty_StreamFormat = 8,   /* AudioStreamBasicDescription, get and set */
    kAudioUnitProperty_ElementCount = 11,  /* UInt32, get; of a mixer's inputs: set before AudioUnitInitialize */
    kAudioUnitProperty_BusCount = kAudioUnitProperty_ElementCount,
    kAudioUnitProperty_Latency = 12,                    /* Float64, get: seconds between input and output */
    kAudioUnitProperty_SupportedNumChannels = 13,       /* AUChannelInfo array, get */
    kAudioUnitProperty_MaximumFramesPerSlice = 14,      /* UInt32, get; set before AudioUnitInitialize */
    kAudioUnitProperty_SetExternalBuffer = 15,          /* no unit has it */
    kAudioUnitProperty_ParameterValueStrings = 16,      /* no unit has it */
    kAudioUnitProperty_AudioChannelLayout = 19,         /* AudioChannelLayout, get and set, of every side; has no effect */
    kAudioUnitProperty_TailTime = 20,                   /* Float64, get: seconds of output after the input's end */
    kAudioUnitProperty_BypassEffect = 21,               /* no unit has it */
    kAudioUnitProperty_LastRenderError = 22,            /* OSStatus, get; reading resets it */
    kAudioUnitProperty_SetRenderCallback = 23,          /* AURenderCallbackStruct, set: the source of the input */
    kAudioUnitProperty_FactoryPresets = 24,             /* no unit has it */
    kAudioUnitProperty_ContextName = 25,                /* no unit has it */
    kAudioUnitProperty_RenderQuality = 26,              /* UInt32, get and set: kRenderQuality_ */
    kAudioUnitProperty_HostCallbacks = 27,              /* HostCallbackInfo, set */
    kAudioUnitProperty_CurrentPreset = 28,              /* no unit has it */
    kAudioUnitProperty_InPlaceProcessing = 29,          /* UInt32, get and set */
    kAudioUnitProperty_ElementName = 30,                /* no unit has it */
    kAudioUnitProperty_SupportedChannelLayoutTags = 32, /* no unit has it */
    kAudioUnitProperty_ParameterStringFromValue = 33,   /* no unit has it */
    kAudioUnitProperty_ParameterIDName = 34,            /* no unit has it */
    kAudioUnitProperty_ParameterClumpName = 35,         /* no unit has it */
    kAudioUnitProperty_PresentPreset = 36,              /* no unit has it */
    kAudioUnitProperty_OfflineRender = 37,              /* UInt32, get and set */
    kAudioUnitProperty_ParameterValueFromString = 38,   /* no unit has it */
    kAudioUnitProperty_PresentationLatency = 40,        /* Float64, set: seconds until the output is played */
    kAudioUnitProperty_DependentParameters = 45,        /* no unit has it */
    kAudioUnitProperty_InputSamplesInOutput = 49,       /* no unit has it */
    kAudioUnitProperty_ShouldAllocateBuffer = 51,       /* UInt32, get and set: 0 lends no buffer to AudioUnitRender */
    kAudioUnitProperty_FrequencyResponse = 52,          /* no unit has it */
    kAudioUnitProperty_ParameterHistoryInfo = 53,       /* no unit has it */
    kAudioUnitProperty_NickName = 54,                   /* no unit has it */
    kAudioUnitProperty_IsInterAppConnected = 101        /* UInt32, get: always 0 */
};

/* ---- Properties of mixers and converters ---- */

enum {
    kAudioUnitProperty_MatrixLevels = 3006,                 /* no unit has it */
    kAudioUnitProperty_MeteringMode = 3007,                 /* UInt32, get and set: 1 measures levels */
    kAudioUnitProperty_MatrixDimensions = 3009,             /* no unit has it */
    kAudioUnitProperty_MeterClipping = 3011,                /* no unit has it */
    kAudioUnitProperty_SampleRateConverterComplexity = 3014 /* UInt32, get and set: one of the next three */
};

enum {
    kAudioUnitSampleRateConverterComplexity_Linear = 0x6C696E65,   /* 'line' */
    kAudioUnitSampleRateConverterComplexity_Normal = 0x6E6F726D,   /* 'norm' */
    kAudioUnitSampleRateConverterComplexity_Mastering = 0x62617473 /* 'bats' */
};

enum {
    kRenderQuality_Max = 127,
    kRenderQuality_High = 96,
    kRenderQuality_Medium = 64,
    kRenderQuality_Low = 32,
    kRenderQuality_Min = 0
};

/* ---- Properties of I/O units ---- */

enum {
    kAudioOutputUnitProperty_CurrentDevice = 2000,    /* no unit has it */
    kAudioOutputUnitProperty_IsRunning = 2001,        /* UInt32, get and listen */
    kAudioOutputUnitProperty_ChannelMap = 2002,       /* SInt32 array, get and set: -1 is silence */
    kAudioOutputUnitProperty_EnableIO = 2003,         /* UInt32, get; set before AudioUnitInitialize; output is on, input off */
    kAudioOutputUnitProperty_StartTime = 2004,        /* AudioOutputUnitStartAtTimeParams, set: silence until a host time */
    kAudioOutputUnitProperty_SetInputCallback = 2005, /* AURenderCallbackStruct, set: called when input is there */
    kAudioOutputUnitProperty_HasIO = 2006,            /* UInt32, get */
    kAudioOutputUnitProperty_StartTimestampsAtZero = 2007 /* UInt32, get and set */
};

/* ---- Properties of VoiceProcessingIO ---- */

enum {
    kAUVoiceIOProperty_BypassVoiceProcessing = 2100,    /* UInt32, get and set: 1 is RemoteIO */
    kAUVoiceIOProperty_VoiceProcessingEnableAGC = 2101, /* UInt32, get and set: 1 keeps the level even */
    kAUVoiceIOProperty_DuckNonVoiceAudio = 2102,        /* UInt32, get and set: 1 ducks other sessions while it runs */
    kAUVoiceIOProperty_VoiceProcessingQuality = 2103,   /* UInt32, get and set: 0 to 127; is kept */
    kAUVoiceIOProperty_MuteOutput = 2104                /* UInt32, get and set: 1 mutes what the unit captures */
};

enum { kAUVoiceIOErr_UnexpectedNumberOfInputChannels = -66784 };

/* ---- Values of properties ---- */

typedef struct AudioUnitConnection {
    AudioUnit sourceAudioUnit;
    UInt32 sourceOutputNumber;
    UInt32 destInputNumber;
} AudioUnitConnection;

/* A NULL procedure removes the callback. */
typedef struct AURenderCallbackStruct {
    AURenderCallback inputProc;
    void *inputProcRefCon;
} AURenderCallbackStruct;

/* -1: any number; -1 and -2: any numbers. */
typedef struct AUChannelInfo {
    SInt16 inChannels;
    SInt16 outChannels;
} AUChannelInfo;

typedef struct AudioUnitExternalBuffer {
    Byte *buffer;
    UInt32 size;
} AudioUnitExternalBuffer;

typedef struct AUPreset {
    SInt32 presetNumber;
    CFStringRef presetName;
} AUPreset;

typedef struct AUDependentParameter {
    AudioUnitScope mScope;
    AudioUnitParameterID mParameterID;
} AUDependentParameter;

typedef struct AUInputSamplesInOutputCallbackStruct {
    AUInputSamplesInOutputCallback inputToOutputCallback;
    void *userData;
} AUInputSamplesInOutputCallbackStruct;

typedef struct AudioOutputUnitStartAtTimeParams {
    AudioTimeStamp mTimestamp;
    UInt32 mFlags;
} AudioOutputUnitStartAtTimeParams;

typedef struct AudioUnitMeterClipping {
    Float32 peakValueSinceLastCall;
    Boolean sawInfinity;
    Boolean sawNotANumber;
} AudioUnitMeterClipping;

/* Functions of a host that a unit may call. The units of this library call none of them. */
typedef OSStatus (*HostCallback_GetBeatAndTempo)(void *inHostUserData, Float64 *outCurrentBeat, Float64 *outCurrentTempo);
typedef OSStatus (*HostCallback_GetMusicalTimeLocation)(void *inHostUserData, UInt32 *outDeltaSampleOffsetToNextBeat,
    Float32 *outTimeSig_Numerator, UInt32 *outTimeSig_Denominator, Float64 *outCurrentMeasureDownBeat);
typedef OSStatus (*HostCallback_GetTransportState)(void *inHostUserData, Boolean *outIsPlaying, Boolean *outTransportStateChanged,
    Float64 *outCurrentSampleInTimeLine, Boolean *outIsCycling, Float64 *outCycleStartBeat, Float64 *outCycleEndBeat);
typedef OSStatus (*HostCallback_GetTransportState2)(void *inHostUserData, Boolean *outIsPlaying, Boolean *outIsRecording,
    Boolean *outTransportStateChanged, Float64 *outCurrentSampleInTimeLine, Boolean *outIsCycling, Float64 *outCycleStartBeat,
    Float64 *outCycleEndBeat);

typedef struct HostCallbackInfo {
    void *hostUserData;
    HostCallback_GetBeatAndTempo beatAndTempoProc;
    HostCallback_GetMusicalTimeLocation musicalTimeLocationProc;
    HostCallback_GetTransportState transportStateProc;
    HostCallback_GetTransportState2 transportStateProc2;
} HostCallbackInfo;

/* ---- Parameters ---- */

typedef UInt32 AudioUnitParameterUnit;

enum {
    kAudioUnitParameterUnit_Generic = 0,
    kAudioUnitParameterUnit_Indexed = 1,
    kAudioUnitParameterUnit_Boolean = 2,
    kAudioUnitParameterUnit_Percent = 3,
    kAudioUnitParameterUnit_Seconds = 4,
    kAudioUnitParameterUnit_SampleFrames = 5,
    kAudioUnitParameterUnit_Phase = 6,
    kAudioUnitParameterUnit_Rate = 7,
    kAudioUnitParameterUnit_Hertz = 8,
    kAudioUnitParameterUnit_Cents = 9,
    kAudioUnitParameterUnit_RelativeSemiTones = 10,
    kAudioUnitParameterUnit_MIDINoteNumber = 11,
    kAudioUnitParameterUnit_MIDIController = 12,
    kAudioUnitParameterUnit_Decibels = 13,
    kAudioUnitParameterUnit_LinearGain = 14,
    kAudioUnitParameterUnit_Degrees = 15,
    kAudioUnitParameterUnit_EqualPowerCrossfade = 16,
    kAudioUnitParameterUnit_MixerFaderCurve1 = 17,
    kAudioUnitParameterUnit_Pan = 18,
    kAudioUnitParameterUnit_Meters = 19,
    kAudioUnitParameterUnit_AbsoluteCents = 20,
    kAudioUnitParameterUnit_Octaves = 21,
    kAudioUnitParameterUnit_BPM = 22,
    kAudioUnitParameterUnit_Beats = 23,
    kAudioUnitParameterUnit_Milliseconds = 24,
    kAudioUnitParameterUnit_Ratio = 25,
    kAudioUnitParameterUnit_CustomUnit = 26
};

typedef UInt32 AudioUnitParameterOptions;

enum {
    kAudioUnitParameterFlag_CFNameRelease = 1 << 4, /* the caller releases cfNameString */
    kAudioUnitParameterFlag_MeterReadOnly = 1 << 15,
    kAudioUnitParameterFlag_HasClump = 1 << 20,
    kAudioUnitParameterFlag_ValuesHaveStrings = 1 << 21,
    kAudioUnitParameterFlag_IsHighResolution = 1 << 23,
    kAudioUnitParameterFlag_NonRealTime = 1 << 24,
    kAudioUnitParameterFlag_CanRamp = 1 << 25,
    kAudioUnitParameterFlag_ExpertMode = 1 << 26,
    kAudioUnitParameterFlag_HasCFNameString = 1 << 27,
    kAudioUnitParameterFlag_IsGlobalMeta = 1 << 28,
    kAudioUnitParameterFlag_IsElementMeta = 1 << 29,
    kAudioUnitParameterFlag_IsReadable = 1 << 30
};

/* A macro, because an enumerator of C cannot have this value. */
#define kAudioUnitParameterFlag_IsWritable 0x80000000u

typedef struct AudioUnitParameterInfo {
    char name[52];
    CFStringRef unitName;
    UInt32 clumpID;
    CFStringRef cfNameString;
    AudioUnitParameterUnit unit;
    AudioUnitParameterValue minValue;
    AudioUnitParameterValue maxValue;
    AudioUnitParameterValue defaultValue;
    AudioUnitParameterOptions flags;
} AudioUnitParameterInfo;

typedef struct AudioUnitParameterNameInfo {
    AudioUnitParameterID inID;
    SInt32 inDesiredLength;
    CFStringRef outName;
} AudioUnitParameterNameInfo;
typedef AudioUnitParameterNameInfo AudioUnitParameterIDName;

typedef struct AudioUnitParameterStringFromValue {
    AudioUnitParameterID inParamID;
    const AudioUnitParameterValue *inValue;
    CFStringRef outString;
} AudioUnitParameterStringFromValue;

typedef struct AudioUnitParameterValueFromString {
    AudioUnitParameterID inParamID;
    CFStringRef inString;
    AudioUnitParameterValue outValue;
} AudioUnitParameterValueFromString;

#ifdef __cplusplus
}
#endif

#endif
