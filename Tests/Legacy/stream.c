/* SPDX-License-Identifier: Apache-2.0 */
/* A radio player: streams start and stop, with calls, other programs and unplugged headphones between. */
#include "legacy.h"
#include "streamer.c"

static void on_change(AudioStreamer *me, const char *why) { note("%s (%d)", why, me->state); }

/* Every played frame came from the network. */
static void play(AudioStreamer *me, int cycles) {
    int wanted = me->wanted + cycles;
    EXPECT(RemoteIOTurn(&me->queue, cycles));
    pthread_mutex_lock(&me->mutex);
    while (me->packets < wanted) pthread_cond_wait(&me->condition, &me->mutex);
    pthread_mutex_unlock(&me->mutex);
}

static UInt32 other(void) {
    UInt32 value = 9, size = sizeof value;
    EXPECT_STATUS(AudioSessionGetProperty(kAudioSessionProperty_OtherAudioIsPlaying, &size, &value), 0);
    return value;
}

int main(void) {
    AudioStreamer *radio = AudioStreamerCreate(on_change);
    AudioStreamerStart(radio);
    WAIT_FOR("started");
    play(radio, 50);

    /* The thread of the stream initializes the session; the run loop of the main thread receives the events. */
    turnMainRunLoop();
    SIMULATE("plug headphones");
    SIMULATE("volume 0.5");
    SIMULATE("volume 0.6");
    SIMULATE("unplug headphones");
    WAIT_FOR("headphones pulled");
    EXPECT(radio->unpluggedOnce == 1);
    AudioStreamerPlay(radio);
    WAIT_FOR("played");

    /* A call refuses the activation; the end of the call allows it. */
    SIMULATE("interrupt begin");
    WAIT_FOR("interruption");
    WAIT_FOR("not yet");
    SIMULATE("interrupt end");
    WAIT_FOR("resumed");
    play(radio, 50);
    SIMULATE("interrupt begin");
    WAIT_FOR("not yet");
    SIMULATE("interrupt end --should-not-resume");
    WAIT_FOR("stays paused");
    AudioStreamerPlay(radio);
    WAIT_FOR("played");

    /* Another player: this one activates itself in its begin, the other one is interrupted, and no end arrives. */
    startMusic();
    WAIT_FOR("interruption");
    AudioStreamerPlay(radio);
    WAIT_FOR("played");
    EXPECT(other() == 0);
    stopMusic();
    play(radio, 50);

    /* The next station: initialized again, listeners added again. */
    AudioStreamerStop(radio);
    WAIT_FOR("stopped");
    AudioStreamerStart(radio);
    WAIT_FOR("started");
    play(radio, 50);
    SIMULATE("plug headphones");
    SIMULATE("unplug headphones");
    WAIT_FOR("headphones pulled");
    EXPECT(strstr(transcript + waitedFor, "headphones pulled") == NULL);
    AudioStreamerDestroy(radio);
    return 0;
}
