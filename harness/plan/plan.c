// SPDX-License-Identifier: MIT
#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plan/plan_check.h"
#include "plan/plan_handle.h"
#include "plan/plan_schedule.h"
#include "sql/statement.h"

enum { PLAN_PRODUCT_MAX = 5000000 };

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

static bool make_axes(struct plan *plan, const char *device_auto, struct error *error)
{
    const struct experiment *experiment = plan->experiment;
    if (!sql_script(&plan->db, error,
                    "CREATE TABLE axis (axis, position, value, PRIMARY KEY (axis, position)) WITHOUT ROWID"))
        return false;
    bool done = true;
    for (size_t i = 0; i < experiment->axis_count; ++i)
        for (size_t k = 0; done && k < experiment->axes[i].count; ++k) {
            sqlite3_stmt *insert =
                sql_with(&plan->db, error, "INSERT INTO axis VALUES (?2, ?3, ?1)", NONE, INTEGER(i), INTEGER(k));
            if (insert)
                bind_value(insert, experiment->axes[i].name, experiment->axes[i].values[k].text, device_auto);
            done = sql_run(&plan->db, insert, error);
        }
    return done;
}

// A value that is listed again adds nothing; `auto` may be another name of one.
static bool drop_repeated(struct plan *plan, struct plan_summary *summary, struct error *error)
{
    if (!sql_script(&plan->db, error,
                    "DELETE FROM axis WHERE (axis, position) NOT IN "
                    "(SELECT axis, min(position) FROM axis GROUP BY axis, value)"))
        return false;
    summary->repeated = sqlite3_changes64(plan->db.connection);
    return true;
}

// Parameters that the file does not name can still be read by its expressions: constant columns that take no room.
static bool make_plan_table(struct plan *plan, struct error *error)
{
    char *sql = sqlite3_mprintf("CREATE TABLE plan (number INTEGER PRIMARY KEY");
    for (size_t i = 0; i < experiment_column_count(plan->experiment); ++i)
        sql = sqlite3_mprintf("%z, \"%w\"", sql, experiment_column(plan->experiment, i));
    for (size_t i = 0; i < parameter_count; ++i) {
        const struct parameter *row = &parameter_table[i];
        if (!experiment_has_column(plan->experiment, row->name))
            sql = sqlite3_mprintf(row->choices     ? "%z, \"%w\" AS (%Q)"
                                  : row->automatic ? "%z, \"%w\" AS (NULL)"
                                                   : "%z, \"%w\" AS (%s)",
                                  sql, row->name, row->standard);
    }
    return sql_script(&plan->db, error, "%z%s)", sql,
                      experiment_has_column(plan->experiment, "camera") ? "" : ", camera AS ('')");
}

static bool fill_product(struct plan *plan, struct error *error)
{
    const struct experiment *experiment = plan->experiment;
    char *columns = sqlite3_mprintf(""), *values = sqlite3_mprintf(""), *tables = sqlite3_mprintf("");
    for (int i = 0; i < (int)experiment->axis_count; ++i) { // CROSS JOIN keeps the file's order
        columns = sqlite3_mprintf("%z%s\"%w\"", columns, i ? ", " : "", experiment->axes[i].name);
        values = sqlite3_mprintf("%z%sa%d.value", values, i ? ", " : "", i);
        tables = sqlite3_mprintf("%z%saxis AS a%d ON a%d.axis = %d", tables, i ? " CROSS JOIN " : "", i, i, i);
    }
    return sql_script(&plan->db, error, "INSERT INTO plan (%z) SELECT %z FROM (SELECT 1) CROSS JOIN %z", columns,
                      values, tables);
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

static bool expression_error(const struct plan *plan, const struct experiment_text *expression, struct error *error)
{
    const int code = sqlite3_errcode(plan->db.connection) & 0xff;
    char cause[256];
    snprintf(cause, sizeof cause, "%s", sqlite3_errmsg(plan->db.connection));
    if (code == SQLITE_INTERRUPT)
        snprintf(cause, sizeof cause, "it runs too long: all expressions together may take %g s",
                 plan_expression_seconds);
    if (code == SQLITE_TOOBIG)
        snprintf(cause, sizeof cause, "it makes a text of more than %d bytes", EXPRESSION_MAX);
    error_set_at(error, ERROR_USE, plan->experiment->path, expression->line, "expression `%.300s%s`: %s",
                 expression->text, strlen(expression->text) > 300 ? "..." : "", cause);
    if (code == SQLITE_AUTH)
        return error_remedy(error,
                            "use the plan's columns, operators and plain functions such as min, max, abs, iif; no "
                            "subqueries");
    return error_remedy(error,
                        "columns are the parameters, scene, camera, variant, device and what `derive` makes; text "
                        "stands in 'single quotes'");
}

// Runs `before (expression) after` over the plan under guard; *changes = rows it touched.
static bool apply_expression(struct plan *plan, const struct experiment_text *expression, char *sql, int64_t *changes,
                             struct error *error)
{
    char why[128];
    if (!expression_contained(expression->text, why, sizeof why)) {
        sqlite3_free(sql);
        error_set_at(error, ERROR_USE, plan->experiment->path, expression->line, "expression `%.300s%s`: %s",
                     expression->text, strlen(expression->text) > 300 ? "..." : "", why);
        return error_remedy(error, "write one SQL expression over the plan's columns");
    }
    if (!sql)
        return error_set(error, ERROR_SYSTEM, "no memory for the plan");
    expression_guard(plan);
    const int code = sqlite3_exec(plan->db.connection, sql, NULL, NULL, NULL);
    const bool late = !expression_unguard(plan);
    sqlite3_free(sql);
    *changes = sqlite3_changes64(plan->db.connection);
    if (code == SQLITE_INTERRUPT && !late)
        return sql_failed(&plan->db, plan->db.doing, error);
    return code == SQLITE_OK || expression_error(plan, expression, error);
}

static bool apply_derived(struct plan *plan, struct error *error)
{
    const struct experiment *experiment = plan->experiment;
    for (size_t i = 0; i < experiment->derived_count; ++i) {
        const struct experiment_derived *derived = &experiment->derived[i];
        int64_t changes = 0;
        if (!apply_expression(
                plan, &derived->expression,
                sqlite3_mprintf("UPDATE plan SET \"%w\" = (%s\n)", derived->name, derived->expression.text), &changes,
                error))
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

static bool apply_where(struct plan *plan, struct plan_summary *summary, struct error *error)
{
    const struct experiment *experiment = plan->experiment;
    int64_t left = summary->product;
    for (size_t i = 0; i < experiment->where_count; ++i) {
        const struct experiment_text *clause = &experiment->where[i];
        int64_t removed = 0;
        if (!apply_expression(plan, clause, sqlite3_mprintf("DELETE FROM plan WHERE (%s\n) IS NOT TRUE", clause->text),
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

static bool check_derived(struct plan *plan, const struct experiment_derived *derived, struct error *error)
{
    const struct parameter *parameter = parameter_find(derived->name);
    if (!parameter)
        return true;
    if (!parameter->choices && // 6.0 is 6
        !sql_script(&plan->db, error,
                    "UPDATE plan SET \"%w\" = CAST(\"%w\" AS INTEGER) WHERE typeof(\"%w\") = 'real' "
                    "AND \"%w\" = CAST(\"%w\" AS INTEGER)",
                    derived->name, derived->name, derived->name, derived->name, derived->name))
        return false;
    sqlite3_stmt *values = sql_make(&plan->db, error, "SELECT DISTINCT \"%w\" FROM plan", derived->name);
    bool done = values != NULL;
    while (done && sqlite3_step(values) == SQLITE_ROW)
        done = check_derived_value(values, plan->experiment, derived, error);
    sqlite3_finalize(values);
    return done;
}

static bool check_all_derived(struct plan *plan, struct error *error)
{
    bool done = true;
    for (size_t i = 0; done && i < plan->experiment->derived_count; ++i)
        done = check_derived(plan, &plan->experiment->derived[i], error);
    return done;
}

// ---- the plan

static bool plan_open(struct plan *plan, struct error *error)
{
    if (!sql_open(&plan->db, ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error))
        return false;
    plan_watch(plan);
    plan_add_shuffle(plan);
    return sql_script(&plan->db, error,
                      "PRAGMA temp_store = MEMORY; PRAGMA journal_mode = OFF; PRAGMA secure_delete = OFF");
}

void plan_close(struct plan *plan)
{
    if (!plan)
        return;
    sql_close(&plan->db);
    arena_free(&plan->derived);
    free(plan);
}

// How many of something the plan has.
static bool plan_count(struct plan *plan, int64_t *number, const char *query, struct error *error)
{
    return sql_integer(&plan->db, sql_prepare(&plan->db, query, error), 0, number, error);
}

static bool plan_expand(struct plan *plan, const char *device_auto, struct plan_summary *summary, struct error *error)
{
    int64_t kept;
    if (!make_axes(plan, device_auto, error) || !make_plan_table(plan, error) || !drop_repeated(plan, summary, error) ||
        !fill_product(plan, error) || !plan_count(plan, &summary->product, "SELECT count(*) FROM plan", error) ||
        !apply_derived(plan, error) || !apply_where(plan, summary, error) || !check_all_derived(plan, error) ||
        !plan_count(plan, &plan->max_bounces, "SELECT max(max_bounces) FROM plan", error) ||
        !plan_count(plan, &kept, "SELECT count(*) FROM plan", error) || !plan_schedule(plan, error) ||
        !plan_count(plan, &summary->points, "SELECT count(*) FROM point", error) ||
        !plan_count(plan, &summary->trials, "SELECT count(*) FROM schedule", error))
        return false;
    summary->collapsed = kept - summary->points;
    return true;
}

struct plan *plan_make(const struct experiment *experiment, const char *device_auto, bool (*stop)(void),
                       struct plan_summary *summary, struct error *error)
{
    *summary = (struct plan_summary){0};
    if (!product_fits(experiment, error))
        return NULL;
    struct plan *plan = memory_new(1, sizeof *plan);
    plan->db.doing = "expand the plan";
    plan->experiment = experiment;
    plan->stop = stop;
    plan->expression_seconds = plan_expression_seconds;
    if (plan_open(plan, error) && plan_expand(plan, device_auto, summary, error))
        return plan;
    plan_close(plan);
    return NULL;
}
