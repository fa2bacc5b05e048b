/* SPDX-License-Identifier: Apache-2.0 */
/* The public headers of the companion library for the Swift sources. They do not include CoreFoundation: its
   types are declared as addresses. From the known names the compiler would import classes, and a C function
   with classes cannot be implemented in Swift. */
#ifndef CAUDIOTOOLBOX_FOR_SWIFT_H
#define CAUDIOTOOLBOX_FOR_SWIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AUDIOSESSION_COREFOUNDATION_H
typedef unsigned char Boolean;
typedef unsigned char Byte;
typedef uint8_t UInt8;
typedef int8_t SInt8;
typedef uint16_t UInt16;
typedef int16_t SInt16;
typedef uint32_t UInt32;
typedef int32_t SInt32;
typedef uint64_t UInt64;
typedef int64_t SInt64;
typedef float Float32;
typedef double Float64;
typedef int32_t OSStatus;
typedef UInt32 OSType;
typedef const void *ConstantReference;
typedef void *RunLoopReference;
#define CFStringRef ConstantReference
#define CFURLRef ConstantReference
#define CFArrayRef ConstantReference
#define CFDictionaryRef ConstantReference
#define CFDataRef ConstantReference
#define CFRunLoopRef RunLoopReference

/* MacTypes.h would define nil, which is a keyword of Swift. */
#define AUDIOTOOLBOX_MACTYPES_H

/* Only CAShowFile uses FILE. The header of libc would import all of its names. */
#define _STDIO_H 1
#define FILE struct c_standard_file
struct c_standard_file;

/* Each header includes the headers that it needs unless they are included already. This order satisfies their needs. */
#include "../../../include/audiosession/TargetConditionals.h"
#include "../../../include/audiotoolbox/Availability.h"
#include "../../../include/audiotoolbox/AvailabilityMacros.h"
#include "../../../include/audiotoolbox/CoreAudio/CoreAudioTypes.h"
#include "../../../include/audiotoolbox/AudioUnit/AudioComponent.h"
#include "../../../include/audiotoolbox/AudioUnit/AUComponent.h"
#include "../../../include/audiotoolbox/AudioUnit/AudioOutputUnit.h"
#include "../../../include/audiotoolbox/AudioUnit/AudioUnitProperties.h"
#include "../../../include/audiotoolbox/AudioUnit/AudioUnitParameters.h"
#include "../../../include/audiotoolbox/AudioToolbox/AudioUnitUtilities.h"
#include "../../../include/audiotoolbox/AudioToolbox/AUGraph.h"
#include "../../../include/audiotoolbox/AudioToolbox/AudioFormat.h"
#include "../../../include/audiotoolbox/AudioToolbox/AudioConverter.h"
#include "../../../include/audiotoolbox/AudioToolbox/AudioFile.h"
#include "../../../include/audiotoolbox/AudioToolbox/AudioFileStream.h"
#include "../../../include/audiotoolbox/AudioToolbox/ExtendedAudioFile.h"
#include "../../../include/audiotoolbox/AudioToolbox/AudioQueue.h"
#include "../../../include/audiotoolbox/AudioToolbox/SystemSounds.h"
#include "../../../include/audiotoolbox/AudioToolbox/AudioToolboxLinux.h"

#endif
