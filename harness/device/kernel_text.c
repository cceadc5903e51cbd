// SPDX-License-Identifier: MIT
#include "device/kernel_text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const struct kernel_text *kernel_text_find(const char *name, size_t length)
{
    for (const struct kernel_text *text = kernel_texts; text->name; ++text)
        if (strlen(text->name) == length && memcmp(text->name, name, length) == 0)
            return text;
    return NULL;
}

// A tool's file is named by its build, a variant's lies in the folder of its document.
const struct kernel_text *kernel_text_of(const char *build)
{
    char end[128];
    const size_t tail = (size_t)snprintf(end, sizeof end, "/%s.kernel.h", build);
    for (const struct kernel_text *text = kernel_texts; text->name; ++text) {
        const size_t length = strlen(text->name);
        if (strncmp(text->name, "variants/", 9) == 0 && length > tail && strcmp(text->name + length - tail, end) == 0)
            return text;
    }
    return kernel_text_find(end + 1, tail - 1);
}

const struct kernel_text *kernel_text_included(const char *line)
{
    line += strspn(line, " \t");
    if (*line++ != '#')
        return NULL;
    line += strspn(line, " \t");
    if (strncmp(line, "include", 7) != 0)
        return NULL;
    line += 7 + strspn(line + 7, " \t");
    return *line == '"' ? kernel_text_find(line + 1, strcspn(line + 1, "\"\n")) : NULL;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool kernel_text_reads(const char *text, const char *option)
{
    static const char call[] = "CONFIG(";
    const size_t length = strlen(option);
    for (const char *place = text; (place = strstr(place, call)); place += strlen(call)) {
        const char *end = place + strlen(call), *last = end;
        for (int depth = 1; *end && (depth += (*end == '(') - (*end == ')')) > 0; ++end)
            if (*end == ',')
                last = end + 1;
        last += strspn(last, " \t\n");
        if (!strncmp(last, option, length) && !is_word(last[length]))
            return true;
    }
    return false;
}

bool kernel_text_counts(const struct kernel_text *text, bool counting)
{
    const char *end = strrchr(text->name, '.');
    return !end || strcmp(end, ".def") != 0 || (counting && !strcmp(text->name, "lib/counts.def"));
}
