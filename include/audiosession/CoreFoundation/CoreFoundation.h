/* SPDX-License-Identifier: Apache-2.0 */
/* The CoreFoundation of the Swift toolchain, for gcc and clang. Its umbrella header compiles with clang
   only, so this file includes its parts. If it is not installed, the types are opaque, which is enough for
   Audio Session Services. */
#ifndef AUDIOSESSION_COREFOUNDATION_H
#define AUDIOSESSION_COREFOUNDATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <TargetConditionals.h>

/* The platform's CoreFoundation.h includes these too. */
#ifndef CF_EXCLUDE_CSTD_HEADERS
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#endif

#if !defined(__LITTLE_ENDIAN__) && !defined(__BIG_ENDIAN__)
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define __BIG_ENDIAN__ 1
#else
#define __LITTLE_ENDIAN__ 1
#endif
#endif

/* The toolchain defines Boolean as bool unless these types exist. On the platform it is unsigned char. */
#if !defined(__MACTYPES__) && !defined(__COREFOUNDATION_CFBASE__)
#define __MACTYPES__
typedef unsigned char Boolean;
typedef uint8_t UInt8;
typedef int8_t SInt8;
typedef uint16_t UInt16;
typedef int16_t SInt16;
typedef uint32_t UInt32;
typedef int32_t SInt32;
#ifdef __swift__
typedef uint64_t UInt64;
typedef int64_t SInt64;
#else
/* Not int64_t, which is long on Linux: programs print these types with %lld, and mix them with long long in templates. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wlong-long"
__extension__ typedef unsigned long long UInt64;
__extension__ typedef long long SInt64;
#pragma GCC diagnostic pop
#endif
typedef float Float32;
typedef double Float64;
typedef int32_t OSStatus;
typedef int16_t OSErr;
typedef uint32_t FourCharCode;
typedef FourCharCode OSType;
typedef uint16_t UniChar;
typedef unsigned long UniCharCount;
typedef unsigned char *StringPtr;
typedef const unsigned char *ConstStringPtr;
typedef unsigned char Str255[256];
typedef const unsigned char *ConstStr255Param;
typedef int16_t RegionCode;
typedef int16_t LangCode;
typedef int16_t ScriptCode;
typedef uint8_t Byte;
typedef int8_t SignedByte;
typedef uint32_t UTF32Char;
typedef uint16_t UTF16Char;
typedef uint8_t UTF8Char;
#endif

/* Constants of the platform's MacTypes.h, which CoreFoundation.h includes there. */
#ifndef noErr
enum { noErr = 0, kNilOptions = 0, kInvalidID = 0 };
#define noErr noErr
#endif

#ifndef TRUE
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif

/* This folder also has a CFBase.h. Only the toolchain's folder has the following file. */
#if defined(__has_include)
#if __has_include(<CoreFoundation/CFTargetConditionals.h>)
#define AUDIOSESSION_HAS_COREFOUNDATION 1
#endif
#endif

#ifdef AUDIOSESSION_HAS_COREFOUNDATION

/* The toolchain's headers are written for Linux. Therefore these macros are 0 in them. */
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
#include <CoreFoundation/CFArray.h>
#include <CoreFoundation/CFAttributedString.h>
#include <CoreFoundation/CFAvailability.h>
#include <CoreFoundation/CFBag.h>
#include <CoreFoundation/CFBase.h>
#include <CoreFoundation/CFBinaryHeap.h>
#include <CoreFoundation/CFBitVector.h>
#include <CoreFoundation/CFBundle.h>
#include <CoreFoundation/CFByteOrder.h>
#include <CoreFoundation/CFCalendar.h>
#include <CoreFoundation/CFCharacterSet.h>
#include <CoreFoundation/CFData.h>
#include <CoreFoundation/CFDate.h>
#include <CoreFoundation/CFDateFormatter.h>
#include <CoreFoundation/CFDictionary.h>
#include <CoreFoundation/CFError.h>
#include <CoreFoundation/CFLocale.h>
#include <CoreFoundation/CFMachPort.h>
#include <CoreFoundation/CFMessagePort.h>
#include <CoreFoundation/CFNotificationCenter.h>
#include <CoreFoundation/CFNumber.h>
#include <CoreFoundation/CFNumberFormatter.h>
#include <CoreFoundation/CFPlugIn.h>
#include <CoreFoundation/CFPreferences.h>
#include <CoreFoundation/CFPropertyList.h>
#include <CoreFoundation/CFRunLoop.h>
#include <CoreFoundation/CFSet.h>
#include <CoreFoundation/CFSocket.h>
#include <CoreFoundation/CFStream.h>
#include <CoreFoundation/CFString.h>
#include <CoreFoundation/CFStringEncodingExt.h>
#include <CoreFoundation/CFTimeZone.h>
#include <CoreFoundation/CFTree.h>
#include <CoreFoundation/CFURL.h>
#include <CoreFoundation/CFURLAccess.h>
#include <CoreFoundation/CFUserNotification.h>
#include <CoreFoundation/CFUUID.h>
#pragma pop_macro("TARGET_OS_IPHONE")
#pragma pop_macro("TARGET_OS_MAC")
#pragma pop_macro("TARGET_OS_IOS")
#pragma pop_macro("TARGET_OS_OSX")

#elif !defined(__COREFOUNDATION_CFBASE__)

typedef const void *CFTypeRef;
typedef signed long CFIndex;
typedef const struct __CFString *CFStringRef;
typedef const struct __CFDictionary *CFDictionaryRef;
typedef const struct __CFArray *CFArrayRef;
typedef const struct __CFNumber *CFNumberRef;
typedef const struct __CFData *CFDataRef;
typedef const struct __CFURL *CFURLRef;
typedef CFTypeRef CFPropertyListRef;
typedef struct __CFRunLoop *CFRunLoopRef;

/* A call without the headers is an error that names the package to install. Swift has its own
   declarations. */
#if defined(__GNUC__) && !defined(__swift__)

#ifdef __has_attribute
#if __has_attribute(__unavailable__)
#define AUDIOSESSION_WITHOUT_COREFOUNDATION_(advice) __attribute__((__unavailable__(advice)))
#endif
#endif
#ifndef AUDIOSESSION_WITHOUT_COREFOUNDATION_
#define AUDIOSESSION_WITHOUT_COREFOUNDATION_(advice) __attribute__((__error__(advice)))
#endif
#define AUDIOSESSION_COREFOUNDATION_IS_MISSING_ \
    AUDIOSESSION_WITHOUT_COREFOUNDATION_( \
        "the headers of CoreFoundation were not found: install libaudiosession-corefoundation-dev or a Swift toolchain, " \
        "and compile with the flags of pkg-config --cflags audiosession")

#ifdef __cplusplus
extern "C" {
#endif
void CFRunLoopRun(void) AUDIOSESSION_COREFOUNDATION_IS_MISSING_;
SInt32 CFRunLoopRunInMode(CFStringRef, double, Boolean) AUDIOSESSION_COREFOUNDATION_IS_MISSING_;
CFRunLoopRef CFRunLoopGetCurrent(void) AUDIOSESSION_COREFOUNDATION_IS_MISSING_;
CFRunLoopRef CFRunLoopGetMain(void) AUDIOSESSION_COREFOUNDATION_IS_MISSING_;
#ifndef CFSTR
CFStringRef CFSTR(const char *) AUDIOSESSION_COREFOUNDATION_IS_MISSING_;
#endif
CFTypeRef CFRetain(CFTypeRef) AUDIOSESSION_COREFOUNDATION_IS_MISSING_;
void CFRelease(CFTypeRef) AUDIOSESSION_COREFOUNDATION_IS_MISSING_;
const void *CFDictionaryGetValue(CFDictionaryRef, const void *) AUDIOSESSION_COREFOUNDATION_IS_MISSING_;
CFIndex CFArrayGetCount(CFArrayRef) AUDIOSESSION_COREFOUNDATION_IS_MISSING_;
const void *CFArrayGetValueAtIndex(CFArrayRef, CFIndex) AUDIOSESSION_COREFOUNDATION_IS_MISSING_;
Boolean CFNumberGetValue(CFNumberRef, CFIndex, void *) AUDIOSESSION_COREFOUNDATION_IS_MISSING_;
CFIndex CFStringCompare(CFStringRef, CFStringRef, CFIndex) AUDIOSESSION_COREFOUNDATION_IS_MISSING_;
Boolean CFStringHasPrefix(CFStringRef, CFStringRef) AUDIOSESSION_COREFOUNDATION_IS_MISSING_;
Boolean CFStringGetCString(CFStringRef, char *, CFIndex, UInt32) AUDIOSESSION_COREFOUNDATION_IS_MISSING_;
#ifdef __cplusplus
}
#endif

#endif
#endif

/* ---- The release ---- */

#ifdef __GNUC__
#ifndef __swift__

#ifdef __cplusplus
extern "C" {
#endif
/* The number of iOS 6.1: see Availability.h. The toolchain's library does not have the variable. Weak, because each file of a
   program defines it. */
extern double kCFCoreFoundationVersionNumber;
__attribute__((__weak__)) double kCFCoreFoundationVersionNumber = 793.00;
#ifdef __cplusplus
}
#endif

#define kCFCoreFoundationVersionNumber10_0 196.40
#define kCFCoreFoundationVersionNumber10_1 226.00
#define kCFCoreFoundationVersionNumber10_2 263.00
#define kCFCoreFoundationVersionNumber10_3 299.00
#define kCFCoreFoundationVersionNumber10_4 368.00
#define kCFCoreFoundationVersionNumber10_5 476.00
#define kCFCoreFoundationVersionNumber10_6 550.00
#define kCFCoreFoundationVersionNumber10_7 635.00
#define kCFCoreFoundationVersionNumber10_8 744.00
#define kCFCoreFoundationVersionNumber10_9 855.11
#define kCFCoreFoundationVersionNumber10_10 1151.16
#if TARGET_OS_IPHONE
#define kCFCoreFoundationVersionNumber_iPhoneOS_2_0 478.23
#define kCFCoreFoundationVersionNumber_iPhoneOS_2_1 478.26
#define kCFCoreFoundationVersionNumber_iPhoneOS_2_2 478.29
#define kCFCoreFoundationVersionNumber_iPhoneOS_3_0 478.47
#define kCFCoreFoundationVersionNumber_iPhoneOS_3_1 478.52
#define kCFCoreFoundationVersionNumber_iPhoneOS_3_2 478.61
#define kCFCoreFoundationVersionNumber_iOS_4_0 550.32
#define kCFCoreFoundationVersionNumber_iOS_4_1 550.38
#define kCFCoreFoundationVersionNumber_iOS_4_2 550.52
#define kCFCoreFoundationVersionNumber_iOS_4_3 550.52
#define kCFCoreFoundationVersionNumber_iOS_5_0 675.00
#define kCFCoreFoundationVersionNumber_iOS_5_1 690.10
#define kCFCoreFoundationVersionNumber_iOS_6_0 793.00
#define kCFCoreFoundationVersionNumber_iOS_6_1 793.00
#define kCFCoreFoundationVersionNumber_iOS_7_0 847.20
#define kCFCoreFoundationVersionNumber_iOS_7_1 847.24
#endif

#ifndef CF_EXCLUDE_CSTD_HEADERS
#include <CoreFoundation/CFLibC.h>
#endif

#endif
#endif

#endif
