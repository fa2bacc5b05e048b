/* SPDX-License-Identifier: Apache-2.0 */
/* The macros that hide how compilers and runtimes differ, for these headers and for programs. */
#ifndef AVFOUNDATION_AVAUDIOBASE_H
#define AVFOUNDATION_AVAUDIOBASE_H

#import <Foundation/Foundation.h>
/* The Foundation of the platform includes these. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A reference that retains nothing, for a compiler that counts references and for one that does not. */
#if defined(__has_feature)
#if __has_feature(objc_arc)
#define AVFOUNDATION_UNRETAINED __unsafe_unretained
#define AVFOUNDATION_DELEGATE unsafe_unretained
#endif
#endif
#ifndef AVFOUNDATION_DELEGATE
#define AVFOUNDATION_UNRETAINED
#define AVFOUNDATION_DELEGATE assign
#endif

/* On the platform, and with libobjc2, nil is a null pointer of any type: programs pass it for an NSError ** and compare an
   AudioQueueRef with it. In GCC's runtime it has the type id: compilers warn, and refuse it in Objective-C++. */
#if defined(__GNU_LIBOBJC__)
#undef nil
#ifdef __cplusplus
#define nil __null
#else
#define nil ((void *)0)
#endif
#endif

#endif
