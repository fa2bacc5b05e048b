/* SPDX-License-Identifier: Apache-2.0 */
/* The types and numbers of sequences of notes. This library has no sequencer. Therefore the functions, such as NewMusicSequence
   and MusicPlayerStart, are not declared. */
#ifndef AUDIOTOOLBOX_MUSICPLAYER_H
#define AUDIOTOOLBOX_MUSICPLAYER_H
#define __MusicPlayer /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_AUGRAPH_H
#include <AudioToolbox/AUGraph.h>
#endif
#ifndef AUDIOTOOLBOX_MUSICDEVICE_H
#include <AudioUnit/MusicDevice.h>
#endif
#include <float.h>

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

enum {
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

typedef void (*MusicSequenceUserCallback)(void *inClientData, MusicSequence inSequence, MusicTrack inTrack,
    MusicTimeStamp inEventTime, const MusicEventUserData *inEventData, MusicTimeStamp inStartSliceBeat,
    MusicTimeStamp inEndSliceBeat);

/* ---- Sequences and their files ---- */

typedef UInt32 MusicSequenceType;

enum {
    kMusicSequenceType_Beats = 0x62656174,   /* 'beat' */
    kMusicSequenceType_Seconds = 0x73656373, /* 'secs' */
    kMusicSequenceType_Samples = 0x73616D70  /* 'samp' */
};

typedef UInt32 MusicSequenceLoadFlags;

enum { kMusicSequenceLoadSMF_PreserveTracks = 0, kMusicSequenceLoadSMF_ChannelsToTracks = 1 << 0 };

typedef UInt32 MusicSequenceFileTypeID;

enum {
    kMusicSequenceFile_AnyType = 0,
    kMusicSequenceFile_MIDIType = 0x6D696469,   /* 'midi' */
    kMusicSequenceFile_iMelodyType = 0x696D656C /* 'imel' */
};

typedef UInt32 MusicSequenceFileFlags;

enum { kMusicSequenceFileFlags_Default = 0, kMusicSequenceFileFlags_EraseFile = 1 };

/* ---- Tracks ---- */

enum {
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

enum {
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
