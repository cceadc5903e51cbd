// SPDX-License-Identifier: MIT
#include "plan/plan_rows.h"

#include <string.h>

#include "plan/plan_handle.h"
#include "sql/statement.h"

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

// Columns of the rows that are read: those of `schedule` and the point's number, then the point's.
enum { FIRST_COLUMN = 5, COLUMNS_MAX = 256 };

static struct store_value copy_value(struct arena *memory, sqlite3_stmt *rows, int column)
{
    switch (sqlite3_column_type(rows, column)) {
    case SQLITE_NULL: return (struct store_value){.type = STORE_NULL};
    case SQLITE_INTEGER:
        return (struct store_value){.type = STORE_INTEGER, .integer = sqlite3_column_int64(rows, column)};
    case SQLITE_FLOAT: return (struct store_value){.type = STORE_REAL, .real = sqlite3_column_double(rows, column)};
    default:
        return (struct store_value){.type = STORE_TEXT,
                                    .text = arena_format(memory, "%s", sqlite3_column_text(rows, column))};
    }
}

// What `derive` makes beside parameters.
static void read_derived(struct plan *plan, sqlite3_stmt *rows, struct trial_row *row)
{
    const struct experiment *experiment = plan->experiment;
    struct trial_derived *derived = NULL;
    row->derived_count = 0;
    for (size_t i = 0; !row->replicate && i < experiment->derived_count; ++i) {
        const char *name = experiment->derived[i].name;
        const int column = FIRST_COLUMN + (int)(experiment->axis_count + i);
        if (!parameter_find(name))
            *ARENA_ADD(&plan->derived, derived, row->derived_count) =
                (struct trial_derived){name, copy_value(&plan->derived, rows, column)};
    }
    row->derived = derived;
}

static bool read_rows(struct plan *plan, sqlite3_stmt *rows, bool (*visit)(void *, const struct trial_row *),
                      void *context, struct error *error)
{
    struct trial_row row = {0};
    struct destination to[COLUMNS_MAX];
    const struct parameters standard = row.spec.parameters = parameters_default();
    const int columns = sqlite3_column_count(rows) < COLUMNS_MAX ? sqlite3_column_count(rows) : COLUMNS_MAX;
    for (int i = FIRST_COLUMN; i < columns; ++i)
        to[i] = destination_of(sqlite3_column_name(rows, i), &row.spec);
    int found;
    while ((found = sql_row(&plan->db, rows, error)) > 0) {
        row.ordinal = sqlite3_column_int64(rows, 0);
        row.point = sqlite3_column_int64(rows, 1);
        row.replicate = sqlite3_column_int(rows, 2);
        row.collections = (uint32_t)sqlite3_column_int64(rows, 3);
        read_derived(plan, rows, &row);
        for (int i = FIRST_COLUMN; i < columns; ++i)
            if (!put_column(rows, i, &to[i], &standard, &row.spec, error))
                return false;
        if (!visit(context, &row))
            return true;
    }
    return !found;
}

bool plan_rows(struct plan *plan, bool (*visit)(void *context, const struct trial_row *), void *context,
               struct error *error)
{
    sqlite3_stmt *rows = sql_make(&plan->db, error,
                                  "SELECT s.ordinal, s.point, s.replicate, s.collections, p.* FROM schedule s "
                                  "JOIN point p ON p.number = s.point ORDER BY s.ordinal");
    const bool done = rows && read_rows(plan, rows, visit, context, error);
    sqlite3_finalize(rows);
    return done;
}
