// SPDX-License-Identifier: MIT
// Another database's rows into this one, in the caller's transaction. Rows are read one by one from the other's own
// connection, so that it may lack columns, be in memory, or in a folder that may not be written.
#include "store/merge.h"

#include <string.h>

#include "store/store_internal.h"

const struct merge_table merge_tables[] = {
    {"experiment", MERGE_NAMES, "hash, path"},
    {"kernel", MERGE_NAMES, "name"},
    {"metric_name", MERGE_NAMES, "name"},
    {"stall_reason", MERGE_NAMES, "name"},
    {"source_file", MERGE_NAMES, "name"},
    {"long_text", MERGE_NAMES, "name"},
    {"run", MERGE_STAGED, NULL},
    {"trial_record", MERGE_STAGED, NULL},
    {"attempt", MERGE_STAGED, NULL},
    {"environment", MERGE_RUNS, NULL},
    {"run_trial", MERGE_RUNS, NULL},
    {"derived", MERGE_RUNS, NULL},
    {"repetition", MERGE_RESULTS, NULL},
    {"condition", MERGE_RESULTS, NULL},
    {"launch", MERGE_RESULTS, NULL},
    {"launch_time", MERGE_RESULTS, NULL},
    {"bounce_counts", MERGE_RESULTS, NULL},
    {"lockstep", MERGE_RESULTS, NULL},
    {"kernel_facts", MERGE_RESULTS, NULL},
    {"metric_value", MERGE_RESULTS, NULL},
    {"site_count", MERGE_RESULTS, NULL},
    {"stall", MERGE_RESULTS, NULL},
    {"stall_line", MERGE_RESULTS, NULL},
    {"film", MERGE_RESULTS, NULL},
    {"picture", MERGE_ONCE, NULL},
    {"meta", MERGE_NOT, NULL},
    {"metric", MERGE_NOT, NULL},
    {"compute_capability", MERGE_NOT, NULL},
    {"step_weight", MERGE_NOT, NULL},
    {"catalogue", MERGE_NOT, NULL},
    {NULL, MERGE_END, NULL},
};

static const char made_anew[] =
    "map merge_id in_origin in_run in_trial_record in_attempt in_run_identity known_run "
    "in_trial apart asked_again redone new_trial in_experiment in_kernel in_metric_name in_stall_reason "
    "in_source_file in_long_text";

static bool exec_free(struct store *store, char *sql, struct error *error)
{
    const bool done = sql ? store_exec(store, sql, "merge", error) : error_set(error, ERROR_SYSTEM, "no memory left");
    sqlite3_free(sql);
    return done;
}

static sqlite3_stmt *prepare_free(struct store *store, char *sql, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    if (!sql || sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK)
        store_failed(store->db, store->path, "merge", error);
    sqlite3_free(sql);
    return statement;
}

// The first column of the first row, for sqlite3_free; NULL and an error without one.
static char *one_text(struct store *store, char *sql, struct error *error)
{
    sqlite3_stmt *statement = prepare_free(store, sql, error);
    char *text = NULL;
    if (statement && sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_type(statement, 0) != SQLITE_NULL)
        text = sqlite3_mprintf("%s", sqlite3_column_text(statement, 0));
    if (statement && !text)
        error_set_at(error, ERROR_INPUT, store->path, 0, "the database lacks what each one has: it is damaged");
    sqlite3_finalize(statement);
    return text;
}

// "first", "second": the columns that this program knows, in this file's order.
static char *column_list(struct store *target, const char *table, const char *but, struct error *error)
{
    return one_text(target,
                    sqlite3_mprintf("SELECT group_concat('\"' || name || '\"', ', ') FROM (SELECT name FROM "
                                    "pragma_table_info(%Q, 'main') WHERE name <> %Q ORDER BY cid)",
                                    table, but),
                    error);
}

// Every row that `select` finds in the source goes through `insert`. Both are freed.
static bool pump(struct store *target, struct store *source, char *select, char *insert, struct error *error)
{
    sqlite3_stmt *from = prepare_free(source, select, error);
    sqlite3_stmt *to = from ? prepare_free(target, insert, error) : (sqlite3_free(insert), NULL);
    const int columns = from ? sqlite3_column_count(from) : 0;
    bool done = from && to;
    int code = SQLITE_DONE;
    while (done && (code = sqlite3_step(from)) == SQLITE_ROW) {
        for (int i = 0; i < columns; ++i)
            sqlite3_bind_value(to, i + 1, sqlite3_column_value(from, i));
        done = sqlite3_step(to) == SQLITE_DONE || store_failed(target->db, target->path, "merge", error);
        sqlite3_reset(to);
    }
    if (done && code != SQLITE_DONE)
        done = store_failed(source->db, source->path, "read the database", error);
    sqlite3_finalize(from);
    sqlite3_finalize(to);
    return done;
}

// All rows as they are into temp.in_TABLE.
static bool stage(struct store *target, struct store *source, const char *table, struct error *error)
{
    char *columns = column_list(target, table, "", error), *marks = NULL;
    if (columns)
        marks = one_text(
            target, sqlite3_mprintf("SELECT group_concat('?', ', ') FROM pragma_table_info(%Q, 'main')", table), error);
    const bool done =
        marks &&
        exec_free(target,
                  sqlite3_mprintf("CREATE TEMP TABLE in_%s AS SELECT %s FROM main.%s WHERE 0", table, columns, table),
                  error) &&
        pump(target, source, sqlite3_mprintf("SELECT %s FROM %s", columns, table),
             sqlite3_mprintf("INSERT INTO temp.in_%s VALUES (%s)", table, marks), error);
    sqlite3_free(columns);
    sqlite3_free(marks);
    return done;
}

static bool merge_names(struct store *target, struct store *source, const struct merge_table *table,
                        struct error *error)
{
    char *others = column_list(target, table->name, "id", error);
    const bool done =
        others && stage(target, source, table->name, error) &&
        exec_free(target,
                  sqlite3_mprintf("INSERT OR IGNORE INTO main.%s (%s) SELECT %s FROM temp.in_%s ORDER BY id;"
                                  "INSERT INTO temp.map SELECT %Q, i.id, t.id, 0 FROM temp.in_%s AS i "
                                  "JOIN main.%s AS t USING (%s)",
                                  table->name, others, others, table->name, table->name, table->name, table->name,
                                  table->natural),
                  error);
    sqlite3_free(others);
    return done;
}

// "?1, (SELECT target ... source = ?2)": each column, references by their number here.
static char *mapped_columns(struct store *target, const char *table, struct error *error)
{
    return one_text(
        target,
        sqlite3_mprintf("SELECT group_concat(CASE WHEN parent IS NULL THEN '?' || place ELSE "
                        "'(SELECT target FROM temp.map WHERE name = ''' || parent || ''' AND source = ?' || "
                        "place || ')' END, ', ') FROM (SELECT c.cid + 1 AS place, f.\"table\" AS parent FROM "
                        "pragma_table_info(%Q, 'main') AS c LEFT JOIN pragma_foreign_key_list(%Q, 'main') AS f "
                        "ON f.\"from\" = c.name ORDER BY c.cid)",
                        table, table),
        error);
}

// Which of the columns names the attempt: " WHERE ...".
static char *added_only(struct store *target, const char *table, struct error *error)
{
    return one_text(
        target,
        sqlite3_mprintf("SELECT ' WHERE EXISTS (SELECT 1 FROM temp.map WHERE name = ''attempt'' AND fresh AND "
                        "source = ?' || (c.cid + 1) || ')' FROM pragma_table_info(%Q, 'main') AS c JOIN "
                        "pragma_foreign_key_list(%Q, 'main') AS f ON f.\"from\" = c.name WHERE f.\"table\" = "
                        "'attempt'",
                        table, table),
        error);
}

static bool merge_rows(struct store *target, struct store *source, const struct merge_table *table, struct error *error)
{
    const bool results = table->how == MERGE_RESULTS;
    char *columns = column_list(target, table->name, "", error);
    char *values = columns ? mapped_columns(target, table->name, error) : NULL;
    char *where = !values ? NULL : results ? added_only(target, table->name, error) : sqlite3_mprintf("");
    const bool done = where && pump(target, source, sqlite3_mprintf("SELECT %s FROM %s", columns, table->name),
                                    sqlite3_mprintf("INSERT %sINTO main.%s (%s) SELECT %s%s",
                                                    results ? "" : "OR IGNORE ", table->name, columns, values, where),
                                    error);
    sqlite3_free(columns);
    sqlite3_free(values);
    sqlite3_free(where);
    return done;
}

// Columns that another version of the program added: they cannot be kept, and leaving them out would change trials.
static bool check_columns(struct store *target, struct store *source, const struct merge_table *table,
                          struct error *error)
{
    char *ours = column_list(target, table->name, "", error);
    sqlite3_stmt *list =
        ours ? prepare_free(source, sqlite3_mprintf("SELECT name FROM pragma_table_info(%Q, 'main')", table->name),
                            error)
             : NULL;
    bool done = list != NULL;
    while (done && sqlite3_step(list) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(list, 0);
        char quoted[160];
        snprintf(quoted, sizeof quoted, "\"%s\"", name);
        if (strstr(ours, quoted))
            continue;
        error_set_at(error, ERROR_INPUT, source->path, 0, "its table %s has a column '%s' that is not known here",
                     table->name, name);
        done = error_remedy(error, "merge with the program that wrote it");
    }
    sqlite3_finalize(list);
    sqlite3_free(ours);
    return done;
}

static bool drop_temporary(struct store *target, struct error *error)
{
    char *sql = sqlite3_mprintf("");
    for (const char *name = made_anew; *name; name += strspn(name, " ")) {
        const int length = (int)strcspn(name, " ");
        sql = sqlite3_mprintf("%zDROP TABLE IF EXISTS temp.%.*s;", sql, length, name);
        name += length;
    }
    return exec_free(target, sql, error);
}

static bool prepare(struct store *target, struct store *source, struct error *error)
{
    char *id = one_text(source, sqlite3_mprintf("SELECT value FROM main.meta WHERE name = 'id'"), error);
    const bool done =
        id && drop_temporary(target, error) &&
        exec_free(target,
                  sqlite3_mprintf("CREATE TEMP TABLE map (name TEXT, source INTEGER, target INTEGER, fresh INTEGER, "
                                  "PRIMARY KEY (name, source)) WITHOUT ROWID;"
                                  "CREATE TEMP TABLE merge_id AS SELECT %Q AS name, %Q AS source, value AS target "
                                  "FROM main.meta WHERE meta.name = 'id';"
                                  "CREATE TEMP TABLE in_origin (run INTEGER, value TEXT)",
                                  source->path, id),
                  error) &&
        pump(target, source, sqlite3_mprintf("SELECT run, value FROM main.environment WHERE name = 'origin'"),
             sqlite3_mprintf("INSERT INTO temp.in_origin VALUES (?, ?)"), error);
    sqlite3_free(id);
    return done;
}

static bool merge_one(struct store *target, struct store *source, const struct merge_table *table, struct error *error)
{
    switch (table->how) {
    case MERGE_NAMES: return merge_names(target, source, table, error);
    case MERGE_STAGED: return stage(target, source, table->name, error);
    case MERGE_RUNS:
    case MERGE_RESULTS:
    case MERGE_ONCE: return merge_rows(target, source, table, error);
    default: return true;
    }
}

static bool count_new(struct store *target, struct merge_counts *counts, struct error *error)
{
    sqlite3_stmt *sums = prepare_free(
        target,
        sqlite3_mprintf(
            "SELECT coalesce(sum(name = 'run' AND fresh), 0), coalesce(sum(name = 'trial_record' AND fresh), 0), "
            "coalesce(sum(name = 'attempt' AND fresh), 0), coalesce(sum(name = 'attempt' AND NOT fresh), 0), "
            "(SELECT count(*) FROM temp.map AS m JOIN main.trial_record AS t ON t.id = m.target "
            "WHERE m.name = 'trial_record' AND m.fresh AND t.key LIKE '%%@%%') FROM temp.map"),
        error);
    const bool done = sums && sqlite3_step(sums) == SQLITE_ROW;
    if (done)
        *counts = (struct merge_counts){sqlite3_column_int64(sums, 0), sqlite3_column_int64(sums, 1),
                                        sqlite3_column_int64(sums, 2), sqlite3_column_int64(sums, 3),
                                        sqlite3_column_int64(sums, 4)};
    sqlite3_finalize(sums);
    return done || error_set(error, ERROR_SYSTEM, "cannot count what was merged");
}

bool store_merge_begin(struct store *target, struct error *error)
{
    // Of a large database they would not fit into memory.
    return store_exec(target, "PRAGMA temp_store = FILE", "merge", error) && schema_views(target, error) &&
           store_begin(target, error) &&
           store_exec(target,
                      "DROP TABLE IF EXISTS temp.merge_conflict;"
                      "CREATE TEMP TABLE merge_conflict (source TEXT, conflict TEXT, trials INTEGER, example TEXT)",
                      "merge", error);
}

bool store_merge(struct store *target, struct store *source, struct merge_counts *counts, struct error *error)
{
    bool done = prepare(target, source, error), staged = false;
    for (const struct merge_table *table = merge_tables; done && table->how != MERGE_END; ++table) {
        if (!staged && table->how > MERGE_STAGED)
            done = staged = store_exec(target, store_merge_sql, "merge", error);
        done = done && (table->how == MERGE_NOT || check_columns(target, source, table, error)) &&
               merge_one(target, source, table, error);
    }
    return done && store_exec(target, store_merge_conflicts_sql, "merge", error) && count_new(target, counts, error) &&
           drop_temporary(target, error);
}

bool store_merge_end(struct store *target, struct error *error)
{
    return store_commit(target, error);
}
