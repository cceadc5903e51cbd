// SPDX-License-Identifier: MIT
#include "base/utf8.h"

#include <string.h>

// Bytes of the sequence that begins so; 0 for none.
static int sequence_length(unsigned char first)
{
    return first < 0x80                    ? 1
           : first >= 0xC2 && first < 0xE0 ? 2
           : first >= 0xE0 && first < 0xF0 ? 3
           : first >= 0xF0 && first < 0xF5 ? 4
                                           : 0;
}

// Whether a character is written so: not longer than it needs, no half of a pair, none beyond the last.
static int valid(uint32_t code, int length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    return code >= least[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

// C1, and the marks, embeddings, overrides and isolates of text that runs both ways.
static int is_control(uint32_t code)
{
    return (code >= 0x80 && code < 0xA0) || code == 0x061C || code == 0x200E || code == 0x200F ||
           (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

uint32_t utf8_next(const char **text)
{
    const unsigned char *bytes = (const unsigned char *)*text;
    const int length = sequence_length(bytes[0]);
    if (!bytes[0])
        return 0;
    ++*text;
    if (bytes[0] == '\t' || bytes[0] == '\n' || bytes[0] == '\r')
        return ' ';
    if (length == 0 || bytes[0] < 0x20 || bytes[0] == 0x7F)
        return UTF8_REPLACEMENT;
    uint32_t code = length == 1 ? bytes[0] : bytes[0] & (0x7Fu >> length);
    for (int i = 1; i < length; ++i) {
        if ((bytes[i] & 0xC0) != 0x80)
            return UTF8_REPLACEMENT;
        code = code << 6 | (bytes[i] & 0x3F);
    }
    if (!valid(code, length))
        return UTF8_REPLACEMENT;
    *text += length - 1;
    if (code == 0x2028 || code == 0x2029) // line and paragraph separator
        return ' ';
    return is_control(code) ? (uint32_t)UTF8_REPLACEMENT : code;
}

// Of what utf8_next replaces a `?` is left, in place: nothing in the text speaks to a terminal. text[count] is 0; returns the
// new count, which is no larger. `breaks`: line ends and tabs stay.
static size_t utf8_make_safe(char *text, size_t count, bool breaks)
{
    const char *from = text, *const end = text + count;
    char *to = text;
    while (from < end) {
        const char *begin = from;
        const uint32_t code = utf8_next(&from);
        from += !code; // a zero byte
        if (breaks && (*begin == '\n' || *begin == '\t'))
            *to++ = *begin;
        else if (!code || code == UTF8_REPLACEMENT || code == ' ')
            *to++ = code == ' ' ? ' ' : '?';
        else
            while (begin < from)
                *to++ = *begin++;
    }
    return (size_t)(to - text);
}

void utf8_line(char *text)
{
    if (text)
        text[utf8_make_safe(text, strlen(text), false)] = 0;
}

void utf8_print(const char *text, FILE *stream)
{
    while (*text) {
        const char *begin = text;
        const uint32_t code = utf8_next(&text);
        if (code == UTF8_REPLACEMENT)
            fputc('?', stream);
        else if (code == ' ' && *begin != '\n' && *begin != '\t')
            fputc(' ', stream);
        else
            fwrite(begin, 1, (size_t)(text - begin), stream);
    }
}
