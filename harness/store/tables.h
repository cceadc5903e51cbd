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
// Where databases were merged, and two programs measured the same case, lets only one's results count (view done_attempt): that with the
// most results of the study. The other is left out where that one measured all that it did. Nothing is left out of `run`, the label of
// chosen runs; NULL: of all. Makes the temporary tables `outranked` (trial) and `other_program` (trial, program: the commit it was built
// from): what is left out, and what counts but is by another program than most.
bool store_prefer_programs(struct store *store, const char *study, const char *run, struct error *error);
// Drops everything that these three made, and store_keep_views (store/kept.h).
bool store_forget_tables(struct store *store, struct error *error);
