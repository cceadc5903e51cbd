// SPDX-License-Identifier: MIT
// A table of a paper, filled from the database beside the published values.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "report/paper.h"
#include "store/store.h"

// Values are in the column's unit; NaN where there is none.
struct report_cell {
    double value, cumulative;
    double published, published_cumulative; // corrected where misprinted
    const struct published_cell *printed,
        *printed_cumulative;        // what stands in the paper; NULL where it follows from others
    double ratio, ratio_cumulative; // measured / published, where that means something
    bool within, within_cumulative; // and the measured value is within the published one's rounding
};

struct report_row {
    char key[64];
    struct report_cell *cells; // one per column of the definition
};

// What the SQL says of a panel besides its cells: scene, camera, width, ... and lists of trials.
struct report_fact {
    char *name, *text;
};

// One configuration (scene, camera, size, device, ...) with all its rows.
struct report_panel {
    struct report_fact *facts;
    struct report_row *rows;
    size_t fact_count, row_count, row_capacity;
    char scene_title[128], stands_for[64], camera[64]; // from the scene file; "" where it is not to be found
    bool fitted, known;                                // known: the scene file was found
};

struct report_table {
    const struct paper *paper;
    const struct paper_table *definition;
    const struct published_table *published; // NULL where there is none
    const char *database;                    // path, for the commands in notes
    struct report_panel *panels;
    size_t panel_count;
    size_t left_out; // configurations of the same scenes that were not chosen
};

struct report_options {
    const char *run, *scene; // only trials of runs with this label, of this scene; NULL = any
    bool all;                // every configuration, not the nearest to the paper's of each scene and device
};

// NULL and an error where the query fails. A table without panels is no error: nothing was measured.
// The SQL is given :run, :scene, :all and the published values as a table published_TABLE; see docs/reports.md.
struct report_table *report_table_build(struct store *store, const struct paper *paper,
                                        const struct paper_table *definition, const struct report_options *options,
                                        struct error *error);
void report_table_free(struct report_table *table); // NULL is fine

// A fact of the panel, "" where it has none of that name.
const char *report_fact(const struct report_panel *panel, const char *name);
// Whether the panel's scene stands in for the one that the published table is of: else no ratio means anything.
bool report_stands_in(const struct report_table *table, const struct report_panel *panel);
// Whether any row of the column was measured.
bool report_measured(const struct report_panel *panel, size_t column);

// ---- renderers: all write the whole table
// ---------------------------------------------------------------------------------

enum { REPORT_WIDTH = 120 }; // columns of a page of text

struct report_format {
    const char *name, *suffix; // "markdown", "md"
    void (*write)(const struct report_table *table, FILE *stream);
};
extern const struct report_format report_formats[]; // ends with a NULL name

void report_write_text(const struct report_table *table, FILE *stream);
void report_write_markdown(const struct report_table *table, FILE *stream);
void report_write_csv(const struct report_table *table, FILE *stream);
