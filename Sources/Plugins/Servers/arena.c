/* SPDX-License-Identifier: Apache-2.0 */
#include "arena.h"

#include <pulse/utf8.h>
#include <pulse/xmalloc.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_block {
    struct arena_block *next;
    size_t used, size;
    _Alignas(max_align_t) char bytes[];
};

enum { BLOCK = 4096, ALIGNMENT = _Alignof(max_align_t) };

static struct arena_block *add_block(struct arena *arena, size_t bytes) {
    size_t size = bytes > BLOCK ? bytes : BLOCK;
    struct arena_block *block = calloc(1, sizeof *block + size);
    if (!block) {
        arena->is_exhausted = 1;
        return NULL;
    }
    block->size = size;
    block->next = arena->blocks;
    return arena->blocks = block;
}

void *arena_zeroed(struct arena *arena, size_t count, size_t size) {
    if (size && count > (SIZE_MAX / 2) / size) {
        arena->is_exhausted = 1;
        return NULL;
    }
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct arena_block *block = arena->blocks;
    if (!block || block->size - block->used < bytes) block = add_block(arena, bytes);
    if (!block) return NULL;
    block->used += bytes;
    return block->bytes + block->used - bytes;
}

static const char *copy(struct arena *arena, const char *text, size_t length) {
    char *result = arena_zeroed(arena, length + 1, 1);
    return result ? memcpy(result, text, length) : NULL;
}

const char *arena_copy(struct arena *arena, const char *text) { return text ? copy(arena, text, strlen(text)) : NULL; }

const char *arena_text(struct arena *arena, const char *text) {
    if (!text || pa_utf8_valid(text)) return arena_copy(arena, text);
    char *repaired = pa_utf8_filter(text);
    const char *result = arena_copy(arena, repaired);
    pa_xfree(repaired);
    return result;
}

const char *arena_format(struct arena *arena, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *result = length < 0 ? NULL : arena_zeroed(arena, (size_t)length + 1, 1);
    if (result) vsnprintf(result, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return result;
}

void arena_free(struct arena *arena) {
    while (arena->blocks) {
        struct arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    arena->is_exhausted = 0;
}
