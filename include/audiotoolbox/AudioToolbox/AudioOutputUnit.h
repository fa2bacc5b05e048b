/* SPDX-License-Identifier: Apache-2.0 */
/* AudioUnit/AudioOutputUnit.h under the name that later releases of the platform have. */
#ifndef AUDIOTOOLBOX_FORWARDS_AUDIOOUTPUTUNIT
#define AUDIOTOOLBOX_FORWARDS_AUDIOOUTPUTUNIT

#include <AudioUnit/AudioOutputUnit.h>

#endif
