/* SPDX-License-Identifier: Apache-2.0 */
#include "AllocationCount.h"

#include <errno.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

static __thread uint64_t calls __attribute__((tls_model("initial-exec")));
static __thread int64_t balance __attribute__((tls_model("initial-exec")));

uint64_t allocation_count(void) { return calls; }
int64_t allocation_balance(void) { return balance; }

#ifdef SANITIZED
bool allocation_count_is_available(void) { return false; }
#else
/* The definitions of a program replace those of the C library, which stay reachable by these names. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

bool allocation_count_is_available(void) { return true; }

static void *counted(void *memory) {
    calls++;
    balance += memory != NULL;
    return memory;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }

void *realloc(void *memory, size_t size) {
    bool is_new = memory == NULL;
    void *result = __libc_realloc(memory, size);
    calls++;
    if (is_new) balance += result != NULL;
    /* A size of 0 frees the block. */
    if (!is_new && !result && size == 0) balance--;
    return result;
}

void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = counted(__libc_memalign(alignment, size));
    return *memory ? 0 : ENOMEM;
}

void free(void *memory) {
    balance -= memory != NULL;
    __libc_free(memory);
}
#endif
