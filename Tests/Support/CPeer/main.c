/* SPDX-License-Identifier: Apache-2.0 */
/* A program in C that a test speaks to: a word or a change of the simulated machine a line on standard input, a
   line for each answer and each interruption on standard output. */
#include <AudioToolbox/AudioToolbox.h>
#include <AudioToolbox/AudioSessionLinux.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void interrupted(void *unused, UInt32 state) {
    (void)unused;
    if (state == kAudioSessionBeginInterruption) {
        puts("began");
        return;
    }
    UInt32 type = 0, size = sizeof type;
    AudioSessionGetProperty(kAudioSessionProperty_InterruptionType, &size, &type);
    puts(type == kAudioSessionInterruptionType_ShouldResume ? "ended, should resume" : "ended");
}

static OSStatus perform(const char *word) {
    if (strcmp(word, "activate") == 0) return AudioSessionSetActive(true);
    if (strcmp(word, "deactivate") == 0) return AudioSessionSetActive(false);
    if (strcmp(word, "leave") == 0)
        return AudioSessionSetActiveWithFlags(false, kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation);
    return AudioSessionLinuxSimulate(word);
}

int main(void) {
    UInt32 category = kAudioSessionCategory_MediaPlayback;
    char word[64];
    setvbuf(stdout, NULL, _IOLBF, 0);
    setvbuf(stdin, NULL, _IONBF, 0);
    AudioSessionInitialize(NULL, NULL, interrupted, NULL);
    AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category);
    struct pollfd waiting[2] = {{STDIN_FILENO, POLLIN, 0}, {AudioSessionLinuxEventDescriptor(), POLLIN, 0}};
    while (poll(waiting, 2, -1) > 0) {
        if (waiting[1].revents) AudioSessionLinuxDispatchEvents();
        if (waiting[0].revents) {
            if (!fgets(word, sizeof word, stdin)) break;
            word[strcspn(word, "\n")] = 0;
            printf("%s: %d\n", word, (int)perform(word));
        }
    }
    return 0;
}
