/* SPDX-License-Identifier: Apache-2.0 */
#include "CVoiceModules.h"

#ifdef CONTAINS_VOICE_MODULE
#include <stddef.h>

const struct voice_module *voice_module_load(const char **reason) {
    *reason = NULL;
    return audiotoolbox_voice(VOICE_INTERFACE_VERSION);
}
#else
#include "CLinux.h"

const struct voice_module *voice_module_load(const char **reason) {
    voice_module_entry *entry = (voice_module_entry *)linux_module_function(
        "speexdsp", "audiotoolbox/voice", "AUDIOTOOLBOX_VOICE", "audiotoolbox_voice", reason);
    if (!entry) return NULL;
    const struct voice_module *module = entry(VOICE_INTERFACE_VERSION);
    if (module && module->version == VOICE_INTERFACE_VERSION) return module;
    *reason = "the module belongs to another version of libAudioToolbox";
    return NULL;
}
#endif
