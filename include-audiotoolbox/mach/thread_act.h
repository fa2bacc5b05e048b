/* SPDX-License-Identifier: Apache-2.0 */
/* mach/thread_policy.h for programs that look for its functions where the platform has them. */
#ifndef AUDIOTOOLBOX_FORWARDS_THREAD_ACT
#define AUDIOTOOLBOX_FORWARDS_THREAD_ACT

#include <mach/thread_policy.h>

#endif
