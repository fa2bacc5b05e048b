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
