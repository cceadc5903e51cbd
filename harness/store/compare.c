// SPDX-License-Identifier: MIT
// Two sides of a comparison brought into one private database. compare_side.sql says what a side is, compare.sql what
// is made of two.
#include "store/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "frame/parameters.h"
#include "frame/variant.h"
#include "sql/statement.h"
#include "store/embedded.h"
#include "store/store_handle.h"
#include "store/tables.h"

// A parameter's value in its trials; NULL where the variant ignores it, for which a database made before the parameter
// existed gives the default.
static char *value_sql(const struct parameter *parameter)
{
    char *sql = sqlite3_mprintf("iif(variant IN (''");
    for (size_t i = 0; variant_table[i]; ++i)
        if (!variant_uses(variant_table[i], parameter))
            sql = sqlite3_mprintf("%z, %Q", sql, variant_table[i]->name);
    return sqlite3_mprintf("%z), NULL, \"%w\")", sql, parameter->name);
}

// What decides the work and its schedule, whatever program and device did it: an object of every parameter's value.
// Those of the emulated machine count where they are not the default, which is what GPUs are like.
static char *name_sql(void)
{
    char *sql = sqlite3_mprintf("CREATE TEMP TABLE side_name AS SELECT id AS trial, '{\"scene\":' || json_quote(scene) "
                                "|| ',\"camera\":' || json_quote(nullif(camera, '')) || ',\"variant\":' || "
                                "json_quote(variant)");
    for (size_t i = 0; i < parameter_count; ++i)
        sql = sqlite3_mprintf(
            parameter_table[i].role == PARAMETER_MACHINE ? "%z || ',\"%w\":' || json_quote(nullif('' || %z, %Q))"
                                                         : "%z || ',\"%w\":' || json_quote(%z)",
            sql, parameter_table[i].name, value_sql(&parameter_table[i]), parameter_table[i].standard);
    return sqlite3_mprintf("%z || '}' AS name FROM trial_record", sql);
}

// Of each variant an object with the least and greatest value of each of these, NULL as ''.
static char *range_sql(int side)
{
    char *sql = sqlite3_mprintf("SELECT %d AS side, variant, '{\"scene\":[]' || ',\"variant\":[]'", side);
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
static void digest_text(sqlite3_context *context, int count, sqlite3_value **values)
{
    char text[HASH_TEXT];
    (void)count;
    hash_text(hash_bytes(sqlite3_value_text(values[0]), (size_t)sqlite3_value_bytes(values[0])), text);
    sqlite3_result_text(context, sqlite3_mprintf("h%s", text), -1, sqlite3_free);
}

static bool unknown_label(struct sql *db, const char *label, struct error *error)
{
    enum { LABELS_MAX = 64 };
    const char *labels[LABELS_MAX + 1] = {NULL};
    sqlite3_stmt *list = sql_make(db, error, "SELECT DISTINCT label FROM run ORDER BY label");
    int found = -1;
    for (size_t i = 0; i < LABELS_MAX && (found = sql_row(db, list, error)) > 0; ++i)
        labels[i] = memory_copy((const char *)sqlite3_column_text(list, 0));
    sqlite3_finalize(list);
    if (found >= 0) {
        error_set(error, ERROR_USE, "no run in %s has the label '%s'", db->path, label);
        error_near(error, label, labels, "`warpstudy query run` lists them; a file needs its path");
    }
    for (size_t i = 0; labels[i]; ++i)
        free((void *)labels[i]);
    return false;
}

static bool check_label(struct sql *db, const char *label, struct error *error)
{
    char *run = NULL;
    if (label && !sql_text(db, error, &run, "SELECT id FROM run WHERE label = %Q", label))
        return false;
    sqlite3_free(run);
    return !label || run || unknown_label(db, label, error);
}

// What a query finds in `from` is added to a table of `into`, which is made where it is missing.
static bool copy_rows(struct sql *into, const char *table, struct sql *from, char *sql, struct error *error)
{
    sqlite3_stmt *select = sql_make(from, error, "%s", sql);
    char *columns = sqlite3_mprintf(""), *insert = sqlite3_mprintf("INSERT INTO temp.%s VALUES (", table);
    for (int i = 0; i < sqlite3_column_count(select); ++i) {
        columns = sqlite3_mprintf("%z%s\"%w\"", columns, i ? ", " : "", sqlite3_column_name(select, i));
        insert = sqlite3_mprintf("%z%s", insert, i ? ", ?" : "?");
    }
    insert = sqlite3_mprintf("%z)", insert);
    const bool found = select != NULL;
    sqlite3_finalize(select);
    const bool done = found && sql_script(into, error, "CREATE TEMP TABLE IF NOT EXISTS %s (%s)", table, columns) &&
                      sql_copy(into, from, sql, insert, error);
    sqlite3_free(sql);
    sqlite3_free(columns);
    sqlite3_free(insert);
    return done;
}

static bool side_has_results(const struct store_side *from, struct error *error)
{
    char *cell;
    if (!sql_text(&from->store->db, error, &cell, "SELECT cell FROM temp.side"))
        return false;
    sqlite3_free(cell);
    if (cell)
        return true;
    error_set(error, ERROR_FAILED, "nothing was measured in %s%s%s", from->store->path,
              from->label ? " by runs with the label " : "", from->label ? from->label : "");
    return error_remedy(error, "see warpstudy status");
}

static bool load_side(struct store *into, int side, const struct store_side *from, struct error *error)
{
    const char *const bindings[] = {"label", from->label ? from->label : "", NULL};
    sqlite3_create_function(from->store->db.connection, "digest", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
                            digest_text, NULL, NULL);
    return check_label(&from->store->db, from->label, error) && store_forget_tables(from->store, error) &&
           sql_script(&from->store->db, error, "%z; CREATE UNIQUE INDEX temp.side_name_trial ON side_name (trial)",
                      name_sql()) &&
           store_make_tables(from->store, store_compare_side_sql, "compare_side.sql", bindings, error) &&
           side_has_results(from, error) &&
           copy_rows(&into->db, "both_sides", &from->store->db,
                     sqlite3_mprintf("SELECT %d AS side, * FROM temp.side ORDER BY cell, device_name", side), error) &&
           copy_rows(&into->db, "both_ranges", &from->store->db, range_sql(side), error);
}

static bool load_defaults(struct sql *into, struct error *error)
{
    const struct parameters standard = parameters_default();
    bool done = sql_script(into, error, "CREATE TEMP TABLE standard (name TEXT PRIMARY KEY, value)");
    for (size_t i = 0; done && i < parameter_count; ++i) {
        char value[64];
        parameter_format(&parameter_table[i], parameter_get(&standard, &parameter_table[i]), value, sizeof value);
        done = sql_do(into, error, "INSERT INTO standard VALUES (?, ?)", TEXT(parameter_table[i].name), TEXT(value));
    }
    return done;
}

struct store *store_compare(const struct store_side *a, const struct store_side *b, bool same_file, bool bounces,
                            struct error *error)
{
    const char *const bindings[] = {"same", same_file ? "1" : "0", NULL};
    struct store *both = store_open("", STORE_MEMORY, error);
    if (both && load_defaults(&both->db, error) && load_side(both, 0, a, error) && load_side(both, 1, b, error) &&
        store_make_tables(both, store_compare_sql, "compare.sql", bindings, error) &&
        (!bounces || store_make_tables(both, store_compare_bounces_sql, "compare_bounces.sql", NULL, error)))
        return both;
    store_close(both);
    return NULL;
}
