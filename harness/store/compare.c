// SPDX-License-Identifier: MIT
// Two sides of a comparison brought into one private database. compare_side.sql says what a side is, compare.sql what
// is made of two.
#include <stdlib.h>
#include <string.h>

#include "store/store_internal.h"

enum { SIDE_COLUMNS_MAX = 32 };

struct side {
    char *columns[SIDE_COLUMNS_MAX];
    char **cells;
    size_t column_count, cell_count, room;
    bool failed; // out of memory
};

static void keep(struct side *side, const struct store_value *value)
{
    if (side->cell_count == side->room && !side->failed) {
        const size_t room = 2 * side->room + 256;
        char **cells = realloc(side->cells, room * sizeof *cells);
        side->failed = !cells;
        side->cells = cells ? cells : side->cells;
        side->room = cells ? room : side->room;
    }
    if (side->failed)
        return;
    char *text = value->type == STORE_NULL ? NULL : strdup(value->text);
    side->failed = value->type != STORE_NULL && !text;
    side->cells[side->cell_count++] = text;
}

static bool keep_row(void *context, const struct store_row *row)
{
    struct side *side = context;
    for (; side->column_count < row->count && side->column_count < SIDE_COLUMNS_MAX; ++side->column_count)
        side->columns[side->column_count] = strdup(row->names[side->column_count]);
    for (size_t i = 0; i < side->column_count; ++i)
        keep(side, &row->values[i]);
    return !side->failed;
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
static char *cell_sql(void)
{
    char *sql = sqlite3_mprintf("CREATE TEMP TABLE side_cell AS SELECT id AS trial, '{\"scene\":' || json_quote(scene) "
                                "|| ',\"camera\":' || json_quote(nullif(camera, '')) || ',\"variant\":' || "
                                "json_quote(variant) || ',\"device\":' || "
                                "json_quote(substr(device, 1, instr(device || ':', ':') - 1))");
    for (size_t i = 0; i < parameter_count; ++i)
        sql = sqlite3_mprintf("%z || ',\"%w\":' || json_quote(\"%w\")", sql, parameter_table[i].name,
                              parameter_table[i].name);
    return sqlite3_mprintf("%z || '}' AS cell FROM trial_record;\n%s", sql, store_compare_side_sql);
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
    const char *near = error_suggest(label, labels);
    error_set(error, ERROR_USE, "no run in %s has the label '%s'", store->path, label);
    if (near)
        error_remedy(error, "did you mean '%s'? `warpstudy query run` lists them", near);
    else
        error_remedy(error, "`warpstudy query run` lists them; a file needs its path");
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

static bool load_side(struct store *into, const char *table, const struct store_side *from, struct error *error)
{
    // With a sign before it no label is taken for a number.
    char *label = sqlite3_mprintf("=%s", from->label ? from->label : ""), *sql = cell_sql();
    struct side side = {0};
    bool done = (label && sql) || error_set(error, ERROR_SYSTEM, "no memory for the comparison");
    const char *const bindings[] = {"label", label, NULL};
    done = done && check_label(from->store, from->label, bindings, error) &&
           store_make_tables(from->store, sql, "compare_side.sql", bindings, error) &&
           store_query(from->store, "SELECT * FROM temp.side ORDER BY cell, device_name", NULL, keep_row, &side, error);
    if (done && side.failed)
        done = error_set(error, ERROR_SYSTEM, "no memory for the comparison");
    if (done && !side.column_count) {
        error_set(error, ERROR_FAILED, "nothing was measured in %s%s%s", from->store->path,
                  from->label ? " by runs with the label " : "", from->label ? from->label : "");
        done = error_remedy(error, "see warpstudy status");
    }
    if (done)
        done = store_load_table(into, table, (const char *const *)side.columns, side.column_count,
                                (const char *const *)side.cells, side.cell_count / side.column_count, error);
    sqlite3_free(sql);
    sqlite3_free(label);
    finish_side(&side);
    return done;
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

struct store *store_compare(const struct store_side *a, const struct store_side *b, bool same_file, struct error *error)
{
    const char *const bindings[] = {"same", same_file ? "1" : "0", NULL};
    struct store *both = store_open("", STORE_MEMORY, error);
    if (both && load_defaults(both, error) && load_side(both, "side_a", a, error) &&
        load_side(both, "side_b", b, error) &&
        store_make_tables(both, store_compare_sql, "compare.sql", bindings, error))
        return both;
    store_close(both);
    return NULL;
}
