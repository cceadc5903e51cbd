// SPDX-License-Identifier: MIT
#include "report/write/escape.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

// The command that a sentence ends with; NULL where there is none.
static const char *command_in(const char *text)
{
    const char *own = strstr(text, "warpstudy ");
    return own ? own : strstr(text, "sudo ");
}

// ---- text

void text_wrapped(const char *text, size_t column, size_t indent, FILE *stream)
{
    const bool whole = command_in(text) != NULL;
    bool first = true; // on its line
    while (*text) {
        const size_t length = strcspn(text, " ");
        if (!whole && !first && column + 1 + length > TEXT_WIDTH) {
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

// ---- Markdown

void markdown_text(const char *text, FILE *stream)
{
    for (; text && *text; ++text) {
        if (strchr("|*_<>\\[]`", *text))
            fputc('\\', stream);
        fputc((unsigned char)*text < 0x20 ? ' ' : *text, stream); // a line break would end the cell
    }
}

void markdown_sentence(const char *text, FILE *stream)
{
    const char *command = command_in(text);
    if (!command || strchr(command, '`')) {
        markdown_text(text, stream);
        return;
    }
    fprintf(stream, "%.*s`%s`", (int)(command - text), text, command);
}

// ---- CSV

void csv_text(const char *text, FILE *stream)
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

// ---- HTML

// Up to `end`; NULL: all of it.
static void html_part(const char *text, const char *end, FILE *stream)
{
    const char *from = text;
    for (uint32_t code; text && text != end && (code = utf8_next(&text)); from = text) {
        switch (code) {
        case '<': fputs("&lt;", stream); break;
        case '>': fputs("&gt;", stream); break;
        case '&': fputs("&amp;", stream); break;
        case '"': fputs("&quot;", stream); break;
        case '\'': fputs("&#39;", stream); break;
        case ' ': fputc(' ', stream); break;
        case UTF8_REPLACEMENT: fputs("\xEF\xBF\xBD", stream); break;
        default: fwrite(from, 1, (size_t)(text - from), stream);
        }
    }
}

void html_text(const char *text, FILE *stream)
{
    html_part(text, NULL, stream);
}

void html_attribute(const char *name, const char *text, FILE *stream)
{
    if (!text || !text[0])
        return;
    fprintf(stream, " %s=\"", name);
    html_text(text, stream);
    fputc('"', stream);
}

void html_sentence(const char *text, FILE *stream)
{
    const char *command = command_in(text);
    html_part(text, command, stream);
    fputs(command ? "<code>" : "", stream);
    html_text(command, stream);
    fputs(command ? "</code>" : "", stream);
}

// ---- LaTeX

enum { WORD = 16 }; // characters of a word before it may be broken

// Characters that mean something to LaTeX, or that its fonts have under another name.
static const struct {
    uint32_t code;
    const char *latex;
} latex_characters[] = {
    {'\\', "\\textbackslash{}"},
    {'{', "\\{"},
    {'}', "\\}"},
    {'$', "\\$"},
    {'&', "\\&"},
    {'#', "\\#"},
    {'%', "\\%"},
    {'_', "\\_"},
    {'^', "\\textasciicircum{}"},
    {'~', "\\textasciitilde{}"},
    {'<', "\\textless{}"},
    {'>', "\\textgreater{}"},
    {'|', "\\textbar{}"},
    {'"', "''"},
    {'\'', "'"},
    {'`', "\\`{}"},
    {'[', "{[}"},
    {']', "{]}"},
    {0x00B0, "$^\\circ$"},
    {0x00B1, "$\\pm$"},
    {0x00B2, "$^2$"},
    {0x00B3, "$^3$"},
    {0x00B5, "$\\mu$"},
    {0x00B7, "$\\cdot$"},
    {0x00D7, "$\\times$"},
    {0x00F7, "$\\div$"},
    {0x2013, "--"},
    {0x2014, "---"},
    {0x2018, "`"},
    {0x2019, "'"},
    {0x201C, "``"},
    {0x201D, "''"},
    {0x2026, "\\ldots{}"},
    {0x2192, "$\\rightarrow$"},
    {0x2212, "$-$"},
    {0x2248, "$\\approx$"},
    {0x2260, "$\\neq$"},
    {0x2264, "$\\leq$"},
    {0x2265, "$\\geq$"},
};

static const char *latex_name(uint32_t code)
{
    for (size_t i = 0; i < sizeof latex_characters / sizeof *latex_characters; ++i)
        if (latex_characters[i].code == code)
            return latex_characters[i].latex;
    return NULL;
}

void latex_text(const char *text, FILE *stream)
{
    size_t length = 0; // of the word so far: paths are broken, short words are not
    const char *from = text;
    for (uint32_t code; text && (code = utf8_next(&text)); from = text) {
        const char *name = latex_name(code);
        length = code == ' ' ? 0 : length + 1;
        if (name)
            fputs(name, stream);
        else if (code < 0x80)
            fputc((int)code, stream);
        else if (code >= 0xC0 && code <= 0xFF)
            fwrite(from, 1, (size_t)(text - from), stream);
        else
            fprintf(stream, "{[}U+%04X{]}", (unsigned)code);
        if (length > WORD && code < 0x80 && !isalnum((int)code))
            fputs("\\allowbreak{}", stream);
    }
}

void latex_comment(const char *text, FILE *stream)
{
    for (; *text; ++text)
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, stream);
}
