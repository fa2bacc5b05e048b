/* SPDX-License-Identifier: Apache-2.0 */
/* The part of Mach that audio programs use: ring buffers that are mapped twice in a row, the clock services, and real-time
   threads. All functions are inline; no library is needed. Ports are numbers without a meaning, except the ports of threads.
   Not supported: messages, other functions for threads, semaphores, and tasks other than the calling one. */
#ifndef AUDIOTOOLBOX_MACH_MACH_H
#define AUDIOTOOLBOX_MACH_MACH_H

#ifndef AUDIOTOOLBOX_AVAILABILITY_H
#include <Availability.h>
#endif
#ifndef AUDIOTOOLBOX_MACH_MACH_TIME_H
#include <mach/mach_time.h>
#endif
#ifndef AUDIOTOOLBOX_MACH_MACH_TYPES_H
#include <mach/mach_types.h>
#endif
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ERR_SUCCESS 0

#define VM_FLAGS_FIXED 0
#define VM_FLAGS_ANYWHERE 1
#define VM_PROT_NONE 0
#define VM_PROT_READ 1
#define VM_PROT_WRITE 2
#define VM_PROT_EXECUTE 4
#define VM_PROT_DEFAULT (VM_PROT_READ | VM_PROT_WRITE)
#define VM_INHERIT_SHARE 0u
#define VM_INHERIT_COPY 1u
#define VM_INHERIT_NONE 2u
#define VM_INHERIT_DEFAULT VM_INHERIT_COPY

/* Returns the calling task. */
static __inline__ task_t mach_task_self(void) { return 1; }

/* Returns the host. */
static __inline__ host_t mach_host_self(void) { return 2; }

/* Has no effect, because a port needs no release. */
static __inline__ kern_return_t mach_port_deallocate(task_t task, mach_port_name_t name) {
    (void)task;
    (void)name;
    return KERN_SUCCESS;
}

/* Returns the name of a result. */
static __inline__ const char *mach_error_string(kern_return_t result) {
    switch (result) {
    case KERN_SUCCESS: return "KERN_SUCCESS";
    case KERN_INVALID_ADDRESS: return "KERN_INVALID_ADDRESS";
    case KERN_NO_SPACE: return "KERN_NO_SPACE";
    case KERN_INVALID_ARGUMENT: return "KERN_INVALID_ARGUMENT";
    case KERN_FAILURE: return "KERN_FAILURE";
    case KERN_INVALID_POLICY: return "KERN_INVALID_POLICY";
    case KERN_NOT_SUPPORTED: return "KERN_NOT_SUPPORTED";
    default: return "unknown result";
    }
}

/* ---- Memory ---- */

/* libc declares mremap, MAP_ANONYMOUS and the other flags only in some language modes. */
extern void *audiotoolbox_mremap_(void *address, unsigned long size, unsigned long new_size, int flags, ...) __asm__("mremap");
#define AUDIOTOOLBOX_MAP_ANONYMOUS_ 0x20
#define AUDIOTOOLBOX_MAP_FIXED_NOREPLACE_ 0x100000
#define AUDIOTOOLBOX_MREMAP_MAYMOVE_FIXED_ 3

#define vm_page_size ((vm_size_t)sysconf(_SC_PAGESIZE))
#define trunc_page(size) ((vm_size_t)(size) & ~(vm_page_size - 1))
#define round_page(size) trunc_page((vm_size_t)(size) + vm_page_size - 1)

/* Maps zeroed pages anywhere, or if `fixed` at *address, which must be free. */
static __inline__ kern_return_t audiotoolbox_map_(vm_address_t *address, vm_size_t size, int fixed, int protection, int sharing) {
    void *wanted = fixed ? (void *)*address : (void *)0;
    void *memory = mmap(
        wanted, size, protection, sharing | AUDIOTOOLBOX_MAP_ANONYMOUS_ | (fixed ? AUDIOTOOLBOX_MAP_FIXED_NOREPLACE_ : 0), -1, 0);
    if (memory == MAP_FAILED) return KERN_NO_SPACE;
    /* A kernel before 4.17 maps elsewhere when the address is in use. */
    if (fixed && memory != wanted) {
        munmap(memory, size);
        return KERN_NO_SPACE;
    }
    *address = (vm_address_t)memory;
    return KERN_SUCCESS;
}

/* Maps zeroed memory: anywhere with VM_FLAGS_ANYWHERE, otherwise at *address. vm_remap can map it again. A child
   of fork shares it. */
static __inline__ kern_return_t vm_allocate(vm_map_t task, vm_address_t *address, vm_size_t size, int flags) {
    (void)task;
    return audiotoolbox_map_(address, size, (flags & VM_FLAGS_ANYWHERE) == 0, PROT_READ | PROT_WRITE, MAP_SHARED);
}

/* Unmaps whole pages. */
static __inline__ kern_return_t vm_deallocate(vm_map_t task, vm_address_t address, vm_size_t size) {
    (void)task;
    return munmap((void *)address, size) == 0 ? KERN_SUCCESS : KERN_INVALID_ADDRESS;
}

/* Maps memory of vm_allocate a second time: anywhere with VM_FLAGS_ANYWHERE, otherwise at *target, which must be
   free. Both addresses have the same pages. A copy is refused. */
static __inline__ kern_return_t vm_remap(vm_map_t task, vm_address_t *target, vm_size_t size, vm_address_t mask, int flags,
    vm_map_t source_task, vm_address_t source, boolean_t copy, vm_prot_t *protection, vm_prot_t *maximum,
    vm_inherit_t inheritance) {
    vm_address_t reserved = *target;
    kern_return_t result;
    (void)task;
    (void)mask;
    (void)source_task;
    (void)inheritance;
    if (copy) return KERN_INVALID_ARGUMENT;
    /* mremap replaces the mapping at its target. Therefore the target is reserved first. */
    result = audiotoolbox_map_(&reserved, size, (flags & VM_FLAGS_ANYWHERE) == 0, PROT_NONE, MAP_PRIVATE);
    if (result != KERN_SUCCESS) return result;
    if (audiotoolbox_mremap_((void *)source, 0, size, AUDIOTOOLBOX_MREMAP_MAYMOVE_FIXED_, (void *)reserved) == MAP_FAILED) {
        munmap((void *)reserved, size);
        return KERN_INVALID_ADDRESS;
    }
    *target = reserved;
    if (protection) *protection = VM_PROT_DEFAULT;
    if (maximum) *maximum = VM_PROT_DEFAULT;
    return KERN_SUCCESS;
}

/* ---- Clocks ---- */

typedef int clock_id_t;
typedef int clock_res_t;
struct mach_timespec {
    unsigned int tv_sec;
    clock_res_t tv_nsec;
};
typedef struct mach_timespec mach_timespec_t;

#define SYSTEM_CLOCK 0
#define CALENDAR_CLOCK 1

/* Finds a clock: SYSTEM_CLOCK is host time, CALENDAR_CLOCK the time since 1970. */
static __inline__ kern_return_t host_get_clock_service(host_t host, clock_id_t id, clock_serv_t *clock) {
    (void)host;
    if (id != SYSTEM_CLOCK && id != CALENDAR_CLOCK) return KERN_INVALID_ARGUMENT;
    *clock = id == SYSTEM_CLOCK ? 1 : 0;
    return KERN_SUCCESS;
}

/* Reads a clock of host_get_clock_service. */
static __inline__ kern_return_t clock_get_time(clock_serv_t clock, mach_timespec_t *time) {
    long now[2] = {0, 0};
    if (audiotoolbox_clock_gettime_((int)clock, now) != 0) return KERN_INVALID_ARGUMENT;
    time->tv_sec = (unsigned int)now[0];
    time->tv_nsec = (clock_res_t)now[1];
    return KERN_SUCCESS;
}

#ifdef __cplusplus
}
#endif

#ifndef AUDIOTOOLBOX_MACH_THREAD_POLICY_H
#include <mach/thread_policy.h>
#endif
#ifndef AUDIOTOOLBOX_MACH_THREAD_INFO_H
#include <mach/thread_info.h>
#endif

#endif
