/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of one answer or one state, which is freed at once. */
#ifndef ARENA_H
#define ARENA_H

#include <stddef.h>

struct arena_block;

/* All zero: empty. */
struct arena {
    struct arena_block *blocks;
    int is_exhausted; /* an allocation has failed */
};

/* Zeroed memory. NULL, and is_exhausted, without memory. */
void *arena_zeroed(struct arena *arena, size_t count, size_t size);
/* A copy; NULL for NULL. */
const char *arena_copy(struct arena *arena, const char *text);
/* A copy in which bytes that are not UTF-8 are replaced. */
const char *arena_text(struct arena *arena, const char *text);
const char *arena_format(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
void arena_free(struct arena *arena);

#endif
