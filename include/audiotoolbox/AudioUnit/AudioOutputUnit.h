/* SPDX-License-Identifier: Apache-2.0 */
/* Units that play and record: start and stop. */
#ifndef AUDIOTOOLBOX_AUDIOOUTPUTUNIT_H
#define AUDIOTOOLBOX_AUDIOOUTPUTUNIT_H
#define __AUDIOOUTPUTUNIT__ /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_AUCOMPONENT_H
#include <AudioUnit/AUComponent.h>
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
enum { kAudioOutputUnitRange = 0x0200, kAudioOutputUnitStartSelect = 0x0201, kAudioOutputUnitStopSelect = 0x0202 };

typedef OSStatus (*AudioOutputUnitStartProc)(void *self);
typedef OSStatus (*AudioOutputUnitStopProc)(void *self);

#ifdef __cplusplus
}
#endif

#endif
