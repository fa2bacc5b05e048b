/* SPDX-License-Identifier: Apache-2.0 */
#include "CServerModules.h"

#include "CLinux.h"

const struct server_module *server_module_load(const char *name, const char **reason) {
    server_module_entry *entry = (server_module_entry *)linux_module_function(
        name, "audiosession/servers", "AUDIOSESSION_SERVERS", "audiosession_server", reason);
    if (!entry) return NULL;
    const struct server_module *module = entry(SERVER_INTERFACE_VERSION);
    if (module && module->version == SERVER_INTERFACE_VERSION) return module;
    *reason = "the module belongs to another version of libAudioSession";
    return NULL;
}
