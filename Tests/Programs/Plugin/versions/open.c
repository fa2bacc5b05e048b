/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the device and prints the result of libasound. */
#include <alsa/asoundlib.h>

int main(void) {
    snd_pcm_t *pcm = NULL;
    int result = snd_pcm_open(&pcm, "audiosession", SND_PCM_STREAM_PLAYBACK, 0);
    printf("%d\n", result);
    if (result >= 0) snd_pcm_close(pcm);
    return 0;
}
