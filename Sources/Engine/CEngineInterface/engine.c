/* SPDX-License-Identifier: Apache-2.0 */
#include "CEngineInterface.h"

#include <string.h>

static const struct audiosession_engine engine = {
    .options_create = audiosession_options_create,
    .options_set = audiosession_options_set,
    .options_set_from_environment = audiosession_options_set_from_environment,
    .options_check = audiosession_options_check,
    .options_destroy = audiosession_options_destroy,
    .stream_open = audiosession_stream_open,
    .stream_ring = audiosession_stream_ring,
    .stream_configure = audiosession_stream_configure,
    .stream_prepare = audiosession_stream_prepare,
    .stream_start = audiosession_stream_start,
    .stream_pause = audiosession_stream_pause,
    .stream_drain = audiosession_stream_drain,
    .stream_stop = audiosession_stream_stop,
    .stream_release = audiosession_stream_release,
    .stream_close = audiosession_stream_close,
    .pull_create = audiosession_pull_create,
    .pull_format = audiosession_pull_format,
    .pull_start = audiosession_pull_start,
    .pull_stop = audiosession_pull_stop,
    .pull_suspend = audiosession_pull_suspend,
    .pull_is_running = audiosession_pull_is_running,
    .pull_read_counters = audiosession_pull_read_counters,
    .pull_count_in = audiosession_pull_count_in,
    .pull_duck_others = audiosession_pull_duck_others,
    .pull_end = audiosession_pull_end,
    .pull_destroy = audiosession_pull_destroy,
    .session_preferred_slice = audiosession_session_preferred_slice,
    .session_set_io_slice = audiosession_session_set_io_slice,
    .session_hardware_rate = audiosession_session_hardware_rate,
    .status_claim = audiosession_status_claim,
};

const struct audiosession_engine *audiosession_engine(const char *version, const char **own) {
    if (own) *own = project_version();
    return version && strcmp(version, project_version()) == 0 ? &engine : NULL;
}
