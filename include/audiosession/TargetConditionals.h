/* SPDX-License-Identifier: Apache-2.0 */
/* Legacy code is compiled for the platform's devices: TARGET_OS_MAC, TARGET_OS_IPHONE and TARGET_OS_IOS are 1.
   -DTARGET_OS_IPHONE=0 selects the other branches of a program, and sets TARGET_OS_MAC and TARGET_OS_IOS to 0. The command line
   can define each macro. CoreFoundation.h and dispatch.h set these macros to 0 for the toolchain's headers, which are written
   for Linux. */
#ifndef AUDIOSESSION_TARGETCONDITIONALS_H
#define AUDIOSESSION_TARGETCONDITIONALS_H

#ifndef TARGET_OS_IPHONE
#define TARGET_OS_IPHONE 1
#endif
#ifndef TARGET_OS_MAC
#if TARGET_OS_IPHONE
#define TARGET_OS_MAC 1
#else
#define TARGET_OS_MAC 0
#endif
#endif
#ifndef TARGET_OS_IOS
#if TARGET_OS_IPHONE
#define TARGET_OS_IOS 1
#else
#define TARGET_OS_IOS 0
#endif
#endif
#ifndef TARGET_IPHONE_SIMULATOR
#define TARGET_IPHONE_SIMULATOR 0
#endif
#ifndef TARGET_OS_EMBEDDED
#define TARGET_OS_EMBEDDED (TARGET_OS_IPHONE && !TARGET_IPHONE_SIMULATOR)
#endif
#ifndef TARGET_OS_SIMULATOR
#define TARGET_OS_SIMULATOR TARGET_IPHONE_SIMULATOR
#endif
#ifndef TARGET_OS_OSX
#define TARGET_OS_OSX 0
#endif
#ifndef TARGET_OS_TV
#define TARGET_OS_TV 0
#endif
#ifndef TARGET_OS_WATCH
#define TARGET_OS_WATCH 0
#endif

/* The machine that runs the program. */
#ifndef TARGET_OS_LINUX
#define TARGET_OS_LINUX 1
#endif
#ifndef TARGET_OS_DARWIN
#define TARGET_OS_DARWIN 0
#endif
#ifndef TARGET_OS_UNIX
#define TARGET_OS_UNIX 0
#endif
#ifndef TARGET_OS_WINDOWS
#define TARGET_OS_WINDOWS 0
#endif
#ifndef TARGET_OS_WIN32
#define TARGET_OS_WIN32 0
#endif
#ifndef TARGET_OS_CYGWIN
#define TARGET_OS_CYGWIN 0
#endif
#ifndef TARGET_OS_BSD
#define TARGET_OS_BSD 0
#endif
#ifndef TARGET_OS_ANDROID
#define TARGET_OS_ANDROID 0
#endif
#ifndef TARGET_OS_WASI
#define TARGET_OS_WASI 0
#endif

#ifndef TARGET_RT_LITTLE_ENDIAN
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define TARGET_RT_LITTLE_ENDIAN 0
#define TARGET_RT_BIG_ENDIAN 1
#else
#define TARGET_RT_LITTLE_ENDIAN 1
#define TARGET_RT_BIG_ENDIAN 0
#endif
#ifdef __LP64__
#define TARGET_RT_64_BIT 1
#else
#define TARGET_RT_64_BIT 0
#endif
#endif

#endif
