/* SPDX-License-Identifier: Apache-2.0 */
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
    /* The list consists of pairs of a name and a comment. */
    for (int i = 0; i + 1 < count; i += 2)
        if (list[i] && (chosen < 0 || strcmp(list[i], SND_USE_CASE_VERB_HIFI) == 0)) chosen = i;
    if (chosen >= 0) snprintf(verb, VERB_SIZE, "%s", list[chosen]);
    if (count > 0) snd_use_case_free_list(list, count);
    return chosen >= 0 ? 0 : -ENOENT;
}

enum { VALUES = 7 };
struct alsa_use_cases {
    snd_use_case_mgr_t *manager;
    char verb[VERB_SIZE];
    const char **devices; /* pairs of a name and a comment */
    int count, position;
    char *values[VALUES];
};

/* NULL: the profile has no such value. */
static char *value(const alsa_use_cases *iterator, const char *key, const char *device) {
    char name[160];
    const char *found = NULL;
    snprintf(name, sizeof name, "%s/%s/%s", key, device, iterator->verb);
    return snd_use_case_get(iterator->manager, name, &found) >= 0 ? (char *)found : NULL;
}

static void free_values(alsa_use_cases *iterator) {
    for (int i = 0; i < VALUES; i++) free(iterator->values[i]);
    memset(iterator->values, 0, sizeof iterator->values);
}

int alsa_use_cases_open(uint32_t card, alsa_use_cases **out) {
    char name[128];
    alsa_use_cases *iterator = calloc(1, sizeof *iterator);
    if (!iterator) return -ENOMEM;
    snprintf(name, sizeof name, "hw:%u", card);
    int error = snd_use_case_mgr_open(&iterator->manager, name);
    if (error < 0) return free(iterator), error;
    error = everyday_verb(iterator->manager, iterator->verb);
    if (error >= 0) {
        snprintf(name, sizeof name, "_devices/%s", iterator->verb);
        error = iterator->count = snd_use_case_get_list(iterator->manager, name, &iterator->devices);
    }
    if (error < 0) return alsa_use_cases_close(iterator), error;
    *out = iterator;
    return 0;
}

int alsa_use_cases_next(alsa_use_cases *iterator, struct alsa_use_case *out) {
    static const char *const keys[VALUES] = {
        "PlaybackPCM", "CapturePCM", "JackControl", "PlaybackMixerElem", "CaptureMixerElem", "PlaybackVolume", "CaptureVolume"};
    free_values(iterator);
    const char *device = NULL, *comment = NULL;
    while (!device && iterator->position + 1 < iterator->count) {
        device = iterator->devices[iterator->position];
        comment = iterator->devices[iterator->position + 1];
        iterator->position += 2;
    }
    if (!device) return 0;
    char **values = iterator->values;
    for (int i = 0; i < VALUES; i++) values[i] = value(iterator, keys[i], device);
    *out = (struct alsa_use_case){
        .verb = iterator->verb,
        .device = device,
        .comment = comment ? comment : "",
        .playback_pcm = values[0],
        .capture_pcm = values[1],
        .jack = values[2],
        .playback_volume = values[3] ? values[3] : values[5],
        .capture_volume = values[4] ? values[4] : values[6],
    };
    return 1;
}

void alsa_use_cases_close(alsa_use_cases *iterator) {
    if (!iterator) return;
    free_values(iterator);
    if (iterator->count > 0) snd_use_case_free_list(iterator->devices, iterator->count);
    snd_use_case_mgr_close(iterator->manager);
    free(iterator);
}
