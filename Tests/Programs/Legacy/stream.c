/* SPDX-License-Identifier: Apache-2.0 */
/* A radio player: streams start and stop, with calls, other programs and unplugged headphones between. */
#include "legacy.h"
#include "streamer.c"

static void on_change(AudioStreamer *me, const char *why) { note("%s (%d)", why, me->state); }

/* Waits for the condition of the player, on its own condition variable. */
#define AWAIT(me, wanted) \
    do { \
        struct timespec deadline; \
        int late = 0; \
        clock_gettime(CLOCK_REALTIME, &deadline); \
        deadline.tv_sec += 60; \
        pthread_mutex_lock(&(me)->mutex); \
        while (!(wanted) && !late) late = pthread_cond_timedwait(&(me)->condition, &(me)->mutex, &deadline) != 0; \
        late = !(wanted); \
        pthread_mutex_unlock(&(me)->mutex); \
        if (late) giveUp(__FILE__, __LINE__, "waited 60 s in vain for " #wanted); \
    } while (0)

static int packets(AudioStreamer *me) {
    int packets;
    pthread_mutex_lock(&me->mutex);
    packets = me->packets;
    pthread_mutex_unlock(&me->mutex);
    return packets;
}

/* Each further packet takes the place of a played one. */
static void play(AudioStreamer *me, int more) {
    int wanted = packets(me) + more;
    AWAIT(me, me->packets >= wanted);
    AWAIT(me, me->running);
}

static UInt32 running(AudioStreamer *me) {
    UInt32 value = 9, size = sizeof value;
    EXPECT_STATUS(AudioQueueGetProperty(me->queue, kAudioQueueProperty_IsRunning, &value, &size), 0);
    return value;
}

static UInt32 other(void) {
    UInt32 value = 9, size = sizeof value;
    EXPECT_STATUS(AudioSessionGetProperty(kAudioSessionProperty_OtherAudioIsPlaying, &size, &value), 0);
    return value;
}

int main(void) {
    long loud;
    AudioStreamer *radio = AudioStreamerCreate(on_change);
    AudioStreamerStart(radio);
    WAIT_FOR("started");
    play(radio, 20);

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
    AWAIT(radio, !radio->running);
    EXPECT(!running(radio));
    loud = loudSamples();
    EXPECT(loud > 1000);
    SIMULATE("interrupt end");
    WAIT_FOR("resumed");
    play(radio, 20);
    EXPECT(loudSamples() > loud);
    SIMULATE("interrupt begin");
    WAIT_FOR("not yet");
    SIMULATE("interrupt end --should-not-resume");
    WAIT_FOR("stays paused");
    AWAIT(radio, !radio->running);
    EXPECT(!running(radio));
    AudioStreamerPlay(radio);
    WAIT_FOR("played");

    /* Another player: this one activates itself in its begin, the other one is interrupted, and no end arrives. */
    startMusic();
    WAIT_FOR("interruption");
    AudioStreamerPlay(radio);
    WAIT_FOR("played");
    EXPECT(other() == 0);
    stopMusic();
    play(radio, 20);

    /* The next station: initialized again, listeners added again. */
    AudioStreamerStop(radio);
    WAIT_FOR("stopped");
    AudioStreamerStart(radio);
    WAIT_FOR("started");
    play(radio, 20);
    SIMULATE("plug headphones");
    SIMULATE("unplug headphones");
    WAIT_FOR("headphones pulled");
    EXPECT(strstr(transcript + waitedFor, "headphones pulled") == NULL);
    AudioStreamerDestroy(radio);
    return 0;
}
