// SPDX-License-Identifier: MIT
// Temporary tables of a report: never in the file, gone with the connection.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "store/store_internal.h"

// ---- from rows

// Length of the name of "NAME" or "NAME TEXT".
static int name_length(const char *column)
{
    return (int)strcspn(column, " ");
}

static char *column_list(const char *const *columns, size_t count)
{
    char *list = sqlite3_mprintf("");
    for (size_t i = 0; i < count; ++i)
        list = sqlite3_mprintf("%z%s\"%.*w\"%s", list, i ? ", " : "", name_length(columns[i]), columns[i],
                               columns[i] + name_length(columns[i]));
    return list;
}

static void bind_cell(sqlite3_stmt *insert, int index, const char *column, const char *text)
{
    if (text && column[name_length(column)])
        sqlite3_bind_text(insert, index, text, -1, SQLITE_STATIC);
    else if (text)
        store_bind_like_number(insert, index, text);
}

static bool fill_table(struct store *store, const char *table, const char *const *names, size_t columns,
                       const char *const *cells, size_t rows, struct error *error)
{
    char *marks = sqlite3_mprintf("?");
    for (size_t i = 1; i < columns; ++i)
        marks = sqlite3_mprintf("%z, ?", marks);
    char *sql = sqlite3_mprintf("INSERT INTO temp.\"%w\" VALUES (%z)", table, marks);
    sqlite3_stmt *insert = NULL;
    bool done = sql && sqlite3_prepare_v2(store->db, sql, -1, &insert, NULL) == SQLITE_OK;
    sqlite3_free(sql);
    for (size_t row = 0; done && row < rows; ++row) {
        sqlite3_clear_bindings(insert);
        for (size_t i = 0; i < columns; ++i)
            bind_cell(insert, (int)i + 1, names[i], cells[row * columns + i]);
        done = sqlite3_step(insert) == SQLITE_DONE;
        sqlite3_reset(insert);
    }
    if (!done)
        store_failed(store->db, store->path, "load a table", error);
    sqlite3_finalize(insert);
    return done;
}

bool store_load_table(struct store *store, const char *table, const char *const *columns, size_t column_count,
                      const char *const *cells, size_t row_count, struct error *error)
{
    char *list = column_list(columns, column_count);
    char *sql = sqlite3_mprintf("DROP TABLE IF EXISTS temp.\"%w\"; CREATE TEMP TABLE \"%w\" (%z)", table, table, list);
    const bool made = sql && store_exec(store, sql, "load a table", error);
    sqlite3_free(sql);
    return made && fill_table(store, table, columns, column_count, cells, row_count, error);
}

// ---- from a script

// What a script of tables may do besides reading.
static int authorize_temporary(void *unused, int action, const char *first, const char *second, const char *database,
                               const char *trigger)
{
    const bool temporary = database && !strcmp(database, "temp");
    switch (action) {
    case SQLITE_CREATE_TEMP_TABLE:
    case SQLITE_CREATE_TEMP_INDEX: return SQLITE_OK;
    case SQLITE_REINDEX:
    case SQLITE_INSERT: return temporary ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_UPDATE: return temporary && !strcmp(first, "sqlite_temp_master") ? SQLITE_OK : SQLITE_DENY;
    default: return store_authorize_reading(unused, action, first, second, database, trigger);
    }
}

static bool drop_temporary(struct store *store, const char *name, struct error *error)
{
    char *sql =
        sqlite3_mprintf("SELECT type FROM temp.sqlite_schema WHERE name = %Q AND type IN ('table', 'view')", name);
    sqlite3_stmt *found = NULL;
    bool done = sql && sqlite3_prepare_v2(store->db, sql, -1, &found, NULL) == SQLITE_OK;
    sqlite3_free(sql);
    sql = done && sqlite3_step(found) == SQLITE_ROW
              ? sqlite3_mprintf("DROP %s temp.\"%w\"", sqlite3_column_text(found, 0), name)
              : NULL;
    sqlite3_finalize(found);
    done = !sql || store_exec(store, sql, "keep a view", error);
    sqlite3_free(sql);
    return done;
}

// What a statement begins to make: MADE_TABLE with its name, MADE_INDEX, or neither.
enum made { MADE_NOTHING, MADE_TABLE, MADE_INDEX };

static enum made what_is_made(const char *statement, char name[80])
{
    for (; statement[0] == '-' || isspace((unsigned char)statement[0]); ++statement)
        if (statement[0] == '-')
            statement += strcspn(statement, "\n");
    if (sscanf(statement, "CREATE TEMP TABLE %79[a-z0-9_] AS", name) == 1)
        return MADE_TABLE;
    return sscanf(statement, "CREATE INDEX temp.%79[a-z0-9_] ON", name) == 1 ? MADE_INDEX : MADE_NOTHING;
}

static bool make_one(struct store *store, const char *statement, const char **rest, const char *const *bindings,
                     struct error *error)
{
    char name[80];
    sqlite3_stmt *made = NULL;
    const enum made kind = what_is_made(statement, name);
    if (kind == MADE_TABLE && !drop_temporary(store, name, error))
        return false;
    sqlite3_set_authorizer(store->db, authorize_temporary, NULL);
    const int code = sqlite3_prepare_v2(store->db, statement, -1, &made, rest);
    bool done = code == SQLITE_OK || store_query_failed(store, statement, error);
    sqlite3_set_authorizer(store->db, NULL, NULL);
    if (done && made && kind == MADE_NOTHING)
        done = error_set(error, ERROR_INPUT, "neither CREATE TEMP TABLE nor CREATE INDEX temp.: %.60s", statement);
    if (done && made)
        done = store_bind_all(made, bindings, error) &&
               (sqlite3_step(made) == SQLITE_DONE || store_query_failed(store, statement, error));
    sqlite3_finalize(made);
    return done;
}

bool store_make_tables(struct store *store, const char *script, const char *path, const char *const *bindings,
                       struct error *error)
{
    while (script[strspn(script, " \t\r\n")]) {
        if (!make_one(store, script, &script, bindings, error)) {
            snprintf(error->file, sizeof error->file, "%s", path);
            return false;
        }
    }
    return true;
}

bool store_tables_made(struct store *store, const char *script)
{
    char name[80];
    sqlite3_stmt *found = NULL;
    if (what_is_made(script, name) != MADE_TABLE ||
        sqlite3_prepare_v2(store->db, "SELECT 1 FROM temp.sqlite_schema WHERE type = 'table' AND name = ?", -1, &found,
                           NULL) != SQLITE_OK)
        return false;
    store_bind_text(found, 1, name);
    const bool made = sqlite3_step(found) == SQLITE_ROW;
    sqlite3_finalize(found);
    return made;
}

bool store_forget_tables(struct store *store, const char *script, struct error *error)
{
    char name[80];
    bool done = true;
    for (const char *line = script; done && *line; line += strspn(line, "\n")) {
        if (!strncmp(line, "CREATE ", 7) && what_is_made(line, name) == MADE_TABLE)
            done = drop_temporary(store, name, error);
        line += strcspn(line, "\n");
    }
    return done;
}

bool store_lacks_table(struct store *store, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    const bool lacks = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) == SQLITE_ERROR &&
                       strstr(sqlite3_errmsg(store->db), "no such table");
    sqlite3_finalize(statement);
    return lacks;
}

// ---- from views

// Runs the script that `query` gives as its one text. (Nothing can be dropped while a statement reads the schema.)
static bool run_script_of(struct store *store, const char *query, struct error *error)
{
    sqlite3_stmt *find = store_prepare(store, query, error);
    const int found = store_row(store, find, error);
    char *script = found > 0 ? sqlite3_mprintf("%s", sqlite3_column_text(find, 0)) : NULL;
    if (find)
        sqlite3_reset(find);
    const bool done = script ? store_exec(store, script, "keep a view", error) : found == 0;
    sqlite3_free(script);
    return done;
}

// All views anew, each reading what is temporary of its name before what is in the file.
static bool shadow_views(struct store *store, struct error *error)
{
    return run_script_of(store,
                         "SELECT coalesce(group_concat('DROP ' || type || ' temp.\"' || name || '\"', ';'), '') "
                         "FROM temp.sqlite_schema AS t WHERE type = 'view' OR (type = 'table' AND EXISTS "
                         "(SELECT 1 FROM temp.sqlite_schema WHERE type = 'index' AND name = t.name || '_kept'))",
                         error) &&
           schema_temporary(store, schema_views, error);
}

// By its first column, which is what the views that read it look for.
static bool index_table(struct store *store, const char *name, struct error *error)
{
    sqlite3_stmt *rows = NULL;
    char *sql = sqlite3_mprintf("SELECT * FROM temp.\"%w\"", name);
    bool done = sql && sqlite3_prepare_v2(store->db, sql, -1, &rows, NULL) == SQLITE_OK;
    sqlite3_free(sql);
    sql = done ? sqlite3_mprintf("CREATE INDEX temp.\"%w_kept\" ON \"%w\" (\"%w\")", name, name,
                                 sqlite3_column_name(rows, 0))
               : NULL;
    sqlite3_finalize(rows);
    done = sql && store_exec(store, sql, "keep a view", error);
    sqlite3_free(sql);
    return done;
}

static bool keep_view(struct store *store, const char *name, struct error *error)
{
    sqlite3_stmt *find =
        store_prepare(store, "SELECT substr(sql, 13) FROM temp.sqlite_schema WHERE type = 'view' AND name = ?", error);
    store_bind_text(find, 1, name);
    const int found = store_row(store, find, error);
    char *make = found > 0 ? sqlite3_mprintf("CREATE TEMP TABLE %s", sqlite3_column_text(find, 0)) : NULL;
    if (find)
        sqlite3_reset(find);
    if (!found) {
        error_set(error, ERROR_INPUT, "the database has no view %s to keep", name);
        error_remedy(error, "docs/schema.md lists the views");
    }
    const bool done = make && drop_temporary(store, name, error) && store_exec(store, make, "keep a view", error) &&
                      index_table(store, name, error);
    sqlite3_free(make);
    return done;
}

bool store_keep_views(struct store *store, const char *const *names, size_t count, struct error *error)
{
    bool done = shadow_views(store, error);
    for (size_t i = 0; done && i < count; ++i)
        done = keep_view(store, names[i], error);
    return done;
}
