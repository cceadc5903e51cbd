// SPDX-License-Identifier: MIT
// The published values of one document: paper_figures/PAPER/published.yaml, read and checked.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/yaml.h"

enum { PUBLISHED_TEXT = 64 }; // bytes of a cell of text, its end included

struct published_column {
    const char *name, *unit;
    const char *title;  // heading; "" where the file gives none
    const char *suffix; // printed after every number: "k"
    double scale;       // value of a printed 1 in `unit`
    uint64_t decimals;  // to which the paper rounds this column
    bool text;          // its cells are words: they have no value
};

struct published_cell {
    const char *printed;   // the number or the words as they stand in the file; NULL where the paper has none
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
// `measured`: "yes" where the paper's own measurements are behind it, "no" where not, "" where that is not noted.
struct published_quote {
    const char *id, *where, *value, *unit, *of, *check, *measured;
};

// Something that the document leaves open, and how it is read here.
struct published_choice {
    const char *id, *issue, *resolution;
};

// One value of `paper`, `setup`, `parameters`, `scenes`, `figures` or `external` (not in the document). A list is
// joined by ", ", a value within another has both names: {"external", "table41.scene", "cgg-logo"}.
struct published_fact {
    const char *section;
    const char *name, *value;
};

// Texts are "" and numbers 0 where the document does not tell.
struct published {
    const char *id, *title, *authors, *venue, *gpu;
    uint64_t year, width, height, warp_width, max_bounces;
    struct published_table *tables;
    struct published_misprint *misprints;
    struct published_quote *quotes;
    struct published_choice *choices;
    struct published_fact *facts;
    size_t table_count, misprint_count, quote_count, choice_count, fact_count;
    struct yaml_file file; // what the texts point into
    struct arena arena;    // of all lists
};

// NULL and an error with file and line where the file is missing, damaged, or names a misprint, row or column that it
// has not.
struct published *published_load(const char *path, struct error *error);
struct published *published_none(void);           // of no document
void published_free(struct published *published); // NULL is fine

const struct published_table *published_table(const struct published *published,
                                              const char *id); // NULL where there is none
const struct published_column *published_column(const struct published_table *table, const char *column);
const struct published_cell *published_cell(const struct published_table *table, const char *row_key,
                                            const char *column);
const struct published_misprint *published_misprint(const struct published *published, const char *id);
const struct published_quote *published_quote(const struct published *published, const char *id);
const struct published_choice *published_choice(const struct published *published, const char *id);
const struct published_fact *published_fact(const struct published *published, const char *section, const char *name);

// A number as the paper prints it: thousands separated, with the column's suffix. "3474" and "k" give "3,474k". Words
// stay as they are.
void published_text(const struct published_column *column, const char *number, char *text, size_t size);
