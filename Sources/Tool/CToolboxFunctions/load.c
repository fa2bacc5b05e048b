/* SPDX-License-Identifier: Apache-2.0 */
#include "CToolboxFunctions.h"

#include <dlfcn.h>
#include <string.h>

const struct toolbox_functions *toolbox_load(const char *path, const char **reason) {
    static struct toolbox_functions functions;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol;
    if (!library) {
        *reason = dlerror();
        return NULL;
    }
#define LOOK_UP(name) \
    if (!(symbol = dlsym(library, #name))) { \
        *reason = dlerror(); \
        return NULL; \
    } \
    memcpy(&functions.name, &symbol, sizeof symbol);
    TOOLBOX_FUNCTIONS(LOOK_UP)
    return &functions;
}

bool toolbox_is_missing(const char *path, const char *reason) {
    static const char text[] = ": cannot open shared object file: No such file";
    size_t length = strlen(path);
    return reason && strncmp(reason, path, length) == 0 && strncmp(reason + length, text, sizeof text - 1) == 0;
}
