/* transfer COUNT NAME=PCM...: what writing one period takes through each PCM, in turn, for each format and
   number of channels; COUNT short periods each, and as much sound in long ones. The first is the one that the others are compared with: their slave alone. */
#include "measure.h"

#include <alsa/asoundlib.h>
#include <string.h>

enum { MOST = 16, WARM_UP = 5, RATE = 48000 };

static const snd_pcm_format_t formats[] = {SND_PCM_FORMAT_S16, SND_PCM_FORMAT_S32, SND_PCM_FORMAT_FLOAT};
static const unsigned channel_counts[] = {2, 8};
static const snd_pcm_uframes_t periods[] = {256, 4096};

struct stream {
    const char *name, *pcm;
    snd_pcm_t *handle;
};

/* NULL where this PCM does not do that, or is not there. */
static snd_pcm_t *opened(const char *pcm, snd_pcm_format_t format, unsigned channels, snd_pcm_uframes_t period) {
    snd_pcm_t *handle;
    if (snd_pcm_open(&handle, pcm, SND_PCM_STREAM_PLAYBACK, 0) < 0) return NULL;
    snd_pcm_hw_params_t *wanted;
    snd_pcm_hw_params_alloca(&wanted);
    snd_pcm_uframes_t buffer = period * 4;
    if (snd_pcm_hw_params_any(handle, wanted) >= 0 &&
        snd_pcm_hw_params_set_access(handle, wanted, SND_PCM_ACCESS_RW_INTERLEAVED) >= 0 &&
        snd_pcm_hw_params_set_format(handle, wanted, format) >= 0 &&
        snd_pcm_hw_params_set_channels(handle, wanted, channels) >= 0 &&
        snd_pcm_hw_params_set_rate(handle, wanted, RATE, 0) >= 0 &&
        snd_pcm_hw_params_set_period_size_near(handle, wanted, &period, NULL) >= 0 &&
        snd_pcm_hw_params_set_buffer_size_near(handle, wanted, &buffer) >= 0 && snd_pcm_hw_params(handle, wanted) >= 0)
        return handle;
    snd_pcm_close(handle);
    return NULL;
}

/* One write, begun when there is room for it: waiting is the sound's own time. */
static double microseconds(snd_pcm_t *handle, const void *sound, snd_pcm_uframes_t period) {
    while (snd_pcm_avail_update(handle) < (snd_pcm_sframes_t)period) {
        if (snd_pcm_state(handle) == SND_PCM_STATE_PREPARED) REQUIRE(snd_pcm_start(handle) >= 0);
        int ready = snd_pcm_wait(handle, 1000);
        if (ready < 0) REQUIRE(snd_pcm_recover(handle, ready, 1) >= 0);
    }
    uint64_t start = now();
    snd_pcm_sframes_t written = snd_pcm_writei(handle, sound, period);
    uint64_t end = now();
    if (written < 0) REQUIRE(snd_pcm_recover(handle, (int)written, 1) >= 0);
    return (double)(end - start) / 1e3;
}

static double microseconds_of_copy(void *copy, const void *sound, size_t bytes) {
    uint64_t start = now();
    memcpy(copy, sound, bytes);
    __asm__ volatile("" : : "r"(copy) : "memory");
    return (double)(now() - start) / 1e3;
}

static void measure(struct stream *streams, int count, int turns, snd_pcm_format_t format, unsigned channels,
                    snd_pcm_uframes_t period) {
    size_t bytes = period * channels * (size_t)snd_pcm_format_physical_width(format) / 8;
    char *sound = calloc(1, bytes), *copy = calloc(1, bytes), subject[256];
    REQUIRE(sound && copy);
    for (size_t i = 0; i < bytes; i++) sound[i] = (char)(i * 31 % 61);
    for (int i = 0; i < count; i++) streams[i].handle = opened(streams[i].pcm, format, channels, period);
    char kind[128];
    snprintf(kind, sizeof kind, "%s, %u channels, %lu frames", snd_pcm_format_name(format), channels, period);
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < count; i++) {
            if (!streams[i].handle) continue;
            double each = microseconds(streams[i].handle, sound, period);
            snprintf(subject, sizeof subject, "%s, %s", streams[i].name, kind);
            if (turn >= WARM_UP) sample("transfer", subject, "us", each);
        }
        double each = microseconds_of_copy(copy, sound, bytes);
        snprintf(subject, sizeof subject, "memcpy, %s", kind);
        if (turn >= WARM_UP) sample("transfer", subject, "us", each);
    }
    for (int i = 0; i < count; i++)
        if (streams[i].handle) snd_pcm_close(streams[i].handle);
    free(sound);
    free(copy);
}

int main(int argc, char **argv) {
    int turns = count_from(argc, argv, 1, 50), count = 0;
    struct stream streams[MOST];
    for (int i = 2; i < argc && count < MOST; i++) {
        char *pcm = strchr(argv[i], '=');
        REQUIRE(pcm);
        *pcm = '\0';
        streams[count++] = (struct stream){argv[i], pcm + 1, NULL};
    }
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (size_t c = 0; c < sizeof channel_counts / sizeof *channel_counts; c++)
            for (size_t p = 0; p < sizeof periods / sizeof *periods; p++)
                measure(streams, count, WARM_UP + turns * 256 / (int)periods[p], formats[f], channel_counts[c], periods[p]);
}
