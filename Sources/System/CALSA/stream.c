/* SPDX-License-Identifier: Apache-2.0 */
/* The PCM device of a stream. */
#include "CALSA.h"
#include "CLinux.h"

#include <alsa/asoundlib.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads "pcm.stream { ... }". */
static int read_definition(snd_config_t *configuration, const char *definition) {
    static const char name[] = "pcm.stream ";
    snd_input_t *text;
    size_t size = sizeof name + strlen(definition);
    char *whole = malloc(size);
    if (!whole) return -ENOMEM;
    int length = snprintf(whole, size, "%s%s", name, definition);
    int error = snd_input_buffer_open(&text, whole, length);
    if (error >= 0) {
        error = snd_config_load(configuration, text);
        snd_input_close(text);
    }
    free(whole);
    return error;
}

static int open_definition(alsa_stream **out, const char *definition, snd_pcm_stream_t direction) {
    snd_config_t *configuration;
    int error = snd_config_top(&configuration);
    if (error < 0) return error;
    error = read_definition(configuration, definition);
    if (error >= 0) error = snd_pcm_open_lconf(out, "stream", direction, SND_PCM_NONBLOCK, configuration);
    snd_config_delete(configuration);
    return error;
}

static _Thread_local bool is_opening;

int alsa_stream_open(alsa_stream **out, const char *name, bool playback) {
    snd_pcm_stream_t direction = playback ? SND_PCM_STREAM_PLAYBACK : SND_PCM_STREAM_CAPTURE;
    is_opening = true;
    int error = name[0] == '{' ? open_definition(out, name, direction) : snd_pcm_open(out, name, direction, SND_PCM_NONBLOCK);
    is_opening = false;
    return error;
}

bool alsa_stream_is_opening(void) { return is_opening; }

void alsa_stream_close(alsa_stream *stream) { snd_pcm_close(stream); }

/* Sets the sizes in frames, replaces them by the granted ones, and chooses the configuration. */
static int set_sizes(alsa_stream *stream, snd_pcm_hw_params_t *params, uint64_t *period, uint64_t *buffer) {
    snd_pcm_uframes_t granted_period = *period, granted_buffer = *buffer;
    int error = snd_pcm_hw_params_set_period_size_near(stream, params, &granted_period, NULL);
    /* With two periods or less dmix starts at the hardware's next period and does not report the delay, which is up to
       one period. A longer buffer is harmless: the stream decides how much is queued. */
    if (granted_buffer < 3 * granted_period) granted_buffer = 3 * granted_period;
    if (error >= 0) error = snd_pcm_hw_params_set_buffer_size_near(stream, params, &granted_buffer);
    if (error >= 0) error = snd_pcm_hw_params(stream, params);
    if (error < 0) return error;
    *period = granted_period;
    *buffer = granted_buffer;
    return 0;
}

static bool is_card(alsa_stream *stream) { return snd_pcm_type(stream) == SND_PCM_TYPE_HW; }
static bool is_mixer(alsa_stream *stream) { return snd_pcm_type(stream) == SND_PCM_TYPE_DMIX; }

/* dmix and cards play from memory that the program can fill. A write copies the frames into it: dmix asks for the position of the
   card three times in place of once, and the kernel also clears the room behind the frames. For a write to a card the kernel
   checks that the frames are not too late. A caller that maps a card has to check that itself. */
static int set_access(alsa_stream *stream, snd_pcm_hw_params_t *params, bool maps_cards, bool *is_mapped) {
    bool can_be_mapped = is_mixer(stream) || (maps_cards && is_card(stream));
    *is_mapped = can_be_mapped && snd_pcm_stream(stream) == SND_PCM_STREAM_PLAYBACK &&
        snd_pcm_hw_params_set_access(stream, params, SND_PCM_ACCESS_MMAP_INTERLEAVED) >= 0;
    return *is_mapped ? 0 : snd_pcm_hw_params_set_access(stream, params, SND_PCM_ACCESS_RW_INTERLEAVED);
}

static int set_hardware(
    alsa_stream *stream, int32_t sample, uint32_t channels, uint32_t rate, uint64_t *period, uint64_t *buffer, bool *is_mapped) {
    snd_pcm_hw_params_t *params;
    snd_pcm_hw_params_alloca(&params);
    int error = snd_pcm_hw_params_any(stream, params);
    if (error >= 0) error = set_access(stream, params, false, is_mapped);
    if (error >= 0) error = snd_pcm_hw_params_set_format(stream, params, sample);
    if (error >= 0) error = snd_pcm_hw_params_set_channels(stream, params, channels);
    if (error >= 0) error = snd_pcm_hw_params_set_rate(stream, params, rate, 0);
    return error < 0 ? error : set_sizes(stream, params, period, buffer);
}

/* The formats in which a device is opened at its own rate, the best first: native byte order. */
static const snd_pcm_format_t formats[] = {
    SND_PCM_FORMAT_FLOAT, SND_PCM_FORMAT_S32, SND_PCM_FORMAT_S16, SND_PCM_FORMAT_S24_3LE, SND_PCM_FORMAT_S24};
enum { MOST_CHANNELS = 8 };

static int choose_format(alsa_stream *stream, snd_pcm_hw_params_t *params, int32_t *sample) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (snd_pcm_hw_params_test_format(stream, params, formats[i]) < 0) continue;
        *sample = formats[i];
        return snd_pcm_hw_params_set_format(stream, params, formats[i]);
    }
    return -EINVAL;
}

static int negotiate_hardware(alsa_stream *stream, struct alsa_stream_setup *setup) {
    snd_pcm_hw_params_t *params;
    snd_pcm_hw_params_alloca(&params);
    unsigned channels = setup->channels, rate = setup->rate;
    int error = snd_pcm_hw_params_any(stream, params);
    if (error >= 0) error = snd_pcm_hw_params_set_rate_resample(stream, params, 0);
    if (error >= 0) error = set_access(stream, params, true, &setup->is_mapped);
    if (error >= 0) error = choose_format(stream, params, &setup->sample);
    if (error >= 0) error = snd_pcm_hw_params_set_channels_near(stream, params, &channels);
    if (error >= 0 && channels > MOST_CHANNELS) error = -EINVAL;
    if (error >= 0) error = snd_pcm_hw_params_set_rate_near(stream, params, &rate, NULL);
    if (error < 0) return error;
    setup->channels = channels;
    setup->rate = rate;
    setup->period = (uint64_t)(setup->period_seconds * rate + 0.5);
    if (setup->period < 16) setup->period = 16;
    setup->buffer = (uint64_t)(setup->buffer_seconds * rate + 0.5);
    return set_sizes(stream, params, &setup->period, &setup->buffer);
}

/* The stream starts explicitly, so that `start` is a number of frames that is not written before. The kernel or dmix plays silence
   after the last frame, but on a mapped card alsa_stream_fill writes the silence. */
static int set_software(alsa_stream *stream, bool is_mapped, snd_pcm_uframes_t start) {
    snd_pcm_sw_params_t *params;
    snd_pcm_uframes_t boundary;
    snd_pcm_sw_params_alloca(&params);
    int error = snd_pcm_sw_params_current(stream, params);
    if (error >= 0) error = snd_pcm_sw_params_get_boundary(params, &boundary);
    if (error >= 0) error = snd_pcm_sw_params_set_start_threshold(stream, params, start ? start : boundary);
    if (error >= 0) error = snd_pcm_sw_params_set_silence_threshold(stream, params, 0);
    if (error >= 0) error = snd_pcm_sw_params_set_silence_size(stream, params, is_mapped && is_card(stream) ? 0 : boundary);
    return error < 0 ? error : snd_pcm_sw_params(stream, params);
}

/* After an underrun PulseAudio waits until so many frames are there. Its plug-in cuts the number to 32 bits, which makes 0 of the
   boundary: the server then waits for none, and drops as many frames as it has missed. A third of the buffer, which is silence, is
   written before the start. 0, for none: a program with a short buffer could never write as many. */
static snd_pcm_uframes_t frames_after_underrun(alsa_stream *stream, uint64_t period, uint64_t buffer, uint64_t most) {
    uint64_t frames = period > buffer / 3 ? period : buffer / 3 + 1;
    return snd_pcm_stream(stream) == SND_PCM_STREAM_PLAYBACK && frames <= most / 2 ? frames : 0;
}

int alsa_stream_configure(alsa_stream *stream, int32_t sample, uint32_t channels, uint32_t rate, uint64_t most, uint64_t *period,
    uint64_t *buffer, bool *is_mapped) {
    int error = set_hardware(stream, sample, channels, rate, period, buffer, is_mapped);
    return error < 0 ? error : set_software(stream, *is_mapped, frames_after_underrun(stream, *period, *buffer, most));
}

int alsa_stream_negotiate(alsa_stream *stream, struct alsa_stream_setup *setup) {
    int error = negotiate_hardware(stream, setup);
    return error < 0 ? error : set_software(stream, setup->is_mapped, 0);
}

int alsa_stream_prepare(alsa_stream *stream) { return snd_pcm_prepare(stream); }
int alsa_stream_start(alsa_stream *stream) { return snd_pcm_start(stream); }
int alsa_stream_drop(alsa_stream *stream) { return snd_pcm_drop(stream); }
ptrdiff_t alsa_stream_rewind(alsa_stream *stream, uint64_t count) { return snd_pcm_rewind(stream, count); }
ptrdiff_t alsa_stream_write(alsa_stream *stream, const void *frames, uint64_t count) {
    return snd_pcm_writei(stream, frames, count);
}

static char *address(const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t frame) {
    return (char *)areas->addr + (areas->first + frame * areas->step) / 8;
}

/* Fills the memory of the device up to its end. */
static snd_pcm_sframes_t fill(alsa_stream *stream, const char *frames, snd_pcm_uframes_t count, size_t frame_size) {
    const snd_pcm_channel_area_t *areas;
    snd_pcm_uframes_t offset;
    int error = snd_pcm_mmap_begin(stream, &areas, &offset, &count);
    if (error < 0 || count == 0) return error;
    linux_copy_samples(address(areas, offset), frames, count * frame_size);
    return snd_pcm_mmap_commit(stream, offset, count);
}

/* A card plays on after the last frame until the kernel notices the end. All samples are signed. */
static void clear_room(alsa_stream *stream, size_t frame_size) {
    const snd_pcm_channel_area_t *areas;
    snd_pcm_sframes_t room = snd_pcm_avail_update(stream);
    if (room <= 0) return;
    snd_pcm_uframes_t offset, at_end = (snd_pcm_uframes_t)room;
    if (snd_pcm_mmap_begin(stream, &areas, &offset, &at_end) < 0) return;
    linux_clear_samples(address(areas, offset), at_end * frame_size);
    if (at_end < (snd_pcm_uframes_t)room) linux_clear_samples(address(areas, 0), ((snd_pcm_uframes_t)room - at_end) * frame_size);
}

ptrdiff_t alsa_stream_fill(alsa_stream *stream, const void *frames, uint64_t count, size_t frame_size) {
    uint64_t done = 0;
    while (done < count) {
        snd_pcm_sframes_t filled = fill(stream, (const char *)frames + done * frame_size, count - done, frame_size);
        if (filled < 0 && done == 0) return filled;
        if (filled <= 0) break;
        done += (uint64_t)filled;
    }
    if (is_card(stream)) clear_room(stream, frame_size);
    return (ptrdiff_t)done;
}

ptrdiff_t alsa_stream_read(alsa_stream *stream, void *frames, uint64_t count) { return snd_pcm_readi(stream, frames, count); }

/* snd_pcm_avail_delay makes two system calls for a card and three for dmix. For the delay, the kernel reads the position of the
   card as well; the room is then known without a call. dmix reads the position of its card whenever its room is updated, and its
   delay is what its buffer contains. */
static int position(alsa_stream *stream, snd_pcm_sframes_t *avail, snd_pcm_sframes_t *delay) {
    snd_pcm_uframes_t buffer, period;
    int error;
    switch (snd_pcm_type(stream)) {
    case SND_PCM_TYPE_HW:
        error = snd_pcm_delay(stream, delay);
        if (error >= 0) *avail = snd_pcm_avail_update(stream);
        break;
    case SND_PCM_TYPE_DMIX:
        error = snd_pcm_get_params(stream, &buffer, &period);
        if (error >= 0) *avail = snd_pcm_avail_update(stream);
        if (error >= 0) *delay = (snd_pcm_sframes_t)buffer - *avail;
        break;
    default: return snd_pcm_avail_delay(stream, avail, delay);
    }
    return error < 0 ? error : *avail < 0 ? (int)*avail : 0;
}

int alsa_stream_where(alsa_stream *stream, int64_t *available, int64_t *delay) {
    snd_pcm_sframes_t avail, late;
    int error = position(stream, &avail, &late);
    if (error < 0) return error;
    *available = avail;
    *delay = late;
    return 0;
}
