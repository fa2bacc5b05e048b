/* SPDX-License-Identifier: Apache-2.0 */
/* The public headers for the Swift sources. They do not include CoreFoundation: its types are declared as
   addresses. From the known names the compiler would import classes, and a C function with classes
   cannot be implemented in Swift. */
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

#include "../../../../include/audiosession/AudioToolbox/AudioSession.h"
#include "../../../../include/audiosession/AudioToolbox/AudioSessionLinux.h"

#endif
