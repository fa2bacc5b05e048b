/* SPDX-License-Identifier: Apache-2.0 */
/* Audio Session Services.

   A session declares the purpose of a program's sound. The library coordinates the sessions of all programs of a
   user: it decides which session plays, on which device and at which level, and notifies the programs. Call
   AudioSessionInitialize first. Every function may be called from any thread and inside a listener.

   Run a program with AUDIOSESSION_DEBUG=1 to log each call with names, values and results, and for an error the
   likely mistake. */
#ifndef AUDIOTOOLBOX_AUDIOSESSION_H
#define AUDIOTOOLBOX_AUDIOSESSION_H
#define __AudioSession_h__ /* the guard of the platform's header */

#ifndef AUDIOSESSION_COREFOUNDATION_H
#include <CoreFoundation/CoreFoundation.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Results ---- */

enum {
    kAudioSessionNoError = 0,
    kAudioSessionNotInitialized = 0x21696E69,           /* '!ini': call AudioSessionInitialize first */
    kAudioSessionAlreadyInitialized = 0x696E6974,       /* 'init': the first initialization remains valid */
    kAudioSessionInitializationError = 0x696E693F,      /* 'ini?': the session could not be set up */
    kAudioSessionUnsupportedPropertyError = 0x7074793F, /* 'pty?': unknown property, access not allowed, or bad value */
    kAudioSessionBadPropertySizeError = 0x2173697A,     /* '!siz' */
    kAudioSessionNotActiveError = 0x21616374,           /* '!act': a call is in progress, or, of a deactivation, the
                                                         program's own streams were running */
    kAudioServicesNoHardwareError = 0x6E6F6877,         /* 'nohw': the device does not exist */
    kAudioSessionNoCategorySet = 0x3F636174,            /* '?cat': never returned; it concerns hardware codecs,
                                                         which ALSA does not offer */
    kAudioSessionIncompatibleCategory = 0x21636174,     /* '!cat': the category does not allow the operation */
    kAudioSessionUnspecifiedError = 0x77686174          /* 'what': AUDIOSESSION_DEBUG=1 logs the reason */
};

/* A required pointer was NULL. */
#ifndef kAudio_ParamError
#define kAudio_ParamError (-50)
#endif

/* ---- Properties ---- */

typedef UInt32 AudioSessionPropertyID;

enum {
    /* Float64, get and set: the preferred sample rate in hertz, read back exactly as set; 0 means no preference. */
    kAudioSessionProperty_PreferredHardwareSampleRate = 0x68777372, /* 'hwsr' */
    /* Float32, get and set: the preferred duration of one I/O cycle (an ALSA period) in seconds; 0 means no preference. */
    kAudioSessionProperty_PreferredHardwareIOBufferDuration = 0x696F6264, /* 'iobd' */
    /* UInt32, get and set: one of the categories below. A change resets the category's overrides. */
    kAudioSessionProperty_AudioCategory = 0x61636174, /* 'acat' */
    /* CFDictionaryRef, listen: the route has changed; see the route change keys. */
    kAudioSessionProperty_AudioRouteChange = 0x726F6368, /* 'roch' */
    /* Float64, get: the rate at which the route's device runs, or would run for the preference. */
    kAudioSessionProperty_CurrentHardwareSampleRate = 0x63687372, /* 'chsr' */
    /* UInt32, get and listen: channels of the route's input; '!cat' in a category without input. */
    kAudioSessionProperty_CurrentHardwareInputNumberChannels = 0x63686963, /* 'chic' */
    /* UInt32, get and listen: channels of the route's output. */
    kAudioSessionProperty_CurrentHardwareOutputNumberChannels = 0x63686F63, /* 'choc' */
    /* Float32, get and listen: 0 to 1, the mixer's volume of the route's output; 0 when muted. */
    kAudioSessionProperty_CurrentHardwareOutputVolume = 0x63686F76, /* 'chov' */
    /* Float32, get: seconds. */
    kAudioSessionProperty_CurrentHardwareInputLatency = 0x63696C74,  /* 'cilt' */
    kAudioSessionProperty_CurrentHardwareOutputLatency = 0x636F6C74, /* 'colt' */
    /* Float32, get: seconds; the slice of the program's unit or queue, else the period that the device grants. */
    kAudioSessionProperty_CurrentHardwareIOBufferDuration = 0x63686264, /* 'chbd' */
    /* UInt32, get: 1 while another process plays. */
    kAudioSessionProperty_OtherAudioIsPlaying = 0x6F746872, /* 'othr' */
    /* UInt32, set: output to the speaker until a device arrives or departs, or an interruption; PlayAndRecord only. */
    kAudioSessionProperty_OverrideAudioRoute = 0x6F767264, /* 'ovrd' */
    /* UInt32, get and listen: 1 if the machine has an input device. */
    kAudioSessionProperty_AudioInputAvailable = 0x61696176, /* 'aiav' */
    /* UInt32, listen: 1 when the audio server of the route has died, 0 when it has restarted. */
    kAudioSessionProperty_ServerDied = 0x64696564, /* 'died' */
    /* UInt32, get and set: while this session is active and mixes, others play at -14 dB. */
    kAudioSessionProperty_OtherMixableAudioShouldDuck = 0x6475636B, /* 'duck' */
    /* UInt32, get and set: mix with others; MediaPlayback, PlayAndRecord and MultiRoute. An interruption resets it to 0. */
    kAudioSessionProperty_OverrideCategoryMixWithOthers = 0x636D6978, /* 'cmix' */
    /* UInt32, get and set: speaker rather than receiver; PlayAndRecord. */
    kAudioSessionProperty_OverrideCategoryDefaultToSpeaker = 0x6373706B, /* 'cspk' */
    /* UInt32, get and set: hands-free devices can be the input; RecordAudio and PlayAndRecord. */
    kAudioSessionProperty_OverrideCategoryEnableBluetoothInput = 0x63626C75, /* 'cblu' */
    /* UInt32, get: only inside the listener call for the end of an interruption. */
    kAudioSessionProperty_InterruptionType = 0x74797065, /* 'type' */
    /* UInt32, get and set: one of the modes below; not while the session is active or an override makes it mix. */
    kAudioSessionProperty_Mode = 0x6D6F6465, /* 'mode' */
    /* CFArrayRef, get and listen: the selectable sources or destinations of a USB device in the route; else empty. */
    kAudioSessionProperty_InputSources = 0x73726373,       /* 'srcs' */
    kAudioSessionProperty_OutputDestinations = 0x64737473, /* 'dsts' */
    /* CFNumberRef, get and set: the ID of the selected one. */
    kAudioSessionProperty_InputSource = 0x69737263,       /* 'isrc' */
    kAudioSessionProperty_OutputDestination = 0x6F647374, /* 'odst' */
    /* UInt32, get and listen: 1 when the route's input has a capture volume. */
    kAudioSessionProperty_InputGainAvailable = 0x69676176, /* 'igav' */
    /* Float32, get, set and listen: 0 to 1. A set takes effect while the session is active; the previous gain is restored. */
    kAudioSessionProperty_InputGainScalar = 0x69677363, /* 'igsc' */
    /* CFDictionaryRef, get: the route; see the route keys. */
    kAudioSessionProperty_AudioRouteDescription = 0x63726172 /* 'crar' */
};

/* ---- Categories ---- */

enum {
    kAudioSessionCategory_AmbientSound = 0x616D6269,     /* 'ambi': mixes; obeys the silent switch */
    kAudioSessionCategory_SoloAmbientSound = 0x736F6C6F, /* 'solo': the default; obeys the silent switch */
    kAudioSessionCategory_MediaPlayback = 0x6D656469,    /* 'medi' */
    kAudioSessionCategory_RecordAudio = 0x72656361,      /* 'reca': silences others while active */
    kAudioSessionCategory_PlayAndRecord = 0x706C6172,    /* 'plar' */
    kAudioSessionCategory_AudioProcessing = 0x70726F63   /* 'proc': neither input nor output */
};

/* Deprecated names. They behave as AmbientSound and MediaPlayback and read back as they were set. */
enum {
    kAudioSessionCategory_UserInterfaceSoundEffects = 0x75696678, /* 'uifx' */
    kAudioSessionCategory_LiveAudio = 0x6C697665                  /* 'live' */
};

/* ---- Modes ---- */

enum {
    kAudioSessionMode_Default = 0x64666C74,        /* 'dflt': any category */
    kAudioSessionMode_VoiceChat = 0x76636374,      /* 'vcct': PlayAndRecord */
    kAudioSessionMode_VideoRecording = 0x76726364, /* 'vrcd': RecordAudio, PlayAndRecord */
    kAudioSessionMode_Measurement = 0x6D736D74,    /* 'msmt': RecordAudio, PlayAndRecord, MediaPlayback */
    kAudioSessionMode_GameChat = 0x676D6374        /* 'gmct': PlayAndRecord */
};

/* ---- Routes ---- */

enum {
    kAudioSessionRouteChangeReason_Unknown = 0,
    kAudioSessionRouteChangeReason_NewDeviceAvailable = 1,
    kAudioSessionRouteChangeReason_OldDeviceUnavailable = 2, /* a device was disconnected: players pause */
    kAudioSessionRouteChangeReason_CategoryChange = 3,
    kAudioSessionRouteChangeReason_Override = 4,
    kAudioSessionRouteChangeReason_WakeFromSleep = 6,
    kAudioSessionRouteChangeReason_NoSuitableRouteForCategory = 7,
    kAudioSessionRouteChangeReason_RouteConfigurationChange = 8 /* same ports; channels or the selected source differ */
};

enum {
    kAudioSessionOverrideAudioRoute_None = 0,
    kAudioSessionOverrideAudioRoute_Speaker = 0x73706B72 /* 'spkr' */
};

/* Keys of the route change dictionary. The first two are C strings: pass them to CFSTR(...).
   Reason is a CFNumber; OldRoute is a route name as in the property AudioRoute. */
#define kAudioSession_AudioRouteChangeKey_Reason "OutputDeviceDidChange_Reason"
#define kAudioSession_AudioRouteChangeKey_OldRoute "OutputDeviceDidChange_OldRoute"
extern const CFStringRef kAudioSession_RouteChangeKey_Reason;
extern const CFStringRef kAudioSession_AudioRouteChangeKey_PreviousRouteDescription;
extern const CFStringRef kAudioSession_AudioRouteChangeKey_CurrentRouteDescription;

/* A route description contains two arrays of dictionaries. Each dictionary has the type of a port. */
extern const CFStringRef kAudioSession_AudioRouteKey_Inputs;
extern const CFStringRef kAudioSession_AudioRouteKey_Outputs;
extern const CFStringRef kAudioSession_AudioRouteKey_Type;

extern const CFStringRef kAudioSessionInputRoute_LineIn;
extern const CFStringRef kAudioSessionInputRoute_BuiltInMic;
extern const CFStringRef kAudioSessionInputRoute_HeadsetMic;
extern const CFStringRef kAudioSessionInputRoute_BluetoothHFP;
extern const CFStringRef kAudioSessionInputRoute_USBAudio;

extern const CFStringRef kAudioSessionOutputRoute_LineOut;
extern const CFStringRef kAudioSessionOutputRoute_Headphones;
extern const CFStringRef kAudioSessionOutputRoute_BluetoothHFP;
extern const CFStringRef kAudioSessionOutputRoute_BluetoothA2DP;
extern const CFStringRef kAudioSessionOutputRoute_BuiltInReceiver;
extern const CFStringRef kAudioSessionOutputRoute_BuiltInSpeaker;
extern const CFStringRef kAudioSessionOutputRoute_USBAudio;
extern const CFStringRef kAudioSessionOutputRoute_HDMI;
extern const CFStringRef kAudioSessionOutputRoute_AirPlay;

/* Each input source and each output destination is a dictionary of a number and a string. */
extern const CFStringRef kAudioSession_InputSourceKey_ID;
extern const CFStringRef kAudioSession_InputSourceKey_Description;
extern const CFStringRef kAudioSession_OutputDestinationKey_ID;
extern const CFStringRef kAudioSession_OutputDestinationKey_Description;

/* CFStringRef, get: the route as one string; "" while the silent switch is on and the category obeys it. The string
   is a constant: releasing it has no effect. */
enum {
    kAudioSessionProperty_AudioRoute = 0x726F7574 /* 'rout' */
};

/* ---- Interruptions and activity ---- */

enum {
    kAudioSessionBeginInterruption = 1, /* the session has become inactive, its sound has stopped */
    kAudioSessionEndInterruption = 0    /* the program may activate the session again */
};

enum {
    kAudioSessionInterruptionType_ShouldResume = 0x6972736D,   /* 'irsm' */
    kAudioSessionInterruptionType_ShouldNotResume = 0x2172736D /* '!rsm' */
};
typedef UInt32 AudioSessionInterruptionType;

enum {
    kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation = 1 /* tells the sessions that it interrupted to resume */
};

/* ---- Listeners ---- */

/* The run loop given to AudioSessionInitialize calls the listener while the program runs this run loop (CFRunLoopRun), under no
   lock. The listener must not throw. Programs without a run loop use AudioSessionLinuxEventDescriptor. */
typedef void (*AudioSessionInterruptionListener)(void *inClientData, UInt32 inInterruptionState);

/* inData is the address of a number, or, for a CoreFoundation type, the object itself. The library owns the object. */
typedef void (*AudioSessionPropertyListener)(
    void *inClientData, AudioSessionPropertyID inID, UInt32 inDataSize, const void *inData);

/* ---- Functions ---- */

/* Sets up the session of the process. Call it once. NULL, NULL: the main run loop calls listeners in its default mode.
   The listener may be NULL. A child of fork() initializes its own session. */
OSStatus AudioSessionInitialize(CFRunLoopRef inRunLoop, CFStringRef inRunLoopMode,
    AudioSessionInterruptionListener inInterruptionListener, void *inClientData);

/* Activation may interrupt other sessions. Activating an active session succeeds. */
OSStatus AudioSessionSetActive(Boolean active);

OSStatus AudioSessionSetActiveWithFlags(Boolean active, UInt32 inFlags);

/* ioDataSize: the size of the buffer on entry, of the value on return. The caller owns CoreFoundation values. */
OSStatus AudioSessionGetProperty(AudioSessionPropertyID inID, UInt32 *ioDataSize, void *outData);

/* The size must equal the size of the type. CoreFoundation values are retained or copied. */
OSStatus AudioSessionSetProperty(AudioSessionPropertyID inID, UInt32 inDataSize, const void *inData);

OSStatus AudioSessionGetPropertySize(AudioSessionPropertyID inID, UInt32 *outDataSize);

/* Each pair of property and client data has one listener: adding a second one replaces the first. */
OSStatus AudioSessionAddPropertyListener(AudioSessionPropertyID inID, AudioSessionPropertyListener inProc, void *inClientData);

/* Removes all listeners of the property. */
OSStatus AudioSessionRemovePropertyListener(AudioSessionPropertyID inID);

/* Removes exactly this listener. */
OSStatus AudioSessionRemovePropertyListenerWithUserData(
    AudioSessionPropertyID inID, AudioSessionPropertyListener inProc, void *inClientData);

#ifdef __cplusplus
}
#endif

#endif
