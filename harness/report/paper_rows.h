// SPDX-License-Identifier: MIT
// Rows for the tables of what papers say. One list names every table, its columns and who fills it.
#pragma once

#include "report/published.h"
#include "store/store.h"

enum { PAPER_COLUMNS = 20 }; // at most, of a table

// Rows in the making.
struct paper_rows {
    char **cells; // copies, row by row; NULL = NULL
    size_t count; // of cells
    size_t columns;
};

// A table, and who gives its rows; NULL where it has none of that kind.
struct paper_reference {
    const char *table;
    const char *columns[PAPER_COLUMNS + 1]; // as of store_load_table; ends with NULL
    bool (*of_paper)(struct paper_rows *rows, const struct published *published, struct error *error); // once a paper
    bool (*of_all)(struct paper_rows *rows, struct error *error);                                      // once
};
extern const struct paper_reference paper_references[]; // ends with a NULL table

// Adds a row of as many texts as the table has columns.
void paper_rows_add(struct paper_rows *rows, const char *const *cells);
// Every digit of a number; NULL for NaN.
const char *paper_rows_number(double value, char text[40]);
void paper_rows_finish(struct paper_rows *rows);
