// SPDX-License-Identifier: MIT
// The published values of one document: paper_figures/PAPER/published.yaml, read and checked.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct published_column {
    const char *name, *unit;
    const char *suffix; // printed after every number: "k"
    double scale;       // what a printed 1 is in `unit`
    uint64_t decimals;  // to which the paper rounds this column
};

struct published_cell {
    const char *printed;   // the number as it stands in the file; NULL where the paper has none
    const char *corrected; // NULL unless the cell is a misprint
    const char *misprint;  // its id, "W-M1"; NULL as above
    double value;          // in the column's unit, the corrected one where there is one; NaN without a number
    double half;           // of the last digit's place, in the column's unit: what was printed lies in value +- half
};

struct published_table {
    const char *id, *title;
    const char *scene; // "" where rows are scenes or there is none
    const char *row;   // name of the row key: "bounce"
    struct published_column *columns;
    const char **row_keys;
    struct published_cell *cells; // row by row
    size_t column_count, row_count;
};

struct published_misprint {
    const char *id, *where, *printed, *corrected, *certainty, *reason;
};

// A statement of the text, outside the tables. `check`: what the tables give for it, "" where they give nothing.
struct published_quote {
    const char *id, *where, *value, *unit, *of, *check;
};

struct published {
    const char *id, *title, *authors, *venue, *gpu;
    uint64_t year, width, height, warp_width, max_bounces;
    struct published_table *tables;
    struct published_misprint *misprints;
    struct published_quote *quotes;
    size_t table_count, misprint_count, quote_count;
    struct published_file *file; // what the texts point into
};

// NULL and an error with file and line where the file is missing, damaged, or names a misprint, row or column that it
// has not.
struct published *published_load(const char *path, struct error *error);
void published_free(struct published *published); // NULL is fine

const struct published_table *published_table(const struct published *published,
                                              const char *id); // NULL where there is none
const struct published_column *published_column(const struct published_table *table, const char *column);
const struct published_cell *published_cell(const struct published_table *table, const char *row_key,
                                            const char *column);
const struct published_misprint *published_misprint(const struct published *published, const char *id);
const struct published_quote *published_quote(const struct published *published, const char *id);

// A number as the paper prints it: thousands separated, with the column's suffix. "3474" and "k" give "3,474k".
void published_text(const struct published_column *column, const char *number, char *text, size_t size);
