/* SPDX-License-Identifier: Apache-2.0 */
/* The umbrella header of audio units. */
#ifndef AUDIOTOOLBOX_AUDIOUNIT_H
#define AUDIOTOOLBOX_AUDIOUNIT_H

#include <AudioUnit/AUComponent.h>
#include <AudioUnit/AudioComponent.h>
#include <AudioUnit/AudioOutputUnit.h>
#include <AudioUnit/AudioUnitParameters.h>
#include <AudioUnit/AudioUnitProperties.h>
#include <CoreAudio/CoreAudioTypes.h>
#include <TargetConditionals.h>

#endif
