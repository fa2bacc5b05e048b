/* SPDX-License-Identifier: Apache-2.0 */
/* A control without a card, for softvol, which keeps its level in a control. The level is half, so that softvol changes
   the samples on a machine without a card. A real control costs one system call more. */
#include <alsa/asoundlib.h>
#include <alsa/control_external.h>

enum { STEPS = 255, LEVEL = 128, MADE_BY_SOFTVOL = 1 << 29 };

static int count(snd_ctl_ext_t *ext) { return (void)ext, 1; }

static int list(snd_ctl_ext_t *ext, unsigned place, snd_ctl_elem_id_t *id) {
    (void)ext, (void)place;
    snd_ctl_elem_id_set_interface(id, SND_CTL_ELEM_IFACE_MIXER);
    snd_ctl_elem_id_set_name(id, "Bench");
    return 0;
}

static snd_ctl_ext_key_t find(snd_ctl_ext_t *ext, const snd_ctl_elem_id_t *id) { return (void)ext, (void)id, 0; }

static int attributes(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, int *type, unsigned *access, unsigned *channels) {
    (void)ext, (void)key;
    *type = SND_CTL_ELEM_TYPE_INTEGER;
    *access = SND_CTL_EXT_ACCESS_READWRITE | SND_CTL_EXT_ACCESS_TLV_READ | MADE_BY_SOFTVOL;
    *channels = 2;
    return 0;
}

static int range(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *least, long *most, long *step) {
    (void)ext, (void)key;
    *least = 0, *most = STEPS, *step = 1;
    return 0;
}

static int level(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
    (void)ext, (void)key;
    value[0] = value[1] = LEVEL;
    return 0;
}

static int ignore(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) { return (void)ext, (void)key, (void)value, 0; }
static int event(snd_ctl_ext_t *ext, snd_ctl_elem_id_t *id, unsigned *mask) { return (void)ext, (void)id, (void)mask, -EAGAIN; }

static const snd_ctl_ext_callback_t callbacks = {
    .elem_count = count,
    .elem_list = list,
    .find_elem = find,
    .get_attribute = attributes,
    .get_integer_info = range,
    .read_integer = level,
    .write_integer = ignore,
    .read_event = event,
};

SND_CTL_PLUGIN_DEFINE_FUNC(bench_level) {
    /* In hundredths of softvol's range, which begins at -51 dB. */
    static const unsigned decibels[] = {1, 2 * sizeof(unsigned), (unsigned)-5100, 5100 / STEPS};
    static snd_ctl_ext_t ext;
    (void)root, (void)conf;
    ext = (snd_ctl_ext_t){.version = SND_CTL_EXT_VERSION, .poll_fd = -1, .callback = &callbacks, .tlv.p = decibels};
    int error = snd_ctl_ext_create(&ext, name, mode);
    *handlep = ext.handle;
    return error;
}
SND_CTL_PLUGIN_SYMBOL(bench_level);
