/* SPDX-License-Identifier: Apache-2.0 */
/* OpenAL Soft's AL/alc.h under the platform's name. */
#ifndef AUDIOTOOLBOX_OPENAL_ALC_H
#define AUDIOTOOLBOX_OPENAL_ALC_H

#if __has_include(<AL/alc.h>)
#include <AL/alc.h>
#else
#error "AL/alc.h was not found: install OpenAL Soft (libopenal-dev) and link with -lopenal"
#endif

#endif
