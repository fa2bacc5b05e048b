/* SPDX-License-Identifier: Apache-2.0 */
/* Audio units: their types, result codes and functions. Every function returns kAudio_ParamError for a
   pointer that does not identify a unit. */
#ifndef AUDIOTOOLBOX_AUCOMPONENT_H
#define AUDIOTOOLBOX_AUCOMPONENT_H
#define __AUCOMPONENT__ /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_AUDIOCOMPONENT_H
#include <AudioUnit/AudioComponent.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A program that needs the Component Manager of older versions compares AUDIO_UNIT_VERSION. */
#ifndef AUDIO_UNIT_VERSION
#define AUDIO_UNIT_VERSION 1070
#endif

typedef AudioComponentInstance AudioUnit;

/* ---- Types of units ---- */

enum {
    kAudioUnitType_Output = 0x61756F75,          /* 'auou' */
    kAudioUnitType_MusicDevice = 0x61756D75,     /* 'aumu' */
    kAudioUnitType_MusicEffect = 0x61756D66,     /* 'aumf' */
    kAudioUnitType_FormatConverter = 0x61756663, /* 'aufc' */
    kAudioUnitType_Effect = 0x61756678,          /* 'aufx' */
    kAudioUnitType_Mixer = 0x61756D78,           /* 'aumx' */
    kAudioUnitType_Panner = 0x6175706E,          /* 'aupn' */
    kAudioUnitType_Generator = 0x6175676E,       /* 'augn' */
    kAudioUnitType_OfflineEffect = 0x61756F6C,   /* 'auol' */
    kAudioUnitType_MIDIProcessor = 0x61756D69,   /* 'aumi' */

    /* Units in another program. No component has these types. */
    kAudioUnitType_RemoteEffect = 0x61757278,     /* 'aurx' */
    kAudioUnitType_RemoteGenerator = 0x61757267,  /* 'aurg' */
    kAudioUnitType_RemoteInstrument = 0x61757269, /* 'auri' */
    kAudioUnitType_RemoteMusicEffect = 0x6175726D /* 'aurm' */
};

enum {
    kAudioUnitManufacturer_Apple = 0x6170706C /* 'appl' */
};

/* The library has RemoteIO, VoiceProcessingIO, GenericOutput, AUConverter, Varispeed, NewTimePitch, MultiChannelMixer,
   ScheduledSoundPlayer and AudioFilePlayer. AudioComponentFindNext finds no other unit. */
enum {
    kAudioUnitSubType_RemoteIO = 0x72696F63,          /* 'rioc': plays on the session's output, records from its input */
    kAudioUnitSubType_VoiceProcessingIO = 0x7670696F, /* 'vpio': RemoteIO without echo, noise and changes of level */
    kAudioUnitSubType_GenericOutput = 0x67656E72,     /* 'genr': is pulled by AudioUnitRender */
    kAudioUnitSubType_HALOutput = 0x6168616C,         /* 'ahal' */
    kAudioUnitSubType_DefaultOutput = 0x64656620,     /* 'def ' */
    kAudioUnitSubType_SystemOutput = 0x73797320,      /* 'sys ' */

    kAudioUnitSubType_AUConverter = 0x636F6E76,      /* 'conv': converts between linear PCM formats and rates */
    kAudioUnitSubType_NewTimePitch = 0x6E757470,     /* 'nutp': changes speed and pitch */
    kAudioUnitSubType_DeferredRenderer = 0x64656672, /* 'defr' */
    kAudioUnitSubType_Splitter = 0x73706C74,         /* 'splt' */
    kAudioUnitSubType_Merger = 0x6D657267,           /* 'merg' */
    kAudioUnitSubType_Varispeed = 0x76617269,        /* 'vari': changes speed and pitch together */
    kAudioUnitSubType_AUiPodTime = 0x6970746D,       /* 'iptm' */
    kAudioUnitSubType_AUiPodTimeOther = 0x6970746F,  /* 'ipto' */
    kAudioUnitSubType_MultiSplitter = 0x6D73706C,    /* 'mspl' */
    kAudioUnitSubType_RoundTripAAC = 0x72616163,     /* 'raac' */
    kAudioUnitSubType_SampleDelay = 0x73646C79,      /* 'sdly' */

    kAudioUnitSubType_MultiChannelMixer = 0x6D636D78, /* 'mcmx': mixes inputs of any format */
    kAudioUnitSubType_MatrixMixer = 0x6D786D78,       /* 'mxmx' */
    kAudioUnitSubType_SpatialMixer = 0x3364656D,      /* '3dem' */
    kAudioUnitSubType_AU3DMixerEmbedded = 0x3364656D, /* '3dem' */

    kAudioUnitSubType_PeakLimiter = 0x6C6D7472,       /* 'lmtr' */
    kAudioUnitSubType_DynamicsProcessor = 0x64636D70, /* 'dcmp' */
    kAudioUnitSubType_Reverb2 = 0x72766232,           /* 'rvb2' */
    kAudioUnitSubType_LowPassFilter = 0x6C706173,     /* 'lpas' */
    kAudioUnitSubType_HighPassFilter = 0x68706173,    /* 'hpas' */
    kAudioUnitSubType_BandPassFilter = 0x62706173,    /* 'bpas' */
    kAudioUnitSubType_HighShelfFilter = 0x68736866,   /* 'hshf' */
    kAudioUnitSubType_LowShelfFilter = 0x6C736866,    /* 'lshf' */
    kAudioUnitSubType_ParametricEQ = 0x706D6571,      /* 'pmeq' */
    kAudioUnitSubType_Delay = 0x64656C79,             /* 'dely' */
    kAudioUnitSubType_Distortion = 0x64697374,        /* 'dist' */
    kAudioUnitSubType_AUiPodEQ = 0x69706571,          /* 'ipeq' */
    kAudioUnitSubType_NBandEQ = 0x6E626571,           /* 'nbeq' */

    kAudioUnitSubType_Sampler = 0x73616D70,              /* 'samp' */
    kAudioUnitSubType_MIDISynth = 0x6D73796E,            /* 'msyn' */
    kAudioUnitSubType_ScheduledSoundPlayer = 0x7373706C, /* 'sspl': plays memory of the program */
    kAudioUnitSubType_AudioFilePlayer = 0x6166706C       /* 'afpl': plays regions of sound files */
};

/* ---- Results ---- */

enum {
    kAudioUnitErr_InvalidProperty = -10879, /* the unit has no such property */
    kAudioUnitErr_InvalidParameter = -10878,
    kAudioUnitErr_InvalidElement = -10877,
    kAudioUnitErr_NoConnection = -10876, /* nothing is connected to the input that is rendered */
    kAudioUnitErr_FailedInitialization = -10875,
    kAudioUnitErr_TooManyFramesToProcess = -10874, /* more than MaximumFramesPerSlice */
    kAudioUnitErr_IllegalInstrument = -10873,
    kAudioUnitErr_InstrumentTypeNotFound = -10872,
    kAudioUnitErr_InvalidFile = -10871,
    kAudioUnitErr_UnknownFileType = -10870,
    kAudioUnitErr_FileNotSpecified = -10869,
    kAudioUnitErr_FormatNotSupported = -10868,
    kAudioUnitErr_Uninitialized = -10867, /* AudioUnitInitialize comes first */
    kAudioUnitErr_InvalidScope = -10866,
    kAudioUnitErr_PropertyNotWritable = -10865,
    kAudioUnitErr_CannotDoInCurrentContext = -10863, /* allowed in a callback only */
    kAudioUnitErr_InvalidPropertyValue = -10851,
    kAudioUnitErr_PropertyNotInUse = -10850,
    kAudioUnitErr_Initialized = -10849, /* allowed before AudioUnitInitialize only */
    kAudioUnitErr_InvalidOfflineRender = -10848,
    kAudioUnitErr_Unauthorized = -10847,

    /* Results of later releases. No function returns them. */
    kAudioUnitErr_MIDIOutputBufferFull = -66753,
    kAudioUnitErr_RenderTimeout = -66745,
    kAudioUnitErr_ExtensionNotFound = -66744,
    kAudioUnitErr_InvalidParameterValue = -66743,
    kAudioUnitErr_InvalidFilePath = -66742,
    kAudioUnitErr_MissingKey = -66741
};

enum {
    kAudioComponentErr_InstanceInvalidated = -66749,
    kAudioComponentErr_DuplicateDescription = -66752,
    kAudioComponentErr_UnsupportedType = -66751,
    kAudioComponentErr_TooManyInstances = -66750,
    kAudioComponentErr_NotPermitted = -66748,
    kAudioComponentErr_InitializationTimedOut = -66747,
    kAudioComponentErr_InvalidFormat = -66746,
    kAudioComponentErr_InstanceTimedOut = -66754
};

/* ---- Scopes, elements, parameters ---- */

typedef UInt32 AudioUnitPropertyID;
typedef UInt32 AudioUnitScope;
typedef UInt32 AudioUnitElement;
typedef UInt32 AudioUnitParameterID;
typedef Float32 AudioUnitParameterValue;

typedef struct AudioUnitParameter {
    AudioUnit mAudioUnit;
    AudioUnitParameterID mParameterID;
    AudioUnitScope mScope;
    AudioUnitElement mElement;
} AudioUnitParameter;

typedef struct AudioUnitProperty {
    AudioUnit mAudioUnit;
    AudioUnitPropertyID mPropertyID;
    AudioUnitScope mScope;
    AudioUnitElement mElement;
} AudioUnitProperty;

typedef UInt32 AUParameterEventType;

enum { kParameterEvent_Immediate = 1, kParameterEvent_Ramped = 2 };

typedef struct AudioUnitParameterEvent {
    AudioUnitScope scope;
    AudioUnitElement element;
    AudioUnitParameterID parameter;
    AUParameterEventType eventType;
    union {
        struct {
            SInt32 startBufferOffset;
            UInt32 durationInFrames;
            AudioUnitParameterValue startValue;
            AudioUnitParameterValue endValue;
        } ramp;
        struct {
            UInt32 bufferOffset;
            AudioUnitParameterValue value;
        } immediate;
    } eventValues;
} AudioUnitParameterEvent;

/* ---- Callbacks ---- */

typedef UInt32 AudioUnitRenderActionFlags;

enum {
    kAudioUnitRenderAction_PreRender = 1 << 2,       /* a render notification before the unit renders */
    kAudioUnitRenderAction_PostRender = 1 << 3,      /* and one after it */
    kAudioUnitRenderAction_OutputIsSilence = 1 << 4, /* the buffers hold zeros */
    kAudioOfflineUnitRenderAction_Preflight = 1 << 5,
    kAudioOfflineUnitRenderAction_Render = 1 << 6,
    kAudioOfflineUnitRenderAction_Complete = 1 << 7,
    kAudioUnitRenderAction_PostRenderError = 1 << 8,
    kAudioUnitRenderAction_DoNotCheckRenderArgs = 1 << 9
};

/* Called on the unit's real-time thread. A render callback fills ioData, which is zeroed before. An error,
   or a buffer with mDataByteSize 0, plays silence. An input callback has NULL in ioData and calls
   AudioUnitRender. It must return before the next slice, and must not throw. All slices between a start and a
   stop have the same number of frames: the session's preferred duration, or 1,024 frames. */
typedef OSStatus (*AURenderCallback)(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags, const AudioTimeStamp *inTimeStamp,
    UInt32 inBusNumber, UInt32 inNumberFrames, AudioBufferList *ioData);

/* Called after the property has changed, on a thread that is not real-time. */
typedef void (*AudioUnitPropertyListenerProc)(
    void *inRefCon, AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope, AudioUnitElement inElement);

/* Called with the input sample from which an output sample was made. */
typedef void (*AUInputSamplesInOutputCallback)(
    void *inRefCon, const AudioTimeStamp *inOutputTimeStamp, Float64 inInputSample, Float64 inNumberInputSamples);

/* ---- Functions ---- */

/* Checks the formats and allocates the memory for rendering. A second call has no effect. */
OSStatus AudioUnitInitialize(AudioUnit inUnit);

/* Stops the unit and frees the memory of AudioUnitInitialize. Properties and callbacks stay. */
OSStatus AudioUnitUninitialize(AudioUnit inUnit);

/* Writes the size of a property and whether it can be set. Either pointer may be NULL. */
OSStatus AudioUnitGetPropertyInfo(AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope, AudioUnitElement inElement,
    UInt32 *outDataSize, Boolean *outWritable);

/* Writes a property. ioDataSize: room on entry, the number of written bytes on return. If the room is smaller than the value, the
   call writes the first bytes of the value. NULL in outData: the size of the value only. */
OSStatus AudioUnitGetProperty(AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope, AudioUnitElement inElement,
    void *outData, UInt32 *ioDataSize);

/* Sets a property. The size of a number must be that of its type. A format, a connection and a callback may be larger, and a
   format needs no mReserved. */
OSStatus AudioUnitSetProperty(AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope, AudioUnitElement inElement,
    const void *inData, UInt32 inDataSize);

/* Registers a listener for one property in all scopes and elements. It is called on a thread of the library. */
OSStatus AudioUnitAddPropertyListener(
    AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitPropertyListenerProc inProc, void *inProcUserData);

/* Removes the listener with this procedure and data. It is not called after the return, except when it
   calls this function itself. */
OSStatus AudioUnitRemovePropertyListenerWithUserData(
    AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitPropertyListenerProc inProc, void *inProcUserData);

/* Registers a procedure that is called before and after each slice. */
OSStatus AudioUnitAddRenderNotify(AudioUnit inUnit, AURenderCallback inProc, void *inProcUserData);

/* Removes the procedure with this data. */
OSStatus AudioUnitRemoveRenderNotify(AudioUnit inUnit, AURenderCallback inProc, void *inProcUserData);

/* Writes the value of a parameter. */
OSStatus AudioUnitGetParameter(AudioUnit inUnit, AudioUnitParameterID inID, AudioUnitScope inScope, AudioUnitElement inElement,
    AudioUnitParameterValue *outValue);

/* Sets a parameter. It reaches the value within the next slice, without a step; the offset is ignored. */
OSStatus AudioUnitSetParameter(AudioUnit inUnit, AudioUnitParameterID inID, AudioUnitScope inScope, AudioUnitElement inElement,
    AudioUnitParameterValue inValue, UInt32 inBufferOffsetInFrames);

/* Schedules values and ramps of parameters. The offsets count from the beginning of the next slice. All events take effect at
   their frames, in order; if one of them is not possible, none does. If more than 4,096 events wait, the parameters get the
   last values at once. */
OSStatus AudioUnitScheduleParameters(AudioUnit inUnit, const AudioUnitParameterEvent *inParameterEvent, UInt32 inNumParamEvents);

/* Renders frames of an output element. For element 1 of an I/O unit it writes the frames that were captured in this cycle, and
   may be called only in a callback of the unit. Calls with fewer frames than the slice return its parts in order. Without input
   the result is kAudioUnitErr_NoConnection. If mData of a buffer is NULL, the unit lends memory until the slice ends. Each part of
   the slice has different memory. Otherwise mDataByteSize is the room. mDataByteSize is the size of the sound on return. */
OSStatus AudioUnitRender(AudioUnit inUnit, AudioUnitRenderActionFlags *ioActionFlags, const AudioTimeStamp *inTimeStamp,
    UInt32 inOutputBusNumber, UInt32 inNumberFrames, AudioBufferList *ioData);

/* Converts the frames of the buffers in place, without the unit's input: AUConverter and GenericOutput between
   formats of one rate and one frame size. */
OSStatus AudioUnitProcess(AudioUnit inUnit, AudioUnitRenderActionFlags *ioActionFlags, const AudioTimeStamp *inTimeStamp,
    UInt32 inNumberFrames, AudioBufferList *ioData);

/* Converts one input list into one output list, without the unit's input: AUConverter and GenericOutput between
   formats of one rate. */
OSStatus AudioUnitProcessMultiple(AudioUnit inUnit, AudioUnitRenderActionFlags *ioActionFlags, const AudioTimeStamp *inTimeStamp,
    UInt32 inNumberFrames, UInt32 inNumberInputBufferLists, const AudioBufferList **inInputBufferLists,
    UInt32 inNumberOutputBufferLists, AudioBufferList **ioOutputBufferLists);

/* Drops the sound in the unit. The scope and the element must exist. Properties and parameters stay. */
OSStatus AudioUnitReset(AudioUnit inUnit, AudioUnitScope inScope, AudioUnitElement inElement);

/* ---- Selectors ----

   The numbers of the functions, with which AudioComponentPlugInInterface finds them in a component of the program, and the types
   that they have there. The units of this library are called by the functions above only. */

enum {
    kAudioUnitRange = 0x0000,
    kAudioUnitInitializeSelect = 0x0001,
    kAudioUnitUninitializeSelect = 0x0002,
    kAudioUnitGetPropertyInfoSelect = 0x0003,
    kAudioUnitGetPropertySelect = 0x0004,
    kAudioUnitSetPropertySelect = 0x0005,
    kAudioUnitGetParameterSelect = 0x0006,
    kAudioUnitSetParameterSelect = 0x0007,
    kAudioUnitResetSelect = 0x0009,
    kAudioUnitAddPropertyListenerSelect = 0x000A,
    kAudioUnitRemovePropertyListenerSelect = 0x000B,
    kAudioUnitRenderSelect = 0x000E,
    kAudioUnitAddRenderNotifySelect = 0x000F,
    kAudioUnitRemoveRenderNotifySelect = 0x0010,
    kAudioUnitScheduleParametersSelect = 0x0011,
    kAudioUnitRemovePropertyListenerWithUserDataSelect = 0x0012,
    kAudioUnitComplexRenderSelect = 0x0013,
    kAudioUnitProcessSelect = 0x0014,
    kAudioUnitProcessMultipleSelect = 0x0015
};

typedef OSStatus (*AudioUnitInitializeProc)(void *self);
typedef OSStatus (*AudioUnitUninitializeProc)(void *self);
typedef OSStatus (*AudioUnitGetPropertyInfoProc)(
    void *self, AudioUnitPropertyID prop, AudioUnitScope scope, AudioUnitElement elem, UInt32 *outDataSize, Boolean *outWritable);
typedef OSStatus (*AudioUnitGetPropertyProc)(
    void *self, AudioUnitPropertyID inID, AudioUnitScope inScope, AudioUnitElement inElement, void *outData, UInt32 *ioDataSize);
typedef OSStatus (*AudioUnitSetPropertyProc)(void *self, AudioUnitPropertyID inID, AudioUnitScope inScope,
    AudioUnitElement inElement, const void *inData, UInt32 inDataSize);
typedef OSStatus (*AudioUnitAddPropertyListenerProc)(
    void *self, AudioUnitPropertyID prop, AudioUnitPropertyListenerProc proc, void *userData);
typedef OSStatus (*AudioUnitRemovePropertyListenerProc)(void *self, AudioUnitPropertyID prop, AudioUnitPropertyListenerProc proc);
typedef OSStatus (*AudioUnitRemovePropertyListenerWithUserDataProc)(
    void *self, AudioUnitPropertyID prop, AudioUnitPropertyListenerProc proc, void *userData);
typedef OSStatus (*AudioUnitAddRenderNotifyProc)(void *self, AURenderCallback proc, void *userData);
typedef OSStatus (*AudioUnitRemoveRenderNotifyProc)(void *self, AURenderCallback proc, void *userData);
typedef OSStatus (*AudioUnitScheduleParametersProc)(void *self, const AudioUnitParameterEvent *events, UInt32 numEvents);
typedef OSStatus (*AudioUnitResetProc)(void *self, AudioUnitScope inScope, AudioUnitElement inElement);
typedef OSStatus (*AudioUnitRenderProc)(void *self, AudioUnitRenderActionFlags *ioActionFlags, const AudioTimeStamp *inTimeStamp,
    UInt32 inOutputBusNumber, UInt32 inNumberFrames, AudioBufferList *ioData);
typedef OSStatus (*AudioUnitComplexRenderProc)(void *self, AudioUnitRenderActionFlags *ioActionFlags,
    const AudioTimeStamp *inTimeStamp, UInt32 inOutputBusNumber, UInt32 inNumberOfPackets, UInt32 *outNumberOfPackets,
    AudioStreamPacketDescription *outPacketDescriptions, AudioBufferList *ioData, void *outMetadata, UInt32 *outMetadataByteSize);
typedef OSStatus (*AudioUnitProcessProc)(void *self, AudioUnitRenderActionFlags *ioActionFlags, const AudioTimeStamp *inTimeStamp,
    UInt32 inNumberFrames, AudioBufferList *ioData);
typedef OSStatus (*AudioUnitProcessMultipleProc)(void *self, AudioUnitRenderActionFlags *ioActionFlags,
    const AudioTimeStamp *inTimeStamp, UInt32 inNumberFrames, UInt32 inNumberInputBufferLists,
    const AudioBufferList **inInputBufferLists, UInt32 inNumberOutputBufferLists, AudioBufferList **ioOutputBufferLists);
typedef OSStatus (*AudioUnitGetParameterProc)(
    void *self, AudioUnitParameterID inID, AudioUnitScope inScope, AudioUnitElement inElement, AudioUnitParameterValue *outValue);
typedef OSStatus (*AudioUnitSetParameterProc)(void *self, AudioUnitParameterID inID, AudioUnitScope inScope,
    AudioUnitElement inElement, AudioUnitParameterValue inValue, UInt32 inBufferOffsetInFrames);

#ifdef __cplusplus
}
#endif

#endif
