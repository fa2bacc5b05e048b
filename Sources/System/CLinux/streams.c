/* SPDX-License-Identifier: Apache-2.0 */
#include "CLinux.h"

#include <stdio.h>

void linux_write_stream(void *file, const void *text, size_t length) {
    FILE *stream = file ? (FILE *)file : stderr;
    /* A failure is ignored, because the text is only for debugging. */
    if (fwrite(text, 1, length, stream) == length) fflush(stream);
}
