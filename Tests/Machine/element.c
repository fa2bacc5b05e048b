/* SPDX-License-Identifier: Apache-2.0 */
/* element CARD jack NAME 0|1, element CARD choice NAME ITEM...: adds a user control to a card, such as the kernel
   has for a jack or a selector, or sets an existing jack. The control stays until the card is removed. */
#include <alsa/asoundlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **words) {
    char name[32];
    snd_ctl_t *control;
    snd_ctl_elem_id_t *id;
    snd_ctl_elem_value_t *value;
    snd_ctl_elem_info_t *info;
    if (count < 5) return 64;
    snprintf(name, sizeof name, "hw:%s", words[1]);
    int error = snd_ctl_open(&control, name, 0);
    if (error < 0) return fprintf(stderr, "%s: %s\n", name, snd_strerror(error)), 1;
    snd_ctl_elem_id_alloca(&id);
    snd_ctl_elem_value_alloca(&value);
    snd_ctl_elem_info_alloca(&info);
    int is_jack = strcmp(words[2], "jack") == 0;
    snd_ctl_elem_id_set_interface(id, is_jack ? SND_CTL_ELEM_IFACE_CARD : SND_CTL_ELEM_IFACE_MIXER);
    snd_ctl_elem_id_set_name(id, words[3]);
    snd_ctl_elem_info_set_id(info, id);
    if (snd_ctl_elem_info(control, info) < 0) {
        error = is_jack ? snd_ctl_elem_add_boolean(control, id, 1)
                        : snd_ctl_elem_add_enumerated(control, id, 1, (unsigned)(count - 4), (const char *const *)words + 4);
        if (error < 0) return fprintf(stderr, "%s: %s\n", words[3], snd_strerror(error)), 1;
    }
    snd_ctl_elem_value_set_id(value, id);
    if (is_jack)
        snd_ctl_elem_value_set_boolean(value, 0, atoi(words[4]));
    else
        snd_ctl_elem_value_set_enumerated(value, 0, 0);
    error = snd_ctl_elem_write(control, value);
    if (error < 0) return fprintf(stderr, "%s: %s\n", words[3], snd_strerror(error)), 1;
    snd_ctl_close(control);
    return 0;
}
