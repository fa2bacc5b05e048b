#include "CALSA.h"

#include <alsa/asoundlib.h>
#include <alsa/use-case.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERB_SIZE = 64 };

static int everyday_verb(snd_use_case_mgr_t *manager, char *verb) {
    const char **list;
    int count = snd_use_case_get_list(manager, "_verbs", &list);
    if (count < 0) return count;
    int chosen = -1;
    /* Pairs of a name and a comment. */
    for (int i = 0; i + 1 < count; i += 2)
        if (list[i] && (chosen < 0 || strcmp(list[i], SND_USE_CASE_VERB_HIFI) == 0)) chosen = i;
    if (chosen >= 0) snprintf(verb, VERB_SIZE, "%s", list[chosen]);
    if (count > 0) snd_use_case_free_list(list, count);
    return chosen >= 0 ? 0 : -ENOENT;
}

/* NULL where the profile does not say. */
static char *value(snd_use_case_mgr_t *manager, const char *what, const char *device, const char *verb) {
    char name[160];
    const char *found = NULL;
    snprintf(name, sizeof name, "%s/%s/%s", what, device, verb);
    return snd_use_case_get(manager, name, &found) >= 0 ? (char *)found : NULL;
}

static void visit_device(
    snd_use_case_mgr_t *manager, const char *verb, const char *device, const char *comment,
    void (*visit)(const struct alsa_use_case *use_case, void *context), void *context) {
    enum { VALUES = 7 };
    static const char *const names[VALUES] = {
        "PlaybackPCM", "CapturePCM", "JackControl", "PlaybackMixerElem", "CaptureMixerElem", "PlaybackVolume", "CaptureVolume"};
    char *values[VALUES];
    for (int i = 0; i < VALUES; i++) values[i] = value(manager, names[i], device, verb);
    struct alsa_use_case use_case = {
        .verb = verb, .device = device, .comment = comment,
        .playback_pcm = values[0], .capture_pcm = values[1], .jack = values[2],
        .playback_volume = values[3] ? values[3] : values[5], .capture_volume = values[4] ? values[4] : values[6],
    };
    visit(&use_case, context);
    for (int i = 0; i < VALUES; i++) free(values[i]);
}

int alsa_use_cases(
    uint32_t card, void (*visit)(const struct alsa_use_case *use_case, void *context), void *context) {
    char name[128], verb[VERB_SIZE];
    snd_use_case_mgr_t *manager;
    const char **list;
    snprintf(name, sizeof name, "hw:%u", card);
    int error = snd_use_case_mgr_open(&manager, name);
    if (error < 0) return error;
    error = everyday_verb(manager, verb);
    if (error >= 0) {
        snprintf(name, sizeof name, "_devices/%s", verb);
        int count = error = snd_use_case_get_list(manager, name, &list);
        for (int i = 0; i + 1 < count; i += 2)
            if (list[i]) visit_device(manager, verb, list[i], list[i + 1] ? list[i + 1] : "", visit, context);
        if (count > 0) snd_use_case_free_list(list, count);
    }
    snd_use_case_mgr_close(manager);
    return error < 0 ? error : 0;
}
