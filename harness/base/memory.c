// SPDX-License-Identifier: MIT
#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *found(void *memory)
{
    static const char words[] = "warpstudy: out of memory\n";
    if (memory)
        return memory;
    const ssize_t told = write(2, words, sizeof words - 1);
    _exit(told < 0 ? 3 : 2); // whatever is to be undone at the end may want memory
}

void *(memory_new)(size_t count, size_t size)
{
    return found(calloc(count ? count : 1, size));
}

char *memory_copy(const char *text)
{
    return text ? found(strdup(text)) : NULL;
}

char *memory_format(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = memory_format_list(format, arguments);
    va_end(arguments);
    return text;
}

char *memory_format_list(const char *format, va_list arguments)
{
    char *text = NULL;
    return found(vasprintf(&text, format, arguments) < 0 ? NULL : text);
}

FILE *memory_stream(char **text, size_t *size)
{
    return found(open_memstream(text, size));
}

void memory_close(FILE *stream)
{
    found(fclose(stream) == 0 ? stream : NULL);
}

enum { ROOM = 8 }; // of the smallest array; then each power of two

void *memory_add(void *rows, size_t *count, size_t size)
{
    unsigned char *array;
    memcpy(&array, rows, sizeof array);
    const size_t full = *count, more = full ? 2 * full : ROOM;
    if (!full || (full >= ROOM && !(full & (full - 1)))) {
        array = found(more <= SIZE_MAX / size ? realloc(array, more * size) : NULL);
        memcpy(rows, &array, sizeof array);
    }
    return memset(array + (*count)++ * size, 0, size);
}

void *memory_find(const void *rows, size_t count, size_t size, const char *name)
{
    for (const char *row = rows; count--; row += size)
        if (!strcmp(*(const char *const *)(const void *)row, name))
            return (void *)(uintptr_t)row;
    return NULL;
}
