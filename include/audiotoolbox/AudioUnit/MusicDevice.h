/* SPDX-License-Identifier: Apache-2.0 */
/* The types and numbers of instruments. This library has no instruments. Therefore the functions that play them, such as
   MusicDeviceMIDIEvent and MusicDeviceStartNote, are not declared. */
#ifndef AUDIOTOOLBOX_MUSICDEVICE_H
#define AUDIOTOOLBOX_MUSICDEVICE_H
#define __MUSICDEVICE__ /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_AUCOMPONENT_H
#include <AudioUnit/AUComponent.h>
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

enum {
    kMusicDeviceRange = 0x0100,
    kMusicDeviceMIDIEventSelect = 0x0101,
    kMusicDeviceSysExSelect = 0x0102,
    kMusicDevicePrepareInstrumentSelect = 0x0103,
    kMusicDeviceReleaseInstrumentSelect = 0x0104,
    kMusicDeviceStartNoteSelect = 0x0105,
    kMusicDeviceStopNoteSelect = 0x0106
};

typedef OSStatus (*MusicDeviceMIDIEventProc)(
    void *self, UInt32 inStatus, UInt32 inData1, UInt32 inData2, UInt32 inOffsetSampleFrame);
typedef OSStatus (*MusicDeviceSysExProc)(void *self, const UInt8 *inData, UInt32 inLength);
typedef OSStatus (*MusicDeviceStartNoteProc)(void *self, MusicDeviceInstrumentID inInstrument, MusicDeviceGroupID inGroupID,
    NoteInstanceID *outNoteInstanceID, UInt32 inOffsetSampleFrame, const MusicDeviceNoteParams *inParams);
typedef OSStatus (*MusicDeviceStopNoteProc)(
    void *self, MusicDeviceGroupID inGroupID, NoteInstanceID inNoteInstanceID, UInt32 inOffsetSampleFrame);

#ifdef __cplusplus
}
#endif

#endif
