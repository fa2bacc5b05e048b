/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of libasound that a plan can make fail, with a negative number: see wrap.h. */
#include "wrap.h"

#include <errno.h>
#include <stdlib.h>
#include <poll.h>
#include <alsa/asoundlib.h>
#include <alsa/pcm_ioplug.h>
#include <alsa/use-case.h>

#define WRAP(type, name, parameters, arguments) WRAPPED(type, name, FAULT_OPENING, -errno, parameters, arguments)

WRAP(int, snd_config_top, (snd_config_t * *config), (config))
WRAP(int, snd_config_load, (snd_config_t * config, snd_input_t *in), (config, in))
WRAP(int, snd_config_update_r, (snd_config_t * *top, snd_config_update_t **update, const char *path), (top, update, path))
WRAP(int, snd_config_search, (snd_config_t * config, const char *key, snd_config_t **result), (config, key, result))
WRAP(int, snd_config_search_definition, (snd_config_t * config, const char *base, const char *key, snd_config_t **result),
    (config, base, key, result))
WRAP(int, snd_config_get_id, (const snd_config_t *config, const char **value), (config, value))
WRAP(int, snd_config_get_ascii, (const snd_config_t *config, char **value), (config, value))
WRAP(int, snd_config_get_string, (const snd_config_t *config, const char **value), (config, value))
WRAP(int, snd_input_buffer_open, (snd_input_t * *inputp, const char *buffer, ssize_t size), (inputp, buffer, size))
WRAP(int, snd_ctl_open_lconf, (snd_ctl_t * *ctl, const char *name, int mode, snd_config_t *lconf), (ctl, name, mode, lconf))
WRAP(int, snd_ctl_poll_descriptors, (snd_ctl_t * ctl, struct pollfd *pfds, unsigned int space), (ctl, pfds, space))
WRAP(int, snd_ctl_subscribe_events, (snd_ctl_t * ctl, int subscribe), (ctl, subscribe))
WRAP(int, snd_ctl_card_info, (snd_ctl_t * ctl, snd_ctl_card_info_t *info), (ctl, info))
WRAP(int, snd_ctl_pcm_next_device, (snd_ctl_t * ctl, int *device), (ctl, device))
WRAP(int, snd_ctl_pcm_info, (snd_ctl_t * ctl, snd_pcm_info_t *info), (ctl, info))
WRAP(int, snd_ctl_elem_list, (snd_ctl_t * ctl, snd_ctl_elem_list_t *list), (ctl, list))
WRAP(int, snd_ctl_elem_list_malloc, (snd_ctl_elem_list_t * *list), (list))
WRAP(int, snd_ctl_elem_list_alloc_space, (snd_ctl_elem_list_t * obj, unsigned int entries), (obj, entries))
WRAP(int, snd_ctl_elem_info, (snd_ctl_t * ctl, snd_ctl_elem_info_t *info), (ctl, info))
WRAP(int, snd_ctl_elem_read, (snd_ctl_t * ctl, snd_ctl_elem_value_t *data), (ctl, data))
WRAP(int, snd_ctl_elem_write, (snd_ctl_t * ctl, snd_ctl_elem_value_t *data), (ctl, data))
WRAP(int, snd_ctl_read, (snd_ctl_t * ctl, snd_ctl_event_t *event), (ctl, event))
WRAP(int, snd_pcm_open_lconf, (snd_pcm_t * *pcm, const char *name, snd_pcm_stream_t stream, int mode, snd_config_t *lconf),
    (pcm, name, stream, mode, lconf))
WRAP(int, snd_pcm_hw_params_any, (snd_pcm_t * pcm, snd_pcm_hw_params_t *params), (pcm, params))
WRAP(int, snd_pcm_hw_params_set_channels_near, (snd_pcm_t * pcm, snd_pcm_hw_params_t *params, unsigned int *val),
    (pcm, params, val))
WRAP(int, snd_pcm_hw_params_set_rate_near, (snd_pcm_t * pcm, snd_pcm_hw_params_t *params, unsigned int *val, int *dir),
    (pcm, params, val, dir))
WRAP(int, snd_pcm_hw_params_set_period_size_near,
    (snd_pcm_t * pcm, snd_pcm_hw_params_t *params, snd_pcm_uframes_t *val, int *dir), (pcm, params, val, dir))
WRAP(int, snd_pcm_hw_params_set_buffer_size_near, (snd_pcm_t * pcm, snd_pcm_hw_params_t *params, snd_pcm_uframes_t *val),
    (pcm, params, val))
WRAP(int, snd_pcm_open, (snd_pcm_t * *pcm, const char *name, snd_pcm_stream_t stream, int mode), (pcm, name, stream, mode))
WRAP(int, snd_pcm_hw_params, (snd_pcm_t * pcm, snd_pcm_hw_params_t *params), (pcm, params))
WRAP(int, snd_pcm_hw_params_set_channels, (snd_pcm_t * pcm, snd_pcm_hw_params_t *params, unsigned int val), (pcm, params, val))
WRAP(int, snd_pcm_hw_params_set_rate, (snd_pcm_t * pcm, snd_pcm_hw_params_t *params, unsigned int val, int dir),
    (pcm, params, val, dir))
WRAP(int, snd_pcm_sw_params_current, (snd_pcm_t * pcm, snd_pcm_sw_params_t *params), (pcm, params))
WRAP(int, snd_pcm_sw_params, (snd_pcm_t * pcm, snd_pcm_sw_params_t *params), (pcm, params))
WRAP(int, snd_pcm_prepare, (snd_pcm_t * pcm), (pcm))
WRAP(int, snd_pcm_start, (snd_pcm_t * pcm), (pcm))
WRAP(snd_pcm_sframes_t, snd_pcm_rewind, (snd_pcm_t * pcm, snd_pcm_uframes_t frames), (pcm, frames))
WRAP(int, snd_pcm_drop, (snd_pcm_t * pcm), (pcm))
WRAP(int, snd_pcm_delay, (snd_pcm_t * pcm, snd_pcm_sframes_t *delayp), (pcm, delayp))
WRAP(snd_pcm_sframes_t, snd_pcm_avail_update, (snd_pcm_t * pcm), (pcm))
WRAP(int, snd_pcm_avail_delay, (snd_pcm_t * pcm, snd_pcm_sframes_t *availp, snd_pcm_sframes_t *delayp), (pcm, availp, delayp))
WRAP(int, snd_pcm_mmap_begin,
    (snd_pcm_t * pcm, const snd_pcm_channel_area_t **areas, snd_pcm_uframes_t *offset, snd_pcm_uframes_t *frames),
    (pcm, areas, offset, frames))
WRAP(snd_pcm_sframes_t, snd_pcm_mmap_commit, (snd_pcm_t * pcm, snd_pcm_uframes_t offset, snd_pcm_uframes_t frames),
    (pcm, offset, frames))
WRAP(snd_pcm_sframes_t, snd_pcm_readi, (snd_pcm_t * pcm, void *buffer, snd_pcm_uframes_t size), (pcm, buffer, size))
WRAP(snd_pcm_sframes_t, snd_pcm_writei, (snd_pcm_t * pcm, const void *buffer, snd_pcm_uframes_t size), (pcm, buffer, size))
WRAP(int, snd_pcm_ioplug_create, (snd_pcm_ioplug_t * io, const char *name, snd_pcm_stream_t stream, int mode),
    (io, name, stream, mode))
WRAP(int, snd_pcm_ioplug_set_param_list, (snd_pcm_ioplug_t * io, int type, unsigned int num_list, const unsigned int *list),
    (io, type, num_list, list))
WRAP(int, snd_pcm_ioplug_set_param_minmax, (snd_pcm_ioplug_t * io, int type, unsigned int min, unsigned int max),
    (io, type, min, max))
WRAP(int, snd_use_case_mgr_open, (snd_use_case_mgr_t * *uc_mgr, const char *card_name), (uc_mgr, card_name))
WRAP(int, snd_use_case_get_list, (snd_use_case_mgr_t * uc_mgr, const char *identifier, const char **list[]),
    (uc_mgr, identifier, list))
WRAP(
    int, snd_use_case_get, (snd_use_case_mgr_t * uc_mgr, const char *identifier, const char **value), (uc_mgr, identifier, value))

END_OF_UNINSTRUMENTED
