// SPDX-License-Identifier: MIT
// Aligned text of at most REPORT_WIDTH columns: per row a line of measured values, one of the paper's, one of ratios.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/notes.h"
#include "report/number_text.h"
#include "report/report_text.h"

enum { PART = REPORT_TEXT, COLUMNS_MAX = 32, LABEL = 6 }; // LABEL: width of " paper"

enum line_kind { LINE_HERE, LINE_INTERVAL, LINE_PAPER, LINE_CORRECTION, LINE_RATIO, LINE_KINDS };
static const char *const line_labels[LINE_KINDS] = {"here", "95 %", "paper", "", "ratio"};

// A value and its running value, without the brackets; either may be "".
struct layout {
    int key, value[COLUMNS_MAX], cumulative[COLUMNS_MAX], whole[COLUMNS_MAX];
};

// "12.5%^ab": the letters of footnotes stand behind the value.
static void put_measured(const struct paper_column *column, const struct report_panel *panel,
                         const struct report_cell *cell, struct report_texts *parts)
{
    char letters[REPORT_FLAGS + 1], value[PART];
    report_measured_number(column, cell, value, sizeof value);
    report_flag_letters(panel, cell, letters, sizeof letters);
    snprintf(parts->value, PART, "%.*s%s%.8s", PART - 10, value, letters[0] ? "^" : "", letters);
    if (column->cumulative[0])
        report_number(column, cell->cumulative, parts->cumulative, PART);
}

static struct report_texts cell_parts(const struct report_table *table, const struct report_panel *panel, size_t index,
                                      const struct report_cell *cell, enum line_kind kind)
{
    const struct paper_column *column = &table->definition->columns[index];
    struct report_texts parts = {"", ""};
    if (kind == LINE_HERE) {
        put_measured(column, panel, cell, &parts);
    } else if (kind == LINE_INTERVAL) {
        report_interval(column, cell, parts.value, PART);
    } else if (kind == LINE_PAPER) {
        parts = report_published(table, column, cell);
    } else if (kind == LINE_CORRECTION) {
        parts = report_corrections(table, column, cell);
    } else {
        parts = report_ratios(cell);
    }
    return parts;
}

// A correction stands under its cell: "[18,651 W-M2]", of a running value "[(78k) W-M1]".
static void put_correction(const struct report_texts *parts, char *text, size_t size)
{
    const char *id = strchr(parts->cumulative, ' ');
    text[0] = '\0';
    if (parts->value[0])
        snprintf(text, size, "[%s]", parts->value);
    else if (id)
        snprintf(text, size, "[(%.*s)%s]", (int)(id - parts->cumulative), parts->cumulative, id);
}

static int larger(int a, size_t b)
{
    return (int)b > a ? (int)b : a;
}

static const char *unit_of(const struct paper_column *column, char *text, size_t size)
{
    snprintf(text, size, "%s%s", column->unit, column->cumulative[0] ? " (cum.)" : "");
    return text;
}

static void widen(const struct report_table *table, const struct report_panel *panel, const struct report_row *row,
                  struct layout *layout)
{
    for (size_t i = 0; i < table->definition->column_count && i < COLUMNS_MAX; ++i)
        for (int kind = 0; kind < LINE_KINDS; ++kind) {
            const struct report_texts parts = cell_parts(table, panel, i, &row->cells[i], (enum line_kind)kind);
            char correction[2 * PART + 8];
            put_correction(&parts, correction, sizeof correction);
            if (kind == LINE_CORRECTION) {
                layout->whole[i] = larger(layout->whole[i], strlen(correction));
                continue;
            }
            layout->value[i] = larger(layout->value[i], strlen(parts.value));
            layout->cumulative[i] = larger(layout->cumulative[i], strlen(parts.cumulative));
        }
    layout->key = larger(layout->key, strlen(row->key));
}

static struct layout lay_out(const struct report_table *table, const struct report_panel *panel)
{
    struct layout layout = {.key = 1};
    for (size_t i = 0; i < panel->row_count; ++i)
        widen(table, panel, &panel->rows[i], &layout);
    for (size_t i = 0; i < table->definition->column_count && i < COLUMNS_MAX; ++i) {
        char unit[80], title[80];
        const struct paper_column *column = &table->definition->columns[i];
        report_title(column, title, sizeof title);
        const int cell = layout.value[i] + (layout.cumulative[i] ? layout.cumulative[i] + 3 : 0);
        layout.whole[i] = larger(larger(larger(layout.whole[i], (size_t)cell), strlen(title)),
                                 strlen(unit_of(column, unit, sizeof unit)));
    }
    // The row's heading stands over the key and the label of the line.
    layout.key = larger(
        layout.key, strlen(table->definition->row_title) > LABEL ? strlen(table->definition->row_title) - LABEL : 0);
    return layout;
}

static void write_cell(const struct report_texts *parts, enum line_kind kind, const struct layout *layout, size_t i,
                       FILE *stream)
{
    char text[4 * PART];
    if (kind == LINE_CORRECTION) {
        put_correction(parts, text, sizeof text);
    } else if (!layout->cumulative[i]) {
        snprintf(text, sizeof text, "%s", parts->value);
    } else {
        char bracket[PART + 4] = "";
        if (parts->cumulative[0])
            snprintf(bracket, sizeof bracket, "(%s)", parts->cumulative);
        snprintf(text, sizeof text, "%s %*s", parts->value, layout->cumulative[i] + 2, bracket);
    }
    fprintf(stream, "  %*s", layout->whole[i], text);
}

static bool line_empty(const struct report_table *table, const struct report_panel *panel, const struct report_row *row,
                       enum line_kind kind)
{
    for (size_t i = 0; i < table->definition->column_count && i < COLUMNS_MAX; ++i) {
        if (table->definition->columns[i].csv_only)
            continue;
        const struct report_texts parts = cell_parts(table, panel, i, &row->cells[i], kind);
        if (parts.value[0] || parts.cumulative[0])
            return false;
    }
    return true;
}

// Without the blanks of empty cells at its end.
static void write_trimmed(const char *line, FILE *stream)
{
    size_t length = strlen(line);
    while (length && line[length - 1] == ' ')
        --length;
    fprintf(stream, "%.*s\n", (int)length, line);
}

static void write_row(const struct report_table *table, const struct report_panel *panel, const struct report_row *row,
                      const struct layout *layout, FILE *stream)
{
    for (int kind = 0; kind < LINE_KINDS; ++kind) {
        char *text = NULL;
        size_t size;
        FILE *line = line_empty(table, panel, row, (enum line_kind)kind) ? NULL : open_memstream(&text, &size);
        if (!line)
            continue;
        fprintf(line, "%*s %-5s", layout->key, kind == LINE_HERE ? row->key : "", line_labels[kind]);
        for (size_t i = 0; i < table->definition->column_count && i < COLUMNS_MAX; ++i) {
            if (table->definition->columns[i].csv_only)
                continue;
            const struct report_texts parts = cell_parts(table, panel, i, &row->cells[i], (enum line_kind)kind);
            write_cell(&parts, (enum line_kind)kind, layout, i, line);
        }
        if (fclose(line) == 0)
            write_trimmed(text, stream);
        free(text);
    }
}

static int write_titles(const struct report_table *table, const struct layout *layout, FILE *stream)
{
    int width = layout->key + LABEL;
    bool units = false;
    for (size_t i = 0; i < table->definition->column_count && i < COLUMNS_MAX; ++i) {
        const struct paper_column *column = &table->definition->columns[i];
        units = units || (!column->csv_only && (column->unit[0] || column->cumulative[0]));
        width += column->csv_only ? 0 : layout->whole[i] + 2;
    }
    for (int line = 0; line < (units ? 2 : 1); ++line) {
        fprintf(stream, "%-*s", layout->key + LABEL, line ? "" : table->definition->row_title);
        for (size_t i = 0; i < table->definition->column_count && i < COLUMNS_MAX; ++i) {
            const struct paper_column *column = &table->definition->columns[i];
            char unit[80], title[80];
            if (column->csv_only)
                continue;
            report_title(column, title, sizeof title);
            fprintf(stream, "  %*s", layout->whole[i], line ? unit_of(column, unit, sizeof unit) : title);
        }
        fputc('\n', stream);
    }
    return width;
}

static void write_rule(int width, FILE *stream)
{
    while (width-- > 0)
        fputc('-', stream);
    fputc('\n', stream);
}

static void write_lines(struct report_lines *lines, FILE *stream)
{
    for (size_t i = 0; i < lines->count; ++i)
        report_put_wrapped(lines->text[i], 0, 2, stream);
    report_lines_finish(lines);
}

static void write_panel(const struct report_table *table, const struct report_panel *panel, FILE *stream)
{
    struct report_lines lines = {.count = 0};
    fprintf(stream, "%s, %s\n", table->paper->id, table->definition->title);
    report_heading(table, panel, &lines);
    write_lines(&lines, stream);
    fputc('\n', stream);
    const struct layout layout = lay_out(table, panel);
    const int width = write_titles(table, &layout, stream);
    write_rule(width, stream);
    for (size_t i = 0; i < panel->row_count; ++i)
        write_row(table, panel, &panel->rows[i], &layout, stream);
    write_rule(width, stream);
    report_notes(table, panel, &lines);
    write_lines(&lines, stream);
}

void report_write_text(const struct report_table *table, FILE *stream)
{
    for (size_t i = 0; i < table->panel_count; ++i) {
        if (i)
            fputc('\n', stream);
        write_panel(table, &table->panels[i], stream);
    }
    if (table->left_out)
        fprintf(stream, "\n%zu more configuration%s in the database: --all shows %s.\n", table->left_out,
                table->left_out == 1 ? " is" : "s are", table->left_out == 1 ? "it" : "them");
}
