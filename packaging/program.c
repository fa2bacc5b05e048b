/* SPDX-License-Identifier: Apache-2.0 */
/* The program of the package tests: a session that prints its interruptions and their ends. It has no run loop and calls no
   CoreFoundation. It ends with its standard input. */
#include <AudioToolbox/AudioToolbox.h>
#include <poll.h>
#include <stdio.h>

static int print(const char *text) { return printf("program: %s\n", text) < 0 || fflush(stdout) != 0; }

static void interrupted(void *unused, UInt32 state) {
    (void)unused;
    if (state == kAudioSessionEndInterruption) AudioSessionSetActive(true);
    print(state == kAudioSessionBeginInterruption ? "is interrupted" : "goes on");
}

int main(void) {
    UInt32 category = kAudioSessionCategory_MediaPlayback;
    struct pollfd waiting[2] = {{0, POLLIN, 0}, {-1, POLLIN, 0}};
    if (AudioSessionInitialize(NULL, NULL, interrupted, NULL) != 0) return 1;
    if (AudioSessionLinuxSetDisplayName("Tried") != 0) return 1;
    if (AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category) != 0) return 1;
    if (AudioSessionSetActive(true) != 0) return 1;
    if (print("plays")) return 1;
    waiting[1].fd = AudioSessionLinuxEventDescriptor();
    while (poll(waiting, 2, -1) > 0 && waiting[0].revents == 0) AudioSessionLinuxDispatchEvents();
    return 0;
}
