// SPDX-License-Identifier: MIT
// Memory of the host. Where there is none left the program says so and ends with code 2: no caller looks for NULL.
// (A worker that ends so is reported by its coordinator like any that crashed.) All of it is given back with free().
// What may be wanted too large, as by a scene or an image that somebody asked for, and memory of devices, fail as errors.
#pragma once

#include <stdio.h>

#include "base/error.h"

#define MEMORY_MINE __attribute__((returns_nonnull, malloc, warn_unused_result))

// `count` zeroed elements of `size` bytes; of none, too.
void *memory_new(size_t count, size_t size) MEMORY_MINE;
char *memory_copy(const char *text) __attribute__((malloc, warn_unused_result)); // of NULL: NULL
char *memory_format(const char *format, ...) MEMORY_MINE __attribute__((format(printf, 1, 2)));
char *memory_format_list(const char *format, va_list arguments) MEMORY_MINE __attribute__((format(printf, 1, 0)));

// What another library allocated, unless it is NULL.
void *memory_got(void *memory) __attribute__((returns_nonnull));

// What may be wanted too large; `what` is as in error_memory().
// `count` zeroed elements of `size` bytes; of none, too. NULL, and ERROR_SYSTEM, where there is no memory for them.
void *memory_try(size_t count, size_t size, struct error *error, const char *what, ...)
    __attribute__((malloc, warn_unused_result, format(printf, 4, 5)));
// Gives the array whose address is `rows` so many elements, the new ones not zeroed. False and ERROR_SYSTEM without memory; the
// array is then as it was.
bool memory_resize(void *rows, size_t count, size_t size, struct error *error, const char *what, ...)
    __attribute__((format(printf, 5, 6)));

// A stream whose text is *text, and its length *size, when it is closed.
FILE *memory_stream(char **text, size_t *size) __attribute__((returns_nonnull));
void memory_close(FILE *stream);

// One zeroed element more at the end of a growing array, which begins as NULL with a count (a size_t) of 0: its
// address. How much room there is follows from the count alone.
#define ARRAY_ADD(rows, count) ((__typeof__(rows))memory_add(&(rows), &(count), sizeof *(rows)))
void *memory_add(void *rows, size_t *count, size_t size) __attribute__((returns_nonnull));

// The element of an array whose first member, a text, is `name`; NULL where there is none.
#define ARRAY_FIND(rows, count, name) ((__typeof__(rows))memory_find(rows, count, sizeof *(rows), name))
void *memory_find(const void *rows, size_t count, size_t size, const char *name);

// A static analyser sees one file at a time: tell it that this never returns NULL.
#ifdef __clang_analyzer__
static inline void *memory_is(void *memory)
{
    if (!memory)
        __builtin_unreachable();
    return memory;
}
#define memory_new(...) memory_is((memory_new)(__VA_ARGS__))
#endif
