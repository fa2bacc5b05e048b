/* SPDX-License-Identifier: Apache-2.0 */
/* An ALSA configuration for devices of the kernel, without the hundreds of definitions of the installed configuration. */
#ifndef CALSA_DIRECT_H
#define CALSA_DIRECT_H

#include <alsa/asoundlib.h>

/* The devices of the kernel by number: "kernel:CARD" and "kernel:CARD,DEVICE". */
int direct_configuration(snd_config_t **out);
int configuration_of_text(const char *text, snd_config_t **out);

#endif
