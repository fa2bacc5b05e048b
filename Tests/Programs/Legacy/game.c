/* SPDX-License-Identifier: Apache-2.0 */
/* A game while music plays, headphones are plugged, a call interrupts, and the silent switch is set. */
#include "legacy.h"
#define Com_Printf note
#define Com_FrameMixed countFrame
static int mixed;
void countFrame(void);
#include "game_sound.c"

void countFrame(void) { countOne(&mixed); }

static void playFrames(int frames) {
    while (frames-- > 0) {
        SNDDMA_BeginFrame();
        WAIT_FOR_MORE(mixed, 1);
    }
}

static UInt32 running(void) {
    UInt32 value = 9, size = sizeof value;
    EXPECT_STATUS(
        AudioUnitGetProperty(snd.unit, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, &value, &size), 0);
    return value;
}

static UInt32 category(void) {
    UInt32 value = 0, size = sizeof value;
    EXPECT_STATUS(AudioSessionGetProperty(kAudioSessionProperty_AudioCategory, &size, &value), 0);
    return value;
}

int main(void) {
    int before;
    long loud;
    turnMainRunLoop();
    startMusic();
    EXPECT(SNDDMA_Init() && snd.foreign_music);
    EXPECT(category() == kAudioSessionCategory_UserInterfaceSoundEffects);
    playFrames(10);

    /* No event arrives without the run loop, and no event is lost. */
    SIMULATE("plug headphones");
    playFrames(10);
    EXPECT(snd.routes_changed == 0);
    WAIT_FOR("route changed: new device");
    EXPECT(snd.category_sets_in_listener == 1);
    SIMULATE("volume 0.25");
    WAIT_FOR("volume 0.25");

    /* A level ends: the engine restarts its sound, and no other program plays. */
    stopMusic();
    SNDDMA_Shutdown();
    EXPECT(SNDDMA_Init() && !snd.foreign_music);
    EXPECT(category() == kAudioSessionCategory_SoloAmbientSound);
    playFrames(10);

    SIMULATE("silent on");
    playFrames(1);
    EXPECT(snd.muted);
    SIMULATE("silent off");
    playFrames(1);
    EXPECT(!snd.muted);

    /* A call; the user returns to the game before the call ends. */
    SIMULATE("interrupt begin");
    WAIT_FOR("interrupted");
    EXPECT(!running());
    before = countOf(&mixed);
    loud = loudSamples();
    EXPECT(loud > 1000);
    SND_Resume();
    WAIT_FOR("can't resume, 560030580"); /* '!act' */
    EXPECT(countOf(&mixed) == before && !running() && loudSamples() == loud);
    SIMULATE("interrupt end --should-not-resume");
    WAIT_FOR("should not resume");
    WAIT_FOR("resumed");
    EXPECT(running());
    playFrames(10);
    EXPECT(loudSamples() > loud);
    SIMULATE("interrupt begin");
    WAIT_FOR("interrupted");
    SIMULATE("interrupt confirm");
    SIMULATE("interrupt end");
    SND_Resume(); /* no end arrived: the call was confirmed */
    WAIT_FOR("resumed");
    playFrames(10);

    /* The music of another program interrupts and continues: the game activates itself again. */
    startMusic();
    WAIT_FOR("interrupted");
    SND_Resume();
    WAIT_FOR("resumed");
    playFrames(10);
    stopMusic();

    SIMULATE("server die");
    WAIT_FOR("server died");
    SIMULATE("server restart");
    WAIT_FOR("server is back");
    SIMULATE("unplug headphones");
    WAIT_FOR("old device gone");
    SIMULATE("unplug microphone");
    WAIT_FOR("input 0");
    SNDDMA_Shutdown();
    EXPECT_NOT_HEARD("deactivation failed");
    EXPECT_NOT_HEARD("no sound");
    EXPECT_NOT_HEARD("cannot stop");
    return 0;
}
