/* SPDX-License-Identifier: Apache-2.0 */
/* The component manager: finds audio units by their description and makes instances of them. */
#ifndef AUDIOTOOLBOX_AUDIOCOMPONENT_H
#define AUDIOTOOLBOX_AUDIOCOMPONENT_H

#ifndef AUDIOTOOLBOX_COREAUDIOTYPES_H
#include <CoreAudio/CoreAudioTypes.h>
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

/* Returns the next matching component after inComponent, or NULL when there is none. With NULL the search begins at the
   first component. A member of the description that is 0 matches everything. */
AudioComponent AudioComponentFindNext(AudioComponent inComponent, const AudioComponentDescription *inDesc);

/* Returns the number of components that match. */
UInt32 AudioComponentCount(const AudioComponentDescription *inDesc);

/* Writes the name, which the caller releases. */
OSStatus AudioComponentCopyName(AudioComponent inComponent, CFStringRef *outName);

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
