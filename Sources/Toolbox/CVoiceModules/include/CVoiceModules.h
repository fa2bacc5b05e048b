/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CVOICEMODULES_H
#define CVOICEMODULES_H

#include "voice_module.h"

/* The module of the voice processing. libAudioToolbox loads it from the folder audiotoolbox/voice beside the library, or from the
   folder that the environment variable AUDIOTOOLBOX_VOICE names, and never unloads it. Returns NULL if there is none, and sets
   *reason to a text of the loader, valid on this thread until the next call. In a program of the Swift package, the module is a
   part of the program, by the trait VoiceModule. */
const struct voice_module *voice_module_load(const char **reason);

#endif
