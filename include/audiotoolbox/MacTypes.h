/* SPDX-License-Identifier: Apache-2.0 */
/* The basic types of MacTypes.h that audio programs use. CoreFoundation.h defines UInt32 and the other integer types. */
#ifndef AUDIOTOOLBOX_MACTYPES_H
#define AUDIOTOOLBOX_MACTYPES_H

#ifndef AUDIOSESSION_COREFOUNDATION_H
#include <CoreFoundation/CoreFoundation.h>
#endif

#ifndef nil
#define nil NULL
#endif

typedef SInt32 Fixed;
typedef UInt32 UnsignedFixed;
typedef SInt32 Fract;
typedef char *Ptr;
typedef Ptr *Handle;
typedef long Size;
typedef UInt32 ByteCount;
typedef UInt32 ItemCount;
typedef UInt32 OptionBits;

#endif
