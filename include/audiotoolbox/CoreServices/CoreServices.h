/* SPDX-License-Identifier: Apache-2.0 */
/* The platform's devices have little in this header. Includes CoreFoundation and the basic types. Not supported: the types of files
   (kUTTypeAudio), and the file system and the threads of a Mac. */
#ifndef AUDIOTOOLBOX_CORESERVICES_H
#define AUDIOTOOLBOX_CORESERVICES_H
#define __CORESERVICES__ /* the guard of the platform's header */

#include <CoreFoundation/CoreFoundation.h>
#include <MacTypes.h>

#endif
