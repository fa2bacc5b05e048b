/* SPDX-License-Identifier: Apache-2.0 */
/* A telephone call on the legacy stack, with another call, headsets that are plugged and unplugged, and the death of
   the audio server. */
#include "legacy.h"
#include "voip_audio.c"

static void handle_event(voip_event event, int argument, const char *text) {
    switch (event) {
    case VOIP_EV_ROUTE: note("route %s, reason %d", text, argument); break;
    case VOIP_EV_SUSPENDED: note("suspended, %d", argument); break;
    case VOIP_EV_RESUMED: note("resumed, active %d", argument); break;
    case VOIP_EV_INPUT: note("input %d", argument); break;
    case VOIP_EV_RESET: note("server died %d", argument); break;
    }
}

static int said, heard, heardLoud;

/* The codec, on the audio threads: the other end says a rectangular wave. */
static void decode(short *samples, int count) {
    int i;
    for (i = 0; i < count; i++) samples[i] = (short)(i / 16 % 2 ? 9000 : -9000);
    countOne(&said);
}

static void encode(short *samples, int count) {
    int i = 0;
    while (i < count && samples[i] < 4000) i++;
    if (i < count) countOne(&heardLoud);
    countOne(&heard);
}

/* The audio threads call the session while events arrive. */
static void talk(void) {
    EXPECT(voip_audio_is_running() == 2);
    WAIT_FOR_MORE(said, 10);
    WAIT_FOR_MORE(heard, 10);
}

int main(void) {
    int saidBefore, heardBefore;
    long loud;
    writeMicrophone();
    voip_audio_set_stream(decode, encode);
    EXPECT(voip_audio_init(handle_event) == 0);
    EXPECT(voip_audio_init(handle_event) == 0);
    EXPECT(voip_audio_open(16000, 0.02, 1) == 1);
    talk();

    EXPECT(voip_audio_set_loudspeaker(1) == 0);
    WAIT_FOR("route SpeakerAndMicrophone, reason 4");
    EXPECT(voip_audio_set_loudspeaker(0) == 0);
    WAIT_FOR("route ReceiverAndMicrophone, reason 4");
    talk();

    SIMULATE("plug headset");
    WAIT_FOR("route HeadsetInOut, reason 1");
    EXPECT(voip_audio_is_headset());
    SIMULATE("plug bluetooth-hfp");
    WAIT_FOR("route HeadsetBT, reason 1");
    EXPECT(!voip_audio_is_headset());
    EXPECT(voip_audio_set_bluetooth(0) == 0);
    WAIT_FOR("route HeadsetInOut, reason 4");
    SIMULATE("unplug headset");
    WAIT_FOR("route ReceiverAndMicrophone, reason 2");
    WAIT_FOR("route SpeakerAndMicrophone, reason 4"); /* set inside the listener, delivered after it */
    talk();

    EXPECT(voip_audio_set_mic_gain(0.7) == 0);
    SIMULATE("unplug bluetooth-hfp");
    SIMULATE("unplug microphone");
    WAIT_FOR("input 0");
    EXPECT(voip_audio_set_mic_gain(0.7) == -1);
    SIMULATE("plug microphone");
    WAIT_FOR("input 1");

    SIMULATE("interrupt begin");
    WAIT_FOR("suspended, 0");
    EXPECT(voip_audio_is_running() == 0);
    saidBefore = countOf(&said), heardBefore = countOf(&heard);
    loud = loudSamples();
    EXPECT(loud > 1000);
    SIMULATE("volume 0.5");
    EXPECT(countOf(&said) == saidBefore && countOf(&heard) == heardBefore && loudSamples() == loud);
    SIMULATE("interrupt end --should-not-resume");
    WAIT_FOR("resumed, active 1"); /* the program ignores the type */
    talk();
    EXPECT(loudSamples() > loud);

    SIMULATE("server die");
    WAIT_FOR("server died 1");
    SIMULATE("server restart");
    WAIT_FOR("server died 0");

    /* The next call, without the echo canceller: the microphone is heard as it is. The removed listener receives no route
       changes between the calls. */
    voip_audio_close();
    SIMULATE("plug line-out");
    voip_audio_set_echo_canceller(0);
    EXPECT(voip_audio_open(8000, 0.03, 1) == 1);
    loud = loudSamples();
    SIMULATE("unplug line-out");
    WAIT_FOR("route ReceiverAndMicrophone, reason 2");
    EXPECT_NOT_HEARD("LineOut");
    WAIT_FOR("route SpeakerAndMicrophone, reason 4");
    talk();
    WAIT_FOR_MORE(heardLoud, 5);
    voip_audio_close();
    EXPECT(loudSamples() > loud);
    EXPECT(g.cycles > 0 && g.gets_failed == 0 && g.late_callbacks == 0 && g.renders_failed == 0);
    voip_audio_shutdown();
    return 0;
}
