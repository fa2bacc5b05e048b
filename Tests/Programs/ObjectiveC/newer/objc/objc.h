/* SPDX-License-Identifier: Apache-2.0 */
/* The types of the newer Objective-C runtime that GNUstep's headers need, for a check of the syntax: no package has that runtime. */
#ifndef CHECK_OBJC_H
#define CHECK_OBJC_H
#include <stddef.h>
#include <stdint.h>
typedef signed char BOOL;
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define nil ((id)0)
#define Nil ((Class)0)
#ifndef IMP_TYPE
typedef id (*IMP)(id, SEL, ...);
#endif
#endif
