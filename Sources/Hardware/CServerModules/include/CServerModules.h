/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CSERVERMODULES_H
#define CSERVERMODULES_H

#include "port_facts.h"
#include "server_module.h"

/* Loads the module of this name from the folder audiosession/servers beside the library, or from the folder that the environment
   variable AUDIOSESSION_SERVERS names. Returns NULL if there is none, and sets *reason to a text of the loader, valid on this
   thread until the next call. Modules are never unloaded. */
const struct server_module *server_module_load(const char *name, const char **reason);

#endif
