/* SPDX-License-Identifier: Apache-2.0 */
/* Includes mach/mach.h, for programs that include its parts. */
#ifndef AUDIOTOOLBOX_FORWARDS_MACH_INIT
#define AUDIOTOOLBOX_FORWARDS_MACH_INIT

#include <mach/mach.h>

#endif
