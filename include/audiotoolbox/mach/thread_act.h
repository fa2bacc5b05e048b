/* SPDX-License-Identifier: Apache-2.0 */
/* Includes mach/thread_policy.h and mach/thread_info.h, for programs that include the header of the platform with their functions. */
#ifndef AUDIOTOOLBOX_FORWARDS_THREAD_ACT
#define AUDIOTOOLBOX_FORWARDS_THREAD_ACT

#include <mach/thread_info.h>
#include <mach/thread_policy.h>

#endif
