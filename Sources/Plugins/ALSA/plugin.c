/* SPDX-License-Identifier: Apache-2.0 */
/* The ALSA plug-in, which presents a stream of the engine to libasound. Samples pass through this file and the ring only. */
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <errno.h>
#include <poll.h>

#include "CEngineTable.h"

/* The mode after snd_pcm_abort. */
enum { ABORTED = 2 };

/* Set when the first stream is opened. */
static const struct audiosession_engine *engine;

struct pcm {
    snd_pcm_ioplug_t io;
    void *stream;
    struct stream_ring *ring;
    snd_pcm_channel_area_t *areas; /* the ring, for snd_pcm_areas_copy */
    snd_pcm_uframes_t boundary;
    snd_pcm_uframes_t last; /* the program's last position, in libasound's count */
};

/* The position of the program. A program can move it without a transfer. */
static uint64_t programs_position(struct pcm *pcm) {
    snd_pcm_uframes_t now = pcm->io.appl_ptr;
    snd_pcm_sframes_t moved = (snd_pcm_sframes_t)(now - pcm->last);
    if (pcm->boundary) {
        if (moved > (snd_pcm_sframes_t)(pcm->boundary / 2)) moved -= (snd_pcm_sframes_t)pcm->boundary;
        if (moved < -(snd_pcm_sframes_t)(pcm->boundary / 2)) moved += (snd_pcm_sframes_t)pcm->boundary;
    }
    pcm->last = now;
    return stream_ring_program(pcm->ring) + (uint64_t)moved;
}

static void follow_program(struct pcm *pcm) {
    uint64_t before = stream_ring_program(pcm->ring), now = programs_position(pcm);
    if (now != before) stream_ring_program_advance(pcm->ring, now);
}

/* The error that has ended the stream, or 0. */
static uint32_t fault_of(const struct pcm *pcm) { return __atomic_load_n(&pcm->ring->fault, __ATOMIC_ACQUIRE); }

/* ---- samples ---- */

static snd_pcm_sframes_t transfer(
    snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
    struct pcm *pcm = io->private_data;
    struct stream_ring *ring = pcm->ring;
    uint64_t position = programs_position(pcm);
    snd_pcm_uframes_t done = 0;
    while (done < size) {
        snd_pcm_uframes_t place = (position + done) % ring->capacity, count = ring->capacity - place;
        if (count > size - done) count = size - done;
        int error = ring->is_capture
            ? snd_pcm_areas_copy(areas, offset + done, pcm->areas, place, io->channels, count, io->format)
            : snd_pcm_areas_copy(pcm->areas, place, areas, offset + done, io->channels, count, io->format);
        if (error < 0) return error;
        done += count;
    }
    if (!stream_ring_program_advance(ring, position + size)) {
        /* The stream has ended after libasound asked for the pointer. */
        bool is_gone = fault_of(pcm) == ENODEV;
        io->state = is_gone ? SND_PCM_STATE_DISCONNECTED : SND_PCM_STATE_XRUN;
        return is_gone ? -ENODEV : -EPIPE;
    }
    pcm->last += size;
    if (pcm->boundary && pcm->last >= pcm->boundary) pcm->last -= pcm->boundary;
    return (snd_pcm_sframes_t)size;
}

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *io) {
    struct pcm *pcm = io->private_data;
    follow_program(pcm);
    uint32_t fault = fault_of(pcm);
    if (fault == ENODEV)
        io->state = SND_PCM_STATE_DISCONNECTED;
    else if (fault)
        return -(snd_pcm_sframes_t)fault;
    uint64_t device = stream_load(&pcm->ring->device);
    return (snd_pcm_sframes_t)(pcm->boundary ? device % pcm->boundary : device);
}

static int delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *out) {
    struct pcm *pcm = io->private_data;
    follow_program(pcm);
    int64_t ahead = (int64_t)(stream_ring_program(pcm->ring) - stream_load(&pcm->ring->played));
    *out = (snd_pcm_sframes_t)(pcm->ring->is_capture ? -ahead : ahead);
    return 0;
}

static int poll_revents(snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned count, unsigned short *events) {
    struct pcm *pcm = io->private_data;
    (void)descriptors, (void)count;
    follow_program(pcm);
    *events = 0;
    /* A stream that has not started makes no room. Any room is enough then. */
    if (io->state == SND_PCM_STATE_PREPARED && stream_ring_available(pcm->ring) > 0) {
        *events = io->stream == SND_PCM_STREAM_PLAYBACK ? POLLOUT : 0;
        return 0;
    }
    if (stream_ring_rest(pcm->ring)) return 0;
    *events = io->stream == SND_PCM_STREAM_PLAYBACK ? POLLOUT : POLLIN;
    uint32_t fault = fault_of(pcm);
    if (!fault) return 0;
    /* Wakes the waiting program, which then reads the state. */
    *events |= POLLERR;
    if (io->state == SND_PCM_STATE_RUNNING) io->state = fault == ENODEV ? SND_PCM_STATE_DISCONNECTED : SND_PCM_STATE_XRUN;
    return 0;
}

/* ---- states ---- */

static int hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *params) {
    struct pcm *pcm = io->private_data;
    (void)params;
    int error = engine->stream_configure(pcm->stream, io->format, io->channels, io->rate, io->period_size, io->buffer_size);
    if (error < 0) return error;
    snd_pcm_channel_area_t *areas = realloc(pcm->areas, io->channels * sizeof *areas);
    if (!areas) return -ENOMEM;
    pcm->areas = areas;
    unsigned bits = (unsigned)snd_pcm_format_physical_width(io->format);
    for (unsigned i = 0; i < io->channels; i++)
        areas[i] = (snd_pcm_channel_area_t){.addr = pcm->ring->bytes, .first = i * bits, .step = io->channels * bits};
    return 0;
}

static int hw_free(snd_pcm_ioplug_t *io) {
    struct pcm *pcm = io->private_data;
    engine->stream_release(pcm->stream);
    return 0;
}

static int sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *params) {
    struct pcm *pcm = io->private_data;
    snd_pcm_uframes_t avail_min, stop_threshold;
    snd_pcm_sw_params_get_avail_min(params, &avail_min);
    snd_pcm_sw_params_get_stop_threshold(params, &stop_threshold);
    snd_pcm_sw_params_get_boundary(params, &pcm->boundary);
    pcm->ring->avail_min = avail_min ? avail_min : 1;
    pcm->ring->stop_threshold = stop_threshold;
    return 0;
}

static int prepare(snd_pcm_ioplug_t *io) {
    struct pcm *pcm = io->private_data;
    pcm->last = io->appl_ptr;
    __atomic_store_n(&pcm->ring->is_draining, 0, __ATOMIC_RELEASE);
    return engine->stream_prepare(pcm->stream);
}

static int start(snd_pcm_ioplug_t *io) {
    struct pcm *pcm = io->private_data;
    follow_program(pcm);
    return engine->stream_start(pcm->stream);
}

static int stop(snd_pcm_ioplug_t *io) {
    struct pcm *pcm = io->private_data;
    engine->stream_stop(pcm->stream);
    return 0;
}

static int pause_or_go_on(snd_pcm_ioplug_t *io, int on) {
    struct pcm *pcm = io->private_data;
    return engine->stream_pause(pcm->stream, on);
}

static int drain(snd_pcm_ioplug_t *io) {
    struct pcm *pcm = io->private_data;
    follow_program(pcm);
    __atomic_store_n(&pcm->ring->is_draining, 1, __ATOMIC_RELEASE);
    /* libasound drops a stream that cannot drain. */
    if (engine->stream_drain(pcm->stream) < 0) return 0;
    while (stream_ring_rest(pcm->ring)) {
        struct pollfd ready = {.fd = pcm->ring->ready, .events = POLLIN};
        if (io->nonblock == 1) return -EAGAIN;
        /* snd_pcm_abort ends the wait. Other signals do not. */
        if (poll(&ready, 1, -1) < 0 && errno == EINTR && io->nonblock == ABORTED) return 0;
    }
    return 0;
}

static int close_stream(snd_pcm_ioplug_t *io) {
    struct pcm *pcm = io->private_data;
    engine->stream_close(pcm->stream);
    free(pcm->areas);
    free(pcm);
    return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = start,
    .stop = stop,
    .pointer = pointer,
    .transfer = transfer,
    .close = close_stream,
    .hw_params = hw_params,
    .hw_free = hw_free,
    .sw_params = sw_params,
    .prepare = prepare,
    .drain = drain,
    .pause = pause_or_go_on,
    .poll_revents = poll_revents,
    .delay = delay,
};

/* ---- constraints ---- */

/* The periods have no range: with a range, `plug` (1.2.8) refuses sizes that are not a whole number of periods, which PortAudio
   requests. */
static int constrain(snd_pcm_ioplug_t *io) {
    static const unsigned accesses[] = {
        SND_PCM_ACCESS_RW_INTERLEAVED,
        SND_PCM_ACCESS_RW_NONINTERLEAVED,
        SND_PCM_ACCESS_MMAP_INTERLEAVED,
        SND_PCM_ACCESS_MMAP_NONINTERLEAVED,
    };
    static const unsigned formats[] = {
        SND_PCM_FORMAT_S16,
        SND_PCM_FORMAT_S24,
        SND_PCM_FORMAT_S32,
        SND_PCM_FORMAT_FLOAT,
        SND_PCM_FORMAT_S24_3LE,
    };
    struct {
        int what;
        unsigned least, most;
    } ranges[] = {
        {SND_PCM_IOPLUG_HW_CHANNELS, 1, 32},
        {SND_PCM_IOPLUG_HW_RATE, 4000, 768000},
        /* A limit for programs that request the longest buffer. */
        {SND_PCM_IOPLUG_HW_PERIOD_BYTES, 32, 512 << 10},
        {SND_PCM_IOPLUG_HW_BUFFER_BYTES, 64, 1 << 20},
    };
    int error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, sizeof accesses / sizeof *accesses, accesses);
    if (error >= 0)
        error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, sizeof formats / sizeof *formats, formats);
    for (unsigned i = 0; error >= 0 && i < sizeof ranges / sizeof *ranges; i++)
        error = snd_pcm_ioplug_set_param_minmax(io, ranges[i].what, ranges[i].least, ranges[i].most);
    return error;
}

/* ---- opening ---- */

static int set_options(void *options, snd_config_t *configuration, bool capture) {
    snd_config_iterator_t at, next;
    const char *error_text = NULL;
    snd_config_for_each(at, next, configuration) {
        snd_config_t *entry = snd_config_iterator_entry(at);
        const char *key;
        char *value;
        int error = snd_config_get_id(entry, &key);
        if (error < 0) return error;
        if (!strcmp(key, "comment") || !strcmp(key, "type") || !strcmp(key, "hint")) continue;
        if (snd_config_get_ascii(entry, &value) < 0) {
            SNDERR("audiosession: %s has a value that is not a text", key);
            return -EINVAL;
        }
        error_text = engine->options_set(options, key, value);
        free(value);
        if (error_text) break;
    }
    if (!error_text) error_text = engine->options_set_from_environment(options);
    if (!error_text) error_text = engine->options_check(options, capture);
    if (!error_text) return 0;
    SNDERR("audiosession: %s", error_text);
    return -EINVAL;
}

static int open_stream(struct pcm *pcm, snd_config_t *configuration, snd_pcm_stream_t direction) {
    bool capture = direction == SND_PCM_STREAM_CAPTURE;
    void *options = engine->options_create();
    int error = set_options(options, configuration, capture);
    if (error < 0) {
        engine->options_destroy(options);
        return error;
    }
    return engine->stream_open(options, capture, &pcm->stream);
}

/* The length without the end of the line. */
static int length_of(const char *version) { return (int)strcspn(version, "\n"); }

static int find_engine(void) {
    const char *version = project_version(), *library = NULL;
    const struct audiosession_engine *found = audiosession_engine(version, &library);
    if (!found) {
        SNDERR("audiosession: the plug-in has version %.*s, and libAudioSession has version %.*s: install both from one version",
            length_of(version), version, library ? length_of(library) : 0, library ? library : "");
        return -EINVAL;
    }
    __atomic_store_n(&engine, found, __ATOMIC_RELEASE);
    return 0;
}

SND_PCM_PLUGIN_DEFINE_FUNC(audiosession) {
    (void)root;
    int error = find_engine();
    if (error < 0) return error;
    struct pcm *pcm = calloc(1, sizeof *pcm);
    if (!pcm) return -ENOMEM;
    error = open_stream(pcm, conf, stream);
    if (error < 0) {
        free(pcm);
        return error;
    }
    pcm->ring = engine->stream_ring(pcm->stream);
    pcm->io = (snd_pcm_ioplug_t){
        .version = SND_PCM_IOPLUG_VERSION,
        .name = "Audio session",
        .callback = &callbacks,
        .private_data = pcm,
        .poll_fd = pcm->ring->ready,
        .poll_events = POLLIN,
        .flags = SND_PCM_IOPLUG_FLAG_BOUNDARY_WA,
    };
    error = snd_pcm_ioplug_create(&pcm->io, name, stream, mode);
    if (error < 0) {
        engine->stream_close(pcm->stream);
        free(pcm);
        return error;
    }
    pcm->io.nonblock = (mode & SND_PCM_NONBLOCK) != 0;
    error = constrain(&pcm->io);
    if (error < 0) {
        snd_pcm_ioplug_delete(&pcm->io); /* closes the stream, and frees all of it */
        return error;
    }
    *pcmp = pcm->io.pcm;
    return 0;
}
SND_PCM_PLUGIN_SYMBOL(audiosession);
