// SPDX-License-Identifier: MIT
// Text of at most TEXT_WIDTH columns: tables of numbers are aligned, rows with words are records.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/write/document.h"
#include "report/write/escape.h"

enum {
    CELL = 320,
    LABEL = 6,
    INDENT = 5,
    TITLE = 11
}; // LABEL: width of " paper"; TITLE: of a record's titles, at least

// Widths of a column: of the values, of the running values, of all of a cell.
struct widths {
    int value, running, whole;
};

static const char *text_of(const char *text)
{
    return text ? text : "";
}

static int wider(int width, const char *text)
{
    const int length = (int)strlen(text_of(text));
    return length > width ? length : width;
}

// "12.5^ab"
static void put_value(const struct doc_cell *cell, enum doc_line line, char *text)
{
    const bool marked = line == DOC_HERE && cell->marks && cell->marks[0];
    snprintf(text, CELL, "%.300s%s%.8s", text_of(cell->lines[line].value), marked ? "^" : "",
             marked ? cell->marks : "");
}

// A correction stands under its cell: "[18,651 W-M2]", of a running value "[(78k) W-M1]".
static void put_fix(const struct doc_value *value, char *text)
{
    const char *running = text_of(value->running_fix), *id = strchr(running, ' ');
    text[0] = '\0';
    if (value->fix && value->fix[0])
        snprintf(text, CELL, "[%.300s]", value->fix);
    else if (id)
        snprintf(text, CELL, "[(%.*s)%.200s]", (int)(id - running), running, id);
}

static void put_unit(const struct doc_column *column, char *text)
{
    snprintf(text, CELL, "%.200s%s", text_of(column->unit), column->running ? " (cum.)" : "");
}

static struct widths write_text_measure(const struct doc_table *table, size_t index)
{
    const struct doc_column *column = &table->columns[index];
    struct widths widths = {0};
    char text[CELL];
    int fixes = 0;
    for (size_t i = 0; i < table->row_count; ++i) {
        const struct doc_cell *cell = &table->rows[i].cells[index];
        for (int line = 0; line < DOC_LINES; ++line) {
            put_value(cell, (enum doc_line)line, text);
            widths.value = wider(widths.value, text);
            widths.running = wider(widths.running, cell->lines[line].running);
        }
        put_fix(&cell->lines[DOC_PAPER], text);
        fixes = wider(fixes, text);
    }
    put_unit(column, text);
    widths.whole = wider(wider(fixes, column->title), text);
    const int both = widths.value + (widths.running ? widths.running + 3 : 0);
    widths.whole = widths.whole > both ? widths.whole : both;
    return widths;
}

// ---- tables of numbers

// Without the blanks of empty cells at its end; nothing where there is nothing else.
static void put_trimmed(const char *line, FILE *stream)
{
    size_t length = strlen(line);
    while (length && line[length - 1] == ' ')
        --length;
    fprintf(stream, "%.*s\n", (int)length, line);
}

static void put_cell(const struct doc_cell *cell, enum doc_line line, const struct widths *widths, FILE *stream)
{
    char value[CELL], text[2 * CELL], bracket[CELL] = "";
    put_value(cell, line, value);
    const char *running = text_of(cell->lines[line].running);
    if (running[0])
        snprintf(bracket, sizeof bracket, "(%.300s)", running);
    if (widths->running)
        snprintf(text, sizeof text, "%s %*s", value, widths->running + 2, bracket);
    fprintf(stream, "  %*s", widths->whole, widths->running ? text : value);
}

static bool put_fixes(const struct doc_table *table, const struct doc_row *row, const struct widths *widths,
                      FILE *stream)
{
    bool any = false;
    for (size_t i = 0; i < table->column_count; ++i) {
        char text[CELL];
        put_fix(&row->cells[i].lines[DOC_PAPER], text);
        fprintf(stream, "  %*s", widths[i].whole, text);
        any = any || text[0];
    }
    return any;
}

// One line of a row; `fixes`: the corrections below that line.
static void put_line(const struct doc_table *table, const struct doc_row *row, enum doc_line line, bool fixes, int key,
                     const struct widths *widths, FILE *stream)
{
    char *text = NULL;
    size_t size;
    FILE *memory = memory_stream(&text, &size);
    bool shown = !fixes;
    fprintf(memory, "%*s", table->lined ? key : -key, !fixes && doc_row_begins(row, line) ? row->key : "");
    if (table->lined)
        fprintf(memory, " %-*s", LABEL - 1, fixes ? "" : doc_line_names[line]);
    for (size_t i = 0; !fixes && i < table->column_count; ++i)
        put_cell(&row->cells[i], line, &widths[i], memory);
    if (fixes)
        shown = put_fixes(table, row, widths, memory);
    memory_close(memory);
    if (shown)
        put_trimmed(text, stream);
    free(text);
}

static int put_titles(const struct doc_table *table, int key, const struct widths *widths, FILE *stream)
{
    const int first = key + (table->lined ? LABEL : 0);
    int width = first;
    bool units = false;
    for (size_t i = 0; i < table->column_count; ++i) {
        const struct doc_column *column = &table->columns[i];
        units = units || column->running || text_of(column->unit)[0];
        width += widths[i].whole + 2;
    }
    for (int line = 0; line < (units ? 2 : 1); ++line) {
        fprintf(stream, "%-*s", first, line ? "" : table->key);
        for (size_t i = 0; i < table->column_count; ++i) {
            char unit[CELL];
            put_unit(&table->columns[i], unit);
            fprintf(stream, "  %*s", widths[i].whole, line ? unit : table->columns[i].title);
        }
        fputc('\n', stream);
    }
    return width;
}

static void put_rule(int width, FILE *stream)
{
    while (width-- > 0)
        fputc('-', stream);
    fputc('\n', stream);
}

static void put_numbers(const struct doc_table *table, FILE *stream)
{
    struct widths *widths = memory_new(table->column_count, sizeof *widths);
    const int label = table->lined ? LABEL : 0;
    int key = wider(label + 1, table->key) - label; // the rows' heading stands over the key and the name of the line
    for (size_t i = 0; i < table->row_count; ++i)
        key = wider(key, table->rows[i].key);
    for (size_t i = 0; i < table->column_count; ++i)
        widths[i] = write_text_measure(table, i);
    const int width = put_titles(table, key, widths, stream);
    put_rule(width, stream);
    for (size_t i = 0; i < table->row_count; ++i)
        for (int line = 0; line < DOC_LINES; ++line) {
            if (!doc_row_has(table, &table->rows[i], (enum doc_line)line))
                continue;
            put_line(table, &table->rows[i], (enum doc_line)line, false, key, widths, stream);
            if (line == DOC_PAPER)
                put_line(table, &table->rows[i], (enum doc_line)line, true, key, widths, stream);
        }
    put_rule(width, stream);
    free(widths);
}

// ---- records

// "1.53 (1.50..1.56) x"
static void put_field(const struct doc_column *column, const struct doc_cell *cell, int title, FILE *stream)
{
    const char *value = text_of(cell->lines[DOC_HERE].value), *interval = text_of(cell->lines[DOC_INTERVAL].value);
    if (!value[0])
        return;
    const char *unit = column->words ? "" : text_of(column->unit);
    char *text = memory_format("%s%s%s%s%s%s", value, interval[0] ? " (" : "", interval, interval[0] ? ")" : "",
                               unit[0] ? " " : "", unit);
    const int indent = INDENT + (column->bare ? 0 : title);
    fprintf(stream, "%*s%-*s", INDENT, "", indent - INDENT, column->bare ? "" : column->title);
    text_wrapped(text, (size_t)indent, (size_t)indent, stream);
    free(text);
}

static void put_records(const struct doc_table *table, FILE *stream)
{
    int title = TITLE;
    for (size_t i = 0; i < table->column_count; ++i)
        title = table->columns[i].bare ? title : wider(title - 1, table->columns[i].title) + 1;
    for (size_t i = 0; i < table->row_count; ++i) {
        const struct doc_row *row = &table->rows[i];
        const bool beside = table->column_count && table->columns[0].bare; // its first words stand behind the key
        fprintf(stream, i ? "\n%-*s" : "%-*s", INDENT, row->key);
        if (beside)
            text_wrapped(text_of(row->cells[0].lines[DOC_HERE].value), INDENT, INDENT, stream);
        else
            fputc('\n', stream);
        for (size_t j = beside; j < table->column_count; ++j)
            put_field(&table->columns[j], &row->cells[j], title, stream);
    }
}

// ---- blocks

static void put_list(const struct doc_block *block, FILE *stream)
{
    for (size_t i = 0; i < block->item_count; ++i) {
        const struct doc_item *item = &block->items[i];
        char *text = memory_format("%s%s%s%s", block->role == DOC_FOOTNOTES ? "^" : "", text_of(item->label),
                                   item->label ? ": " : "", item->text);
        text_wrapped(text, 0, 2, stream);
        free(text);
    }
}

// Lists of trials that would take many lines are left to the CSV; the command for the raw rows stays.
static void put_sources(const struct doc_block *block, FILE *stream)
{
    enum { SHOWN = 240 }; // characters of all lists of trials
    static const char raw[] = "Raw rows";
    size_t lists = 0;
    struct doc_block rest = *block;
    for (size_t i = 0; i < block->item_count; ++i)
        lists += strncmp(block->items[i].text, raw, sizeof raw - 1) ? strlen(block->items[i].text) : 0;
    if (lists > SHOWN) {
        fputs("The trials behind each cell: --format csv.\n", stream);
        for (; rest.item_count && strncmp(rest.items->text, raw, sizeof raw - 1); --rest.item_count)
            ++rest.items;
    }
    put_list(&rest, stream);
}

static void put_block(const struct document *document, size_t index, FILE *stream)
{
    const struct doc_block *block = &document->blocks[index];
    switch (block->kind) {
    case DOC_HEADING:
    case DOC_FOLD:
        fputs(index ? "\n" : "", stream);
        text_wrapped(block->alone ? block->alone : block->text, 0, 2, stream);
        break;
    case DOC_TEXT:
        fputs(index ? "\n" : "", stream);
        text_wrapped(block->text, 0, 0, stream);
        break;
    case DOC_LIST: (block->role == DOC_SOURCES ? put_sources : put_list)(block, stream); break;
    case DOC_TABLE:
        fputs(index ? "\n" : "", stream);
        (doc_has_words(block->table) ? put_records : put_numbers)(block->table, stream);
        break;
    default: break; // what only a page has
    }
}

void doc_write_text(const struct document *document, FILE *stream)
{
    for (size_t i = 0; i < document->count; ++i)
        put_block(document, i, stream);
}
