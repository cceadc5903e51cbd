// SPDX-License-Identifier: MIT
#include "report/papers/prepare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/estimator.h"
#include "frame/parameters.h"
#include "frame/variant.h"
#include "report/papers/scene_words.h"
#include "report/papers/sql_rows.h"
#include "store/query.h"
#include "store/kept.h"
#include "store/tables.h"

// A value and its half; of words these, which have no half.
static void add_cell(struct sql_rows *rows, const struct published_cell *cell)
{
    if (isnan(cell->value))
        sql_rows_text(rows, cell->corrected ? cell->corrected : cell->printed);
    else
        sql_rows_number(rows, cell->value);
    sql_rows_number(rows, cell->half);
}

static bool load_published(struct store *store, const struct published_table *published, struct error *error)
{
    struct sql_rows rows[] = {{.columns = {published->row}}, {.table = NULL}};
    struct arena *memory = &rows->memory;
    rows->table = arena_format(memory, "published_%s", published->id);
    for (size_t i = 0; i < published->column_count; ++i) {
        rows->columns[2 * i + 1] = published->columns[i].name;
        rows->columns[2 * i + 2] = arena_format(memory, "%s_half", published->columns[i].name);
    }
    for (size_t i = 0; i < published->row_count; ++i) {
        sql_rows_text(rows, published->row_keys[i]);
        for (size_t k = 0; k < published->column_count; ++k)
            add_cell(rows, &published->cells[i * published->column_count + k]);
    }
    return sql_rows_load(store, rows, true, error);
}

static bool add_scene(void *context, const struct store_row *row)
{
    const char *scene = row->values[0].text;
    const struct scene_words words = scene_words(scene, "");
    SQL_ROWS_TEXTS((struct sql_rows *)context, scene, words.title, words.stands_for, words.camera,
                   words.fitted ? "1" : "0", words.original ? "1" : "0", words.known ? "1" : "0");
    return true;
}

// What views cannot be given as parameters, and the scenes.
static bool load_options(struct store *store, const struct report_options *options, struct error *error)
{
    struct sql_rows rows[] = {
        {.table = "report_option", .columns = {"run TEXT", "scene TEXT", "everything INTEGER"}},
        {.table = "stand_in",
         .columns = {"scene TEXT", "title TEXT", "stands_for TEXT", "camera TEXT", "fitted", "original", "known"}},
        {.table = NULL},
    };
    SQL_ROWS_TEXTS(rows, options->run ? options->run : "", options->scene ? options->scene : "",
                   options->all ? "1" : "0");
    const bool done = store_query(store, "SELECT DISTINCT scene FROM trial_record WHERE scene IS NOT NULL", NULL,
                                  add_scene, &rows[1], error);
    return sql_rows_load(store, rows, done, error);
}

// ---- choices

// Whether settings are compared in it: one of the tree, or one that the variant uses with which all others are compared.
static bool is_comparable(const struct parameter *parameter)
{
    bool used = parameter->role == PARAMETER_TREE;
    for (size_t i = 0; parameter->role == PARAMETER_SCHEDULE && !used && estimator_table[i]; ++i) {
        const struct variant *reference = variant_find(estimator_table[i]->reference);
        used = reference && variant_uses(reference, parameter);
    }
    return used;
}

static bool is_choice(const struct parameter *parameter)
{
    return parameter->role == PARAMETER_TREE || parameter->role == PARAMETER_SCHEDULE;
}

// That a trial has another value than the default.
static void add_differs(FILE *stream, const struct parameter *parameter)
{
    fprintf(stream, "\"%s\" ", parameter->name);
    if (parameter->automatic)
        fputs("NOTNULL", stream);
    else
        fprintf(stream, parameter->choices ? "<> '%s'" : "<> %s", parameter->standard);
}

struct differing {
    bool list[256]; // by parameter: whether any trial has another value than the default
};

static bool take_differing(void *context, const struct store_row *row)
{
    struct differing *differing = context;
    for (size_t i = 0; i < row->count && i < sizeof differing->list; ++i)
        differing->list[i] = row->values[i].integer != 0;
    return false;
}

// The view `differs` is one that studies share (store/kept.c).
static bool find_differing(struct store *store, struct differing *differing, struct error *error)
{
    static const char query[] = "SELECT * FROM differs";
    char *script;
    size_t size;
    FILE *stream = memory_stream(&script, &size);
    fputs("CREATE TEMP VIEW differs AS SELECT ", stream);
    for (size_t i = 0; i < parameter_count; ++i) {
        fputs(i ? ", max(" : "max(", stream);
        is_choice(&parameter_table[i]) ? add_differs(stream, &parameter_table[i]) : (void)fputs("0", stream);
        fprintf(stream, ") AS \"%s\"", parameter_table[i].name);
    }
    fputs(" FROM trial_record", stream);
    memory_close(stream);
    const bool done = store_make_tables(store, script, "choices", NULL, error) &&
                      store_keep_views(store, query, error) &&
                      store_query(store, query, NULL, take_differing, differing, error);
    free(script);
    return done;
}

// The words of those parameters of tree and schedule that differ from their default, where a condition holds.
static void add_words(FILE *stream, const char *column, const struct differing *differing, bool comparable,
                      const char *condition)
{
    fputs(", substr(''", stream);
    for (size_t i = 0; i < parameter_count; ++i) {
        const struct parameter *parameter = &parameter_table[i];
        if (!differing->list[i] || (is_comparable(parameter) != comparable && strcmp(column, "axes") != 0))
            continue;
        fputs(" || iif(", stream);
        add_differs(stream, parameter);
        fprintf(stream, " AND '%s' %s, replace(', %s ', '_', ' ') || \"%s\", '')", parameter->name, condition,
                parameter->name, parameter->name);
    }
    fprintf(stream, ", 3) AS %s", column);
}

// What is computed, whoever computes it: trial_record.work, but where lanes of a warp or a block share their roulette, all
// that it is made of except for the schedule.
static void add_work(FILE *stream)
{
    fputs(", iif(roulette IN ('warp', 'block'), estimator || ' ' || scene_content || ' ' || camera", stream);
    for (size_t i = 0; i < parameter_count; ++i)
        if (parameter_table[i].role == PARAMETER_WORK)
            fprintf(stream, " || coalesce(' %s ' || \"%s\", '')", parameter_table[i].name, parameter_table[i].name);
    fputs(", work) AS work", stream);
}

static bool make_words(struct store *store, struct error *error)
{
    char *script;
    size_t size;
    struct differing differing = {.list = {false}};
    if (!find_differing(store, &differing, error))
        return false;
    FILE *stream = memory_stream(&script, &size);
    fputs("CREATE TEMP VIEW trial_words AS SELECT id AS trial", stream);
    add_words(stream, "schedule", &differing, true, "NOT IN (SELECT name FROM axis)");
    add_words(stream, "own", &differing, false, "NOTNULL");
    add_words(stream, "axes", &differing, true, "IN (SELECT name FROM axis)");
    add_work(stream);
    fputs(" FROM trial_record", stream);
    memory_close(stream);
    const bool done = store_make_tables(store, script, "choices", NULL, error);
    free(script);
    return done;
}

// ---- all

bool report_prepare(struct store *store, const struct paper *paper, const struct report_options *options,
                    struct error *error)
{
    bool done = store_forget_tables(store, error) && store_prefer_programs(store, paper->id, options->run, error);
    for (size_t i = 0; done && i < paper->published->table_count; ++i)
        done = load_published(store, &paper->published->tables[i], error);
    done = done && load_options(store, options, error) && make_words(store, error);
    for (size_t i = 0; done && i < paper->prepare_count; ++i) {
        char *script = paper_file_text(paper->prepare[i], error);
        done = script && store_make_tables(store, script, paper->prepare[i], NULL, error);
        free(script);
    }
    return done;
}
