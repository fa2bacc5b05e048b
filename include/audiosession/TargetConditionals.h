/* SPDX-License-Identifier: Apache-2.0 */
/* Legacy code is compiled for the platform's devices: TARGET_OS_MAC, TARGET_OS_IPHONE and TARGET_OS_IOS are 1.
   -DTARGET_OS_IPHONE=0 selects the other branches of a program, and sets TARGET_OS_MAC, TARGET_OS_IOS and TARGET_RT_MAC_MACHO to
   0. TARGET_CPU_ and the other TARGET_RT_ macros describe the machine that the program is compiled for. The command line
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
#ifndef TARGET_RT_BIG_ENDIAN
#define TARGET_RT_BIG_ENDIAN (!TARGET_RT_LITTLE_ENDIAN)
#endif
/* A program takes the branches of Mach-O, as on the platform; there is no other runtime of a Mac. */
#ifndef TARGET_RT_MAC_MACHO
#define TARGET_RT_MAC_MACHO TARGET_OS_MAC
#endif
#ifndef TARGET_RT_MAC_CFM
#define TARGET_RT_MAC_CFM 0
#endif

#ifndef TARGET_CPU_X86_64
#ifdef __x86_64__
#define TARGET_CPU_X86_64 1
#else
#define TARGET_CPU_X86_64 0
#endif
#endif
#ifndef TARGET_CPU_X86
#ifdef __i386__
#define TARGET_CPU_X86 1
#else
#define TARGET_CPU_X86 0
#endif
#endif
#ifndef TARGET_CPU_ARM64
#ifdef __aarch64__
#define TARGET_CPU_ARM64 1
#else
#define TARGET_CPU_ARM64 0
#endif
#endif
#ifndef TARGET_CPU_ARM
#ifdef __arm__
#define TARGET_CPU_ARM 1
#else
#define TARGET_CPU_ARM 0
#endif
#endif
#ifndef TARGET_CPU_PPC
#define TARGET_CPU_PPC 0
#endif
#ifndef TARGET_CPU_PPC64
#define TARGET_CPU_PPC64 0
#endif
#ifndef TARGET_CPU_68K
#define TARGET_CPU_68K 0
#endif
#ifndef TARGET_CPU_MIPS
#define TARGET_CPU_MIPS 0
#endif
#ifndef TARGET_CPU_SPARC
#define TARGET_CPU_SPARC 0
#endif
#ifndef TARGET_CPU_ALPHA
#define TARGET_CPU_ALPHA 0
#endif

#endif
