/* SPDX-License-Identifier: Apache-2.0 */
/* The sound of rain, as a GLib program: the session's descriptor is a source of the main loop, beside a timer and
   a signal. The sound mixes with other programs, fades in, and pauses for calls.

       cc rain.c $(pkg-config --cflags --libs audiosession alsa glib-2.0) -o rain
       ./rain [-d DEVICE] [-m MINUTES] */
#include <AudioToolbox/AudioToolbox.h>
#include <alsa/asoundlib.h>
#include <glib-unix.h>
#include <glib.h>

enum { RATE = 44100, TICK = 20 /* per second */, LATENCY = 200000 /* microseconds */, FADE = 3 * RATE };

static gchar *chosenDevice;
static snd_pcm_t *device;
static GMainLoop *loop;

static void check(OSStatus status, const char *what) {
    if (status != kAudioSessionNoError) g_error("%s: %s", what, AudioSessionLinuxStatusName(status));
}

/* ---- Sound ---- */

static gint16 nextDrop(void) {
    static double low;
    static int fallen;
    low += 0.02 * (g_random_double_range(-1, 1) - low);
    if (fallen < FADE) fallen++;
    return (gint16)(60000 * low * fallen / FADE);
}

static gboolean feed(gpointer unused) {
    gint16 samples[2 * RATE / TICK];
    snd_pcm_sframes_t room;
    (void)unused;
    if (!device) return G_SOURCE_CONTINUE;
    room = snd_pcm_avail_update(device);
    if (room < 0) room = snd_pcm_recover(device, (int)room, 1);
    if (room > 2 * RATE / TICK) room = 2 * RATE / TICK;
    for (int i = 0; i < room; i++) samples[i] = nextDrop();
    if (room > 0) snd_pcm_writei(device, samples, (snd_pcm_uframes_t)room);
    return G_SOURCE_CONTINUE;
}

static void stop(void) {
    if (device) snd_pcm_close(device);
    device = NULL;
}

static void start(void) {
    char name[256];
    UInt32 size = sizeof name;
    gchar *plugged;
    int error;
    check(AudioSessionSetActive(true), "activating"); /* a session that mixes is never refused */
    if (!chosenDevice) check(AudioSessionLinuxCopyDeviceName(false, name, &size), "the route's device");
    plugged = g_strdup_printf("plug:'%s'", chosenDevice ? chosenDevice : name);
    error = snd_pcm_open(&device, plugged, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
    if (error == 0) error = snd_pcm_set_params(device, SND_PCM_FORMAT_S16, SND_PCM_ACCESS_RW_INTERLEAVED, 1, RATE, 1, LATENCY);
    if (error < 0) g_error("%s: %s", plugged, snd_strerror(error));
    g_free(plugged);
    g_print("rain: falls\n");
}

/* ---- The session ---- */

static gboolean dispatch(gint descriptor, GIOCondition condition, gpointer unused) {
    (void)descriptor, (void)condition, (void)unused;
    AudioSessionLinuxDispatchEvents();
    return G_SOURCE_CONTINUE;
}

static void interrupted(void *unused, UInt32 state) {
    (void)unused;
    if (state == kAudioSessionBeginInterruption) {
        stop();
        g_print("rain: pauses\n");
    } else {
        start(); /* background sound resumes in any case */
    }
}

static void routeChanged(void *unused, AudioSessionPropertyID property, UInt32 size, const void *data) {
    (void)unused, (void)property, (void)size, (void)data;
    if (!device) return;
    stop();
    g_print("rain: moves to another device\n");
    start();
}

static gboolean quit(gpointer unused) {
    (void)unused;
    g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

int main(int count, char **arguments) {
    UInt32 category = kAudioSessionCategory_MediaPlayback, yes = 1;
    gint minutes = 0;
    GError *error = NULL;
    const GOptionEntry options[] = {{"device", 'd', 0, G_OPTION_ARG_STRING, &chosenDevice, "Play on this ALSA device", "DEVICE"},
        {"minutes", 'm', 0, G_OPTION_ARG_INT, &minutes, "Stop by itself", "MINUTES"},
        {NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL}};
    GOptionContext *context = g_option_context_new("- the sound of rain");
    g_option_context_add_main_entries(context, options, NULL);
    if (!g_option_context_parse(context, &count, &arguments, &error)) {
        g_printerr("rain: %s\n", error->message);
        return 2;
    }
    g_option_context_free(context);

    check(AudioSessionInitialize(NULL, NULL, interrupted, NULL), "initializing");
    check(AudioSessionLinuxSetDisplayName("Rain"), "naming");
    check(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category), "category");
    check(AudioSessionSetProperty(kAudioSessionProperty_OverrideCategoryMixWithOthers, sizeof yes, &yes), "mixing");
    check(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, routeChanged, NULL), "listening");
    loop = g_main_loop_new(NULL, FALSE);
    g_unix_fd_add(AudioSessionLinuxEventDescriptor(), G_IO_IN, dispatch, NULL);
    g_unix_signal_add(SIGINT, quit, NULL);
    g_timeout_add(1000 / TICK, feed, NULL);
    if (minutes > 0) g_timeout_add_seconds((guint)minutes * 60, quit, NULL);
    start();
    g_main_loop_run(loop);

    stop();
    check(AudioSessionSetActive(false), "deactivating");
    g_main_loop_unref(loop);
    g_free(chosenDevice);
    g_print("rain: stops\n");
    return 0;
}
