// SPDX-License-Identifier: MIT
#include "report/tables/table_document.h"

#include <math.h>
#include <string.h>

#include "report/write/escape.h"

const struct report_format report_formats[] = {
    {"text", "txt", doc_write_text},
    {"markdown", "md", doc_write_markdown},
    {"latex", "tex", doc_write_latex},
    {"csv", "csv", NULL},
    {NULL, NULL, NULL},
};

const struct report_format *report_format_of(const char *name)
{
    const struct report_format *format = report_formats;
    while (name && format->name && strcmp(name, format->name) != 0)
        ++format;
    return format->name ? format : report_formats;
}

// ---- cells

// By the column's style: "245,760", "12.5", "54%", "+3.1"; "-" for NaN.
static const char *table_document_number(struct document *document, const struct paper_column *column, double value)
{
    const int decimals = column->style == COLUMN_COUNT ? 0 : (int)column->decimals;
    if (isnan(value))
        return "-";
    if (column->style == COLUMN_PERCENT)
        return doc_text(document, column->sign ? "%+.*f%%" : "%.*f%%", decimals, 100 * value);
    return report_thousands(document, doc_text(document, column->sign ? "%+.*f" : "%.*f", decimals, value));
}

static const char *measured(struct document *document, const struct paper_column *column,
                            const struct report_cell *cell)
{
    if (!strcmp(cell->flags, PAPER_NOT_IMPLEMENTED))
        return "not implemented";
    return !strcmp(cell->flags, PAPER_NOT_MEASURED) ? "not measured"
                                                    : table_document_number(document, column, cell->value);
}

// What follows from what stands in the paper: to the place that it is known to, where that is one.
static const char *derived(struct document *document, const struct paper_column *column, double value, double half)
{
    const double places = -log10(2 * half);
    struct paper_column like = *column;
    if (half > 0 && fabs(places - round(places)) < 1e-9 && places > -0.5)
        like.decimals = (uint64_t)round(places);
    return isnan(value) ? NULL : table_document_number(document, &like, value);
}

// What stands in the paper, or what follows from it.
static const char *published(struct document *document, const struct report_table *table,
                             const struct paper_column *column, const char *name, const struct published_cell *printed,
                             double value, double half)
{
    char text[PUBLISHED_TEXT + 48];
    if (!printed)
        return derived(document, column, value, half);
    published_text(published_column(table->published, name), printed->printed, text, sizeof text);
    return doc_text(document, "%s", text);
}

// "18,651 W-M2"; NULL where nothing is misprinted.
static const char *correction(struct document *document, const struct report_table *table, const char *name,
                              const struct published_cell *printed)
{
    char text[PUBLISHED_TEXT + 48];
    if (!printed || !printed->misprint)
        return NULL;
    published_text(published_column(table->published, name), printed->corrected, text, sizeof text);
    return doc_text(document, "%s %s", text, printed->misprint);
}

// "=1.02" where the measured value is within the rounding of the published one.
static const char *ratio(struct document *document, double value, bool within)
{
    return isfinite(value) ? doc_text(document, "%s%.2f", within ? "=" : "", value) : NULL;
}

// The letters of a cell's flags, "ab".
static const char *letters(struct document *document, const struct report_panel *panel, const struct report_cell *cell)
{
    char flag[REPORT_FLAG_TEXT], text[REPORT_FLAGS + 2] = "";
    size_t used = 0;
    for (const char *flags = cell->flags; used <= REPORT_FLAGS && report_next_flag(&flags, flag, sizeof flag);) {
        const size_t index = report_flag_index(panel, flag);
        const char letter = index < panel->flag_count ? (char)('a' + index) : '+';
        if (!memchr(text, letter, used))
            text[used++] = letter;
    }
    return used ? doc_text(document, "%s", text) : NULL;
}

static void fill_cell(struct document *document, const struct report_table *table, const struct report_panel *panel,
                      const struct paper_column *column, const struct report_cell *cell, struct doc_cell *to)
{
    struct doc_value *lines = to->lines;
    lines[DOC_HERE].value = measured(document, column, cell);
    if (column->cumulative[0])
        lines[DOC_HERE].running = table_document_number(document, column, cell->cumulative);
    if (!isnan(cell->low) && !isnan(cell->high))
        lines[DOC_INTERVAL].value = doc_text(document, "%s..%s", table_document_number(document, column, cell->low),
                                             table_document_number(document, column, cell->high));
    lines[DOC_PAPER] = (struct doc_value){
        published(document, table, column, column->published, cell->printed, cell->published, cell->half),
        correction(document, table, column->published, cell->printed),
        published(document, table, column, column->published_cumulative, cell->printed_cumulative,
                  cell->published_cumulative, NAN),
        correction(document, table, column->published_cumulative, cell->printed_cumulative)};
    lines[DOC_RATIO].value = ratio(document, cell->ratio, cell->within);
    lines[DOC_RATIO].running = ratio(document, cell->ratio_cumulative, cell->within_cumulative);
    to->marks = letters(document, panel, cell);
    to->trials = cell->trials;
    to->exact = cell->value;
    to->low = cell->low;
    to->high = cell->high;
    to->ratio = cell->ratio;
}

// A row that only the paper has needs one line: the reasons why nothing is measured stand beside its key.
static void table_document_fold(struct document *document, const struct doc_table *table, struct doc_row *row)
{
    const char *marks = NULL;
    for (size_t i = 0; i < table->column_count; ++i) {
        struct doc_cell *cell = &row->cells[i];
        if (!isnan(cell->exact) || !doc_has(cell->marks) || doc_has(cell->trials))
            return;
        marks = !marks || strstr(marks, cell->marks) ? marks : doc_text(document, "%s%s", marks, cell->marks);
        marks = marks ? marks : cell->marks;
    }
    if (!marks || !doc_row_has(table, row, DOC_PAPER))
        return;
    for (size_t i = 0; i < table->column_count; ++i) {
        row->cells[i].lines[DOC_HERE] = (struct doc_value){0};
        row->cells[i].marks = NULL;
    }
    row->key = doc_text(document, "%s (not measured: %s)", row->key, marks);
    row->unmeasured = true;
}

// ---- panels

static void set_column(struct document *document, const struct paper_column *from, struct doc_column *to)
{
    to->title = doc_text(document, "%s%s", from->title, from->derived[0] ? "*" : "");
    to->unit = from->unit;
    to->running = from->cumulative[0] != '\0';
    to->paper = from->published[0] || from->published_value[0] || from->follows;
    to->ratio = from->compare != COMPARE_NEVER;
}

static void add_table(struct document *document, const struct report_table *table, const struct report_panel *panel)
{
    const struct paper_table *definition = table->definition;
    size_t shown = 0;
    for (size_t i = 0; i < definition->column_count; ++i)
        shown += !definition->columns[i].csv_only;
    if (!shown) {
        doc_add(document, DOC_TEXT, DOC_ASIDE, doc_text(document, "%zu rows, in the CSV alone.", panel->row_count));
        return;
    }
    struct doc_table *to = doc_table(document, definition->row_title, shown);
    to->caption = doc_text(document, "%s: %s", definition->title, panel->title);
    to->lined = true;
    for (size_t i = 0, k = 0; i < definition->column_count; ++i)
        if (!definition->columns[i].csv_only)
            set_column(document, &definition->columns[i], &to->columns[k++]);
    for (size_t j = 0; j < panel->row_count; ++j) {
        struct doc_row *row = doc_row(document, to, panel->rows[j].key);
        for (size_t i = 0, k = 0; i < definition->column_count; ++i)
            if (!definition->columns[i].csv_only)
                fill_cell(document, table, panel, &definition->columns[i], &panel->rows[j].cells[i], &row->cells[k++]);
        if (definition->sql)
            table_document_fold(document, to, row);
    }
}

static void add_panel(struct document *document, const struct report_table *table, size_t index)
{
    const bool synthesis = table->paper->synthesis;
    const struct report_panel *panel = &table->panels[index];
    const bool only = table->panel_count == 1;
    struct doc_block *fold = doc_add(document, DOC_FOLD, DOC_PLAIN, panel->title);
    fold->alone = doc_text(document, "%s%s%s%s%s", synthesis ? "" : table->paper->id, synthesis ? "" : ", ",
                           table->definition->title, only ? "" : ": ", only ? "" : panel->title);
    fold->id = doc_text(document, "%s-%zu", table->definition->id, index + 1);
    fold->open = panel->open;
    report_setting(document, table, panel);
    add_table(document, table, panel);
    report_notes(document, table, panel);
    doc_add(document, DOC_UNFOLD, DOC_PLAIN, NULL);
}

void report_document(const struct report_table *table, struct document *document)
{
    for (size_t i = 0; i < table->panel_count; ++i)
        add_panel(document, table, i);
    if (table->panel_count > 1) {
        doc_add(document, DOC_LIST, DOC_NOTES, NULL);
        report_reading(document, table);
    }
    if (table->left_out)
        doc_add(document, DOC_TEXT, DOC_PLAIN,
                doc_text(document, "%zu more configuration%s in the database: --all shows %s.", table->left_out,
                         table->left_out == 1 ? " is" : "s are", table->left_out == 1 ? "it" : "them"));
}

void report_write(const struct report_format *format, const struct report_table *table, const struct document *document,
                  FILE *stream)
{
    if (!format->write) {
        report_write_csv(table, stream);
        return;
    }
    if (format->write == doc_write_latex)
        fprintf(stream, "%% %s. Needs \\usepackage{array}, {booktabs}, {graphicx} and {longtable}.\n",
                table->paper->id);
    format->write(document, stream);
}
