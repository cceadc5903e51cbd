// SPDX-License-Identifier: MIT
// Another database's rows into this one, in the caller's transaction. Rows are read one by one from the other's own
// connection, so that it may lack columns, be in memory, or in a folder that may not be written.
#include "store/merge.h"

#include "sql/statement.h"
#include "store/embedded.h"
#include "store/schema.h"
#include "store/store_handle.h"

struct merge {
    struct sql *target, *source;
    struct error *error;
};

// Columns that another version of the program added: they cannot be kept, and leaving them out would change trials.
static bool check_columns(const struct merge *merge, const char *table, const char *columns)
{
    char *unknown;
    if (!sql_text(merge->source, merge->error, &unknown,
                  "SELECT name FROM pragma_table_info(%Q, 'main') WHERE NOT instr(%Q, '\"' || name || '\"')", table,
                  columns))
        return false;
    if (!unknown)
        return true;
    error_set_at(merge->error, ERROR_INPUT, merge->source->path, 0,
                 "its table %s has a column '%s' that is not known here", table, unknown);
    sqlite3_free(unknown);
    return error_remedy(merge->error, "merge with the program that wrote it");
}

// Does one step of merge_tables.sql; *how: 5 behind the last one.
static bool do_step(const struct merge *merge, int place, int *how)
{
    char *texts[6];
    sqlite3_stmt *step = sql_make(merge->target, merge->error,
                                  "SELECT how, name, columns, before, selected, inserted, after FROM temp.merge_step "
                                  "WHERE place = %d",
                                  place);
    const int found = sql_row(merge->target, step, merge->error);
    const int now = found > 0 ? sqlite3_column_int(step, 0) : 5;
    for (int i = 0; i < 6; ++i)
        texts[i] = sqlite3_mprintf("%s", found > 0 ? (const char *)sqlite3_column_text(step, i + 1) : "");
    sqlite3_finalize(step); // nothing can be dropped while it reads
    bool done = found >= 0 && (*how > 1 || now <= 1 || sql_exec(merge->target, store_merge_sql, "merge", merge->error));
    if (found > 0)
        done = done && check_columns(merge, texts[0], texts[1]) &&
               sql_script(merge->target, merge->error, "%s", texts[2]) &&
               sql_copy(merge->target, merge->source, texts[3], texts[4], merge->error) &&
               sql_script(merge->target, merge->error, "%s", texts[5]);
    for (int i = 0; i < 6; ++i)
        sqlite3_free(texts[i]);
    *how = now;
    return done;
}

static bool do_steps(const struct merge *merge)
{
    bool done = sql_exec(merge->target, store_merge_tables_sql, "merge", merge->error);
    for (int place = 1, how = 0; done && how < 5; ++place)
        done = do_step(merge, place, &how);
    return done;
}

// All that is temporary but this program's tables, which the file has, too, and what did not fit together.
static bool drop_temporary(struct sql *target, struct error *error)
{
    char *script;
    return sql_text(target, error, &script,
                    "SELECT group_concat('DROP TABLE temp.' || name, ';') FROM temp.sqlite_schema WHERE "
                    "type = 'table' AND name NOT IN ('merge_conflict', 'merged_trial') AND name NOT IN (SELECT name "
                    "FROM main.sqlite_schema)") &&
           sql_script(target, error, "%z", script);
}

static bool merge_prepare(const struct merge *merge)
{
    char *id;
    if (!drop_temporary(merge->target, merge->error) ||
        !sql_text(merge->source, merge->error, &id, "SELECT value FROM main.meta WHERE name = 'id'"))
        return false;
    if (!id)
        return error_set_at(merge->error, ERROR_INPUT, merge->source->path, 0, "the database has no id: it is damaged");
    return sql_script(merge->target, merge->error,
                      "CREATE TEMP TABLE map (name TEXT, source INTEGER, target INTEGER, fresh INTEGER, "
                      "PRIMARY KEY (name, source)) WITHOUT ROWID;"
                      "CREATE TEMP TABLE merge_id AS SELECT %Q AS name, '%z' AS source, value AS target "
                      "FROM main.meta WHERE meta.name = 'id';"
                      "CREATE TEMP TABLE in_origin (run INTEGER, value TEXT)",
                      merge->source->path, id) &&
           sql_copy(merge->target, merge->source, "SELECT run, value FROM main.environment WHERE name = 'origin'",
                    "INSERT INTO temp.in_origin VALUES (?, ?)", merge->error);
}

static bool merge_count(struct sql *target, struct merge_counts *counts, struct error *error)
{
    sqlite3_stmt *sums =
        sql_make(target, error,
                 "SELECT coalesce(sum(name = 'run' AND fresh), 0), coalesce(sum(name = 'trial_record' AND fresh), 0), "
                 "coalesce(sum(name = 'attempt' AND fresh), 0), coalesce(sum(name = 'attempt' AND NOT fresh), 0), "
                 "(SELECT count(*) FROM temp.map AS m JOIN main.trial_record AS t ON t.id = m.target "
                 "WHERE m.name = 'trial_record' AND m.fresh AND t.key LIKE '%%@%%') FROM temp.map");
    const bool done = sql_row(target, sums, error) == 1;
    if (done)
        *counts = (struct merge_counts){sqlite3_column_int64(sums, 0), sqlite3_column_int64(sums, 1),
                                        sqlite3_column_int64(sums, 2), sqlite3_column_int64(sums, 3),
                                        sqlite3_column_int64(sums, 4)};
    sqlite3_finalize(sums);
    return done;
}

// Trials with a result of these databases, new or known, until all are merged and it is asked what does not fit together:
// that is said again when they are merged again.
static bool remember_results(struct sql *target, struct error *error)
{
    return sql_script(target, error,
                      "INSERT OR REPLACE INTO temp.merged_trial SELECT a.trial, (SELECT name FROM temp.merge_id) "
                      "FROM temp.map AS m CROSS JOIN main.attempt AS a ON a.id = m.target "
                      "WHERE m.name = 'attempt' AND a.status = 'done' AND NOT a.superseded");
}

bool store_merge_begin(struct store *target, struct error *error)
{
    target->db.doing = "merge";
    // Of a large database they would not fit into memory.
    return sql_script(&target->db, error, "PRAGMA temp_store = FILE") && schema_views(&target->db, false, error) &&
           sql_begin(&target->db, error) &&
           sql_script(&target->db, error,
                      "DROP TABLE IF EXISTS temp.merge_conflict;"
                      "CREATE TEMP TABLE merged_trial (trial INTEGER PRIMARY KEY, source TEXT);"
                      "CREATE TEMP TABLE merge_conflict (source TEXT, conflict TEXT, trials INTEGER, example TEXT)");
}

bool store_merge(struct store *target, struct store *source, struct merge_counts *counts, struct error *error)
{
    const struct merge merge = {.target = &target->db, .source = &source->db, .error = error};
    return merge_prepare(&merge) && do_steps(&merge) && remember_results(&target->db, error) &&
           merge_count(&target->db, counts, error) && drop_temporary(&target->db, error);
}

bool store_merge_end(struct store *target, struct error *error)
{
    return sql_exec(&target->db, store_merge_conflicts_sql, "merge", error) && sql_end(&target->db, true, error);
}
