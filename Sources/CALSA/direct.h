/* SPDX-License-Identifier: Apache-2.0 */
/* Devices without the hundreds of definitions of ALSA's configuration. */
#ifndef CALSA_DIRECT_H
#define CALSA_DIRECT_H

#include <alsa/asoundlib.h>

/* The devices of the kernel by number: "kernel:CARD" and "kernel:CARD,DEVICE". */
int direct_configuration(snd_config_t **out);
int configuration_of_text(const char *text, snd_config_t **out);

#endif
