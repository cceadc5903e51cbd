// SPDX-License-Identifier: MIT
#include "report/html_text.h"

#include <ctype.h>
#include <string.h>

#include "report/utf8.h"

static void put_character(uint32_t code, FILE *stream)
{
    if (code < 0x80)
        fputc((int)code, stream);
    else if (code < 0x800)
        fprintf(stream, "%c%c", (int)(0xC0 | code >> 6), (int)(0x80 | (code & 0x3F)));
    else if (code < 0x10000)
        fprintf(stream, "%c%c%c", (int)(0xE0 | code >> 12), (int)(0x80 | (code >> 6 & 0x3F)),
                (int)(0x80 | (code & 0x3F)));
    else
        fprintf(stream, "%c%c%c%c", (int)(0xF0 | code >> 18), (int)(0x80 | (code >> 12 & 0x3F)),
                (int)(0x80 | (code >> 6 & 0x3F)), (int)(0x80 | (code & 0x3F)));
}

void html_text(const char *text, FILE *stream)
{
    for (uint32_t code; (code = utf8_next(&text));) {
        switch (code) {
        case '<': fputs("&lt;", stream); break;
        case '>': fputs("&gt;", stream); break;
        case '&': fputs("&amp;", stream); break;
        case '"': fputs("&quot;", stream); break;
        case '\'': fputs("&#39;", stream); break;
        default: put_character(code, stream);
        }
    }
}

void html_attribute(const char *name, const char *text, FILE *stream)
{
    if (!text[0])
        return;
    fprintf(stream, " %s=\"", name);
    html_text(text, stream);
    fputc('"', stream);
}

void html_sentence(const char *text, FILE *stream)
{
    const char *command = strstr(text, "warpstudy ");
    char before[2000];
    if (!command || (size_t)(command - text) >= sizeof before) {
        html_text(text, stream);
        return;
    }
    snprintf(before, sizeof before, "%.*s", (int)(command - text), text);
    html_text(before, stream);
    fputs("<code>", stream);
    html_text(command, stream);
    fputs("</code>", stream);
}

void html_name(const char *text, FILE *stream)
{
    for (; *text; ++text)
        fputc(isalnum((unsigned char)*text) || strchr("-_.", *text) ? *text : '_', stream);
}
