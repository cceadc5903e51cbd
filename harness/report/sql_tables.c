// SPDX-License-Identifier: MIT
#include "report/sql_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/scene_words.h"
#include "report/yaml_file.h"
#include "trial/estimator.h"
#include "trial/parameters.h"
#include "trial/variant.h"

// What a cell without a number holds: words, in the column that has no `_half` behind its name.
static const char *words_of(const struct published_cell *cell, size_t column)
{
    return column % 2 == 0 ? NULL : cell->corrected ? cell->corrected : cell->printed;
}

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
        cells[i] = !cell ? published->row_keys[row] : isnan(value) ? words_of(cell, column) : numbers[i];
    }
    snprintf(table, sizeof table, "published_%.60s", published->id);
    done = done && store_load_table(store, table, name_list, columns, cells, published->row_count, error);
    free(names);
    free(name_list);
    free(cells);
    free(numbers);
    return done;
}

// ---- scenes

enum { STAND_IN_COLUMNS = 6 };
static const char *const stand_in_columns[STAND_IN_COLUMNS] = {"scene",  "title",  "stands_for",
                                                               "camera", "fitted", "known"};

struct scene_list {
    char **cells; // row by row
    size_t count, capacity;
    bool failed;
};

static bool add_scene(void *context, const struct store_row *row)
{
    struct scene_list *list = context;
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 16;
        char **cells = realloc(list->cells, capacity * STAND_IN_COLUMNS * sizeof *cells);
        if (!cells)
            return !(list->failed = true);
        list->cells = cells;
        list->capacity = capacity;
    }
    const char *scene = row->values[0].text;
    const struct scene_words words = scene_words(scene, "");
    const char *const texts[STAND_IN_COLUMNS] = {
        scene, words.title, words.stands_for, words.camera, words.fitted ? "1" : "0", words.known ? "1" : "0"};
    char **cells = list->cells + list->count++ * STAND_IN_COLUMNS;
    for (size_t i = 0; i < STAND_IN_COLUMNS; ++i) {
        cells[i] = strdup(texts[i]);
        list->failed = list->failed || !cells[i];
    }
    return !list->failed;
}

static bool load_stand_ins(struct store *store, struct error *error)
{
    struct scene_list list = {.count = 0};
    bool done = store_query(store, "SELECT DISTINCT scene FROM trial_record WHERE scene IS NOT NULL", NULL, add_scene,
                            &list, error);
    if (done && list.failed)
        done = error_set(error, ERROR_SYSTEM, "no memory for the scenes");
    done = done && store_load_table(store, "stand_in", stand_in_columns, STAND_IN_COLUMNS,
                                    (const char *const *)list.cells, list.count, error);
    for (size_t i = 0; i < list.count * STAND_IN_COLUMNS; ++i)
        free(list.cells[i]);
    free(list.cells);
    return done;
}

// ---- choices

// Whether settings are compared in it: one of the tree, or one that the variant heeds with which all others are compared.
static bool is_comparable(const struct parameter *parameter)
{
    bool heeded = parameter->role == PARAMETER_TREE;
    for (size_t i = 0; parameter->role == PARAMETER_SCHEDULE && !heeded && estimator_table[i]; ++i) {
        const struct variant *reference = variant_find(estimator_table[i]->reference);
        heeded = reference && variant_uses(reference, parameter);
    }
    return heeded;
}

static bool load_choices(struct store *store, struct error *error)
{
    char *script = NULL;
    size_t size;
    FILE *stream = open_memstream(&script, &size);
    if (!stream)
        return error_set(error, ERROR_SYSTEM, "no memory for the parameters");
    fputs("CREATE TEMP TABLE trial_choice AS", stream);
    const char *before = "";
    for (size_t i = 0; i < parameter_count; ++i) {
        const char *name = parameter_table[i].name;
        if (parameter_table[i].role != PARAMETER_TREE && parameter_table[i].role != PARAMETER_SCHEDULE)
            continue;
        fprintf(stream,
                "%s SELECT id AS trial, %zu AS place, %d AS compared, '%s' AS name, replace('%s', '_', ' ') || ' ' || "
                "\"%s\" AS words "
                "FROM trial_record WHERE CAST(\"%s\" AS TEXT) <> '%s'",
                before, i, is_comparable(&parameter_table[i]), name, name, name, name, parameter_table[i].standard);
        before = " UNION ALL";
    }
    fputs(";\nCREATE INDEX temp.trial_choice_trial ON trial_choice (trial);\n", stream);
    const bool done = fclose(stream) == 0 && script && store_make_tables(store, script, "choices", NULL, error);
    free(script);
    return done;
}

bool sql_tables_load(struct store *store, const struct published *published, struct error *error)
{
    for (size_t i = 0; i < published->table_count; ++i)
        if (!load_published(store, &published->tables[i], error))
            return false;
    return load_stand_ins(store, error) && load_choices(store, error);
}
