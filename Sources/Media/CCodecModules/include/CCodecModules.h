/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CCODECMODULES_H
#define CCODECMODULES_H

#include "codec_module.h"

/* Loads the module of this name from the folder audiotoolbox/codecs beside the library, or from the folder that the environment
   variable AUDIOTOOLBOX_CODECS names. Returns NULL if there is none, and sets *reason to a text of the loader, valid on this
   thread until the next call. Modules are never unloaded. */
const struct codec_module *codec_module_load(const char *name, const char **reason);

#endif
