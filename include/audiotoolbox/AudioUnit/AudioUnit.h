/* SPDX-License-Identifier: Apache-2.0 */
/* The umbrella header of audio units. */
#ifndef AUDIOTOOLBOX_AUDIOUNIT_H
#define AUDIOTOOLBOX_AUDIOUNIT_H
#define __AUDIOUNIT__ /* the guard of the platform's header */

#include <AudioUnit/AUComponent.h>
#include <AudioUnit/AudioComponent.h>
#include <AudioUnit/AudioOutputUnit.h>
#include <AudioUnit/AudioUnitParameters.h>
#include <AudioUnit/AudioUnitProperties.h>
#include <AudioUnit/MusicDevice.h>
#include <CoreAudio/CoreAudioTypes.h>
#include <TargetConditionals.h>

#endif
