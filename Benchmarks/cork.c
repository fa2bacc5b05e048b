/* SPDX-License-Identifier: Apache-2.0 */
/* cork [COUNT]: measures PulseAudio's module-role-cork, from the uncorking of a phone stream in one process to the event
   of the music player in another. Needs a server with that module and a null sink (PULSE_SERVER). */
#include "meeting.h"

#include <pulse/pulseaudio.h>
#include <string.h>

enum { WARM_UP = 20 };

static struct meeting *meeting;
static pa_mainloop *loop;

static void until(int condition(void *), void *of) {
    while (!condition(of)) REQUIRE(pa_mainloop_iterate(loop, 1, NULL) >= 0);
}
static int is_ready(void *context) {
    REQUIRE(PA_CONTEXT_IS_GOOD(pa_context_get_state(context)));
    return pa_context_get_state(context) == PA_CONTEXT_READY;
}
static int has_begun(void *stream) {
    REQUIRE(PA_STREAM_IS_GOOD(pa_stream_get_state(stream)));
    return pa_stream_get_state(stream) == PA_STREAM_READY;
}
static int is_done(void *operation) { return pa_operation_get_state(operation) != PA_OPERATION_RUNNING; }

static void cork(pa_stream *stream, int on) {
    pa_operation *operation = pa_stream_cork(stream, on, NULL, NULL);
    until(is_done, operation);
    pa_operation_unref(operation);
}

static void silence(pa_stream *stream, size_t bytes, void *unused) {
    (void)unused;
    void *data;
    while (bytes > 0) {
        size_t size = bytes;
        if (pa_stream_begin_write(stream, &data, &size) < 0 || !data) return;
        memset(data, 0, size);
        pa_stream_write(stream, data, size, NULL, 0, PA_SEEK_RELATIVE);
        bytes -= size < bytes ? size : bytes;
    }
}

static pa_stream *play(const char *role, pa_stream_flags_t flags) {
    static const pa_sample_spec format = {.format = PA_SAMPLE_S16LE, .rate = 48000, .channels = 2};
    loop = pa_mainloop_new();
    pa_context *context = pa_context_new(pa_mainloop_get_api(loop), role);
    REQUIRE(pa_context_connect(context, NULL, PA_CONTEXT_NOAUTOSPAWN, NULL) >= 0);
    until(is_ready, context);
    pa_proplist *about = pa_proplist_new();
    pa_proplist_sets(about, PA_PROP_MEDIA_ROLE, role);
    pa_stream *stream = pa_stream_new_with_proplist(context, role, &format, NULL, about);
    pa_stream_set_write_callback(stream, silence, NULL);
    REQUIRE(pa_stream_connect_playback(stream, NULL, NULL, flags, NULL, NULL) >= 0);
    until(has_begun, stream);
    return stream;
}

static void done(pa_stream *stream, int success, void *unused) {
    (void)stream, (void)success, (void)unused;
    meeting_tell(meeting->to_causer);
}

/* The player corks, because the server asks only a stream that runs. */
static void delivered(pa_stream *stream, const char *name, pa_proplist *unused_list, void *unused) {
    (void)unused_list, (void)unused;
    int corks = strcmp(name, PA_STREAM_EVENT_REQUEST_CORK) == 0;
    if (corks) meeting->delivered = now();
    pa_operation_unref(pa_stream_cork(stream, corks, done, NULL));
}

static void listen_for_ever(void) {
    pa_stream_set_event_callback(play("music", PA_STREAM_NOFLAGS), delivered, NULL);
    meeting_tell(meeting->to_causer);
    pa_mainloop_run(loop, NULL);
}

int main(int argc, char **argv) {
    int count = count_from(argc, argv, 1, 300);
    meeting = meeting_make();
    if (meeting_fork() == 0) listen_for_ever();
    meeting_wait(meeting->to_causer);
    pa_stream *phone = play("phone", PA_STREAM_START_CORKED);
    for (int i = 0; i < WARM_UP + count; i++) {
        meeting_rest();
        uint64_t start = now();
        cork(phone, 0);
        meeting_wait(meeting->to_causer);
        if (i >= WARM_UP) sample("interrupt", "PulseAudio module-role-cork", "us", (double)(meeting->delivered - start) / 1e3);
        cork(phone, 1);
        meeting_wait(meeting->to_causer);
    }
}
