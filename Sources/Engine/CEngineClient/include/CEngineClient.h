/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the engine of libAudioSession for the companion library. */
#ifndef CENGINECLIENT_H
#define CENGINECLIENT_H

#include "CEngineTable.h"

/* Returns NULL when the process has no libAudioSession, or another version of it. Sets `*theirs` to its version, or to NULL. */
const struct audiosession_engine *engine_client_table(const char **theirs);

/* The version of this library. */
const char *engine_client_version(void);

#endif
