/* What Linux adds to Audio Session Services. Nothing here existed on the platform. */
#ifndef AUDIOTOOLBOX_AUDIOSESSIONLINUX_H
#define AUDIOTOOLBOX_AUDIOSESSIONLINUX_H

#ifndef AUDIOTOOLBOX_AUDIOSESSION_H
#include <AudioToolbox/AudioSession.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Programs without a run loop ---- */

/* A descriptor to poll: readable when events wait. It belongs to the library; do not read or close
   it. Asking for it moves delivery for good from the run loop to the next call. -1: the session is
   not initialized, or the process has no descriptor left. */
int AudioSessionLinuxEventDescriptor(void);

/* Calls the listeners for what waits, on the calling thread. */
OSStatus AudioSessionLinuxDispatchEvents(void);

/* ---- ALSA ---- */

/* The ALSA name of the route's output or input device, for snd_pcm_open: "hw:CARD=...", "default".
   ioSize: room on entry; the size needed, with the final zero, on return. '!siz' when it does not
   fit, 'nohw' when the route has no such direction. A "hw:" device takes what formats it has:
   "plug:'hw:CARD=...'" takes all. The PCM "audiosession" follows the route by itself. */
OSStatus AudioSessionLinuxCopyDeviceName(Boolean input, char *buffer, UInt32 *ioSize);

enum {
    /* CFStringRef, get: the same names as strings. */
    kAudioSessionLinuxProperty_OutputDevice = 0x6C6F6476, /* 'lodv' */
    kAudioSessionLinuxProperty_InputDevice = 0x6C696476   /* 'lidv' */
};

/* ---- For people who read logs ---- */

/* "kAudioSessionNotInitialized ('!ini')". Never NULL; stays valid for a known result, for any other
   number until the thread asks again. Works before AudioSessionInitialize. */
const char *AudioSessionLinuxStatusName(OSStatus status);

/* What others see as the session's name; the program's name until set. UTF-8, cut after 63 bytes. */
OSStatus AudioSessionLinuxSetDisplayName(const char *utf8);

/* ---- Simulation ---- */

/* Does what one line of text says:
       plug PORT, unplug PORT, volume 0.4, server die, server restart, wake
                                            with AUDIOSESSION_HARDWARE=simulated only, else 'pty?'
       silent on, silent off, lock on, lock off       the user's switch and screen, on any hardware
       interrupt begin, interrupt end [--should-not-resume], interrupt confirm
                                            a phone call: it rings, it ends, the user takes it
   PORT: receiver speaker microphone headphones headset line-out line-in hdmi usb bluetooth-hfp
   bluetooth-a2dp airplay. 'pty?' for anything else; AUDIOSESSION_DEBUG=1 says what was expected. */
OSStatus AudioSessionLinuxSimulate(const char *command);

/* ---- Values that came after the C API ---- */

enum {
    kAudioSessionLinuxCategory_MultiRoute = 0x6D756C74 /* 'mult': input and all attached outputs at once */
};

enum {
    kAudioSessionLinuxMode_MoviePlayback = 0x6D767062, /* 'mvpb': MediaPlayback */
    kAudioSessionLinuxMode_VideoChat = 0x76646374,     /* 'vdct': PlayAndRecord; speaker and hands-free devices */
    kAudioSessionLinuxMode_SpokenAudio = 0x73706B61    /* 'spka': any category that plays */
};

#ifdef __cplusplus
}
#endif

#endif
