/* SPDX-License-Identifier: Apache-2.0 */
/* transfer COUNT NAME=PCM...: measures one write through each PCM, for each format and number of channels. The first PCM is
   the slave of the others, without them. There are two measurements:

   - each write follows a sleep, as in a program that plays: until there is room, or for a moment where there always is.
     COUNT short periods each, and an eighth as many long ones. The caches of the processor are cold after a sleep.
   - several writes in a row, without the first one. */
#include "measure.h"
#include "playing.h"

#include <string.h>

enum { MOST = 16, WARM_UP = 5, MOMENT = 300000, LONG_ONES = 8 };

static const struct pace {
    const char *table;
    snd_pcm_uframes_t period;
    int in_a_row, periods_a_buffer;
} paces[] = {
    {"transfer", 256, 1, 4},
    {"transfer", 4096, 1, 4},
    {"transfer-row", 256, 8, 16},
    {"transfer-row", 4096, 3, 4},
};

struct stream {
    const char *name, *pcm;
    snd_pcm_t *handle; /* NULL: not a PCM, but a memcpy */
    char *copy;
};

/* A stream that has run empty starts again. */
static void go_on(snd_pcm_t *handle, int error) {
    if (error < 0) REQUIRE(snd_pcm_recover(handle, error, 1) >= 0);
}

static void sleep_until_room(snd_pcm_t *handle, snd_pcm_uframes_t frames) {
    bool has_slept = false;
    while (handle && snd_pcm_avail_update(handle) < (snd_pcm_sframes_t)frames) {
        if (snd_pcm_state(handle) == SND_PCM_STATE_PREPARED) REQUIRE(snd_pcm_start(handle) >= 0);
        go_on(handle, snd_pcm_wait(handle, 1000));
        has_slept = true;
    }
    if (!has_slept) pause_for(MOMENT);
}

static double microseconds(struct stream *stream, const char *sound, struct way way, snd_pcm_uframes_t period, int turn) {
    snd_pcm_sframes_t written = 0;
    size_t bytes = bytes_of(way, period);
    uint64_t start = now();
    if (stream->handle) {
        written = snd_pcm_writei(stream->handle, sound, period);
    } else {
        memcpy(stream->copy + (size_t)turn * bytes, sound, bytes);
        __asm__ volatile("" : : "r"(stream->copy) : "memory");
    }
    uint64_t end = now();
    if (stream->handle) go_on(stream->handle, (int)written);
    return (double)(end - start) / 1e3;
}

static void take_a_turn(struct stream *stream, const char *sound, struct way way, const struct pace *pace, int turn) {
    char subject[256];
    say_kind(subject, sizeof subject, stream->name, way, pace->period);
    sleep_until_room(stream->handle, pace->period * (snd_pcm_uframes_t)pace->in_a_row);
    for (int i = 0; i < pace->in_a_row; i++) {
        double each = microseconds(stream, sound, way, pace->period, (turn * pace->in_a_row + i) % pace->periods_a_buffer);
        if (turn >= WARM_UP && (i > 0 || pace->in_a_row == 1)) sample(pace->table, subject, "us", each);
    }
}

static void measure(struct stream *streams, int count, int turns, struct way way, const struct pace *pace) {
    snd_pcm_uframes_t buffer = pace->period * (snd_pcm_uframes_t)pace->periods_a_buffer;
    char *sound = sound_of(bytes_of(way, pace->period)), *copy = sound_of(bytes_of(way, buffer));
    for (int i = 0; i < count; i++) {
        streams[i].copy = copy;
        if (streams[i].pcm) streams[i].handle = opened(streams[i].pcm, way, pace->period, buffer);
    }
    for (int turn = 0; turn < WARM_UP + turns; turn++)
        for (int i = 0; i < count; i++)
            if (streams[i].handle || !streams[i].pcm) take_a_turn(&streams[i], sound, way, pace, turn);
    for (int i = 0; i < count; i++)
        if (streams[i].handle) snd_pcm_close(streams[i].handle);
    free(sound);
    free(copy);
}

int main(int argc, char **argv) {
    int turns = count_from(argc, argv, 1, 50), count = 0;
    struct stream streams[MOST] = {{0}};
    for (int i = 2; i < argc && count < MOST - 1; i++) {
        char *pcm = strchr(argv[i], '=');
        REQUIRE(pcm);
        *pcm = '\0';
        streams[count++] = (struct stream){.name = argv[i], .pcm = pcm + 1};
    }
    streams[count++] = (struct stream){.name = "memcpy"};
    for (size_t p = 0; p < sizeof paces / sizeof *paces; p++) {
        const struct pace *pace = &paces[p];
        int wanted = pace->period > 256 ? turns / LONG_ONES : turns;
        for (size_t w = 0; w < WAYS; w++) measure(streams, count, wanted / pace->in_a_row, ways[w], pace);
    }
}
