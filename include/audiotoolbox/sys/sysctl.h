/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about the machine and the kernel, by their names on the platform. The values are those of Linux: hw.machine is the
   processor, such as x86_64, and kern.osrelease the release of Linux. A program that derives a model or a release of the platform
   from them needs a line for Linux. Other names do not exist, and no value can be set. All functions are inline; no library is
   needed. */
#ifndef AUDIOTOOLBOX_SYS_SYSCTL_H
#define AUDIOTOOLBOX_SYS_SYSCTL_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CTL_KERN 1
#define CTL_HW 6

#define KERN_OSTYPE 1
#define KERN_OSRELEASE 2
#define KERN_VERSION 4
#define KERN_HOSTNAME 10

#define HW_MACHINE 1
#define HW_NCPU 3
#define HW_PAGESIZE 7
#define HW_MEMSIZE 24
#define HW_AVAILCPU 25

/* Copies a value. Without room for it: ENOMEM, and as much of it as fits. */
static __inline__ int audiotoolbox_sysctl_copy_(const void *value, size_t size, void *old, size_t *room) {
    size_t copied = size;
    if (!room) return 0;
    if (old) {
        if (copied > *room) copied = *room;
        memcpy(old, value, copied);
    }
    *room = copied;
    if (copied == size) return 0;
    errno = ENOMEM;
    return -1;
}

static __inline__ int audiotoolbox_sysctl_int_(long value, void *old, size_t *room) {
    int number = (int)value;
    return audiotoolbox_sysctl_copy_(&number, sizeof number, old, room);
}

static __inline__ int audiotoolbox_sysctl_text_(const char *text, void *old, size_t *room) {
    return audiotoolbox_sysctl_copy_(text, strlen(text) + 1, old, room);
}

/* Writes a value, and its size to *oldlenp, which is the room in oldp on entry. With oldp NULL it writes the size only. -1: errno is
   ENOENT for another name, ENOMEM without room, EPERM with a new value. */
static __inline__ int sysctl(int *name, unsigned int namelen, void *oldp, size_t *oldlenp, void *newp, size_t newlen) {
    struct utsname system;
    uint64_t memory;
    (void)newlen;
    if (newp) {
        errno = EPERM;
        return -1;
    }
    if (uname(&system) != 0) return -1;
    switch (name && namelen == 2 ? name[0] << 8 | name[1] : 0) {
    case CTL_KERN << 8 | KERN_OSTYPE: return audiotoolbox_sysctl_text_(system.sysname, oldp, oldlenp);
    case CTL_KERN << 8 | KERN_OSRELEASE: return audiotoolbox_sysctl_text_(system.release, oldp, oldlenp);
    case CTL_KERN << 8 | KERN_VERSION: return audiotoolbox_sysctl_text_(system.version, oldp, oldlenp);
    case CTL_KERN << 8 | KERN_HOSTNAME: return audiotoolbox_sysctl_text_(system.nodename, oldp, oldlenp);
    case CTL_HW << 8 | HW_MACHINE: return audiotoolbox_sysctl_text_(system.machine, oldp, oldlenp);
    case CTL_HW << 8 | HW_NCPU: return audiotoolbox_sysctl_int_(sysconf(_SC_NPROCESSORS_CONF), oldp, oldlenp);
    case CTL_HW << 8 | HW_AVAILCPU: return audiotoolbox_sysctl_int_(sysconf(_SC_NPROCESSORS_ONLN), oldp, oldlenp);
    case CTL_HW << 8 | HW_PAGESIZE: return audiotoolbox_sysctl_int_(sysconf(_SC_PAGESIZE), oldp, oldlenp);
    case CTL_HW << 8 | HW_MEMSIZE:
        memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
        return audiotoolbox_sysctl_copy_(&memory, sizeof memory, oldp, oldlenp);
    default: errno = ENOENT; return -1;
    }
}

/* sysctl by the name of the value. */
static __inline__ int sysctlbyname(const char *name, void *oldp, size_t *oldlenp, void *newp, size_t newlen) {
    static const struct {
        const char *name;
        int numbers[2];
    } values[] = {{"kern.ostype", {CTL_KERN, KERN_OSTYPE}}, {"kern.osrelease", {CTL_KERN, KERN_OSRELEASE}},
        {"kern.version", {CTL_KERN, KERN_VERSION}}, {"kern.hostname", {CTL_KERN, KERN_HOSTNAME}},
        {"hw.machine", {CTL_HW, HW_MACHINE}}, {"hw.ncpu", {CTL_HW, HW_NCPU}}, {"hw.logicalcpu_max", {CTL_HW, HW_NCPU}},
        {"hw.activecpu", {CTL_HW, HW_AVAILCPU}}, {"hw.logicalcpu", {CTL_HW, HW_AVAILCPU}}, {"hw.pagesize", {CTL_HW, HW_PAGESIZE}},
        {"hw.memsize", {CTL_HW, HW_MEMSIZE}}};
    size_t index;
    int numbers[2] = {0, 0};
    for (index = 0; name && index < sizeof values / sizeof *values; index++)
        if (strcmp(values[index].name, name) == 0) memcpy(numbers, values[index].numbers, sizeof numbers);
    return sysctl(numbers, 2, oldp, oldlenp, newp, newlen);
}

#ifdef __cplusplus
}
#endif

#endif
