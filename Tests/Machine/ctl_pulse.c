/* SPDX-License-Identifier: Apache-2.0 */
/* The control plug-in of the test's sound server. */
#include <alsa/asoundlib.h>
#include <alsa/control_external.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

struct mock {
    snd_ctl_ext_t ext;
    unsigned char levels[2];
    int changed; /* one bit for each element whose change was not reported yet */
    int subscribed, dead;
};
static const char *const names[2] = {"Master Playback Volume", "Capture Volume"};

/* Applies the levels that the server has sent. */
static int look(struct mock *mock, int flags) {
    unsigned char levels[2];
    ssize_t length;
    while ((length = recv(mock->ext.poll_fd, levels, 2, flags)) == 2) {
        for (int i = 0; i < 2; i++)
            if (levels[i] != mock->levels[i]) mock->changed |= 1 << i;
        memcpy(mock->levels, levels, 2);
        if (flags == 0) return 0;
    }
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    mock->dead = 1;
    return -EIO;
}

static int elem_count(snd_ctl_ext_t *ext) { return (void)ext, 2; }
static int elem_list(snd_ctl_ext_t *ext, unsigned offset, snd_ctl_elem_id_t *id) {
    (void)ext;
    snd_ctl_elem_id_set_interface(id, SND_CTL_ELEM_IFACE_MIXER);
    snd_ctl_elem_id_set_name(id, names[offset & 1]);
    return 0;
}
static snd_ctl_ext_key_t find_elem(snd_ctl_ext_t *ext, const snd_ctl_elem_id_t *id) {
    (void)ext;
    for (snd_ctl_ext_key_t i = 0; i < 2; i++)
        if (strcmp(snd_ctl_elem_id_get_name(id), names[i]) == 0) return i;
    return SND_CTL_EXT_KEY_NOT_FOUND;
}
static int get_attribute(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, int *type, unsigned *access, unsigned *count) {
    (void)ext, (void)key;
    *type = SND_CTL_ELEM_TYPE_INTEGER;
    *access = SND_CTL_EXT_ACCESS_READWRITE;
    *count = 2;
    return 0;
}
static int get_integer_info(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *least, long *most, long *step) {
    (void)ext, (void)key;
    *least = 0, *most = 100, *step = 1;
    return 0;
}
static int read_integer(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
    struct mock *mock = ext->private_data;
    if (mock->dead) return -EIO;
    int error = look(mock, MSG_DONTWAIT);
    if (error < 0) return error;
    value[0] = value[1] = mock->levels[key];
    return 0;
}
static int write_integer(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
    struct mock *mock = ext->private_data;
    mock->levels[key] = (unsigned char)value[0];
    return send(ext->poll_fd, mock->levels, 2, MSG_NOSIGNAL) == 2 ? 1 : -EIO;
}
static void subscribe(snd_ctl_ext_t *ext, int on) { ((struct mock *)ext->private_data)->subscribed = on; }
static int read_event(snd_ctl_ext_t *ext, snd_ctl_elem_id_t *id, unsigned *mask) {
    struct mock *mock = ext->private_data;
    int error = mock->dead ? -EIO : look(mock, MSG_DONTWAIT);
    for (int i = 0; i < 2; i++) {
        if (!(mock->changed & 1 << i)) continue;
        mock->changed &= ~(1 << i);
        elem_list(ext, (unsigned)i, id);
        *mask = SND_CTL_EVENT_MASK_VALUE;
        return 1;
    }
    return error < 0 ? error : -EAGAIN;
}
static void close_mock(snd_ctl_ext_t *ext) {
    close(ext->poll_fd);
    free(ext->private_data);
}

static const snd_ctl_ext_callback_t callbacks = {
    .close = close_mock,
    .elem_count = elem_count,
    .elem_list = elem_list,
    .find_elem = find_elem,
    .get_attribute = get_attribute,
    .get_integer_info = get_integer_info,
    .read_integer = read_integer,
    .write_integer = write_integer,
    .subscribe_events = subscribe,
    .read_event = read_event,
};

SND_CTL_PLUGIN_DEFINE_FUNC(pulse) {
    (void)root, (void)conf;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/pulse/native", getenv("XDG_RUNTIME_DIR"));
    int server = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (connect(server, (struct sockaddr *)&address, sizeof address) < 0) {
        close(server);
        return -ECONNREFUSED;
    }
    struct mock *mock = calloc(1, sizeof *mock);
    if (!mock) return -ENOMEM;
    mock->ext.version = SND_CTL_EXT_VERSION;
    strcpy(mock->ext.id, "pulse");
    strcpy(mock->ext.driver, "mock");
    strcpy(mock->ext.name, "Mock server");
    strcpy(mock->ext.longname, "Mock server");
    strcpy(mock->ext.mixername, "Mock server");
    mock->ext.poll_fd = server;
    mock->ext.callback = &callbacks;
    mock->ext.private_data = mock;
    look(mock, 0);
    mock->changed = 0;
    int error = snd_ctl_ext_create(&mock->ext, name, mode);
    if (error < 0) {
        close_mock(&mock->ext);
        return error;
    }
    *handlep = mock->ext.handle;
    return 0;
}
SND_CTL_PLUGIN_SYMBOL(pulse);
