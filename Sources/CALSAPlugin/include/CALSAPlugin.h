/* What the ALSA plug-in's entry, which libasound calls, asks of the Swift side. Functions that can fail
   return -errno. */
#ifndef CALSAPLUGIN_H
#define CALSAPLUGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "CAudioStreams.h"

/* ---- the configuration of a PCM ---- */
void *audiosession_pcm_choices(void);
/* NULL when taken, else what is wrong with it: valid until the choices are opened or dropped. */
const char *audiosession_pcm_choose(void *choices, const char *key, const char *value);
/* The environment stands above the configuration. */
const char *audiosession_pcm_choose_from_environment(void *choices);
void audiosession_pcm_drop_choices(void *choices);

/* ---- a stream ---- */
/* Takes the choices. */
int audiosession_pcm_open(void *choices, bool capture, void **stream);
struct stream_ring *audiosession_pcm_ring(void *stream);
int audiosession_pcm_configure(void *stream, int32_t sample, uint32_t channels, uint32_t rate, uint64_t period, uint64_t buffer);
int audiosession_pcm_prepare(void *stream);
int audiosession_pcm_start(void *stream);
int audiosession_pcm_pause(void *stream, bool on);
int audiosession_pcm_drain(void *stream); /* does not wait */
void audiosession_pcm_stop(void *stream);
void audiosession_pcm_release(void *stream);
void audiosession_pcm_close(void *stream);

#endif
