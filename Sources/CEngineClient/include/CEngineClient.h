/* SPDX-License-Identifier: Apache-2.0 */
/* The engine of libAudioSession, as the companion library finds it. */
#ifndef CENGINECLIENT_H
#define CENGINECLIENT_H

#include "../../CEngineInterface/include/CEngineInterface.h"

/* NULL when the process has no libAudioSession, or one of another version. `*theirs` is its version, NULL without one. */
const struct audiosession_engine *engine_client_table(const char **theirs);

/* The version of this library. */
const char *engine_client_version(void);

#endif
