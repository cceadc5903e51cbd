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

static void bind_cell(sqlite3_stmt *insert, int index, const char *column, const char *text)
{
    if (text && column[name_length(column)])
        sqlite3_bind_text(insert, index, text, -1, SQLITE_STATIC);
    else if (text)
        store_bind_like_number(insert, index, text);
}

bool store_load_table(struct store *store, const char *table, const char *const *columns, size_t column_count,
                      const char *const *cells, size_t row_count, struct error *error)
{
    char *list = sqlite3_mprintf(""), *marks = sqlite3_mprintf("");
    for (size_t i = 0; i < column_count; ++i) {
        const int length = name_length(columns[i]);
        list = sqlite3_mprintf("%z%s\"%.*w\"%s", list, i ? ", " : "", length, columns[i], columns[i] + length);
        marks = sqlite3_mprintf("%z%s", marks, i ? ", ?" : "?");
    }
    sqlite3_stmt *insert = NULL;
    if (store_script(store, error, "DROP TABLE IF EXISTS temp.\"%w\"; CREATE TEMP TABLE \"%w\" (%z)", table, table,
                     list))
        insert = store_make(store, error, "INSERT INTO temp.\"%w\" VALUES (%s)", table, marks);
    bool done = insert != NULL;
    for (size_t row = 0; done && row < row_count; ++row) {
        sqlite3_clear_bindings(insert);
        for (size_t i = 0; i < column_count; ++i)
            bind_cell(insert, (int)i + 1, columns[i], cells[row * column_count + i]);
        done = store_run(store, insert, error);
    }
    sqlite3_finalize(insert);
    sqlite3_free(marks);
    return done;
}

// ---- from a script

// What a script of tables may do besides reading.
static int authorize_temporary(void *unused, int action, const char *first, const char *second, const char *database,
                               const char *trigger)
{
    const bool temporary = database && !strcmp(database, "temp");
    switch (action) {
    case SQLITE_CREATE_TEMP_TABLE:
    case SQLITE_CREATE_TEMP_VIEW:
    case SQLITE_CREATE_TEMP_INDEX: return SQLITE_OK;
    case SQLITE_REINDEX:
    case SQLITE_INSERT: return temporary ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_UPDATE: return temporary && !strcmp(first, "sqlite_temp_master") ? SQLITE_OK : SQLITE_DENY;
    default: return store_authorize_reading(unused, action, first, second, database, trigger);
    }
}

// Whether a statement begins so. (Some that make nothing, such as VACUUM, need nobody's leave.)
static bool begins_create(const char *statement)
{
    for (; statement[0] == '-' || isspace((unsigned char)statement[0]); ++statement)
        if (statement[0] == '-')
            statement += strcspn(statement, "\n");
    return !strncmp(statement, "CREATE ", 7);
}

static bool make_one(struct store *store, const char *statement, const char **rest, const char *const *bindings,
                     struct error *error)
{
    sqlite3_stmt *made = NULL;
    sqlite3_set_authorizer(store->db, authorize_temporary, NULL);
    const int code = sqlite3_prepare_v2(store->db, statement, -1, &made, rest);
    bool done = code == SQLITE_OK || store_query_failed(store, statement, error);
    sqlite3_set_authorizer(store->db, NULL, NULL);
    if (done && made && !begins_create(statement))
        done = error_set(error, ERROR_INPUT, "this makes neither table, view nor index: %.60s", statement);
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

bool store_forget_tables(struct store *store, struct error *error)
{
    store_forget_statements(store);
    return schema_views(store, error);
}

// ---- views that are evaluated once

// The next of the views in a list that is still one: those of the program, in an order in which none reads a later one;
// besides these all that scripts made.
static const char next_sql[] =
    "SELECT v.name FROM temp.sqlite_schema AS v LEFT JOIN (VALUES ('residency', 1), ('counted_setting', 2), "
    "('launch_capacity', 3), ('bounce_time', 4), ('frame_seconds', 5), ('frame_waves', 6), ('frame_quality', 7), "
    "('frame_parts', 8)) AS k ON k.column1 = v.name "
    "WHERE v.type = 'view' AND instr(%Q, ' ' || v.name || ' ') AND (k.column2 OR v.name NOT IN (SELECT name FROM "
    "temp.catalogue) AND v.name NOT IN ('trial_record', 'bounce_counts')) ORDER BY k.column2 IS NULL, k.column2, "
    "v.rowid";

// Called for every column that a statement reads, of views too. (What it defines by itself WITH has no database.)
static int note_read(void *context, int action, const char *table, const char *column, const char *database,
                     const char *view)
{
    (void)column, (void)view;
    char **names = context, *name;
    if (action != SQLITE_READ || !database || strcmp(database, "temp") != 0)
        return SQLITE_OK;
    name = sqlite3_mprintf(" %s ", table);
    if (!strstr(*names, name))
        *names = sqlite3_mprintf("%z%s", *names, name);
    sqlite3_free(name);
    return SQLITE_OK;
}

// A table in the place of a view. In its first column and in these the views that read it look for rows.
static bool keep_view(struct store *store, const char *name, struct error *error)
{
    char *view, *indices;
    return store_text(store, error, &view, "SELECT substr(sql, 13) FROM temp.sqlite_schema WHERE name = %Q", name) &&
           store_script(store, error, "DROP VIEW temp.%s; CREATE TEMP TABLE %z", name, view) &&
           store_text(
               store, error, &indices,
               "SELECT group_concat(printf('CREATE INDEX temp.kept_%%s_%%s ON %%s (%%s)', %Q, name, %Q, name), ';') "
               "FROM pragma_table_info(%Q, 'temp') WHERE cid = 0 OR name IN ('setting', 'spec', 'work')",
               name, name, name) &&
           store_script(store, error, "%z", indices);
}

bool store_keep_views(struct store *store, const char *sql, struct error *error)
{
    char *read = sqlite3_mprintf(""), *name = NULL;
    sqlite3_stmt *statement = NULL;
    sqlite3_set_authorizer(store->db, note_read, &read);
    sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL); // what is wrong with it shows when it is run
    sqlite3_finalize(statement);
    sqlite3_set_authorizer(store->db, NULL, NULL);
    bool done;
    while ((done = store_text(store, error, &name, next_sql, read)) && name && (done = keep_view(store, name, error)))
        sqlite3_free(name);
    sqlite3_free(done ? NULL : name);
    sqlite3_free(read);
    return done;
}
