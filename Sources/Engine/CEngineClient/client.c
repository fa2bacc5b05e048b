/* SPDX-License-Identifier: Apache-2.0 */
#include "CEngineClient.h"

/* Weak: tests link without the library. */
extern __typeof__(audiosession_engine) audiosession_engine __attribute__((weak));

const struct audiosession_engine *engine_client_table(const char **theirs) {
    *theirs = NULL;
    return audiosession_engine ? audiosession_engine(project_version(), theirs) : NULL;
}

const char *engine_client_version(void) { return project_version(); }
