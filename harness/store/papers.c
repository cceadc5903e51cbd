// SPDX-License-Identifier: MIT
// The tables of what papers say: the only ones that are filled from files beside the program. They are no results, so
// that a reader whose papers differ from those of the file's last writer gets his own, in temporary tables.
#include <stdio.h>
#include <string.h>

#include "store/store_internal.h"

bool store_papers_current(struct store *store, const char *digest, bool *current, struct error *error)
{
    *current = !strcmp(store->papers, digest);
    if (*current || store->papers[0])
        return true;
    sqlite3_stmt *note =
        store_prepare(store, "SELECT count(*) FROM main.meta WHERE name = 'papers' AND value = ?", error);
    int64_t count = 0;
    store_bind_text(note, 1, digest);
    const bool done = store_integer(store, note, 0, &count, error);
    *current = count == 1;
    return done;
}

static bool run_text(struct store *store, char *sql, struct error *error)
{
    const bool done = sql && store_exec(store, sql, "store what the papers say", error);
    sqlite3_free(sql);
    return done || (!sql && error_set(error, ERROR_SYSTEM, "no memory"));
}

// An empty table: the file's own, or one that hides it, with its columns and their types.
static bool empty_table(struct store *store, const char *table, bool temporary, struct error *error)
{
    if (!temporary)
        return run_text(store, sqlite3_mprintf("DELETE FROM main.\"%w\"", table), error);
    return run_text(store,
                    sqlite3_mprintf("DROP TABLE IF EXISTS temp.\"%w\"; CREATE TEMP TABLE \"%w\" AS SELECT * FROM "
                                    "main.\"%w\" WHERE 0",
                                    table, table, table),
                    error);
}

static sqlite3_stmt *prepare_insert(struct store *store, const struct store_rows *rows, bool temporary,
                                    struct error *error)
{
    char *names = sqlite3_mprintf("\"%w\"", rows->columns[0]), *marks = sqlite3_mprintf("?");
    for (size_t i = 1; i < rows->column_count; ++i) {
        names = sqlite3_mprintf("%z, \"%w\"", names, rows->columns[i]);
        marks = sqlite3_mprintf("%z, ?", marks);
    }
    char *sql = names && marks ? sqlite3_mprintf("INSERT INTO %s.\"%w\" (%s) VALUES (%s)", temporary ? "temp" : "main",
                                                 rows->table, names, marks)
                               : NULL;
    sqlite3_stmt *insert = NULL;
    if (!sql)
        error_set(error, ERROR_SYSTEM, "no memory");
    else if (sqlite3_prepare_v2(store->db, sql, -1, &insert, NULL) != SQLITE_OK)
        store_failed(store->db, store->path, "store what the papers say", error);
    sqlite3_free(names);
    sqlite3_free(marks);
    sqlite3_free(sql);
    return insert;
}

static bool fill(struct store *store, const struct store_rows *rows, bool temporary, struct error *error)
{
    if (!empty_table(store, rows->table, temporary, error))
        return false;
    sqlite3_stmt *insert = prepare_insert(store, rows, temporary, error);
    bool done = insert != NULL;
    for (size_t row = 0; done && row < rows->row_count; ++row) {
        for (size_t i = 0; i < rows->column_count; ++i)
            store_bind_text(insert, (int)i + 1, rows->cells[row * rows->column_count + i]);
        done = sqlite3_step(insert) == SQLITE_DONE ||
               store_failed(store->db, store->path, "store what the papers say", error);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    return done;
}

static bool fill_all(struct store *store, const struct store_rows *tables, size_t count, bool temporary,
                     struct error *error)
{
    for (size_t i = 0; i < count; ++i)
        if (!fill(store, &tables[i], temporary, error))
            return false;
    return true;
}

static bool note_digest(struct store *store, const char *digest, struct error *error)
{
    sqlite3_stmt *note = store_prepare(store, "INSERT OR REPLACE INTO meta VALUES ('papers', ?)", error);
    store_bind_text(note, 1, digest);
    return store_run(store, note, error);
}

bool store_papers_replace(struct store *store, const char *digest, const struct store_rows *tables, size_t count,
                          struct error *error)
{
    if (store->mode == STORE_READ) {
        if (!fill_all(store, tables, count, true, error))
            return false;
        snprintf(store->papers, sizeof store->papers, "%s", digest);
        return true;
    }
    if (!store_begin(store, error))
        return false;
    if (fill_all(store, tables, count, false, error) && note_digest(store, digest, error))
        return store_commit(store, error);
    store_rollback(store);
    return false;
}
