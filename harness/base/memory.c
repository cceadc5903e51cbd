// SPDX-License-Identifier: MIT
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *memory_got(void *memory)
{
    static const char words[] = "warpstudy: out of memory\n";
    if (memory)
        return memory;
    const ssize_t told = write(2, words, sizeof words - 1);
    _exit(told < 0 ? 3 : 2); // whatever is to be undone at the end may want memory
}

void *(memory_new)(size_t count, size_t size)
{
    return memory_got(calloc(count ? count : 1, size));
}

char *memory_copy(const char *text)
{
    return text ? memory_got(strdup(text)) : NULL;
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
    return memory_got(vasprintf(&text, format, arguments) < 0 ? NULL : text);
}

void *memory_try(size_t count, size_t size, struct error *error, const char *what, ...)
{
    size_t bytes;
    void *memory = __builtin_mul_overflow(count ? count : 1, size, &bytes) ? NULL : calloc(1, bytes);
    va_list arguments;
    va_start(arguments, what);
    if (!memory)
        error_memory_list(error, what, arguments);
    va_end(arguments);
    return memory;
}

bool memory_resize(void *rows, size_t count, size_t size, struct error *error, const char *what, ...)
{
    void *array;
    size_t bytes;
    va_list arguments;
    va_start(arguments, what);
    memcpy(&array, rows, sizeof array);
    array = __builtin_mul_overflow(count ? count : 1, size, &bytes) ? NULL : realloc(array, bytes);
    if (array)
        memcpy(rows, &array, sizeof array);
    else
        error_memory_list(error, what, arguments);
    va_end(arguments);
    return array != NULL;
}

FILE *memory_stream(char **text, size_t *size)
{
    return memory_got(open_memstream(text, size));
}

void memory_close(FILE *stream)
{
    memory_got(fclose(stream) == 0 ? stream : NULL);
}

enum { ROOM = 8 }; // of the smallest array; then each power of two

void *memory_add(void *rows, size_t *count, size_t size)
{
    unsigned char *array;
    memcpy(&array, rows, sizeof array);
    const size_t full = *count, more = full ? 2 * full : ROOM;
    if (!full || (full >= ROOM && !(full & (full - 1)))) {
        array = memory_got(more <= SIZE_MAX / size ? realloc(array, more * size) : NULL);
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
