// SPDX-License-Identifier: MIT
// Temporary tables of a report: never in the file, gone with the connection.
#pragma once

#include "store/store.h"

// Loads published values or claims into tables of the report (temporary, never in the file): a table is dropped and
// made anew. A column is NAME, and takes what looks like a number as one, or "NAME TEXT".
bool store_load_table(struct store *store, const char *table, const char *const *columns, size_t column_count,
                      const char *const *cells, size_t row_count, struct error *error);
// A script of statements CREATE TEMP VIEW ..., CREATE TEMP TABLE NAME AS SELECT ... and CREATE INDEX temp.NAME ON TABLE
// (...), and nothing else: what several queries share. `bindings` as in store_query; a view takes none. `path`: of the
// script, for messages.
bool store_make_tables(struct store *store, const char *script, const char *path, const char *const *bindings,
                       struct error *error);
// Drops everything that these two made.
bool store_forget_tables(struct store *store, struct error *error);
// Evaluates once each view that the query reads, directly or through others: those of scripts and the slow ones of the database are
// replaced by temporary tables of the same name, with the rows of this moment, until store_forget_tables.
bool store_keep_views(struct store *store, const char *sql, struct error *error);
