/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of audio units. A unit returns kAudioUnitErr_InvalidProperty for a property that it does not have. */
#ifndef AUDIOTOOLBOX_AUDIOUNITPROPERTIES_H
#define AUDIOTOOLBOX_AUDIOUNITPROPERTIES_H
#define __AudioUnitProperties /* the guard of the platform's header */

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
    kAudioUnitScope_Note = 5,
    kAudioUnitScope_Layer = 6,
    kAudioUnitScope_LayerItem = 7
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
    kAudioUnitProperty_SetRenderCallback = 23,          /* AURenderCallbackStruct, get and set: the source of the input */
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
    kAudioUnitProperty_OfflineRender = 37,              /* UInt32, get and set: of a GenericOutput, 0 lets no player wait */
    kAudioUnitProperty_ParameterValueFromString = 38,   /* no unit has it */
    kAudioUnitProperty_PresentationLatency = 40,        /* Float64, set: seconds until the output is played */
    kAudioUnitProperty_DependentParameters = 45,        /* no unit has it */
    kAudioUnitProperty_InputSamplesInOutput = 49,       /* no unit has it */
    kAudioUnitProperty_ShouldAllocateBuffer = 51,       /* UInt32, get and set: 0 lends no buffer to AudioUnitRender */
    kAudioUnitProperty_FrequencyResponse = 52,          /* no unit has it */
    kAudioUnitProperty_ParameterHistoryInfo = 53,       /* no unit has it */
    kAudioUnitProperty_NickName = 54,                   /* no unit has it */
    kAudioUnitProperty_MIDIOutputCallbackInfo = 47,     /* no unit has it, nor the following five */
    kAudioUnitProperty_MIDIOutputCallback = 48,
    kAudioUnitProperty_ClassInfoFromDocument = 50,
    kAudioUnitProperty_RequestViewController = 56,
    kAudioUnitProperty_ParametersForOverview = 57,
    kAudioUnitProperty_SupportsMPE = 58,
    kAudioUnitProperty_RemoteControlEventListener = 100, /* no unit has it */
    kAudioUnitProperty_IsInterAppConnected = 101,        /* UInt32, get: always 0 */
    kAudioUnitProperty_PeerURL = 102                     /* no unit has it */
};

/* ---- Properties of mixers and converters ---- */

enum {
    kAudioUnitProperty_MatrixLevels = 3006,     /* Float32 array, get and set, of a mixer's input: a gain for each channel of the
                                               output, for one channel of the input after another */
    kAudioUnitProperty_MeteringMode = 3007,     /* UInt32, get and set: 1 measures levels */
    kAudioUnitProperty_MatrixDimensions = 3009, /* no unit has it */
    kAudioUnitProperty_MeterClipping = 3011,    /* no unit has it */
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

/* ---- Properties of players ---- */

/* ScheduledSoundPlayer and AudioFilePlayer are units without an input. They play what the program schedules, from a start time on.
   AudioUnitReset and AudioUnitUninitialize drop what is scheduled. */
enum {
    kAudioUnitProperty_ScheduleAudioSlice = 3300,     /* ScheduledAudioSlice, set: plays a buffer list */
    kAudioUnitProperty_ScheduleStartTimeStamp = 3301, /* AudioTimeStamp, get and set: the sample time, or else the host time, at
                                                         which the play begins; -1 and 0: with the next render */
    kAudioUnitProperty_CurrentPlayTime = 3302         /* AudioTimeStamp, get: frames since the start; -1 before it */
};

enum {
    kAudioUnitProperty_ScheduledFileIDs = 3310,    /* AudioFileID array, get and set: the files of the regions */
    kAudioUnitProperty_ScheduledFileRegion = 3311, /* ScheduledAudioFileRegion, set: plays a region of a file */
    kAudioUnitProperty_ScheduledFilePrime = 3312,  /* UInt32, set: waits until these frames are read; 0: about a second */
    kAudioUnitProperty_ScheduledFileBufferSizeFrames = 3313, /* no unit has it, as on the platform */
    kAudioUnitProperty_ScheduledFileNumberBuffers = 3314     /* the same */
};

/* ---- Properties of I/O units ---- */

enum {
    kAudioOutputUnitProperty_CurrentDevice = 2000,    /* no unit has it */
    kAudioOutputUnitProperty_IsRunning = 2001,        /* UInt32, get and listen */
    kAudioOutputUnitProperty_ChannelMap = 2002,       /* SInt32 array, get and set: -1 is silence; also of converters */
    kAudioOutputUnitProperty_EnableIO = 2003,         /* UInt32, get; set before AudioUnitInitialize; output is on, input off */
    kAudioOutputUnitProperty_StartTime = 2004,        /* AudioOutputUnitStartAtTimeParams, set: silence until a host time */
    kAudioOutputUnitProperty_SetInputCallback = 2005, /* AURenderCallbackStruct, get and set: called when input is there */
    kAudioOutputUnitProperty_HasIO = 2006,            /* UInt32, get */
    kAudioOutputUnitProperty_StartTimestampsAtZero = 2007, /* UInt32, get and set; also of converters */

    /* Connections to other programs: no unit has them. */
    kAudioOutputUnitProperty_MIDICallbacks = 2010,
    kAudioOutputUnitProperty_HostReceivesRemoteControlEvents = 2011,
    kAudioOutputUnitProperty_RemoteControlToHost = 2012,
    kAudioOutputUnitProperty_HostTransportState = 2013,
    kAudioOutputUnitProperty_NodeComponentDescription = 2014
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

/* ---- Units that are declared only ----

   Programs that use these names compile, but no unit of this library has the properties. */

/* SpatialMixer and AU3DMixerEmbedded */
enum {
    kAudioUnitProperty_ReverbRoomType = 10,
    kAudioUnitProperty_UsesInternalReverb = 1005,
    kAudioUnitProperty_SpatializationAlgorithm = 3000,
    kAudioUnitProperty_DopplerShift = 3002,
    kAudioUnitProperty_SpatialMixerRenderingFlags = 3003,
    kAudioUnitProperty_3DMixerRenderingFlags = 3003,
    kAudioUnitProperty_3DMixerDistanceAtten = 3004,
    kAudioUnitProperty_SpatialMixerDistanceParams = 3010,
    kAudioUnitProperty_3DMixerDistanceParams = 3010,
    kAudioUnitProperty_ReverbPreset = 3012,
    kAudioUnitProperty_SpatialMixerAttenuationCurve = 3013,
    kAudioUnitProperty_3DMixerAttenuationCurve = 3013,
    kAudioUnitProperty_InputAnchorTimeStamp = 3016
};

typedef UInt32 AUSpatializationAlgorithm;

enum {
    kSpatializationAlgorithm_EqualPowerPanning = 0,
    kSpatializationAlgorithm_SphericalHead = 1,
    kSpatializationAlgorithm_HRTF = 2,
    kSpatializationAlgorithm_SoundField = 3,
    kSpatializationAlgorithm_VectorBasedPanning = 4,
    kSpatializationAlgorithm_StereoPassThrough = 5,
    kSpatializationAlgorithm_HRTFHQ = 6
};

typedef UInt32 AUReverbRoomType;

enum {
    kReverbRoomType_SmallRoom = 0,
    kReverbRoomType_MediumRoom = 1,
    kReverbRoomType_LargeRoom = 2,
    kReverbRoomType_MediumHall = 3,
    kReverbRoomType_LargeHall = 4,
    kReverbRoomType_Plate = 5,
    kReverbRoomType_MediumChamber = 6,
    kReverbRoomType_LargeChamber = 7,
    kReverbRoomType_Cathedral = 8,
    kReverbRoomType_LargeRoom2 = 9,
    kReverbRoomType_MediumHall2 = 10,
    kReverbRoomType_MediumHall3 = 11,
    kReverbRoomType_LargeHall2 = 12
};

typedef UInt32 AUSpatialMixerAttenuationCurve;
typedef UInt32 AU3DMixerAttenuationCurve;

enum {
    kSpatialMixerAttenuationCurve_Power = 0,
    kSpatialMixerAttenuationCurve_Exponential = 1,
    kSpatialMixerAttenuationCurve_Inverse = 2,
    kSpatialMixerAttenuationCurve_Linear = 3,

    k3DMixerAttenuationCurve_Power = 0,
    k3DMixerAttenuationCurve_Exponential = 1,
    k3DMixerAttenuationCurve_Inverse = 2,
    k3DMixerAttenuationCurve_Linear = 3
};

typedef UInt32 AUSpatialMixerRenderingFlags;
typedef UInt32 AU3DMixerRenderingFlags;

enum {
    kSpatialMixerRenderingFlags_InterAuralDelay = 1 << 0,
    kSpatialMixerRenderingFlags_DistanceAttenuation = 1 << 2,

    k3DMixerRenderingFlags_InterAuralDelay = 1 << 0,
    k3DMixerRenderingFlags_DopplerShift = 1 << 1,
    k3DMixerRenderingFlags_DistanceAttenuation = 1 << 2,
    k3DMixerRenderingFlags_DistanceFilter = 1 << 3,
    k3DMixerRenderingFlags_DistanceDiffusion = 1 << 4,
    k3DMixerRenderingFlags_LinearDistanceAttenuation = 1 << 5,
    k3DMixerRenderingFlags_ConstantReverbBlend = 1 << 6
};

/* Distances in metres, the attenuation in decibels */
typedef struct MixerDistanceParams {
    Float32 mReferenceDistance;
    Float32 mMaxDistance;
    Float32 mMaxAttenuation;
} MixerDistanceParams;

/* NBandEQ */
enum {
    kAUNBandEQProperty_NumberOfBands = 2200,
    kAUNBandEQProperty_MaxNumberOfBands = 2201,
    kAUNBandEQProperty_BiquadCoefficients = 2203
};

/* DeferredRenderer */
enum {
    kAudioUnitProperty_DeferredRendererPullSize = 3320,
    kAudioUnitProperty_DeferredRendererExtraLatency = 3321,
    kAudioUnitProperty_DeferredRendererWaitFrames = 3322
};

/* Instruments */
enum {
    kMusicDeviceProperty_InstrumentCount = 1000,
    kMusicDeviceProperty_InstrumentName = 1001,
    kMusicDeviceProperty_InstrumentNumber = 1004,
    kMusicDeviceProperty_BankName = 1007,
    kMusicDeviceProperty_SoundBankURL = 1100,

    kAUSamplerProperty_LoadPresetFromBank = 4100,
    kAUSamplerProperty_BankAndPreset = kAUSamplerProperty_LoadPresetFromBank,
    kAUSamplerProperty_LoadAudioFiles = 4101,
    kAUSamplerProperty_LoadInstrument = 4102,
    kAUMIDISynthProperty_EnablePreload = 4119
};

typedef struct AUSamplerInstrumentData {
    CFURLRef fileURL;
    UInt8 instrumentType; /* kInstrumentType_ */
    UInt8 bankMSB;
    UInt8 bankLSB;
    UInt8 presetID;
} AUSamplerInstrumentData;

enum {
    kInstrumentType_DLSPreset = 1,
    kInstrumentType_SF2Preset = kInstrumentType_DLSPreset,
    kInstrumentType_AUPreset = 2,
    kInstrumentType_Audiofile = 3,
    kInstrumentType_EXS24 = 4
};

typedef struct AUSamplerBankPresetData {
    CFURLRef bankURL;
    UInt8 bankMSB;
    UInt8 bankLSB;
    UInt8 presetID;
    UInt8 reserved;
} AUSamplerBankPresetData;

enum { kAUSampler_DefaultPercussionBankMSB = 0x78, kAUSampler_DefaultMelodicBankMSB = 0x79, kAUSampler_DefaultBankLSB = 0x00 };

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

/* kAudioUnitProperty_FrequencyResponse is an array of this length. */
enum { kNumberOfResponseFrequencies = 1024 };

typedef struct AudioUnitFrequencyResponseBin {
    Float64 mFrequency;
    Float64 mMagnitude;
} AudioUnitFrequencyResponseBin;

typedef struct AudioUnitParameterHistoryInfo {
    Float32 updatesPerSecond;
    Float32 historyDurationInSeconds;
} AudioUnitParameterHistoryInfo;

/* MIDI that another program sends to the unit */
typedef struct {
    void *userData;
    void (*MIDIEventProc)(void *userData, UInt32 inStatus, UInt32 inData1, UInt32 inData2, UInt32 inOffsetSampleFrame);
    void (*MIDISysExProc)(void *userData, const UInt8 *inData, UInt32 inLength);
} AudioOutputUnitMIDICallbacks;

/* MIDI that a unit sends */
struct MIDIPacketList;

typedef OSStatus (*AUMIDIOutputCallback)(
    void *userData, const AudioTimeStamp *timeStamp, UInt32 midiOutNum, const struct MIDIPacketList *pktlist);

typedef struct AUMIDIOutputCallbackStruct {
    AUMIDIOutputCallback midiOutputCallback;
    void *userData;
} AUMIDIOutputCallbackStruct;

/* Buttons of a headset, or of another program */
typedef UInt32 AudioUnitRemoteControlEvent;

enum {
    kAudioUnitRemoteControlEvent_TogglePlayPause = 1,
    kAudioUnitRemoteControlEvent_ToggleRecord = 2,
    kAudioUnitRemoteControlEvent_Rewind = 3
};

#ifdef __BLOCKS__
typedef void (^AudioUnitRemoteControlEventListener)(AudioUnitRemoteControlEvent event);
#endif

/* Keys of kAudioUnitProperty_ClassInfo and of a preset's file */
#define kAUPresetVersionKey "version"
#define kAUPresetTypeKey "type"
#define kAUPresetSubtypeKey "subtype"
#define kAUPresetManufacturerKey "manufacturer"
#define kAUPresetDataKey "data"
#define kAUPresetNameKey "name"
#define kAUPresetRenderQualityKey "render-quality"
#define kAUPresetCPULoadKey "cpu-load"
#define kAUPresetElementNameKey "element-name"
#define kAUPresetExternalFileRefs "file-references"
#define kAUPresetPartKey "part"

/* Keys of the configuration of a component */
#define kAudioUnitConfigurationInfo_HasCustomView "HasCustomView"
#define kAudioUnitConfigurationInfo_ChannelConfigurations "ChannelConfigurations"
#define kAudioUnitConfigurationInfo_InitialInputs "InitialInputs"
#define kAudioUnitConfigurationInfo_InitialOutputs "InitialOutputs"
#define kAudioUnitConfigurationInfo_IconURL "IconURL"

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

/* ---- Values of the properties of players ---- */

typedef UInt32 AUScheduledAudioSliceFlags;

enum {
    kScheduledAudioSliceFlag_Complete = 1,          /* the unit no longer uses the slice */
    kScheduledAudioSliceFlag_BeganToRender = 2,     /* the first frame has been rendered */
    kScheduledAudioSliceFlag_BeganToRenderLate = 4, /* frames at its beginning were left out */
    kScheduledAudioSliceFlag_Loop = 8,              /* the slice repeats until another one interrupts it */
    kScheduledAudioSliceFlag_Interrupt = 16,        /* the slice ends those that were scheduled before it, when it begins */
    kScheduledAudioSliceFlag_InterruptAtLoop = 32   /* the same, at the end of a repetition of the slice that plays */
};

typedef struct ScheduledAudioSlice ScheduledAudioSlice;
typedef struct ScheduledAudioFileRegion ScheduledAudioFileRegion;

/* Called when the slice has been played or dropped, on a thread of the library, or on the thread that resets or disposes of the
   unit. */
typedef void (*ScheduledAudioSliceCompletionProc)(void *userData, ScheduledAudioSlice *bufferList);

/* Called when the region has been played, or its file could not be read: the result is then an error of the file; or when it is
   dropped: -128. The region is valid until the return. */
typedef void (*ScheduledAudioFileRegionCompletionProc)(void *userData, ScheduledAudioFileRegion *fileRegion, OSStatus result);

/* Memory in the format of the unit. The slice and its buffers belong to the unit until the slice is complete. */
struct ScheduledAudioSlice {
    AudioTimeStamp mTimeStamp; /* the frame after the start; without a valid sample time: behind the slice before */
    ScheduledAudioSliceCompletionProc mCompletionProc; /* or NULL */
    void *mCompletionProcUserData;
    AUScheduledAudioSliceFlags mFlags; /* the unit sets the first three, and reads the others when it is scheduled */
    UInt32 mReserved;
    void *mReserved2;
    UInt32 mNumberFrames;
    AudioBufferList *mBufferList;
};

/* The unit copies the region. The file stays open until the region is complete. */
struct ScheduledAudioFileRegion {
    AudioTimeStamp mTimeStamp; /* the frame after the start; without a valid sample time: behind the region before */
    ScheduledAudioFileRegionCompletionProc mCompletionProc; /* or NULL */
    void *mCompletionProcUserData;
    struct OpaqueAudioFileID *mAudioFile;
    UInt32 mLoopCount;    /* repetitions after the first time; 0xFFFFFFFF: without an end */
    SInt64 mStartFrame;   /* the first frame in the file */
    UInt32 mFramesToPlay; /* in frames of the file; 0xFFFFFFFF: to the end of the file */
};

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
    kAudioUnitParameterFlag_OmitFromPresets = 1 << 13,
    kAudioUnitParameterFlag_PlotHistory = 1 << 14,
    kAudioUnitParameterFlag_MeterReadOnly = 1 << 15,
    kAudioUnitParameterFlag_DisplaySquareRoot = 1 << 16,
    kAudioUnitParameterFlag_DisplaySquared = 2 << 16,
    kAudioUnitParameterFlag_DisplayCubed = 3 << 16,
    kAudioUnitParameterFlag_DisplayCubeRoot = 4 << 16,
    kAudioUnitParameterFlag_DisplayExponential = 5 << 16,
    kAudioUnitParameterFlag_DisplayMask = 7 << 16 | 1 << 22,
    kAudioUnitParameterFlag_HasClump = 1 << 20,
    kAudioUnitParameterFlag_ValuesHaveStrings = 1 << 21,
    kAudioUnitParameterFlag_DisplayLogarithmic = 1 << 22,
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

/* How a slider for the parameter is divided: one of the flags with Display in their names, or 0. */
#define GetAudioUnitParameterDisplayType(flags) ((flags)&kAudioUnitParameterFlag_DisplayMask)
#define SetAudioUnitParameterDisplayType(flags, displayType) (((flags) & ~kAudioUnitParameterFlag_DisplayMask) | (displayType))
#define AudioUnitDisplayTypeIsLogarithmic(flags) \
    (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayLogarithmic)
#define AudioUnitDisplayTypeIsSquareRoot(flags) \
    (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplaySquareRoot)
#define AudioUnitDisplayTypeIsSquared(flags) (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplaySquared)
#define AudioUnitDisplayTypeIsCubed(flags) (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayCubed)
#define AudioUnitDisplayTypeIsCubeRoot(flags) (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayCubeRoot)
#define AudioUnitDisplayTypeIsExponential(flags) \
    (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayExponential)

/* clumpID of parameters that belong to the system */
enum { kAudioUnitClumpID_System = 0 };

/* inDesiredLength: the whole name */
enum { kAudioUnitParameterName_Full = -1 };

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
