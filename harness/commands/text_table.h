// SPDX-License-Identifier: MIT
// Rows of text for people and programs: an aligned table, CSV or JSON. Also what store_query finds.
#pragma once

#include <stdio.h>

#include "base/error.h"
#include "store/query.h"

enum text_format { TEXT_TABLE, TEXT_CSV, TEXT_JSON }; // in the order of COMMAND_OPTION_FORMAT

struct text_cell {
    char *text;  // NULL: a missing value
    bool number; // JSON writes it bare, tables align it right
};
struct text_table {          // zeroed is an empty one
    struct text_cell *cells; // row-major, the head first
    size_t count, columns, rows;
    bool exact; // values with every digit that they have, for programs; else six digits, for people
};

// Cells of texts, with tabs between them in the format. The first are the head, where `columns` is not set.
void text_table_add(struct text_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Appends the row; the first one also brings the head. For store_query, with the table as context.
bool text_table_visit(void *table, const struct store_row *row);
void text_table_print(const struct text_table *table, enum text_format format); // to standard output
void text_table_finish(struct text_table *table);

// One row of a query as a line of CSV after RFC 4180, with every digit; nothing for NULL, "" for an empty text.
void text_csv_row(const struct store_row *row, FILE *stream);

// Runs one query and prints it. `empty`: what to say to standard error where nothing is found.
bool text_table_query(struct store *store, const char *sql, const char *const *bindings, enum text_format format,
                      const char *empty, struct error *error);
