// SPDX-License-Identifier: MIT
#include "store/tables.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/statement.h"
#include "store/embedded.h"
#include "store/kept.h"
#include "store/reading.h"
#include "store/schema.h"
#include "store/shared.h"
#include "store/store_handle.h"

// ---- from rows

// Length of the name of "NAME" or "NAME TEXT".
static int name_length(const char *column)
{
    return (int)strcspn(column, " ");
}

// Text that a number would print as is bound as that number.
static void bind_like_number(sqlite3_stmt *statement, int index, const char *text)
{
    char canonical[64], *end;
    const long long integer = strtoll(text, &end, 10);
    snprintf(canonical, sizeof canonical, "%lld", integer);
    if (!strcmp(canonical, text)) {
        sqlite3_bind_int64(statement, index, integer);
        return;
    }
    const double real = strtod(text, &end);
    if (*text && !*end && !strpbrk(text, "xXnN") && strpbrk(text, ".eE") && !isspace((unsigned char)*text))
        sqlite3_bind_double(statement, index, real);
    else
        sqlite3_bind_text(statement, index, text, -1, SQLITE_TRANSIENT);
}

static void bind_cell(sqlite3_stmt *insert, int index, const char *column, const char *text)
{
    if (text && column[name_length(column)])
        sqlite3_bind_text(insert, index, text, -1, SQLITE_STATIC);
    else if (text)
        bind_like_number(insert, index, text);
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
    store->tables_made = true;
    if (sql_script(&store->db, error, "DROP TABLE IF EXISTS temp.\"%w\"; CREATE TEMP TABLE \"%w\" (%z)", table, table,
                   list))
        insert = sql_make(&store->db, error, "INSERT INTO temp.\"%w\" VALUES (%s)", table, marks);
    bool done = insert != NULL;
    for (size_t row = 0; done && row < row_count; ++row) {
        sqlite3_clear_bindings(insert);
        for (size_t i = 0; i < column_count; ++i)
            bind_cell(insert, (int)i + 1, columns[i], cells[row * column_count + i]);
        done = sql_run(&store->db, insert, error);
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

static bool make_one(struct sql *db, const char *statement, const char **rest, const char *const *bindings,
                     struct error *error)
{
    sqlite3_stmt *made = NULL;
    sqlite3_set_authorizer(db->connection, authorize_temporary, NULL);
    const int code = sqlite3_prepare_v2(db->connection, statement, -1, &made, rest);
    bool done = code == SQLITE_OK || store_query_failed(db, statement, error);
    sqlite3_set_authorizer(db->connection, NULL, NULL);
    if (done && made && !begins_create(statement))
        done = error_set(error, ERROR_INPUT, "this makes neither table, view nor index: %.60s", statement);
    if (done && made)
        done = store_bind_all(made, bindings, error) &&
               (sqlite3_step(made) == SQLITE_DONE || store_query_failed(db, statement, error));
    sqlite3_finalize(made);
    return done;
}

bool store_make_tables(struct store *store, const char *script, const char *path, const char *const *bindings,
                       struct error *error)
{
    store->tables_made = true;
    while (script[strspn(script, " \t\r\n")]) {
        if (!make_one(&store->db, script, &script, bindings, error)) {
            snprintf(error->file, sizeof error->file, "%s", path);
            return false;
        }
    }
    return true;
}

bool store_forget_tables(struct store *store, struct error *error)
{
    sql_forget_statements(&store->db);
    if (!store->tables_made)
        return true;
    store->tables_made = false;
    return schema_views(&store->db, store->reading, error);
}

// ---- programs

bool store_prefer_programs(struct store *store, const char *study, const char *run, struct error *error)
{
    store->tables_made = true;
    // Of one program's results none outranks another's.
    static const char alone[] =
        "CREATE TEMP TABLE outranked (trial); CREATE TEMP TABLE other_program (trial, program);";
    int64_t left_out = 0, programs = 0;
    if (!sql_integer(&store->db, sql_prepare(&store->db, "SELECT count(DISTINCT harness) FROM trial_record", error), 0,
                     &programs, error) ||
        !sql_script(&store->db, error, "CREATE TEMP TABLE preferred_for AS SELECT %Q AS study, %d AS chosen", study,
                    run && run[0]) ||
        !sql_exec(&store->db, programs > 1 ? store_prefer_sql : alone, "choose among programs", error) ||
        !sql_integer(&store->db, sql_prepare(&store->db, "SELECT EXISTS (SELECT 1 FROM temp.outranked)", error), 0,
                     &left_out, error))
        return false;
    const bool other = left_out || store->outranked;
    store->run_chosen = run && run[0];
    store->outranked = left_out;
    if (other && !kept_forget(store, error))
        return false;
    store->scripts_shared = store->shared && shared_of(store->shared, study);
    return true;
}
