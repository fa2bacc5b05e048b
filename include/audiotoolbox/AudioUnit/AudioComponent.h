/* SPDX-License-Identifier: Apache-2.0 */
/* The component manager: finds audio units by their description and makes instances of them. */
#ifndef AUDIOTOOLBOX_AUDIOCOMPONENT_H
#define AUDIOTOOLBOX_AUDIOCOMPONENT_H
#define __AUDIOCOMPONENT_H__ /* the guard of the platform's header */

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

/* componentFlags. The components of this library have none of them. */
typedef UInt32 AudioComponentFlags;

enum {
    kAudioComponentFlag_Unsearchable = 1 << 0,
    kAudioComponentFlag_SandboxSafe = 1 << 1,
    kAudioComponentFlag_IsV3AudioUnit = 1 << 2,
    kAudioComponentFlag_RequiresAsyncInstantiation = 1 << 3,
    kAudioComponentFlag_CanLoadInProcess = 1 << 4
};

/* A component that a program provides itself. The library does not register it: there is no AudioComponentRegister. Lookup returns
   the function for a selector, such as kAudioUnitRenderSelect. */
typedef OSStatus (*AudioComponentMethod)(void *self, ...);

typedef struct AudioComponentPlugInInterface {
    OSStatus (*Open)(void *self, AudioComponentInstance mInstance);
    OSStatus (*Close)(void *self);
    AudioComponentMethod (*Lookup)(SInt16 selector);
    void *reserved;
} AudioComponentPlugInInterface;

typedef AudioComponentPlugInInterface *(*AudioComponentFactoryFunction)(const AudioComponentDescription *inDesc);

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
