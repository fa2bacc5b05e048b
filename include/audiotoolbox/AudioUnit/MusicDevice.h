/* SPDX-License-Identifier: Apache-2.0 */
/* This library has no music devices, and does not declare the functions that play them (MusicDeviceMIDIEvent,
   MusicDeviceStartNote). The file exists for programs that include it because of the audio units. */
#ifndef AUDIOTOOLBOX_MUSICDEVICE_H
#define AUDIOTOOLBOX_MUSICDEVICE_H

#include <AudioUnit/AudioUnit.h>

#endif
