/* SPDX-License-Identifier: Apache-2.0 */
#include "CALSA.h"

#include "direct.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_VALUES = 128 };

int alsa_control_open_card(alsa_control **out, unsigned card) {
    char name[32];
    snd_config_t *configuration;
    int error = direct_configuration(&configuration);
    if (error < 0) return error;
    snprintf(name, sizeof name, "kernel:%u", card);
    error = snd_ctl_open_lconf(out, name, SND_CTL_NONBLOCK, configuration);
    snd_config_delete(configuration);
    return error;
}

int alsa_control_open_server(alsa_control **out, const char *kind) {
    char text[64];
    snd_config_t *configuration;
    snprintf(text, sizeof text, "ctl.server { type %s }", kind);
    int error = configuration_of_text(text, &configuration);
    if (error < 0) return error;
    error = snd_ctl_open_lconf(out, "server", SND_CTL_NONBLOCK, configuration);
    snd_config_delete(configuration);
    return error;
}

void alsa_control_close(alsa_control *control) { snd_ctl_close(control); }

int alsa_control_descriptor(alsa_control *control) {
    struct pollfd item;
    int count = snd_ctl_poll_descriptors(control, &item, 1);
    return count == 1 ? item.fd : count < 0 ? count : -ENOENT;
}

int alsa_control_subscribe(alsa_control *control, bool on) { return snd_ctl_subscribe_events(control, on); }

#define COPY(out, text) snprintf(out, sizeof(out), "%s", text)

int alsa_control_card(alsa_control *control, struct alsa_card *out) {
    snd_ctl_card_info_t *info;
    snd_ctl_card_info_alloca(&info);
    int error = snd_ctl_card_info(control, info);
    if (error < 0) return error;
    COPY(out->id, snd_ctl_card_info_get_id(info));
    COPY(out->driver, snd_ctl_card_info_get_driver(info));
    COPY(out->name, snd_ctl_card_info_get_name(info));
    COPY(out->long_name, snd_ctl_card_info_get_longname(info));
    COPY(out->components, snd_ctl_card_info_get_components(info));
    return 0;
}

/* ---- PCM devices ---- */

struct alsa_pcms alsa_control_pcms(alsa_control *control) {
    return (struct alsa_pcms){.control = control, .device = -1, .direction = SND_PCM_STREAM_LAST + 1};
}

static int describe_pcm(alsa_control *control, unsigned device, snd_pcm_stream_t direction, snd_pcm_info_t *info) {
    snd_pcm_info_set_device(info, device);
    snd_pcm_info_set_subdevice(info, 0);
    snd_pcm_info_set_stream(info, direction);
    return snd_ctl_pcm_info(control, info);
}

int alsa_pcms_next(struct alsa_pcms *iterator, struct alsa_pcm_info *out) {
    snd_pcm_info_t *info;
    snd_pcm_info_alloca(&info);
    for (;;) {
        if (iterator->direction > SND_PCM_STREAM_LAST) {
            int error = snd_ctl_pcm_next_device(iterator->control, &iterator->device);
            if (error == -ENXIO) return 0; /* a plug-in, which has no PCM device */
            if (error < 0) return error;
            if (iterator->device < 0) return 0;
            iterator->direction = SND_PCM_STREAM_PLAYBACK;
        }
        snd_pcm_stream_t direction = (snd_pcm_stream_t)iterator->direction++;
        /* The device may lack this direction. */
        if (describe_pcm(iterator->control, (unsigned)iterator->device, direction, info) < 0) continue;
        out->device = (uint32_t)iterator->device;
        out->substreams = snd_pcm_info_get_subdevices_count(info);
        out->is_playback = direction == SND_PCM_STREAM_PLAYBACK;
        out->is_modem = snd_pcm_info_get_class(info) == SND_PCM_CLASS_MODEM;
        COPY(out->id, snd_pcm_info_get_id(info));
        COPY(out->name, snd_pcm_info_get_name(info));
        return 1;
    }
}

int alsa_control_open_streams(alsa_control *control, uint32_t device, bool is_playback) {
    snd_pcm_info_t *info;
    snd_pcm_info_alloca(&info);
    int error = describe_pcm(control, device, is_playback ? SND_PCM_STREAM_PLAYBACK : SND_PCM_STREAM_CAPTURE, info);
    if (error < 0) return error;
    return (int)(snd_pcm_info_get_subdevices_count(info) - snd_pcm_info_get_subdevices_avail(info));
}

/* ---- elements ---- */

static uint32_t type_of(const snd_ctl_elem_info_t *info) {
    switch (snd_ctl_elem_info_get_type(info)) {
    case SND_CTL_ELEM_TYPE_BOOLEAN: return ALSA_BOOLEAN;
    case SND_CTL_ELEM_TYPE_INTEGER: return ALSA_INTEGER;
    case SND_CTL_ELEM_TYPE_ENUMERATED: return ALSA_ENUMERATED;
    default: return 0;
    }
}

static int32_t clamped(long value) { return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value; }

static void describe(const snd_ctl_elem_info_t *info, uint32_t type, struct alsa_element *out) {
    *out = (struct alsa_element){
        .number = snd_ctl_elem_info_get_numid(info),
        .interface = (uint32_t)snd_ctl_elem_info_get_interface(info),
        .device = snd_ctl_elem_info_get_device(info),
        .index = snd_ctl_elem_info_get_index(info),
        .type = type,
        .count = snd_ctl_elem_info_get_count(info),
        .is_readable = snd_ctl_elem_info_is_readable(info),
        .is_writable = snd_ctl_elem_info_is_writable(info),
    };
    COPY(out->name, snd_ctl_elem_info_get_name(info));
    if (type == ALSA_ENUMERATED) out->items = snd_ctl_elem_info_get_items(info);
    if (type != ALSA_INTEGER) return;
    out->least = clamped(snd_ctl_elem_info_get_min(info));
    out->most = clamped(snd_ctl_elem_info_get_max(info));
}

struct alsa_elements {
    alsa_control *control;
    snd_ctl_elem_list_t *list;
    unsigned position;
};

int alsa_control_elements(alsa_control *control, alsa_elements **out) {
    alsa_elements *iterator = calloc(1, sizeof *iterator);
    if (!iterator) return -ENOMEM;
    iterator->control = control;
    int error = snd_ctl_elem_list_malloc(&iterator->list);
    if (error >= 0) error = snd_ctl_elem_list(control, iterator->list);
    if (error >= 0) error = snd_ctl_elem_list_alloc_space(iterator->list, snd_ctl_elem_list_get_count(iterator->list));
    if (error >= 0) error = snd_ctl_elem_list(control, iterator->list);
    if (error < 0) return alsa_elements_close(iterator), error;
    *out = iterator;
    return 0;
}

int alsa_elements_next(alsa_elements *iterator, struct alsa_element *out) {
    snd_ctl_elem_info_t *info;
    snd_ctl_elem_info_alloca(&info);
    while (iterator->position < snd_ctl_elem_list_get_used(iterator->list)) {
        snd_ctl_elem_info_set_numid(info, snd_ctl_elem_list_get_numid(iterator->list, iterator->position++));
        int error = snd_ctl_elem_info(iterator->control, info);
        if (error == -ENODEV) return error;
        uint32_t type = error < 0 ? 0 : type_of(info); /* an error: the element was removed after the list was read */
        if (type == 0) continue;
        describe(info, type, out);
        return 1;
    }
    return 0;
}

void alsa_elements_close(alsa_elements *iterator) {
    if (!iterator) return;
    if (iterator->list) {
        snd_ctl_elem_list_free_space(iterator->list);
        snd_ctl_elem_list_free(iterator->list);
    }
    free(iterator);
}

int alsa_control_item(alsa_control *control, uint32_t element, uint32_t item, char *name, size_t size) {
    snd_ctl_elem_info_t *info;
    snd_ctl_elem_info_alloca(&info);
    snd_ctl_elem_info_set_numid(info, element);
    snd_ctl_elem_info_set_item(info, item);
    int error = snd_ctl_elem_info(control, info);
    if (error < 0) return error;
    snprintf(name, size, "%s", snd_ctl_elem_info_get_item_name(info));
    return 0;
}

int alsa_control_read(alsa_control *control, uint32_t element, uint32_t type, int32_t *values, uint32_t count) {
    snd_ctl_elem_value_t *value;
    snd_ctl_elem_value_alloca(&value);
    snd_ctl_elem_value_set_numid(value, element);
    int error = snd_ctl_elem_read(control, value);
    if (error < 0) return error;
    for (uint32_t i = 0; i < count && i < MOST_VALUES; i++) {
        switch (type) {
        case ALSA_BOOLEAN: values[i] = snd_ctl_elem_value_get_boolean(value, i); break;
        case ALSA_INTEGER: values[i] = clamped(snd_ctl_elem_value_get_integer(value, i)); break;
        case ALSA_ENUMERATED: values[i] = (int32_t)snd_ctl_elem_value_get_enumerated(value, i); break;
        default: values[i] = 0;
        }
    }
    return 0;
}

int alsa_control_write(alsa_control *control, uint32_t element, uint32_t type, const int32_t *values, uint32_t count) {
    snd_ctl_elem_value_t *value;
    snd_ctl_elem_value_alloca(&value);
    snd_ctl_elem_value_set_numid(value, element);
    for (uint32_t i = 0; i < count && i < MOST_VALUES; i++) {
        switch (type) {
        case ALSA_BOOLEAN: snd_ctl_elem_value_set_boolean(value, i, values[i]); break;
        case ALSA_INTEGER: snd_ctl_elem_value_set_integer(value, i, values[i]); break;
        case ALSA_ENUMERATED: snd_ctl_elem_value_set_enumerated(value, i, (unsigned)values[i]); break;
        default: return -EINVAL;
        }
    }
    int error = snd_ctl_elem_write(control, value);
    return error < 0 ? error : 0;
}

int alsa_control_next_event(alsa_control *control, uint32_t *element, uint32_t *what) {
    snd_ctl_event_t *event;
    snd_ctl_event_alloca(&event);
    int count = snd_ctl_read(control, event);
    if (count == -EAGAIN || count == -EINTR || count == 0) return 0;
    if (count < 0) return count;
    *element = 0;
    *what = ALSA_OTHER_EVENT;
    if (snd_ctl_event_get_type(event) != SND_CTL_EVENT_ELEM) return 1;
    unsigned mask = snd_ctl_event_elem_get_mask(event);
    *element = snd_ctl_event_elem_get_numid(event);
    if (mask == SND_CTL_EVENT_MASK_REMOVE || mask & (SND_CTL_EVENT_MASK_ADD | SND_CTL_EVENT_MASK_INFO))
        *what = ALSA_ELEMENTS_CHANGED;
    else if (mask & SND_CTL_EVENT_MASK_VALUE)
        *what = ALSA_VALUE_CHANGED;
    return 1;
}
