// SPDX-License-Identifier: MIT
#include "report/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/published_only.h"
#include "report/report_query.h"
#include "base/yaml.h"

enum { TEXTS_COMPARED = 16 }; // latest texts among which an equal one is looked for

const struct report_format report_formats[] = {
    {"text", "txt", report_write_text},
    {"markdown", "md", report_write_markdown},
    {"latex", "tex", report_write_latex},
    {"csv", "csv", report_write_csv},
    {NULL, NULL, NULL},
};

struct filling {
    struct report_table *table;
    char panel[64]; // key of the panel being filled
    struct error *error;
    bool failed;
};

// A column of the result that no cell takes describes the panel.
static bool is_cell(const struct paper_table *definition, const char *name)
{
    if (!strcmp(name, definition->row) || !strcmp(name, definition->published_row))
        return true;
    for (size_t i = 0; i < definition->column_count; ++i) {
        const struct paper_column *column = &definition->columns[i];
        if (!strcmp(name, column->name) || !strcmp(name, column->cumulative) ||
            !strcmp(name, column->published_value) || !strcmp(name, column->published_value_cumulative) ||
            !strcmp(name, column->published_half) || !strcmp(name, column->published_half_cumulative) ||
            !strcmp(name, column->ratio) || !strcmp(name, column->low) || !strcmp(name, column->high) ||
            !strcmp(name, column->flags))
            return true;
    }
    return false;
}

static bool add_facts(struct report_panel *panel, const struct paper_table *definition, const struct store_row *row,
                      struct error *error)
{
    panel->facts = yaml_array(row->count, sizeof *panel->facts, error);
    if (!panel->facts)
        return false;
    for (size_t i = 0; i < row->count; ++i) {
        if (is_cell(definition, row->names[i]) || row->values[i].type == STORE_NULL)
            continue;
        struct report_fact *fact = &panel->facts[panel->fact_count++];
        fact->name = strdup(row->names[i]);
        fact->text = strdup(row->values[i].text);
        if (!fact->name || !fact->text)
            return error_set(error, ERROR_SYSTEM, "no memory");
    }
    return true;
}

// Panels of one scene follow each other: its file is read once.
static void describe_scene(const struct report_table *table, struct report_panel *panel)
{
    const struct report_panel *before = table->panel_count > 1 ? panel - 1 : NULL;
    const char *scene = report_fact(panel, "scene"), *camera = report_fact(panel, "camera");
    const bool same =
        before && !strcmp(report_fact(before, "scene"), scene) && !strcmp(report_fact(before, "camera"), camera);
    panel->scene = same ? before->scene : scene_words(scene, camera);
}

static struct report_panel *add_panel(struct report_table *table, const struct store_row *row, struct error *error)
{
    struct report_panel *panels = realloc(table->panels, (table->panel_count + 1) * sizeof *panels);
    if (!panels) {
        error_set(error, ERROR_SYSTEM, "no memory");
        return NULL;
    }
    table->panels = panels;
    struct report_panel *panel = &panels[table->panel_count++];
    *panel = (struct report_panel){0};
    if (!add_facts(panel, table->definition, row, error))
        return NULL;
    describe_scene(table, panel);
    return panel;
}

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

// A hair more than half a place: a value on the edge may have been rounded to either side.
static bool is_within(double value, double published, double half)
{
    return fabs(value - published) <= half * (1 + 1e-9);
}

// A copy that lives as long as the table. Rows that follow each other often say the same: it is kept once.
static const char *keep_text(struct report_table *table, const char *text)
{
    for (size_t i = 0; i < TEXTS_COMPARED && i < table->text_count; ++i)
        if (!strcmp(table->texts[table->text_count - 1 - i], text))
            return table->texts[table->text_count - 1 - i];
    if (!text[0])
        return "";
    if (table->text_count == table->text_capacity) {
        const size_t capacity = table->text_capacity ? 2 * table->text_capacity : 64;
        char **texts = realloc(table->texts, capacity * sizeof *texts);
        if (!texts)
            return NULL;
        table->texts = texts;
        table->text_capacity = capacity;
    }
    char *copy = strdup(text);
    if (copy)
        table->texts[table->text_count++] = copy;
    return copy;
}

static bool fill_words(struct report_table *table, const struct paper_column *column, const struct store_row *row,
                       struct report_cell *cell, struct error *error)
{
    cell->flags = keep_text(table, row_text(row, column->flags));
    cell->trials = keep_text(table, row_text(row, column->trials));
    return (cell->flags && cell->trials) || error_set(error, ERROR_SYSTEM, "no memory");
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
    const double half = cell->printed ? cell->printed->half : row_number(row, column->published_half);
    const double half_cumulative =
        cell->printed_cumulative ? cell->printed_cumulative->half : row_number(row, column->published_half_cumulative);
    const bool compare = comparable(table, panel, column);
    cell->ratio = !compare ? NAN : column->ratio[0] ? row_number(row, column->ratio) : cell->value / cell->published;
    cell->ratio_cumulative = compare ? cell->cumulative / cell->published_cumulative : NAN;
    cell->within = compare && is_within(cell->value, cell->published, half);
    cell->within_cumulative = compare && is_within(cell->cumulative, cell->published_cumulative, half_cumulative);
}

static bool note_flags(struct report_table *table, struct report_panel *panel, const char *flags, struct error *error)
{
    char flag[REPORT_FLAG_TEXT];
    while (report_next_flag(&flags, flag, sizeof flag)) {
        if (report_flag_index(panel, flag) < panel->flag_count)
            continue;
        if (panel->flag_count == REPORT_FLAGS) {
            panel->flags_lost = true;
            continue;
        }
        const char *kept = keep_text(table, flag);
        if (!kept)
            return error_set(error, ERROR_SYSTEM, "no memory");
        panel->flags[panel->flag_count++] = kept;
    }
    return true;
}

static bool add_row(struct report_table *table, struct report_panel *panel, const struct store_row *row,
                    struct error *error)
{
    if (panel->row_count == panel->row_capacity) {
        const size_t capacity = panel->row_capacity ? 2 * panel->row_capacity : 16;
        struct report_row *rows = realloc(panel->rows, capacity * sizeof *rows);
        if (!rows)
            return error_set(error, ERROR_SYSTEM, "no memory");
        panel->rows = rows;
        panel->row_capacity = capacity;
    }
    struct report_row *to = &panel->rows[panel->row_count];
    to->cells = yaml_array(table->definition->column_count, sizeof *to->cells, error);
    if (!to->cells)
        return false;
    ++panel->row_count;
    const struct paper_table *definition = table->definition;
    snprintf(to->key, sizeof to->key, "%s", row_text(row, definition->row));
    snprintf(to->published_key, sizeof to->published_key, "%s",
             row_text(row, definition->published_row[0] ? definition->published_row : definition->row));
    for (size_t i = 0; i < definition->column_count; ++i) {
        fill_cell(table, panel, &definition->columns[i], row, to->published_key, &to->cells[i]);
        if (!fill_words(table, &definition->columns[i], row, &to->cells[i], error) ||
            !note_flags(table, panel, to->cells[i].flags, error))
            return false;
    }
    return true;
}

static bool take_row(void *context, const struct store_row *row)
{
    struct filling *filling = context;
    struct report_table *table = filling->table;
    const char *key = row_text(row, "panel");
    struct report_panel *panel = table->panel_count ? &table->panels[table->panel_count - 1] : NULL;
    if (!panel || strcmp(key, filling->panel) != 0) {
        panel = add_panel(table, row, filling->error);
        snprintf(filling->panel, sizeof filling->panel, "%s", key);
    }
    filling->failed = !panel || !add_row(table, panel, row, filling->error);
    return !filling->failed;
}

// Appends a file's text; false without it or without memory.
static bool append_file(char **text, const char *path, struct error *error)
{
    char *more = paper_file_text(path, error), *joined = NULL;
    const bool done = more && asprintf(&joined, "%s%s", *text ? *text : "", more) >= 0;
    if (more && !done)
        error_set(error, ERROR_SYSTEM, "no memory");
    free(more);
    free(*text);
    *text = done ? joined : NULL;
    return done;
}

// The query behind what several share.
static char *query_text(const struct paper_table *definition, struct error *error)
{
    char *text = NULL;
    bool done = true;
    for (size_t i = 0; done && i < definition->common_count; ++i)
        done = append_file(&text, definition->common[i], error);
    return done && append_file(&text, definition->sql, error) ? text : NULL;
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
    struct filling filling = {.table = table, .error = error};
    const bool done = store_query(store, text, bindings.list, take_row, &filling, error) && !filling.failed;
    free(text);
    if (!done && error && !error->file[0])
        snprintf(error->file, sizeof error->file, "%s", table->definition->sql);
    return done;
}

struct report_table *report_table_build(struct store *store, const struct paper *paper,
                                        const struct paper_table *definition, const struct report_options *options,
                                        struct error *error)
{
    struct report_table *table = yaml_array(1, sizeof *table, error);
    if (!table)
        return NULL;
    table->paper = paper;
    table->definition = definition;
    table->published = published_table(paper->published, definition->published);
    table->database = store ? store_path(store) : "";
    if (!(definition->sql ? fill_table(store, table, options, error) : published_only_fill(table, error))) {
        report_table_free(table);
        return NULL;
    }
    if (table->panel_count)
        table->left_out = strtoull(report_fact(&table->panels[0], "left_out"), NULL, 10);
    return table;
}
