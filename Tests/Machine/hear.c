/* SPDX-License-Identifier: Apache-2.0 */
/* hear PCM SECONDS: records numbered frames, as order.c reads them, with two channels at 48,000 Hz. Prints "FRAME NANOSECONDS" for
   the first numbered frame of each block: the time of CLOCK_MONOTONIC at which it was captured. */
#include <alsa/asoundlib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RATE = 48000, BLOCK = 240, PER_TURN = 30000 };

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int require(int result, const char *what) {
    if (result >= 0) return result;
    fprintf(stderr, "hear: %s: %s\n", what, snd_strerror(result));
    exit(1);
}

int main(int count, char **words) {
    static int16_t frames[BLOCK][2];
    snd_pcm_t *pcm;
    if (count != 3) return 2;
    require(snd_pcm_open(&pcm, words[1], SND_PCM_STREAM_CAPTURE, 0), words[1]);
    require(snd_pcm_set_params(pcm, SND_PCM_FORMAT_S16, SND_PCM_ACCESS_RW_INTERLEAVED, 2, RATE, 0, 500000), "parameters");
    require(snd_pcm_start(pcm), "start");
    for (long blocks = atol(words[2]) * RATE / BLOCK; blocks > 0; blocks--) {
        require((int)snd_pcm_readi(pcm, frames, BLOCK), "read");
        snd_pcm_sframes_t delay;
        require(snd_pcm_delay(pcm, &delay), "delay");
        int64_t end = now() - (int64_t)delay * 1000000000 / RATE;
        for (int i = 0; i < BLOCK; i++) {
            if (frames[i][0] == 0 && frames[i][1] == 0) continue;
            printf("%ld %lld\n", (long)(frames[i][1] - 1) * PER_TURN + frames[i][0] - 1,
                (long long)(end - (int64_t)(BLOCK - i) * 1000000000 / RATE));
            break;
        }
    }
    snd_pcm_close(pcm);
    return 0;
}
