/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of the units of this library. */
#ifndef AUDIOTOOLBOX_AUDIOUNITPARAMETERS_H
#define AUDIOTOOLBOX_AUDIOUNITPARAMETERS_H

#ifndef AUDIOTOOLBOX_AUDIOUNITPROPERTIES_H
#include <AudioUnit/AudioUnitProperties.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Parameters of each input and of the output of a MultiChannelMixer. */
enum {
    kMultiChannelMixerParam_Volume = 0,             /* 0 to 1 */
    kMultiChannelMixerParam_Enable = 1,             /* 0 mutes */
    kMultiChannelMixerParam_Pan = 2,                /* -1 left, 1 right; inputs only */
    kMultiChannelMixerParam_PreAveragePower = 1000, /* decibels, -120 to 0, read only, with MeteringMode 1; + n is channel n */
    kMultiChannelMixerParam_PrePeakHoldLevel = 2000,
    kMultiChannelMixerParam_PostAveragePower = 3000,
    kMultiChannelMixerParam_PostPeakHoldLevel = 4000
};

/* Parameter of an I/O unit: the volume of output element 0. */
enum { kHALOutputParam_Volume = 14 };

#ifdef __cplusplus
}
#endif

#endif
