// SPDX-License-Identifier: MIT
#include "commands/text_table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/utf8.h"

static struct text_cell *add(struct text_table *table, const char *text, bool number)
{
    struct text_cell *cell = ARRAY_ADD(table->cells, table->count);
    *cell = (struct text_cell){memory_copy(text), number};
    table->rows = table->count / table->columns;
    return cell;
}

void text_table_begin(struct text_table *table, size_t columns, const char *const *head)
{
    *table = (struct text_table){.columns = columns};
    text_table_row(table, head);
}

void text_table_row(struct text_table *table, const char *const *cells)
{
    for (size_t i = 0; i < table->columns; ++i)
        add(table, cells[i], false);
}

void text_table_print_row(struct text_table *table, const char *format, ...)
{
    char text[4096], *place = text;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < table->columns; ++i) {
        const char *cell = strsep(&place, "\t");
        add(table, cell ? cell : "", false);
    }
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

static void format_value(const struct store_value *value, bool exact, char *text, size_t size)
{
    if (value->type == STORE_INTEGER)
        snprintf(text, size, "%lld", (long long)value->integer);
    else if (exact)
        format_exactly(value->real, text, size);
    else
        snprintf(text, size, "%.6g", value->real);
}

// A text of several lines stands in one.
static void flatten(char *text)
{
    for (; text && *text; ++text)
        if ((unsigned char)*text < 0x20 || *text == 0x7F)
            *text = ' ';
}

bool text_table_visit(void *context, const struct store_row *row)
{
    struct text_table *table = context;
    if (!table->columns) {
        const bool exact = table->exact;
        text_table_begin(table, row->count, row->names);
        table->exact = exact;
    }
    for (size_t i = 0; i < row->count; ++i) {
        const struct store_value *value = &row->values[i];
        char text[64];
        format_value(value, table->exact, text, sizeof text);
        const bool number = value->type == STORE_INTEGER || value->type == STORE_REAL;
        const struct text_cell *cell = add(table,
                                           value->type == STORE_NULL ? NULL
                                           : number                  ? text
                                                                     : value->text,
                                           number);
        if (!table->exact)
            flatten(cell->text);
    }
    return true;
}

// ---- printing

// Columns that a text takes: its characters, not its bytes.
static size_t text_width(const char *text)
{
    size_t width = 0;
    for (; text && *text; ++text)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static size_t column_width(const struct text_table *table, size_t column)
{
    size_t width = 1;
    for (size_t row = 0; row < table->rows; ++row) {
        const size_t cell = text_width(table->cells[row * table->columns + column].text);
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

static void print_cell(const struct text_table *table, size_t row, size_t column, size_t width, FILE *stream)
{
    const struct text_cell *cell = &table->cells[row * table->columns + column];
    const char *text = cell->text ? cell->text : "-";
    const int pad = (int)(width - text_width(text));
    const bool right = row ? cell->number : has_numbers(table, column);
    const bool last = column + 1 == table->columns;
    fprintf(stream, "%*s%s%*s%s", right ? pad : 0, "", text, right || last ? 0 : pad, "", last ? "\n" : "  ");
}

static void print_aligned(const struct text_table *table, FILE *stream)
{
    size_t *widths = memory_new(table->columns, sizeof *widths);
    for (size_t column = 0; column < table->columns; ++column)
        widths[column] = column_width(table, column);
    for (size_t row = 0; row < table->rows; ++row)
        for (size_t column = 0; column < table->columns; ++column)
            print_cell(table, row, column, widths[column], stream);
    free(widths);
}

static void print_csv_cell(const char *text, FILE *stream)
{
    if (!text)
        return;
    if (!strpbrk(text, ",\"\n\r")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; ++text)
        fputs(*text == '"' ? "\"\"" : (char[]){*text, 0}, stream);
    fputc('"', stream);
}

void text_csv_row(const struct store_row *row, FILE *stream)
{
    for (size_t i = 0; i < row->count; ++i) {
        const struct store_value *value = &row->values[i];
        char text[64];
        if (value->type == STORE_INTEGER || value->type == STORE_REAL) {
            format_value(value, true, text, sizeof text);
            fputs(text, stream);
        } else if (value->type == STORE_TEXT && !value->text[0]) {
            fputs("\"\"", stream);
        } else if (value->type == STORE_TEXT) {
            print_csv_cell(value->text, stream);
        }
        fputs(i + 1 < row->count ? "," : "\r\n", stream);
    }
}

static void print_csv(const struct text_table *table, FILE *stream)
{
    for (size_t row = 0; row < table->rows; ++row)
        for (size_t column = 0; column < table->columns; ++column) {
            print_csv_cell(table->cells[row * table->columns + column].text, stream);
            fputc(column + 1 < table->columns ? ',' : '\n', stream);
        }
}

// The end of the character; one byte where that is no UTF-8.
static const char *character_end(const char *text)
{
    utf8_next(&text);
    return text;
}

static void print_json_text(const char *text, FILE *stream)
{
    fputc('"', stream);
    for (const char *end; *text; text = end) {
        const unsigned char byte = (unsigned char)*text;
        end = character_end(text);
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

static void print_json(const struct text_table *table, FILE *stream)
{
    fputs("[", stream);
    for (size_t row = 1; row < table->rows; ++row) {
        fputs(row > 1 ? ",\n {" : "\n {", stream);
        for (size_t column = 0; column < table->columns; ++column) {
            const struct text_cell *cell = &table->cells[row * table->columns + column];
            const char *text = cell->text;
            print_json_text(table->cells[column].text, stream);
            fputs(": ", stream);
            const bool bare = text && cell->number && isfinite(strtod(text, NULL));
            if (!text || (cell->number && !bare))
                fputs("null", stream);
            else if (bare)
                fputs(text, stream);
            else
                print_json_text(text, stream);
            fputs(column + 1 < table->columns ? ", " : "}", stream);
        }
    }
    fputs(table->rows > 1 ? "\n]\n" : "]\n", stream);
}

bool text_table_print(const struct text_table *table, enum text_format format, FILE *stream, struct error *error)
{
    (void)error;
    if (format == TEXT_CSV)
        print_csv(table, stream);
    else if (format == TEXT_JSON)
        print_json(table, stream);
    else
        print_aligned(table, stream);
    return true;
}

void text_table_finish(struct text_table *table)
{
    for (size_t i = 0; i < table->count; ++i)
        free(table->cells[i].text);
    free(table->cells);
    *table = (struct text_table){0};
}

bool text_table_query(struct store *store, const char *sql, const char *const *bindings, enum text_format format,
                      const char *empty, size_t *rows, struct error *error)
{
    struct text_table table = {.exact = format != TEXT_TABLE};
    bool done = store_query(store, sql, bindings, text_table_visit, &table, error);
    const size_t count = table.rows ? table.rows - 1 : 0;
    if (done && (count || format == TEXT_JSON))
        done = text_table_print(&table, format, stdout, error);
    else if (done && empty)
        fprintf(stderr, "%s\n", empty);
    if (rows)
        *rows = count;
    text_table_finish(&table);
    return done;
}
