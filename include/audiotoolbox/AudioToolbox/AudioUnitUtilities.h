/* SPDX-License-Identifier: Apache-2.0 */
/* Listeners for parameters and properties of units, called on a run loop. */
#ifndef AUDIOTOOLBOX_AUDIOUNITUTILITIES_H
#define AUDIOTOOLBOX_AUDIOUNITUTILITIES_H

#ifndef AUDIOTOOLBOX_AUDIOUNITPARAMETERS_H
#include <AudioUnit/AudioUnit.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AUListenerBase *AUParameterListenerRef;
typedef struct AUListenerBase *AUEventListenerRef;

#define kAUParameterListener_AnyParameter 0xFFFFFFFFu

typedef UInt32 AudioUnitEventType;

enum {
    kAudioUnitEvent_ParameterValueChange = 0,
    kAudioUnitEvent_BeginParameterChangeGesture = 1,
    kAudioUnitEvent_EndParameterChangeGesture = 2,
    kAudioUnitEvent_PropertyChange = 3
};

typedef struct AudioUnitEvent {
    AudioUnitEventType mEventType;
    union {
        AudioUnitParameter mParameter;
        AudioUnitProperty mProperty;
    } mArgument;
} AudioUnitEvent;

/* Called on the listener's run loop with a parameter's new value. */
typedef void (*AUParameterListenerProc)(
    void *inUserData, void *inObject, const AudioUnitParameter *inParameter, AudioUnitParameterValue inValue);

/* Called on the listener's run loop with an event, and the host time at which it happened. */
typedef void (*AUEventListenerProc)(void *inUserData, void *inObject, const AudioUnitEvent *inEvent, UInt64 inEventHostTime,
    AudioUnitParameterValue inParameterValue);

/* Makes a listener of parameters. NULL as the run loop: that of the calling thread. NULL as the mode: the default mode.
   Pending changes of a parameter are delivered once, with the newest value; the interval is
   ignored. In a process without CoreFoundation the result is kAudio_UnimplementedError. */
OSStatus AUListenerCreate(AUParameterListenerProc inProc, void *inUserData, CFRunLoopRef inRunLoop, CFStringRef inRunLoopMode,
    Float32 inNotificationInterval, AUParameterListenerRef *outListener);

/* Frees a listener of either kind. It is not called after the return, except when it calls this function
   itself. */
OSStatus AUListenerDispose(AUParameterListenerRef inListener);

/* Listens to a parameter on behalf of an object of the program. */
OSStatus AUListenerAddParameter(AUParameterListenerRef inListener, void *inObject, const AudioUnitParameter *inParameter);

/* Removes the registration for a parameter. */
OSStatus AUListenerRemoveParameter(AUParameterListenerRef inListener, void *inObject, const AudioUnitParameter *inParameter);

/* Sets a parameter and notifies all listeners except the sending object. */
OSStatus AUParameterSet(AUParameterListenerRef inSendingListener, void *inSendingObject, const AudioUnitParameter *inParameter,
    AudioUnitParameterValue inValue, UInt32 inBufferOffsetInFrames);

/* Notifies all listeners of a parameter except the sending object. */
OSStatus AUParameterListenerNotify(
    AUParameterListenerRef inSendingListener, void *inSendingObject, const AudioUnitParameter *inParameter);

/* Makes a listener of events. They are delivered as those of AUListenerCreate; both intervals are ignored. */
OSStatus AUEventListenerCreate(AUEventListenerProc inProc, void *inUserData, CFRunLoopRef inRunLoop, CFStringRef inRunLoopMode,
    Float32 inNotificationInterval, Float32 inValueChangeGranularity, AUEventListenerRef *outListener);

/* Listens to an event on behalf of an object of the program. */
OSStatus AUEventListenerAddEventType(AUEventListenerRef inListener, void *inObject, const AudioUnitEvent *inEvent);

/* Removes the registration for an event. */
OSStatus AUEventListenerRemoveEventType(AUEventListenerRef inListener, void *inObject, const AudioUnitEvent *inEvent);

/* Notifies all listeners of an event except the sending object. */
OSStatus AUEventListenerNotify(AUEventListenerRef inSendingListener, void *inSendingObject, const AudioUnitEvent *inEvent);

#ifdef __cplusplus
}
#endif

#endif
