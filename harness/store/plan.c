// SPDX-License-Identifier: MIT
// An experiment's sweep, expanded by SQLite in a private database in memory: nothing else is there to be read or
// changed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/plan.h"

// ---- the product

static void bind_value(sqlite3_stmt *insert, const char *name, const char *text, const char *device_auto)
{
    const struct parameter *parameter = parameter_find(name);
    if (!strcmp(name, "device") && !strcmp(text, "auto"))
        sqlite3_bind_text(insert, 1, device_auto, -1, SQLITE_TRANSIENT);
    else if (!parameter || parameter->choices)
        sqlite3_bind_text(insert, 1, text, -1, SQLITE_TRANSIENT);
    else if (!strcmp(text, "auto"))
        sqlite3_bind_null(insert, 1);
    else
        sqlite3_bind_int64(insert, 1, strtoll(text, NULL, 10));
}

static bool make_axes(struct store *plan, const struct experiment *experiment, const char *device_auto,
                      struct error *error)
{
    if (!store_script(plan, error,
                      "CREATE TABLE axis (axis, position, value, PRIMARY KEY (axis, position)) WITHOUT ROWID"))
        return false;
    bool done = true;
    for (size_t i = 0; i < experiment->axis_count; ++i)
        for (size_t k = 0; done && k < experiment->axes[i].count; ++k) {
            sqlite3_stmt *insert =
                store_with(plan, error, "INSERT INTO axis VALUES (?2, ?3, ?1)", NONE, INTEGER(i), INTEGER(k));
            if (insert)
                bind_value(insert, experiment->axes[i].name, experiment->axes[i].values[k].text, device_auto);
            done = store_run(plan, insert, error);
        }
    return done;
}

// A value that is listed again adds nothing; `auto` may be another name of one.
static bool drop_repeated(struct store *plan, struct plan_summary *summary, struct error *error)
{
    if (!store_script(plan, error,
                      "DELETE FROM axis WHERE (axis, position) NOT IN "
                      "(SELECT axis, min(position) FROM axis GROUP BY axis, value)"))
        return false;
    summary->repeated = sqlite3_changes64(plan->db);
    return true;
}

size_t plan_column_count(const struct experiment *experiment)
{
    return experiment->axis_count + experiment->derived_count;
}

const char *plan_column(const struct experiment *experiment, size_t index)
{
    return index < experiment->axis_count ? experiment->axes[index].name
                                          : experiment->derived[index - experiment->axis_count].name;
}

bool plan_has(const struct experiment *experiment, const char *name)
{
    for (size_t i = 0; i < plan_column_count(experiment); ++i)
        if (!strcmp(plan_column(experiment, i), name))
            return true;
    return false;
}

// Parameters that the file does not name can still be read by its expressions: constant columns that take no room.
static bool make_plan_table(struct store *plan, const struct experiment *experiment, struct error *error)
{
    char *sql = sqlite3_mprintf("CREATE TABLE plan (number INTEGER PRIMARY KEY");
    for (size_t i = 0; i < plan_column_count(experiment); ++i)
        sql = sqlite3_mprintf("%z, \"%w\"", sql, plan_column(experiment, i));
    for (size_t i = 0; i < parameter_count; ++i) {
        const struct parameter *row = &parameter_table[i];
        if (!plan_has(experiment, row->name))
            sql = sqlite3_mprintf(row->choices     ? "%z, \"%w\" AS (%Q)"
                                  : row->automatic ? "%z, \"%w\" AS (NULL)"
                                                   : "%z, \"%w\" AS (%s)",
                                  sql, row->name, row->standard);
    }
    return store_script(plan, error, "%z%s)", sql, plan_has(experiment, "camera") ? "" : ", camera AS ('')");
}

static bool fill_product(struct store *plan, const struct experiment *experiment, struct error *error)
{
    char *columns = sqlite3_mprintf(""), *values = sqlite3_mprintf(""), *tables = sqlite3_mprintf("");
    for (int i = 0; i < (int)experiment->axis_count; ++i) { // CROSS JOIN keeps the file's order
        columns = sqlite3_mprintf("%z%s\"%w\"", columns, i ? ", " : "", experiment->axes[i].name);
        values = sqlite3_mprintf("%z%sa%d.value", values, i ? ", " : "", i);
        tables = sqlite3_mprintf("%z%saxis AS a%d ON a%d.axis = %d", tables, i ? " CROSS JOIN " : "", i, i, i);
    }
    return store_script(plan, error, "INSERT INTO plan (%z) SELECT %z FROM (SELECT 1) CROSS JOIN %z", columns, values,
                        tables);
}

static bool product_fits(const struct experiment *experiment, struct error *error)
{
    int64_t size = 1;
    for (size_t i = 0; i < experiment->axis_count; ++i) {
        size *= (int64_t)experiment->axes[i].count;
        if (size <= PLAN_PRODUCT_MAX)
            continue;
        error_set_at(error, ERROR_USE, experiment->path, experiment->axes[i].line,
                     "the product of the sweep exceeds %d points at '%s'", PLAN_PRODUCT_MAX, experiment->axes[i].name);
        return error_remedy(error, "shorten a list, or split the experiment into several files");
    }
    return true;
}

// ---- expressions

static bool expression_error(sqlite3 *plan, const struct experiment *experiment,
                             const struct experiment_text *expression, struct error *error)
{
    const int code = sqlite3_errcode(plan) & 0xff;
    char cause[256];
    snprintf(cause, sizeof cause, "%s", sqlite3_errmsg(plan));
    if (code == SQLITE_INTERRUPT)
        snprintf(cause, sizeof cause, "it runs too long: all expressions together may take %d s", EXPRESSION_SECONDS);
    if (code == SQLITE_TOOBIG)
        snprintf(cause, sizeof cause, "it makes a text of more than %d bytes", EXPRESSION_MAX);
    error_set_at(error, ERROR_USE, experiment->path, expression->line, "expression `%.300s%s`: %s", expression->text,
                 strlen(expression->text) > 300 ? "..." : "", cause);
    if (code == SQLITE_AUTH)
        return error_remedy(error,
                            "use the plan's columns, operators and plain functions such as min, max, abs, iif; no "
                            "subqueries");
    return error_remedy(error,
                        "columns are the parameters, scene, camera, variant, device and what `derive` makes; text "
                        "stands in 'single quotes'");
}

// Runs `before (expression) after` over the plan under guard; *changes = rows it touched.
static bool apply(struct store *plan, const struct experiment *experiment, const struct experiment_text *expression,
                  char *sql, int64_t *changes, struct error *error)
{
    char why[128];
    if (!expression_contained(expression->text, why, sizeof why)) {
        sqlite3_free(sql);
        error_set_at(error, ERROR_USE, experiment->path, expression->line, "expression `%.300s%s`: %s",
                     expression->text, strlen(expression->text) > 300 ? "..." : "", why);
        return error_remedy(error, "write one SQL expression over the plan's columns");
    }
    if (!sql)
        return error_set(error, ERROR_SYSTEM, "no memory for the plan");
    expression_guard(plan);
    const int code = sqlite3_exec(plan->db, sql, NULL, NULL, NULL);
    const bool late = !expression_unguard(plan);
    sqlite3_free(sql);
    *changes = sqlite3_changes64(plan->db);
    if (code == SQLITE_INTERRUPT && !late)
        return store_failed(plan->db, NULL, plan->doing, error);
    return code == SQLITE_OK || expression_error(plan->db, experiment, expression, error);
}

static bool apply_derived(struct store *plan, const struct experiment *experiment, struct error *error)
{
    for (size_t i = 0; i < experiment->derived_count; ++i) {
        const struct experiment_derived *derived = &experiment->derived[i];
        int64_t changes = 0;
        if (!apply(plan, experiment, &derived->expression,
                   sqlite3_mprintf("UPDATE plan SET \"%w\" = (%s\n)", derived->name, derived->expression.text),
                   &changes, error))
            return false;
    }
    return true;
}

static bool nothing_left(const struct experiment *experiment, const struct experiment_text *clause, int64_t removed,
                         struct error *error)
{
    error_set_at(error, ERROR_USE, experiment->path, clause->line,
                 "nothing is left to run: clause `%s` removed the last %lld points", clause->text, (long long)removed);
    return error_remedy(error,
                        "correct the clause or widen the sweep; `warpstudy plan` shows what each clause removes");
}

static bool apply_where(struct store *plan, const struct experiment *experiment, struct plan_summary *summary,
                        struct error *error)
{
    int64_t left = summary->product;
    for (size_t i = 0; i < experiment->where_count; ++i) {
        const struct experiment_text *clause = &experiment->where[i];
        int64_t removed = 0;
        if (!apply(plan, experiment, clause, sqlite3_mprintf("DELETE FROM plan WHERE (%s\n) IS NOT TRUE", clause->text),
                   &removed, error))
            return false;
        left -= removed;
        if (!left)
            return nothing_left(experiment, clause, removed, error);
        if (summary->clause_count < sizeof summary->clauses / sizeof *summary->clauses)
            summary->clauses[summary->clause_count++] = (struct plan_clause){clause->text, clause->line, removed};
    }
    return true;
}

// ---- derived parameters

static bool check_derived_value(sqlite3_stmt *value, const struct experiment *experiment,
                                const struct experiment_derived *derived, struct error *error)
{
    const struct parameter *parameter = parameter_find(derived->name);
    int64_t ignored;
    const char *text =
        sqlite3_column_type(value, 0) == SQLITE_NULL ? "auto" : (const char *)sqlite3_column_text(value, 0);
    if (parameter_parse(parameter, text ? text : "", &ignored, error))
        return true;
    snprintf(error->file, sizeof error->file, "%s", experiment->path);
    error->line = derived->expression.line;
    return false;
}

static bool check_derived(struct store *plan, const struct experiment *experiment,
                          const struct experiment_derived *derived, struct error *error)
{
    const struct parameter *parameter = parameter_find(derived->name);
    if (!parameter)
        return true;
    if (!parameter->choices && // 6.0 is 6
        !store_script(plan, error,
                      "UPDATE plan SET \"%w\" = CAST(\"%w\" AS INTEGER) WHERE typeof(\"%w\") = 'real' "
                      "AND \"%w\" = CAST(\"%w\" AS INTEGER)",
                      derived->name, derived->name, derived->name, derived->name, derived->name))
        return false;
    sqlite3_stmt *values = store_make(plan, error, "SELECT DISTINCT \"%w\" FROM plan", derived->name);
    bool done = values != NULL;
    while (done && sqlite3_step(values) == SQLITE_ROW)
        done = check_derived_value(values, experiment, derived, error);
    sqlite3_finalize(values);
    return done;
}

static bool open_plan(struct store *store, struct error *error)
{
    plan_close(store);
    struct store *plan = store->plan = memory_new(1, sizeof *store);
    plan->doing = "expand the plan";
    if (sqlite3_open_v2(":memory:", &plan->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK)
        return store_failed(plan->db, NULL, plan->doing, error);
    sqlite3_db_config(plan->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_db_config(plan->db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    plan->stop = store->stop;
    plan->expression_seconds = store->expression_seconds;
    plan_watch(plan);
    plan_add_shuffle(plan->db);
    return store_script(plan, error,
                        "PRAGMA temp_store = MEMORY; PRAGMA journal_mode = OFF; PRAGMA secure_delete = OFF");
}

void plan_close(struct store *store)
{
    if (!store->plan)
        return;
    store_forget_statements(store->plan);
    sqlite3_close_v2(store->plan->db);
    free(store->plan);
    store->plan = NULL;
}

// How many of something the plan has.
static bool count(struct store *plan, int64_t *number, const char *query, struct error *error)
{
    return store_integer(plan, store_prepare(plan, query, error), 0, number, error);
}

static void note_shape(struct store *store, const struct experiment *experiment, int64_t trials, int64_t max_bounces)
{
    store->shape = (struct plan_shape){.trials = trials,
                                       .max_bounces = max_bounces,
                                       .repetitions = experiment->max_repetitions,
                                       .axes = (int)experiment->axis_count,
                                       .derived = (int)experiment->derived_count,
                                       .collections = experiment->collections};
}

void store_stop(struct store *store, bool (*stop)(void))
{
    store->stop = stop;
}

bool store_plan(struct store *store, const struct experiment *experiment, const char *device_auto,
                struct plan_summary *summary, struct error *error)
{
    *summary = (struct plan_summary){0};
    if (!product_fits(experiment, error) || !open_plan(store, error))
        return false;
    if (!make_axes(store->plan, experiment, device_auto, error) || !make_plan_table(store->plan, experiment, error) ||
        !drop_repeated(store->plan, summary, error) || !fill_product(store->plan, experiment, error) ||
        !count(store->plan, &summary->product, "SELECT count(*) FROM plan", error) ||
        !apply_derived(store->plan, experiment, error) || !apply_where(store->plan, experiment, summary, error))
        return false;
    for (size_t i = 0; i < experiment->derived_count; ++i)
        if (!check_derived(store->plan, experiment, &experiment->derived[i], error))
            return false;
    int64_t kept, max_bounces;
    if (!count(store->plan, &max_bounces, "SELECT max(max_bounces) FROM plan", error) ||
        !count(store->plan, &kept, "SELECT count(*) FROM plan", error) ||
        !plan_schedule(store->plan, experiment, error) ||
        !count(store->plan, &summary->points, "SELECT count(*) FROM point", error) ||
        !count(store->plan, &summary->trials, "SELECT count(*) FROM schedule", error))
        return false;
    summary->collapsed = kept - summary->points;
    note_shape(store, experiment, summary->trials, max_bounces);
    return true;
}
