// SPDX-License-Identifier: MIT
// Memory that is given back all at once. Zeroed is an empty one.
#pragma once

#include "base/memory.h"

struct arena {
    struct arena_chunk *chunks;
};

void *arena_new(struct arena *arena, size_t count, size_t size) MEMORY_MINE; // zeroed
char *arena_format(struct arena *arena, const char *format, ...) MEMORY_MINE __attribute__((format(printf, 2, 3)));
// "a, b": `list` with `more` behind it, and `separator` between them unless the list is NULL or empty.
const char *arena_join(struct arena *arena, const char *list, const char *separator, const char *more);
void arena_free(struct arena *arena);

// As ARRAY_ADD, for an array in the arena; an address is good until the next is added.
#define ARENA_ADD(arena, rows, count) ((__typeof__(rows))arena_add(arena, &(rows), &(count), sizeof *(rows)))
void *arena_add(struct arena *arena, void *rows, size_t *count, size_t size) __attribute__((returns_nonnull));
