// SPDX-License-Identifier: MIT
#include "base/shell.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void shell_put(const char *word, FILE *stream)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
    if (word[0] && !word[strspn(word, plain)]) {
        fputs(word, stream);
        return;
    }
    fputc('\'', stream);
    for (; *word; ++word)
        *word == '\'' ? fputs("'\\''", stream) : fputc(*word, stream);
    fputc('\'', stream);
}

void shell_word(const char *word, char *text, size_t size)
{
    char *whole;
    size_t length;
    FILE *stream = memory_stream(&whole, &length);
    shell_put(word, stream);
    memory_close(stream);
    snprintf(text, size, "%s", whole);
    free(whole);
}
