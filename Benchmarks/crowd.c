/* SPDX-License-Identifier: Apache-2.0 */
/* crowd COUNT ambient|players: starts COUNT processes with a session each: all active and mixing, or all players that
   have interrupted each other. Prints "ready" and runs until standard input ends. */
#include "meeting.h"

#include <AudioToolbox/AudioToolbox.h>
#include <string.h>

static void join(UInt32 category) {
    REQUIRE(AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0);
    REQUIRE(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category) == 0);
    REQUIRE(AudioSessionSetActive(1) == 0);
}

int main(int argc, char **argv) {
    int count = count_from(argc, argv, 1, 10);
    UInt32 category =
        argc > 2 && strcmp(argv[2], "players") == 0 ? kAudioSessionCategory_MediaPlayback : kAudioSessionCategory_AmbientSound;
    struct meeting *meeting = meeting_make();
    for (int i = 0; i < count; i++) {
        if (meeting_fork() == 0) {
            close(0);
            join(category);
            meeting_tell(meeting->to_causer);
            for (;;) pause();
        }
        meeting_wait(meeting->to_causer);
    }
    printf("ready\n");
    fflush(stdout);
    char byte;
    while (read(0, &byte, 1) > 0) {}
}
