/* SPDX-License-Identifier: Apache-2.0 */
/* gain COUNT SOFTVOL: measures how long the loops of the plug-in take to apply a gain to a period, beside a memcpy of the
   same bytes and a write through the PCM named SOFTVOL, which ducks as well. */
#include "measure.h"
#include "playing.h"

#include "CAudioStreams.h"

#include <string.h>

enum { WARM_UP = 5 };

struct work {
    struct way way;
    snd_pcm_uframes_t frames;
    const char *from;
    char *to;
    snd_pcm_t *softvol;
};

static void apply(const struct work *work, float gain) {
    struct stream_gain steady = {gain, gain, 0};
    stream_gain_apply(&steady, (int32_t)work->way.format, work->way.channels, work->from, work->to, work->frames);
}
static void at_unity(const struct work *work) { apply(work, 1); }
static void ducked(const struct work *work) { apply(work, 0.2f); }
static void copied(const struct work *work) { memcpy(work->to, work->from, bytes_of(work->way, work->frames)); }
static void by_softvol(const struct work *work) {
    REQUIRE(snd_pcm_writei(work->softvol, work->from, work->frames) == (snd_pcm_sframes_t)work->frames);
}

static const struct contender {
    const char *name;
    void (*perform)(const struct work *);
    bool needs_softvol;
} contenders[] = {
    {"memcpy", copied, false},
    {"the plug-in's gain at unity", at_unity, false},
    {"the plug-in's gain, ducked", ducked, false},
    {"softvol, ducked, with null behind it", by_softvol, true},
};

static void take_a_turn(const struct contender *contender, const struct work *work, bool counts) {
    char subject[256];
    uint64_t start = now();
    contender->perform(work);
    __asm__ volatile("" : : "r"(work->to) : "memory");
    double each = (double)(now() - start) / 1e3;
    say_kind(subject, sizeof subject, contender->name, work->way, work->frames);
    if (counts) sample("gain", subject, "us", each);
}

static void measure(const char *softvol, int turns, struct way way, snd_pcm_uframes_t frames) {
    size_t bytes = bytes_of(way, frames);
    char *from = sound_of(bytes), *to = sound_of(bytes);
    struct work work = {way, frames, from, to, softvol ? opened(softvol, way, frames, frames * 4) : NULL};
    for (int turn = 0; turn < WARM_UP + turns; turn++)
        for (size_t i = 0; i < sizeof contenders / sizeof *contenders; i++) {
            if (contenders[i].needs_softvol && !work.softvol) continue;
            /* One round fills the caches. */
            take_a_turn(&contenders[i], &work, false);
            take_a_turn(&contenders[i], &work, turn >= WARM_UP);
        }
    if (work.softvol) snd_pcm_close(work.softvol);
    free(from);
    free(to);
}

int main(int argc, char **argv) {
    int turns = count_from(argc, argv, 1, 50);
    for (size_t w = 0; w < WAYS; w++) measure(argc > 2 ? argv[2] : NULL, turns, ways[w], 4096);
}
