// SPDX-License-Identifier: MIT
// One Markdown table per panel; "16,651 [18,651 W-M2] (250k)" for a misprint with its correction.
#include <math.h>
#include <string.h>

#include "report/notes.h"
#include "report/number_text.h"
#include "report/report_text.h"

static void write_pair(const char *value, const char *correction, const char *cumulative,
                       const char *cumulative_correction, FILE *stream)
{
    report_put_markdown(value, stream);
    if (correction[0])
        fprintf(stream, " \\[%s\\]", correction);
    if (!cumulative[0])
        return;
    fprintf(stream, "%s**(%s%s%s%s)**", value[0] ? " " : "", cumulative, cumulative_correction[0] ? " \\[" : "",
            cumulative_correction, cumulative_correction[0] ? "\\]" : "");
}

// "12.5% (12.1%..12.9%)" and the letters of footnotes; what a footnote explains the absence of is "not measured".
static void write_measured(const struct paper_column *column, const struct report_panel *panel,
                           const struct report_cell *cell, FILE *stream)
{
    char value[64], cumulative[64] = "", interval[80], letters[REPORT_FLAGS + 1];
    report_measured_number(column, cell, value, sizeof value);
    report_interval(column, cell, interval, sizeof interval);
    report_flag_letters(panel, cell, letters, sizeof letters);
    if (column->cumulative[0])
        report_number(column, cell->cumulative, cumulative, sizeof cumulative);
    write_pair(!strcmp(value, "-") && letters[0] ? "not measured" : value, "", cumulative, "", stream);
    if (letters[0])
        fprintf(stream, "<sup>%s</sup>", letters);
    if (interval[0])
        fprintf(stream, " (%s)", interval);
}

static void write_published(const struct report_table *table, const struct paper_column *column,
                            const struct report_cell *cell, FILE *stream)
{
    const struct report_texts printed = report_published(table, column, cell),
                              right = report_corrections(table, column, cell);
    write_pair(printed.value, right.value, printed.cumulative, right.cumulative, stream);
}

static void write_ratio(const struct report_cell *cell, FILE *stream)
{
    const struct report_texts ratios = report_ratios(cell);
    write_pair(ratios.value, "", ratios.cumulative, "", stream);
}

static bool has_published(const struct paper_column *column)
{
    return column->published[0] || column->published_value[0];
}

static void write_titles(const struct paper_table *definition, FILE *stream)
{
    fprintf(stream, "| %s |", definition->row_title);
    for (size_t i = 0; i < definition->column_count; ++i) {
        const struct paper_column *column = &definition->columns[i];
        if (column->csv_only)
            continue;
        fprintf(stream, " %s%s%s |", column->title, column->unit[0] ? ", " : "", column->unit);
        if (has_published(column))
            fputs(column->derived[0] ? " paper\\* |" : " paper |", stream);
        if (column->compare != COMPARE_NEVER)
            fputs(" ratio |", stream);
    }
    fputs("\n|---:|", stream);
    for (size_t i = 0; i < definition->column_count; ++i) {
        const struct paper_column *column = &definition->columns[i];
        for (int count = column->csv_only ? 0 : 1 + has_published(column) + (column->compare != COMPARE_NEVER); count;
             --count)
            fputs("---:|", stream);
    }
    fputc('\n', stream);
}

static void write_row(const struct report_table *table, const struct report_panel *panel, const struct report_row *row,
                      FILE *stream)
{
    fputs("| ", stream);
    report_put_markdown(row->key, stream);
    fputs(" |", stream);
    for (size_t i = 0; i < table->definition->column_count; ++i) {
        const struct paper_column *column = &table->definition->columns[i];
        if (column->csv_only)
            continue;
        fputc(' ', stream);
        write_measured(column, panel, &row->cells[i], stream);
        fputs(" |", stream);
        if (has_published(column)) {
            fputc(' ', stream);
            write_published(table, column, &row->cells[i], stream);
            fputs(" |", stream);
        }
        if (column->compare != COMPARE_NEVER) {
            fputc(' ', stream);
            write_ratio(&row->cells[i], stream);
            fputs(" |", stream);
        }
    }
    fputc('\n', stream);
}

// A command goes into a code span, everything else is escaped.
static void write_line(const char *text, FILE *stream)
{
    const char *command = strstr(text, "warpstudy ");
    if (!command || strchr(command, '`')) {
        report_put_markdown(text, stream);
    } else {
        fprintf(stream, "%.*s", (int)(command - text), text);
        fprintf(stream, "`%s`", command);
    }
    fputc('\n', stream);
}

static void write_panel(const struct report_table *table, const struct report_panel *panel, FILE *stream)
{
    struct report_lines lines = {.count = 0};
    fprintf(stream, "## %s, %s\n\n", table->paper->id, table->definition->title);
    report_heading(table, panel, &lines);
    for (size_t i = 0; i < lines.count; ++i) {
        fputs("- ", stream);
        write_line(lines.text[i], stream);
    }
    report_lines_finish(&lines);
    fputc('\n', stream);
    write_titles(table->definition, stream);
    for (size_t i = 0; i < panel->row_count; ++i)
        write_row(table, panel, &panel->rows[i], stream);
    fputc('\n', stream);
    report_notes(table, panel, &lines);
    for (size_t i = 0; i < lines.count; ++i) {
        fprintf(stream, "%zu. ", i + 1);
        write_line(lines.text[i], stream);
    }
    report_lines_finish(&lines);
}

void report_write_markdown(const struct report_table *table, FILE *stream)
{
    for (size_t i = 0; i < table->panel_count; ++i) {
        if (i)
            fputc('\n', stream);
        write_panel(table, &table->panels[i], stream);
    }
    if (table->left_out)
        fprintf(stream, "\n%zu more configurations are in the database: `--all` shows them.\n", table->left_out);
}
