/* SPDX-License-Identifier: Apache-2.0 */
/* Stands for the CoreFoundation of another project, such as GNUstep's: it has the functions that the library looks up, and not the
   class of the constant strings of the Swift project. A call ends the program. */
#include <stdlib.h>

#define FUNCTION(name) \
    void name(void); \
    void name(void) { abort(); }
#define VALUE(name) \
    extern const void *const name; \
    const void *const name = "another";

FUNCTION(CFRetain)
FUNCTION(CFRelease)
FUNCTION(CFGetTypeID)
FUNCTION(CFNumberGetTypeID)
FUNCTION(CFNumberCreate)
FUNCTION(CFNumberGetValue)
FUNCTION(CFStringGetTypeID)
FUNCTION(CFStringCreateWithBytes)
FUNCTION(CFStringGetCString)
FUNCTION(CFURLGetTypeID)
FUNCTION(CFURLGetFileSystemRepresentation)
FUNCTION(CFURLCopyAbsoluteURL)
FUNCTION(CFURLGetBytes)
FUNCTION(CFArrayCreate)
FUNCTION(CFDictionaryCreate)
FUNCTION(CFRunLoopGetMain)
FUNCTION(CFRunLoopGetCurrent)
FUNCTION(CFRunLoopSourceCreate)
FUNCTION(CFRunLoopAddSource)
FUNCTION(CFRunLoopSourceSignal)
FUNCTION(CFRunLoopSourceInvalidate)
FUNCTION(CFRunLoopWakeUp)
VALUE(kCFTypeArrayCallBacks)
VALUE(kCFTypeDictionaryKeyCallBacks)
VALUE(kCFTypeDictionaryValueCallBacks)
VALUE(kCFRunLoopDefaultMode)
VALUE(kCFRunLoopCommonModes)
