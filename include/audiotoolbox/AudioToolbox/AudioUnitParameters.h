/* SPDX-License-Identifier: Apache-2.0 */
/* AudioUnit/AudioUnitParameters.h under the name that later releases of the platform have. */
#ifndef AUDIOTOOLBOX_FORWARDS_AUDIOUNITPARAMETERS
#define AUDIOTOOLBOX_FORWARDS_AUDIOUNITPARAMETERS

#include <AudioUnit/AudioUnitParameters.h>

#endif
