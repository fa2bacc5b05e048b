/* SPDX-License-Identifier: Apache-2.0 */
/* CoreAudio/CoreAudioTypes.h under the name that later releases of the platform have. */
#ifndef AUDIOTOOLBOX_FORWARDS_COREAUDIOTYPES
#define AUDIOTOOLBOX_FORWARDS_COREAUDIOTYPES

#include <CoreAudio/CoreAudioTypes.h>

#endif
