/* SPDX-License-Identifier: Apache-2.0 */
/* OpenAL Soft's AL/al.h under the platform's name. */
#ifndef AUDIOTOOLBOX_OPENAL_AL_H
#define AUDIOTOOLBOX_OPENAL_AL_H

#if __has_include(<AL/al.h>)
#include <AL/al.h>
#else
#error "AL/al.h was not found: install OpenAL Soft (libopenal-dev) and link with -lopenal"
#endif

#endif
