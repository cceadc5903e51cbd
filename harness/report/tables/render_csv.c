// SPDX-License-Identifier: MIT
// CSV after RFC 4180: CRLF, quotes where needed, one line per panel and row, exact values in the column's unit. Absent
// values are empty fields.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/write/escape.h"
#include "report/tables/table.h"

// Of a panel, in every line.
static const char *const panel_columns[] = {"scene", "camera",  "device", "device_name", "warp_width",
                                            "width", "height",  "spp",    "seed",        "max_bounces",
                                            "paths", "padding", "work"};
enum { PANEL_COLUMNS = sizeof panel_columns / sizeof *panel_columns };

// gnuplot, which draws these files, knows neither a quote within a field nor a line break: both would shift its
// columns.
static void put_text(const char *text, FILE *stream)
{
    char *plain = memory_copy(text);
    for (char *place = plain; *place; ++place)
        *place = *place == '"' ? '\'' : (unsigned char)*place < 0x20 ? ' ' : *place;
    csv_text(plain, stream);
    free(plain);
}

// Fields of one column: their names, where `names`, else what stands in them.
struct fields {
    FILE *stream;
    const char *column, *part; // "saved", "_cumulative"
    bool names;
};

static bool named(const struct fields *fields, const char *field)
{
    fputc(',', fields->stream);
    if (fields->names)
        fprintf(fields->stream, "%s%s%s", fields->column, fields->part, field);
    return fields->names;
}

static void put_number(const struct fields *fields, const char *field, double value)
{
    if (!named(fields, field) && isfinite(value))
        fprintf(fields->stream, "%.10g", value);
}

static void put_words(const struct fields *fields, const char *field, const char *text)
{
    if (!named(fields, field))
        put_text(text, fields->stream);
}

// The paper's value, or its words where it is of words; and as it stands there.
static void put_published(const struct fields *fields, double value, const struct published_cell *printed,
                          bool in_paper)
{
    put_number(fields, "_paper", value);
    if (!fields->names && printed && isnan(printed->value))
        put_text(printed->corrected ? printed->corrected : printed->printed, fields->stream);
    if (!in_paper)
        return;
    put_words(fields, "_printed", printed ? printed->printed : "");
    put_words(fields, "_misprint", printed && printed->misprint ? printed->misprint : "");
}

static void put_ratio(const struct fields *fields, double ratio, bool within)
{
    put_number(fields, "_ratio", ratio);
    put_words(fields, "_within", !isfinite(ratio) ? "" : within ? "yes" : "no");
}

static void put_column(const struct paper_column *column, const struct report_cell *cell, bool names, FILE *stream)
{
    const struct fields fields = {stream, column->name, "", names},
                        running = {stream, column->name, "_cumulative", names};
    const bool compared = column->compare != COMPARE_NEVER;
    put_number(&fields, "", cell->value);
    if (column->published[0] || column->published_value[0] || column->follows)
        put_published(&fields, cell->published, cell->printed, column->published[0]);
    if (compared)
        put_ratio(&fields, cell->ratio, cell->within);
    if (column->cumulative[0]) {
        put_number(&running, "", cell->cumulative);
        if (column->published_cumulative[0] || column->published_value_cumulative[0])
            put_published(&running, cell->published_cumulative, cell->printed_cumulative,
                          column->published_cumulative[0]);
        if (compared)
            put_ratio(&running, cell->ratio_cumulative, cell->within_cumulative);
    }
    if (column->low[0]) {
        put_number(&fields, "_low", cell->low);
        put_number(&fields, "_high", cell->high);
    }
    if (column->flags[0])
        put_words(&fields, "_flags", cell->flags);
    if (column->trials[0])
        put_words(&fields, "_trials", cell->trials);
}

static void put_panel(const struct report_panel *panel, FILE *stream)
{
    for (size_t i = 0; i < PANEL_COLUMNS; ++i) {
        fputc(',', stream);
        put_text(strcmp(panel_columns[i], "camera") ? report_fact(panel, panel_columns[i]) : panel->scene.camera,
                 stream);
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
    const bool published = definition->published_row[0];
    static const struct report_cell nothing;
    fprintf(stream, "panel,%s%s%s", definition->row, published ? "," : "", definition->published_row);
    for (size_t i = 0; i < definition->column_count; ++i)
        put_column(&definition->columns[i], &nothing, true, stream);
    for (size_t i = 0; i < PANEL_COLUMNS; ++i)
        fprintf(stream, ",%s", panel_columns[i]);
    fputs(",stands_for,fitted,trials\r\n", stream);
    for (size_t i = 0; i < table->panel_count; ++i)
        for (size_t j = 0; j < table->panels[i].row_count; ++j) {
            const struct report_row *row = &table->panels[i].rows[j];
            fprintf(stream, "%zu,", i + 1);
            put_text(row->key, stream);
            fputs(published ? "," : "", stream);
            put_text(published ? row->published_key : "", stream);
            for (size_t k = 0; k < definition->column_count; ++k)
                put_column(&definition->columns[k], &row->cells[k], false, stream);
            put_panel(&table->panels[i], stream);
        }
}
