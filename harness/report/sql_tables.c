// SPDX-License-Identifier: MIT
#include "report/sql_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/scene_words.h"
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
    char **names = memory_new(columns, sizeof *names), **cells = memory_new(count, sizeof *cells);
    for (size_t j = 0; j < columns; ++j)
        names[j] = memory_format("%s%s", j ? published->columns[(j - 1) / 2].name : published->row,
                                 j && j % 2 == 0 ? "_half" : "");
    for (size_t i = 0; i < count; ++i) {
        const size_t row = i / columns, column = i % columns;
        const struct published_cell *cell =
            column ? &published->cells[row * published->column_count + (column - 1) / 2] : NULL;
        const double value = !cell ? NAN : column % 2 ? cell->value : cell->half;
        cells[i] = !cell          ? memory_copy(published->row_keys[row])
                   : isnan(value) ? memory_copy(words_of(cell, column))
                                  : memory_format("%.15g", value);
    }
    char *table = memory_format("published_%s", published->id);
    const bool done = store_load_table(store, table, (const char *const *)names, columns, (const char *const *)cells,
                                       published->row_count, error);
    for (size_t j = 0; j < columns; ++j)
        free(names[j]);
    for (size_t i = 0; i < count; ++i)
        free(cells[i]);
    free(table);
    free(names);
    free(cells);
    return done;
}

// ---- scenes

enum { STAND_IN_COLUMNS = 6 };

struct scene_list {
    char **cells; // row by row
    size_t count; // of cells
};

static bool add_scene(void *context, const struct store_row *row)
{
    struct scene_list *list = context;
    const char *scene = row->values[0].text;
    const struct scene_words words = scene_words(scene, "");
    const char *const texts[STAND_IN_COLUMNS] = {
        scene, words.title, words.stands_for, words.camera, words.fitted ? "1" : "0", words.known ? "1" : "0"};
    for (size_t i = 0; i < STAND_IN_COLUMNS; ++i)
        *ARRAY_ADD(list->cells, list->count) = memory_copy(texts[i]);
    return true;
}

static bool load_stand_ins(struct store *store, struct error *error)
{
    static const char *const columns[] = {"scene", "title", "stands_for", "camera", "fitted", "known"};
    struct scene_list list = {.count = 0};
    const bool done = store_query(store, "SELECT DISTINCT scene FROM trial_record WHERE scene IS NOT NULL", NULL,
                                  add_scene, &list, error) &&
                      store_load_table(store, "stand_in", columns, STAND_IN_COLUMNS, (const char *const *)list.cells,
                                       list.count / STAND_IN_COLUMNS, error);
    for (size_t i = 0; i < list.count; ++i)
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

// The words of those parameters of tree and schedule that differ from their default, where a condition holds.
static void add_words(FILE *stream, const char *column, bool comparable, const char *condition)
{
    fputs(", substr(''", stream);
    for (size_t i = 0; i < parameter_count; ++i) {
        const struct parameter *parameter = &parameter_table[i];
        const bool choice = parameter->role == PARAMETER_TREE || parameter->role == PARAMETER_SCHEDULE;
        if (!choice || (is_comparable(parameter) != comparable && strcmp(column, "axes") != 0))
            continue;
        fprintf(stream, " || iif(\"%s\" ", parameter->name);
        if (parameter->automatic)
            fputs("NOTNULL", stream);
        else
            fprintf(stream, parameter->choices ? "<> '%s'" : "<> %s", parameter->standard);
        fprintf(stream, " AND '%s' %s, replace(', %s ', '_', ' ') || \"%s\", '')", parameter->name, condition,
                parameter->name, parameter->name);
    }
    fprintf(stream, ", 3) AS %s", column);
}

static bool make_words(struct store *store, struct error *error)
{
    char *script;
    size_t size;
    FILE *stream = memory_stream(&script, &size);
    fputs("CREATE TEMP VIEW trial_words AS SELECT id AS trial", stream);
    add_words(stream, "schedule", true, "NOT IN (SELECT name FROM axis)");
    add_words(stream, "own", false, "NOTNULL");
    add_words(stream, "axes", true, "IN (SELECT name FROM axis)");
    fputs(" FROM trial_record", stream);
    memory_close(stream);
    const bool done = store_make_tables(store, script, "choices", NULL, error);
    free(script);
    return done;
}

bool sql_tables_load(struct store *store, const struct published *published, struct error *error)
{
    for (size_t i = 0; i < published->table_count; ++i)
        if (!load_published(store, &published->tables[i], error))
            return false;
    return load_stand_ins(store, error) && make_words(store, error);
}
