// SPDX-License-Identifier: MIT
// Two sides of a comparison brought into one private database. compare_side.sql says what a side is, compare.sql what
// is made of two.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/store_internal.h"

enum { SIDE_COLUMNS_MAX = 32 };

struct side {
    char *columns[SIDE_COLUMNS_MAX];
    char **cells;
    size_t column_count, cell_count;
};

static bool keep_row(void *context, const struct store_row *row)
{
    struct side *side = context;
    for (; side->column_count < row->count && side->column_count < SIDE_COLUMNS_MAX; ++side->column_count)
        side->columns[side->column_count] = memory_copy(row->names[side->column_count]);
    for (size_t i = 0; i < side->column_count; ++i)
        *ARRAY_ADD(side->cells, side->cell_count) =
            row->values[i].type == STORE_NULL ? NULL : memory_copy(row->values[i].text);
    return true;
}

static void finish_side(struct side *side)
{
    for (size_t i = 0; i < side->column_count; ++i)
        free(side->columns[i]);
    for (size_t i = 0; i < side->cell_count; ++i)
        free(side->cells[i]);
    free(side->cells);
}

// What decides the work and its schedule, whatever program and device did it: an object of every parameter's value.
// Those of the emulated machine count where they are not the default, which is what GPUs are like.
static char *name_sql(void)
{
    char *sql = sqlite3_mprintf("CREATE TEMP TABLE side_name AS SELECT id AS trial, '{\"scene\":' || json_quote(scene) "
                                "|| ',\"camera\":' || json_quote(nullif(camera, '')) || ',\"variant\":' || "
                                "json_quote(variant)");
    for (size_t i = 0; i < parameter_count; ++i)
        sql = sqlite3_mprintf(parameter_table[i].role == PARAMETER_MACHINE
                                  ? "%z || ',\"%w\":' || json_quote(nullif('' || \"%w\", %Q))"
                                  : "%z || ',\"%w\":' || json_quote(\"%w\")",
                              sql, parameter_table[i].name, parameter_table[i].name, parameter_table[i].standard);
    return sqlite3_mprintf("%z || '}' AS name FROM trial_record", sql);
}

// Of each variant an object with the least and greatest value of each of these, NULL as ''.
static char *range_sql(void)
{
    char *sql = sqlite3_mprintf("SELECT variant, '{\"scene\":[]' || ',\"variant\":[]'");
    for (size_t i = 0; i <= parameter_count; ++i) {
        const char *column = i ? parameter_table[i - 1].name : "camera";
        sql = sqlite3_mprintf("%z || ',\"%w\":' || json_array(min(coalesce(\"%w\", '')), max(coalesce(\"%w\", '')))",
                              sql, column, column, column);
    }
    return sqlite3_mprintf(
        "%z || '}' AS ranges FROM trial_record WHERE id IN (SELECT trial FROM temp.side_result) GROUP "
        "BY variant",
        sql);
}

// SQL's digest(text): long texts that are only compared are kept short.
static void digest(sqlite3_context *context, int count, sqlite3_value **values)
{
    char text[HASH_TEXT];
    (void)count;
    hash_text(hash_bytes(sqlite3_value_text(values[0]), (size_t)sqlite3_value_bytes(values[0])), text);
    sqlite3_result_text(context, sqlite3_mprintf("h%s", text), -1, sqlite3_free);
}

static bool unknown_label(struct store *store, const char *label, struct error *error)
{
    enum { LABELS_MAX = 64 };
    const char *labels[LABELS_MAX + 1] = {NULL};
    size_t count = 0;
    struct side found = {0};
    if (!store_query(store, "SELECT DISTINCT label FROM run ORDER BY label", NULL, keep_row, &found, error)) {
        finish_side(&found);
        return false;
    }
    for (; count < found.cell_count && count < LABELS_MAX; ++count)
        labels[count] = found.cells[count];
    error_set(error, ERROR_USE, "no run in %s has the label '%s'", store->path, label);
    error_near(error, label, labels, "`warpstudy query run` lists them; a file needs its path");
    finish_side(&found);
    return false;
}

static bool count_visit(void *context, const struct store_row *row)
{
    *(int64_t *)context = row->values[0].integer;
    return true;
}

static bool check_label(struct store *store, const char *label, const char *const *bindings, struct error *error)
{
    int64_t runs = 0;
    return store_query(store, "SELECT count(*) FROM run WHERE :label = '=' OR '=' || label = :label", bindings,
                       count_visit, &runs, error) &&
           (runs || !label || unknown_label(store, label, error));
}

// What a query finds in `from` becomes a table of `into`. *rows: how many rows there were.
static bool copy_rows(struct store *into, const char *table, struct store *from, const char *sql, size_t *rows,
                      struct error *error)
{
    struct side side = {0};
    bool done = store_query(from, sql, NULL, keep_row, &side, error);
    *rows = side.column_count ? side.cell_count / side.column_count : 0;
    if (done && *rows)
        done = store_load_table(into, table, (const char *const *)side.columns, side.column_count,
                                (const char *const *)side.cells, *rows, error);
    finish_side(&side);
    return done;
}

static bool load_side(struct store *into, const char *letter, const struct store_side *from, struct error *error)
{
    // With a sign before it no label is taken for a number.
    char *label = sqlite3_mprintf("=%s", from->label ? from->label : ""), *names = name_sql(), *ranges = range_sql();
    const char *const bindings[] = {"label", label, NULL};
    char table[2][16];
    size_t rows = 0, kinds;
    snprintf(table[0], sizeof table[0], "side_%s", letter);
    snprintf(table[1], sizeof table[1], "range_%s", letter);
    sqlite3_create_function(from->store->db, "digest", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, digest, NULL, NULL);
    const bool done =
        check_label(from->store, from->label, bindings, error) && store_forget_tables(from->store, error) &&
        store_make_tables(from->store, names, "compare.c", NULL, error) &&
        store_exec(from->store, "CREATE UNIQUE INDEX temp.side_name_trial ON side_name (trial)", "compare", error) &&
        store_make_tables(from->store, store_compare_side_sql, "compare_side.sql", bindings, error) &&
        copy_rows(into, table[0], from->store, "SELECT * FROM temp.side ORDER BY cell, device_name", &rows, error) &&
        copy_rows(into, table[1], from->store, ranges, &kinds, error);
    sqlite3_free(label);
    sqlite3_free(names);
    sqlite3_free(ranges);
    if (!done || rows)
        return done;
    error_set(error, ERROR_FAILED, "nothing was measured in %s%s%s", from->store->path,
              from->label ? " by runs with the label " : "", from->label ? from->label : "");
    return error_remedy(error, "see warpstudy status");
}

static bool load_defaults(struct store *into, struct error *error)
{
    enum { TEXT = 64, MOST = 128 };
    static const char *const columns[] = {"name", "value"};
    char values[MOST][TEXT];
    const char *cells[2 * MOST];
    const struct parameters standard = parameters_default();
    const size_t count = parameter_count < MOST ? parameter_count : MOST;
    for (size_t i = 0; i < count; ++i) {
        parameter_format(&parameter_table[i], parameter_get(&standard, &parameter_table[i]), values[i], TEXT);
        cells[2 * i] = parameter_table[i].name;
        cells[2 * i + 1] = values[i];
    }
    return store_load_table(into, "standard", columns, 2, cells, count, error);
}

struct store *store_compare(const struct store_side *a, const struct store_side *b, bool same_file, bool bounces,
                            struct error *error)
{
    const char *const bindings[] = {"same", same_file ? "1" : "0", NULL};
    struct store *both = store_open("", STORE_MEMORY, error);
    if (both && load_defaults(both, error) && load_side(both, "a", a, error) && load_side(both, "b", b, error) &&
        store_make_tables(both, store_compare_sql, "compare.sql", bindings, error) &&
        (!bounces || store_make_tables(both, store_compare_bounces_sql, "compare_bounces.sql", NULL, error)))
        return both;
    store_close(both);
    return NULL;
}
