/* SPDX-License-Identifier: Apache-2.0 */
/* A library of another version, in the place of libAudioSession. */
#include <stddef.h>

const void *audiosession_engine(const char *version, const char **own);
const void *audiosession_engine(const char *version, const char **own) {
    (void)version;
    *own = "9.8.7\n";
    return NULL;
}
