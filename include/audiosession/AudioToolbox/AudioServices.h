/* SPDX-License-Identifier: Apache-2.0 */
/* Audio Session Services and, if libAudioToolbox is installed, system sounds. Some legacy programs
   include this file and not AudioToolbox.h. */
#ifndef AUDIOTOOLBOX_AUDIOSERVICES_H
#define AUDIOTOOLBOX_AUDIOSERVICES_H
#define __AudioServices_h__ /* the guard of the platform's header */

#include <AudioToolbox/AudioSession.h>

#if defined(__has_include)
#if __has_include(<AudioToolbox/SystemSounds.h>)
#include <AudioToolbox/SystemSounds.h>
#endif
#endif

#endif
