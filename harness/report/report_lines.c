// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stdlib.h>

#include "report/notes.h"

void report_line(struct report_lines *lines, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    FILE *stream = report_line_begin(lines);
    if (stream)
        vfprintf(stream, format, arguments);
    va_end(arguments);
    report_line_end(stream);
}

FILE *report_line_begin(struct report_lines *lines)
{
    if (lines->count == REPORT_LINES)
        return NULL;
    lines->text[lines->count] = NULL;
    FILE *stream = open_memstream(&lines->text[lines->count], &lines->size[lines->count]);
    lines->count += stream != NULL;
    return stream;
}

void report_line_end(FILE *stream)
{
    if (stream)
        fclose(stream); // of memory: the line holds what there was room for
}

void report_lines_finish(struct report_lines *lines)
{
    for (size_t i = 0; i < lines->count; ++i)
        free(lines->text[i]);
    lines->count = 0;
}
