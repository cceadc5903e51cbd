// SPDX-License-Identifier: MIT
#include "report/latex_text.h"

#include <ctype.h>
#include <string.h>

#include "report/utf8.h"

enum { WORD = 16 };

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
    for (uint32_t code; (code = utf8_next(&text));) {
        const char *name = latex_name(code);
        length = code == ' ' ? 0 : length + 1;
        if (name)
            fputs(name, stream);
        else if (code < 0x80)
            fputc((int)code, stream);
        else if (code >= 0xC0 && code <= 0xFF)
            fprintf(stream, "%c%c", (int)(0xC0 | code >> 6), (int)(0x80 | (code & 0x3F)));
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

// Of the letters of Computer Modern, roughly: an em is the font's size.
static double character_width(uint32_t code)
{
    if (isdigit((int)(code & 0x7F)) && code < 0x80)
        return 0.5;
    if (code < 0x80 && strchr(".,:;'|!il() []", (int)code))
        return 0.33;
    if (code < 0x80 && strchr("mwMW%<>=+", (int)code))
        return 0.85;
    return code < 0x80 && isupper((int)code) ? 0.72 : 0.53;
}

double latex_width(const char *text)
{
    double width = 0;
    for (uint32_t code; (code = utf8_next(&text));)
        width += character_width(code);
    return width;
}
