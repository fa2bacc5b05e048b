/* SPDX-License-Identifier: Apache-2.0 */
/* AudioUnit/AudioComponent.h under the name that later releases of the platform have. */
#ifndef AUDIOTOOLBOX_FORWARDS_AUDIOCOMPONENT
#define AUDIOTOOLBOX_FORWARDS_AUDIOCOMPONENT

#include <AudioUnit/AudioComponent.h>

#endif
