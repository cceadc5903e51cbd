// SPDX-License-Identifier: MIT
// From what `where` left to the points and their order.
#include "plan/plan_schedule.h"

#include "base/random.h"
#include "plan/plan_handle.h"
#include "sql/statement.h"
#include "store/key.h"

// ---- what variants ignore falls together

static bool forget_ignored(struct plan *plan, const char *variant, const char *device, struct error *error)
{
    struct trial_spec spec = {0};
    snprintf(spec.variant, sizeof spec.variant, "%s", variant);
    snprintf(spec.device, sizeof spec.device, "%s", device);
    char *changes = sqlite3_mprintf("number = number");
    for (size_t i = 0; i < parameter_count; ++i)
        if (experiment_has_column(plan->experiment, parameter_table[i].name) && !trial_uses(&spec, &parameter_table[i]))
            changes = sqlite3_mprintf("%z, \"%w\" = NULL", changes, parameter_table[i].name);
    return sql_script(&plan->db, error, "UPDATE plan SET %z WHERE variant = %Q AND device = %Q", changes, variant,
                      device);
}

static bool forget_all_ignored(struct plan *plan, struct error *error)
{
    sqlite3_stmt *list = NULL;
    if (sql_script(&plan->db, error, "CREATE TABLE kinds AS SELECT DISTINCT variant, device FROM plan"))
        list = sql_make(&plan->db, error, "SELECT variant, device FROM kinds");
    bool done = list != NULL;
    while (done && sqlite3_step(list) == SQLITE_ROW)
        done = forget_ignored(plan, (const char *)sqlite3_column_text(list, 0),
                              (const char *)sqlite3_column_text(list, 1), error);
    sqlite3_finalize(list);
    return done;
}

// Points equal in all that makes a trial become the first of them. Other derived columns keep that one's values.
static bool make_points(struct plan *plan, struct error *error)
{
    char *columns = sqlite3_mprintf(""), *group = sqlite3_mprintf("");
    for (size_t i = 0; i < experiment_column_count(plan->experiment); ++i) {
        const char *name = experiment_column(plan->experiment, i), *comma = i ? ", " : "";
        columns = sqlite3_mprintf("%z%s\"%w\"", columns, comma, name);
        if (i < plan->experiment->axis_count || parameter_find(name))
            group = sqlite3_mprintf("%z%s\"%w\"", group, comma, name);
    }
    const bool done = sql_script(&plan->db, error,
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
static bool make_schedule(struct plan *plan, struct error *error)
{
    const uint32_t timed = plan->experiment->collections & ~(1u << COLLECTION_COUNTS);
    const int replicates = timed ? plan->experiment->replicates : 1;
    char order[96] = "number, r";
    if (plan->experiment->breadth_first)
        snprintf(order, sizeof order, "r, shuffle_key(%lld, r, number), number",
                 (long long)plan->experiment->order_seed);
    return sql_script(
        &plan->db, error,
        "CREATE TABLE schedule (ordinal INTEGER PRIMARY KEY, point INTEGER, replicate INTEGER, collections INTEGER);"
        "WITH RECURSIVE replicates (r) AS (SELECT 0 UNION ALL SELECT r + 1 FROM replicates WHERE r + 1 < %d) "
        "INSERT INTO schedule (point, replicate, collections) SELECT number, r, iif(r, %lld, %lld) "
        "FROM replicates CROSS JOIN point ORDER BY %s",
        replicates, (long long)timed, (long long)plan->experiment->collections, order);
}

void plan_add_shuffle(struct plan *plan)
{
    sqlite3_create_function_v2(plan->db.connection, "shuffle_key", 3, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
                               shuffle_key, NULL, NULL, NULL);
}

bool plan_schedule(struct plan *plan, struct error *error)
{
    return forget_all_ignored(plan, error) && make_points(plan, error) && make_schedule(plan, error);
}
