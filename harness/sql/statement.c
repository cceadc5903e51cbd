// SPDX-License-Identifier: MIT
#include "sql/statement.h"

#include <math.h>

sqlite3_stmt *sql_prepare(struct sql *db, const char *sql, struct error *error)
{
    for (size_t i = 0; i < SQL_STATEMENTS; ++i) {
        if (db->statements[i].sql == sql) {
            sqlite3_reset(db->statements[i].statement);
            sqlite3_clear_bindings(db->statements[i].statement);
            return db->statements[i].statement;
        }
        if (db->statements[i].sql)
            continue;
        sqlite3_stmt *statement = NULL;
        if (sqlite3_prepare_v3(db->connection, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK) {
            sql_failed(db, db->doing, error);
            return NULL;
        }
        db->statements[i].sql = sql;
        return db->statements[i].statement = statement;
    }
    error_set(error, ERROR_SYSTEM, "too many kinds of statements: raise SQL_STATEMENTS");
    return NULL;
}

// ---- SQL that is made for once

sqlite3_stmt *sql_make_of(struct sql *db, struct error *error, char *sql)
{
    sqlite3_stmt *statement = NULL;
    if (!sql)
        error_set(error, ERROR_SYSTEM, "no memory left");
    else if (sqlite3_prepare_v2(db->connection, sql, -1, &statement, NULL) != SQLITE_OK)
        sql_failed(db, db->doing, error);
    sqlite3_free(sql);
    return statement;
}

bool sql_text_of(struct sql *db, struct error *error, char **text, char *sql)
{
    sqlite3_stmt *statement = sql_make_of(db, error, sql);
    const int row = sql_row(db, statement, error);
    const unsigned char *found = row == 1 ? sqlite3_column_text(statement, 0) : NULL;
    *text = found ? sqlite3_mprintf("%s", found) : NULL;
    sqlite3_finalize(statement);
    return row >= 0;
}

bool sql_script_of(struct sql *db, struct error *error, char *sql)
{
    const bool done = sql ? sql_exec(db, sql, db->doing, error) : error_set(error, ERROR_SYSTEM, "no memory left");
    sqlite3_free(sql);
    return done;
}

bool sql_copy(struct sql *to, struct sql *from, const char *select, const char *insert, struct error *error)
{
    sqlite3_stmt *rows = sql_make(from, error, "%s", select), *added = rows ? sql_make(to, error, "%s", insert) : NULL;
    int found = -1;
    bool done = added != NULL;
    while (done && (found = sql_row(from, rows, error)) > 0) {
        for (int i = 0; i < sqlite3_column_count(rows); ++i)
            sqlite3_bind_value(added, i + 1, sqlite3_column_value(rows, i));
        done = sql_run(to, added, error);
    }
    sqlite3_finalize(rows);
    sqlite3_finalize(added);
    return done && !found;
}

int sql_row(struct sql *db, sqlite3_stmt *statement, struct error *error)
{
    if (!statement)
        return -1;
    const int code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        return 1;
    if (code != SQLITE_DONE)
        sql_failed(db, db->doing, error);
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? 0 : -1;
}

bool sql_run(struct sql *db, sqlite3_stmt *statement, struct error *error)
{
    const int row = sql_row(db, statement, error);
    if (row == 1)
        sqlite3_reset(statement);
    return row >= 0;
}

bool sql_integer(struct sql *db, sqlite3_stmt *statement, int64_t missing, int64_t *value, struct error *error)
{
    const int row = sql_row(db, statement, error);
    *value = row == 1 ? sqlite3_column_int64(statement, 0) : missing;
    if (row == 1)
        sqlite3_reset(statement);
    return row >= 0;
}

bool sql_begin(struct sql *db, struct error *error)
{
    return sql_run(db, sql_prepare(db, "BEGIN IMMEDIATE", error), error);
}

bool sql_end(struct sql *db, bool done, struct error *error)
{
    if (done && sql_run(db, sql_prepare(db, "COMMIT", error), error)) {
        db->written = true;
        return true;
    }
    sql_rollback(db);
    return false;
}

void sql_rollback(struct sql *db)
{
    if (!sqlite3_get_autocommit(db->connection))
        sqlite3_exec(db->connection, "ROLLBACK", NULL, NULL, NULL);
}

void sql_bind(sqlite3_stmt *statement, int column, struct sql_value value)
{
    if (!statement)
        return;
    if (value.type == SQLITE_INTEGER)
        sqlite3_bind_int64(statement, column, value.integer);
    else if (value.type == SQLITE_FLOAT && !isnan(value.real))
        sqlite3_bind_double(statement, column, value.real);
    else if (value.type == SQLITE_TEXT && value.text)
        sqlite3_bind_text(statement, column, value.text, -1, SQLITE_TRANSIENT);
    else
        sqlite3_bind_null(statement, column);
}

sqlite3_stmt *sql_with_values(struct sql *db, const char *sql, const struct sql_value *values, size_t count,
                              struct error *error)
{
    sqlite3_stmt *statement = sql_prepare(db, sql, error);
    for (size_t i = 0; i < count; ++i)
        sql_bind(statement, (int)i + 1, values[i]);
    return statement;
}
