/* SPDX-License-Identifier: Apache-2.0 */
/* Music devices: there is none, and the functions that play them (MusicDeviceMIDIEvent, MusicDeviceStartNote) are
   not declared. The file is for programs that include it for the units. */
#ifndef AUDIOTOOLBOX_MUSICDEVICE_H
#define AUDIOTOOLBOX_MUSICDEVICE_H

#include <AudioUnit/AudioUnit.h>

#endif
