// SPDX-License-Identifier: MIT
// Another database's rows into this one, in the caller's transaction. Rows are read one by one from the other's own
// connection, so that it may lack columns, be in memory, or in a folder that may not be written.
#include <string.h>

#include "store/store_internal.h"

// What is done with a table follows from what it refers to, so that no table is lost. In the order of filling:
enum merge_how {
    MERGE_NAMES,   // an id, and nothing referred to: rows known by what is unique besides; others refer to their id
    MERGE_STAGED,  // merge.sql says how
    MERGE_RUNS,    // rows that belong to a run: those that are not there yet
    MERGE_RESULTS, // rows that belong to an attempt: those of attempts that were added
    MERGE_ONCE     // known by their primary key: the first one stays
};

// name, how, columns, what is unique besides the id. Not those of this program, which are temporary, too: they are made
// anew from its own files.
static const char tables_sql[] =
    "WITH parents AS (SELECT t.name, group_concat(f.\"table\") AS list FROM temp.catalogue AS t "
    "LEFT JOIN pragma_foreign_key_list(t.name, 'main') AS f WHERE t.kind = 'table' AND t.name <> 'meta' AND "
    "t.name NOT IN (SELECT name FROM temp.sqlite_schema WHERE type = 'table') GROUP BY t.name) "
    "SELECT name, CASE WHEN name IN ('run', 'trial_record', 'attempt') THEN 1 WHEN instr(list, 'attempt') THEN 3 "
    "WHEN instr(list, 'run') THEN 2 ELSE 4 * NOT EXISTS (SELECT 1 FROM pragma_table_info(p.name, 'main') WHERE "
    "name = 'id') END AS how, (SELECT group_concat('\"' || name || '\"', ', ') FROM (SELECT name FROM "
    "pragma_table_info(p.name, 'main') ORDER BY cid)), (SELECT group_concat(c.name) FROM "
    "pragma_index_list(p.name, 'main') AS i JOIN pragma_index_info(i.name, 'main') AS c WHERE i.origin = 'u') "
    "FROM parents AS p ORDER BY how";

struct merge_table {
    char *name;
    enum merge_how how;
    char *columns, *natural;
};
struct merge {
    struct store *target, *source;
    struct error *error;
    struct merge_table tables[64];
    size_t table_count;
};

// All rows as they are into temp.in_TABLE.
static bool stage(const struct merge *merge, const struct merge_table *table)
{
    char *marks = NULL;
    return store_script(merge->target, merge->error, "CREATE TEMP TABLE in_%s AS SELECT %s FROM main.%s WHERE 0",
                        table->name, table->columns, table->name) &&
           store_text(merge->target, merge->error, &marks,
                      "SELECT group_concat('?', ', ') FROM pragma_table_info(%Q, 'main')", table->name) &&
           store_copy(merge->target, merge->source, sqlite3_mprintf("SELECT %s FROM %s", table->columns, table->name),
                      sqlite3_mprintf("INSERT INTO temp.in_%s VALUES (%z)", table->name, marks), merge->error);
}

static bool merge_names(const struct merge *merge, const struct merge_table *table)
{
    const char *others = strchr(table->columns, ',') + 1, *name = table->name; // all but the id
    return stage(merge, table) &&
           store_script(
               merge->target, merge->error,
               "INSERT OR IGNORE INTO main.%s (%s) SELECT %s FROM temp.in_%s ORDER BY id;"
               "INSERT INTO temp.map SELECT %Q, i.id, t.id, 0 FROM temp.in_%s AS i JOIN main.%s AS t USING (%s)",
               name, others, others, name, name, name, name, table->natural);
}

// Each column, "?1, (SELECT target ... source = ?2)": references by their number here.
static bool merge_rows(const struct merge *merge, const struct merge_table *table)
{
    const bool results = table->how == MERGE_RESULTS;
    char *values, *where = NULL;
    if (!store_text(merge->target, merge->error, &values,
                    "SELECT group_concat(CASE WHEN parent IS NULL THEN '?' || place ELSE "
                    "'(SELECT target FROM temp.map WHERE name = ''' || parent || ''' AND source = ?' || "
                    "place || ')' END, ', ') FROM (SELECT c.cid + 1 AS place, f.\"table\" AS parent FROM "
                    "pragma_table_info(%Q, 'main') AS c LEFT JOIN pragma_foreign_key_list(%Q, 'main') AS f "
                    "ON f.\"from\" = c.name ORDER BY c.cid)",
                    table->name, table->name))
        return false;
    if (results) // `attempt` comes first in each of these
        where =
            sqlite3_mprintf(" WHERE EXISTS (SELECT 1 FROM temp.map WHERE name = 'attempt' AND fresh AND source = ?1)");
    return store_copy(merge->target, merge->source, sqlite3_mprintf("SELECT %s FROM %s", table->columns, table->name),
                      sqlite3_mprintf("INSERT %sINTO main.%s (%s) SELECT %z%z", results ? "" : "OR IGNORE ",
                                      table->name, table->columns, values, where),
                      merge->error);
}

// Columns that another version of the program added: they cannot be kept, and leaving them out would change trials.
static bool check_columns(const struct merge *merge, const struct merge_table *table)
{
    char *unknown;
    if (!store_text(merge->source, merge->error, &unknown,
                    "SELECT name FROM pragma_table_info(%Q, 'main') WHERE NOT instr(%Q, '\"' || name || '\"')",
                    table->name, table->columns))
        return false;
    if (!unknown)
        return true;
    error_set_at(merge->error, ERROR_INPUT, merge->source->path, 0,
                 "its table %s has a column '%s' that is not known here", table->name, unknown);
    sqlite3_free(unknown);
    return error_remedy(merge->error, "merge with the program that wrote it");
}

static bool merge_table(const struct merge *merge, const struct merge_table *table)
{
    return check_columns(merge, table) && (table->how == MERGE_NAMES    ? merge_names(merge, table)
                                           : table->how == MERGE_STAGED ? stage(merge, table)
                                                                        : merge_rows(merge, table));
}

// All that is temporary but this program's tables, which the file has, too, and what did not fit together.
static bool drop_temporary(struct store *target, struct error *error)
{
    char *script;
    return store_text(
               target, error, &script,
               "SELECT group_concat('DROP TABLE temp.' || name, ';') FROM temp.sqlite_schema WHERE "
               "type = 'table' AND name <> 'merge_conflict' AND name NOT IN (SELECT name FROM main.sqlite_schema)") &&
           store_script(target, error, "%z", script);
}

static bool prepare(const struct merge *merge)
{
    char *id;
    if (!drop_temporary(merge->target, merge->error) ||
        !store_text(merge->source, merge->error, &id, "SELECT value FROM main.meta WHERE name = 'id'"))
        return false;
    if (!id)
        return error_set_at(merge->error, ERROR_INPUT, merge->source->path, 0, "the database has no id: it is damaged");
    return store_script(merge->target, merge->error,
                        "CREATE TEMP TABLE map (name TEXT, source INTEGER, target INTEGER, fresh INTEGER, "
                        "PRIMARY KEY (name, source)) WITHOUT ROWID;"
                        "CREATE TEMP TABLE merge_id AS SELECT %Q AS name, '%z' AS source, value AS target "
                        "FROM main.meta WHERE meta.name = 'id';"
                        "CREATE TEMP TABLE in_origin (run INTEGER, value TEXT)",
                        merge->source->path, id) &&
           store_copy(merge->target, merge->source,
                      sqlite3_mprintf("SELECT run, value FROM main.environment WHERE name = 'origin'"),
                      sqlite3_mprintf("INSERT INTO temp.in_origin VALUES (?, ?)"), merge->error);
}

static char *column_text(sqlite3_stmt *row, int column)
{
    return sqlite3_mprintf("%s", sqlite3_column_text(row, column));
}

static bool find_tables(struct merge *merge)
{
    sqlite3_stmt *rows = store_make(merge->target, merge->error, "%s", tables_sql);
    int found = -1;
    while ((found = store_row(merge->target, rows, merge->error)) > 0 && merge->table_count < 64)
        merge->tables[merge->table_count++] =
            (struct merge_table){column_text(rows, 0), (enum merge_how)sqlite3_column_int(rows, 1),
                                 column_text(rows, 2), column_text(rows, 3)};
    sqlite3_finalize(rows);
    return !found;
}

static bool merge_tables(const struct merge *merge)
{
    bool done = true, staged = false;
    for (const struct merge_table *table = merge->tables; done && table < merge->tables + merge->table_count; ++table) {
        if (!staged && table->how > MERGE_STAGED)
            done = staged = store_exec(merge->target, store_merge_sql, "merge", merge->error);
        done = done && merge_table(merge, table);
    }
    return done;
}

static void forget_tables(struct merge *merge)
{
    for (size_t i = 0; i < merge->table_count; ++i) {
        sqlite3_free(merge->tables[i].name);
        sqlite3_free(merge->tables[i].columns);
        sqlite3_free(merge->tables[i].natural);
    }
}

static bool count_new(struct store *target, struct merge_counts *counts, struct error *error)
{
    sqlite3_stmt *sums = store_make(
        target, error,
        "SELECT coalesce(sum(name = 'run' AND fresh), 0), coalesce(sum(name = 'trial_record' AND fresh), 0), "
        "coalesce(sum(name = 'attempt' AND fresh), 0), coalesce(sum(name = 'attempt' AND NOT fresh), 0), "
        "(SELECT count(*) FROM temp.map AS m JOIN main.trial_record AS t ON t.id = m.target "
        "WHERE m.name = 'trial_record' AND m.fresh AND t.key LIKE '%%@%%') FROM temp.map");
    const bool done = store_row(target, sums, error) == 1;
    if (done)
        *counts = (struct merge_counts){sqlite3_column_int64(sums, 0), sqlite3_column_int64(sums, 1),
                                        sqlite3_column_int64(sums, 2), sqlite3_column_int64(sums, 3),
                                        sqlite3_column_int64(sums, 4)};
    sqlite3_finalize(sums);
    return done;
}

bool store_merge_begin(struct store *target, struct error *error)
{
    target->doing = "merge";
    // Of a large database they would not fit into memory.
    return store_script(target, error, "PRAGMA temp_store = FILE") && schema_views(target, error) &&
           store_begin(target, error) &&
           store_script(target, error,
                        "DROP TABLE IF EXISTS temp.merge_conflict;"
                        "CREATE TEMP TABLE merge_conflict (source TEXT, conflict TEXT, trials INTEGER, example TEXT)");
}

bool store_merge(struct store *target, struct store *source, struct merge_counts *counts, struct error *error)
{
    struct merge merge = {.target = target, .source = source, .error = error, .table_count = 0};
    const bool done = prepare(&merge) && find_tables(&merge) && merge_tables(&merge) &&
                      store_exec(target, store_merge_conflicts_sql, "merge", error) &&
                      count_new(target, counts, error) && drop_temporary(target, error);
    forget_tables(&merge);
    return done;
}

bool store_merge_end(struct store *target, struct error *error)
{
    return store_end(target, true, error);
}
