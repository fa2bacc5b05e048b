/* SPDX-License-Identifier: Apache-2.0 */
/* departure TURNS: a null sink with the properties of a headset comes and goes. Measures from the moment at which a client of libpulse
   reads that the sink is gone to the listener of the route, in the same process. Both threads wait before. A negative time: the
   library has read it first. */
#include "measure.h"

#include <AudioToolbox/AudioToolbox.h>
#include <AudioToolbox/AudioSessionLinux.h>
#include <poll.h>
#include <pulse/pulseaudio.h>
#include <stdatomic.h>

static pa_threaded_mainloop *loop;
static pa_context *context;
static _Atomic uint32_t module_number;
static _Atomic uint64_t read_at;

static void loaded(pa_context *server, uint32_t number, void *user) {
    (void)server, (void)user;
    REQUIRE(number != PA_INVALID_INDEX);
    module_number = number;
}

static void note(pa_context *server, pa_subscription_event_type_t event, uint32_t number, void *user) {
    (void)server, (void)number, (void)user;
    if (event == (PA_SUBSCRIPTION_EVENT_SINK | PA_SUBSCRIPTION_EVENT_REMOVE)) read_at = now();
}

static void connect_client(void) {
    loop = pa_threaded_mainloop_new();
    context = pa_context_new(pa_threaded_mainloop_get_api(loop), "departure");
    REQUIRE(pa_context_connect(context, NULL, PA_CONTEXT_NOAUTOSPAWN, NULL) >= 0 && pa_threaded_mainloop_start(loop) >= 0);
    while (pa_context_get_state(context) != PA_CONTEXT_READY) pause_for(1000000);
    pa_threaded_mainloop_lock(loop);
    pa_context_set_subscribe_callback(context, note, NULL);
    pa_operation_unref(pa_context_subscribe(context, PA_SUBSCRIPTION_MASK_SINK, NULL, NULL));
    pa_threaded_mainloop_unlock(loop);
}

static void plug(void) {
    pa_threaded_mainloop_lock(loop);
    pa_operation_unref(pa_context_load_module(context, "module-null-sink",
        "sink_name=ears sink_properties=\"device.bus=bluetooth device.form_factor=headset device.api=bluez5\"", loaded, NULL));
    pa_threaded_mainloop_unlock(loop);
}

static void unplug(void) {
    pa_threaded_mainloop_lock(loop);
    pa_operation_unref(pa_context_unload_module(context, module_number, NULL, NULL));
    pa_threaded_mainloop_unlock(loop);
}

/* The reason of the last route change, and its time. */
static int reason;
static uint64_t changed_at;

static void on_route(void *user, AudioSessionPropertyID id, UInt32 size, const void *data) {
    (void)user, (void)id, (void)size;
    changed_at = now();
    CFNumberGetValue(CFDictionaryGetValue(data, kAudioSession_RouteChangeKey_Reason), kCFNumberIntType, &reason);
}

static void await_reason(int wanted) {
    struct pollfd events = {AudioSessionLinuxEventDescriptor(), POLLIN, 0};
    for (reason = -1; reason != wanted;) {
        if (poll(&events, 1, 10000) <= 0) {
            fprintf(stderr, "departure: waited 10 s for a route change with reason %d; the last one had %d\n", wanted, reason);
            exit(1);
        }
        REQUIRE(AudioSessionLinuxDispatchEvents() == 0);
    }
}

int main(int count, char **words) {
    int turns = count_from(count, words, 1, 100);
    REQUIRE(AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0);
    REQUIRE(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, on_route, NULL) == 0);
    REQUIRE(AudioSessionSetActive(true) == 0);
    connect_client();
    for (int turn = 0; turn < turns; turn++) {
        plug();
        await_reason(kAudioSessionRouteChangeReason_NewDeviceAvailable);
        /* The server and its session manager have finished. */
        pause_for(100000000);
        read_at = 0;
        unplug();
        await_reason(kAudioSessionRouteChangeReason_OldDeviceUnavailable);
        uint64_t changed = changed_at;
        while (!read_at) pause_for(100000);
        sample("departure", "a sink is gone", "us", ((double)changed - (double)read_at) / 1e3);
    }
    return 0;
}
