/* SPDX-License-Identifier: Apache-2.0 */
/* Results of the calls in mach/mach.h and mach/mach_time.h. */
#ifndef AUDIOTOOLBOX_MACH_KERN_RETURN_H
#define AUDIOTOOLBOX_MACH_KERN_RETURN_H

typedef int kern_return_t;

#define KERN_SUCCESS 0
#define KERN_INVALID_ADDRESS 1
#define KERN_NO_SPACE 3
#define KERN_INVALID_ARGUMENT 4
#define KERN_FAILURE 5
#define KERN_INVALID_POLICY 28
#define KERN_NOT_SUPPORTED 46

#endif
