/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CCodecModules.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char other_version[] = "the module belongs to another version of libAudioToolbox, or its library cannot be used";

/* The folder of the object that contains this file, not terminated. $ORIGIN of the loader is not used, because it is the folder
   of the caller of dlopen: with a sanitizer, that is the sanitizer's library. */
static const char *folder_of_library(int *length) {
    static const char origin[] = "$ORIGIN";
    Dl_info info;
    const char *end = NULL;
    if (dladdr((const void *)&origin, &info) && info.dli_fname) end = strrchr(info.dli_fname, '/');
    *length = end ? (int)(end - info.dli_fname) : (int)strlen(origin);
    return end ? info.dli_fname : origin;
}

/* A function of a module that is loaded. */
static void *entry_of(const char *name, const char *function, void **library, const char **reason) {
    char path[4096];
    /* In a program with the rights of another user, secure_getenv ignores the variable. */
    const char *folder = secure_getenv("AUDIOTOOLBOX_CODECS");
    int length;
    if (folder) {
        length = snprintf(path, sizeof path, "%s/%s.so", folder, name);
    } else {
        folder = folder_of_library(&length);
        length = snprintf(path, sizeof path, "%.*s/audiotoolbox/codecs/%s.so", length, folder, name);
    }
    *reason = "the name of the folder is too long";
    if (length < 0 || (size_t)length >= sizeof path) return NULL;
    *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*library) {
        *reason = dlerror();
        return NULL;
    }
    void *entry = dlsym(*library, function);
    *reason = other_version;
    if (!entry) dlclose(*library);
    return entry;
}

const struct codec_module *codec_module_load(const char *name, const char **reason) {
    void *library;
    codec_module_entry *entry = (codec_module_entry *)entry_of(name, "audiotoolbox_codecs", &library, reason);
    const struct codec_module *module = entry ? entry(CODEC_INTERFACE_VERSION) : NULL;
    if (module && module->version == CODEC_INTERFACE_VERSION) return module;
    if (entry) dlclose(library);
    return NULL;
}

const struct rate_module *rate_module_load(const char *name, const char **reason) {
    void *library;
    rate_module_entry *entry = (rate_module_entry *)entry_of(name, "audiotoolbox_rates", &library, reason);
    const struct rate_module *module = entry ? entry(RATE_INTERFACE_VERSION) : NULL;
    if (module && module->version == RATE_INTERFACE_VERSION) return module;
    if (entry) dlclose(library);
    return NULL;
}
