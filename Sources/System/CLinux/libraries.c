/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CLinux.h"
#include "fork_gate.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void *linux_symbol(const char *name) { return dlsym(RTLD_DEFAULT, name); }

const char *linux_loadable_library(const char *name) {
    static _Thread_local char path[PATH_MAX];
    /* It stays: the runtime of Swift knows the types of a library that it has seen, also after the library has gone. */
    void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    struct link_map *map;
    if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) return NULL;
    return realpath(map->l_name, path) ? path : map->l_name;
}

/* Loading the Swift runtime installs handlers for crash signals. The handlers of the program are restored. */
enum { FIRST_SIGNAL = 3, LAST_SIGNAL = 11 };

bool linux_load_library(const char *name, const char *folder) {
    char path[256];
    void *handle = dlopen(name, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    if (handle) return true;
    /* The loader expands $ORIGIN to the folder of the caller. A runpath is not used, because the loader would also search it for
       the other libraries of the program. */
    int length = snprintf(path, sizeof path, "$ORIGIN/%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof path) return false;
    struct sigaction saved[LAST_SIGNAL + 1];
    for (int s = FIRST_SIGNAL; s <= LAST_SIGNAL; s++) sigaction(s, NULL, &saved[s]);
    handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!handle) handle = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
    for (int s = FIRST_SIGNAL; s <= LAST_SIGNAL; s++) sigaction(s, &saved[s], NULL);
    return handle != NULL;
}

static int read_count(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    *(uint64_t *)context = info->dlpi_adds;
    return 1;
}

uint64_t linux_libraries_added(void) {
    uint64_t count = 0;
    /* fork() would copy the locked lock of this call to a child. */
    fork_gate_enter();
    dl_iterate_phdr(read_count, &count);
    fork_gate_leave();
    return count;
}

static pthread_t main_thread;
static bool knows_main_thread;

__attribute__((constructor)) static void remember_main_thread(void) {
    if (syscall(SYS_gettid) != getpid()) return;
    main_thread = pthread_self();
    knows_main_thread = true;
}

void linux_correct_main_thread(const char *symbol) {
    pthread_t *taken_for_main = dlsym(RTLD_DEFAULT, symbol);
    if (taken_for_main && knows_main_thread) *taken_for_main = main_thread;
}

/* Empty where the modules are beside the object that contains this file. */
static char folder_of_modules[4096];

void linux_set_module_folder(const char *folder) {
    int length = snprintf(folder_of_modules, sizeof folder_of_modules, "%s", folder);
    if ((size_t)length >= sizeof folder_of_modules) folder_of_modules[0] = 0;
}

/* The folder of the object that contains this file, not terminated. $ORIGIN of the loader is not used, because it is the folder
   of the caller of dlopen: with a sanitizer, that is the sanitizer's library. */
static const char *folder_of_library(int *length) {
    static const char origin[] = "$ORIGIN";
    if (folder_of_modules[0]) {
        *length = (int)strlen(folder_of_modules);
        return folder_of_modules;
    }
    Dl_info info;
    const char *end = NULL;
    if (dladdr((const void *)&origin, &info) && info.dli_fname) end = strrchr(info.dli_fname, '/');
    *length = end ? (int)(end - info.dli_fname) : (int)strlen(origin);
    return end ? info.dli_fname : origin;
}

/* Opens FOLDER/SUBFOLDER/NAME.so, where FOLDER has this length. SUBFOLDER can be "". */
static void *open_module(const char *folder, int length, const char *subfolder, const char *name, const char **reason) {
    char path[4096];
    const char *slash = *subfolder ? "/" : "";
    int size = snprintf(path, sizeof path, "%.*s/%s%s%s.so", length, folder, subfolder, slash, name);
    *reason = "the name of the folder is too long";
    if (size < 0 || (size_t)size >= sizeof path) return NULL;
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    *reason = module ? NULL : dlerror();
    return module;
}

#ifdef EMBEDDED_SWIFT
/* The library is installed, and its modules beside it. */
static void *open_installed_module(const char *subfolder, const char *name, const char **reason) {
    (void)subfolder, (void)name, (void)reason;
    return NULL;
}
#else
/* Where packages and `make install` put the library: the first two on Debian, the third on other systems. */
#if defined(__aarch64__)
#define PACKAGE_FOLDER "/usr/lib/aarch64-linux-gnu"
#else
#define PACKAGE_FOLDER "/usr/lib/x86_64-linux-gnu"
#endif
static const char *const install_folders[] = {"/usr/local/lib", PACKAGE_FOLDER, "/usr/lib64"};

/* The engine is a part of the program, which has no modules beside it: those of an installed library fit. */
static void *open_installed_module(const char *subfolder, const char *name, const char **reason) {
    for (size_t i = 0; i < sizeof install_folders / sizeof *install_folders; i++) {
        const char *folder = install_folders[i];
        char path[256];
        int size = snprintf(path, sizeof path, "%s/%s/%s.so", folder, subfolder, name);
        if (size < 0 || (size_t)size >= sizeof path || access(path, F_OK) != 0) continue;
        return open_module(folder, (int)strlen(folder), subfolder, name, reason);
    }
    return NULL;
}
#endif

void *linux_module_function(
    const char *name, const char *folder, const char *variable, const char *function, const char **reason) {
    /* In a program with the rights of another user, secure_getenv ignores the variable. */
    const char *chosen = secure_getenv(variable);
    void *library;
    if (chosen) {
        library = open_module(chosen, (int)strlen(chosen), "", name, reason);
    } else {
        int length;
        const char *own = folder_of_library(&length);
        library = open_module(own, length, folder, name, reason);
        if (!library) library = open_installed_module(folder, name, reason);
    }
    if (!library) return NULL;
    void *found = dlsym(library, function);
    if (!found) *reason = dlerror();
    return found;
}
