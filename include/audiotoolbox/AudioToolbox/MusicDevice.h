/* SPDX-License-Identifier: Apache-2.0 */
/* Includes AudioUnit/MusicDevice.h, for programs that include this newer path. */
#ifndef AUDIOTOOLBOX_FORWARDS_MUSICDEVICE
#define AUDIOTOOLBOX_FORWARDS_MUSICDEVICE

#include <AudioUnit/MusicDevice.h>

#endif
