// SPDX-License-Identifier: MIT
// A temporary table in the making, cell after cell, row by row.
#pragma once

#include "base/arena.h"
#include "store/store.h"

struct sql_rows {
    const char *table;
    const char *columns[64]; // as of store_load_table; end with NULL
    const char **cells;
    size_t count; // of cells
    struct arena memory;
};

void sql_rows_text(struct sql_rows *rows, const char *text); // a copy; NULL = NULL
void sql_rows_texts(struct sql_rows *rows, size_t count, const char *const *texts);
#define SQL_ROWS_TEXTS(rows, ...)                                                                                      \
    sql_rows_texts(rows, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *),                                  \
                   (const char *const[]){__VA_ARGS__})
void sql_rows_number(struct sql_rows *rows, double value); // 15 digits, as SQLite prints; NaN = NULL

// Makes the tables, of a list that ends with a NULL table, where all of them are `done`, and forgets the rows. False
// where they are not, or cannot be made.
bool sql_rows_load(struct store *store, struct sql_rows *list, bool done, struct error *error);
// Whether the SQL names one of them, in capitals or not. A name in a text or a comment costs time, and nothing else.
bool sql_rows_named(const struct sql_rows *list, const char *sql);
