// SPDX-License-Identifier: MIT
#include "report/tables/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/yaml.h"
#include "report/papers/report_query.h"
#include "store/tables.h"

struct filling {
    struct report_table *table;
    char panel[64]; // key of the panel being filled
};

// A column of the result that no cell takes describes the panel.
static bool is_cell(const struct paper_table *definition, const char *name)
{
    if (!strcmp(name, definition->row) || !strcmp(name, definition->published_row))
        return true;
    for (size_t i = 0; i < definition->column_count; ++i) {
        const struct paper_column *column = &definition->columns[i];
        const char *const taken[] = {column->name,
                                     column->cumulative,
                                     column->published_value,
                                     column->published_value_cumulative,
                                     column->published_half,
                                     column->published_half_cumulative,
                                     column->ratio,
                                     column->low,
                                     column->high,
                                     column->flags};
        for (size_t j = 0; j < sizeof taken / sizeof *taken; ++j)
            if (!strcmp(name, taken[j]))
                return true;
    }
    return false;
}

// Panels of one scene follow each other: its file is read once.
static struct scene_words describe_scene(const struct report_table *table, const struct report_panel *panel)
{
    const struct report_panel *before = table->panel_count > 1 ? panel - 1 : NULL;
    const char *scene = report_fact(panel, "scene"), *camera = report_fact(panel, "camera");
    const bool same =
        before && !strcmp(report_fact(before, "scene"), scene) && !strcmp(report_fact(before, "camera"), camera);
    return same ? before->scene : scene_words(scene, camera);
}

static struct report_panel *add_panel(struct report_table *table, const struct store_row *row)
{
    struct report_panel *panel = ARENA_ADD(&table->memory, table->panels, table->panel_count);
    for (size_t i = 0; i < row->count; ++i)
        if (!is_cell(table->definition, row->names[i]) && row->values[i].type != STORE_NULL)
            *ARENA_ADD(&table->memory, panel->facts, panel->fact_count) =
                (struct report_fact){arena_format(&table->memory, "%s", row->names[i]),
                                     arena_format(&table->memory, "%s", row->values[i].text)};
    panel->scene = describe_scene(table, panel);
    return panel;
}

// ---- cells

static const struct published_cell *printed_cell(const struct report_table *table, const char *key, const char *column)
{
    const struct published_cell *cell =
        table->published && column[0] ? published_cell(table->published, key, column) : NULL;
    return cell && cell->printed ? cell : NULL;
}

// Counts are never compared: the stand-in, and often the image's size, differ from the paper's.
static bool comparable(const struct report_table *table, const struct report_panel *panel,
                       const struct paper_column *column)
{
    if (!report_stands_in(table, panel))
        return false;
    if (column->compare != COMPARE_SAME_WARP)
        return column->compare == COMPARE_ALWAYS;
    return strtoull(report_fact(panel, "warp_width"), NULL, 10) == table->paper->published->warp_width;
}

// Within the rounding of what is printed: a hair more than half a place, as a value on the edge may have been rounded to
// either side. Where the rounding is coarse that alone would call equal what differs by a fifth.
static bool is_within(double value, double published, double half, double ratio)
{
    return fabs(value - published) <= half * (1 + 1e-9) && ratio >= 0.95 && ratio <= 1.05;
}

static void fill_cell(const struct report_table *table, const struct report_panel *panel,
                      const struct paper_column *column, const struct store_row *row, const char *key,
                      struct report_cell *cell)
{
    cell->low = row_number(row, column->low);
    cell->high = row_number(row, column->high);
    cell->value = row_number(row, column->name);
    cell->cumulative = row_number(row, column->cumulative);
    cell->printed = printed_cell(table, key, column->published);
    cell->printed_cumulative = printed_cell(table, key, column->published_cumulative);
    cell->published = cell->printed ? cell->printed->value : row_number(row, column->published_value);
    cell->published_cumulative = cell->printed_cumulative ? cell->printed_cumulative->value
                                                          : row_number(row, column->published_value_cumulative);
    cell->half = cell->printed ? cell->printed->half : row_number(row, column->published_half);
    const double half_cumulative =
        cell->printed_cumulative ? cell->printed_cumulative->half : row_number(row, column->published_half_cumulative);
    const bool compare = comparable(table, panel, column);
    cell->ratio = !compare ? NAN : column->ratio[0] ? row_number(row, column->ratio) : cell->value / cell->published;
    cell->ratio_cumulative = compare ? cell->cumulative / cell->published_cumulative : NAN;
    cell->within = is_within(cell->value, cell->published, cell->half, cell->ratio);
    cell->within_cumulative =
        is_within(cell->cumulative, cell->published_cumulative, half_cumulative, cell->ratio_cumulative);
}

static void note_flags(struct report_panel *panel, const char *flags, struct arena *memory)
{
    char flag[REPORT_FLAG_TEXT];
    while (report_next_flag(&flags, flag, sizeof flag)) {
        if (report_flag_index(panel, flag) < panel->flag_count)
            continue;
        if (panel->flag_count < REPORT_FLAGS)
            panel->flags[panel->flag_count++] = arena_format(memory, "%s", flag);
        else
            panel->flags_lost = true;
    }
}

// `only`: the flag of cells for which there is nothing but what the paper prints; NULL where there is more.
static void add_row(struct report_table *table, struct report_panel *panel, const struct store_row *row,
                    const char *key, const char *published_key, const char *only)
{
    struct report_row *to = ARENA_ADD(&table->memory, panel->rows, panel->row_count);
    const struct report_row *before = panel->row_count > 1 ? to - 1 : NULL;
    to->key = arena_format(&table->memory, "%s", key);
    to->published_key = arena_format(&table->memory, "%s", published_key);
    to->cells = arena_new(&table->memory, table->definition->column_count, sizeof *to->cells);
    for (size_t i = 0; i < table->definition->column_count; ++i) {
        const struct paper_column *column = &table->definition->columns[i];
        struct report_cell *cell = &to->cells[i];
        fill_cell(table, panel, column, row, published_key, cell);
        const bool alone = only && (cell->printed || cell->printed_cumulative);
        cell->flags = report_keep(&table->memory, alone ? only : row_text(row, column->flags),
                                  before ? before->cells[i].flags : "");
        cell->trials =
            report_keep(&table->memory, row_text(row, column->trials), before ? before->cells[i].trials : "");
        note_flags(panel, cell->flags, &table->memory);
    }
}

static bool take_row(void *context, const struct store_row *row)
{
    struct filling *filling = context;
    struct report_table *table = filling->table;
    const struct paper_table *definition = table->definition;
    const char *key = row_text(row, "panel");
    struct report_panel *panel = table->panel_count ? &table->panels[table->panel_count - 1] : NULL;
    if (!panel || strcmp(key, filling->panel) != 0) {
        panel = add_panel(table, row);
        snprintf(filling->panel, sizeof filling->panel, "%s", key);
    }
    add_row(table, panel, row, row_text(row, definition->row),
            row_text(row, definition->published_row[0] ? definition->published_row : definition->row), NULL);
    return true;
}

void report_table_publish(struct report_table *table)
{
    static const struct store_row nothing = {.count = 0};
    struct report_panel *panel = ARENA_ADD(&table->memory, table->panels, table->panel_count);
    table->unmeasured = table->definition->sql != NULL;
    panel->open = true;
    for (size_t i = 0; i < table->published->row_count; ++i)
        add_row(table, panel, &nothing, table->published->row_keys[i], table->published->row_keys[i],
                report_published_flag(table));
}

// ---- queries

// The query behind what several share; NULL where a file of it is not to be read.
static char *query_text(const struct paper_table *definition, struct error *error)
{
    char *text = memory_copy("");
    for (size_t i = 0; text && i <= definition->common_count; ++i) {
        char *more = paper_file_text(i < definition->common_count ? definition->common[i] : definition->sql, error);
        char *joined = more ? memory_format("%s%s", text, more) : NULL;
        free(more);
        free(text);
        text = joined;
    }
    return text;
}

static bool fill_table(struct store *store, struct report_table *table, const struct report_options *options,
                       struct error *error)
{
    char *text = query_text(table->definition, error);
    if (!text || !store_keep_views(store, text, error)) {
        free(text);
        return false;
    }
    const struct report_bindings bindings = report_bind(options);
    struct filling filling = {.table = table};
    const bool done = store_query(store, text, bindings.list, take_row, &filling, error);
    free(text);
    if (!done && error && !error->file[0])
        snprintf(error->file, sizeof error->file, "%s", table->definition->sql);
    return done;
}

struct report_table *report_table_build(struct store *store, const struct paper *paper,
                                        const struct paper_table *definition, const struct report_options *options,
                                        struct error *error)
{
    struct report_table *table = memory_new(1, sizeof *table);
    table->paper = paper;
    table->definition = definition;
    table->published = published_table(paper->published, definition->published);
    table->database = store ? store_path(store) : "";
    if (definition->sql && !fill_table(store, table, options, error)) {
        report_table_free(table);
        return NULL;
    }
    if (!definition->sql)
        report_table_publish(table);
    if (table->panel_count)
        table->left_out = strtoull(report_fact(&table->panels[0], "left_out"), NULL, 10);
    report_arrange(table, options->all);
    return table;
}
