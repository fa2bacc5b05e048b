/* SPDX-License-Identifier: Apache-2.0 */
/* Units that play and record: start and stop. */
#ifndef AUDIOTOOLBOX_AUDIOOUTPUTUNIT_H
#define AUDIOTOOLBOX_AUDIOOUTPUTUNIT_H

#ifndef AUDIOTOOLBOX_AUCOMPONENT_H
#include <AudioUnit/AUComponent.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Starts the unit and activates the audio session. A session that refuses gives its own result code. An
   interruption stops the unit, and it does not start again by itself. */
OSStatus AudioOutputUnitStart(AudioUnit ci);

/* Stops the unit. No callback runs after the return. In a callback of the unit it returns at once, and the
   callback is the last one. A unit that is stopped already stays so. */
OSStatus AudioOutputUnitStop(AudioUnit ci);

#ifdef __cplusplus
}
#endif

#endif
