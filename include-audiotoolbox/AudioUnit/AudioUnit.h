/* All of audio units. */
#ifndef AUDIOTOOLBOX_AUDIOUNIT_H
#define AUDIOTOOLBOX_AUDIOUNIT_H

#include <TargetConditionals.h>
#include <CoreAudio/CoreAudioTypes.h>
#include <AudioUnit/AudioComponent.h>
#include <AudioUnit/AUComponent.h>
#include <AudioUnit/AudioOutputUnit.h>
#include <AudioUnit/AudioUnitProperties.h>
#include <AudioUnit/AudioUnitParameters.h>

#endif
