/* SPDX-License-Identifier: Apache-2.0 */
/* The C half of a program whose other half is Swift: calls the legacy API as old code does. */
#ifndef CHALF_H
#define CHALF_H

#include <stdint.h>

/* Each returns the API's result. */
int32_t c_initialize(void);
int32_t c_set_active(int active);
int32_t c_set(uint32_t property, uint32_t value);
int32_t c_get(uint32_t property, uint32_t *value);
int32_t c_get_float(uint32_t property, float *value);
int32_t c_listen(uint32_t property);
int32_t c_simulate(const char *command);

/* Opens the ALSA device audiosession, plays into it, and pauses until c_stop. Returns ALSA's result. */
int32_t c_play(void);
void c_stop(void);

/* The events since the last call, or an empty text. */
const char *c_received(void);

#endif
