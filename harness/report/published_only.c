// SPDX-License-Identifier: MIT
#include "report/published_only.h"

#include <math.h>
#include <string.h>

#include "base/yaml.h"

static struct report_cell published_alone(const struct published_cell *printed, const struct published_cell *cumulative,
                                          const char *flag)
{
    return (struct report_cell){.value = NAN,
                                .cumulative = NAN,
                                .published = printed ? printed->value : NAN,
                                .published_cumulative = cumulative ? cumulative->value : NAN,
                                .printed = printed,
                                .printed_cumulative = cumulative,
                                .ratio = NAN,
                                .ratio_cumulative = NAN,
                                .low = NAN,
                                .high = NAN,
                                .flags = printed || cumulative ? flag : "",
                                .trials = ""};
}

static const struct published_cell *printed_cell(const struct published_table *published, const char *row,
                                                 const char *column)
{
    const struct published_cell *cell = column[0] ? published_cell(published, row, column) : NULL;
    return cell && cell->printed ? cell : NULL;
}

static const char *flag_of(const struct report_table *table)
{
    return table->definition->sql ? PAPER_NOT_MEASURED : PAPER_NOT_IMPLEMENTED;
}

static bool fill_row(const struct report_table *table, const char *key, struct report_row *row, struct error *error)
{
    const struct paper_table *definition = table->definition;
    row->cells = yaml_array(definition->column_count, sizeof *row->cells, error);
    if (!row->cells)
        return false;
    snprintf(row->key, sizeof row->key, "%s", key);
    snprintf(row->published_key, sizeof row->published_key, "%s", key);
    for (size_t i = 0; i < definition->column_count; ++i) {
        const struct paper_column *column = &definition->columns[i];
        row->cells[i] =
            published_alone(printed_cell(table->published, key, column->published),
                            printed_cell(table->published, key, column->published_cumulative), flag_of(table));
    }
    return true;
}

bool published_only_fill(struct report_table *table, struct error *error)
{
    struct report_panel *panel = yaml_array(1, sizeof *panel, error);
    if (!panel)
        return false;
    table->panels = panel;
    table->panel_count = 1;
    table->unmeasured = table->definition->sql != NULL;
    panel->flags[panel->flag_count++] = flag_of(table);
    panel->rows = yaml_array(table->published->row_count, sizeof *panel->rows, error);
    if (!panel->rows)
        return false;
    panel->row_capacity = table->published->row_count;
    while (panel->row_count < panel->row_capacity) {
        const size_t i = panel->row_count++;
        if (!fill_row(table, table->published->row_keys[i], &panel->rows[i], error))
            return false;
    }
    return true;
}

bool report_published_only(const struct report_table *table)
{
    return !table->definition->sql;
}

const char *report_flag_text(const struct report_table *table, const char *flag)
{
    if (report_published_only(table) && !strcmp(flag, PAPER_NOT_IMPLEMENTED))
        return table->definition->missing;
    return paper_flag_text(table->paper, flag);
}
