// SPDX-License-Identifier: MIT
#include "import/mesh_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct mesh_lines mesh_lines_make(const char *text, size_t size)
{
    const size_t mark = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    return (struct mesh_lines){.at = text + mark, .end = text + size, .number = 1};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

// Bytes before a comment, which begins a line or stands behind a blank: names may hold the character.
static size_t without_comment(const char *from, size_t length)
{
    for (size_t i = 0; i < length; ++i)
        if (from[i] == '#' && (i == 0 || is_blank(from[i - 1])))
            return i;
    return length;
}

// Appends a part of a line; whether another follows.
static bool add_part(struct mesh_lines *lines, size_t *length)
{
    const size_t whole = strcspn(lines->at, "\r\n");
    size_t part = without_comment(lines->at, whole);
    const bool goes_on = !lines->plain && part == whole && part > 0 && lines->at[part - 1] == '\\';
    if (*length + part + 2 > lines->room) {
        char *larger = memory_new(2 * (*length + part + 2), 1);
        if (lines->text)
            memcpy(larger, lines->text, *length);
        free(lines->text);
        lines->text = larger;
        lines->room = 2 * (*length + part + 2);
    }
    memcpy(lines->text + *length, lines->at, part);
    *length += part;
    if (goes_on)
        lines->text[*length - 1] = ' ';
    lines->at += whole;
    if (*lines->at)
        lines->at += lines->at[0] == '\r' && lines->at[1] == '\n' ? 2 : 1;
    ++lines->parts;
    return goes_on;
}

bool mesh_lines_next(struct mesh_lines *lines)
{
    while (lines->at < lines->end && *lines->at) {
        size_t length = 0, blanks = 0;
        lines->number += lines->parts;
        lines->parts = 0;
        while (add_part(lines, &length) && *lines->at) {
        }
        while (length > 0 && is_blank(lines->text[length - 1]))
            --length;
        while (blanks < length && is_blank(lines->text[blanks]))
            ++blanks;
        memmove(lines->text, lines->text + blanks, length - blanks);
        lines->text[length - blanks] = '\0';
        if (length > blanks)
            return true;
    }
    return false;
}

void mesh_lines_finish(struct mesh_lines *lines)
{
    free(lines->text);
}

char *mesh_word(char **text)
{
    char *word = *text + strspn(*text, " \t");
    char *after = word + strcspn(word, " \t");
    *text = *after ? after + 1 : after;
    *after = '\0';
    return *word ? word : NULL;
}

bool mesh_word_number(char **text, double *number)
{
    char *word = mesh_word(text), *after;
    if (!word)
        return false;
    *number = strtod(word, &after);
    return *after == '\0' && word[strspn(word, "+-.0123456789eE")] == '\0'; // none of C's words and hexadecimal digits
}
