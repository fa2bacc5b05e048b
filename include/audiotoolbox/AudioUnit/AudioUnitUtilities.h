/* SPDX-License-Identifier: Apache-2.0 */
/* AudioToolbox/AudioUnitUtilities.h for programs that include it from the folder AudioUnit. */
#ifndef AUDIOTOOLBOX_FORWARDS_AUDIOUNITUTILITIES
#define AUDIOTOOLBOX_FORWARDS_AUDIOUNITUTILITIES

#include <AudioToolbox/AudioUnitUtilities.h>

#endif
