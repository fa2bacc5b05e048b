/* SPDX-License-Identifier: Apache-2.0 */
#include "CCodecModules.h"

#include "CLinux.h"

const struct codec_module *codec_module_load(const char *name, const char **reason) {
    codec_module_entry *entry = (codec_module_entry *)linux_module_function(
        name, "audiotoolbox/codecs", "AUDIOTOOLBOX_CODECS", "audiotoolbox_codecs", reason);
    if (!entry) return NULL;
    const struct codec_module *module = entry(CODEC_INTERFACE_VERSION);
    if (module && module->version == CODEC_INTERFACE_VERSION) return module;
    *reason = "the module belongs to another version of libAudioToolbox, or its library cannot be used";
    return NULL;
}
