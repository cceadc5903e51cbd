// SPDX-License-Identifier: MIT
// What the database says in general: the metrics that devices' hardware has names for, the limits that decide how many
// warps they hold, and the functions of SQL that compute with these; traits of variants, kinds of devices.
#include "store/vocabulary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/counters.h"
#include "device/device.h"
#include "device/occupancy.h"
#include "frame/variant.h"
#include "sql/statement.h"

static bool add_metric(struct sql *db, const struct device_metric *metric, struct error *error)
{
    return sql_do(db, error,
                  "INSERT INTO metric VALUES (?, ?, ?, ?, 'docs/metrics.md 9; a counter of the hardware', ?)",
                  TEXT(metric->name), TEXT(metric->unit), TEXT(metric->direction), TEXT(metric->meaning),
                  TEXT(metric->expression));
}

static bool add_trait(struct sql *db, const struct variant *variant, struct error *error)
{
    return sql_do(db, error, "INSERT INTO variant_trait VALUES (?, ?, ?)", TEXT(variant->name),
                  INTEGER(variant->all_samples), INTEGER(variant->persistent));
}

static bool add_device(struct sql *db, const struct device_backend *backend, struct error *error)
{
    return sql_do(db, error, "INSERT INTO device_kind VALUES (?, ?)", TEXT(backend->name),
                  TEXT(device_kind_names[backend->kind]));
}

static const char capabilities_sql[] = ""
#define CAPABILITY(version, example, ...)                                                                              \
    "INSERT INTO compute_capability VALUES (" #version ", '" example "', " #__VA_ARGS__ ");"
#include "device/capability.def"
#undef CAPABILITY
    ;

bool vocabulary_fill(struct sql *db, struct error *error)
{
    bool done = sql_exec(db, capabilities_sql, "make the views", error);
    for (const struct device_metric *metric = device_metrics; done && metric->name; ++metric)
        done = !*metric->expression || add_metric(db, metric, error); // `sites` has no value
    for (size_t i = 0; done && variant_table[i]; ++i)
        done = add_trait(db, variant_table[i], error);
    for (size_t i = 0; done && device_backends[i]; ++i)
        done = add_device(db, device_backends[i], error);
    sql_forget_statements(db); // they were for once
    return done;
}

// ---- functions of SQL

// version, block, registers and shared bytes to occupancy; false, for NULL, where one is NULL or no such device is
// known.
static bool predict_occupancy(sqlite3_value **values, struct occupancy *occupancy)
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

// One member of it: the one whose function was called.
static void occupancy_member(sqlite3_context *context, int count, sqlite3_value **values)
{
    const char *function = sqlite3_user_data(context);
    struct occupancy occupancy;
    (void)count;
    if (!predict_occupancy(values, &occupancy))
        return;
    if (!strcmp(function, "occupancy_warps"))
        sqlite3_result_int64(context, occupancy.warps);
    else if (!strcmp(function, "occupancy"))
        sqlite3_result_double(context, occupancy.share);
    else
        sqlite3_result_text(context, occupancy_limit_names[occupancy.limit], -1, SQLITE_STATIC);
}

// least, most and digits to "11 to 48", or to one number where both print alike; NULL where one is NULL.
static void print_span(sqlite3_context *context, int count, sqlite3_value **values)
{
    char least[40], most[40];
    const int digits = sqlite3_value_int(values[2]);
    for (int i = 0; i < count; ++i)
        if (sqlite3_value_type(values[i]) == SQLITE_NULL)
            return;
    snprintf(least, sizeof least, "%.*f", digits, sqlite3_value_double(values[0]));
    snprintf(most, sizeof most, "%.*f", digits, sqlite3_value_double(values[1]));
    char *text = sqlite3_mprintf(strcmp(least, most) ? "%s to %s" : "%s", least, most);
    sqlite3_result_text(context, text, -1, sqlite3_free);
}

// How far two relative intervals reach together: the root of the sum of their squares; NULL where one is NULL.
static void quadrature(sqlite3_context *context, int count, sqlite3_value **values)
{
    const double a = sqlite3_value_double(values[0]), b = sqlite3_value_double(values[1]);
    for (int i = 0; i < count; ++i)
        if (sqlite3_value_type(values[i]) == SQLITE_NULL)
            return;
    sqlite3_result_double(context, sqrt(a * a + b * b));
}

struct median {
    double *values;
    size_t count;
};

static void median_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct median *median = sqlite3_aggregate_context(context, sizeof *median);
    (void)count;
    if (!median)
        sqlite3_result_error_nomem(context);
    else if (sqlite3_value_type(values[0]) != SQLITE_NULL)
        *ARRAY_ADD(median->values, median->count) = sqlite3_value_double(values[0]);
}

static int compare_values(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The mean of the two in the middle where their number is even; NULL of none.
static void median_final(sqlite3_context *context)
{
    const struct median *median = sqlite3_aggregate_context(context, 0);
    if (!median || !median->count)
        return;
    qsort(median->values, median->count, sizeof *median->values, compare_values);
    const size_t middle = median->count / 2;
    const double value = median->values[middle];
    sqlite3_result_double(context, median->count % 2 ? value : (median->values[middle - 1] + value) / 2);
    free(median->values);
}

struct pairs {
    double (*list)[2];
    size_t count;
};

static void pairs_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct pairs *pairs = sqlite3_aggregate_context(context, sizeof *pairs);
    for (int i = 0; i < count; ++i)
        if (sqlite3_value_type(values[i]) == SQLITE_NULL)
            return;
    if (!pairs) {
        sqlite3_result_error_nomem(context);
        return;
    }
    double *pair = *ARRAY_ADD(pairs->list, pairs->count);
    pair[0] = sqlite3_value_double(values[0]);
    pair[1] = sqlite3_value_double(values[1]);
}

// From 1; the mean rank of equal values.
static double pair_rank(const struct pairs *pairs, size_t at, int side)
{
    size_t below = 0, equal = 0;
    for (size_t i = 0; i < pairs->count; ++i) {
        below += pairs->list[i][side] < pairs->list[at][side];
        equal += pairs->list[i][side] == pairs->list[at][side];
    }
    return 1 + (double)below + 0.5 * (double)(equal - 1);
}

// Spearman's: that of the ranks; NULL where all values of a side are equal.
static void rank_correlation_final(sqlite3_context *context)
{
    const struct pairs *pairs = sqlite3_aggregate_context(context, 0);
    const double n = pairs ? (double)pairs->count : 0;
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; pairs && i < pairs->count; ++i) {
        const double a = pair_rank(pairs, i, 0), b = pair_rank(pairs, i, 1);
        x += a / n;
        y += b / n;
        xx += a * a / n;
        yy += b * b / n;
        xy += a * b / n;
    }
    const double spread = sqrt(fmax(0, (xx - x * x) * (yy - y * y)));
    if (spread > 0)
        sqlite3_result_double(context, (xy - x * y) / spread);
    if (pairs)
        free(pairs->list);
}

bool vocabulary_functions(struct sql *db, struct error *error)
{
    static char names[][16] = {"occupancy_warps", "occupancy", "occupancy_limit"};
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    for (int i = 0; i < 3; ++i)
        if (sqlite3_create_function(db->connection, names[i], 4, flags, names[i], occupancy_member, NULL, NULL) !=
            SQLITE_OK)
            return sql_failed(db, "open the database", error);
    return (sqlite3_create_function(db->connection, "span", 3, flags, NULL, print_span, NULL, NULL) == SQLITE_OK &&
            sqlite3_create_function(db->connection, "quadrature", 2, flags, NULL, quadrature, NULL, NULL) ==
                SQLITE_OK &&
            sqlite3_create_function(db->connection, "median", 1, flags, NULL, NULL, median_step, median_final) ==
                SQLITE_OK &&
            sqlite3_create_function(db->connection, "rank_correlation", 2, flags, NULL, NULL, pairs_step,
                                    rank_correlation_final) == SQLITE_OK) ||
           sql_failed(db, "open the database", error);
}
