#include "CALSA.h"

#include <alsa/asoundlib.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* snd_config_update_r fills a tree of the caller's; the program's own is left alone. */
struct configuration {
    snd_config_t *top;
    snd_config_update_t *update;
};

int alsa_configuration_load(void **out) {
    struct configuration *configuration = calloc(1, sizeof *configuration);
    if (!configuration) return -ENOMEM;
    int error = snd_config_update_r(&configuration->top, &configuration->update, NULL);
    if (error < 0 || !configuration->top) {
        alsa_configuration_free(configuration);
        return error < 0 ? error : -ENOENT;
    }
    *out = configuration;
    return 0;
}

/* It is done when somebody looks for a definition, whichever; this one costs nothing. */
void alsa_configuration_finish(void *opaque) {
    struct configuration *configuration = opaque;
    snd_config_t *definition;
    if (snd_config_search_definition(configuration->top, "pcm", "null", &definition) >= 0) snd_config_delete(definition);
}

void alsa_configuration_free(void *opaque) {
    struct configuration *configuration = opaque;
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

struct walk {
    void (*visit)(const char *name, const char *value, void *context);
    void *context;
    char path[256];
};

/* Names longer than any of ours are cut, and then mean nothing. */
static void walk(snd_config_t *node, size_t length, int depth, struct walk *to) {
    enum { DEEPEST = 8 };
    if (snd_config_get_type(node) != SND_CONFIG_TYPE_COMPOUND) {
        char *value = NULL;
        if (snd_config_get_ascii(node, &value) < 0 || !value) return;
        to->visit(to->path, value, to->context);
        free(value);
        return;
    }
    snd_config_iterator_t at, next;
    snd_config_for_each(at, next, node) {
        snd_config_t *child = snd_config_iterator_entry(at);
        const char *id;
        if (depth == DEEPEST || snd_config_get_id(child, &id) < 0 || !id) continue;
        int added = snprintf(to->path + length, sizeof to->path - length, "%s%s", length ? "." : "", id);
        if (added >= 0 && (size_t)added < sizeof to->path - length) walk(child, length + (size_t)added, depth + 1, to);
        to->path[length] = '\0';
    }
}

int alsa_configuration_walk(
    void *opaque, const char *path, void (*visit)(const char *name, const char *value, void *context), void *context) {
    struct configuration *configuration = opaque;
    snd_config_t *node;
    int error = snd_config_search(configuration->top, path, &node);
    if (error < 0) return error == -ENOENT ? 0 : error;
    struct walk to = {.visit = visit, .context = context};
    walk(node, 0, 0, &to);
    return 0;
}

/* ---- what stands behind a name ---- */

/* As written, not expanded: expanding `default` reads the definitions of every kind of card there is. What
   a function would have to find out is no sound server's plug-in. */
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
        if (snd_config_search(definition, within[i], &node) >= 0 && type_behind(top, node, depth + 1, type, size) >= 0)
            return 0;
    int error = snd_config_search(definition, "type", &node);
    if (error >= 0) error = snd_config_get_string(node, &text);
    if (error < 0) return error;
    snprintf(type, size, "%s", text);
    return 0;
}

int alsa_configuration_pcm_type(void *opaque, const char *name, char *type, size_t size) {
    struct configuration *configuration = opaque;
    char path[128];
    snd_config_t *definition;
    snprintf(path, sizeof path, "pcm.%s", name);
    int error = snd_config_search(configuration->top, path, &definition);
    return error < 0 ? error : type_behind(configuration->top, definition, 0, type, size);
}
