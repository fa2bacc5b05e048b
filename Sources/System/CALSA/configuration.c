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

/* ---- the configuration without the user's files ---- */

/* An entry of a hook's list of files: a name, or a function that computes a name from the environment. */
static bool is_users(snd_config_t *entry) {
    snd_config_iterator_t at, next;
    const char *text;
    if (snd_config_get_string(entry, &text) >= 0) return text && (text[0] == '~' || !strcmp(text, "getenv"));
    if (snd_config_get_type(entry) != SND_CONFIG_TYPE_COMPOUND) return false;
    snd_config_for_each(at, next, entry) if (is_users(snd_config_iterator_entry(at))) return true;
    return false;
}

/* An empty file takes the place of each file of the user: a hook stops at a gap in the numbers of its list. */
static int empty_users_files(snd_config_t *files) {
    snd_config_iterator_t at, next;
    snd_config_for_each(at, next, files) {
        snd_config_t *entry = snd_config_iterator_entry(at), *empty;
        const char *id;
        if (!is_users(entry)) continue;
        int error = snd_config_get_id(entry, &id);
        if (error >= 0) error = snd_config_imake_string(&empty, id, "/dev/null");
        if (error >= 0) error = snd_config_substitute(entry, empty);
        if (error < 0) return error;
    }
    return 0;
}

static int empty_files_of_hooks(snd_config_t *top) {
    snd_config_iterator_t at, next;
    snd_config_t *hooks, *files;
    if (snd_config_search(top, "@hooks", &hooks) < 0) return 0;
    snd_config_for_each(at, next, hooks) {
        if (snd_config_search(snd_config_iterator_entry(at), "files", &files) < 0) continue;
        int error = empty_users_files(files);
        if (error < 0) return error;
    }
    return 0;
}

/* Evaluates no hook. A file that cannot be opened is skipped, as libasound does. */
static int read_file(snd_config_t *top, const char *name) {
    snd_input_t *input;
    if (snd_input_stdio_open(&input, name, "r") < 0) return 0;
    int error = snd_config_load(top, input);
    snd_input_close(input);
    return error;
}

/* The files that libasound reads first. */
static int read_first_files(snd_config_t *top) {
    const char *list = getenv("ALSA_CONFIG_PATH");
    char name[4096];
    if (!list || !*list) {
        snprintf(name, sizeof name, "%s/alsa.conf", alsa_data_folder());
        return read_file(top, name);
    }
    for (size_t length; (length = strcspn(list, ": ")) > 0; list += length + (list[length] != '\0')) {
        if (list[0] == '~' || length >= sizeof name) continue;
        memcpy(name, list, length);
        name[length] = '\0';
        int error = read_file(top, name);
        if (error < 0) return error;
    }
    return 0;
}

int alsa_configuration_load_system(alsa_configuration **out) {
    alsa_configuration *configuration = calloc(1, sizeof *configuration);
    if (!configuration) return -ENOMEM;
    int error = snd_config_top(&configuration->top);
    if (error >= 0) error = read_first_files(configuration->top);
    if (error >= 0) error = empty_files_of_hooks(configuration->top);
    if (error < 0) return alsa_configuration_free(configuration), error;
    /* Evaluates the hooks of these files. The hooks of the files that they load stay, as after alsa_configuration_load. */
    alsa_configuration_finish(configuration);
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
static int type_behind(snd_config_t *top, const char *kind, snd_config_t *definition, int depth, char *type, size_t size) {
    enum { DEEPEST = 16 };
    static const char *const within[] = {"slave.pcm", "slave", "playback.pcm", "capture.pcm"};
    const char *text;
    char path[128];
    snd_config_t *node;
    if (depth == DEEPEST) return -ELOOP;
    /* The plug-in of this library is returned itself: its environment decides what it plays to. */
    if (snd_config_search(definition, "type", &node) >= 0 && snd_config_get_string(node, &text) >= 0 && text &&
        !strcmp(text, "audiosession"))
        return snprintf(type, size, "%s", text), 0;
    if (snd_config_get_string(definition, &text) >= 0 && text) {
        snprintf(path, sizeof path, "%s.%.*s", kind, (int)strcspn(text, ":"), text);
        int error = snd_config_search(top, path, &node);
        return error < 0 ? error : type_behind(top, kind, node, depth + 1, type, size);
    }
    for (size_t i = 0; i < sizeof within / sizeof *within; i++)
        if (snd_config_search(definition, within[i], &node) >= 0 && type_behind(top, kind, node, depth + 1, type, size) >= 0)
            return 0;
    int error = snd_config_search(definition, "type", &node);
    if (error >= 0) error = snd_config_get_string(node, &text);
    if (error < 0) return error;
    snprintf(type, size, "%s", text);
    return 0;
}

int alsa_configuration_type(alsa_configuration *configuration, const char *kind, const char *name, char *type, size_t size) {
    char path[128];
    snd_config_t *definition;
    snprintf(path, sizeof path, "%s.%.*s", kind, (int)strcspn(name, ":"), name);
    int error = snd_config_search(configuration->top, path, &definition);
    return error < 0 ? error : type_behind(configuration->top, kind, definition, 0, type, size);
}
