// SPDX-License-Identifier: MIT
#include "commands/text_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/terminal.h"
#include "report/write/escape.h"
#include "base/utf8.h"

static void add_cell(struct text_table *table, const char *text, bool number)
{
    *ARRAY_ADD(table->cells, table->count) = (struct text_cell){memory_copy(text), number};
}

static void count_rows(struct text_table *table)
{
    if (!table->columns)
        table->columns = table->count;
    table->rows = table->columns ? table->count / table->columns : 0;
}

void text_table_add(struct text_table *table, const char *format, ...)
{
    static const char end[] = "\x1F"; // of a cell: arguments may have tabs of their own
    char *cells = memory_copy(format), *place = cells;
    while ((place = strchr(place, '\t')))
        *place = end[0];
    va_list arguments;
    va_start(arguments, format);
    char *text = memory_format_list(cells, arguments);
    va_end(arguments);
    for (place = text; place;)
        add_cell(table, strsep(&place, end), false);
    count_rows(table);
    free(cells);
    free(text);
}

// The fewest digits, from 15 on, that read back as the same number.
static void format_exactly(double real, char *text, size_t size)
{
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(text, size, "%.*g", digits, real);
        if (strtod(text, NULL) == real)
            return;
    }
}

// NULL for NULL; a number is written into `text`.
static const char *value_text(const struct store_value *value, bool exact, char text[64])
{
    if (value->type == STORE_NULL || value->type == STORE_TEXT)
        return value->text;
    if (value->type == STORE_INTEGER)
        snprintf(text, 64, "%lld", (long long)value->integer);
    else if (exact)
        format_exactly(value->real, text, 64);
    else
        snprintf(text, 64, "%.6g", value->real);
    return text;
}

bool text_table_visit(void *context, const struct store_row *row)
{
    struct text_table *table = context;
    for (size_t i = table->count ? row->count : 0; i < row->count; ++i)
        add_cell(table, row->names[i], false);
    count_rows(table);
    for (size_t i = 0; i < row->count; ++i) {
        const struct store_value *value = &row->values[i];
        char number[64];
        add_cell(table, value_text(value, table->exact, number),
                 value->type == STORE_INTEGER || value->type == STORE_REAL);
    }
    count_rows(table);
    return true;
}

// ---- printing

// Columns that a text takes: its characters, not its bytes.
static size_t text_width(const char *text, size_t bytes)
{
    size_t width = 0;
    for (size_t i = 0; i < bytes; ++i)
        width += ((unsigned char)text[i] & 0xc0) != 0x80;
    return width;
}

static size_t column_width(const struct text_table *table, size_t column)
{
    size_t width = 1;
    for (size_t row = 0; row < table->rows; ++row) {
        const char *text = table->cells[row * table->columns + column].text;
        const size_t cell = text ? text_width(text, strlen(text)) : 0;
        width = cell > width ? cell : width;
    }
    return width;
}

// A head stands over its numbers as they stand.
static bool has_numbers(const struct text_table *table, size_t column)
{
    for (size_t row = 1; row < table->rows; ++row)
        if (table->cells[row * table->columns + column].number)
            return true;
    return false;
}

// Heads are bold, and these words coloured, where the terminal shows colours: what went wrong red, what needs a look
// yellow, what is well green.
static const char *colour_of(const char *text, bool head)
{
    static const struct {
        const char *word, *code;
    } colours[] = {
        {"failed", "31"}, {"killed", "31"},   {"timeout", "31"}, {"differ", "31"},  {"slower", "31"},
        {"no", "31"},     {"skipped", "33"},  {"unclear", "33"}, {"running", "36"}, {"interrupted", "33"},
        {"done", "32"},   {"complete", "32"}, {"faster", "32"},  {"equal", "32"},   {"yes", "32"},
    };
    for (size_t i = 0; !head && i < sizeof colours / sizeof *colours; ++i)
        if (!strcmp(text, colours[i].word))
            return colours[i].code;
    return head ? "1" : NULL;
}

// The bytes of a text that a line of `width` columns takes: up to a blank where there is one.
static size_t line_bytes(const char *text, size_t width)
{
    size_t bytes = 0, blank = 0;
    for (size_t column = 0; text[bytes] && column < width; ++column) {
        blank = text[bytes] == ' ' ? bytes : blank;
        while (((unsigned char)text[++bytes] & 0xc0) == 0x80)
            ;
    }
    return !text[bytes] || text[bytes] == ' ' || !blank ? bytes : blank;
}

struct printing {
    const struct text_table *table;
    size_t *widths;
    bool coloured;
    FILE *stream;
};

// One line of a cell; *rest is what follows it, "" at the end.
static void print_cell(const struct printing *printing, size_t row, size_t column, const char **rest)
{
    const struct text_table *table = printing->table;
    const size_t width = printing->widths[column], bytes = line_bytes(*rest, width);
    const int pad = (int)(width - text_width(*rest, bytes));
    const bool right = row ? table->cells[row * table->columns + column].number : has_numbers(table, column);
    const bool last = column + 1 == table->columns;
    const char *code = printing->coloured && bytes ? colour_of(*rest, row == 0) : NULL;
    fprintf(printing->stream, "%*s%s%s%s", right ? pad : 0, "", code ? "\033[" : "", code ? code : "", code ? "m" : "");
    fwrite(*rest, 1, bytes, printing->stream);
    fprintf(printing->stream, "%s%*s%s", code ? "\033[0m" : "", right || last ? 0 : pad, "", last ? "\n" : "  ");
    *rest += bytes;
    *rest += strspn(*rest, " ");
}

static void print_row(const struct printing *printing, size_t row, const char **rests)
{
    const struct text_table *table = printing->table;
    bool more = true;
    for (size_t column = 0; column < table->columns; ++column) {
        const char *text = table->cells[row * table->columns + column].text;
        rests[column] = text ? text : "-";
    }
    while (more) {
        more = false;
        for (size_t column = 0; column < table->columns; ++column) {
            print_cell(printing, row, column, &rests[column]);
            more = more || rests[column][0];
        }
    }
}

static size_t longest_word(const struct text_table *table, size_t column)
{
    size_t longest = 0;
    for (size_t row = 0; row < table->rows; ++row)
        for (const char *text = table->cells[row * table->columns + column].text; text && *text;) {
            const size_t bytes = strcspn(text, " "), width = text_width(text, bytes);
            longest = width > longest ? width : longest;
            text += bytes + strspn(text + bytes, " ");
        }
    return longest;
}

// The widest column that may be narrower: by whole words while any may, then one that is not the first.
static size_t column_to_narrow(const size_t *widths, const size_t *words, size_t count)
{
    size_t widest = count, other = 1;
    for (size_t i = 0; i < count; ++i) {
        if (widths[i] > words[i] && (widest == count || widths[i] > widths[widest]))
            widest = i;
        other = i > 1 && widths[i] > widths[other] ? i : other;
    }
    return widest < count ? widest : other;
}

// Makes columns narrower until a row fits; a table of too many columns keeps its widths.
static void fit_columns(const struct text_table *table, size_t *widths, size_t wanted)
{
    enum { LEAST = 8 };
    const size_t count = table->columns;
    size_t total = 2 * (count - 1), least = total + widths[0];
    size_t *words = memory_new(count, sizeof *words);
    for (size_t i = 0; i < count; ++i) {
        words[i] = longest_word(table, i);
        total += widths[i];
        least += i && widths[i] > LEAST ? LEAST : i ? widths[i] : 0;
    }
    for (; least <= wanted && total > wanted; --total)
        --widths[column_to_narrow(widths, words, count)];
    free(words);
}

// A row fits a terminal, where its cells are wrapped; elsewhere each row is one line.
static void print_aligned(const struct text_table *table, FILE *stream)
{
    const int terminal = terminal_width(fileno(stream));
    const char **rests = memory_new(table->columns, sizeof *rests);
    const struct printing printing = {table, memory_new(table->columns, sizeof(size_t)),
                                      terminal_colours(fileno(stream)), stream};
    for (size_t i = 0; i < table->count; ++i)
        utf8_line(table->cells[i].text);
    for (size_t column = 0; column < table->columns; ++column)
        printing.widths[column] = column_width(table, column);
    if (table->columns && terminal)
        fit_columns(table, printing.widths, (size_t)terminal);
    for (size_t row = 0; row < table->rows; ++row)
        print_row(&printing, row, rests);
    free(printing.widths);
    free(rests);
}

void text_csv_row(const struct store_row *row, FILE *stream)
{
    for (size_t i = 0; i < row->count; ++i) {
        char number[64];
        const char *text = value_text(&row->values[i], true, number);
        if (text && !text[0])
            fputs("\"\"", stream);
        else if (text)
            csv_text(text, stream);
        fputs(i + 1 < row->count ? "," : "\r\n", stream);
    }
}

static void print_csv(const struct text_table *table, FILE *stream)
{
    for (size_t i = 0; i < table->count; ++i) {
        csv_text(table->cells[i].text ? table->cells[i].text : "", stream);
        fputc((i + 1) % table->columns ? ',' : '\n', stream);
    }
}

static void print_json_text(const char *text, FILE *stream)
{
    fputc('"', stream);
    for (const char *end = text; *text; text = end) {
        const unsigned char byte = (unsigned char)*text;
        utf8_next(&end); // one byte where that is no UTF-8
        if (byte == '"' || byte == '\\')
            fprintf(stream, "\\%c", byte);
        else if (byte < 0x20)
            fprintf(stream, "\\u%04x", byte);
        else if (byte >= 0x80 && end == text + 1)
            fputs("\\ufffd", stream);
        else
            fwrite(text, 1, (size_t)(end - text), stream);
    }
    fputc('"', stream);
}

// A number that JSON cannot write, as one that is missing, is null.
static void print_json_cell(const struct text_cell *cell, FILE *stream)
{
    if (!cell->text || (cell->number && !isfinite(strtod(cell->text, NULL))))
        fputs("null", stream);
    else if (cell->number)
        fputs(cell->text, stream);
    else
        print_json_text(cell->text, stream);
}

static void print_json(const struct text_table *table, FILE *stream)
{
    fputs("[", stream);
    for (size_t i = table->columns; i < table->count; ++i) {
        const size_t column = i % table->columns;
        fputs(column ? ", " : i > table->columns ? "},\n {" : "\n {", stream);
        print_json_text(table->cells[column].text, stream);
        fputs(": ", stream);
        print_json_cell(&table->cells[i], stream);
    }
    fputs(table->rows > 1 ? "}\n]\n" : "]\n", stream);
}

void text_table_print(const struct text_table *table, enum text_format format)
{
    static void (*const printers[])(const struct text_table *, FILE *) = {print_aligned, print_csv, print_json};
    printers[format](table, stdout);
}

void text_table_finish(struct text_table *table)
{
    for (size_t i = 0; i < table->count; ++i)
        free(table->cells[i].text);
    free(table->cells);
    *table = (struct text_table){0};
}

bool text_table_query(struct store *store, const char *sql, const char *const *bindings, enum text_format format,
                      const char *empty, struct error *error)
{
    struct text_table table = {.exact = format != TEXT_TABLE};
    const bool done = store_query(store, sql, bindings, text_table_visit, &table, error);
    const size_t count = table.rows ? table.rows - 1 : 0;
    if (done && (count || format == TEXT_JSON))
        text_table_print(&table, format);
    else if (done && empty)
        fprintf(stderr, "%s\n", empty);
    text_table_finish(&table);
    return done;
}
