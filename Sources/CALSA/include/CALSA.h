/* The one door to libasound. No header of ALSA is included, so that Swift sees these names and
   nothing else, the same in Embedded and in ordinary Swift. Calls that can fail return -errno.
   Only a thread that has called alsa_silence_this_thread may open anything. */
#ifndef CALSA_H
#define CALSA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* libasound prints its errors to standard error by itself. The program's own handler stays in force
   on all its threads. */
void alsa_silence_this_thread(void);
const char *alsa_error_text(int error); /* a constant string, never NULL */

/* ---- control devices ---- */
typedef struct _snd_ctl alsa_control;

/* A card's own control device; reads no configuration. */
int alsa_control_open_card(alsa_control **out, unsigned card);
/* That of a sound server, through its plug-in: "pulse", "pipewire". -ENXIO where there is no such plug-in. */
int alsa_control_open_server(alsa_control **out, const char *kind);
void alsa_control_close(alsa_control *control);
int alsa_control_descriptor(alsa_control *control);
/* Begins or ends the reports of alsa_control_next_event. */
int alsa_control_subscribe(alsa_control *control, bool on);

struct alsa_card {
    const char *id, *driver, *name, *long_name, *components; /* valid during the visit */
};
int alsa_control_card(alsa_control *control, void (*visit)(const struct alsa_card *card, void *context), void *context);

struct alsa_pcm_info {
    uint32_t device, substreams;
    bool is_playback, is_modem;
    const char *id, *name;
};
int alsa_control_pcms(alsa_control *control, void (*visit)(const struct alsa_pcm_info *pcm, void *context), void *context);

enum { ALSA_INTERFACE_CARD = 0, ALSA_INTERFACE_MIXER = 2, ALSA_INTERFACE_PCM = 3 };
enum { ALSA_BOOLEAN = 1, ALSA_INTEGER = 2, ALSA_ENUMERATED = 3 };
struct alsa_element {
    uint32_t number; /* of the element, in its card */
    uint32_t interface, device, index, type, count, items;
    bool is_readable, is_writable;
    int32_t least, most;
    const char *name;
};
int alsa_control_elements(
    alsa_control *control, void (*visit)(const struct alsa_element *element, void *context), void *context);
int alsa_control_item(alsa_control *control, uint32_t element, uint32_t item, char *name, size_t size);
/* The first `count` values of an element, which has at most 128. */
int alsa_control_read(alsa_control *control, uint32_t element, uint32_t type, int32_t *values, uint32_t count);
int alsa_control_write(alsa_control *control, uint32_t element, uint32_t type, const int32_t *values, uint32_t count);

enum { ALSA_VALUE_CHANGED = 1, ALSA_ELEMENTS_CHANGED = 2, ALSA_OTHER_EVENT = 4 };
/* 1 and the event, 0 when none waits. */
int alsa_control_next_event(alsa_control *control, uint32_t *element, uint32_t *what);

/* ---- PCM devices ---- */
struct alsa_format {
    uint32_t rate, period, buffer, channels; /* frames */
};
/* What the device would grant: opened without waiting, asked, closed. -EBUSY when somebody else has it.
   A rate or period of 0 is no preference. */
int alsa_pcm_ask(
    uint32_t card, uint32_t device, bool playback, uint32_t rate, double period_seconds, struct alsa_format *out);

/* ---- streams: devices by their name in the configuration, never waiting ---- */
typedef struct _snd_pcm alsa_stream;
int alsa_stream_open(alsa_stream **out, const char *name, bool playback);
void alsa_stream_close(alsa_stream *stream);
/* `period` and `buffer` in frames: what is wished for, then what is granted. `sample` as ALSA counts formats. */
int alsa_stream_configure(
    alsa_stream *stream, int32_t sample, uint32_t channels, uint32_t rate, uint64_t *period, uint64_t *buffer);
int alsa_stream_prepare(alsa_stream *stream);
int alsa_stream_start(alsa_stream *stream);
int alsa_stream_drop(alsa_stream *stream);
/* How many frames of the last were taken back before they were played. */
ptrdiff_t alsa_stream_rewind(alsa_stream *stream, uint64_t count);
/* Frames; -EAGAIN when there is no room, or nothing to read, now. */
ptrdiff_t alsa_stream_write(alsa_stream *stream, const void *frames, uint64_t count);
ptrdiff_t alsa_stream_read(alsa_stream *stream, void *frames, uint64_t count);
/* Frames that can be written or read, and frames between the program and the ear. */
int alsa_stream_where(alsa_stream *stream, int64_t *available, int64_t *delay);

/* ---- the user's configuration ---- */
/* A copy of its own, whatever the program does with libasound's. */
int alsa_configuration_load(void **out);
/* Does what a file has left to be done later, below "@hooks": to load another file if a server runs, say,
   which loads that server's library and asks it. */
void alsa_configuration_finish(void *configuration);
void alsa_configuration_free(void *configuration);
/* Visits the values below `path`, with what follows it: "cards.PCH.output". */
int alsa_configuration_walk(
    void *configuration, const char *path, void (*visit)(const char *name, const char *value, void *context), void *context);
/* Where ALSA keeps what it comes with. */
const char *alsa_data_folder(void);
/* The kind of plug-in that gives the PCM `name` its sound in the end, behind conversions. */
int alsa_configuration_pcm_type(void *configuration, const char *name, char *type, size_t size);

/* ---- use-case profiles (UCM) ---- */
struct alsa_use_case {
    const char *verb, *device, *comment;
    const char *playback_pcm, *capture_pcm, *jack, *playback_volume, *capture_volume; /* NULL where not told */
};
/* Visits the devices of the card's everyday verb: HiFi, else its first. -ENOENT without a profile. */
int alsa_use_cases(uint32_t card, void (*visit)(const struct alsa_use_case *use_case, void *context), void *context);

#endif
