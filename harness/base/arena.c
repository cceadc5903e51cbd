// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16, ALIGNMENT = 16, ROOM = 8 }; // ROOM: of the smallest array; then each power of two

struct arena_chunk {
    struct arena_chunk *next;
    size_t used, size;
    _Alignas(max_align_t) char bytes[];
};

void *arena_new(struct arena *arena, size_t count, size_t size)
{
    struct arena_chunk *chunk = arena->chunks;
    const size_t wanted = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!chunk || chunk->size - chunk->used < wanted) {
        const size_t room = wanted > CHUNK ? wanted : CHUNK;
        chunk = memory_new(1, sizeof *chunk + room);
        chunk->size = room;
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    chunk->used += wanted;
    return chunk->bytes + chunk->used - wanted;
}

char *arena_format(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *made = memory_format_list(format, arguments);
    va_end(arguments);
    const size_t size = strlen(made) + 1;
    char *text = memcpy(arena_new(arena, size, 1), made, size);
    free(made);
    return text;
}

const char *arena_join(struct arena *arena, const char *list, const char *separator, const char *more)
{
    return list && list[0] ? arena_format(arena, "%s%s%s", list, separator, more) : more;
}

void arena_free(struct arena *arena)
{
    for (struct arena_chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    arena->chunks = NULL;
}

void *arena_add(struct arena *arena, void *rows, size_t *count, size_t size)
{
    char *array;
    memcpy(&array, rows, sizeof array);
    const size_t full = *count;
    if (!full || (full >= ROOM && !(full & (full - 1)))) {
        char *more = arena_new(arena, full ? 2 * full : ROOM, size);
        array = full ? memcpy(more, array, full * size) : more;
        memcpy(rows, &array, sizeof array);
    }
    return memset(array + (*count)++ * size, 0, size);
}
