/* SPDX-License-Identifier: Apache-2.0 */
/* Made by tools/swift-headers from the headers in include. Do not edit: change those, and run the tool. */
/* clang-format off */
#ifndef CAUDIOTOOLBOXFUNCTIONS_H
#define CAUDIOTOOLBOXFUNCTIONS_H

#include "../CCoreAudioTypes/CCoreAudioTypes.h"

typedef const void *ConstantReference;
typedef void *RunLoopReference;
#define CFStringRef ConstantReference
#define CFURLRef ConstantReference
#define CFArrayRef ConstantReference
#define CFDictionaryRef ConstantReference
#define CFDataRef ConstantReference
#define CFPropertyListRef ConstantReference
#define CFRunLoopRef RunLoopReference
#define DBL_MAX __DBL_MAX__

/* Only CAShowFile uses FILE. */
#define FILE struct c_standard_file
struct c_standard_file;

enum __attribute__((flag_enum, enum_extensibility(open))) AudioQueueProcessingTapFlags : UInt32;
typedef enum AudioQueueProcessingTapFlags AudioQueueProcessingTapFlags;

/* ---- AudioUnit/AudioComponent.h ---- */

/* The component manager: finds audio units by their description and makes instances of them. */
#ifndef AUDIOTOOLBOX_AUDIOCOMPONENT_H
#define AUDIOTOOLBOX_AUDIOCOMPONENT_H
#define __AUDIOCOMPONENT_H__ /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_COREAUDIOTYPES_H
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AudioComponentDescription {
    OSType componentType;
    OSType componentSubType;
    OSType componentManufacturer;
    UInt32 componentFlags;     /* is ignored */
    UInt32 componentFlagsMask; /* is ignored */
} AudioComponentDescription;

typedef struct OpaqueAudioComponent *AudioComponent;
typedef struct OpaqueAudioComponentInstance *AudioComponentInstance;

/* componentFlags. The components of this library have none of them. */

typedef enum __attribute__((flag_enum, enum_extensibility(open))) AudioComponentFlags : UInt32 {
    kAudioComponentFlag_Unsearchable = 1 << 0,
    kAudioComponentFlag_SandboxSafe = 1 << 1,
    kAudioComponentFlag_IsV3AudioUnit = 1 << 2,
    kAudioComponentFlag_RequiresAsyncInstantiation = 1 << 3,
    kAudioComponentFlag_CanLoadInProcess = 1 << 4
} AudioComponentFlags;

/* A component that a program provides itself. The library does not register it: there is no AudioComponentRegister. Lookup returns
   the function for a selector, such as kAudioUnitRenderSelect. */
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioComponentMethod)(void *self, ...);
_Pragma("clang assume_nonnull end")

typedef struct AudioComponentPlugInInterface {
    OSStatus (*Open)(void *self, AudioComponentInstance mInstance);
    OSStatus (*Close)(void *self);
    AudioComponentMethod (*Lookup)(SInt16 selector);
    void *reserved;
} AudioComponentPlugInInterface;

_Pragma("clang assume_nonnull begin")
typedef AudioComponentPlugInInterface *(*AudioComponentFactoryFunction)(const AudioComponentDescription *inDesc);
_Pragma("clang assume_nonnull end")

/* Returns the next matching component after inComponent, or NULL when there is none. With NULL the search begins at the
   first component. A member of the description that is 0 matches everything. */
AudioComponent AudioComponentFindNext(AudioComponent inComponent, const AudioComponentDescription *inDesc);

/* Returns the number of components that match. */
UInt32 AudioComponentCount(const AudioComponentDescription *inDesc);

/* Writes the name, which the caller releases. */
OSStatus AudioComponentCopyName(AudioComponent inComponent, CFStringRef *outName)
    __attribute__((swift_private));

/* Writes type, subtype and manufacturer; the flags are 0. */
OSStatus AudioComponentGetDescription(AudioComponent inComponent, AudioComponentDescription *outDesc);

/* Writes the version: 0x00010203 is 1.2.3. */
OSStatus AudioComponentGetVersion(AudioComponent inComponent, UInt32 *outVersion);

/* Makes an uninitialized instance. A pointer that does not identify a component is an error. */
OSStatus AudioComponentInstanceNew(AudioComponent inComponent, AudioComponentInstance *outInstance);

/* Stops the instance, waits for its callback, and frees it. From then on its pointer is an error. If a callback of the
   instance makes this call, it returns at once. */
OSStatus AudioComponentInstanceDispose(AudioComponentInstance inInstance);

/* Returns the component of the instance, or NULL for a pointer that does not identify an instance. */
AudioComponent AudioComponentInstanceGetComponent(AudioComponentInstance inInstance);

#ifdef __cplusplus
}
#endif

#endif

/* ---- AudioUnit/AUComponent.h ---- */

/* Audio units: their types, result codes and functions. Every function returns kAudio_ParamError for a
   pointer that does not identify a unit. */
#ifndef AUDIOTOOLBOX_AUCOMPONENT_H
#define AUDIOTOOLBOX_AUCOMPONENT_H
#define __AUCOMPONENT__ /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_AUDIOCOMPONENT_H
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

enum : UInt32 {
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

enum : UInt32 {
    kAudioUnitManufacturer_Apple = 0x6170706C /* 'appl' */
};

/* The library has RemoteIO, VoiceProcessingIO, GenericOutput, AUConverter, Varispeed, NewTimePitch, MultiChannelMixer,
   ScheduledSoundPlayer and AudioFilePlayer. AudioComponentFindNext finds no other unit. */
enum : UInt32 {
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

enum : OSStatus {
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

enum : OSStatus {
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


typedef enum __attribute__((enum_extensibility(open))) AUParameterEventType : UInt32 { kParameterEvent_Immediate = 1, kParameterEvent_Ramped = 2 } AUParameterEventType;

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


typedef enum __attribute__((flag_enum, enum_extensibility(open))) AudioUnitRenderActionFlags : UInt32 {
    kAudioUnitRenderAction_PreRender = 1 << 2,       /* a render notification before the unit renders */
    kAudioUnitRenderAction_PostRender = 1 << 3,      /* and one after it */
    kAudioUnitRenderAction_OutputIsSilence = 1 << 4, /* the buffers hold zeros */
    kAudioOfflineUnitRenderAction_Preflight = 1 << 5,
    kAudioOfflineUnitRenderAction_Render = 1 << 6,
    kAudioOfflineUnitRenderAction_Complete = 1 << 7,
    kAudioUnitRenderAction_PostRenderError = 1 << 8,
    kAudioUnitRenderAction_DoNotCheckRenderArgs = 1 << 9
} AudioUnitRenderActionFlags;

/* Called on the unit's real-time thread. A render callback fills ioData, which is zeroed before. An error,
   or a buffer with mDataByteSize 0, plays silence. An input callback has NULL in ioData and calls
   AudioUnitRender. It must return before the next slice, and must not throw. All slices between a start and a
   stop have the same number of frames: the session's preferred duration, or 1,024 frames. */
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AURenderCallback)(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags, const AudioTimeStamp *inTimeStamp,
    UInt32 inBusNumber, UInt32 inNumberFrames, AudioBufferList *_Nullable ioData);
_Pragma("clang assume_nonnull end")

/* Called after the property has changed, on a thread that is not real-time. */
_Pragma("clang assume_nonnull begin")
typedef void (*AudioUnitPropertyListenerProc)(
    void *inRefCon, AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope, AudioUnitElement inElement);
_Pragma("clang assume_nonnull end")

/* Called with the input sample from which an output sample was made. */
_Pragma("clang assume_nonnull begin")
typedef void (*AUInputSamplesInOutputCallback)(
    void *inRefCon, const AudioTimeStamp *inOutputTimeStamp, Float64 inInputSample, Float64 inNumberInputSamples);
_Pragma("clang assume_nonnull end")

/* ---- Functions ---- */

/* Checks the formats and allocates the memory for rendering. A second call has no effect. */
OSStatus AudioUnitInitialize(AudioUnit inUnit);

/* Stops the unit and frees the memory of AudioUnitInitialize. Properties and callbacks stay. */
OSStatus AudioUnitUninitialize(AudioUnit inUnit);

/* Writes the size of a property and whether it can be set. Either pointer may be NULL. */
OSStatus AudioUnitGetPropertyInfo(AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope, AudioUnitElement inElement,
    UInt32 *outDataSize, DarwinBoolean *outWritable);

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

enum : UInt32 {
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

_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioUnitInitializeProc)(void *self);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioUnitUninitializeProc)(void *self);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioUnitGetPropertyInfoProc)(
    void *self, AudioUnitPropertyID prop, AudioUnitScope scope, AudioUnitElement elem, UInt32 *outDataSize, DarwinBoolean *outWritable);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioUnitGetPropertyProc)(
    void *self, AudioUnitPropertyID inID, AudioUnitScope inScope, AudioUnitElement inElement, void *outData, UInt32 *ioDataSize);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioUnitSetPropertyProc)(void *self, AudioUnitPropertyID inID, AudioUnitScope inScope,
    AudioUnitElement inElement, const void *inData, UInt32 inDataSize);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioUnitAddPropertyListenerProc)(
    void *self, AudioUnitPropertyID prop, AudioUnitPropertyListenerProc proc, void *userData);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioUnitRemovePropertyListenerProc)(void *self, AudioUnitPropertyID prop, AudioUnitPropertyListenerProc proc);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioUnitRemovePropertyListenerWithUserDataProc)(
    void *self, AudioUnitPropertyID prop, AudioUnitPropertyListenerProc proc, void *userData);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioUnitAddRenderNotifyProc)(void *self, AURenderCallback proc, void *userData);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioUnitRemoveRenderNotifyProc)(void *self, AURenderCallback proc, void *userData);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioUnitScheduleParametersProc)(void *self, const AudioUnitParameterEvent *events, UInt32 numEvents);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioUnitResetProc)(void *self, AudioUnitScope inScope, AudioUnitElement inElement);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioUnitRenderProc)(void *self, AudioUnitRenderActionFlags *ioActionFlags, const AudioTimeStamp *inTimeStamp,
    UInt32 inOutputBusNumber, UInt32 inNumberFrames, AudioBufferList *ioData);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioUnitComplexRenderProc)(void *self, AudioUnitRenderActionFlags *ioActionFlags,
    const AudioTimeStamp *inTimeStamp, UInt32 inOutputBusNumber, UInt32 inNumberOfPackets, UInt32 *outNumberOfPackets,
    AudioStreamPacketDescription *outPacketDescriptions, AudioBufferList *ioData, void *outMetadata, UInt32 *outMetadataByteSize);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioUnitProcessProc)(void *self, AudioUnitRenderActionFlags *ioActionFlags, const AudioTimeStamp *inTimeStamp,
    UInt32 inNumberFrames, AudioBufferList *ioData);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioUnitProcessMultipleProc)(void *self, AudioUnitRenderActionFlags *ioActionFlags,
    const AudioTimeStamp *inTimeStamp, UInt32 inNumberFrames, UInt32 inNumberInputBufferLists,
    const AudioBufferList **inInputBufferLists, UInt32 inNumberOutputBufferLists, AudioBufferList **ioOutputBufferLists);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioUnitGetParameterProc)(
    void *self, AudioUnitParameterID inID, AudioUnitScope inScope, AudioUnitElement inElement, AudioUnitParameterValue *outValue);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioUnitSetParameterProc)(void *self, AudioUnitParameterID inID, AudioUnitScope inScope,
    AudioUnitElement inElement, AudioUnitParameterValue inValue, UInt32 inBufferOffsetInFrames);
_Pragma("clang assume_nonnull end")

#ifdef __cplusplus
}
#endif

#endif

/* ---- AudioUnit/AudioOutputUnit.h ---- */

/* Units that play and record: start and stop. */
#ifndef AUDIOTOOLBOX_AUDIOOUTPUTUNIT_H
#define AUDIOTOOLBOX_AUDIOOUTPUTUNIT_H
#define __AUDIOOUTPUTUNIT__ /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_AUCOMPONENT_H
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Starts the unit and activates the audio session. If the session refuses, its result code is returned. An
   interruption stops the unit, which does not start again by itself. */
OSStatus AudioOutputUnitStart(AudioUnit ci);

/* Stops the unit. No callback runs after the return. In a callback of the unit it returns at once, and the
   callback is the last one. No effect on a stopped unit. */
OSStatus AudioOutputUnitStop(AudioUnit ci);

/* The selectors of the two functions, and their types in a component. See kAudioUnitRange in AUComponent.h. */
enum : UInt32 { kAudioOutputUnitRange = 0x0200, kAudioOutputUnitStartSelect = 0x0201, kAudioOutputUnitStopSelect = 0x0202 };

_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioOutputUnitStartProc)(void *self);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioOutputUnitStopProc)(void *self);
_Pragma("clang assume_nonnull end")

#ifdef __cplusplus
}
#endif

#endif

/* ---- AudioUnit/AudioUnitProperties.h ---- */

/* Properties of audio units. A unit returns kAudioUnitErr_InvalidProperty for a property that it does not have. */
#ifndef AUDIOTOOLBOX_AUDIOUNITPROPERTIES_H
#define AUDIOTOOLBOX_AUDIOUNITPROPERTIES_H
#define __AudioUnitProperties /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_AUCOMPONENT_H
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* An I/O unit has element 0 for output and element 1 for input. The input scope of element 0 and the output scope of element 1
   are the sides of the program; the other two are the sides of the hardware. */
enum : UInt32 {
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

enum : UInt32 {
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

enum : UInt32 {
    kAudioUnitProperty_MatrixLevels = 3006,     /* Float32 array, get and set, of a mixer's input: a gain for each channel of the
                                               output, for one channel of the input after another */
    kAudioUnitProperty_MeteringMode = 3007,     /* UInt32, get and set: 1 measures levels */
    kAudioUnitProperty_MatrixDimensions = 3009, /* no unit has it */
    kAudioUnitProperty_MeterClipping = 3011,    /* no unit has it */
    kAudioUnitProperty_SampleRateConverterComplexity = 3014 /* UInt32, get and set: one of the next three */
};

enum : UInt32 {
    kAudioUnitSampleRateConverterComplexity_Linear = 0x6C696E65,   /* 'line' */
    kAudioUnitSampleRateConverterComplexity_Normal = 0x6E6F726D,   /* 'norm' */
    kAudioUnitSampleRateConverterComplexity_Mastering = 0x62617473 /* 'bats' */
};

enum : UInt32 {
    kRenderQuality_Max = 127,
    kRenderQuality_High = 96,
    kRenderQuality_Medium = 64,
    kRenderQuality_Low = 32,
    kRenderQuality_Min = 0
};

/* ---- Properties of players ---- */

/* ScheduledSoundPlayer and AudioFilePlayer are units without an input. They play what the program schedules, from a start time on.
   AudioUnitReset and AudioUnitUninitialize drop what is scheduled. */
enum : UInt32 {
    kAudioUnitProperty_ScheduleAudioSlice = 3300,     /* ScheduledAudioSlice, set: plays a buffer list */
    kAudioUnitProperty_ScheduleStartTimeStamp = 3301, /* AudioTimeStamp, get and set: the sample time, or else the host time, at
                                                         which the play begins; -1 and 0: with the next render */
    kAudioUnitProperty_CurrentPlayTime = 3302         /* AudioTimeStamp, get: frames since the start; -1 before it */
};

enum : UInt32 {
    kAudioUnitProperty_ScheduledFileIDs = 3310,    /* AudioFileID array, get and set: the files of the regions */
    kAudioUnitProperty_ScheduledFileRegion = 3311, /* ScheduledAudioFileRegion, set: plays a region of a file */
    kAudioUnitProperty_ScheduledFilePrime = 3312,  /* UInt32, set: waits until these frames are read; 0: about a second */
    kAudioUnitProperty_ScheduledFileBufferSizeFrames = 3313, /* no unit has it, as on the platform */
    kAudioUnitProperty_ScheduledFileNumberBuffers = 3314     /* the same */
};

/* ---- Properties of I/O units ---- */

enum : UInt32 {
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

enum : UInt32 {
    kAUVoiceIOProperty_BypassVoiceProcessing = 2100,    /* UInt32, get and set: 1 is RemoteIO */
    kAUVoiceIOProperty_VoiceProcessingEnableAGC = 2101, /* UInt32, get and set: 1 keeps the level even */
    kAUVoiceIOProperty_DuckNonVoiceAudio = 2102,        /* UInt32, get and set: 1 ducks other sessions while it runs */
    kAUVoiceIOProperty_VoiceProcessingQuality = 2103,   /* UInt32, get and set: 0 to 127; is kept */
    kAUVoiceIOProperty_MuteOutput = 2104                /* UInt32, get and set: 1 mutes what the unit captures */
};

enum : OSStatus { kAUVoiceIOErr_UnexpectedNumberOfInputChannels = -66784 };

/* ---- Units that are declared only ----

   Programs that use these names compile, but no unit of this library has the properties. */

/* SpatialMixer and AU3DMixerEmbedded */
enum : UInt32 {
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


typedef enum __attribute__((enum_extensibility(open))) AUSpatializationAlgorithm : UInt32 {
    kSpatializationAlgorithm_EqualPowerPanning = 0,
    kSpatializationAlgorithm_SphericalHead = 1,
    kSpatializationAlgorithm_HRTF = 2,
    kSpatializationAlgorithm_SoundField = 3,
    kSpatializationAlgorithm_VectorBasedPanning = 4,
    kSpatializationAlgorithm_StereoPassThrough = 5,
    kSpatializationAlgorithm_HRTFHQ = 6
} AUSpatializationAlgorithm;


typedef enum __attribute__((enum_extensibility(open))) AUReverbRoomType : UInt32 {
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
} AUReverbRoomType;

typedef UInt32 AUSpatialMixerAttenuationCurve;
typedef UInt32 AU3DMixerAttenuationCurve;

enum : UInt32 {
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

enum : UInt32 {
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
enum : UInt32 {
    kAUNBandEQProperty_NumberOfBands = 2200,
    kAUNBandEQProperty_MaxNumberOfBands = 2201,
    kAUNBandEQProperty_BiquadCoefficients = 2203
};

/* DeferredRenderer */
enum : UInt32 {
    kAudioUnitProperty_DeferredRendererPullSize = 3320,
    kAudioUnitProperty_DeferredRendererExtraLatency = 3321,
    kAudioUnitProperty_DeferredRendererWaitFrames = 3322
};

/* Instruments */
enum : UInt32 {
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

enum : UInt32 {
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

enum : UInt32 { kAUSampler_DefaultPercussionBankMSB = 0x78, kAUSampler_DefaultMelodicBankMSB = 0x79, kAUSampler_DefaultBankLSB = 0x00 };

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

_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AUMIDIOutputCallback)(
    void *userData, const AudioTimeStamp *timeStamp, UInt32 midiOutNum, const struct MIDIPacketList *pktlist);
_Pragma("clang assume_nonnull end")

typedef struct AUMIDIOutputCallbackStruct {
    AUMIDIOutputCallback midiOutputCallback;
    void *userData;
} AUMIDIOutputCallbackStruct;

/* Buttons of a headset, or of another program */

typedef enum __attribute__((enum_extensibility(open))) AudioUnitRemoteControlEvent : UInt32 {
    kAudioUnitRemoteControlEvent_TogglePlayPause = 1,
    kAudioUnitRemoteControlEvent_ToggleRecord = 2,
    kAudioUnitRemoteControlEvent_Rewind = 3
} AudioUnitRemoteControlEvent;

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
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*HostCallback_GetBeatAndTempo)(void *inHostUserData, Float64 *outCurrentBeat, Float64 *outCurrentTempo);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*HostCallback_GetMusicalTimeLocation)(void *inHostUserData, UInt32 *outDeltaSampleOffsetToNextBeat,
    Float32 *outTimeSig_Numerator, UInt32 *outTimeSig_Denominator, Float64 *outCurrentMeasureDownBeat);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*HostCallback_GetTransportState)(void *inHostUserData, DarwinBoolean *outIsPlaying, DarwinBoolean *outTransportStateChanged,
    Float64 *outCurrentSampleInTimeLine, DarwinBoolean *outIsCycling, Float64 *outCycleStartBeat, Float64 *outCycleEndBeat);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*HostCallback_GetTransportState2)(void *inHostUserData, DarwinBoolean *outIsPlaying, DarwinBoolean *outIsRecording,
    DarwinBoolean *outTransportStateChanged, Float64 *outCurrentSampleInTimeLine, DarwinBoolean *outIsCycling, Float64 *outCycleStartBeat,
    Float64 *outCycleEndBeat);
_Pragma("clang assume_nonnull end")

typedef struct HostCallbackInfo {
    void *hostUserData;
    HostCallback_GetBeatAndTempo beatAndTempoProc;
    HostCallback_GetMusicalTimeLocation musicalTimeLocationProc;
    HostCallback_GetTransportState transportStateProc;
    HostCallback_GetTransportState2 transportStateProc2;
} HostCallbackInfo;

/* ---- Values of the properties of players ---- */


typedef enum __attribute__((flag_enum, enum_extensibility(open))) AUScheduledAudioSliceFlags : UInt32 {
    kScheduledAudioSliceFlag_Complete = 1,          /* the unit no longer uses the slice */
    kScheduledAudioSliceFlag_BeganToRender = 2,     /* the first frame has been rendered */
    kScheduledAudioSliceFlag_BeganToRenderLate = 4, /* frames at its beginning were left out */
    kScheduledAudioSliceFlag_Loop = 8,              /* the slice repeats until another one interrupts it */
    kScheduledAudioSliceFlag_Interrupt = 16,        /* the slice ends those that were scheduled before it, when it begins */
    kScheduledAudioSliceFlag_InterruptAtLoop = 32   /* the same, at the end of a repetition of the slice that plays */
} AUScheduledAudioSliceFlags;

typedef struct ScheduledAudioSlice ScheduledAudioSlice;
typedef struct ScheduledAudioFileRegion ScheduledAudioFileRegion;

/* Called when the slice has been played or dropped, on a thread of the library, or on the thread that resets or disposes of the
   unit. */
_Pragma("clang assume_nonnull begin")
typedef void (*ScheduledAudioSliceCompletionProc)(void *_Nullable userData, ScheduledAudioSlice *bufferList);
_Pragma("clang assume_nonnull end")

/* Called when the region has been played, or its file could not be read: the result is then an error of the file; or when it is
   dropped: -128. The region is valid until the return. */
_Pragma("clang assume_nonnull begin")
typedef void (*ScheduledAudioFileRegionCompletionProc)(void *_Nullable userData, ScheduledAudioFileRegion *fileRegion, OSStatus result);
_Pragma("clang assume_nonnull end")

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


typedef enum __attribute__((enum_extensibility(open))) AudioUnitParameterUnit : UInt32 {
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
} AudioUnitParameterUnit;


typedef enum __attribute__((flag_enum, enum_extensibility(open))) AudioUnitParameterOptions : UInt32 {
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
    kAudioUnitParameterFlag_IsReadable = 1 << 30,
    kAudioUnitParameterFlag_IsWritable = 0x80000000
} AudioUnitParameterOptions;

/* A macro, because an enumerator of C cannot have this value. */

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

/* ---- AudioUnit/AudioUnitParameters.h ---- */

/* Parameters of the units of this library, and of units that are declared only. */
#ifndef AUDIOTOOLBOX_AUDIOUNITPARAMETERS_H
#define AUDIOTOOLBOX_AUDIOUNITPARAMETERS_H
#define __AudioUnitParameters /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_AUDIOUNITPROPERTIES_H
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Parameters of each input and of the output of a MultiChannelMixer. */
enum : UInt32 {
    kMultiChannelMixerParam_Volume = 0,             /* any finite number: 1 is the level of the source, 0 is silence */
    kMultiChannelMixerParam_Enable = 1,             /* 0 mutes */
    kMultiChannelMixerParam_Pan = 2,                /* -1 left, 1 right; inputs only */
    kMultiChannelMixerParam_PreAveragePower = 1000, /* decibels, -120 to 0, read only, with MeteringMode 1; + n is channel n */
    kMultiChannelMixerParam_PrePeakHoldLevel = 2000,
    kMultiChannelMixerParam_PostAveragePower = 3000,
    kMultiChannelMixerParam_PostPeakHoldLevel = 4000
};

/* Parameter of an I/O unit: the volume of output element 0. */
enum : UInt32 { kHALOutputParam_Volume = 14 };

/* Parameters of a Varispeed in the global scope: the speed, as a factor and in cents. */
enum : UInt32 {
    kVarispeedParam_PlaybackRate = 0, /* 0.25 to 4 */
    kVarispeedParam_PlaybackCents = 1 /* -2400 to 2400 */
};

/* Parameters of a NewTimePitch in the global scope. */
enum : UInt32 {
    kNewTimePitchParam_Rate = 0,             /* 1/32 to 32; the pitch stays */
    kNewTimePitchParam_Pitch = 1,            /* in cents, -2400 to 2400; the speed stays */
    kNewTimePitchParam_Overlap = 4,          /* 3 to 32, without an effect: segments overlap by half */
    kNewTimePitchParam_EnablePeakLocking = 6 /* 0 or 1, without an effect */
};

/* ---- Units that are declared only ----

   Programs that use these names compile, but no unit of this library has the parameters. A parameter of band n of an NBandEQ
   has the number of the parameter of band 0 plus n. */

/* Reverb2 */
enum : UInt32 {
    kReverb2Param_DryWetMix = 0,
    kReverb2Param_Gain = 1,
    kReverb2Param_MinDelayTime = 2,
    kReverb2Param_MaxDelayTime = 3,
    kReverb2Param_DecayTimeAt0Hz = 4,
    kReverb2Param_DecayTimeAtNyquist = 5,
    kReverb2Param_RandomizeReflections = 6
};

/* BandPassFilter */
enum : UInt32 { kBandpassParam_CenterFrequency = 0, kBandpassParam_Bandwidth = 1 };

/* HighPassFilter */
enum : UInt32 { kHipassParam_CutoffFrequency = 0, kHipassParam_Resonance = 1 };

/* LowPassFilter */
enum : UInt32 { kLowPassParam_CutoffFrequency = 0, kLowPassParam_Resonance = 1 };

/* HighShelfFilter */
enum : UInt32 { kHighShelfParam_CutOffFrequency = 0, kHighShelfParam_Gain = 1 };

/* LowShelfFilter */
enum : UInt32 { kAULowShelfParam_CutoffFrequency = 0, kAULowShelfParam_Gain = 1 };

/* ParametricEQ */
enum : UInt32 { kParametricEQParam_CenterFreq = 0, kParametricEQParam_Q = 1, kParametricEQParam_Gain = 2 };

/* PeakLimiter */
enum : UInt32 { kLimiterParam_AttackTime = 0, kLimiterParam_DecayTime = 1, kLimiterParam_PreGain = 2 };

/* DynamicsProcessor */
enum : UInt32 {
    kDynamicsProcessorParam_Threshold = 0,
    kDynamicsProcessorParam_HeadRoom = 1,
    kDynamicsProcessorParam_ExpansionRatio = 2,
    kDynamicsProcessorParam_ExpansionThreshold = 3,
    kDynamicsProcessorParam_AttackTime = 4,
    kDynamicsProcessorParam_ReleaseTime = 5,
    kDynamicsProcessorParam_MasterGain = 6,
    kDynamicsProcessorParam_CompressionAmount = 1000,
    kDynamicsProcessorParam_InputAmplitude = 2000,
    kDynamicsProcessorParam_OutputAmplitude = 3000
};

/* Delay */
enum : UInt32 { kDelayParam_WetDryMix = 0, kDelayParam_DelayTime = 1, kDelayParam_Feedback = 2, kDelayParam_LopassCutoff = 3 };

/* Distortion */
enum : UInt32 {
    kDistortionParam_Delay = 0,
    kDistortionParam_Decay = 1,
    kDistortionParam_DelayMix = 2,
    kDistortionParam_Decimation = 3,
    kDistortionParam_Rounding = 4,
    kDistortionParam_DecimationMix = 5,
    kDistortionParam_LinearTerm = 6,
    kDistortionParam_SquaredTerm = 7,
    kDistortionParam_CubicTerm = 8,
    kDistortionParam_PolynomialMix = 9,
    kDistortionParam_RingModFreq1 = 10,
    kDistortionParam_RingModFreq2 = 11,
    kDistortionParam_RingModBalance = 12,
    kDistortionParam_RingModMix = 13,
    kDistortionParam_SoftClipGain = 14,
    kDistortionParam_FinalMix = 15
};

/* NBandEQ */
enum : UInt32 {
    kAUNBandEQParam_GlobalGain = 0,
    kAUNBandEQParam_BypassBand = 1000,
    kAUNBandEQParam_FilterType = 2000,
    kAUNBandEQParam_Frequency = 3000,
    kAUNBandEQParam_Gain = 4000,
    kAUNBandEQParam_Bandwidth = 5000
};

/* kAUNBandEQParam_FilterType */
enum : UInt32 {
    kAUNBandEQFilterType_Parametric = 0,
    kAUNBandEQFilterType_2ndOrderButterworthLowPass = 1,
    kAUNBandEQFilterType_2ndOrderButterworthHighPass = 2,
    kAUNBandEQFilterType_ResonantLowPass = 3,
    kAUNBandEQFilterType_ResonantHighPass = 4,
    kAUNBandEQFilterType_BandPass = 5,
    kAUNBandEQFilterType_BandStop = 6,
    kAUNBandEQFilterType_LowShelf = 7,
    kAUNBandEQFilterType_HighShelf = 8,
    kAUNBandEQFilterType_ResonantLowShelf = 9,
    kAUNBandEQFilterType_ResonantHighShelf = 10,
    kNumAUNBandEQFilterTypes = 11
};

/* MatrixMixer */
enum : UInt32 {
    kMatrixMixerParam_Volume = 0,
    kMatrixMixerParam_Enable = 1,
    kMatrixMixerParam_PreAveragePower = 1000,
    kMatrixMixerParam_PrePeakHoldLevel = 2000,
    kMatrixMixerParam_PostAveragePower = 3000,
    kMatrixMixerParam_PostPeakHoldLevel = 4000,
    kMatrixMixerParam_PreAveragePowerLinear = 5000,
    kMatrixMixerParam_PrePeakHoldLevelLinear = 6000,
    kMatrixMixerParam_PostAveragePowerLinear = 7000,
    kMatrixMixerParam_PostPeakHoldLevelLinear = 8000
};

/* AU3DMixerEmbedded */
enum : UInt32 {
    k3DMixerParam_Azimuth = 0,
    k3DMixerParam_Elevation = 1,
    k3DMixerParam_Distance = 2,
    k3DMixerParam_Gain = 3,
    k3DMixerParam_PlaybackRate = 4,
    k3DMixerParam_Enable = 5,
    k3DMixerParam_MinGain = 6,
    k3DMixerParam_MaxGain = 7,
    k3DMixerParam_ReverbBlend = 8,
    k3DMixerParam_GlobalReverbGain = 9,
    k3DMixerParam_OcclusionAttenuation = 10,
    k3DMixerParam_ObstructionAttenuation = 11,

    k3DMixerParam_BusEnable = 20,
    k3DMixerParam_MinGainInDecibels = 21,
    k3DMixerParam_MaxGainInDecibels = 22,
    k3DMixerParam_DryWetReverbBlend = 23,
    k3DMixerParam_GlobalReverbGainInDecibels = 24,
    k3DMixerParam_OcclusionAttenuationInDecibels = 25,
    k3DMixerParam_ObstructionAttenuationInDecibels = 26,
    k3DMixerParam_PreAveragePower = 1000,
    k3DMixerParam_PrePeakHoldLevel = 2000,
    k3DMixerParam_PostAveragePower = 3000,
    k3DMixerParam_PostPeakHoldLevel = 4000
};

/* SpatialMixer */
enum : UInt32 {
    kSpatialMixerParam_Azimuth = 0,
    kSpatialMixerParam_Elevation = 1,
    kSpatialMixerParam_Distance = 2,
    kSpatialMixerParam_Gain = 3,
    kSpatialMixerParam_PlaybackRate = 4,
    kSpatialMixerParam_Enable = 5,
    kSpatialMixerParam_MinGain = 6,
    kSpatialMixerParam_MaxGain = 7,
    kSpatialMixerParam_ReverbBlend = 8,
    kSpatialMixerParam_GlobalReverbGain = 9,
    kSpatialMixerParam_OcclusionAttenuation = 10,
    kSpatialMixerParam_ObstructionAttenuation = 11
};

/* The filter of the reverberation in the two mixers above */
enum : UInt32 {
    kReverbParam_FilterFrequency = 14,
    kReverbParam_FilterBandwidth = 15,
    kReverbParam_FilterGain = 16,
    kReverbParam_FilterType = 17,
    kReverbParam_FilterEnable = 18
};

/* AUiPodTime */
enum : UInt32 { kTimePitchParam_Rate = 0 };

/* RoundTripAAC */
enum : UInt32 { kRoundTripAACParam_Format = 0, kRoundTripAACParam_EncodingStrategy = 1, kRoundTripAACParam_RateOrQuality = 2 };

/* The unit that plays at random times */
enum : UInt32 { kRandomParam_BoundA = 0, kRandomParam_BoundB = 1, kRandomParam_Curve = 2 };

/* The group scope of an instrument: the numbers of MIDI controllers, and of MIDI messages. _LSB is the lower half of a controller.
   KeyPressure of key n is KeyPressure_FirstKey plus n. */
enum : UInt32 {
    kAUGroupParameterID_ModWheel = 1,
    kAUGroupParameterID_Foot = 4,
    kAUGroupParameterID_DataEntry = 6,
    kAUGroupParameterID_Volume = 7,
    kAUGroupParameterID_Pan = 10,
    kAUGroupParameterID_Expression = 11,
    kAUGroupParameterID_ModWheel_LSB = 33,
    kAUGroupParameterID_Foot_LSB = 36,
    kAUGroupParameterID_DataEntry_LSB = 38,
    kAUGroupParameterID_Volume_LSB = 39,
    kAUGroupParameterID_Pan_LSB = 42,
    kAUGroupParameterID_Expression_LSB = 43,
    kAUGroupParameterID_Sustain = 64,
    kAUGroupParameterID_Sostenuto = 66,
    kAUGroupParameterID_AllSoundOff = 120,
    kAUGroupParameterID_ResetAllControllers = 121,
    kAUGroupParameterID_AllNotesOff = 123,
    kAUGroupParameterID_KeyPressure = 0xA0,
    kAUGroupParameterID_ChannelPressure = 0xD0,
    kAUGroupParameterID_PitchBend = 0xE0,
    kAUGroupParameterID_KeyPressure_FirstKey = 256,
    kAUGroupParameterID_KeyPressure_LastKey = 383
};

/* Sampler */
enum : UInt32 {
    kAUSamplerParam_Gain = 900,
    kAUSamplerParam_CoarseTuning = 901,
    kAUSamplerParam_FineTuning = 902,
    kAUSamplerParam_Pan = 903
};

#ifdef __cplusplus
}
#endif

#endif

/* ---- AudioUnit/MusicDevice.h ---- */

/* The types and numbers of instruments. This library has no instruments. Therefore the functions that play them, such as
   MusicDeviceMIDIEvent and MusicDeviceStartNote, are not declared. */
#ifndef AUDIOTOOLBOX_MUSICDEVICE_H
#define AUDIOTOOLBOX_MUSICDEVICE_H
#define __MUSICDEVICE__ /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_AUCOMPONENT_H
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef AudioComponentInstance MusicDeviceComponent;
typedef UInt32 MusicDeviceInstrumentID;
typedef UInt32 MusicDeviceGroupID; /* a MIDI channel */
typedef UInt32 NoteInstanceID;     /* a sounding note */

/* Macros, because an enumerator of C cannot have this value. */
#define kMusicNoteEvent_UseGroupInstrument 0xFFFFFFFFu
#define kMusicNoteEvent_Unused 0xFFFFFFFFu

/* A key with its velocity. argCount is 2. */
typedef struct MusicDeviceStdNoteParams {
    UInt32 argCount;
    Float32 mPitch;    /* 0 to 127; 60 is middle C, a fraction is a part of a semitone */
    Float32 mVelocity; /* 0 to 127 */
} MusicDeviceStdNoteParams;

typedef struct NoteParamsControlValue {
    AudioUnitParameterID mID;
    AudioUnitParameterValue mValue;
} NoteParamsControlValue;

/* A key with values of controllers. argCount is 2 plus the number of controllers. */
typedef struct MusicDeviceNoteParams {
    UInt32 argCount;
    Float32 mPitch;
    Float32 mVelocity;
    NoteParamsControlValue mControls[1];
} MusicDeviceNoteParams;

/* ---- Selectors ----

   See kAudioUnitRange in AUComponent.h. */

enum : UInt32 {
    kMusicDeviceRange = 0x0100,
    kMusicDeviceMIDIEventSelect = 0x0101,
    kMusicDeviceSysExSelect = 0x0102,
    kMusicDevicePrepareInstrumentSelect = 0x0103,
    kMusicDeviceReleaseInstrumentSelect = 0x0104,
    kMusicDeviceStartNoteSelect = 0x0105,
    kMusicDeviceStopNoteSelect = 0x0106
};

_Pragma("clang assume_nonnull begin")
typedef OSStatus (*MusicDeviceMIDIEventProc)(
    void *self, UInt32 inStatus, UInt32 inData1, UInt32 inData2, UInt32 inOffsetSampleFrame);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*MusicDeviceSysExProc)(void *self, const UInt8 *inData, UInt32 inLength);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*MusicDeviceStartNoteProc)(void *self, MusicDeviceInstrumentID inInstrument, MusicDeviceGroupID inGroupID,
    NoteInstanceID *outNoteInstanceID, UInt32 inOffsetSampleFrame, const MusicDeviceNoteParams *inParams);
_Pragma("clang assume_nonnull end")
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*MusicDeviceStopNoteProc)(
    void *self, MusicDeviceGroupID inGroupID, NoteInstanceID inNoteInstanceID, UInt32 inOffsetSampleFrame);
_Pragma("clang assume_nonnull end")

#ifdef __cplusplus
}
#endif

#endif

/* ---- AudioToolbox/AudioUnitUtilities.h ---- */

/* Listeners for parameters and properties of units, called on a run loop. */
#ifndef AUDIOTOOLBOX_AUDIOUNITUTILITIES_H
#define AUDIOTOOLBOX_AUDIOUNITUTILITIES_H

#ifndef AUDIOTOOLBOX_AUDIOUNITPARAMETERS_H
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AUListenerBase *AUParameterListenerRef;
typedef struct AUListenerBase *AUEventListenerRef;

#define kAUParameterListener_AnyParameter 0xFFFFFFFFu


typedef enum __attribute__((enum_extensibility(open))) AudioUnitEventType : UInt32 {
    kAudioUnitEvent_ParameterValueChange = 0,
    kAudioUnitEvent_BeginParameterChangeGesture = 1,
    kAudioUnitEvent_EndParameterChangeGesture = 2,
    kAudioUnitEvent_PropertyChange = 3
} AudioUnitEventType;

typedef struct AudioUnitEvent {
    AudioUnitEventType mEventType;
    union {
        AudioUnitParameter mParameter;
        AudioUnitProperty mProperty;
    } mArgument;
} AudioUnitEvent;

/* Called on the listener's run loop with a parameter's new value. */
_Pragma("clang assume_nonnull begin")
typedef void (*AUParameterListenerProc)(
    void *_Nullable inUserData, void *_Nullable inObject, const AudioUnitParameter *inParameter, AudioUnitParameterValue inValue);
_Pragma("clang assume_nonnull end")

/* Called on the listener's run loop with an event, and the host time at which it happened. */
_Pragma("clang assume_nonnull begin")
typedef void (*AUEventListenerProc)(void *_Nullable inUserData, void *_Nullable inObject, const AudioUnitEvent *inEvent, UInt64 inEventHostTime,
    AudioUnitParameterValue inParameterValue);
_Pragma("clang assume_nonnull end")

/* Makes a listener of parameters. NULL as the run loop: that of the calling thread. NULL as the mode: the default mode.
   Pending changes of a parameter are delivered once, with the newest value; the interval is
   ignored. In a process without CoreFoundation the result is kAudio_UnimplementedError. */
OSStatus AUListenerCreate(AUParameterListenerProc inProc, void *inUserData, CFRunLoopRef inRunLoop, CFStringRef inRunLoopMode,
    Float32 inNotificationInterval, AUParameterListenerRef *outListener)
    __attribute__((swift_private));

/* Frees a listener of either kind. It is not called after the return, except when it calls this function
   itself. */
OSStatus AUListenerDispose(AUParameterListenerRef inListener);

/* Listens to a parameter on behalf of an object of the program. */
OSStatus AUListenerAddParameter(AUParameterListenerRef inListener, void *inObject, const AudioUnitParameter *inParameter);

/* Removes the registration for a parameter. */
OSStatus AUListenerRemoveParameter(AUParameterListenerRef inListener, void *inObject, const AudioUnitParameter *inParameter);

/* Sets a parameter and notifies all listeners except the sending object. */
OSStatus AUParameterSet(AUParameterListenerRef inSendingListener, void *inSendingObject, const AudioUnitParameter *inParameter,
    AudioUnitParameterValue inValue, UInt32 inBufferOffsetInFrames);

/* Notifies all listeners of a parameter except the sending object. */
OSStatus AUParameterListenerNotify(
    AUParameterListenerRef inSendingListener, void *inSendingObject, const AudioUnitParameter *inParameter);

/* Makes a listener of events. They are delivered as those of AUListenerCreate; both intervals are ignored. */
OSStatus AUEventListenerCreate(AUEventListenerProc inProc, void *inUserData, CFRunLoopRef inRunLoop, CFStringRef inRunLoopMode,
    Float32 inNotificationInterval, Float32 inValueChangeGranularity, AUEventListenerRef *outListener)
    __attribute__((swift_private));

/* Listens to an event on behalf of an object of the program. */
OSStatus AUEventListenerAddEventType(AUEventListenerRef inListener, void *inObject, const AudioUnitEvent *inEvent);

/* Removes the registration for an event. */
OSStatus AUEventListenerRemoveEventType(AUEventListenerRef inListener, void *inObject, const AudioUnitEvent *inEvent);

/* Notifies all listeners of an event except the sending object. */
OSStatus AUEventListenerNotify(AUEventListenerRef inSendingListener, void *inSendingObject, const AudioUnitEvent *inEvent);

#ifdef __cplusplus
}
#endif

#endif

/* ---- AudioToolbox/AUGraph.h ---- */

/* Graphs of audio units that are connected, started and stopped together. A node is a unit in a graph. */
#ifndef AUDIOTOOLBOX_AUGRAPH_H
#define AUDIOTOOLBOX_AUGRAPH_H
#define __AUGraph /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_AUDIOUNITPROPERTIES_H
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OpaqueAUGraph *AUGraph;
typedef SInt32 AUNode;

enum : OSStatus {
    kAUGraphErr_NodeNotFound = -10860,
    kAUGraphErr_InvalidConnection = -10861,        /* the input is connected, or the connection is a cycle */
    kAUGraphErr_OutputNodeErr = -10862,            /* a graph has one output unit, which cannot be removed while it runs */
    kAUGraphErr_CannotDoInCurrentContext = -10863, /* on a thread that renders: another thread changes the graph now */
    kAUGraphErr_InvalidAudioUnit = -10864
};

enum : UInt32 { kAUNodeInteraction_Connection = 1, kAUNodeInteraction_InputCallback = 2 };

typedef struct AudioUnitNodeConnection {
    AUNode sourceNode;
    UInt32 sourceOutputNumber;
    AUNode destNode;
    UInt32 destInputNumber;
} AudioUnitNodeConnection;
typedef AudioUnitNodeConnection AUNodeConnection;

typedef struct AUNodeRenderCallback {
    AUNode destNode;
    AudioUnitElement destInputNumber;
    AURenderCallbackStruct cback;
} AUNodeRenderCallback;

typedef struct AUNodeInteraction {
    UInt32 nodeInteractionType;
    union {
        AUNodeConnection connection;
        AUNodeRenderCallback inputCallback;
    } nodeInteraction;
} AUNodeInteraction;

/* ---- Graphs and nodes ---- */

/* A call waits while another thread changes the graph. A thread that renders cannot wait: there it fails with
   kAUGraphErr_CannotDoInCurrentContext. */

/* Makes a graph without nodes. */
OSStatus NewAUGraph(AUGraph *outGraph);

/* Stops the graph and frees it with its units. */
OSStatus DisposeAUGraph(AUGraph inGraph);

/* Adds a node. Its unit is made by AUGraphOpen, in an open graph by this call. */
OSStatus AUGraphAddNode(AUGraph inGraph, const AudioComponentDescription *inDescription, AUNode *outNode);

/* Removes a node with its connections, but not the output of a running graph. A running graph changes with AUGraphUpdate. */
OSStatus AUGraphRemoveNode(AUGraph inGraph, AUNode inNode);

/* Writes the number of nodes. */
OSStatus AUGraphGetNodeCount(AUGraph inGraph, UInt32 *outNumberOfNodes);

/* Writes the node with this index. */
OSStatus AUGraphGetIndNode(AUGraph inGraph, UInt32 inIndex, AUNode *outNode);

/* Writes a node's description and unit. Either pointer may be NULL. The unit is NULL before AUGraphOpen. */
OSStatus AUGraphNodeInfo(AUGraph inGraph, AUNode inNode, AudioComponentDescription *outDescription, AudioUnit *outAudioUnit);

/* ---- Connections ---- */

/* Connects an output to an input, which gets the format of the output. Until the initialization, a format that is set at one end
   applies to both; then neither can change. A running graph changes with AUGraphUpdate. */
OSStatus AUGraphConnectNodeInput(
    AUGraph inGraph, AUNode inSourceNode, UInt32 inSourceOutputNumber, AUNode inDestNode, UInt32 inDestInputNumber);

/* Makes a callback the source of an input. A running graph changes with AUGraphUpdate. */
OSStatus AUGraphSetNodeInputCallback(
    AUGraph inGraph, AUNode inDestNode, UInt32 inDestInputNumber, const AURenderCallbackStruct *inInputCallback);

/* Removes the connection or callback of an input. A running graph changes with AUGraphUpdate. */
OSStatus AUGraphDisconnectNodeInput(AUGraph inGraph, AUNode inDestNode, UInt32 inDestInputNumber);

/* Removes all connections and callbacks. A running graph changes with AUGraphUpdate. */
OSStatus AUGraphClearConnections(AUGraph inGraph);

/* Writes the number of connections and callbacks. */
OSStatus AUGraphGetNumberOfInteractions(AUGraph inGraph, UInt32 *outNumInteractions);

/* Writes the connection or callback with this index. */
OSStatus AUGraphGetInteractionInfo(AUGraph inGraph, UInt32 inInteractionIndex, AUNodeInteraction *outInteraction);

/* Writes the number of connections and callbacks of one node. */
OSStatus AUGraphCountNodeInteractions(AUGraph inGraph, AUNode inNode, UInt32 *outNumInteractions);

/* Writes the connections and callbacks of one node. ioNumInteractions: room on entry, written on return. */
OSStatus AUGraphGetNodeInteractions(
    AUGraph inGraph, AUNode inNode, UInt32 *ioNumInteractions, AUNodeInteraction *outInteractions);

/* Applies the changes since the last update, without a click, and writes 1. When it fails, the graph plays as
   before, and the changes stay pending for the next update. */
OSStatus AUGraphUpdate(AUGraph inGraph, DarwinBoolean *outIsUpdated);

/* ---- States ---- */

/* Makes the units. Their properties can be set from here on. */
OSStatus AUGraphOpen(AUGraph inGraph);

/* Stops and uninitializes the graph, and frees the units. The nodes stay. */
OSStatus AUGraphClose(AUGraph inGraph);

/* Connects and initializes the units. */
OSStatus AUGraphInitialize(AUGraph inGraph);

/* Stops the graph and uninitializes the units. */
OSStatus AUGraphUninitialize(AUGraph inGraph);

/* Starts the output unit. After two starts, the second AUGraphStop stops the graph. */
OSStatus AUGraphStart(AUGraph inGraph);

/* Stops the output unit. No callback runs after the return. */
OSStatus AUGraphStop(AUGraph inGraph);

/* Writes whether the units exist. */
OSStatus AUGraphIsOpen(AUGraph inGraph, DarwinBoolean *outIsOpen);

/* Writes whether the units are initialized. */
OSStatus AUGraphIsInitialized(AUGraph inGraph, DarwinBoolean *outIsInitialized);

/* Writes whether the output unit is running. */
OSStatus AUGraphIsRunning(AUGraph inGraph, DarwinBoolean *outIsRunning);

/* Writes the time of rendering divided by the time of the slice, on average. */
OSStatus AUGraphGetCPULoad(AUGraph inGraph, Float32 *outAverageCPULoad);

/* Writes the maximum of this quotient within the last second. */
OSStatus AUGraphGetMaxCPULoad(AUGraph inGraph, Float32 *outMaxLoad);

/* Registers a procedure that is called before and after each slice of the output unit. */
OSStatus AUGraphAddRenderNotify(AUGraph inGraph, AURenderCallback inCallback, void *inRefCon);

/* Removes the procedure with this data. */
OSStatus AUGraphRemoveRenderNotify(AUGraph inGraph, AURenderCallback inCallback, void *inRefCon);

/* ---- Debugging ---- */

/* Prints the description of a graph with its nodes, of a unit, a converter or a file to standard error. */
void CAShow(void *inObject);

/* Prints the same description to a file. */
void CAShowFile(void *inObject, FILE *inFile);

#ifdef __cplusplus
}
#endif

#endif

/* ---- AudioToolbox/AudioFormat.h ---- */

/* Properties of formats, codecs and channel layouts. */
#ifndef AUDIOTOOLBOX_AUDIOFORMAT_H
#define AUDIOTOOLBOX_AUDIOFORMAT_H
#define __AudioFormat_h__ /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_COREAUDIOTYPES_H
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef UInt32 AudioFormatPropertyID;

/* ---- Properties ---- */

enum : UInt32 {
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


typedef enum __attribute__((enum_extensibility(open))) AudioPanningMode : UInt32 { kPanningMode_SoundField = 3, kPanningMode_VectorBasedPanning = 4 } AudioPanningMode;

typedef struct AudioPanningInfo {
    AudioPanningMode mPanningMode;
    UInt32 mCoordinateFlags;
    Float32 mCoordinates[3];
    Float32 mGainScale;
    const AudioChannelLayout *mOutputChannelMap;
} AudioPanningInfo;


typedef enum __attribute__((enum_extensibility(open))) AudioBalanceFadeType : UInt32 { kAudioBalanceFadeType_MaxUnityGain = 0, kAudioBalanceFadeType_EqualPower = 1 } AudioBalanceFadeType;

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
enum : UInt32 {
    kAudioDecoderComponentType = 0x61646563, /* 'adec' */
    kAudioEncoderComponentType = 0x61656E63  /* 'aenc' */
};
enum : UInt32 {
    kAppleSoftwareAudioCodecManufacturer = 0x6170706C, /* 'appl' */
    kAppleHardwareAudioCodecManufacturer = 0x61706877  /* 'aphw' */
};

/* ---- Results ---- */

enum : OSStatus {
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

/* ---- AudioToolbox/AudioConverter.h ---- */

/* Converts between sound formats: every linear PCM, rates, channels, u-law, A-law, IMA4, and the formats of
   codec modules. */
#ifndef AUDIOTOOLBOX_AUDIOCONVERTER_H
#define AUDIOTOOLBOX_AUDIOCONVERTER_H
#define __AudioConverter_h__ /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_COREAUDIOTYPES_H
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OpaqueAudioConverter *AudioConverterRef;
typedef UInt32 AudioConverterPropertyID;

/* ---- Properties ---- */

enum : UInt32 {
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

enum : UInt32 {
    kAudioConverterQuality_Max = 0x7F,
    kAudioConverterQuality_High = 0x60,
    kAudioConverterQuality_Medium = 0x40,
    kAudioConverterQuality_Low = 0x20,
    kAudioConverterQuality_Min = 0
};

enum : UInt32 {
    kAudioConverterSampleRateConverterComplexity_Linear = 0x6C696E65,      /* 'line' */
    kAudioConverterSampleRateConverterComplexity_Normal = 0x6E6F726D,      /* 'norm' */
    kAudioConverterSampleRateConverterComplexity_Mastering = 0x62617473,   /* 'bats' */
    kAudioConverterSampleRateConverterComplexity_MinimumPhase = 0x6D696E70 /* 'minp': is not supported */
};

/* A rate conversion needs frames before the first and after the last input frame. */
enum : UInt32 {
    kConverterPrimeMethod_Pre = 0,    /* input frames on both sides */
    kConverterPrimeMethod_Normal = 1, /* input frames after the end, silence before */
    kConverterPrimeMethod_None = 2    /* silence on both sides */
};

typedef struct AudioConverterPrimeInfo {
    UInt32 leadingFrames;
    UInt32 trailingFrames;
} AudioConverterPrimeInfo;

/* ---- Results ---- */

enum : OSStatus {
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
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioConverterComplexInputDataProc)(AudioConverterRef inAudioConverter, UInt32 *ioNumberDataPackets,
    AudioBufferList *ioData, AudioStreamPacketDescription *_Nullable *_Nullable outDataPacketDescription, void *_Nullable inUserData);
_Pragma("clang assume_nonnull end")

/* The type for AudioConverterFillBuffer, an older function that is not declared. */
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioConverterInputDataProc)(
    AudioConverterRef inAudioConverter, UInt32 *ioDataSize, void **outData, void *inUserData);
_Pragma("clang assume_nonnull end")

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
    AudioConverterRef inAudioConverter, AudioConverterPropertyID inPropertyID, UInt32 *outSize, DarwinBoolean *outWritable);

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

/* ---- AudioToolbox/AudioFile.h ---- */

/* Sound files as packets. WAVE, AIFF, AIFC, CAF and NeXT (AU) are read and written with linear PCM, u-law, A-law and IMA4.
   CAF is also read and written with packets of every format, and MPEG-4 with AAC or Apple Lossless. MPEG layers 1 to 3 and AAC
   (ADTS) are read only. Opening an MPEG or ADTS file, or an MPEG-4 file, reads the headers of all packets. */
#ifndef AUDIOTOOLBOX_AUDIOFILE_H
#define AUDIOTOOLBOX_AUDIOFILE_H
#define __AudioFile_h__ /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_COREAUDIOTYPES_H
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef UInt32 AudioFileTypeID;
typedef UInt32 AudioFilePropertyID;
typedef struct OpaqueAudioFileID *AudioFileID;

/* ---- Types of files ---- */

enum : UInt32 {
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

enum : OSStatus {
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

typedef enum __attribute__((flag_enum, enum_extensibility(open))) AudioFileFlags : UInt32 {
    kAudioFileFlags_EraseFile = 1, /* replaces a file that exists */
    kAudioFileFlags_DontPageAlignAudioData = 2
} AudioFileFlags;

typedef enum __attribute__((enum_extensibility(open))) AudioFilePermissions : SInt8 { kAudioFileReadPermission = 1, kAudioFileWritePermission = 2, kAudioFileReadWritePermission = 3 } AudioFilePermissions;

/* ---- Properties ---- */

enum : UInt32 {
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
enum : UInt32 {
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


typedef enum __attribute__((flag_enum, enum_extensibility(open))) AudioBytePacketTranslationFlags : UInt32 { kBytePacketTranslationFlag_IsEstimate = 1 } AudioBytePacketTranslationFlags;

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

enum : UInt32 { kAudioFileMarkerType_Generic = 0 };

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

enum : UInt32 {
    kAudioFileLoopDirection_NoLooping = 0,
    kAudioFileLoopDirection_Forward = 1,
    kAudioFileLoopDirection_ForwardAndBackward = 2,
    kAudioFileLoopDirection_Backward = 3
};


typedef enum __attribute__((flag_enum, enum_extensibility(open))) AudioFileRegionFlags : UInt32 { kAudioFileRegionFlag_LoopEnable = 1, kAudioFileRegionFlag_PlayForward = 2, kAudioFileRegionFlag_PlayBackward = 4 } AudioFileRegionFlags;

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
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioFile_ReadProc)(
    void *inClientData, SInt64 inPosition, UInt32 requestCount, void *buffer, UInt32 *actualCount);
_Pragma("clang assume_nonnull end")

/* Writes bytes at a position, and writes the number of bytes stored. */
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioFile_WriteProc)(
    void *inClientData, SInt64 inPosition, UInt32 requestCount, const void *buffer, UInt32 *actualCount);
_Pragma("clang assume_nonnull end")

/* Returns the size of the file. */
_Pragma("clang assume_nonnull begin")
typedef SInt64 (*AudioFile_GetSizeProc)(void *inClientData);
_Pragma("clang assume_nonnull end")

/* Sets the size of the file. */
_Pragma("clang assume_nonnull begin")
typedef OSStatus (*AudioFile_SetSizeProc)(void *inClientData, SInt64 inSize);
_Pragma("clang assume_nonnull end")

/* ---- Open and close ---- */

/* Creates a file. Without kAudioFileFlags_EraseFile a file that exists is an error. */
OSStatus AudioFileCreateWithURL(CFURLRef inFileRef, AudioFileTypeID inFileType, const AudioStreamBasicDescription *inFormat,
    AudioFileFlags inFlags, AudioFileID *outAudioFile)
    __attribute__((swift_private));

/* Opens a file. Its contents decide the type. The hint decides when the contents do not; a hint of 0 stands for the type that
   has the extension of the file's name. */
OSStatus AudioFileOpenURL(CFURLRef inFileRef, AudioFilePermissions inPermissions, AudioFileTypeID inFileTypeHint, AudioFileID *outAudioFile)
    __attribute__((swift_private));

/* Creates a file that the callbacks read and write. */
OSStatus AudioFileInitializeWithCallbacks(void *inClientData, AudioFile_ReadProc inReadFunc, AudioFile_WriteProc inWriteFunc,
    AudioFile_GetSizeProc inGetSizeFunc, AudioFile_SetSizeProc inSetSizeFunc, AudioFileTypeID inFileType,
    const AudioStreamBasicDescription *inFormat, AudioFileFlags inFlags, AudioFileID *outAudioFile);

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
    AudioFileID inAudioFile, bool inUseCache, SInt64 inStartingByte, UInt32 *ioNumBytes, void *outBuffer);

/* Writes bytes of the sound. */
OSStatus AudioFileWriteBytes(
    AudioFileID inAudioFile, bool inUseCache, SInt64 inStartingByte, UInt32 *ioNumBytes, const void *inBuffer);

/* Reads the packets that fit. ioNumBytes: room on entry, bytes read on return. Fewer packets than wanted are no
   error; after the last packet the result is kAudioFileEndOfFileError. */
OSStatus AudioFileReadPacketData(AudioFileID inAudioFile, bool inUseCache, UInt32 *ioNumBytes,
    AudioStreamPacketDescription *outPacketDescriptions, SInt64 inStartingPacket, UInt32 *ioNumPackets, void *outBuffer);

/* Reads packets into a buffer with room for this number of packets of MaximumPacketSize. After the last packet there is no
   error, and 0 packets and 0 bytes are read. */
OSStatus AudioFileReadPackets(AudioFileID inAudioFile, bool inUseCache, UInt32 *outNumBytes,
    AudioStreamPacketDescription *outPacketDescriptions, SInt64 inStartingPacket, UInt32 *ioNumPackets, void *outBuffer);

/* Writes packets. ioNumPackets: to write on entry, written on return. inNumBytes is ignored if all packets have one size. If the
   last packet of a sound has fewer frames than others, its mVariableFramesInPacket states them: the file ends with this
   packet. */
OSStatus AudioFileWritePackets(AudioFileID inAudioFile, bool inUseCache, UInt32 inNumBytes,
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

/* ---- AudioToolbox/CAFFile.h ---- */

/* The parts of a CAF file. All numbers in the file are big-endian, and the structures have no padding. An array of one element
   stands for an array whose length is the field before it. */
#ifndef AUDIOTOOLBOX_CAFFILE_H
#define AUDIOTOOLBOX_CAFFILE_H
#define _CAFFile_H_ /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_COREAUDIOTYPES_H
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum : UInt32 { kCAF_FileType = 0x63616666 /* 'caff' */, kCAF_FileVersion_Initial = 1 };

/* mChunkType */
enum : UInt32 {
    kCAF_StreamDescriptionChunkID = 0x64657363, /* 'desc' */
    kCAF_AudioDataChunkID = 0x64617461,         /* 'data' */
    kCAF_ChannelLayoutChunkID = 0x6368616E,     /* 'chan' */
    kCAF_FillerChunkID = 0x66726565,            /* 'free' */
    kCAF_MarkerChunkID = 0x6D61726B,            /* 'mark' */
    kCAF_RegionChunkID = 0x7265676E,            /* 'regn' */
    kCAF_InstrumentChunkID = 0x696E7374,        /* 'inst' */
    kCAF_MagicCookieID = 0x6B756B69,            /* 'kuki' */
    kCAF_InfoStringsChunkID = 0x696E666F,       /* 'info' */
    kCAF_EditCommentsChunkID = 0x65646374,      /* 'edct' */
    kCAF_PacketTableChunkID = 0x70616B74,       /* 'pakt' */
    kCAF_StringsChunkID = 0x73747267,           /* 'strg' */
    kCAF_UUIDChunkID = 0x75756964,              /* 'uuid' */
    kCAF_PeakChunkID = 0x7065616B,              /* 'peak' */
    kCAF_OverviewChunkID = 0x6F767677,          /* 'ovvw' */
    kCAF_MIDIChunkID = 0x6D696469,              /* 'midi' */
    kCAF_UMIDChunkID = 0x756D6964,              /* 'umid' */
    kCAF_FormatListID = 0x6C647363,             /* 'ldsc' */
    kCAF_iXMLChunkID = 0x69584D4C               /* 'iXML' */
};

/* Programs write it behind structures of their own. */
#ifndef ATTRIBUTE_PACKED
#define ATTRIBUTE_PACKED __attribute__((__packed__))
#endif

#pragma pack(push, 1)

typedef struct CAFFileHeader {
    UInt32 mFileType;
    UInt16 mFileVersion;
    UInt16 mFileFlags;
} CAFFileHeader;

/* If the size is negative, the chunk ends at the end of the file. */
typedef struct CAFChunkHeader {
    UInt32 mChunkType;
    SInt64 mChunkSize;
} CAFChunkHeader;

typedef struct CAF_UUID_ChunkHeader {
    CAFChunkHeader mHeader;
    UInt8 mUUID[16];
} CAF_UUID_ChunkHeader;

/* The content of the first chunk. */
/* mFormatFlags and mFlags of CAFRegion */

typedef struct CAFAudioDescription {
    Float64 mSampleRate;
    UInt32 mFormatID;
    UInt32 mFormatFlags; /* of linear PCM: kCAFLinearPCMFormatFlag */
    UInt32 mBytesPerPacket;
    UInt32 mFramesPerPacket;
    UInt32 mChannelsPerFrame;
    UInt32 mBitsPerChannel;
} CAFAudioDescription;

typedef enum __attribute__((flag_enum, enum_extensibility(open))) CAFFormatFlags : UInt32 { kCAFLinearPCMFormatFlagIsFloat = 1 << 0, kCAFLinearPCMFormatFlagIsLittleEndian = 1 << 1 } CAFFormatFlags;

/* An element of the chunk 'ldsc': a further format in which the file can be decoded */
typedef struct CAFAudioFormatListItem {
    CAFAudioDescription mFormat;
    UInt32 mChannelLayoutTag;
} CAFAudioFormatListItem;

/* A packet is described by the number of its bytes, of its frames or both, as integers of variable length. The table has only
   the numbers that are 0 in CAFAudioDescription. */
typedef struct CAFPacketTableHeader {
    SInt64 mNumberPackets;
    SInt64 mNumberValidFrames;
    SInt32 mPrimingFrames;
    SInt32 mRemainderFrames;
    UInt8 mPacketDescriptions[1];
} CAFPacketTableHeader;

typedef struct CAFDataChunk {
    UInt32 mEditCount;
    UInt8 mData[1];
} CAFDataChunk;

/* CAFMarker's mType */
enum : UInt32 {
    kCAFMarkerType_Generic = 0,
    kCAFMarkerType_ProgramStart = 0x70626567,         /* 'pbeg' */
    kCAFMarkerType_ProgramEnd = 0x70656E64,           /* 'pend' */
    kCAFMarkerType_TrackStart = 0x74626567,           /* 'tbeg' */
    kCAFMarkerType_TrackEnd = 0x74656E64,             /* 'tend' */
    kCAFMarkerType_Index = 0x696E6478,                /* 'indx' */
    kCAFMarkerType_RegionStart = 0x72626567,          /* 'rbeg' */
    kCAFMarkerType_RegionEnd = 0x72656E64,            /* 'rend' */
    kCAFMarkerType_RegionSyncPoint = 0x72737963,      /* 'rsyc' */
    kCAFMarkerType_SelectionStart = 0x73626567,       /* 'sbeg' */
    kCAFMarkerType_SelectionEnd = 0x73656E64,         /* 'send' */
    kCAFMarkerType_EditSourceBegin = 0x63626567,      /* 'cbeg' */
    kCAFMarkerType_EditSourceEnd = 0x63656E64,        /* 'cend' */
    kCAFMarkerType_EditDestinationBegin = 0x64626567, /* 'dbeg' */
    kCAFMarkerType_EditDestinationEnd = 0x64656E64,   /* 'dend' */
    kCAFMarkerType_SustainLoopStart = 0x736C6267,     /* 'slbg' */
    kCAFMarkerType_SustainLoopEnd = 0x736C656E,       /* 'slen' */
    kCAFMarkerType_ReleaseLoopStart = 0x726C6267,     /* 'rlbg' */
    kCAFMarkerType_ReleaseLoopEnd = 0x726C656E,       /* 'rlen' */
    kCAFMarkerType_SavedPlayPosition = 0x73706C79,    /* 'sply' */
    kCAFMarkerType_Tempo = 0x746D706F,                /* 'tmpo' */
    kCAFMarkerType_TimeSignature = 0x74736967,        /* 'tsig' */
    kCAFMarkerType_KeySignature = 0x6B736967          /* 'ksig' */
};

/* mSMPTE_TimeType */
enum : UInt32 {
    kCAF_SMPTE_TimeTypeNone = 0,
    kCAF_SMPTE_TimeType24 = 1,
    kCAF_SMPTE_TimeType25 = 2,
    kCAF_SMPTE_TimeType30Drop = 3,
    kCAF_SMPTE_TimeType30 = 4,
    kCAF_SMPTE_TimeType2997 = 5,
    kCAF_SMPTE_TimeType2997Drop = 6,
    kCAF_SMPTE_TimeType60 = 7,
    kCAF_SMPTE_TimeType5994 = 8,
    kCAF_SMPTE_TimeType60Drop = 9,
    kCAF_SMPTE_TimeType5994Drop = 10,
    kCAF_SMPTE_TimeType50 = 11,
    kCAF_SMPTE_TimeType2398 = 12
};

typedef struct CAF_SMPTE_Time {
    SInt8 mHours;
    SInt8 mMinutes;
    SInt8 mSeconds;
    SInt8 mFrames;
    UInt32 mSubFrameSampleOffset;
} CAF_SMPTE_Time;

typedef struct CAFMarker {
    UInt32 mType;
    Float64 mFramePosition;
    UInt32 mMarkerID;
    CAF_SMPTE_Time mSMPTETime;
    UInt32 mChannel;
} CAFMarker;

typedef struct CAFMarkerChunk {
    UInt32 mSMPTE_TimeType;
    UInt32 mNumberMarkers;
    CAFMarker mMarkers[1];
} CAFMarkerChunk;

#define kCAFMarkerChunkHdrSize offsetof(CAFMarkerChunk, mMarkers)

typedef enum __attribute__((flag_enum, enum_extensibility(open))) CAFRegionFlags : UInt32 { kCAFRegionFlag_LoopEnable = 1, kCAFRegionFlag_PlayForward = 2, kCAFRegionFlag_PlayBackward = 4 } CAFRegionFlags;

typedef struct CAFRegion {
    UInt32 mRegionID;
    UInt32 mFlags;
    UInt32 mNumberMarkers;
    CAFMarker mMarkers[1];
} CAFRegion;

/* The region that follows a region. */
#define NextCAFRegion(region) \
    ((CAFRegion *)((char *)(region) + offsetof(CAFRegion, mMarkers) + (region)->mNumberMarkers * sizeof(CAFMarker)))

typedef struct CAFRegionChunk {
    UInt32 mSMPTE_TimeType;
    UInt32 mNumberRegions;
    CAFRegion mRegions[1];
} CAFRegionChunk;

#define kCAFRegionChunkHdrSize offsetof(CAFRegionChunk, mRegions)

typedef struct CAFInstrumentChunk {
    Float32 mBaseNote;
    UInt8 mMIDILowNote;
    UInt8 mMIDIHighNote;
    UInt8 mMIDILowVelocity;
    UInt8 mMIDIHighVelocity;
    Float32 mdBGain;
    UInt32 mStartRegionID;
    UInt32 mSustainRegionID;
    UInt32 mReleaseRegionID;
    UInt32 mInstrumentID;
} CAFInstrumentChunk;

typedef struct CAFStringID {
    UInt32 mStringID;
    SInt64 mStringStartByteOffset;
} CAFStringID;

/* The strings follow the array. Each string ends with 0. */
typedef struct CAFStrings {
    UInt32 mNumEntries;
    CAFStringID mStringsIDs[1];
} CAFStrings;

/* Keys and values follow alternately. Each string ends with 0. */
typedef struct CAFInfoStrings {
    UInt32 mNumEntries;
} CAFInfoStrings;

typedef struct CAFPositionPeak {
    Float32 mValue;
    UInt64 mFrameNumber;
} CAFPositionPeak;

typedef struct CAFPeakChunk {
    UInt32 mEditCount;
    CAFPositionPeak mPeaks[1];
} CAFPeakChunk;

typedef struct CAFOverviewSample {
    SInt16 mMinValue;
    SInt16 mMaxValue;
} CAFOverviewSample;

typedef struct CAFOverviewChunk {
    UInt32 mEditCount;
    UInt32 mNumFramesPerOVWSample;
    CAFOverviewSample mData[1];
} CAFOverviewChunk;

typedef struct CAFUMIDChunk {
    UInt8 mBytes[64];
} CAFUMIDChunk;

#pragma pack(pop)

#ifdef __cplusplus
}
#endif

#endif

/* ---- AudioToolbox/AudioFileStream.h ---- */

/* Parses sound that arrives in pieces: MPEG audio, ADTS, CAF, WAVE, AIFF, AIFC, AU, and MPEG-4 whose header precedes the sound.
   MPEG-4 may consist of fragments. The number and the offsets of packets are then unknown, and AudioFileStreamSeek returns
   ValueUnknown. */
#ifndef AUDIOTOOLBOX_AUDIOFILESTREAM_H
#define AUDIOTOOLBOX_AUDIOFILESTREAM_H
#define __AudioFileStream_h__ /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_AUDIOFILE_H
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef UInt32 AudioFileStreamPropertyID;
typedef struct OpaqueAudioFileStreamID *AudioFileStreamID;


typedef enum __attribute__((flag_enum, enum_extensibility(open))) AudioFileStreamPropertyFlags : UInt32 {
    kAudioFileStreamPropertyFlag_PropertyIsCached = 1, /* on entry: the parser keeps the value */
    kAudioFileStreamPropertyFlag_CacheProperty = 2     /* on return: it shall keep the value */
} AudioFileStreamPropertyFlags;


typedef enum __attribute__((flag_enum, enum_extensibility(open))) AudioFileStreamParseFlags : UInt32 {
    kAudioFileStreamParseFlag_Discontinuity = 1 /* the bytes do not follow those of the last call */
} AudioFileStreamParseFlags;


typedef enum __attribute__((flag_enum, enum_extensibility(open))) AudioFileStreamSeekFlags : UInt32 { kAudioFileStreamSeekFlag_OffsetIsEstimated = 1 } AudioFileStreamSeekFlags;

enum : OSStatus {
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

enum : UInt32 {
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
_Pragma("clang assume_nonnull begin")
typedef void (*AudioFileStream_PropertyListenerProc)(void *inClientData, AudioFileStreamID inAudioFileStream,
    AudioFileStreamPropertyID inPropertyID, AudioFileStreamPropertyFlags *ioFlags);
_Pragma("clang assume_nonnull end")

/* Called in AudioFileStreamParseBytes with whole packets. The descriptions are NULL if all packets have
   the same size. */
_Pragma("clang assume_nonnull begin")
typedef void (*AudioFileStream_PacketsProc)(void *inClientData, UInt32 inNumberBytes, UInt32 inNumberPackets,
    const void *inInputData, AudioStreamPacketDescription *_Nullable inPacketDescriptions);
_Pragma("clang assume_nonnull end")

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
    UInt32 *outPropertyDataSize, DarwinBoolean *outWritable);

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

/* ---- AudioToolbox/ExtendedAudioFile.h ---- */

/* Sound files as linear PCM: an AudioFile and an AudioConverter in one. */
#ifndef AUDIOTOOLBOX_EXTENDEDAUDIOFILE_H
#define AUDIOTOOLBOX_EXTENDEDAUDIOFILE_H
#define __ExtendedAudioFile_h__ /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_AUDIOFILE_H
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OpaqueExtAudioFile *ExtAudioFileRef;
typedef UInt32 ExtAudioFilePropertyID;

enum : UInt32 {
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

enum : OSStatus {
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
OSStatus ExtAudioFileOpenURL(CFURLRef inURL, ExtAudioFileRef *outExtAudioFile)
    __attribute__((swift_private));

/* Reads or writes an open file, which the program closes after ExtAudioFileDispose. */
OSStatus ExtAudioFileWrapAudioFileID(AudioFileID inFileID, bool inForWriting, ExtAudioFileRef *outExtAudioFile);

/* Creates a file. Without kAudioFileFlags_EraseFile a file that exists is an error. */
OSStatus ExtAudioFileCreateWithURL(CFURLRef inURL, AudioFileTypeID inFileType, const AudioStreamBasicDescription *inStreamDesc,
    const AudioChannelLayout *inChannelLayout, UInt32 inFlags, ExtAudioFileRef *outExtAudioFile)
    __attribute__((swift_private));

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
    ExtAudioFileRef inExtAudioFile, ExtAudioFilePropertyID inPropertyID, UInt32 *outSize, DarwinBoolean *outWritable);

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

/* ---- AudioToolbox/AudioQueue.h ---- */

/* Audio queues play and record buffers. A queue plays and records interleaved linear PCM, u-law, A-law and IMA4. It also plays
   DVI ADPCM and the formats that codec modules decode, and records the formats that they encode. Rates are 4 to 192 kHz, with 1
   to 8 channels. Any other format is kAudioFormatUnsupportedDataFormatError, and a format without its codec module
   kAudioQueueErr_CodecNotFound. A Pitch other than 0, processing taps and offline rendering are not supported and return an
   error.

   Every function accepts any value as a queue: for NULL and a value that never was a queue it returns kAudio_ParamError, for a
   disposed queue kAudioQueueErr_QueueInvalidated. */
#ifndef AUDIOTOOLBOX_AUDIOQUEUE_H
#define AUDIOTOOLBOX_AUDIOQUEUE_H
#define __AudioQueue_h__ /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_COREAUDIOTYPES_H
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef UInt32 AudioQueuePropertyID;
typedef UInt32 AudioQueueParameterID;
typedef Float32 AudioQueueParameterValue;
typedef struct OpaqueAudioQueue *AudioQueueRef;
typedef struct OpaqueAudioQueueTimeline *AudioQueueTimelineRef;
typedef struct OpaqueAudioQueueProcessingTap *AudioQueueProcessingTapRef;

/* ---- Results ---- */

enum : OSStatus {
    kAudioQueueErr_InvalidBuffer = -66687, /* not a buffer of this queue */
    kAudioQueueErr_BufferEmpty = -66686,
    kAudioQueueErr_DisposalPending = -66685,
    kAudioQueueErr_InvalidProperty = -66684,
    kAudioQueueErr_InvalidPropertySize = -66683,
    kAudioQueueErr_InvalidParameter = -66682,
    kAudioQueueErr_CannotStart = -66681,
    kAudioQueueErr_InvalidDevice = -66680,
    kAudioQueueErr_BufferInQueue = -66679, /* an enqueued buffer cannot be freed */
    kAudioQueueErr_InvalidRunState = -66678,
    kAudioQueueErr_InvalidQueueType = -66677, /* for playing queues only */
    kAudioQueueErr_Permissions = -66676,
    kAudioQueueErr_InvalidPropertyValue = -66675,
    kAudioQueueErr_PrimeTimedOut = -66674,
    kAudioQueueErr_CodecNotFound = -66673, /* AUDIOSESSION_DEBUG=1 logs the package of the codec module */
    kAudioQueueErr_InvalidCodecAccess = -66672,
    kAudioQueueErr_QueueInvalidated = -66671,
    kAudioQueueErr_TooManyTaps = -66670,
    kAudioQueueErr_InvalidTapContext = -66669,
    kAudioQueueErr_RecordUnderrun = -66668,
    kAudioQueueErr_InvalidTapType = -66667,
    kAudioQueueErr_BufferEnqueuedTwice = -66666,
    kAudioQueueErr_CannotStartYet = -66665,     /* no function returns it: a start waits */
    kAudioQueueErr_EnqueueDuringReset = -66632, /* while AudioQueueStop or AudioQueueReset hands buffers back */
    kAudioQueueErr_InvalidOfflineMode = -66626
};

/* ---- Properties ---- */

/* A paused queue runs; an interrupted queue does not.
   A CurrentDevice other than NULL is kAudioQueueErr_InvalidDevice. Levels are measured before volume and pan:
   averages of 0.1 s, and peaks that fall in 0.4 s. ConverterError is set by each packet that cannot be decoded or encoded, which
   is silence or lost; its listeners are called for the first error of a kind since the start, the last stop or reset.
   EnableTimePitch and HardwareCodecPolicy can be set while the queue is stopped or interrupted, else InvalidRunState. */

enum : UInt32 {
    kAudioQueueProperty_IsRunning =
        0x6171726E, /* 'aqrn': UInt32, get and listen: from the first sound on until the last one was heard */
    kAudioQueueDeviceProperty_SampleRate = 0x61717372,        /* 'aqsr': Float64, get: of the device */
    kAudioQueueDeviceProperty_NumberChannels = 0x61716463,    /* 'aqdc': UInt32, get: of the device */
    kAudioQueueProperty_CurrentDevice = 0x61716364,           /* 'aqcd': CFStringRef: NULL, the route's device */
    kAudioQueueProperty_MagicCookie = 0x61716D63,             /* 'aqmc': bytes, get; set before the first buffer */
    kAudioQueueProperty_MaximumOutputPacketSize = 0x786F7073, /* 'xops': UInt32, get: of the largest packet */
    kAudioQueueProperty_StreamDescription = 0x61716674,       /* 'aqft': AudioStreamBasicDescription, get */
    kAudioQueueProperty_ChannelLayout = 0x6171636C,           /* 'aqcl': AudioChannelLayout, get and set */
    kAudioQueueProperty_EnableLevelMetering = 0x61716D65,     /* 'aqme': UInt32, get and set */
    kAudioQueueProperty_CurrentLevelMeter = 0x61716D76,       /* 'aqmv': AudioQueueLevelMeterState array, get: 0 to 1 */
    kAudioQueueProperty_CurrentLevelMeterDB = 0x61716D64,     /* 'aqmd': AudioQueueLevelMeterState array, get: -160 to 0 dB */
    kAudioQueueProperty_DecodeBufferSizeFrames = 0x64636266,  /* 'dcbf': UInt32, get and set */
    kAudioQueueProperty_ConverterError = 0x71637665,          /* 'qcve': UInt32, get and listen: the last one */
    kAudioQueueProperty_EnableTimePitch = 0x715F7470,         /* 'q_tp': UInt32, get and set: 1 lets PlayRate change the speed */
    kAudioQueueProperty_TimePitchAlgorithm = 0x71747061,      /* 'qtpa': is refused */
    kAudioQueueProperty_TimePitchBypass = 0x71747062,         /* 'qtpb': is refused */
    kAudioQueueProperty_HardwareCodecPolicy = 0x61716370,     /* 'aqcp': UInt32, get and set: all are software */
    kAudioQueueProperty_ChannelAssignments = 0x61716361       /* 'aqca': is refused */
};

enum : UInt32 {
    kAudioQueueTimePitchAlgorithm_Spectral = 0x73706563,             /* 'spec' */
    kAudioQueueTimePitchAlgorithm_TimeDomain = 0x7469646F,           /* 'tido' */
    kAudioQueueTimePitchAlgorithm_Varispeed = 0x76737064,            /* 'vspd' */
    kAudioQueueTimePitchAlgorithm_LowQualityZeroLatency = 0x6C717A6C /* 'lqzl' */
};

enum : UInt32 {
    kAudioQueueHardwareCodecPolicy_Default = 0,
    kAudioQueueHardwareCodecPolicy_UseSoftwareOnly = 1,
    kAudioQueueHardwareCodecPolicy_UseHardwareOnly = 2,
    kAudioQueueHardwareCodecPolicy_PreferSoftware = 3,
    kAudioQueueHardwareCodecPolicy_PreferHardware = 4
};

/* ---- Parameters ---- */

/* A volume or a pan out of its range is replaced by the nearest value in it. A change during sound takes at least
   5 ms. The pan is a linear balance: the gain of the opposite side falls linearly from 1 in the middle to 0, the gain of the
   near side stays 1. It has no effect on a queue of more than two channels. A PlayRate other than 1
   without EnableTimePitch, and another Pitch, are kAudioQueueErr_InvalidParameter. */

enum : UInt32 {
    kAudioQueueParam_Volume = 1,         /* 0 to 1 */
    kAudioQueueParam_PlayRate = 2,       /* with EnableTimePitch 0.5 to 2: the speed, without a change of the pitch */
    kAudioQueueParam_Pitch = 3,          /* 0 */
    kAudioQueueParam_VolumeRampTime = 4, /* seconds until a new volume is reached */
    kAudioQueueParam_Pan = 13            /* -1 left, 1 right */
};

typedef struct AudioQueueParameterEvent {
    AudioQueueParameterID mID;
    AudioQueueParameterValue mValue;
} AudioQueueParameterEvent;

typedef struct AudioQueueLevelMeterState {
    Float32 mAveragePower;
    Float32 mPeakPower;
} AudioQueueLevelMeterState;

typedef struct AudioQueueChannelAssignment {
    CFStringRef mDeviceUID;
    UInt32 mChannelNumber;
} AudioQueueChannelAssignment;

/* ---- Buffers ---- */

/* The queue allocates buffers, and frees them when it is disposed at the latest. The program must not change the
   capacities and the addresses. The program sets the sizes of buffers to play, the queue those of recorded buffers. */
typedef struct AudioQueueBuffer {
    UInt32 mAudioDataBytesCapacity;
    void *_Nonnull mAudioData;
    UInt32 mAudioDataByteSize;
    void *mUserData;
    UInt32 mPacketDescriptionCapacity;
    AudioStreamPacketDescription *mPacketDescriptions;
    UInt32 mPacketDescriptionCount;
} AudioQueueBuffer;
typedef AudioQueueBuffer *AudioQueueBufferRef;

/* ---- Callbacks ---- */

/* Called when a buffer was played, on the run loop given at creation, else on the queue's own thread. */
_Pragma("clang assume_nonnull begin")
typedef void (*AudioQueueOutputCallback)(void *_Nullable inUserData, AudioQueueRef inAQ, AudioQueueBufferRef inBuffer);
_Pragma("clang assume_nonnull end")

/* Called on the same run loop or thread when a buffer was recorded, with the number of its whole packets. The descriptions are
   NULL if all packets have one size; otherwise they are valid until the return, and also in a buffer with room for them. */
_Pragma("clang assume_nonnull begin")
typedef void (*AudioQueueInputCallback)(void *_Nullable inUserData, AudioQueueRef inAQ, AudioQueueBufferRef inBuffer,
    const AudioTimeStamp *inStartTime, UInt32 inNumberPacketDescriptions, const AudioStreamPacketDescription *_Nullable inPacketDescs);
_Pragma("clang assume_nonnull end")

/* Called after the property has changed, on the run loop or thread of the callback for buffers. */
_Pragma("clang assume_nonnull begin")
typedef void (*AudioQueuePropertyListenerProc)(void *_Nullable inUserData, AudioQueueRef inAQ, AudioQueuePropertyID inID);
_Pragma("clang assume_nonnull end")

/* Is never called: there are no taps. */
_Pragma("clang assume_nonnull begin")
typedef void (*AudioQueueProcessingTapCallback)(void *inClientData, AudioQueueProcessingTapRef inAQTap, UInt32 inNumberFrames,
    AudioTimeStamp *ioTimeStamp, AudioQueueProcessingTapFlags *ioFlags, UInt32 *outNumberFrames, AudioBufferList *ioData);
_Pragma("clang assume_nonnull end")

/* ---- Queues and buffers ---- */

/* Makes a queue that plays. Sizes of linear PCM that follow from its channels and bits may be 0. Without a run loop (NULL) callbacks are called on the queue's own thread. NULL as the
   mode: the common modes. The flags are 0. */
OSStatus AudioQueueNewOutput(const AudioStreamBasicDescription *inFormat, AudioQueueOutputCallback inCallbackProc,
    void *inUserData, CFRunLoopRef inCallbackRunLoop, CFStringRef inCallbackRunLoopMode, UInt32 inFlags, AudioQueueRef *outAQ)
    __attribute__((swift_private));

/* Makes a queue that records. A rate of 0 stands for the hardware's rate, which StreamDescription contains. */
OSStatus AudioQueueNewInput(const AudioStreamBasicDescription *inFormat, AudioQueueInputCallback inCallbackProc, void *inUserData,
    CFRunLoopRef inCallbackRunLoop, CFStringRef inCallbackRunLoopMode, UInt32 inFlags, AudioQueueRef *outAQ)
    __attribute__((swift_private));

/* For compilers with blocks. The same queues, which call a block on a dispatch queue. The flags are 0. In a process without
   libdispatch or libBlocksRuntime the result is kAudio_UnimplementedError. */
#if defined(__BLOCKS__) || defined(CAUDIOTOOLBOX_FOR_SWIFT_H)
#ifdef CAUDIOTOOLBOX_FOR_SWIFT_H
typedef const void *AudioQueueOutputCallbackBlock;
typedef const void *AudioQueueInputCallbackBlock;
#else
typedef void (^AudioQueueOutputCallbackBlock)(AudioQueueRef inAQ, AudioQueueBufferRef inBuffer);
typedef void (^AudioQueueInputCallbackBlock)(AudioQueueRef inAQ, AudioQueueBufferRef inBuffer, const AudioTimeStamp *inStartTime,
    UInt32 inNumberPacketDescriptions, const AudioStreamPacketDescription *inPacketDescs);
#endif

/* The type of libdispatch: dispatch_queue_t is a pointer to it. */
struct dispatch_queue_s;

/* Makes a queue that plays. */
OSStatus AudioQueueNewOutputWithDispatchQueue(AudioQueueRef *outAQ, const AudioStreamBasicDescription *inFormat, UInt32 inFlags,
    struct dispatch_queue_s *inCallbackDispatchQueue, AudioQueueOutputCallbackBlock inCallbackBlock);

/* Makes a queue that records. */
OSStatus AudioQueueNewInputWithDispatchQueue(AudioQueueRef *outAQ, const AudioStreamBasicDescription *inFormat, UInt32 inFlags,
    struct dispatch_queue_s *inCallbackDispatchQueue, AudioQueueInputCallbackBlock inCallbackBlock);
#endif

/* Frees the queue and its buffers: now, or after the enqueued sound was played. No callback is called after the return, except
   the one that calls this function. If the queue continues to play, its buffers are freed without callbacks. */
OSStatus AudioQueueDispose(AudioQueueRef inAQ, bool inImmediate);

/* Allocates a buffer. */
OSStatus AudioQueueAllocateBuffer(AudioQueueRef inAQ, UInt32 inBufferByteSize, AudioQueueBufferRef *outBuffer);

/* Allocates a buffer with room for packet descriptions. */
OSStatus AudioQueueAllocateBufferWithPacketDescriptions(
    AudioQueueRef inAQ, UInt32 inBufferByteSize, UInt32 inNumberPacketDescriptions, AudioQueueBufferRef *outBuffer);

/* Frees a buffer that is not enqueued. */
OSStatus AudioQueueFreeBuffer(AudioQueueRef inAQ, AudioQueueBufferRef inBuffer);

/* Appends a buffer, before or after the start. A playing queue reads mAudioDataByteSize in this call; a buffer with 0
   bytes is returned in its turn. A recording queue fills the capacity with whole packets. The packets of codec modules need
   descriptions: the given ones, else the first mPacketDescriptionCount ones of the buffer. Missing descriptions, and a packet
   beyond mAudioDataByteSize, are kAudio_ParamError; a damaged packet is silence. For other formats descriptions are ignored:
   all packets have one size. After a Stop that waits for the last buffer, and until the queue has stopped, the result is
   kAudioQueueErr_EnqueueDuringReset. */
OSStatus AudioQueueEnqueueBuffer(
    AudioQueueRef inAQ, AudioQueueBufferRef inBuffer, UInt32 inNumPacketDescs, const AudioStreamPacketDescription *inPacketDescs);

/* Appends a buffer without the frames to trim, with parameters that apply from its first frame on, and
   writes the time at which it will be played. The start time is a time of the queue, in frames: before it silence is played. A
   time before that of an earlier buffer is kAudioQueueErr_InvalidParameter. A recording queue returns
   kAudioQueueErr_InvalidQueueType. */
OSStatus AudioQueueEnqueueBufferWithParameters(AudioQueueRef inAQ, AudioQueueBufferRef inBuffer, UInt32 inNumPacketDescs,
    const AudioStreamPacketDescription *inPacketDescs, UInt32 inTrimFramesAtStart, UInt32 inTrimFramesAtEnd,
    UInt32 inNumParamValues, const AudioQueueParameterEvent *inParamValues, const AudioTimeStamp *inStartTime,
    AudioTimeStamp *outActualStartTime);

/* ---- Start and stop ---- */

/* Starts or resumes, and activates the audio session; if the session refuses, its result code is returned.
   NULL: as soon as possible; otherwise host time, or frames of the device. After an interruption the queue continues with the
   next frame; at most two slices that the device had not played are lost. On a route without a device the sound is discarded in
   real time until a device arrives. The start of a running queue cancels a stop that waits
   for the last buffer, and that of a paused queue continues it. A queue that runs out of buffers plays silence. */
OSStatus AudioQueueStart(AudioQueueRef inAQ, const AudioTimeStamp *inStartTime);

/* Writes the number of decoded frames, at most the given number unless it is 0. A buffer is decoded when it is enqueued, up
   to a second of sound ahead. */
OSStatus AudioQueuePrime(AudioQueueRef inAQ, UInt32 inNumberOfFramesToPrepare, UInt32 *outNumberOfFramesPrepared);

/* Stops: now, and all buffers are returned on the calling thread before the return, also those that a callback enqueues which
   runs on another thread: it returns first. Or after the enqueued buffers were played or filled. A queue that does not run
   remembers this: the next start plays or fills its buffers, and the queue stops, unless a further buffer is enqueued before.
   A paused queue returns its buffers by callbacks. */
OSStatus AudioQueueStop(AudioQueueRef inAQ, bool inImmediate);

/* Stops the sound and keeps buffers and position. AudioQueueStart resumes. A fade of 5 ms avoids a click. */
OSStatus AudioQueuePause(AudioQueueRef inAQ);

/* Ends the packets of a queue that records with a codec module: the frames recorded so far are encoded, also those of an
   incomplete packet, and returned by callbacks. No effect on other queues: a decoder stores no frames, and the last frames of
   the rate conversion are always played. */
OSStatus AudioQueueFlush(AudioQueueRef inAQ);

/* Returns all buffers on the calling thread, after a callback that runs on another thread, and drops their sound. A running
   queue continues to run. */
OSStatus AudioQueueReset(AudioQueueRef inAQ);

/* ---- Parameters and properties ---- */

/* Writes a parameter. */
OSStatus AudioQueueGetParameter(AudioQueueRef inAQ, AudioQueueParameterID inParamID, AudioQueueParameterValue *outValue);

/* Sets a parameter of a playing queue. */
OSStatus AudioQueueSetParameter(AudioQueueRef inAQ, AudioQueueParameterID inParamID, AudioQueueParameterValue inValue);

/* Writes a property. ioDataSize: room on entry, the value's size on return. */
OSStatus AudioQueueGetProperty(AudioQueueRef inAQ, AudioQueuePropertyID inID, void *outData, UInt32 *ioDataSize);

/* Sets a property. */
OSStatus AudioQueueSetProperty(AudioQueueRef inAQ, AudioQueuePropertyID inID, const void *inData, UInt32 inDataSize);

/* Writes the size of a property. */
OSStatus AudioQueueGetPropertySize(AudioQueueRef inAQ, AudioQueuePropertyID inID, UInt32 *outDataSize);

/* Registers a listener. */
OSStatus AudioQueueAddPropertyListener(
    AudioQueueRef inAQ, AudioQueuePropertyID inID, AudioQueuePropertyListenerProc inProc, void *inUserData);

/* Removes the listener with this procedure and data. */
OSStatus AudioQueueRemovePropertyListener(
    AudioQueueRef inAQ, AudioQueuePropertyID inID, AudioQueuePropertyListenerProc inProc, void *inUserData);

/* ---- Time ---- */

/* Makes a timeline, which reports gaps in the sound. */
OSStatus AudioQueueCreateTimeline(AudioQueueRef inAQ, AudioQueueTimelineRef *outTimeline);

/* Frees a timeline. */
OSStatus AudioQueueDisposeTimeline(AudioQueueRef inAQ, AudioQueueTimelineRef inTimeline);

/* Writes the number of frames played since the start, and whether the sound had a gap since the last call. The
   timeline may be NULL. kAudioQueueErr_InvalidRunState before the first start, 'stop' after a stop. */
OSStatus AudioQueueGetCurrentTime(
    AudioQueueRef inAQ, AudioQueueTimelineRef inTimeline, AudioTimeStamp *outTimeStamp, DarwinBoolean *outTimelineDiscontinuity);

/* Writes the present time of the device. Its frames are counted while any queue of this direction runs; otherwise the time
   stamp has the host time only. */
OSStatus AudioQueueDeviceGetCurrentTime(AudioQueueRef inAQ, AudioTimeStamp *outTimeStamp);

/* Translates a time of the device between frames and host time. kAudioQueueErr_InvalidRunState while no queue of this direction
   runs. */
OSStatus AudioQueueDeviceTranslateTime(AudioQueueRef inAQ, const AudioTimeStamp *inTime, AudioTimeStamp *outTime);

/* Replaces a start time with the nearest time that the device can reach. The flags are 0. kAudioQueueErr_InvalidRunState while no
   queue of this direction runs. */
OSStatus AudioQueueDeviceGetNearestStartTime(AudioQueueRef inAQ, AudioTimeStamp *ioRequestedStartTime, UInt32 inFlags);

/* ---- Offline rendering and taps: errors ---- */

typedef enum __attribute__((flag_enum, enum_extensibility(open))) AudioQueueProcessingTapFlags : UInt32 {
    kAudioQueueProcessingTap_PreEffects = 1 << 0,
    kAudioQueueProcessingTap_PostEffects = 1 << 1,
    kAudioQueueProcessingTap_Siphon = 1 << 2,
    kAudioQueueProcessingTap_StartOfStream = 1 << 8,
    kAudioQueueProcessingTap_EndOfStream = 1 << 9
} AudioQueueProcessingTapFlags;

/* Returns kAudioQueueErr_InvalidOfflineMode. */
OSStatus AudioQueueSetOfflineRenderFormat(
    AudioQueueRef inAQ, const AudioStreamBasicDescription *inFormat, const AudioChannelLayout *inLayout);

/* Returns kAudioQueueErr_InvalidOfflineMode. */
OSStatus AudioQueueOfflineRender(
    AudioQueueRef inAQ, const AudioTimeStamp *inTimestamp, AudioQueueBufferRef ioBuffer, UInt32 inNumberFrames);

/* Returns kAudioQueueErr_TooManyTaps. */
OSStatus AudioQueueProcessingTapNew(AudioQueueRef inAQ, AudioQueueProcessingTapCallback inCallback, void *inClientData,
    AudioQueueProcessingTapFlags inFlags, UInt32 *outMaxFrames, AudioStreamBasicDescription *outProcessingFormat, AudioQueueProcessingTapRef *outAQTap);

/* Returns kAudioQueueErr_InvalidTapContext. */
OSStatus AudioQueueProcessingTapDispose(AudioQueueProcessingTapRef inAQTap);

/* Returns kAudioQueueErr_InvalidTapContext. */
OSStatus AudioQueueProcessingTapGetSourceAudio(AudioQueueProcessingTapRef inAQTap, UInt32 inNumberFrames,
    AudioTimeStamp *ioTimeStamp, AudioQueueProcessingTapFlags *outFlags, UInt32 *outNumberFrames, AudioBufferList *ioData);

/* Returns kAudioQueueErr_InvalidTapContext. */
OSStatus AudioQueueProcessingTapGetQueueTime(
    AudioQueueProcessingTapRef inAQTap, Float64 *outQueueSampleTime, UInt32 *outQueueFrameCount);

#ifdef __cplusplus
}
#endif

#endif

/* ---- AudioToolbox/SystemSounds.h ---- */

/* System sounds: short files that play at once. A new sound ends the sound that plays now. They are no part of the program's
   session: they activate and interrupt nothing, and the silent switch, the lock and a call silence them.
   AudioToolbox/AudioServices.h includes this file. */
#ifndef AUDIOTOOLBOX_SYSTEMSOUNDS_H
#define AUDIOTOOLBOX_SYSTEMSOUNDS_H

#ifndef AUDIOTOOLBOX_COREAUDIOTYPES_H
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef UInt32 SystemSoundID;
typedef UInt32 AudioServicesPropertyID;

enum : OSStatus {
    kAudioServicesNoError = 0,
    kAudioServicesUnsupportedPropertyError = 0x7074793F, /* 'pty?' */
    kAudioServicesBadPropertySizeError = 0x2173697A,     /* '!siz' */
    kAudioServicesBadSpecifierSizeError = 0x21737063,    /* '!spc' */
    kAudioServicesSystemSoundUnspecifiedError = -1500,
    kAudioServicesSystemSoundClientTimedOutError = -1501,
    kAudioServicesSystemSoundExceededMaximumDurationError = -1502 /* later systems'; here the result is -1500 */
};

enum : UInt32 {
    kSystemSoundID_FlashScreen = 0xFFE,         /* does nothing */
    kSystemSoundID_Vibrate = 0xFFF,             /* a line in the log */
    kSystemSoundID_UserPreferredAlert = 0x1000, /* there is none: silence */
    kUserPreferredAlert = kSystemSoundID_UserPreferredAlert
};

/* The specifier is a SystemSoundID. */
enum : UInt32 {
    kAudioServicesPropertyIsUISound = 0x69737569,                /* 'isui': UInt32, get and set: has no effect */
    kAudioServicesPropertyCompletePlaybackIfAppDies = 0x69666469 /* 'ifdi': UInt32, get and set: has no effect */
};

/* Called on the run loop after the sound was played. */
_Pragma("clang assume_nonnull begin")
typedef void (*AudioServicesSystemSoundCompletionProc)(SystemSoundID ssID, void *_Nullable clientData);
_Pragma("clang assume_nonnull end")

/* Loads a sound file of up to 30 seconds, of each type and format that ExtAudioFile reads. Any other file is
   kAudioServicesSystemSoundUnspecifiedError. */
OSStatus AudioServicesCreateSystemSoundID(CFURLRef inFileURL, SystemSoundID *outSystemSoundID)
    __attribute__((swift_private));

/* Stops the sound and frees it. */
OSStatus AudioServicesDisposeSystemSoundID(SystemSoundID inSystemSoundID);

/* Plays a sound and vibrates. Returns at once. */
void AudioServicesPlayAlertSound(SystemSoundID inSystemSoundID);

/* Plays a sound. Returns at once. */
void AudioServicesPlaySystemSound(SystemSoundID inSystemSoundID);

/* Registers a procedure for the end of a sound. NULL as the run loop: the main run loop or, in a process without
   CoreFoundation, a thread of the library. NULL as the mode: the default mode. If no sound has the
   number, the result is kAudioServicesSystemSoundUnspecifiedError, except for the constants kSystemSoundID_... */
OSStatus AudioServicesAddSystemSoundCompletion(SystemSoundID inSystemSoundID, CFRunLoopRef inRunLoop, CFStringRef inRunLoopMode,
    AudioServicesSystemSoundCompletionProc inCompletionRoutine, void *inClientData)
    __attribute__((swift_private));

/* Removes the procedure of a sound. */
void AudioServicesRemoveSystemSoundCompletion(SystemSoundID inSystemSoundID);

/* Writes the size of a property and whether it can be set. Either pointer may be NULL. */
OSStatus AudioServicesGetPropertyInfo(AudioServicesPropertyID inPropertyID, UInt32 inSpecifierSize, const void *inSpecifier,
    UInt32 *outPropertyDataSize, DarwinBoolean *outWritable);

/* Writes a property. ioPropertyDataSize: room on entry, the value's size on return. */
OSStatus AudioServicesGetProperty(AudioServicesPropertyID inPropertyID, UInt32 inSpecifierSize, const void *inSpecifier,
    UInt32 *ioPropertyDataSize, void *outPropertyData);

/* Sets a property. */
OSStatus AudioServicesSetProperty(AudioServicesPropertyID inPropertyID, UInt32 inSpecifierSize, const void *inSpecifier,
    UInt32 inPropertyDataSize, const void *inPropertyData);

#ifdef __cplusplus
}
#endif

#endif

/* ---- AudioToolbox/MusicPlayer.h ---- */

/* The types and numbers of sequences of notes. This library has no sequencer. Therefore the functions, such as NewMusicSequence
   and MusicPlayerStart, are not declared. */
#ifndef AUDIOTOOLBOX_MUSICPLAYER_H
#define AUDIOTOOLBOX_MUSICPLAYER_H
#define __MusicPlayer /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_AUGRAPH_H
#endif
#ifndef AUDIOTOOLBOX_MUSICDEVICE_H
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OpaqueMusicPlayer *MusicPlayer;
typedef struct OpaqueMusicSequence *MusicSequence;
typedef struct OpaqueMusicTrack *MusicTrack;
typedef struct OpaqueMusicEventIterator *MusicEventIterator;

/* Beats, in a sequence of kMusicSequenceType_Beats */
typedef Float64 MusicTimeStamp;

#define kMusicTimeStamp_EndOfTrack DBL_MAX

/* ---- Events ---- */

typedef UInt32 MusicEventType;

enum : UInt32 {
    kMusicEventType_NULL = 0,
    kMusicEventType_ExtendedNote = 1,       /* ExtendedNoteOnEvent */
    kMusicEventType_ExtendedTempo = 3,      /* ExtendedTempoEvent */
    kMusicEventType_User = 4,               /* MusicEventUserData */
    kMusicEventType_Meta = 5,               /* MIDIMetaEvent */
    kMusicEventType_MIDINoteMessage = 6,    /* MIDINoteMessage */
    kMusicEventType_MIDIChannelMessage = 7, /* MIDIChannelMessage */
    kMusicEventType_MIDIRawData = 8,        /* MIDIRawData */
    kMusicEventType_Parameter = 9,          /* ParameterEvent */
    kMusicEventType_AUPreset = 10           /* AUPresetEvent */
};

typedef struct MIDINoteMessage {
    UInt8 channel;
    UInt8 note;
    UInt8 velocity;
    UInt8 releaseVelocity;
    Float32 duration; /* in beats */
} MIDINoteMessage;

typedef struct MIDIChannelMessage {
    UInt8 status; /* the message and its channel */
    UInt8 data1;
    UInt8 data2;
    UInt8 reserved;
} MIDIChannelMessage;

typedef struct MIDIRawData {
    UInt32 length;
    UInt8 data[1];
} MIDIRawData;

typedef struct MIDIMetaEvent {
    UInt8 metaEventType;
    UInt8 unused1;
    UInt8 unused2;
    UInt8 unused3;
    UInt32 dataLength;
    UInt8 data[1];
} MIDIMetaEvent;

typedef struct MusicEventUserData {
    UInt32 length;
    UInt8 data[1];
} MusicEventUserData;

typedef struct ExtendedNoteOnEvent {
    MusicDeviceInstrumentID instrumentID;
    MusicDeviceGroupID groupID;
    Float32 duration;
    MusicDeviceNoteParams extendedParams;
} ExtendedNoteOnEvent;

typedef struct ParameterEvent {
    AudioUnitParameterID parameterID;
    AudioUnitScope scope;
    AudioUnitElement element;
    AudioUnitParameterValue value;
} ParameterEvent;

typedef struct ExtendedTempoEvent {
    Float64 bpm; /* beats a minute */
} ExtendedTempoEvent;

typedef struct AUPresetEvent {
    AudioUnitScope scope;
    AudioUnitElement element;
    CFPropertyListRef preset;
} AUPresetEvent;

/* A place in a bar. The first bar and the first beat are 1. */
typedef struct CABarBeatTime {
    SInt32 bar;
    UInt16 beat;
    UInt16 subbeat;
    UInt16 subbeatDivisor;
    UInt16 reserved;
} CABarBeatTime;

_Pragma("clang assume_nonnull begin")
typedef void (*MusicSequenceUserCallback)(void *_Nullable inClientData, MusicSequence inSequence, MusicTrack inTrack,
    MusicTimeStamp inEventTime, const MusicEventUserData *inEventData, MusicTimeStamp inStartSliceBeat,
    MusicTimeStamp inEndSliceBeat);
_Pragma("clang assume_nonnull end")

/* ---- Sequences and their files ---- */


typedef enum __attribute__((enum_extensibility(open))) MusicSequenceType : UInt32 {
    kMusicSequenceType_Beats = 0x62656174,   /* 'beat' */
    kMusicSequenceType_Seconds = 0x73656373, /* 'secs' */
    kMusicSequenceType_Samples = 0x73616D70  /* 'samp' */
} MusicSequenceType;


typedef enum __attribute__((flag_enum, enum_extensibility(open))) MusicSequenceLoadFlags : UInt32 { kMusicSequenceLoadSMF_PreserveTracks = 0, kMusicSequenceLoadSMF_ChannelsToTracks = 1 << 0 } MusicSequenceLoadFlags;


typedef enum __attribute__((enum_extensibility(open))) MusicSequenceFileTypeID : UInt32 {
    kMusicSequenceFile_AnyType = 0,
    kMusicSequenceFile_MIDIType = 0x6D696469,   /* 'midi' */
    kMusicSequenceFile_iMelodyType = 0x696D656C /* 'imel' */
} MusicSequenceFileTypeID;


typedef enum __attribute__((flag_enum, enum_extensibility(open))) MusicSequenceFileFlags : UInt32 { kMusicSequenceFileFlags_Default = 0, kMusicSequenceFileFlags_EraseFile = 1 } MusicSequenceFileFlags;

/* ---- Tracks ---- */

enum : UInt32 {
    kSequenceTrackProperty_LoopInfo = 0,            /* MusicTrackLoopInfo */
    kSequenceTrackProperty_OffsetTime = 1,          /* MusicTimeStamp */
    kSequenceTrackProperty_MuteStatus = 2,          /* Boolean */
    kSequenceTrackProperty_SoloStatus = 3,          /* Boolean */
    kSequenceTrackProperty_AutomatedParameters = 4, /* UInt32 */
    kSequenceTrackProperty_TrackLength = 5,         /* MusicTimeStamp */
    kSequenceTrackProperty_TimeResolution = 6       /* SInt16 */
};

typedef struct MusicTrackLoopInfo {
    MusicTimeStamp loopDuration;
    SInt32 numberOfLoops; /* 0 loops forever */
} MusicTrackLoopInfo;

/* ---- Results ---- */

enum : OSStatus {
    kAudioToolboxErr_CannotDoInCurrentContext = -10863,
    kAudioToolboxError_NoTrackDestination = -66720,
    kAudioToolboxErr_TrackIndexError = -10859,
    kAudioToolboxErr_TrackNotFound = -10858,
    kAudioToolboxErr_EndOfTrack = -10857,
    kAudioToolboxErr_StartOfTrack = -10856,
    kAudioToolboxErr_IllegalTrackDestination = -10855,
    kAudioToolboxErr_NoSequence = -10854,
    kAudioToolboxErr_InvalidEventType = -10853,
    kAudioToolboxErr_InvalidPlayerState = -10852,
    kAudioToolboxErr_InvalidSequenceType = -10846
};

#ifdef __cplusplus
}
#endif

#endif

/* ---- AudioToolbox/AudioToolboxLinux.h ---- */

/* Functions for Linux that the platform did not have: the names of results, and files by path, for programs without
   CoreFoundation. A path is bytes, as in open(2). After a function of files returns kAudioFileUnspecifiedError, errno is the
   error of the system, if there is one. */
#ifndef AUDIOTOOLBOX_AUDIOTOOLBOXLINUX_H
#define AUDIOTOOLBOX_AUDIOTOOLBOXLINUX_H

#ifndef AUDIOTOOLBOX_EXTENDEDAUDIOFILE_H
#endif
#ifndef AUDIOTOOLBOX_SYSTEMSOUNDS_H
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Returns, for example, "kAudioQueueErr_InvalidBuffer (-66687)". Knows the results of the session, units, queues, files,
   converters and formats; if several have one number, the first of this order is named. Any other number is returned as a text.
   Never NULL. The text is valid until the thread calls the function again. */
const char *_Nonnull AudioToolboxLinuxStatusName(OSStatus status);

/* AudioFileOpenURL with a path. */
OSStatus AudioFileLinuxOpenPath(const char *path, AudioFilePermissions inPermissions, AudioFileTypeID inFileTypeHint, AudioFileID *outAudioFile);

/* AudioFileCreateWithURL with a path. */
OSStatus AudioFileLinuxCreateWithPath(const char *path, AudioFileTypeID inFileType, const AudioStreamBasicDescription *inFormat,
    AudioFileFlags inFlags, AudioFileID *outAudioFile);

/* ExtAudioFileOpenURL with a path. */
OSStatus ExtAudioFileLinuxOpenPath(const char *path, ExtAudioFileRef *outExtAudioFile);

/* ExtAudioFileCreateWithURL with a path. */
OSStatus ExtAudioFileLinuxCreateWithPath(const char *path, AudioFileTypeID inFileType,
    const AudioStreamBasicDescription *inStreamDesc, const AudioChannelLayout *inChannelLayout, UInt32 inFlags,
    ExtAudioFileRef *outExtAudioFile);

/* AudioServicesCreateSystemSoundID with a path. */
OSStatus AudioServicesLinuxCreateSystemSoundIDWithPath(const char *path, SystemSoundID *outSystemSoundID);

#ifdef __cplusplus
}
#endif

#endif

/* ---- AudioToolbox/AudioSession.h ---- */

/* Audio Session Services.

   A session declares the purpose of a program's sound. The library coordinates the sessions of all programs of a
   user: it decides which session plays, on which device and at which level, and notifies the programs. Call
   AudioSessionInitialize first. Every function may be called from any thread and inside a listener.

   Run a program with AUDIOSESSION_DEBUG=1 to log each call with names, values and results, and for an error the
   likely mistake. */
#ifndef AUDIOTOOLBOX_AUDIOSESSION_H
#define AUDIOTOOLBOX_AUDIOSESSION_H
#define __AudioSession_h__ /* the guard of the platform's header */

#ifndef AUDIOSESSION_COREFOUNDATION_H
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Results ---- */

enum : OSStatus {
    kAudioSessionNoError = 0,
    kAudioSessionNotInitialized = 0x21696E69,           /* '!ini': call AudioSessionInitialize first */
    kAudioSessionAlreadyInitialized = 0x696E6974,       /* 'init': the first initialization remains valid */
    kAudioSessionInitializationError = 0x696E693F,      /* 'ini?': the session could not be set up */
    kAudioSessionUnsupportedPropertyError = 0x7074793F, /* 'pty?': unknown property, access not allowed, or bad value */
    kAudioSessionBadPropertySizeError = 0x2173697A,     /* '!siz' */
    kAudioSessionNotActiveError = 0x21616374,           /* '!act': a call is in progress, or, of a deactivation, the
                                                         program's own streams were running */
    kAudioServicesNoHardwareError = 0x6E6F6877,         /* 'nohw': the device does not exist */
    kAudioSessionNoCategorySet = 0x3F636174,            /* '?cat': never returned; it concerns hardware codecs,
                                                         which ALSA does not offer */
    kAudioSessionIncompatibleCategory = 0x21636174,     /* '!cat': the category does not allow the operation */
    kAudioSessionUnspecifiedError = 0x77686174          /* 'what': AUDIOSESSION_DEBUG=1 logs the reason */
};

/* A required pointer was NULL. */
#ifndef kAudio_ParamError
#define kAudio_ParamError (-50)
#endif

/* ---- Properties ---- */

typedef UInt32 AudioSessionPropertyID;

enum : UInt32 {
    /* Float64, get and set: the preferred sample rate in hertz, read back exactly as set; 0 means no preference. */
    kAudioSessionProperty_PreferredHardwareSampleRate = 0x68777372, /* 'hwsr' */
    /* Float32, get and set: the preferred duration of one I/O cycle (an ALSA period) in seconds; 0 means no preference. */
    kAudioSessionProperty_PreferredHardwareIOBufferDuration = 0x696F6264, /* 'iobd' */
    /* UInt32, get and set: one of the categories below. A change resets the category's overrides. */
    kAudioSessionProperty_AudioCategory = 0x61636174, /* 'acat' */
    /* CFDictionaryRef, listen: the route has changed; see the route change keys. */
    kAudioSessionProperty_AudioRouteChange = 0x726F6368, /* 'roch' */
    /* Float64, get: the rate at which the route's device runs, or would run for the preference. */
    kAudioSessionProperty_CurrentHardwareSampleRate = 0x63687372, /* 'chsr' */
    /* UInt32, get and listen: channels of the route's input; '!cat' in a category without input. */
    kAudioSessionProperty_CurrentHardwareInputNumberChannels = 0x63686963, /* 'chic' */
    /* UInt32, get and listen: channels of the route's output. */
    kAudioSessionProperty_CurrentHardwareOutputNumberChannels = 0x63686F63, /* 'choc' */
    /* Float32, get and listen: 0 to 1, the mixer's volume of the route's output; 0 when muted. */
    kAudioSessionProperty_CurrentHardwareOutputVolume = 0x63686F76, /* 'chov' */
    /* Float32, get: seconds. */
    kAudioSessionProperty_CurrentHardwareInputLatency = 0x63696C74,  /* 'cilt' */
    kAudioSessionProperty_CurrentHardwareOutputLatency = 0x636F6C74, /* 'colt' */
    /* Float32, get: seconds; the slice of the program's unit or queue, else the period that the device grants. */
    kAudioSessionProperty_CurrentHardwareIOBufferDuration = 0x63686264, /* 'chbd' */
    /* UInt32, get: 1 while another process plays. */
    kAudioSessionProperty_OtherAudioIsPlaying = 0x6F746872, /* 'othr' */
    /* UInt32, set: output to the speaker until a device arrives or departs, or an interruption; PlayAndRecord only. */
    kAudioSessionProperty_OverrideAudioRoute = 0x6F767264, /* 'ovrd' */
    /* UInt32, get and listen: 1 if the machine has an input device. */
    kAudioSessionProperty_AudioInputAvailable = 0x61696176, /* 'aiav' */
    /* UInt32, listen: 1 when the audio server of the route has died, 0 when it has restarted. */
    kAudioSessionProperty_ServerDied = 0x64696564, /* 'died' */
    /* UInt32, get and set: while this session is active and mixes, others play at -14 dB. */
    kAudioSessionProperty_OtherMixableAudioShouldDuck = 0x6475636B, /* 'duck' */
    /* UInt32, get and set: mix with others; MediaPlayback, PlayAndRecord and MultiRoute. An interruption resets it to 0. */
    kAudioSessionProperty_OverrideCategoryMixWithOthers = 0x636D6978, /* 'cmix' */
    /* UInt32, get and set: speaker rather than receiver; PlayAndRecord. */
    kAudioSessionProperty_OverrideCategoryDefaultToSpeaker = 0x6373706B, /* 'cspk' */
    /* UInt32, get and set: hands-free devices can be the input; RecordAudio and PlayAndRecord. */
    kAudioSessionProperty_OverrideCategoryEnableBluetoothInput = 0x63626C75, /* 'cblu' */
    /* UInt32, get: only inside the listener call for the end of an interruption. */
    kAudioSessionProperty_InterruptionType = 0x74797065, /* 'type' */
    /* UInt32, get and set: one of the modes below; not while the session is active or an override makes it mix. */
    kAudioSessionProperty_Mode = 0x6D6F6465, /* 'mode' */
    /* CFArrayRef, get and listen: the selectable sources or destinations of a USB device in the route; else empty. */
    kAudioSessionProperty_InputSources = 0x73726373,       /* 'srcs' */
    kAudioSessionProperty_OutputDestinations = 0x64737473, /* 'dsts' */
    /* CFNumberRef, get and set: the ID of the selected one. */
    kAudioSessionProperty_InputSource = 0x69737263,       /* 'isrc' */
    kAudioSessionProperty_OutputDestination = 0x6F647374, /* 'odst' */
    /* UInt32, get and listen: 1 when the route's input has a capture volume. */
    kAudioSessionProperty_InputGainAvailable = 0x69676176, /* 'igav' */
    /* Float32, get, set and listen: 0 to 1. A set takes effect while the session is active; the previous gain is restored. */
    kAudioSessionProperty_InputGainScalar = 0x69677363, /* 'igsc' */
    /* CFDictionaryRef, get: the route; see the route keys. */
    kAudioSessionProperty_AudioRouteDescription = 0x63726172 /* 'crar' */
};

/* ---- Categories ---- */

enum : UInt32 {
    kAudioSessionCategory_AmbientSound = 0x616D6269,     /* 'ambi': mixes; obeys the silent switch */
    kAudioSessionCategory_SoloAmbientSound = 0x736F6C6F, /* 'solo': the default; obeys the silent switch */
    kAudioSessionCategory_MediaPlayback = 0x6D656469,    /* 'medi' */
    kAudioSessionCategory_RecordAudio = 0x72656361,      /* 'reca': silences others while active */
    kAudioSessionCategory_PlayAndRecord = 0x706C6172,    /* 'plar' */
    kAudioSessionCategory_AudioProcessing = 0x70726F63   /* 'proc': neither input nor output */
};

/* Deprecated names. They behave as AmbientSound and MediaPlayback and read back as they were set. */
enum : UInt32 {
    kAudioSessionCategory_UserInterfaceSoundEffects = 0x75696678, /* 'uifx' */
    kAudioSessionCategory_LiveAudio = 0x6C697665                  /* 'live' */
};

/* ---- Modes ---- */

enum : UInt32 {
    kAudioSessionMode_Default = 0x64666C74,        /* 'dflt': any category */
    kAudioSessionMode_VoiceChat = 0x76636374,      /* 'vcct': PlayAndRecord */
    kAudioSessionMode_VideoRecording = 0x76726364, /* 'vrcd': RecordAudio, PlayAndRecord */
    kAudioSessionMode_Measurement = 0x6D736D74,    /* 'msmt': RecordAudio, PlayAndRecord, MediaPlayback */
    kAudioSessionMode_GameChat = 0x676D6374        /* 'gmct': PlayAndRecord */
};

/* ---- Routes ---- */

enum : UInt32 {
    kAudioSessionRouteChangeReason_Unknown = 0,
    kAudioSessionRouteChangeReason_NewDeviceAvailable = 1,
    kAudioSessionRouteChangeReason_OldDeviceUnavailable = 2, /* a device was disconnected: players pause */
    kAudioSessionRouteChangeReason_CategoryChange = 3,
    kAudioSessionRouteChangeReason_Override = 4,
    kAudioSessionRouteChangeReason_WakeFromSleep = 6,
    kAudioSessionRouteChangeReason_NoSuitableRouteForCategory = 7,
    kAudioSessionRouteChangeReason_RouteConfigurationChange = 8 /* same ports; channels or the selected source differ */
};

enum : UInt32 {
    kAudioSessionOverrideAudioRoute_None = 0,
    kAudioSessionOverrideAudioRoute_Speaker = 0x73706B72 /* 'spkr' */
};

/* Keys of the route change dictionary. The first two are C strings: pass them to CFSTR(...).
   Reason is a CFNumber; OldRoute is a route name as in the property AudioRoute. */
#define kAudioSession_AudioRouteChangeKey_Reason "OutputDeviceDidChange_Reason"
#define kAudioSession_AudioRouteChangeKey_OldRoute "OutputDeviceDidChange_OldRoute"
extern const CFStringRef kAudioSession_RouteChangeKey_Reason;
extern const CFStringRef kAudioSession_AudioRouteChangeKey_PreviousRouteDescription;
extern const CFStringRef kAudioSession_AudioRouteChangeKey_CurrentRouteDescription;

/* A route description contains two arrays of dictionaries. Each dictionary has the type of a port. */
extern const CFStringRef kAudioSession_AudioRouteKey_Inputs;
extern const CFStringRef kAudioSession_AudioRouteKey_Outputs;
extern const CFStringRef kAudioSession_AudioRouteKey_Type;

extern const CFStringRef kAudioSessionInputRoute_LineIn;
extern const CFStringRef kAudioSessionInputRoute_BuiltInMic;
extern const CFStringRef kAudioSessionInputRoute_HeadsetMic;
extern const CFStringRef kAudioSessionInputRoute_BluetoothHFP;
extern const CFStringRef kAudioSessionInputRoute_USBAudio;

extern const CFStringRef kAudioSessionOutputRoute_LineOut;
extern const CFStringRef kAudioSessionOutputRoute_Headphones;
extern const CFStringRef kAudioSessionOutputRoute_BluetoothHFP;
extern const CFStringRef kAudioSessionOutputRoute_BluetoothA2DP;
extern const CFStringRef kAudioSessionOutputRoute_BuiltInReceiver;
extern const CFStringRef kAudioSessionOutputRoute_BuiltInSpeaker;
extern const CFStringRef kAudioSessionOutputRoute_USBAudio;
extern const CFStringRef kAudioSessionOutputRoute_HDMI;
extern const CFStringRef kAudioSessionOutputRoute_AirPlay;

/* Each input source and each output destination is a dictionary of a number and a string. */
extern const CFStringRef kAudioSession_InputSourceKey_ID;
extern const CFStringRef kAudioSession_InputSourceKey_Description;
extern const CFStringRef kAudioSession_OutputDestinationKey_ID;
extern const CFStringRef kAudioSession_OutputDestinationKey_Description;

/* CFStringRef, get: the route as one string; "" while the silent switch is on and the category obeys it. The string
   is a constant: releasing it has no effect. */
enum : UInt32 {
    kAudioSessionProperty_AudioRoute = 0x726F7574 /* 'rout' */
};

/* ---- Interruptions and activity ---- */

enum : UInt32 {
    kAudioSessionBeginInterruption = 1, /* the session has become inactive, its sound has stopped */
    kAudioSessionEndInterruption = 0    /* the program may activate the session again */
};

enum : UInt32 {
    kAudioSessionInterruptionType_ShouldResume = 0x6972736D,   /* 'irsm' */
    kAudioSessionInterruptionType_ShouldNotResume = 0x2172736D /* '!rsm' */
};
typedef UInt32 AudioSessionInterruptionType;

enum : UInt32 {
    kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation = 1 /* tells the sessions that it interrupted to resume */
};

/* ---- Listeners ---- */

/* The run loop given to AudioSessionInitialize calls the listener while the program runs this run loop (CFRunLoopRun), under no
   lock. The listener must not throw. Programs without a run loop use AudioSessionLinuxEventDescriptor. */
_Pragma("clang assume_nonnull begin")
typedef void (*AudioSessionInterruptionListener)(void *_Nullable inClientData, UInt32 inInterruptionState);
_Pragma("clang assume_nonnull end")

/* inData is the address of a number, or, for a CoreFoundation type, the object itself. The library owns the object. */
_Pragma("clang assume_nonnull begin")
typedef void (*AudioSessionPropertyListener)(
    void *_Nullable inClientData, AudioSessionPropertyID inID, UInt32 inDataSize, const void *_Nullable inData);
_Pragma("clang assume_nonnull end")

/* ---- Functions ---- */

/* Sets up the session of the process. Call it once. NULL, NULL: the main run loop calls listeners in its default mode.
   The listener may be NULL. A child of fork() initializes its own session. */
OSStatus AudioSessionInitialize(CFRunLoopRef inRunLoop, CFStringRef inRunLoopMode,
    AudioSessionInterruptionListener inInterruptionListener, void *inClientData)
    __attribute__((swift_private));

/* Activation may interrupt other sessions. Activating an active session succeeds. */
OSStatus AudioSessionSetActive(bool active);

OSStatus AudioSessionSetActiveWithFlags(bool active, UInt32 inFlags);

/* ioDataSize: the size of the buffer on entry, of the value on return. The caller owns CoreFoundation values. */
OSStatus AudioSessionGetProperty(AudioSessionPropertyID inID, UInt32 *ioDataSize, void *outData);

/* The size must equal the size of the type. CoreFoundation values are retained or copied. */
OSStatus AudioSessionSetProperty(AudioSessionPropertyID inID, UInt32 inDataSize, const void *inData);

OSStatus AudioSessionGetPropertySize(AudioSessionPropertyID inID, UInt32 *outDataSize);

/* Each pair of property and client data has one listener: adding a second one replaces the first. */
OSStatus AudioSessionAddPropertyListener(AudioSessionPropertyID inID, AudioSessionPropertyListener inProc, void *inClientData);

/* Removes all listeners of the property. */
OSStatus AudioSessionRemovePropertyListener(AudioSessionPropertyID inID);

/* Removes exactly this listener. */
OSStatus AudioSessionRemovePropertyListenerWithUserData(
    AudioSessionPropertyID inID, AudioSessionPropertyListener inProc, void *inClientData);

#ifdef __cplusplus
}
#endif

#endif

/* ---- AudioToolbox/AudioSessionLinux.h ---- */

/* Additions for Linux to Audio Session Services. The platform did not have them. */
#ifndef AUDIOTOOLBOX_AUDIOSESSIONLINUX_H
#define AUDIOTOOLBOX_AUDIOSESSIONLINUX_H

#ifndef AUDIOTOOLBOX_AUDIOSESSION_H
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Programs without a run loop ---- */

/* Returns a descriptor that is readable while events are undelivered. The library owns it: do not read or close it. The
   first call permanently moves delivery from the run loop to AudioSessionLinuxDispatchEvents. -1: the session is not
   initialized, or the process has no free descriptor. */
int AudioSessionLinuxEventDescriptor(void);

/* Calls the listeners for all undelivered events, on the calling thread. */
OSStatus AudioSessionLinuxDispatchEvents(void);

/* ---- ALSA ---- */

/* The ALSA name of the route's output or input device, for snd_pcm_open: "hw:CARD=...", "default".
   ioSize: the size of the buffer on entry; the required size with the null byte on return. '!siz': the buffer is too
   small. 'nohw': the route does not have the direction. A "hw:" device supports only the formats of the hardware;
   "plug:'hw:CARD=...'" converts. Streams on the PCM "audiosession" follow the route. */
OSStatus AudioSessionLinuxCopyDeviceName(bool input, char *buffer, UInt32 *ioSize);

enum : UInt32 {
    /* CFStringRef, get: the same names as strings. */
    kAudioSessionLinuxProperty_OutputDevice = 0x6C6F6476, /* 'lodv' */
    kAudioSessionLinuxProperty_InputDevice = 0x6C696476   /* 'lidv' */
};

/* ---- Names ---- */

/* Returns, for example, "kAudioSessionNotInitialized ('!ini')". Never NULL. The text of a known code is valid forever,
   the text of any other until the thread calls the function again. May be called before AudioSessionInitialize. */
const char *_Nonnull AudioSessionLinuxStatusName(OSStatus status);

/* Sets the name that tools show for the session. The default is the name of the program. UTF-8, at most 63 bytes. */
OSStatus AudioSessionLinuxSetDisplayName(const char *utf8);

/* ---- Simulation ---- */

/* Executes one command:
       plug PORT, unplug PORT, volume 0.4, server die, server restart, wake
                                            requires AUDIOSESSION_HARDWARE=simulated, else 'pty?'
       silent on, silent off, lock on, lock off       silent switch and screen lock, on any hardware
       interrupt begin [--name TEXT], interrupt end [--should-not-resume], interrupt confirm
                                            a phone call begins, ends, is accepted
   PORT: receiver speaker microphone headphones headset line-out line-in hdmi usb bluetooth-hfp
   bluetooth-a2dp airplay. Any other command: 'pty?'; AUDIOSESSION_DEBUG=1 logs the expected form. */
OSStatus AudioSessionLinuxSimulate(const char *command);

/* ---- Values newer than the C API ---- */

enum : UInt32 {
    kAudioSessionLinuxCategory_MultiRoute = 0x6D756C74 /* 'mult': input and all attached outputs at once */
};

enum : UInt32 {
    kAudioSessionLinuxMode_MoviePlayback = 0x6D767062, /* 'mvpb': MediaPlayback */
    kAudioSessionLinuxMode_VideoChat = 0x76646374,     /* 'vdct': PlayAndRecord; speaker and hands-free devices */
    kAudioSessionLinuxMode_SpokenAudio = 0x73706B61,   /* 'spka': any category that plays */
    kAudioSessionLinuxMode_VoicePrompt = 0x76706D74    /* 'vpmt': any category that plays */
};

#ifdef __cplusplus
}
#endif

#endif

#endif
