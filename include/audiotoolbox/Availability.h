/* SPDX-License-Identifier: Apache-2.0 */
/* Releases of the platform, for programs that compare them. The release is 6.1, the last one in which Audio Session Services
   are not deprecated: a program with an older and a newer branch uses the branch that calls them. Other releases:
   -D__IPHONE_OS_VERSION_MIN_REQUIRED=50000, -D__IPHONE_OS_VERSION_MAX_ALLOWED=70000. Later releases are defined too, because
   the preprocessor replaces an undefined name by 0. */
#ifndef AUDIOTOOLBOX_AVAILABILITY_H
#define AUDIOTOOLBOX_AVAILABILITY_H

#ifndef AUDIOSESSION_TARGETCONDITIONALS_H
#include <TargetConditionals.h>
#endif

#define __IPHONE_2_0 20000
#define __IPHONE_2_1 20100
#define __IPHONE_2_2 20200
#define __IPHONE_3_0 30000
#define __IPHONE_3_1 30100
#define __IPHONE_3_2 30200
#define __IPHONE_4_0 40000
#define __IPHONE_4_1 40100
#define __IPHONE_4_2 40200
#define __IPHONE_4_3 40300
#define __IPHONE_5_0 50000
#define __IPHONE_5_1 50100
#define __IPHONE_6_0 60000
#define __IPHONE_6_1 60100
#define __IPHONE_7_0 70000
#define __IPHONE_7_1 70100
#define __IPHONE_8_0 80000
#define __IPHONE_8_1 80100
#define __IPHONE_8_2 80200
#define __IPHONE_8_3 80300
#define __IPHONE_8_4 80400
#define __IPHONE_9_0 90000
#define __IPHONE_9_1 90100
#define __IPHONE_9_2 90200
#define __IPHONE_9_3 90300

#define __MAC_10_0 1000
#define __MAC_10_1 1010
#define __MAC_10_2 1020
#define __MAC_10_3 1030
#define __MAC_10_4 1040
#define __MAC_10_5 1050
#define __MAC_10_6 1060
#define __MAC_10_7 1070
#define __MAC_10_8 1080
#define __MAC_10_9 1090
#define __MAC_10_10 101000
#define __MAC_10_11 101100

/* A release that does not exist: the function is not available. */
#define __MAC_NA 9999
#define __IPHONE_NA 99999

/* The platform's devices do not define __MAC_OS_X_VERSION_... */
#if TARGET_OS_IPHONE
#ifndef __IPHONE_OS_VERSION_MIN_REQUIRED
#define __IPHONE_OS_VERSION_MIN_REQUIRED __IPHONE_6_1
#endif
#ifndef __IPHONE_OS_VERSION_MAX_ALLOWED
#define __IPHONE_OS_VERSION_MAX_ALLOWED __IPHONE_6_1
#endif
#endif

/* The attributes of declarations have no effect. */
#ifndef __OSX_AVAILABLE_STARTING
#define __OSX_AVAILABLE_STARTING(_osx, _ios)
#endif
#ifndef __OSX_AVAILABLE_BUT_DEPRECATED
#define __OSX_AVAILABLE_BUT_DEPRECATED(_osxIntro, _osxDep, _iosIntro, _iosDep)
#endif
#ifndef __OSX_AVAILABLE_BUT_DEPRECATED_MSG
#define __OSX_AVAILABLE_BUT_DEPRECATED_MSG(_osxIntro, _osxDep, _iosIntro, _iosDep, _msg)
#endif
#ifndef __OSX_AVAILABLE
#define __OSX_AVAILABLE(_vers)
#endif
#ifndef __OSX_DEPRECATED
#define __OSX_DEPRECATED(_start, _dep, _msg)
#endif
#ifndef __OSX_UNAVAILABLE
#define __OSX_UNAVAILABLE
#endif
#ifndef __IOS_AVAILABLE
#define __IOS_AVAILABLE(_vers)
#endif
#ifndef __IOS_DEPRECATED
#define __IOS_DEPRECATED(_start, _dep, _msg)
#endif
#ifndef __IOS_UNAVAILABLE
#define __IOS_UNAVAILABLE
#endif
#ifndef __IOS_PROHIBITED
#define __IOS_PROHIBITED
#endif
#ifndef __OS_EXTENSION_UNAVAILABLE
#define __OS_EXTENSION_UNAVAILABLE(_msg)
#endif
#ifndef __OSX_EXTENSION_UNAVAILABLE
#define __OSX_EXTENSION_UNAVAILABLE(_msg)
#endif
#ifndef __IOS_EXTENSION_UNAVAILABLE
#define __IOS_EXTENSION_UNAVAILABLE(_msg)
#endif

/* Programs mark their own functions with this attribute. */
#ifndef __deprecated_msg
#define __deprecated_msg(_msg) __attribute__((__deprecated__(_msg)))
#endif

#endif
