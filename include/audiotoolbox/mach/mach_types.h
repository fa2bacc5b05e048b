/* SPDX-License-Identifier: Apache-2.0 */
/* The basic types of Mach. */
#ifndef AUDIOTOOLBOX_MACH_MACH_TYPES_H
#define AUDIOTOOLBOX_MACH_MACH_TYPES_H

#include <stdint.h>

typedef int boolean_t;
typedef int integer_t;
typedef unsigned int natural_t;
typedef natural_t mach_msg_type_number_t;

typedef unsigned int mach_port_t;
typedef mach_port_t mach_port_name_t;
typedef mach_port_t task_t;
typedef mach_port_t vm_map_t;
typedef mach_port_t host_t;
typedef mach_port_t clock_serv_t;
typedef mach_port_t thread_t;
typedef mach_port_t thread_act_t;
typedef mach_port_t thread_port_t;

typedef uintptr_t vm_address_t;
typedef uintptr_t vm_offset_t;
typedef uintptr_t vm_size_t;
typedef int vm_prot_t;
typedef unsigned int vm_inherit_t;

#define MACH_PORT_NULL 0

#endif
