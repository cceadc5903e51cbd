// SPDX-License-Identifier: MIT
// What the database says of devices in general: the metrics that their hardware has names for, and the limits that
// decide how many warps they hold; the functions of SQL that compute with the latter.
#include "device/counters.h"
#include "device/occupancy.h"
#include "store/store_internal.h"

static bool add_metric(struct store *store, const struct device_metric *metric, struct error *error)
{
    return store_do(store, error,
                    "INSERT INTO metric VALUES (?, ?, ?, ?, 'docs/metrics.md 9; a counter of the hardware', ?)",
                    TEXT(metric->name), TEXT(metric->unit), TEXT(metric->direction), TEXT(metric->meaning),
                    TEXT(metric->expression));
}

static const char capabilities_sql[] = ""
#define CAPABILITY(version, example, ...)                                                                              \
    "INSERT INTO compute_capability VALUES (" #version ", '" example "', " #__VA_ARGS__ ");"
#include "device/capability.def"
#undef CAPABILITY
    ;

bool vocabulary_fill(struct store *store, struct error *error)
{
    bool done = store_exec(store, capabilities_sql, "make the views", error);
    for (const struct device_metric *metric = device_metrics; done && metric->name; ++metric)
        done = add_metric(store, metric, error);
    store_forget_statements(store); // they were for once
    return done;
}

// ---- functions of SQL

// version, block, registers and shared bytes to occupancy; false, for NULL, where one is NULL or no such device is
// known.
static bool predict(sqlite3_value **values, struct occupancy *occupancy)
{
    for (int i = 0; i < 4; ++i)
        if (sqlite3_value_type(values[i]) == SQLITE_NULL || sqlite3_value_int64(values[i]) < 0)
            return false;
    const struct capability *capability = capability_find((uint32_t)sqlite3_value_int64(values[0]));
    const sqlite3_int64 block = sqlite3_value_int64(values[1]), registers = sqlite3_value_int64(values[2]);
    if (!capability || block < 1 || block > UINT32_MAX || registers > UINT32_MAX)
        return false;
    *occupancy =
        occupancy_predict(capability, (uint32_t)block, (uint32_t)registers, (uint64_t)sqlite3_value_int64(values[3]));
    return true;
}

static void occupancy_warps(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct occupancy occupancy;
    (void)count;
    if (predict(values, &occupancy))
        sqlite3_result_int64(context, occupancy.warps);
}

static void occupancy_share(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct occupancy occupancy;
    (void)count;
    if (predict(values, &occupancy))
        sqlite3_result_double(context, occupancy.share);
}

static void occupancy_limit(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct occupancy occupancy;
    (void)count;
    if (predict(values, &occupancy))
        sqlite3_result_text(context, occupancy_limit_names[occupancy.limit], -1, SQLITE_STATIC);
}

bool vocabulary_functions(struct store *store, struct error *error)
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    static const struct {
        const char *name;
        void (*function)(sqlite3_context *, int, sqlite3_value **);
    } rows[] = {
        {"occupancy_warps", occupancy_warps}, {"occupancy", occupancy_share}, {"occupancy_limit", occupancy_limit}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        if (sqlite3_create_function(store->db, rows[i].name, 4, flags, NULL, rows[i].function, NULL, NULL) != SQLITE_OK)
            return store_failed(store->db, store->path, "open the database", error);
    return true;
}
