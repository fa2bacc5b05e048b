/* SPDX-License-Identifier: Apache-2.0 */
/* AudioToolbox/AudioUnitUtilities.h for programs that look for it among the units. */
#ifndef AUDIOTOOLBOX_FORWARDS_AUDIOUNITUTILITIES
#define AUDIOTOOLBOX_FORWARDS_AUDIOUNITUTILITIES

#include <AudioToolbox/AudioUnitUtilities.h>

#endif
