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

/* The audio thread calls the session while events arrive. */
static void talk(void) { EXPECT(RemoteIOTurn(voip_audio_unit(), 50)); }

int main(void) {
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
    EXPECT(!RemoteIOTurn(voip_audio_unit(), 1));
    SIMULATE("interrupt end --should-not-resume");
    WAIT_FOR("resumed, active 1"); /* the program ignores the type */
    talk();

    SIMULATE("server die");
    WAIT_FOR("server died 1");
    SIMULATE("server restart");
    WAIT_FOR("server died 0");

    /* The next call. The removed listener receives no route changes between the calls. */
    voip_audio_close();
    SIMULATE("plug line-out");
    EXPECT(voip_audio_open(8000, 0.03, 1) == 1);
    SIMULATE("unplug line-out");
    WAIT_FOR("route ReceiverAndMicrophone, reason 2");
    EXPECT_NOT_HEARD("LineOut");
    WAIT_FOR("route SpeakerAndMicrophone, reason 4");
    talk();
    EXPECT(g.cycles >= 250 && g.gets_failed == 0);
    voip_audio_close();
    voip_audio_shutdown();
    return 0;
}
