/* SPDX-License-Identifier: Apache-2.0 */
#include "CCodecModules.h"

#include "CLinux.h"

static const char other_version[] = "the module belongs to another version of libAudioToolbox, or its library cannot be used";

static void *entry_of(const char *name, const char *function, const char **reason) {
    return linux_module_function(name, "audiotoolbox/codecs", "AUDIOTOOLBOX_CODECS", function, reason);
}

const struct codec_module *codec_module_load(const char *name, const char **reason) {
    codec_module_entry *entry = (codec_module_entry *)entry_of(name, "audiotoolbox_codecs", reason);
    if (!entry) return NULL;
    const struct codec_module *module = entry(CODEC_INTERFACE_VERSION);
    if (module && module->version == CODEC_INTERFACE_VERSION) return module;
    *reason = other_version;
    return NULL;
}

const struct rate_module *rate_module_load(const char *name, const char **reason) {
    rate_module_entry *entry = (rate_module_entry *)entry_of(name, "audiotoolbox_rates", reason);
    if (!entry) return NULL;
    const struct rate_module *module = entry(RATE_INTERFACE_VERSION);
    if (module && module->version == RATE_INTERFACE_VERSION) return module;
    *reason = other_version;
    return NULL;
}
