// SPDX-License-Identifier: MIT
// From what `where` left to the points, their order, and the rows that the runner reads.
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "store/plan.h"

// ---- what variants ignore falls together

static bool forget_ignored(struct store *plan, const struct experiment *experiment, const char *variant,
                           const char *device, struct error *error)
{
    struct trial_spec spec = {0};
    snprintf(spec.variant, sizeof spec.variant, "%s", variant);
    snprintf(spec.device, sizeof spec.device, "%s", device);
    char *changes = sqlite3_mprintf("number = number");
    for (size_t i = 0; i < parameter_count; ++i)
        if (plan_has(experiment, parameter_table[i].name) && !spec_heeds(&spec, &parameter_table[i]))
            changes = sqlite3_mprintf("%z, \"%w\" = NULL", changes, parameter_table[i].name);
    return store_script(plan, error, "UPDATE plan SET %z WHERE variant = %Q AND device = %Q", changes, variant, device);
}

static bool forget_all_ignored(struct store *plan, const struct experiment *experiment, struct error *error)
{
    sqlite3_stmt *list = NULL;
    if (store_script(plan, error, "CREATE TABLE kinds AS SELECT DISTINCT variant, device FROM plan"))
        list = store_make(plan, error, "SELECT variant, device FROM kinds");
    bool done = list != NULL;
    while (done && sqlite3_step(list) == SQLITE_ROW)
        done = forget_ignored(plan, experiment, (const char *)sqlite3_column_text(list, 0),
                              (const char *)sqlite3_column_text(list, 1), error);
    sqlite3_finalize(list);
    return done;
}

// Points equal in all that makes a trial become the first of them. Other derived columns keep that one's values.
static bool make_points(struct store *plan, const struct experiment *experiment, struct error *error)
{
    char *columns = sqlite3_mprintf(""), *group = sqlite3_mprintf("");
    for (size_t i = 0; i < plan_column_count(experiment); ++i) {
        const char *name = plan_column(experiment, i), *comma = i ? ", " : "";
        columns = sqlite3_mprintf("%z%s\"%w\"", columns, comma, name);
        if (i < experiment->axis_count || parameter_find(name))
            group = sqlite3_mprintf("%z%s\"%w\"", group, comma, name);
    }
    const bool done = store_script(plan, error,
                                   "CREATE TABLE first AS SELECT min(number) AS number, %s FROM plan GROUP BY %z;"
                                   "DROP TABLE plan;"
                                   "CREATE TABLE point (number INTEGER PRIMARY KEY, %s);"
                                   "INSERT INTO point (%s) SELECT %s FROM first ORDER BY number;"
                                   "DROP TABLE first",
                                   columns, group, columns, columns, columns);
    sqlite3_free(columns);
    return done;
}

// ---- the order

static void shuffle_key(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    uint64_t key = 0;
    for (int i = 0; i < count; ++i)
        key = random_mix(key ^ (uint64_t)sqlite3_value_int64(arguments[i]));
    sqlite3_result_int64(context, (int64_t)key);
}

// Replicates beyond the first omit `counts`; where nothing else is collected there are none.
static bool make_schedule(struct store *plan, const struct experiment *experiment, struct error *error)
{
    const uint32_t timed = experiment->collections & ~(1u << COLLECTION_COUNTS);
    const int replicates = timed ? experiment->replicates : 1;
    char order[96] = "number, r";
    if (experiment->breadth_first)
        snprintf(order, sizeof order, "r, shuffle_key(%lld, r, number), number", (long long)experiment->order_seed);
    return store_script(
        plan, error,
        "CREATE TABLE schedule (ordinal INTEGER PRIMARY KEY, point INTEGER, replicate INTEGER, collections INTEGER);"
        "WITH RECURSIVE replicates (r) AS (SELECT 0 UNION ALL SELECT r + 1 FROM replicates WHERE r + 1 < %d) "
        "INSERT INTO schedule (point, replicate, collections) SELECT number, r, iif(r, %lld, %lld) "
        "FROM replicates CROSS JOIN point ORDER BY %s",
        replicates, (long long)timed, (long long)experiment->collections, order);
}

void plan_add_shuffle(sqlite3 *plan)
{
    sqlite3_create_function_v2(plan, "shuffle_key", 3, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, shuffle_key, NULL,
                               NULL, NULL);
}

bool plan_schedule(struct store *plan, const struct experiment *experiment, struct error *error)
{
    return forget_all_ignored(plan, experiment, error) && make_points(plan, experiment, error) &&
           make_schedule(plan, experiment, error);
}

// ---- rows

// Where column i of table `point` goes.
struct destination {
    const struct parameter *parameter; // NULL: text, or nothing where that is NULL too
    char *text;
    size_t size;
};

static struct destination destination_of(const char *column, struct trial_spec *spec)
{
    if (!strcmp(column, "scene"))
        return (struct destination){NULL, spec->scene, sizeof spec->scene};
    if (!strcmp(column, "camera"))
        return (struct destination){NULL, spec->camera, sizeof spec->camera};
    if (!strcmp(column, "variant"))
        return (struct destination){NULL, spec->variant, sizeof spec->variant};
    if (!strcmp(column, "device"))
        return (struct destination){NULL, spec->device, sizeof spec->device};
    return (struct destination){parameter_find(column), NULL, 0};
}

static bool put_column(sqlite3_stmt *rows, int column, const struct destination *to, const struct parameters *standard,
                       struct trial_spec *spec, struct error *error)
{
    const bool missing = sqlite3_column_type(rows, column) == SQLITE_NULL;
    if (to->text) {
        snprintf(to->text, to->size, "%s", missing ? "" : (const char *)sqlite3_column_text(rows, column));
    } else if (to->parameter && to->parameter->choices && !missing) {
        return parameter_set(&spec->parameters, to->parameter, (const char *)sqlite3_column_text(rows, column), error);
    } else if (to->parameter) {
        const int64_t value = missing ? parameter_get(standard, to->parameter) : sqlite3_column_int64(rows, column);
        memcpy((char *)&spec->parameters + to->parameter->offset, &value, sizeof value);
    }
    return true;
}

enum { FIRST_COLUMN = 4, COLUMNS_MAX = 256 };

static bool read_rows(struct store *plan, sqlite3_stmt *rows, bool (*visit)(void *, const struct plan_row *),
                      void *context, struct error *error)
{
    struct plan_row row = {0};
    struct destination to[COLUMNS_MAX];
    const struct parameters standard = row.spec.parameters = parameters_default();
    const int columns = sqlite3_column_count(rows) < COLUMNS_MAX ? sqlite3_column_count(rows) : COLUMNS_MAX;
    for (int i = FIRST_COLUMN; i < columns; ++i)
        to[i] = destination_of(sqlite3_column_name(rows, i), &row.spec);
    int found;
    while ((found = store_row(plan, rows, error)) > 0) {
        row.ordinal = sqlite3_column_int64(rows, 0);
        row.point = sqlite3_column_int64(rows, 1);
        row.replicate = sqlite3_column_int(rows, 2);
        row.collections = (uint32_t)sqlite3_column_int64(rows, 3);
        for (int i = FIRST_COLUMN; i < columns; ++i)
            if (!put_column(rows, i, &to[i], &standard, &row.spec, error))
                return false;
        if (!visit(context, &row))
            return true;
    }
    return !found;
}

bool store_plan_rows(struct store *store, bool (*visit)(void *context, const struct plan_row *), void *context,
                     struct error *error)
{
    if (!store->plan)
        return error_set(error, ERROR_USE, "there is no plan to read: store_plan first");
    sqlite3_stmt *rows = store_make(store->plan, error,
                                    "SELECT s.ordinal, s.point, s.replicate, s.collections, p.* FROM schedule s "
                                    "JOIN point p ON p.number = s.point ORDER BY s.ordinal");
    const bool done = rows && read_rows(store->plan, rows, visit, context, error);
    sqlite3_finalize(rows);
    return done;
}
