/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt [COUNT [TABLE SUBJECT]]: measures from AudioSessionSetActive in one process to the listener in another, which
   polls the session's descriptor, or with ON_RUN_LOOP runs its CFRunLoop. */
#include "meeting.h"

#include <AudioToolbox/AudioToolbox.h>
#include <poll.h>

enum { WARM_UP = 50 };

static struct meeting *meeting;

static void on_event(void *unused, UInt32 state) {
    (void)unused;
    if (state == kAudioSessionBeginInterruption) {
        meeting->delivered = now();
        meeting_tell(meeting->to_causer);
    } else {
        REQUIRE(AudioSessionSetActive(1) == 0);
        meeting_tell(meeting->to_causer);
    }
}

static void begin(AudioSessionInterruptionListener listener) {
    REQUIRE(AudioSessionInitialize(NULL, NULL, listener, NULL) == 0);
    UInt32 category = kAudioSessionCategory_MediaPlayback;
    REQUIRE(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category) == 0);
}

#ifdef ON_RUN_LOOP
static const char *usual_subject = "libAudioSession, on a CFRunLoop";
static void listen_for_ever(void) {
    begin(on_event);
    REQUIRE(AudioSessionSetActive(1) == 0);
    meeting_tell(meeting->to_causer);
    CFRunLoopRun();
    _exit(1);
}
#else
static const char *usual_subject = "libAudioSession";
static void listen_for_ever(void) {
    begin(on_event);
    struct pollfd event = {.fd = AudioSessionLinuxEventDescriptor(), .events = POLLIN};
    REQUIRE(event.fd >= 0 && AudioSessionSetActive(1) == 0);
    meeting_tell(meeting->to_causer);
    for (;;) {
        REQUIRE(poll(&event, 1, -1) == 1);
        AudioSessionLinuxDispatchEvents();
    }
}
#endif

int main(int argc, char **argv) {
    int count = count_from(argc, argv, 1, 1000);
    const char *table = argc > 3 ? argv[2] : "interrupt", *subject = argc > 3 ? argv[3] : usual_subject;
    meeting = meeting_make();
    if (meeting_fork() == 0) listen_for_ever();
    meeting_wait(meeting->to_causer);
    begin(NULL);
    for (int i = 0; i < WARM_UP + count; i++) {
        meeting_rest();
        uint64_t start = now();
        REQUIRE(AudioSessionSetActive(1) == 0);
        uint64_t returned = now();
        meeting_wait(meeting->to_causer);
        if (i >= WARM_UP) {
            sample(table, subject, "us", (double)(meeting->delivered - start) / 1e3);
            sample("interrupt-call", subject, "us", (double)(returned - start) / 1e3);
        }
        REQUIRE(AudioSessionSetActiveWithFlags(0, kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation) == 0);
        meeting_wait(meeting->to_causer);
    }
}
