/* SPDX-License-Identifier: Apache-2.0 */
/* The private interface between libAudioSession and the libraries that use its engine: the ALSA plug-in and the
   companion library. Only C types cross it. Both sides are built from one version of the sources. */
#ifndef CENGINETABLE_H
#define CENGINETABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "CAudioStreams.h"
#include "CPulledStreams.h"
#include "CStatusPage.h"

/* The content of the file VERSION, including the end of its line. */
const char *project_version(void);

/* Functions that can fail return a negative errno value. */
struct audiosession_engine {
    /* ---- the options of a stream ---- */
    void *(*options_create)(void);
    /* Returns NULL when the option is set, else the reason of the refusal, valid until the next call with these options. */
    const char *(*options_set)(void *options, const char *key, const char *value);
    /* Overrides the options that were set before. */
    const char *(*options_set_from_environment)(void *options);
    /* Returns NULL when the options do not contradict each other, for a stream of this direction. */
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
    /* `directions` is PULL_OUTPUT, PULL_INPUT or both. The threads start at the first start of the stream. `*stream` is NULL
       after an error. A callback can be NULL. */
    int32_t (*pull_create)(const struct pull_callbacks *callbacks, void *context, unsigned directions, void **stream);
    /* The format that the hardware grants now, also for a stopped stream. False: there is no device. */
    bool (*pull_format)(void *stream, struct pull_format *format);
    /* The length of a slice is `slice_frames` at `rate`, the rate of the caller; its duration is the same on every device.
       Returns 0 or the result code of the session that refuses. No effect on a running stream. The first render may begin before
       the return. */
    int32_t (*pull_start)(void *stream, double slice_frames, double rate);
    /* Returns when no render runs any more, and no later one begins. In a callback of this stream it returns at once. No effect
       on a stopped stream. */
    void (*pull_stop)(void *stream);
    /* Like pull_stop, but the stream still counts as running: an event that stops streams stops it and calls `stopped`. The next
       pull_start renders again. */
    void (*pull_suspend)(void *stream);
    /* Takes no lock. */
    bool (*pull_is_running)(void *stream);
    void (*pull_read_counters)(void *stream, struct pull_counters *counters);
    /* Called before the first start: the stream counts in this memory from now on. The memory outlives the stream. */
    void (*pull_count_in)(void *stream, struct status_counters *counters);
    /* Ducks the sound of other sessions while the stream runs. */
    void (*pull_duck_others)(void *stream, bool on);
    /* Ends the stream: it does not start again, and no callback runs after the return. If a callback of this stream makes this
       call, no other callback runs after it. The caller holds no lock that a callback waits for. Other threads may call the
       other functions at the same time and later: a start returns an error, and a stop still waits for a running callback. */
    void (*pull_end)(void *stream);
    /* Ends the stream, if it has not ended, and frees it. If a callback of this stream makes this call, the memory is freed
       after the callback has returned. */
    void (*pull_destroy)(void *stream);

    /* ---- the session of this process ---- */
    /* The preferred duration of a slice in seconds; 0: no preference, or no session. */
    double (*session_preferred_slice)(void);
    /* Publishes the length of the slices: while `seconds` > 0, it is the value of 'chbd'. */
    void (*session_set_io_slice)(double seconds);
    /* The rate that the route's hardware grants; 0: no hardware. */
    double (*session_hardware_rate)(bool input);

    /* ---- the status page of this process ---- */
    /* Returns a slot for a unit or a queue, which status_release frees; NULL when no slot is free. */
    struct status_slot *(*status_claim)(void);
};

/* Returns NULL when the version of the library is not `version`. Sets `*own` to the version of the library. */
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
void audiosession_pull_end(void *stream);
void audiosession_pull_destroy(void *stream);
double audiosession_session_preferred_slice(void);
void audiosession_session_set_io_slice(double seconds);
double audiosession_session_hardware_rate(bool input);
struct status_slot *audiosession_status_claim(void);

#endif
