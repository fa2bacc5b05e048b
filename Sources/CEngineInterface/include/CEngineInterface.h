/* SPDX-License-Identifier: Apache-2.0 */
/* The private interface between libAudioSession and the libraries that use its engine: the ALSA plug-in and the
   companion library. Only C types cross it. Both sides are built from one version of the sources. */
#ifndef CENGINEINTERFACE_H
#define CENGINEINTERFACE_H

#include <stdbool.h>
#include <stdint.h>

#include "CAudioStreams.h"
#include "CPulledStreams.h"
#include "CStatusPage.h"

/* Functions that can fail return a negative errno value. */
struct audiosession_engine {
    /* ---- the options of a stream ---- */
    void *(*options_create)(void);
    /* NULL when the option is set, else the reason why not: valid until the next call with these options. */
    const char *(*options_set)(void *options, const char *key, const char *value);
    /* Overrides what was set before. */
    const char *(*options_set_from_environment)(void *options);
    /* NULL when the options fit each other, for a stream of this direction. */
    const char *(*options_check)(void *options, bool capture);
    void (*options_destroy)(void *options);

    /* ---- a stream that the program pushes or drains through a ring ---- */
    /* Consumes the options. */
    int (*stream_open)(void *options, bool capture, void **stream);
    struct stream_ring *(*stream_ring)(void *stream);
    int (*stream_configure)(void *stream, int32_t sample, uint32_t channels, uint32_t rate, uint64_t period, uint64_t buffer);
    int (*stream_prepare)(void *stream);
    int (*stream_start)(void *stream);
    int (*stream_pause)(void *stream, bool on);
    int (*stream_drain)(void *stream); /* does not wait */
    void (*stream_stop)(void *stream);
    void (*stream_release)(void *stream);
    void (*stream_close)(void *stream);

    /* ---- a stream that calls the program for each slice ---- */
    /* `directions` is PULL_OUTPUT, PULL_INPUT or both. The threads are made at the first start. `*stream` is NULL after an
       error. A callback can be NULL. */
    int32_t (*pull_create)(const struct pull_callbacks *callbacks, void *context, unsigned directions, void **stream);
    /* The format that the hardware grants now, running or not. False: there is no device. */
    bool (*pull_format)(void *stream, struct pull_format *format);
    /* A slice is `slice_frames` at `rate` (the caller's), as long on every device. Returns 0 or the result code of the session
       that refuses to be activated. Harmless while it runs. The first render may come before it returns. */
    int32_t (*pull_start)(void *stream, double slice_frames, double rate);
    /* Returns when no render runs any more, and none will come. In a callback of this stream it only marks. Harmless when stopped. */
    void (*pull_stop)(void *stream);
    /* Like pull_stop, but the stream still runs: what stops a stream stops it and calls `stopped`. The next pull_start renders
       again. */
    void (*pull_suspend)(void *stream);
    /* Takes no lock. */
    bool (*pull_is_running)(void *stream);
    void (*pull_read_counters)(void *stream, struct pull_counters *counters);
    /* Before the first start: the stream counts here from now on. The memory outlives the stream. */
    void (*pull_count_in)(void *stream, struct status_counters *counters);
    /* The sound of other sessions is ducked while the stream runs. */
    void (*pull_duck_others)(void *stream, bool on);
    /* Stops, and frees the stream: no callback runs any more when it returns. In a callback of this stream no other one runs
       any more, and the memory is freed when the callback has returned. The caller holds no lock that a callback waits for. */
    void (*pull_destroy)(void *stream);

    /* ---- the session of this process ---- */
    /* The preferred duration of a slice in seconds; 0: no preference, or no session. */
    double (*session_preferred_slice)(void);
    /* Publishes the length of the slices: 'chbd' is this while `seconds` > 0. */
    void (*session_set_io_slice)(double seconds);
    /* The rate that the route's hardware grants; 0: no hardware. */
    double (*session_hardware_rate)(bool input);

    /* ---- the status page of this process ---- */
    /* A slot for a unit or a queue, to be given back by status_release; NULL when none is left. */
    struct status_slot *(*status_claim)(void);
};

/* NULL when the library has another version than the caller: `*own` is the library's. */
const struct audiosession_engine *audiosession_engine(const char *version, const char **own);

/* ---- the entries of the table, in Swift ---- */
void *audiosession_options_create(void);
const char *audiosession_options_set(void *options, const char *key, const char *value);
const char *audiosession_options_set_from_environment(void *options);
const char *audiosession_options_check(void *options, bool capture);
void audiosession_options_destroy(void *options);
int audiosession_stream_open(void *options, bool capture, void **stream);
struct stream_ring *audiosession_stream_ring(void *stream);
int audiosession_stream_configure(
    void *stream, int32_t sample, uint32_t channels, uint32_t rate, uint64_t period, uint64_t buffer);
int audiosession_stream_prepare(void *stream);
int audiosession_stream_start(void *stream);
int audiosession_stream_pause(void *stream, bool on);
int audiosession_stream_drain(void *stream);
void audiosession_stream_stop(void *stream);
void audiosession_stream_release(void *stream);
void audiosession_stream_close(void *stream);
int32_t audiosession_pull_create(const struct pull_callbacks *callbacks, void *context, unsigned directions, void **stream);
bool audiosession_pull_format(void *stream, struct pull_format *format);
int32_t audiosession_pull_start(void *stream, double slice_frames, double rate);
void audiosession_pull_stop(void *stream);
void audiosession_pull_suspend(void *stream);
bool audiosession_pull_is_running(void *stream);
void audiosession_pull_read_counters(void *stream, struct pull_counters *counters);
void audiosession_pull_count_in(void *stream, struct status_counters *counters);
void audiosession_pull_duck_others(void *stream, bool on);
void audiosession_pull_destroy(void *stream);
double audiosession_session_preferred_slice(void);
void audiosession_session_set_io_slice(double seconds);
double audiosession_session_hardware_rate(bool input);
struct status_slot *audiosession_status_claim(void);

#endif
