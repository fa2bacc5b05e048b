/* SPDX-License-Identifier: Apache-2.0 */
/* AudioToolbox/AudioToolbox.h for programs that were written on a file system that ignores case. */
#ifndef AUDIOTOOLBOX_AUDIOTOOLBOX_H
#include <AudioToolbox/AudioToolbox.h>
#endif
