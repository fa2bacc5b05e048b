/* SPDX-License-Identifier: Apache-2.0 */
/* qemu-user 7.2 returns 0 for madvise(MADV_WIPEONFORK), and wipes nothing. A child of fork() would then have the session of its
   parent. This function comes before that of the C library in the programs of the tests, and wipes in the child. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_AREAS = 16 };
static struct {
    void *start;
    size_t size;
} areas[MOST_AREAS];
static int count;

static void wipe(void) {
    for (int i = 0; i < count; i++) memset(areas[i].start, 0, areas[i].size);
}

/* The handlers in the child run in the order of their installation: this one comes first. */
__attribute__((constructor(101))) static void install(void) { pthread_atfork(NULL, NULL, wipe); }

__attribute__((visibility("default"))) int madvise(void *start, size_t size, int advice) {
    if (advice != MADV_WIPEONFORK || count == MOST_AREAS) return (int)syscall(SYS_madvise, start, size, advice);
    areas[count].start = start;
    areas[count++].size = size;
    return 0;
}
