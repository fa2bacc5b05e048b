/* SPDX-License-Identifier: Apache-2.0 */
/* AudioUnit/AUComponent.h under the name that later releases of the platform have. */
#ifndef AUDIOTOOLBOX_FORWARDS_AUCOMPONENT
#define AUDIOTOOLBOX_FORWARDS_AUCOMPONENT

#include <AudioUnit/AUComponent.h>

#endif
