// SPDX-License-Identifier: MIT
// Statements: kept or made for once, their parameters, rows and transactions.
#pragma once

#include <stdint.h>

#include "sql/handle.h"

// A reset statement, kept for the next call; `sql` must be a literal. NULL and an error otherwise.
sqlite3_stmt *sql_prepare(struct sql *db, const char *sql, struct error *error);
// Runs a statement that returns no rows, and resets it.
bool sql_run(struct sql *db, sqlite3_stmt *statement, struct error *error);
// Runs a statement for at most one row: 1 = a row (read it, then reset), 0 = none, -1 = error.
int sql_row(struct sql *db, sqlite3_stmt *statement, struct error *error);
// The first column of the first row; `missing` where there is none.
bool sql_integer(struct sql *db, sqlite3_stmt *statement, int64_t missing, int64_t *value, struct error *error);
bool sql_begin(struct sql *db, struct error *error); // BEGIN IMMEDIATE
// Commits where what was begun is done, else undoes it; false where it is not stored.
bool sql_end(struct sql *db, bool done, struct error *error);
void sql_rollback(struct sql *db);

// SQL that is made for once, of a format of sqlite3_mprintf: a statement for the caller to finalize, or NULL; the first
// column of the first row for sqlite3_free, or NULL where there is none; a script. The functions free their text.
#define sql_make(db, error, ...) sql_make_of(db, error, sqlite3_mprintf(__VA_ARGS__))
#define sql_text(db, error, text, ...) sql_text_of(db, error, text, sqlite3_mprintf(__VA_ARGS__))
#define sql_script(db, error, ...) sql_script_of(db, error, sqlite3_mprintf(__VA_ARGS__))
sqlite3_stmt *sql_make_of(struct sql *db, struct error *error, char *sql);
bool sql_text_of(struct sql *db, struct error *error, char **text, char *sql);
bool sql_script_of(struct sql *db, struct error *error, char *sql);
// Every row that `select` finds goes through `insert`, which has a parameter for each column.
bool sql_copy(struct sql *to, struct sql *from, const char *select, const char *insert, struct error *error);

// Values for a statement. NULL text and NaN become NULL; texts are copied.
struct sql_value {
    int type; // SQLITE_INTEGER, SQLITE_FLOAT, SQLITE_TEXT, SQLITE_NULL
    int64_t integer;
    double real;
    const char *text;
};
#define INTEGER_IF(known, value)                                                                                       \
    ((struct sql_value){.type = (known) ? SQLITE_INTEGER : SQLITE_NULL, .integer = (int64_t)(value)})
#define INTEGER(value) INTEGER_IF(true, value)
#define REAL(value) ((struct sql_value){.type = SQLITE_FLOAT, .real = (value)})
#define NONE ((struct sql_value){.type = SQLITE_NULL}) // the caller binds it
#define TEXT(value) ((struct sql_value){.type = SQLITE_TEXT, .text = (value)})
// sql_prepare with values for its parameters, from the first on.
#define sql_with(db, error, sql, ...)                                                                                  \
    sql_with_values(db, sql, (const struct sql_value[]){__VA_ARGS__},                                                  \
                    sizeof((const struct sql_value[]){__VA_ARGS__}) / sizeof(struct sql_value), error)
// sql_run of it, and sql_integer.
#define sql_do(db, error, sql, ...) sql_run(db, sql_with(db, error, sql, __VA_ARGS__), error)
#define sql_ask(db, error, value, missing, sql, ...)                                                                   \
    sql_integer(db, sql_with(db, error, sql, __VA_ARGS__), missing, value, error)
sqlite3_stmt *sql_with_values(struct sql *db, const char *sql, const struct sql_value *values, size_t count,
                              struct error *error);
void sql_bind(sqlite3_stmt *statement, int column, struct sql_value value); // nothing without a statement
