/* SPDX-License-Identifier: Apache-2.0 */
/* AudioUnit/MusicDevice.h for programs that look for it in the newer place. */
#ifndef AUDIOTOOLBOX_FORWARDS_MUSICDEVICE
#define AUDIOTOOLBOX_FORWARDS_MUSICDEVICE

#include <AudioUnit/MusicDevice.h>

#endif
