/* SPDX-License-Identifier: Apache-2.0 */
#include "CVersion.h"

/* The file itself, so that no second place can say otherwise. */
#pragma clang diagnostic ignored "-Wc23-extensions"
static const char version[] = {
#embed "../../VERSION"
    , 0};

const char *project_version(void) { return version; }
