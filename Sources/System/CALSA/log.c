/* SPDX-License-Identifier: Apache-2.0 */
#include "CALSA.h"

#include <alsa/asoundlib.h>

static void say_nothing(const char *file, int line, const char *function, int error, const char *format, va_list arguments) {
    (void)file, (void)line, (void)function, (void)error, (void)format, (void)arguments;
}

void alsa_silence_this_thread(void) { snd_lib_error_set_local(say_nothing); }
