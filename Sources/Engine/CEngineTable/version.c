/* SPDX-License-Identifier: Apache-2.0 */
#include "CEngineTable.h"

/* The version is embedded from the file VERSION, so that it is stated in one place only. */
#pragma clang diagnostic ignored "-Wc23-extensions"
static const char version[] = {
#embed "../../../VERSION"
    , 0};

const char *project_version(void) { return version; }
