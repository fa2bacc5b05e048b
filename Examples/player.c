/* A music player, written as one was for the phone: it plays in the background, makes way for phone
   calls, resumes after them, and pauses when the headphones are pulled.

       cc player.c $(pkg-config --cflags --libs audiosession) -o player */
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>

static int wasPlaying;

static void say(const char *what) {
    printf("player: %s\n", what);
    fflush(stdout);
}

static void check(OSStatus status, const char *what) {
    if (status == kAudioSessionNoError) return;
    fprintf(stderr, "player: %s: %s\n", what, AudioSessionLinuxStatusName(status));
    exit(1);
}

static void play(void) {
    check(AudioSessionSetActive(true), "activating");
    wasPlaying = 1;
    say("plays");
}

static void interrupted(void *unused, UInt32 state) {
    UInt32 type = 0, size = sizeof type;
    (void)unused;
    if (state == kAudioSessionBeginInterruption) {
        say("is interrupted, and shows its pause button");
        return;
    }
    check(AudioSessionGetProperty(kAudioSessionProperty_InterruptionType, &size, &type), "interruption type");
    if (type == kAudioSessionInterruptionType_ShouldResume && wasPlaying) {
        say("may resume");
        play();
    } else {
        say("stays paused");
    }
}

static void routeChanged(void *unused, AudioSessionPropertyID property, UInt32 size, const void *data) {
    CFDictionaryRef change = (CFDictionaryRef)data;
    CFNumberRef number = (CFNumberRef)CFDictionaryGetValue(change, CFSTR(kAudioSession_AudioRouteChangeKey_Reason));
    SInt32 reason = 0;
    (void)unused, (void)property, (void)size;
    CFNumberGetValue(number, kCFNumberSInt32Type, &reason);
    if (reason == kAudioSessionRouteChangeReason_NewDeviceAvailable) say("hears of new headphones, and plays on there");
    if (reason == kAudioSessionRouteChangeReason_OldDeviceUnavailable) {
        wasPlaying = 0;
        check(AudioSessionSetActiveWithFlags(false, kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation), "pausing");
        say("pauses: nobody wants the whole train to hear this");
    }
}

int main(void) {
    UInt32 category = kAudioSessionCategory_MediaPlayback;
    check(AudioSessionInitialize(NULL, NULL, interrupted, NULL), "initializing");
    check(AudioSessionLinuxSetDisplayName("Music"), "naming");
    check(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category), "category");
    check(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, routeChanged, NULL), "listening");
    play();
    CFRunLoopRun();
    return 0;
}
