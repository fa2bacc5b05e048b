/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that must not wait: the plug-in copies, and does nothing else. The kernel ends the test on any system call of
   this thread but the wake-up of another one. */
#include "pcm.h"
#include "watched.h"

enum { FRAME = 4, TRANSFERS = 2000, PIECE = 16 };

static int16_t sound[48000 * 2];

static volatile snd_pcm_sframes_t worst;

static void *write_without_system_calls(void *argument) {
    snd_pcm_t *pcm = (snd_pcm_t *)argument;
    forbid_system_calls(FUTEX_WAKE_PRIVATE, FUTEX_WAKE_PRIVATE);
    is_watched = true;
    for (int i = 0; i < TRANSFERS; i++) {
        snd_pcm_sframes_t count = snd_pcm_writei(pcm, sound, PIECE), delay;
        if (count < 0 && count != -EAGAIN && count < worst) worst = count;
        if (snd_pcm_avail_update(pcm) < 0 || snd_pcm_delay(pcm, &delay) < 0) worst = -1000;
    }
    is_watched = false;
    syscall(__NR_exit, 0);
    return NULL;
}

TEST(copying, "A transfer takes no lock, allocates nothing, and makes no system call but one that wakes another thread") {
    struct setup setup = usual;
    /* On a busy machine the thread may wait for long: the buffer is long enough. */
    setup.buffer = 4 * 48000;
    snd_pcm_t *pcm = open_pcm(SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK, setup);
    for (int second = 0; second < 2; second++) EXPECT_ALSA(snd_pcm_writei(pcm, sound, 48000), 48000);
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_RUNNING);
    pthread_t thread;
    REQUIRE(pthread_create(&thread, NULL, write_without_system_calls, pcm) == 0);
    pthread_join(thread, NULL);
    EXPECT_ALSA(worst, 0);
    EXPECT_INTEGER(locks, 0);
    if (WATCHES_MEMORY) EXPECT_INTEGER(allocations, 0);
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_RUNNING);
    snd_pcm_close(pcm);
}
