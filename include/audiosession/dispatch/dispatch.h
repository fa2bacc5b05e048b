/* SPDX-License-Identifier: Apache-2.0 */
/* Includes the libdispatch header of the Swift toolchain or of the system. That header reads TARGET_OS_MAC to select the
   system. Therefore the macros of the platform are 0 in it. */
#ifndef AUDIOSESSION_DISPATCH_H
#define AUDIOSESSION_DISPATCH_H

#include <TargetConditionals.h>

#pragma push_macro("TARGET_OS_IPHONE")
#pragma push_macro("TARGET_OS_MAC")
#pragma push_macro("TARGET_OS_IOS")
#pragma push_macro("TARGET_OS_OSX")
#undef TARGET_OS_IPHONE
#define TARGET_OS_IPHONE 0
#undef TARGET_OS_MAC
#define TARGET_OS_MAC 0
#undef TARGET_OS_IOS
#define TARGET_OS_IOS 0
#undef TARGET_OS_OSX
#define TARGET_OS_OSX 0
#pragma GCC system_header
#if defined(__OBJC__) && defined(__has_include_next)
/* GNUstep's Foundation.h includes this file because it exists. */
#if __has_include_next(<dispatch/dispatch.h>)
#include_next <dispatch/dispatch.h>
#endif
#else
#include_next <dispatch/dispatch.h>
#endif
#pragma pop_macro("TARGET_OS_IPHONE")
#pragma pop_macro("TARGET_OS_MAC")
#pragma pop_macro("TARGET_OS_IOS")
#pragma pop_macro("TARGET_OS_OSX")

#endif
