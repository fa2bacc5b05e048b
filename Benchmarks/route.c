/* SPDX-License-Identifier: Apache-2.0 */
/* route CARD [COUNT]: measures from the control event of a jack to the program's listener, and to a program that does nothing but
   read the event. This program adds the jack to the card as a control, as a driver does, and changes it. Each listener is a
   process of its own, one after the other. */
#include "meeting.h"

#include <AudioToolbox/AudioToolbox.h>
#include <alsa/asoundlib.h>
#include <poll.h>

enum { WARM_UP = 5 };

static struct meeting *meeting;

/* Adds the jack to the card if it does not exist. */
static snd_ctl_t *jack_of(const char *card, snd_ctl_elem_id_t *id) {
    char name[64];
    snd_ctl_t *control;
    snd_ctl_elem_info_t *info;
    snprintf(name, sizeof name, "hw:%s", card);
    REQUIRE(snd_ctl_open(&control, name, 0) == 0);
    snd_ctl_elem_id_set_interface(id, SND_CTL_ELEM_IFACE_CARD);
    snd_ctl_elem_id_set_name(id, "Headphone Jack");
    snd_ctl_elem_info_alloca(&info);
    snd_ctl_elem_info_set_id(info, id);
    if (snd_ctl_elem_info(control, info) < 0) REQUIRE(snd_ctl_elem_add_boolean(control, id, 1) == 0);
    return control;
}

static void move(snd_ctl_t *control, const snd_ctl_elem_id_t *id, int plugged) {
    snd_ctl_elem_value_t *value;
    snd_ctl_elem_value_alloca(&value);
    snd_ctl_elem_value_set_id(value, id);
    snd_ctl_elem_value_set_boolean(value, 0, plugged);
    meeting->caused = now();
    REQUIRE(snd_ctl_elem_write(control, value) >= 0);
}

static void on_event(void *unused, AudioSessionPropertyID property, UInt32 size, const void *data) {
    (void)unused, (void)property, (void)size, (void)data;
    meeting->delivered = now();
    meeting_tell(meeting->to_causer);
}

static void listen_for_ever(void) {
    REQUIRE(AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0);
    struct pollfd event = {.fd = AudioSessionLinuxEventDescriptor(), .events = POLLIN};
    REQUIRE(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, on_event, NULL) == 0);
    meeting_tell(meeting->to_causer);
    for (;;) {
        REQUIRE(poll(&event, 1, -1) == 1);
        AudioSessionLinuxDispatchEvents();
    }
}

/* The event as it comes from the driver, without a look at the card. */
static void read_for_ever(const char *card) {
    char name[64];
    snd_ctl_t *control;
    snd_ctl_event_t *event;
    struct pollfd descriptor;
    snprintf(name, sizeof name, "hw:%s", card);
    REQUIRE(snd_ctl_open(&control, name, SND_CTL_READONLY) == 0 && snd_ctl_subscribe_events(control, 1) == 0);
    REQUIRE(snd_ctl_poll_descriptors(control, &descriptor, 1) == 1);
    snd_ctl_event_alloca(&event);
    meeting_tell(meeting->to_causer);
    for (;;) {
        REQUIRE(poll(&descriptor, 1, -1) == 1 && snd_ctl_read(control, event) == 1);
        if (snd_ctl_event_get_type(event) != SND_CTL_EVENT_ELEM) continue;
        meeting->delivered = now();
        meeting_tell(meeting->to_causer);
    }
}

static void measure(const char *subject, snd_ctl_t *control, const snd_ctl_elem_id_t *id, int count) {
    meeting_wait(meeting->to_causer);
    for (int i = 0; i < WARM_UP + count; i++) {
        pause_for(20000000);
        move(control, id, i % 2 == 0);
        meeting_wait(meeting->to_causer);
        if (i >= WARM_UP) sample("route", subject, "ms", (double)(meeting->delivered - meeting->caused) / 1e6);
    }
}

static void end(pid_t listener) { REQUIRE(kill(listener, SIGKILL) == 0 && waitpid(listener, NULL, 0) == listener); }

int main(int argc, char **argv) {
    REQUIRE(argc > 1);
    int count = count_from(argc, argv, 2, 100);
    snd_ctl_elem_id_t *id;
    snd_ctl_elem_id_alloca(&id);
    meeting = meeting_make();
    snd_ctl_t *control = jack_of(argv[1], id);
    move(control, id, 0);
    pid_t listener = meeting_fork();
    if (listener == 0) read_for_ever(argv[1]);
    measure("the control event alone, read by a C program", control, id, count);
    end(listener);
    move(control, id, 0);
    listener = meeting_fork();
    if (listener == 0) listen_for_ever();
    measure("libAudioSession", control, id, count);
    end(listener);
}
