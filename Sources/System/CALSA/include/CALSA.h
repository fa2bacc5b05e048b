/* SPDX-License-Identifier: Apache-2.0 */
/* The layer of calls to libasound. It includes no header of ALSA, so that Swift imports only these names,
   in Embedded and in ordinary Swift. A call that fails returns -errno. A thread calls
   alsa_silence_this_thread before it opens anything.

   The `next` function of an iterator returns one element per call: 1 and the element, 0 at the end. */
#ifndef CALSA_H
#define CALSA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stops libasound from printing errors of this thread to standard error. The program's own error handler
   is still called for all its threads. */
void alsa_silence_this_thread(void);

/* ---- control devices ---- */
typedef struct _snd_ctl alsa_control;

/* Opens the control device of a card. Reads no configuration. */
int alsa_control_open_card(alsa_control **out, unsigned card);
/* Opens the control device of a sound server, through its plug-in: "pulse", "pipewire". -ENXIO: the plug-in is
   not installed. */
int alsa_control_open_server(alsa_control **out, const char *kind);
void alsa_control_close(alsa_control *control);
int alsa_control_descriptor(alsa_control *control);
/* Starts or stops the events of alsa_control_next_event. */
int alsa_control_subscribe(alsa_control *control, bool on);

struct alsa_card {
    char id[16], driver[16], name[32], long_name[80], components[128];
};
int alsa_control_card(alsa_control *control, struct alsa_card *out);

/* One direction of a PCM device. */
struct alsa_pcm_info {
    uint32_t device, substreams;
    bool is_playback, is_modem;
    char id[64], name[80];
};
struct alsa_pcms {
    alsa_control *control;
    int32_t device;
    uint32_t direction;
};
struct alsa_pcms alsa_control_pcms(alsa_control *control);
int alsa_pcms_next(struct alsa_pcms *iterator, struct alsa_pcm_info *out);
/* The number of the open streams of a device. */
int alsa_control_open_streams(alsa_control *control, uint32_t device, bool is_playback);

enum { ALSA_INTERFACE_CARD = 0, ALSA_INTERFACE_MIXER = 2, ALSA_INTERFACE_PCM = 3 };
enum { ALSA_BOOLEAN = 1, ALSA_INTEGER = 2, ALSA_ENUMERATED = 3 };
struct alsa_element {
    uint32_t number; /* of the element, in its card */
    uint32_t interface, device, index, type, count, items;
    bool is_readable, is_writable;
    int32_t least, most;
    char name[44];
};
typedef struct alsa_elements alsa_elements;
/* The present elements of the control device. alsa_elements_close frees the iterator. */
int alsa_control_elements(alsa_control *control, alsa_elements **out);
int alsa_elements_next(alsa_elements *iterator, struct alsa_element *out);
void alsa_elements_close(alsa_elements *iterator);
int alsa_control_item(alsa_control *control, uint32_t element, uint32_t item, char *name, size_t size);
/* Reads the first `count` values of an element, at most 128. */
int alsa_control_read(alsa_control *control, uint32_t element, uint32_t type, int32_t *values, uint32_t count);
int alsa_control_write(alsa_control *control, uint32_t element, uint32_t type, const int32_t *values, uint32_t count);

enum { ALSA_VALUE_CHANGED = 1, ALSA_ELEMENTS_CHANGED = 2, ALSA_OTHER_EVENT = 4 };
/* Returns 1 and the event, or 0 when no event is queued. */
int alsa_control_next_event(alsa_control *control, uint32_t *element, uint32_t *what);

/* ---- PCM devices ---- */
struct alsa_format {
    uint32_t rate, period, buffer, channels; /* frames */
};
/* Opens the device without waiting, reads the format that it grants, and closes it. -EBUSY: another
   program has opened it. A rate or period of 0 is no preference. */
int alsa_pcm_ask(uint32_t card, uint32_t device, bool playback, uint32_t rate, double period_seconds, struct alsa_format *out);

/* ---- streams: PCM devices by their name in the configuration, in non-blocking mode ---- */
typedef struct _snd_pcm alsa_stream;
/* A name that begins with a brace is a definition: "{ type pipewire name \"Radio\" }". */
int alsa_stream_open(alsa_stream **out, const char *name, bool playback);
/* True inside a call of alsa_stream_open on this thread: the definition of the opened PCM contains the plug-in of this library. */
bool alsa_stream_is_opening(void);
void alsa_stream_close(alsa_stream *stream);
/* `period` and `buffer` in frames: the requested values, replaced by the granted ones. `sample` is a snd_pcm_format_t. `most`: the
   frames that the program has written at most and that are not played. `is_mapped`: the memory of the device is filled, instead of
   writes. A playback stream is started before more than a third of the buffer is written. */
int alsa_stream_configure(alsa_stream *stream, int32_t sample, uint32_t channels, uint32_t rate, uint64_t most, uint64_t *period,
    uint64_t *buffer, bool *is_mapped);
/* A device at its own rate: no plug-in converts the rate. The request consists of a rate, channels and durations. The grant adds
   the sample format, and sizes in frames. Cards are mapped as well. */
struct alsa_stream_setup {
    uint32_t channels, rate;
    double period_seconds, buffer_seconds;
    int32_t sample; /* snd_pcm_format_t: float, or integers of 16, 24 or 32 bits */
    uint64_t period, buffer;
    bool is_mapped; /* the memory of the device is filled, instead of writes */
};
int alsa_stream_negotiate(alsa_stream *stream, struct alsa_stream_setup *setup);
int alsa_stream_prepare(alsa_stream *stream);
int alsa_stream_start(alsa_stream *stream);
int alsa_stream_drop(alsa_stream *stream);
/* Returns the number of frames that were removed before they were played. */
ptrdiff_t alsa_stream_rewind(alsa_stream *stream, uint64_t count);
/* Returns the number of frames; -EAGAIN when there is no room, or nothing to read. */
ptrdiff_t alsa_stream_write(alsa_stream *stream, const void *frames, uint64_t count);
/* Copies frames to the memory of a mapped device. Returns the number of frames; 0 when there is no room. A card that has played its
   last frame since the last call of alsa_stream_where accepts frames that are too late. */
ptrdiff_t alsa_stream_fill(alsa_stream *stream, const void *frames, uint64_t count, size_t frame_size);
ptrdiff_t alsa_stream_read(alsa_stream *stream, void *frames, uint64_t count);
/* The number of frames that can be written or read, and the delay in frames. */
int alsa_stream_where(alsa_stream *stream, int64_t *available, int64_t *delay);

/* ---- the user's configuration ---- */
typedef struct alsa_configuration alsa_configuration;
/* Reads a copy that belongs to the caller. The copy of libasound is not changed. */
int alsa_configuration_load(alsa_configuration **out);
/* Reads a copy without the files of the user: what stands in ~/.asoundrc, and below XDG_CONFIG_HOME. */
int alsa_configuration_load_system(alsa_configuration **out);
/* Evaluates the hooks below "@hooks" that libasound evaluates on demand. A hook can load another file when a
   server runs: it loads the library of that server and connects to it. */
void alsa_configuration_finish(alsa_configuration *configuration);
void alsa_configuration_free(alsa_configuration *configuration);

/* Iterates over the values below a path, each with the rest of its path: "cards.PCH.output". */
typedef struct alsa_settings alsa_settings;
int alsa_configuration_settings(alsa_configuration *configuration, const char *path, alsa_settings **out);
/* Both strings are valid until the next call. */
int alsa_settings_next(alsa_settings *iterator, const char **name, const char **value);
void alsa_settings_close(alsa_settings *iterator);

/* The folder of ALSA's installed configuration. */
const char *alsa_data_folder(void);
/* The type of the plug-in behind the device `name`, after conversions. The kind of the device is "pcm" or "ctl". */
int alsa_configuration_type(alsa_configuration *configuration, const char *kind, const char *name, char *type, size_t size);

/* ---- use-case profiles (UCM) ---- */
/* The strings are valid until the next call. NULL: the profile has no such value. */
struct alsa_use_case {
    const char *verb, *device, *comment;
    const char *playback_pcm, *capture_pcm, *jack, *playback_volume, *capture_volume;
};
typedef struct alsa_use_cases alsa_use_cases;
/* The devices of the card's verb HiFi, else of its first verb. -ENOENT without a profile. */
int alsa_use_cases_open(uint32_t card, alsa_use_cases **out);
int alsa_use_cases_next(alsa_use_cases *iterator, struct alsa_use_case *out);
void alsa_use_cases_close(alsa_use_cases *iterator);

#endif
