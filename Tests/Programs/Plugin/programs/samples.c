/* SPDX-License-Identifier: Apache-2.0 */
/* The frames that are played are those that were written, in every format, access and size. */
#include "pcm.h"

/* The format of the recording: 24 bits in four bytes become 32 bits. */
static void as_recorded(unsigned char *bytes, size_t size, snd_pcm_format_t format) {
    if (format != SND_PCM_FORMAT_S24_LE) return;
    for (size_t i = 0; i + 4 <= size; i += 4) {
        bytes[i + 3] = bytes[i + 2];
        bytes[i + 2] = bytes[i + 1];
        bytes[i + 1] = bytes[i];
        bytes[i] = 0;
    }
}

static void write_apart(snd_pcm_t *pcm, const unsigned char *bytes, snd_pcm_uframes_t frames, struct setup setup) {
    size_t width = (size_t)snd_pcm_format_physical_width(setup.format) / 8;
    unsigned char *channels[32];
    void *at[32];
    for (unsigned c = 0; c < setup.channels; c++) {
        channels[c] = (unsigned char *)malloc(frames * width);
        for (snd_pcm_uframes_t f = 0; f < frames; f++)
            memcpy(channels[c] + f * width, bytes + (f * setup.channels + c) * width, width);
        at[c] = channels[c];
    }
    REQUIRE_ALSA(snd_pcm_writen(pcm, at, frames));
    for (unsigned c = 0; c < setup.channels; c++) free(channels[c]);
}

static void write_mapped(snd_pcm_t *pcm, const unsigned char *bytes, snd_pcm_uframes_t frames, size_t frame_size) {
    while (frames > 0) {
        snd_pcm_sframes_t room = snd_pcm_avail_update(pcm);
        REQUIRE_ALSA(room);
        if (room == 0) {
            if (snd_pcm_state(pcm) == SND_PCM_STATE_PREPARED) REQUIRE_ALSA(snd_pcm_start(pcm));
            REQUIRE_ALSA(snd_pcm_wait(pcm, LIMIT));
            continue;
        }
        const snd_pcm_channel_area_t *areas;
        snd_pcm_uframes_t offset, count = frames;
        REQUIRE_ALSA(snd_pcm_mmap_begin(pcm, &areas, &offset, &count));
        memcpy((unsigned char *)areas[0].addr + areas[0].first / 8 + offset * areas[0].step / 8, bytes, count * frame_size);
        snd_pcm_sframes_t done = snd_pcm_mmap_commit(pcm, offset, count);
        REQUIRE_ALSA(done);
        bytes += (size_t)done * frame_size;
        frames -= (snd_pcm_uframes_t)done;
    }
    if (snd_pcm_state(pcm) == SND_PCM_STATE_PREPARED) REQUIRE_ALSA(snd_pcm_start(pcm));
}

static void play_as_written(const struct setup *wanted, snd_pcm_uframes_t frames) {
    struct setup setup = *wanted;
    size_t frame_size = (size_t)snd_pcm_format_physical_width(setup.format) / 8 * setup.channels, size = frames * frame_size,
           found;
    unsigned char *bytes = (unsigned char *)malloc(size);
    fill(bytes, size);
    snd_pcm_t *pcm = open_player(setup);
    switch (setup.access) {
    case SND_PCM_ACCESS_RW_NONINTERLEAVED: write_apart(pcm, bytes, frames, setup); break;
    case SND_PCM_ACCESS_MMAP_INTERLEAVED: write_mapped(pcm, bytes, frames, frame_size); break;
    default: write_all(pcm, bytes, frames, frame_size);
    }
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    EXPECT_INTEGER(snd_pcm_state(pcm), SND_PCM_STATE_SETUP);
    EXPECT_ALSA(snd_pcm_close(pcm), 0);
    unsigned char *recording = played(&found);
    as_recorded(bytes, size, setup.format);
    if (found > size) exit(LATE);
    EXPECT_INTEGER(found, size);
    if (found == size) EXPECT(memcmp(recording, bytes, size) == 0);
    free(recording);
    free(bytes);
}

static void play(snd_pcm_access_t access, snd_pcm_format_t format, unsigned channels, unsigned rate) {
    struct setup setup = {access, format, channels, rate, rate / 100, rate / 5};
    record_what_is_played();
    try_in_time(play_as_written, &setup, rate / 5 * 3 / 2);
}

TEST(s16, "16 bits are played as they were written") { play(SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_FORMAT_S16_LE, 2, 48000); }
TEST(s24, "24 bits in four bytes are played as they were written") {
    play(SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_FORMAT_S24_LE, 2, 44100);
}
TEST(s24_packed, "24 bits in three bytes are played as they were written") {
    play(SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_FORMAT_S24_3LE, 1, 8000);
}
TEST(s32, "32 bits are played as they were written") { play(SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_FORMAT_S32_LE, 8, 96000); }
TEST(floats, "Floats are played as they were written") {
    play(SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_FORMAT_FLOAT_LE, 6, 192000);
}
TEST(apart, "Noninterleaved channels are played as they were written") {
    play(SND_PCM_ACCESS_RW_NONINTERLEAVED, SND_PCM_FORMAT_S16_LE, 4, 32000);
}
TEST(mapped, "Frames in the mapped buffer are played") { play(SND_PCM_ACCESS_MMAP_INTERLEAVED, SND_PCM_FORMAT_S16_LE, 2, 48000); }

TEST(sizes, "Periods of 64 to 8192 frames are granted as requested, and played without a gap") {
    record_what_is_played();
    for (snd_pcm_uframes_t period = 64; period <= 8192; period *= 2) {
        struct setup setup = usual;
        setup.rate = 96000;
        setup.period = period;
        setup.buffer = 16384;
        try_in_time(play_as_written, &setup, setup.buffer + 9600);
    }
}

TEST(converted, "A format that the plug-in does not have is converted") {
    snd_pcm_t *pcm = NULL;
    record_what_is_played();
    struct setup setup = {SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_FORMAT_U8, 1, 8000, 80, 1600};
    pcm = open_player(setup);
    unsigned char bytes[800];
    memset(bytes, 0xC0, sizeof bytes);
    write_all(pcm, bytes, sizeof bytes, 1);
    EXPECT_ALSA(snd_pcm_drain(pcm), 0);
    snd_pcm_close(pcm);
    size_t size;
    unsigned char *recording = played(&size);
    size = without_silence(recording, size, 2);
    EXPECT_INTEGER(size, 1600);
    for (size_t i = 0; i + 2 <= size; i += 2) EXPECT_INTEGER((int16_t)(recording[i] | recording[i + 1] << 8), 0x4000);
    free(recording);
}
