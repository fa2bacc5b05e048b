/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions of samples with vector instructions that not every processor has. They are in C, because Swift cannot compile one
   function for another processor than the rest of a module. The results equal those of PCMConversion, bit by bit. */
#ifndef CPCMKERNELS_H
#define CPCMKERNELS_H

#include <stddef.h>

/* Converts packed native samples. `scale` is the scale of the side with 32-bit integers. */
typedef void pcm_kernel(const void *source, void *target, ptrdiff_t count, double scale);
/* Converts two channels to interleaved stereo, and back. */
typedef void pcm_join_kernel(const void *left, const void *right, void *target, ptrdiff_t frames);
typedef void pcm_split_kernel(const void *source, void *left, void *right, ptrdiff_t frames);

struct pcm_kernels {
    pcm_kernel *int16_to_float32, *float32_to_int16, *int16_to_int32, *int32_to_int16, *int32_to_float32, *float32_to_int32;
    pcm_kernel *int16_to_float64, *float64_to_int16, *int32_to_float64, *float64_to_int32;
    /* Indexed by the samples of the source and of the target: 0 int16, 1 float32. */
    pcm_join_kernel *join[2][2];
    pcm_split_kernel *split[2][2];
};

/* Returns NULL if there are no kernels for this processor. */
const struct pcm_kernels *pcm_kernels(void);

/* The kernels for these instructions; NULL on a processor without them. */
const struct pcm_kernels *pcm_kernels_of_avx2(void);
const struct pcm_kernels *pcm_kernels_of_avx512(void);
const struct pcm_kernels *pcm_kernels_of_neon(void);

#endif
