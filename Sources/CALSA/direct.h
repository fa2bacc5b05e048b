/* Kernel devices by number, without the hundreds of definitions of ALSA's configuration. */
#ifndef CALSA_DIRECT_H
#define CALSA_DIRECT_H

#include <alsa/asoundlib.h>

int direct_configuration(snd_config_t **out);

#endif
