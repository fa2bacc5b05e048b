/* SPDX-License-Identifier: Apache-2.0 */
#include "CALSA.h"

#include <alsa/asoundlib.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* snd_config_update_r fills a tree that belongs to the caller. The tree of the program is not changed. */
struct alsa_configuration {
    snd_config_t *top;
    snd_config_update_t *update;
};

int alsa_configuration_load(alsa_configuration **out) {
    alsa_configuration *configuration = calloc(1, sizeof *configuration);
    if (!configuration) return -ENOMEM;
    int error = snd_config_update_r(&configuration->top, &configuration->update, NULL);
    if (error < 0 || !configuration->top) {
        alsa_configuration_free(configuration);
        return error < 0 ? error : -ENOENT;
    }
    *out = configuration;
    return 0;
}

/* libasound evaluates the hooks when it searches a definition. The definition of "null" is the smallest one. */
void alsa_configuration_finish(alsa_configuration *configuration) {
    snd_config_t *definition;
    if (snd_config_search_definition(configuration->top, "pcm", "null", &definition) >= 0) snd_config_delete(definition);
}

void alsa_configuration_free(alsa_configuration *configuration) {
    if (!configuration) return;
    if (configuration->update) snd_config_update_free(configuration->update);
    if (configuration->top) snd_config_delete(configuration->top);
    free(configuration);
}

const char *alsa_data_folder(void) {
    const char *folder = snd_config_topdir();
    return folder ? folder : "";
}

/* ---- settings ---- */

enum { DEEPEST_SETTING = 8 };

/* An iteration over the tree: the nodes on the path to the current one, and the length of the name up to each node. */
struct alsa_settings {
    struct {
        snd_config_iterator_t at, end;
        size_t name_length;
    } levels[DEEPEST_SETTING];
    int depth;
    char name[256];
    char *value;
};

static void enter(alsa_settings *iterator, snd_config_t *node, size_t name_length) {
    iterator->levels[iterator->depth].at = snd_config_iterator_first(node);
    iterator->levels[iterator->depth].end = snd_config_iterator_end(node);
    iterator->levels[iterator->depth].name_length = name_length;
    iterator->depth++;
}

int alsa_configuration_settings(alsa_configuration *configuration, const char *path, alsa_settings **out) {
    snd_config_t *node;
    alsa_settings *iterator = calloc(1, sizeof *iterator);
    if (!iterator) return -ENOMEM;
    int error = snd_config_search(configuration->top, path, &node);
    if (error < 0 && error != -ENOENT) return alsa_settings_close(iterator), error;
    if (error >= 0 && snd_config_get_type(node) == SND_CONFIG_TYPE_COMPOUND) enter(iterator, node, 0);
    *out = iterator;
    return 0;
}

/* The next node in the order of the tree; NULL at the end. Sets the name and its length. */
static snd_config_t *next_node(alsa_settings *iterator, size_t *length) {
    while (iterator->depth > 0) {
        __typeof__(*iterator->levels) *level = &iterator->levels[iterator->depth - 1];
        if (level->at == level->end) {
            iterator->depth--;
            continue;
        }
        snd_config_t *node = snd_config_iterator_entry(level->at);
        const char *id;
        level->at = snd_config_iterator_next(level->at);
        if (snd_config_get_id(node, &id) < 0 || !id) continue;
        size_t room = sizeof iterator->name - level->name_length;
        int added = snprintf(iterator->name + level->name_length, room, "%s%s", level->name_length ? "." : "", id);
        if (added < 0 || (size_t)added >= room) continue; /* no setting of this library has such a long name */
        *length = level->name_length + (size_t)added;
        return node;
    }
    return NULL;
}

int alsa_settings_next(alsa_settings *iterator, const char **name, const char **value) {
    size_t length;
    snd_config_t *node;
    while ((node = next_node(iterator, &length))) {
        if (snd_config_get_type(node) == SND_CONFIG_TYPE_COMPOUND) {
            if (iterator->depth < DEEPEST_SETTING) enter(iterator, node, length);
            continue;
        }
        free(iterator->value);
        iterator->value = NULL;
        if (snd_config_get_ascii(node, &iterator->value) < 0 || !iterator->value) continue;
        *name = iterator->name;
        *value = iterator->value;
        return 1;
    }
    return 0;
}

void alsa_settings_close(alsa_settings *iterator) {
    if (!iterator) return;
    free(iterator->value);
    free(iterator);
}

/* ---- the plug-in of a name ---- */

/* Reads the definitions as they are written. Expanding `default` would read the definitions of all kinds of
   cards. A definition that has to be evaluated by a function is not the plug-in of a sound server. */
static int type_behind(snd_config_t *top, snd_config_t *definition, int depth, char *type, size_t size) {
    enum { DEEPEST = 16 };
    static const char *const within[] = {"slave.pcm", "slave", "playback.pcm", "capture.pcm"};
    const char *text;
    char path[128];
    snd_config_t *node;
    if (depth == DEEPEST) return -ELOOP;
    if (snd_config_get_string(definition, &text) >= 0 && text) {
        snprintf(path, sizeof path, "pcm.%.*s", (int)strcspn(text, ":"), text);
        int error = snd_config_search(top, path, &node);
        return error < 0 ? error : type_behind(top, node, depth + 1, type, size);
    }
    for (size_t i = 0; i < sizeof within / sizeof *within; i++)
        if (snd_config_search(definition, within[i], &node) >= 0 && type_behind(top, node, depth + 1, type, size) >= 0) return 0;
    int error = snd_config_search(definition, "type", &node);
    if (error >= 0) error = snd_config_get_string(node, &text);
    if (error < 0) return error;
    snprintf(type, size, "%s", text);
    return 0;
}

int alsa_configuration_pcm_type(alsa_configuration *configuration, const char *name, char *type, size_t size) {
    char path[128];
    snd_config_t *definition;
    snprintf(path, sizeof path, "pcm.%s", name);
    int error = snd_config_search(configuration->top, path, &definition);
    return error < 0 ? error : type_behind(configuration->top, definition, 0, type, size);
}
