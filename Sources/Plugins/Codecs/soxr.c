/* SPDX-License-Identifier: Apache-2.0 */
/* The module of libsoxr, which converts sample rates in bulk. It is much faster and better than a resampler for slices of a
   stream, but returns its output in bursts. */
#include "rate_module.h"

#include <soxr.h>

static void *create(double from, double to, uint32_t channels, int is_best) {
    soxr_error_t error = NULL;
    soxr_io_spec_t samples = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
    soxr_quality_spec_t quality = soxr_quality_spec(is_best ? SOXR_VHQ : SOXR_HQ, 0);
    soxr_runtime_spec_t runtime = soxr_runtime_spec(1);
    if (!(from >= 1 && to >= 1) || channels < 1 || channels > 8) return NULL;
    soxr_t resampler = soxr_create(from, to, channels, &error, &samples, &quality, &runtime);
    if (!error) return resampler;
    soxr_delete(resampler);
    return NULL;
}

static int process(
    void *resampler, const float *input, size_t frames, size_t *read, float *output, size_t room, size_t *written) {
    return soxr_process(resampler, input, frames, read, output, room, written) == NULL;
}

static int reset(void *resampler) { return soxr_clear(resampler) == NULL; }

static void destroy(void *resampler) { soxr_delete(resampler); }

__attribute__((visibility("default"))) const struct rate_module *audiotoolbox_rates(uint32_t version) {
    static const struct rate_module module = {
        .version = RATE_INTERFACE_VERSION,
        .library = "libsoxr",
        .create = create,
        .process = process,
        .reset = reset,
        .destroy = destroy,
    };
    return version == RATE_INTERFACE_VERSION ? &module : NULL;
}
