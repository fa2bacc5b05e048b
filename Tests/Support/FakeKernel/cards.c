/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <sound/asound.h>

#include "FakeKernel.h"
#include "kernel.h"

enum { MOST_CARDS = 8, MOST_PCMS = 8, MOST_ELEMENTS = 32, MOST_HANDLES = 64 };

struct element {
    struct snd_ctl_elem_info info;
    int32_t value;
    char items[128];
    bool is_removed;
};
struct card {
    bool is_there;
    int refusal, pcm_refusal, set_refusal, failure;
    uint32_t requests_to_failure;
    struct snd_ctl_card_info info;
    struct snd_pcm_info pcms[MOST_PCMS];
    struct element elements[MOST_ELEMENTS];
    uint32_t pcm_count, element_count;
};
static struct card cards[MOST_CARDS];

/* An open device: its descriptor is one end of a socket pair; the driver writes its events to the other end. */
struct handle {
    bool is_open, is_gone, is_control;
    uint32_t card, device;
    bool is_playback;
    int fd, driver;
    ino_t inode;
};
static struct handle handles[MOST_HANDLES];
static int handle_count;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
#define LOCKED for (int once = (pthread_mutex_lock(&guard), 1); once; pthread_mutex_unlock(&guard), once = 0)

static void copy(unsigned char *out, size_t size, const char *text) { snprintf((char *)out, size, "%s", text); }

/* ---- descriptors ---- */

/* The number may belong to another file by now. */
static bool is_of(const struct handle *handle, int fd) {
    struct stat status;
    return handle->is_open && handle->fd == fd && fstat(fd, &status) == 0 && status.st_ino == handle->inode;
}

/* The close of a descriptor is not reported. */
static void forget_if_closed(struct handle *handle) {
    if (!handle->is_open || is_of(handle, handle->fd)) return;
    handle->is_open = false;
    close(handle->driver);
}

static struct handle *handle_of(int fd) {
    for (int i = 0; i < handle_count; i++)
        if (handles[i].is_open && handles[i].fd == fd) {
            if (is_of(&handles[i], fd)) return &handles[i];
            forget_if_closed(&handles[i]);
        }
    return NULL;
}

static struct handle *free_handle(void) {
    for (int i = 0; i < handle_count; i++) forget_if_closed(&handles[i]);
    for (int i = 0; i < handle_count; i++)
        if (!handles[i].is_open) return &handles[i];
    return handle_count < MOST_HANDLES ? &handles[handle_count++] : NULL;
}

static int opened(struct handle new, int flags) {
    int ends[2], how = SOCK_SEQPACKET | SOCK_CLOEXEC;
    struct stat status;
    if (socketpair(AF_UNIX, how | (flags & O_NONBLOCK ? SOCK_NONBLOCK : 0), 0, ends) < 0) return -1;
    (void)handle_of(ends[0]); /* an old handle of this number is closed */
    struct handle *handle = free_handle();
    if (!handle || fstat(ends[0], &status) < 0) {
        close(ends[0]), close(ends[1]);
        return errno = EMFILE, -1;
    }
    new.is_open = true, new.fd = ends[0], new.driver = ends[1], new.inode = status.st_ino;
    *handle = new;
    return ends[0];
}

int fake_open(const char *path, int flags) {
    unsigned card, device;
    char direction;
    bool is_control = sscanf(path, "/dev/snd/controlC%u", &card) == 1;
    bool is_pcm = !is_control && sscanf(path, "/dev/snd/pcmC%uD%u%c", &card, &device, &direction) == 3;
    if ((!is_control && !is_pcm) || card >= MOST_CARDS) return -2;
    int result = -1;
    LOCKED {
        struct card *at = &cards[card];
        int refusal = !at->is_there ? ENODEV : is_control ? at->refusal : at->pcm_refusal;
        if (refusal)
            errno = refusal;
        else if (is_control)
            result = opened((struct handle){.is_control = true, .card = card}, flags);
        else
            result = opened((struct handle){.card = card, .device = device, .is_playback = direction == 'p'}, flags);
    }
    return result;
}

bool fake_is_gone(int fd) {
    bool is_gone = false;
    if (__atomic_load_n(&handle_count, __ATOMIC_RELAXED) == 0) return false;
    LOCKED {
        struct handle *handle = handle_of(fd);
        is_gone = handle && handle->is_gone;
    }
    return is_gone;
}

/* ---- functions for tests ---- */

static bool is_blocked;
static pthread_cond_t unblocked = PTHREAD_COND_INITIALIZER;

void fake_block(bool on) {
    LOCKED {
        is_blocked = on;
        pthread_cond_broadcast(&unblocked);
    }
}

uint32_t fake_open_devices(void) {
    uint32_t count = 0;
    LOCKED for (int i = 0; i < handle_count; i++) count += is_of(&handles[i], handles[i].fd);
    return count;
}

/* The driver's end of an open device; -1 when none is open. */
static int open_driver(void) {
    int driver = -1;
    LOCKED for (int i = 0; i < handle_count; i++) if (is_of(&handles[i], handles[i].fd)) driver = dup(handles[i].driver);
    return driver;
}

bool fake_await_closed(int32_t limit) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t deadline = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 + limit;
    for (int driver; (driver = open_driver()) >= 0; close(driver)) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        int64_t left = deadline - ((int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000);
        /* The driver's end hangs up when the last descriptor of the other end is closed. */
        if (left <= 0 || poll(&(struct pollfd){.fd = driver}, 1, (int)left) == 0) return close(driver), false;
    }
    return true;
}

void fake_card(uint32_t card, const char *id, const char *driver, const char *name) {
    LOCKED {
        struct card *at = &cards[card];
        memset(at, 0, sizeof *at);
        at->info.card = (int)card;
        copy(at->info.id, sizeof at->info.id, id);
        copy(at->info.driver, sizeof at->info.driver, driver);
        copy(at->info.name, sizeof at->info.name, name);
        copy(at->info.longname, sizeof at->info.longname, name);
        copy(at->info.mixername, sizeof at->info.mixername, name);
        at->is_there = true;
    }
}

void fake_rename(uint32_t card, const char *id) { LOCKED copy(cards[card].info.id, sizeof cards[card].info.id, id); }
void fake_refuse(uint32_t card, int error) { LOCKED cards[card].refusal = error; }
void fake_refuse_pcm(uint32_t card, int error) { LOCKED cards[card].pcm_refusal = error; }
void fake_refuse_sets(uint32_t card, int error) { LOCKED cards[card].set_refusal = error; }
void fake_fail(uint32_t card, int error, uint32_t nth) {
    LOCKED cards[card].failure = error, cards[card].requests_to_failure = nth;
}

void fake_remove(uint32_t card) {
    LOCKED {
        cards[card].is_there = false;
        for (int i = 0; i < handle_count; i++) {
            struct handle *handle = &handles[i];
            if (!handle->is_open || handle->card != card || handle->is_gone) continue;
            handle->is_gone = true;
            shutdown(handle->driver, SHUT_RDWR); /* wakes its readers */
        }
    }
}

void fake_pcm(uint32_t card, uint32_t device, bool playback, const char *name) {
    LOCKED {
        struct snd_pcm_info *info = &cards[card].pcms[cards[card].pcm_count++];
        info->device = device;
        info->card = (int)card;
        info->stream = playback ? SNDRV_PCM_STREAM_PLAYBACK : SNDRV_PCM_STREAM_CAPTURE;
        info->subdevices_count = info->subdevices_avail = 1;
        copy(info->id, sizeof info->id, name);
        copy(info->name, sizeof info->name, name);
    }
}

void fake_occupy_pcm(uint32_t card, uint32_t device, bool playback, bool on) {
    LOCKED {
        for (uint32_t i = 0; i < cards[card].pcm_count; i++) {
            struct snd_pcm_info *info = &cards[card].pcms[i];
            if (info->device == device && (info->stream == SNDRV_PCM_STREAM_PLAYBACK) == playback) info->subdevices_avail = !on;
        }
    }
}

uint32_t fake_element(
    uint32_t card, uint32_t interface, const char *name, uint32_t type, uint32_t count, int32_t most, const char *items) {
    uint32_t number = 0;
    LOCKED {
        struct element *element = &cards[card].elements[cards[card].element_count];
        number = element->info.id.numid = ++cards[card].element_count;
        element->info.id.iface = (int)interface;
        copy(element->info.id.name, sizeof element->info.id.name, name);
        element->info.type = (int)type;
        element->info.count = count;
        element->info.access = SNDRV_CTL_ELEM_ACCESS_READ | (interface == FAKE_MIXER ? SNDRV_CTL_ELEM_ACCESS_WRITE : 0);
        if (type == FAKE_INTEGER) element->info.value.integer.max = most;
        if (type == FAKE_ENUMERATED) element->info.value.enumerated.items = (unsigned)most;
        if (items) snprintf(element->items, sizeof element->items, "%s", items);
    }
    return number;
}

void fake_index(uint32_t card, uint32_t element, uint32_t index) {
    LOCKED cards[card].elements[element - 1].info.id.index = index;
}

static void report(uint32_t card, struct snd_ctl_event event) {
    for (int i = 0; i < handle_count; i++)
        if (handles[i].is_open && handles[i].is_control && handles[i].card == card)
            (void)send(handles[i].driver, &event, sizeof event, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void set(uint32_t card, struct element *element, int32_t value) {
    struct snd_ctl_event event = {.type = SNDRV_CTL_EVENT_ELEM};
    element->value = value;
    event.data.elem.mask = SNDRV_CTL_EVENT_MASK_VALUE;
    event.data.elem.id = element->info.id;
    report(card, event);
}

void fake_set(uint32_t card, uint32_t element, int32_t value) { LOCKED set(card, &cards[card].elements[element - 1], value); }

int32_t fake_value(uint32_t card, uint32_t element) {
    int32_t value = 0;
    LOCKED value = cards[card].elements[element - 1].value;
    return value;
}

void fake_report_new(uint32_t card) {
    struct snd_ctl_event event = {.type = SNDRV_CTL_EVENT_ELEM};
    event.data.elem.mask = SNDRV_CTL_EVENT_MASK_ADD;
    LOCKED {
        if (cards[card].element_count) event.data.elem.id = cards[card].elements[cards[card].element_count - 1].info.id;
        report(card, event);
    }
}

void fake_report_other(uint32_t card) {
    struct snd_ctl_event event = {.type = SNDRV_CTL_EVENT_ELEM};
    event.data.elem.mask = SNDRV_CTL_EVENT_MASK_TLV;
    LOCKED report(card, event);
}

void fake_remove_element(uint32_t card, uint32_t element) {
    struct snd_ctl_event event = {.type = SNDRV_CTL_EVENT_ELEM};
    event.data.elem.mask = SNDRV_CTL_EVENT_MASK_REMOVE;
    LOCKED {
        struct element *removed = &cards[card].elements[element - 1];
        removed->is_removed = true;
        event.data.elem.id = removed->info.id;
        report(card, event);
    }
}

/* ---- requests of libasound to a control device ---- */

static struct element *element(struct card *card, const struct snd_ctl_elem_id *id) {
    if (id->numid < 1 || id->numid > card->element_count) return NULL;
    struct element *found = &card->elements[id->numid - 1];
    return found->is_removed ? NULL : found;
}

static int list_elements(struct card *card, struct snd_ctl_elem_list *list) {
    list->count = list->used = 0;
    for (uint32_t i = 0; i < card->element_count; i++) {
        if (card->elements[i].is_removed) continue;
        if (list->count++ >= list->offset && list->used < list->space) list->pids[list->used++] = card->elements[i].info.id;
    }
    return 0;
}

static int describe(struct card *card, struct snd_ctl_elem_info *info) {
    struct element *found = element(card, &info->id);
    unsigned item = info->value.enumerated.item;
    if (!found) return ENOENT;
    *info = found->info;
    if (info->type != FAKE_ENUMERATED) return 0;
    const char *name = found->items;
    if (item >= info->value.enumerated.items) item = info->value.enumerated.items - 1;
    for (unsigned i = 0; i < item && name; i++) name = strchr(name, '/') ? strchr(name, '/') + 1 : NULL;
    if (!name) return EINVAL;
    snprintf(info->value.enumerated.name, sizeof info->value.enumerated.name, "%.*s", (int)strcspn(name, "/"), name);
    return 0;
}

static int transfer(struct card *card, uint32_t number, struct snd_ctl_elem_value *value, bool writes) {
    struct element *found = element(card, &value->id);
    if (!found) return ENOENT;
    bool isItem = found->info.type == FAKE_ENUMERATED;
    if (writes) {
        set(number, found, isItem ? (int32_t)value->value.enumerated.item[0] : (int32_t)value->value.integer.value[0]);
        return 0;
    }
    for (uint32_t i = 0; i < found->info.count; i++)
        if (isItem)
            value->value.enumerated.item[i] = (unsigned)found->value;
        else
            value->value.integer.value[i] = found->value;
    return 0;
}

static int next_pcm(struct card *card, int *device) {
    int next = -1;
    for (uint32_t i = 0; i < card->pcm_count; i++) {
        int candidate = (int)card->pcms[i].device;
        if (candidate > *device && (next < 0 || candidate < next)) next = candidate;
    }
    *device = next;
    return 0;
}

static int describe_pcm(struct card *card, struct snd_pcm_info *info) {
    for (uint32_t i = 0; i < card->pcm_count; i++)
        if (card->pcms[i].device == info->device && card->pcms[i].stream == info->stream) return *info = card->pcms[i], 0;
    return ENOENT;
}

static int control(struct card *card, uint32_t number, unsigned long request, void *argument) {
    if (card->requests_to_failure && --card->requests_to_failure == 0) return card->failure;
    switch (request) {
    case SNDRV_CTL_IOCTL_PVERSION: return *(int *)argument = SNDRV_CTL_VERSION, 0;
    case SNDRV_CTL_IOCTL_CARD_INFO: return *(struct snd_ctl_card_info *)argument = card->info, 0;
    case SNDRV_CTL_IOCTL_ELEM_LIST: return list_elements(card, argument);
    case SNDRV_CTL_IOCTL_ELEM_INFO: return describe(card, argument);
    case SNDRV_CTL_IOCTL_ELEM_READ: return transfer(card, number, argument, false);
    case SNDRV_CTL_IOCTL_ELEM_WRITE: return card->set_refusal ? card->set_refusal : transfer(card, number, argument, true);
    case SNDRV_CTL_IOCTL_PCM_NEXT_DEVICE: return next_pcm(card, argument);
    case SNDRV_CTL_IOCTL_PCM_INFO: return describe_pcm(card, argument);
    case SNDRV_CTL_IOCTL_SUBSCRIBE_EVENTS:
    case SNDRV_CTL_IOCTL_PCM_PREFER_SUBDEVICE: return 0;
    default: return ENOTTY;
    }
}

/* ---- requests of libasound to a PCM device ---- */

static int narrow(struct snd_pcm_hw_params *params, int parameter, unsigned least, unsigned most) {
    struct snd_interval *range = &params->intervals[parameter - SNDRV_PCM_HW_PARAM_FIRST_INTERVAL];
    struct snd_interval before = *range;
    if (range->min < least) range->min = least, range->openmin = 0;
    if (range->max > most) range->max = most, range->openmax = 0;
    if (range->min > range->max || (range->min == range->max && (range->openmin || range->openmax))) return EINVAL;
    if (memcmp(&before, range, sizeof before) != 0) params->cmask |= 1u << parameter;
    return 0;
}

/* 8 to 48 kHz, one or two channels, periods of 64 to 4,096 frames. */
static int refine(struct snd_pcm_hw_params *params) {
    int error = narrow(params, SNDRV_PCM_HW_PARAM_RATE, 8000, 48000);
    if (!error) error = narrow(params, SNDRV_PCM_HW_PARAM_CHANNELS, 1, 2);
    if (!error) error = narrow(params, SNDRV_PCM_HW_PARAM_PERIOD_SIZE, 64, 4096);
    if (!error) error = narrow(params, SNDRV_PCM_HW_PARAM_BUFFER_SIZE, 128, 16384);
    return error;
}

static int pcm(struct card *card, const struct handle *handle, unsigned long request, void *argument) {
    struct snd_pcm_info wanted = {.device = handle->device};
    wanted.stream = handle->is_playback ? SNDRV_PCM_STREAM_PLAYBACK : SNDRV_PCM_STREAM_CAPTURE;
    switch (request) {
    case SNDRV_PCM_IOCTL_INFO: return *(struct snd_pcm_info *)argument = wanted, describe_pcm(card, argument);
    case SNDRV_PCM_IOCTL_PVERSION: return *(int *)argument = SNDRV_PCM_VERSION, 0;
    case SNDRV_PCM_IOCTL_HW_REFINE: return refine(argument);
    case SNDRV_PCM_IOCTL_USER_PVERSION:
    case SNDRV_PCM_IOCTL_TTSTAMP:
    case SNDRV_PCM_IOCTL_SYNC_PTR:
    case SNDRV_PCM_IOCTL_HW_FREE: return 0;
    default: return ENOTTY;
    }
}

bool fake_ioctl(int fd, unsigned long request, void *argument, int *result) {
    bool is_ours = false;
    int error = 0;
    if (__atomic_load_n(&handle_count, __ATOMIC_RELAXED) == 0) return false;
    LOCKED {
        while (is_blocked && handle_of(fd) && handle_of(fd)->is_control) pthread_cond_wait(&unblocked, &guard);
        struct handle *handle = handle_of(fd);
        if ((is_ours = handle != NULL)) {
            struct card *card = &cards[handle->card];
            if (handle->is_gone)
                error = ENODEV;
            else
                error =
                    handle->is_control ? control(card, handle->card, request, argument) : pcm(card, handle, request, argument);
        }
    }
    if (!is_ours) return false;
    *result = error ? (errno = error, -1) : 0;
    return true;
}
