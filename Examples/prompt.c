/* A navigation prompt: it speaks over the music, which is ducked for as long. It has no run loop; it
   waits with poll, as a program of this system would. It speaks until its standard input ends.

       cc prompt.c $(pkg-config --cflags --libs audiosession) -o prompt */
#include <AudioToolbox/AudioToolbox.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void check(OSStatus status, const char *what) {
    if (status == kAudioSessionNoError) return;
    fprintf(stderr, "prompt: %s: %s\n", what, AudioSessionLinuxStatusName(status));
    exit(1);
}

static void interrupted(void *unused, UInt32 state) {
    (void)unused;
    printf("prompt: %s\n", state == kAudioSessionBeginInterruption ? "is cut short" : "could go on");
    fflush(stdout);
}

int main(void) {
    UInt32 category = kAudioSessionCategory_MediaPlayback, yes = 1;
    struct pollfd waiting[2] = {{STDIN_FILENO, POLLIN, 0}, {-1, POLLIN, 0}};
    check(AudioSessionInitialize(NULL, NULL, interrupted, NULL), "initializing");
    check(AudioSessionLinuxSetDisplayName("Navigation"), "naming");
    check(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category), "category");
    check(AudioSessionSetProperty(kAudioSessionProperty_OverrideCategoryMixWithOthers, sizeof yes, &yes), "mixing");
    check(AudioSessionSetProperty(kAudioSessionProperty_OtherMixableAudioShouldDuck, sizeof yes, &yes), "ducking");
    waiting[1].fd = AudioSessionLinuxEventDescriptor();

    check(AudioSessionSetActive(true), "activating");
    printf("prompt: says \"turn left\"\n");
    fflush(stdout);
    while (poll(waiting, 2, -1) > 0 && waiting[0].revents == 0) AudioSessionLinuxDispatchEvents();
    check(AudioSessionSetActive(false), "deactivating");
    printf("prompt: is silent again\n");
    return 0;
}
