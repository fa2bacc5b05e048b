/* SPDX-License-Identifier: Apache-2.0 */
/* The umbrella header of legacy programs: Audio Session Services and, if libAudioToolbox is installed,
   all of its headers. */
#ifndef AUDIOTOOLBOX_AUDIOTOOLBOX_H
#define AUDIOTOOLBOX_AUDIOTOOLBOX_H

#include <AudioToolbox/AudioServices.h>
#include <AudioToolbox/AudioSession.h>
#include <AudioToolbox/AudioSessionLinux.h>
#include <CoreFoundation/CoreFoundation.h>
#include <TargetConditionals.h>

#if defined(__has_include)
#if __has_include(<AudioToolbox/AudioQueue.h>)
#ifndef AUDIO_TOOLBOX_VERSION
#define AUDIO_TOOLBOX_VERSION 1070
#endif
#include <AudioToolbox/AudioConverter.h>
#include <AudioToolbox/AudioFile.h>
#include <AudioToolbox/AudioFileStream.h>
#include <AudioToolbox/AudioFormat.h>
#include <AudioToolbox/AudioQueue.h>
#include <AudioToolbox/AudioToolboxLinux.h>
#include <AudioToolbox/AudioUnitUtilities.h>
#include <AudioToolbox/AUGraph.h>
#include <AudioToolbox/CAFFile.h>
#include <AudioToolbox/ExtendedAudioFile.h>
#include <AudioToolbox/MusicPlayer.h>
#include <AudioToolbox/SystemSounds.h>
#include <AudioUnit/AudioUnit.h>
#include <mach/mach_time.h>

/* Keys of a bank's instruments. The functions that list them are not declared. */
#define kInstrumentInfoKey_Name "name"
#define kInstrumentInfoKey_MSB "MSB"
#define kInstrumentInfoKey_LSB "LSB"
#define kInstrumentInfoKey_Program "program"

/* Programs test the guards of the platform's headers. */
#ifndef __AudioToolbox_H
#define __AudioToolbox_H
#endif
#endif
#endif

#endif
