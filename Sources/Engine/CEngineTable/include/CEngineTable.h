/* SPDX-License-Identifier: Apache-2.0 */
/* The private interface between libAudioSession and the libraries that use its engine: the ALSA plug-in and the
   companion library. Only C types cross it. Both sides are built from one version of the sources. */
#ifndef CENGINETABLE_H
#define CENGINETABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "CAudioStreams.h"
#include "CPulledStreams.h"
#include "CSessionAccess.h"
#include "CStatusPage.h"

/* Swift calls a function of the table without a check. The pointers of the parameters can be NULL. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wnullability-completeness"
#define AUDIOSESSION_NONNULL _Nonnull
#else
#define AUDIOSESSION_NONNULL
#endif

/* The content of the file VERSION, including the end of its line. */
const char *project_version(void);

/* F(type, name, parameters) for each function of the table. Functions that can fail return a negative errno value. */
#define AUDIOSESSION_ENGINE_FUNCTIONS(F) \
    /* ---- the options of a stream ---- */ \
    F(void *, options_create, (void)) \
    /* Returns NULL when the option is set, else the reason of the refusal, valid until the next call with these */ \
    /* options. */ \
    F(const char *, options_set, (void *options, const char *key, const char *value)) \
    /* Overrides the options that were set before. */ \
    F(const char *, options_set_from_environment, (void *options)) \
    /* Returns NULL when the options do not contradict each other, for a stream of this direction. */ \
    F(const char *, options_check, (void *options, bool capture)) \
    F(void, options_destroy, (void *options)) \
    /* ---- a stream that the program pushes or drains through a ring ---- */ \
    /* Consumes the options. */ \
    F(int, stream_open, (void *options, bool capture, void **stream)) \
    F(struct stream_ring *, stream_ring, (void *stream)) \
    F(int, stream_configure, (void *stream, int32_t sample, uint32_t channels, uint32_t rate, uint64_t period, uint64_t buffer)) \
    F(int, stream_prepare, (void *stream)) \
    F(int, stream_start, (void *stream)) \
    F(int, stream_pause, (void *stream, bool on)) \
    /* Does not wait. */ \
    F(int, stream_drain, (void *stream)) \
    F(void, stream_stop, (void *stream)) \
    F(void, stream_release, (void *stream)) \
    F(void, stream_close, (void *stream)) \
    /* ---- a stream that calls the program for each slice ---- */ \
    /* `directions` is PULL_OUTPUT, PULL_INPUT or both. The threads start at the first start of the stream. */ \
    /* `*stream` is NULL after an error. A callback can be NULL. */ \
    F(int32_t, pull_create, (const struct pull_callbacks *callbacks, void *context, unsigned directions, void **stream)) \
    /* A stream that plays system sounds: it is no part of the program's session, and mixes with all sessions. */ \
    F(int32_t, pull_create_system_sounds, (const struct pull_callbacks *callbacks, void *context, void **stream)) \
    /* The format that the hardware grants now, also for a stopped stream. False: there is no device. */ \
    F(bool, pull_format, (void *stream, struct pull_format *format)) \
    /* The length of a slice is `slice_frames` at `rate`, the rate of the caller; its duration is the same on every */ \
    /* device. Returns 0 or the result code of the session that refuses. No effect on a running stream. The first */ \
    /* render may begin before the return. */ \
    F(int32_t, pull_start, (void *stream, double slice_frames, double rate)) \
    /* Returns when no render runs any more, and no later one begins. In a callback of this stream it returns at */ \
    /* once. No effect on a stopped stream. */ \
    F(void, pull_stop, (void *stream)) \
    /* Like pull_stop, but the stream still counts as running: an event that stops streams stops it and calls */ \
    /* `stopped`. The next pull_start renders again. */ \
    F(void, pull_suspend, (void *stream)) \
    /* Takes no lock. */ \
    F(bool, pull_is_running, (void *stream)) \
    F(void, pull_read_counters, (void *stream, struct pull_counters *counters)) \
    /* Called before the first start: the stream counts in this memory from now on. The memory outlives the stream. */ \
    F(void, pull_count_in, (void *stream, struct status_counters *counters)) \
    /* Ducks the sound of other sessions while the stream runs. */ \
    F(void, pull_duck_others, (void *stream, bool on)) \
    /* Ends the stream: it does not start again, and no callback runs after the return. If a callback of this stream */ \
    /* makes this call, no other callback runs after it. The caller holds no lock that a callback waits for. Other */ \
    /* threads may call the other functions at the same time and later: a start returns an error, and a stop still */ \
    /* waits for a running callback. */ \
    F(void, pull_end, (void *stream)) \
    /* Ends the stream, if it has not ended, and frees it. If a callback of this stream makes this call, the memory */ \
    /* is freed after the callback has returned. */ \
    F(void, pull_destroy, (void *stream)) \
    /* ---- the session of this process ---- */ \
    /* The preferred duration of a slice in seconds; 0: no preference, or no session. */ \
    F(double, session_preferred_slice, (void)) \
    /* Publishes the length of the slices: while `seconds` > 0, it is the value of 'chbd'. */ \
    F(void, session_set_io_slice, (double seconds)) \
    /* The rate that the route's hardware grants; 0: no hardware. */ \
    F(double, session_hardware_rate, (bool input)) \
    /* The format that the hardware would grant to a new stream of these directions. False: there is no device. */ \
    F(bool, session_hardware_format, (unsigned directions, struct pull_format *format)) \
    /* ---- the session of this process for the Objective-C classes: results are codes of AVAudioSession, 0 for success ---- */ \
    /* Begins the session unless it has begun. */ \
    F(int32_t, session_begin, (void)) \
    F(void, session_read_values, (struct session_values * values)) \
    /* As fast as a published property of the C API. False: the session or its hardware is not known yet. */ \
    F(bool, session_read_choices, (struct session_choices * choices)) \
    /* False: the category has no such ports. */ \
    F(bool, session_visit_ports, (uint32_t list, const struct session_visitor *visitor)) \
    F(bool, session_may_record, (void)) \
    F(bool, session_primary_audio_plays, (void)) \
    /* `mode` can be SESSION_SAME_MODE. An unknown code is a bad parameter. */ \
    F(int32_t, session_set_category, (uint32_t category, uint32_t mode, uint64_t policy, uint64_t options)) \
    F(int32_t, session_set_mode, (uint32_t mode)) \
    F(int32_t, session_set_active, (bool active, bool notifies_others)) \
    F(int32_t, session_set_number, (uint32_t setting, double value)) \
    /* NULL removes the preference. */ \
    F(int32_t, session_prefer_input, (const char *uid)) \
    F(int32_t, session_select, (const char *uid, bool input, int32_t id)) \
    /* A sentence for people. Valid forever. */ \
    F(const char *, session_error_text, (int32_t code)) \
    /* From now on changes of the sample rate are events. */ \
    F(void, session_announce_rate, (void)) \
    /* Returns a subscription, NULL without a session. `pending` is called on any thread when there are events. */ \
    F(void *, session_join, (void (*pending)(void *context), void *context)) \
    /* Takes the first event. False: there is none. */ \
    F(bool, session_next_event, (void *subscription, struct session_event *event, const struct session_visitor *visitor)) \
    /* ---- the status page of this process ---- */ \
    /* Returns a slot for a unit or a queue, which status_release frees; NULL when no slot is free. */ \
    F(struct status_slot *, status_claim, (void))

struct audiosession_engine {
#define AUDIOSESSION_MEMBER(type, name, parameters) type(*AUDIOSESSION_NONNULL name) parameters;
    AUDIOSESSION_ENGINE_FUNCTIONS(AUDIOSESSION_MEMBER)
#undef AUDIOSESSION_MEMBER
};

/* Returns NULL when the version of the library is not `version`. Sets `*own` to the version of the library. */
const struct audiosession_engine *audiosession_engine(const char *version, const char **own);

/* The functions of the table. The Swift module EngineInterface implements them. */
#define AUDIOSESSION_PROTOTYPE(type, name, parameters) type audiosession_##name parameters;
AUDIOSESSION_ENGINE_FUNCTIONS(AUDIOSESSION_PROTOTYPE)
#undef AUDIOSESSION_PROTOTYPE

#endif
