/* SPDX-License-Identifier: Apache-2.0 */
/* AudioUnit/AudioUnitProperties.h under the name that later releases of the platform have. */
#ifndef AUDIOTOOLBOX_FORWARDS_AUDIOUNITPROPERTIES
#define AUDIOTOOLBOX_FORWARDS_AUDIOUNITPROPERTIES

#include <AudioUnit/AudioUnitProperties.h>

#endif
