// SPDX-License-Identifier: MIT
#include "report/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/scene_words.h"
#include "report/yaml_file.h"

const struct report_format report_formats[] = {
    {"text", "txt", report_write_text},
    {"markdown", "md", report_write_markdown},
    {"csv", "csv", report_write_csv},
    {NULL, NULL, NULL},
};

struct filling {
    struct report_table *table;
    char panel[64]; // key of the panel being filled
    struct error *error;
    bool failed;
};

static const struct store_value *column_of(const struct store_row *row, const char *name)
{
    for (size_t i = 0; name[0] && i < row->count; ++i)
        if (!strcmp(row->names[i], name))
            return &row->values[i];
    return NULL;
}

static double number_of(const struct store_row *row, const char *name)
{
    const struct store_value *value = column_of(row, name);
    if (!value || value->type == STORE_NULL || value->type == STORE_TEXT)
        return NAN;
    return value->type == STORE_INTEGER ? (double)value->integer : value->real;
}

static const char *text_of(const struct store_row *row, const char *name)
{
    const struct store_value *value = column_of(row, name);
    return value && value->type != STORE_NULL ? value->text : "";
}

// A column of the result that no cell takes describes the panel.
static bool is_cell(const struct paper_table *definition, const char *name)
{
    if (!strcmp(name, definition->row))
        return true;
    for (size_t i = 0; i < definition->column_count; ++i) {
        const struct paper_column *column = &definition->columns[i];
        if (!strcmp(name, column->name) || !strcmp(name, column->cumulative) ||
            !strcmp(name, column->published_value) || !strcmp(name, column->published_value_cumulative) ||
            !strcmp(name, column->published_half) || !strcmp(name, column->published_half_cumulative))
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
    if (!before || strcmp(report_fact(before, "scene"), scene) != 0 ||
        strcmp(report_fact(before, "camera"), camera) != 0) {
        scene_words(scene, camera, panel);
        return;
    }
    memcpy(panel->scene_title, before->scene_title, sizeof panel->scene_title);
    memcpy(panel->stands_for, before->stands_for, sizeof panel->stands_for);
    memcpy(panel->camera, before->camera, sizeof panel->camera);
    panel->fitted = before->fitted;
    panel->known = before->known;
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

bool report_stands_in(const struct report_table *table, const struct report_panel *panel)
{
    const char *scene = table->published ? table->published->scene : "";
    return panel->stands_for[0] && (!scene[0] || !strcmp(scene, panel->stands_for));
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

static void fill_cell(const struct report_table *table, const struct report_panel *panel,
                      const struct paper_column *column, const struct store_row *row, const char *key,
                      struct report_cell *cell)
{
    cell->value = number_of(row, column->name);
    cell->cumulative = number_of(row, column->cumulative);
    cell->printed = printed_cell(table, key, column->published);
    cell->printed_cumulative = printed_cell(table, key, column->published_cumulative);
    cell->published = cell->printed ? cell->printed->value : number_of(row, column->published_value);
    cell->published_cumulative =
        cell->printed_cumulative ? cell->printed_cumulative->value : number_of(row, column->published_value_cumulative);
    const double half = cell->printed ? cell->printed->half : number_of(row, column->published_half);
    const double half_cumulative =
        cell->printed_cumulative ? cell->printed_cumulative->half : number_of(row, column->published_half_cumulative);
    const bool compare = comparable(table, panel, column);
    cell->ratio = compare ? cell->value / cell->published : NAN;
    cell->ratio_cumulative = compare ? cell->cumulative / cell->published_cumulative : NAN;
    cell->within = compare && is_within(cell->value, cell->published, half);
    cell->within_cumulative = compare && is_within(cell->cumulative, cell->published_cumulative, half_cumulative);
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
    snprintf(to->key, sizeof to->key, "%s", text_of(row, table->definition->row));
    for (size_t i = 0; i < table->definition->column_count; ++i)
        fill_cell(table, panel, &table->definition->columns[i], row, to->key, &to->cells[i]);
    return true;
}

static bool take_row(void *context, const struct store_row *row)
{
    struct filling *filling = context;
    struct report_table *table = filling->table;
    const char *key = text_of(row, "panel");
    struct report_panel *panel = table->panel_count ? &table->panels[table->panel_count - 1] : NULL;
    if (!panel || strcmp(key, filling->panel) != 0) {
        panel = add_panel(table, row, filling->error);
        snprintf(filling->panel, sizeof filling->panel, "%s", key);
    }
    filling->failed = !panel || !add_row(table, panel, row, filling->error);
    return !filling->failed;
}

// The published table as a table of SQL: the row's key and, as numbers, every column, corrected and in its unit, and as
// COLUMN_half how far rounding may have moved it.
static bool load_published(struct store *store, const struct published_table *published, struct error *error)
{
    const size_t columns = 2 * published->column_count + 1, count = columns * published->row_count;
    char(*names)[80] = yaml_array(columns, sizeof *names, error);
    const char **name_list = yaml_array(columns, sizeof *name_list, error);
    const char **cells = yaml_array(count, sizeof *cells, error);
    char(*numbers)[32] = yaml_array(count, sizeof *numbers, error);
    char table[80];
    bool done = names && name_list && cells && numbers;
    for (size_t j = 0; done && j < columns; ++j) {
        snprintf(names[j], sizeof names[j], "%.70s%s", j ? published->columns[(j - 1) / 2].name : published->row,
                 j && j % 2 == 0 ? "_half" : "");
        name_list[j] = names[j];
    }
    for (size_t i = 0; done && i < count; ++i) {
        const size_t row = i / columns, column = i % columns;
        const struct published_cell *cell =
            column ? &published->cells[row * published->column_count + (column - 1) / 2] : NULL;
        const double value = !cell ? 0 : column % 2 ? cell->value : cell->half;
        snprintf(numbers[i], sizeof numbers[i], "%.15g", value);
        cells[i] = !cell ? published->row_keys[row] : isnan(value) ? NULL : numbers[i];
    }
    snprintf(table, sizeof table, "published_%.60s", published->id);
    done = done && store_load_table(store, table, name_list, columns, cells, published->row_count, error);
    free(names);
    free(name_list);
    free(cells);
    free(numbers);
    return done;
}

static bool fill_table(struct store *store, struct report_table *table, const struct report_options *options,
                       struct error *error)
{
    char *text = yaml_file_text(table->definition->sql, NULL, error);
    if (!text)
        return false;
    const char *bindings[] = {"all",   options->all ? "1" : "0",
                              "run",   options->run ? options->run : "",
                              "scene", options->scene ? options->scene : "",
                              NULL};
    struct filling filling = {.table = table, .error = error};
    const bool done = (!table->published || load_published(store, table->published, error)) &&
                      store_query(store, text, bindings, take_row, &filling, error) && !filling.failed;
    free(text);
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
    table->database = store_path(store);
    if (!fill_table(store, table, options, error)) {
        report_table_free(table);
        return NULL;
    }
    if (table->panel_count)
        table->left_out = strtoull(report_fact(&table->panels[0], "left_out"), NULL, 10);
    return table;
}

static void finish_panel(struct report_panel *panel)
{
    for (size_t i = 0; i < panel->fact_count; ++i) {
        free(panel->facts[i].name);
        free(panel->facts[i].text);
    }
    for (size_t i = 0; i < panel->row_count; ++i)
        free(panel->rows[i].cells);
    free(panel->facts);
    free(panel->rows);
}

void report_table_free(struct report_table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->panel_count; ++i)
        finish_panel(&table->panels[i]);
    free(table->panels);
    free(table);
}

const char *report_fact(const struct report_panel *panel, const char *name)
{
    for (size_t i = 0; i < panel->fact_count; ++i)
        if (!strcmp(panel->facts[i].name, name))
            return panel->facts[i].text;
    return "";
}

bool report_measured(const struct report_panel *panel, size_t column)
{
    for (size_t i = 0; i < panel->row_count; ++i)
        if (!isnan(panel->rows[i].cells[column].value))
            return true;
    return false;
}
