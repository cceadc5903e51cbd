// SPDX-License-Identifier: MIT
#include "report/report_text.h"

#include <stdbool.h>
#include <string.h>

#include "report/table.h"

void report_put_wrapped(const char *text, size_t column, size_t indent, FILE *stream)
{
    const bool whole = strstr(text, "warpstudy ") != NULL;
    bool first = true; // on its line
    while (*text) {
        const size_t length = strcspn(text, " ");
        if (!whole && !first && column + 1 + length > REPORT_WIDTH) {
            fprintf(stream, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', stream);
            ++column;
        }
        for (size_t i = 0; i < length; ++i) // what would end the line, or tell the terminal something, is a blank
            fputc((unsigned char)text[i] < 0x20 || text[i] == 0x7F ? ' ' : text[i], stream);
        first = false;
        column += length;
        text += length + (text[length] == ' ');
    }
    fputc('\n', stream);
}

void report_put_markdown(const char *text, FILE *stream)
{
    for (; *text; ++text) {
        if (strchr("|*_<>\\[]`", *text))
            fputc('\\', stream);
        fputc((unsigned char)*text < 0x20 ? ' ' : *text, stream); // a line break would end the cell
    }
}

void report_put_csv(const char *text, FILE *stream)
{
    if (!text[strcspn(text, ",\"\r\n")]) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; ++text) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}
