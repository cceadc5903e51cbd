// SPDX-License-Identifier: MIT
// CSV after RFC 4180: CRLF, quotes where needed, one line per panel and row, exact values in the column's unit. Absent
// values are empty fields.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/escape.h"
#include "report/table.h"

// Of a panel, in every line.
static const char *const panel_columns[] = {"scene", "camera",  "device", "device_name", "warp_width",
                                            "width", "height",  "spp",    "seed",        "max_bounces",
                                            "paths", "padding", NULL};

// gnuplot, which draws these files, knows neither a quote within a field nor a line break: both would shift its
// columns.
static void put_text(const char *text, FILE *stream)
{
    char *plain = strdup(text);
    for (char *place = plain; place && *place; ++place)
        *place = *place == '"' ? '\'' : (unsigned char)*place < 0x20 ? ' ' : *place;
    csv_text(plain ? plain : "", stream);
    free(plain);
}

static void write_number(double value, FILE *stream)
{
    fputc(',', stream);
    if (isfinite(value))
        fprintf(stream, "%.10g", value);
}

// Names of the fields of one column; write_cell writes them in this order.
static void write_names(const struct paper_column *column, FILE *stream)
{
    static const char *const parts[] = {"", "_cumulative"};
    const bool published[] = {column->published[0] || column->published_value[0],
                              column->published_cumulative[0] || column->published_value_cumulative[0]};
    const bool printed[] = {column->published[0] != '\0', column->published_cumulative[0] != '\0'};
    for (int part = 0; part < (column->cumulative[0] ? 2 : 1); ++part) {
        fprintf(stream, ",%s%s", column->name, parts[part]);
        if (published[part])
            fprintf(stream, ",%s%s_paper", column->name, parts[part]);
        if (printed[part])
            fprintf(stream, ",%s%s_printed,%s%s_misprint", column->name, parts[part], column->name, parts[part]);
        if (column->compare != COMPARE_NEVER)
            fprintf(stream, ",%s%s_ratio,%s%s_within", column->name, parts[part], column->name, parts[part]);
    }
    if (column->low[0])
        fprintf(stream, ",%s_low,%s_high", column->name, column->name);
    if (column->flags[0])
        fprintf(stream, ",%s_flags", column->name);
    if (column->trials[0])
        fprintf(stream, ",%s_trials", column->name);
}

static void write_printed(const struct published_cell *printed, FILE *stream)
{
    fputc(',', stream);
    put_text(printed ? printed->printed : "", stream);
    fprintf(stream, ",%s", printed && printed->misprint ? printed->misprint : "");
}

// The paper's value; words where it is of words.
static void write_published(double value, const struct published_cell *printed, FILE *stream)
{
    write_number(value, stream);
    if (printed && isnan(printed->value))
        put_text(printed->corrected ? printed->corrected : printed->printed, stream);
}

static void write_ratio(double ratio, bool within, FILE *stream)
{
    write_number(ratio, stream);
    fprintf(stream, ",%s", !isfinite(ratio) ? "" : within ? "yes" : "no");
}

static void write_running(const struct paper_column *column, const struct report_cell *cell, FILE *stream)
{
    write_number(cell->cumulative, stream);
    if (column->published_cumulative[0] || column->published_value_cumulative[0])
        write_published(cell->published_cumulative, cell->printed_cumulative, stream);
    if (column->published_cumulative[0])
        write_printed(cell->printed_cumulative, stream);
    if (column->compare != COMPARE_NEVER)
        write_ratio(cell->ratio_cumulative, cell->within_cumulative, stream);
}

static void write_cell(const struct paper_column *column, const struct report_cell *cell, FILE *stream)
{
    write_number(cell->value, stream);
    if (column->published[0] || column->published_value[0])
        write_published(cell->published, cell->printed, stream);
    if (column->published[0])
        write_printed(cell->printed, stream);
    if (column->compare != COMPARE_NEVER)
        write_ratio(cell->ratio, cell->within, stream);
    if (column->cumulative[0])
        write_running(column, cell, stream);
    if (column->low[0]) {
        write_number(cell->low, stream);
        write_number(cell->high, stream);
    }
    if (column->flags[0]) {
        fputc(',', stream);
        put_text(cell->flags, stream);
    }
    if (column->trials[0]) {
        fputc(',', stream);
        put_text(cell->trials, stream);
    }
}

static void write_header(const struct paper_table *definition, FILE *stream)
{
    fprintf(stream, "panel,%s%s%s", definition->row, definition->published_row[0] ? "," : "",
            definition->published_row);
    for (size_t i = 0; i < definition->column_count; ++i)
        write_names(&definition->columns[i], stream);
    for (const char *const *name = panel_columns; *name; ++name)
        fprintf(stream, ",%s", *name);
    fputs(",stands_for,fitted,trials\r\n", stream);
}

static void write_panel_fields(const struct report_panel *panel, FILE *stream)
{
    for (const char *const *name = panel_columns; *name; ++name) {
        fputc(',', stream);
        put_text(strcmp(*name, "camera") != 0 ? report_fact(panel, *name) : panel->scene.camera, stream);
    }
    fputc(',', stream);
    put_text(panel->scene.stands_for, stream);
    fprintf(stream, ",%s,", panel->scene.fitted ? "yes" : "no");
    put_text(report_fact(panel, "trials"), stream);
    fputs("\r\n", stream);
}

void report_write_csv(const struct report_table *table, FILE *stream)
{
    const struct paper_table *definition = table->definition;
    write_header(definition, stream);
    for (size_t i = 0; i < table->panel_count; ++i)
        for (size_t j = 0; j < table->panels[i].row_count; ++j) {
            const struct report_row *row = &table->panels[i].rows[j];
            fprintf(stream, "%zu,", i + 1);
            put_text(row->key, stream);
            if (definition->published_row[0]) {
                fputc(',', stream);
                put_text(row->published_key, stream);
            }
            for (size_t k = 0; k < definition->column_count; ++k)
                write_cell(&definition->columns[k], &row->cells[k], stream);
            write_panel_fields(&table->panels[i], stream);
        }
}
