/* SPDX-License-Identifier: Apache-2.0 */
/* route CARD [COUNT]: measures from the control event of a jack to the program's listener. This program adds the jack to
   the card as a control, as a driver does; a second process changes it. */
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

int main(int argc, char **argv) {
    REQUIRE(argc > 1);
    int count = count_from(argc, argv, 2, 100);
    snd_ctl_elem_id_t *id;
    snd_ctl_elem_id_alloca(&id);
    meeting = meeting_make();
    snd_ctl_t *control = jack_of(argv[1], id);
    move(control, id, 0);
    if (meeting_fork() == 0) listen_for_ever();
    meeting_wait(meeting->to_causer);
    for (int i = 0; i < WARM_UP + count; i++) {
        pause_for(20000000);
        move(control, id, i % 2 == 0);
        meeting_wait(meeting->to_causer);
        if (i >= WARM_UP) sample("route", "libAudioSession", "ms", (double)(meeting->delivered - meeting->caused) / 1e6);
    }
}
