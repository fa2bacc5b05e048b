/* SPDX-License-Identifier: Apache-2.0 */
#include "CEngineInterface.h"

#include <string.h>

#define FUNCTION(type, name, parameters) .name = audiosession_##name,
static const struct audiosession_engine engine = {AUDIOSESSION_ENGINE_FUNCTIONS(FUNCTION)};

const struct audiosession_engine *audiosession_engine(const char *version, const char **own) {
    if (own) *own = project_version();
    return version && strcmp(version, project_version()) == 0 ? &engine : NULL;
}
