/* SPDX-License-Identifier: Apache-2.0 */
/* RTLD_DEFAULT */
#define _GNU_SOURCE
#include "LoadedToolbox.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct loaded_toolbox toolbox;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The functions that the process has. Those of the program come first, as for a library that is linked. Returns the name of one that
   is missing, or NULL. */
static const char *lookUp(void) {
#define LOADED_NAME(name) #name,
    static const char *const names[] = {LOADED_FUNCTIONS(LOADED_NAME)};
    struct loaded_toolbox found;
    _Static_assert(sizeof found == sizeof names, "each function has a name");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *function = dlsym(RTLD_DEFAULT, names[i]);
        if (!function) return names[i];
        memcpy((char *)&found + i * sizeof function, &function, sizeof function);
    }
    toolbox = found;
    return NULL;
}

static bool loadLocked(char *reason, size_t size) {
    char detail[256];
    if (!lookUp()) return true;
    /* The loader looks beside this library first. */
    if (dlopen(AUDIOTOOLBOX_SONAME, RTLD_NOW | RTLD_GLOBAL)) {
        const char *missing = lookUp();
        if (!missing) return true;
        snprintf(detail, sizeof detail, AUDIOTOOLBOX_SONAME " has no %s", missing);
    } else {
        const char *text = dlerror();
        snprintf(detail, sizeof detail, "%s", text ? text : AUDIOTOOLBOX_SONAME " cannot be loaded");
    }
    snprintf(reason, size, "AVAudioPlayer and AVAudioRecorder need libAudioToolbox: install libaudiotoolbox0 %.*s (%s)",
        (int)strcspn(AUDIOSESSION_VERSION, "\n"), AUDIOSESSION_VERSION, detail);
    return false;
}

bool load_toolbox(char *reason, size_t size) {
    static bool isLoaded;
    if (__atomic_load_n(&isLoaded, __ATOMIC_ACQUIRE)) return true;
    pthread_mutex_lock(&lock);
    bool isComplete = isLoaded || loadLocked(reason, size);
    __atomic_store_n(&isLoaded, isComplete, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
    return isComplete;
}
