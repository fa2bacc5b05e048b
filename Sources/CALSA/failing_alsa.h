/* As failing.h does for libc: in builds for tests, calls of libasound fail with a negative number. */
#ifndef CALSA_FAILING_ALSA_H
#define CALSA_FAILING_ALSA_H

#include "../CLinux/failing.h"

#ifdef FAILING

#include <errno.h>

#define FAILING_ALSA(name, call) (failing(name, FAILING_OPENING) ? -errno : (call))

#define snd_config_top(...) FAILING_ALSA("snd_config_top", snd_config_top(__VA_ARGS__))
#define snd_config_load(...) FAILING_ALSA("snd_config_load", snd_config_load(__VA_ARGS__))
#define snd_config_update_r(...) FAILING_ALSA("snd_config_update_r", snd_config_update_r(__VA_ARGS__))
#define snd_config_search(...) FAILING_ALSA("snd_config_search", snd_config_search(__VA_ARGS__))
#define snd_config_search_definition(...) \
    FAILING_ALSA("snd_config_search_definition", snd_config_search_definition(__VA_ARGS__))
#define snd_config_get_id(...) FAILING_ALSA("snd_config_get_id", snd_config_get_id(__VA_ARGS__))
#define snd_config_get_ascii(...) FAILING_ALSA("snd_config_get_ascii", snd_config_get_ascii(__VA_ARGS__))
#define snd_config_get_string(...) FAILING_ALSA("snd_config_get_string", snd_config_get_string(__VA_ARGS__))
#define snd_input_buffer_open(...) FAILING_ALSA("snd_input_buffer_open", snd_input_buffer_open(__VA_ARGS__))
#define snd_ctl_open_lconf(...) FAILING_ALSA("snd_ctl_open_lconf", snd_ctl_open_lconf(__VA_ARGS__))
#define snd_ctl_poll_descriptors(...) FAILING_ALSA("snd_ctl_poll_descriptors", snd_ctl_poll_descriptors(__VA_ARGS__))
#define snd_ctl_subscribe_events(...) FAILING_ALSA("snd_ctl_subscribe_events", snd_ctl_subscribe_events(__VA_ARGS__))
#define snd_ctl_card_info(...) FAILING_ALSA("snd_ctl_card_info", snd_ctl_card_info(__VA_ARGS__))
#define snd_ctl_pcm_next_device(...) FAILING_ALSA("snd_ctl_pcm_next_device", snd_ctl_pcm_next_device(__VA_ARGS__))
#define snd_ctl_pcm_info(...) FAILING_ALSA("snd_ctl_pcm_info", snd_ctl_pcm_info(__VA_ARGS__))
#define snd_ctl_elem_list(...) FAILING_ALSA("snd_ctl_elem_list", snd_ctl_elem_list(__VA_ARGS__))
#define snd_ctl_elem_list_alloc_space(...) \
    FAILING_ALSA("snd_ctl_elem_list_alloc_space", snd_ctl_elem_list_alloc_space(__VA_ARGS__))
#define snd_ctl_elem_info(...) FAILING_ALSA("snd_ctl_elem_info", snd_ctl_elem_info(__VA_ARGS__))
#define snd_ctl_elem_read(...) FAILING_ALSA("snd_ctl_elem_read", snd_ctl_elem_read(__VA_ARGS__))
#define snd_ctl_elem_write(...) FAILING_ALSA("snd_ctl_elem_write", snd_ctl_elem_write(__VA_ARGS__))
#define snd_ctl_read(...) FAILING_ALSA("snd_ctl_read", snd_ctl_read(__VA_ARGS__))
#define snd_pcm_open_lconf(...) FAILING_ALSA("snd_pcm_open_lconf", snd_pcm_open_lconf(__VA_ARGS__))
#define snd_pcm_hw_params_any(...) FAILING_ALSA("snd_pcm_hw_params_any", snd_pcm_hw_params_any(__VA_ARGS__))
#define snd_pcm_hw_params_set_channels_near(...) \
    FAILING_ALSA("snd_pcm_hw_params_set_channels_near", snd_pcm_hw_params_set_channels_near(__VA_ARGS__))
#define snd_pcm_hw_params_set_rate_near(...) \
    FAILING_ALSA("snd_pcm_hw_params_set_rate_near", snd_pcm_hw_params_set_rate_near(__VA_ARGS__))
#define snd_pcm_hw_params_set_period_size_near(...) \
    FAILING_ALSA("snd_pcm_hw_params_set_period_size_near", snd_pcm_hw_params_set_period_size_near(__VA_ARGS__))
#define snd_pcm_hw_params_set_buffer_size_near(...) \
    FAILING_ALSA("snd_pcm_hw_params_set_buffer_size_near", snd_pcm_hw_params_set_buffer_size_near(__VA_ARGS__))
#define snd_pcm_open(...) FAILING_ALSA("snd_pcm_open", snd_pcm_open(__VA_ARGS__))
#define snd_pcm_hw_params(...) FAILING_ALSA("snd_pcm_hw_params", snd_pcm_hw_params(__VA_ARGS__))
#define snd_pcm_hw_params_set_channels(...) \
    FAILING_ALSA("snd_pcm_hw_params_set_channels", snd_pcm_hw_params_set_channels(__VA_ARGS__))
#define snd_pcm_hw_params_set_rate(...) FAILING_ALSA("snd_pcm_hw_params_set_rate", snd_pcm_hw_params_set_rate(__VA_ARGS__))
#define snd_pcm_sw_params_current(...) FAILING_ALSA("snd_pcm_sw_params_current", snd_pcm_sw_params_current(__VA_ARGS__))
#define snd_pcm_sw_params(...) FAILING_ALSA("snd_pcm_sw_params", snd_pcm_sw_params(__VA_ARGS__))
#define snd_pcm_prepare(...) FAILING_ALSA("snd_pcm_prepare", snd_pcm_prepare(__VA_ARGS__))
#define snd_pcm_start(...) FAILING_ALSA("snd_pcm_start", snd_pcm_start(__VA_ARGS__))
#define snd_pcm_rewind(...) FAILING_ALSA("snd_pcm_rewind", snd_pcm_rewind(__VA_ARGS__))
#define snd_pcm_drop(...) FAILING_ALSA("snd_pcm_drop", snd_pcm_drop(__VA_ARGS__))
#define snd_pcm_avail_delay(...) FAILING_ALSA("snd_pcm_avail_delay", snd_pcm_avail_delay(__VA_ARGS__))
#define snd_pcm_readi(...) FAILING_ALSA("snd_pcm_readi", snd_pcm_readi(__VA_ARGS__))
#define snd_pcm_writei(...) FAILING_ALSA("snd_pcm_writei", snd_pcm_writei(__VA_ARGS__))
#define snd_pcm_ioplug_create(...) FAILING_ALSA("snd_pcm_ioplug_create", snd_pcm_ioplug_create(__VA_ARGS__))
#define snd_pcm_ioplug_set_param_list(...) \
    FAILING_ALSA("snd_pcm_ioplug_set_param_list", snd_pcm_ioplug_set_param_list(__VA_ARGS__))
#define snd_pcm_ioplug_set_param_minmax(...) \
    FAILING_ALSA("snd_pcm_ioplug_set_param_minmax", snd_pcm_ioplug_set_param_minmax(__VA_ARGS__))
#define snd_use_case_mgr_open(...) FAILING_ALSA("snd_use_case_mgr_open", snd_use_case_mgr_open(__VA_ARGS__))
#define snd_use_case_get_list(...) FAILING_ALSA("snd_use_case_get_list", snd_use_case_get_list(__VA_ARGS__))
#define snd_use_case_get(...) FAILING_ALSA("snd_use_case_get", snd_use_case_get(__VA_ARGS__))

#endif
#endif
