/* SPDX-License-Identifier: Apache-2.0 */
/* The public headers as the Swift sources see them. CoreFoundation is left out: its types arrive as
   plain addresses, since the compiler would take the known names for classes, which a C function
   cannot be implemented with. */
#ifndef CAUDIOTOOLBOX_H
#define CAUDIOTOOLBOX_H

#include <stddef.h>
#include <stdint.h>

#define AUDIOSESSION_COREFOUNDATION_H
typedef unsigned char Boolean;
typedef uint32_t UInt32;
typedef int32_t OSStatus;
typedef const void *ConstantReference;
typedef void *RunLoopReference;
#define CFStringRef ConstantReference
#define CFRunLoopRef RunLoopReference

#include "../../include/AudioToolbox/AudioSession.h"
#include "../../include/AudioToolbox/AudioSessionLinux.h"

#endif
