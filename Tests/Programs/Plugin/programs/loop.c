/* SPDX-License-Identifier: Apache-2.0 */
/* A device that leads back to the plug-in. */
#include "pcm.h"

static int16_t sound[480 * 2];

TEST(playing, "A stream whose device is the plug-in itself plays silence in real time, waits for nothing, and says why") {
    begin_log();
    setenv("AUDIOSESSION_SLAVE", "audiosession", 1);
    snd_pcm_t *pcm = open_player(usual);
    for (int i = 0; i < 20; i++) EXPECT_ALSA(snd_pcm_writei(pcm, sound, 480), 480);
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_RUNNING);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    EXPECT(strstr(take_log(), "would play into itself: name the PCM of a card") != NULL);
    snd_pcm_close(pcm);
}
