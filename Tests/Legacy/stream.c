/* A radio player whose streams start and stop, with calls, other programs and pulled headphones in between. */
#include "legacy.h"
#include "streamer.c"

static void tell(AudioStreamer *me, const char *why) { note("%s (%d)", why, me->state); }

/* Everything that was played has been asked for from the network. */
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
    AudioStreamer *radio = AudioStreamerCreate(tell);
    AudioStreamerStart(radio);
    WAIT_FOR("started");
    play(radio, 50);

    /* The session was set up by the stream's thread; the main thread's run loop hears. */
    turnMainRunLoop();
    SIMULATE("plug headphones");
    SIMULATE("volume 0.5");
    SIMULATE("volume 0.6");
    SIMULATE("unplug headphones");
    WAIT_FOR("headphones pulled");
    EXPECT(radio->unpluggedOnce == 1);
    AudioStreamerPlay(radio);
    WAIT_FOR("played");

    /* A call: taking the session back is refused for as long, and done at the end. */
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

    /* Another player: this one takes the session back in its begin, the other is out, and no end comes. */
    startMusic();
    WAIT_FOR("interruption");
    AudioStreamerPlay(radio);
    WAIT_FOR("played");
    EXPECT(other() == 0);
    stopMusic();
    play(radio, 50);

    /* The next station: initialized again, the listeners added again. */
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
