/* SPDX-License-Identifier: Apache-2.0 */
/* AudioUnit/AudioUnit.h under the name that later releases of the platform have. */
#ifndef AUDIOTOOLBOX_FORWARDS_AUDIOUNIT
#define AUDIOTOOLBOX_FORWARDS_AUDIOUNIT

#include <AudioUnit/AudioUnit.h>

#endif
