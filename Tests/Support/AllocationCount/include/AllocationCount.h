/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the calls of malloc, calloc, realloc and aligned_alloc of one thread, and the blocks that it has not freed. */
#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/* False in a build with a sanitizer, which has its own allocator. */
bool allocation_count_is_available(void);
/* The calls of this thread since it began. */
uint64_t allocation_count(void);
/* The blocks that this thread has got since it began, less those that it has freed. */
int64_t allocation_balance(void);

#endif
