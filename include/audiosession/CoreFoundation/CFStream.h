/* SPDX-License-Identifier: Apache-2.0 */
/* CoreFoundation.h includes the toolchain's CFStream.h through this file. A program that includes this file
   first gets all of CoreFoundation. */
#ifndef AUDIOSESSION_COREFOUNDATION_H
#include <CoreFoundation/CoreFoundation.h>
#elif defined(AUDIOSESSION_HAS_COREFOUNDATION)
#pragma GCC system_header
#include_next <CoreFoundation/CFStream.h>
#endif
