/* SPDX-License-Identifier: Apache-2.0 */
/* Additions for Linux to Audio Session Services. The platform did not have them. */
#ifndef AUDIOTOOLBOX_AUDIOSESSIONLINUX_H
#define AUDIOTOOLBOX_AUDIOSESSIONLINUX_H

#ifndef AUDIOTOOLBOX_AUDIOSESSION_H
#include <AudioToolbox/AudioSession.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Programs without a run loop ---- */

/* Returns a descriptor that is readable while events are undelivered. The library owns it: do not read or close it. The
   first call permanently moves delivery from the run loop to AudioSessionLinuxDispatchEvents. -1: the session is not
   initialized, or the process has no free descriptor. */
int AudioSessionLinuxEventDescriptor(void);

/* Calls the listeners for all undelivered events, on the calling thread. */
OSStatus AudioSessionLinuxDispatchEvents(void);

/* ---- ALSA ---- */

/* The ALSA name of the route's output or input device, for snd_pcm_open: "hw:CARD=...", "default".
   ioSize: the size of the buffer on entry; the required size with the null byte on return. '!siz': the buffer is too
   small. 'nohw': the route does not have the direction. A "hw:" device supports only the formats of the hardware;
   "plug:'hw:CARD=...'" converts. Streams on the PCM "audiosession" follow the route. */
OSStatus AudioSessionLinuxCopyDeviceName(Boolean input, char *buffer, UInt32 *ioSize);

enum {
    /* CFStringRef, get: the same names as strings. */
    kAudioSessionLinuxProperty_OutputDevice = 0x6C6F6476, /* 'lodv' */
    kAudioSessionLinuxProperty_InputDevice = 0x6C696476   /* 'lidv' */
};

/* ---- Names ---- */

/* Returns, for example, "kAudioSessionNotInitialized ('!ini')". Never NULL. The text of a known code is valid forever,
   the text of any other until the thread calls the function again. May be called before AudioSessionInitialize. */
const char *AudioSessionLinuxStatusName(OSStatus status);

/* Sets the name that tools show for the session. The default is the name of the program. UTF-8, at most 63 bytes. */
OSStatus AudioSessionLinuxSetDisplayName(const char *utf8);

/* ---- Simulation ---- */

/* Executes one command:
       plug PORT, unplug PORT, volume 0.4, server die, server restart, wake
                                            requires AUDIOSESSION_HARDWARE=simulated, else 'pty?'
       silent on, silent off, lock on, lock off       silent switch and screen lock, on any hardware
       interrupt begin [--name TEXT], interrupt end [--should-not-resume], interrupt confirm
                                            a phone call begins, ends, is accepted
   PORT: receiver speaker microphone headphones headset line-out line-in hdmi usb bluetooth-hfp
   bluetooth-a2dp airplay. Any other command: 'pty?'; AUDIOSESSION_DEBUG=1 logs the expected form. */
OSStatus AudioSessionLinuxSimulate(const char *command);

/* ---- Values newer than the C API ---- */

enum {
    kAudioSessionLinuxCategory_MultiRoute = 0x6D756C74 /* 'mult': input and all attached outputs at once */
};

enum {
    kAudioSessionLinuxMode_MoviePlayback = 0x6D767062, /* 'mvpb': MediaPlayback */
    kAudioSessionLinuxMode_VideoChat = 0x76646374,     /* 'vdct': PlayAndRecord; speaker and hands-free devices */
    kAudioSessionLinuxMode_SpokenAudio = 0x73706B61,   /* 'spka': any category that plays */
    kAudioSessionLinuxMode_VoicePrompt = 0x76706D74    /* 'vpmt': any category that plays */
};

#ifdef __cplusplus
}
#endif

#endif
