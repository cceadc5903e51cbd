// SPDX-License-Identifier: MIT
// A table of a paper, filled from the database beside the published values.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"
#include "report/papers/paper.h"
#include "report/papers/report_query.h"
#include "report/papers/scene_words.h"
#include "report/write/document.h"
#include "store/store.h"

enum {
    REPORT_FLAGS = 26, // different footnotes of one panel, one a letter
    REPORT_FLAG_TEXT = 400,
};

// Values are in the column's unit; NaN where there is none.
struct report_cell {
    double value, cumulative;
    double published, published_cumulative; // corrected where misprinted
    const struct published_cell *printed,
        *printed_cumulative;        // what stands in the paper; NULL where it follows from others
    double half;                    // how far the paper's rounding may have moved it
    double ratio, ratio_cumulative; // measured / published, where that means something
    bool within, within_cumulative; // and the measured value is within the published one's rounding
    double low, high;               // 95 % interval of the value
    const char *flags;              // footnotes, joined by '|': words of the paper's list, or sentences; "" where none
    const char *trials;             // behind the value: "12, 15"; "" where that is not known
};

struct report_row {
    const char *key, *published_key; // of the published table; "" where it has no such row
    const char *other_key;           // of the published table of `others`
    bool unmeasured;                 // a row of `others`
    struct report_cell *cells;       // one per column of the definition
};

// What the SQL says of a panel besides its cells: scene, camera, width, ... and lists of trials.
struct report_fact {
    const char *name, *text;
};

// One configuration (scene, camera, size, device, ...) with all its rows. Without a fact `scene` the rows name scenes,
// or nothing depends on one.
struct report_panel {
    struct report_fact *facts;
    struct report_row *rows;
    size_t fact_count, row_count;
    struct scene_words scene;
    const char *title; // what tells it from the table's other panels; where it is the only one, what it is of
    const char *flags[REPORT_FLAGS]; // footnotes in the order of their first use
    size_t flag_count;
    bool flags_lost;  // there were more
    bool underfilled; // no row of it decides a claim, as it does not fill the device
    bool
        open; // a page shows it from the start: the first, which decides, and its companion of the same scene that is underfilled
};

struct report_table {
    const struct paper *paper;
    const struct paper_table *definition;
    const struct published_table *published; // NULL where there is none
    const char *database;                    // path, for the commands in notes
    struct report_panel *panels;
    size_t panel_count;
    bool unmeasured;     // its query found nothing, and its one panel is the paper's half
    size_t left_out;     // configurations of the same scenes that were not chosen
    struct arena memory; // of all panels
};

// NULL and an error where the query fails. Needs report_prepare (prepare.h) before. A table without panels is no error:
// nothing was measured. The SQL is given :run, :scene, :all; see docs/reports.md. A definition without SQL needs no
// store: its table has one panel, without facts, with nothing measured.
struct report_table *report_table_build(struct store *store, const struct paper *paper,
                                        const struct paper_table *definition, const struct report_options *options,
                                        struct error *error);
void report_table_free(struct report_table *table); // NULL is fine
// Gives a table without panels the paper's half alone: one panel without facts, a row for each that is published. Cells
// have the flag below.
void report_table_publish(struct report_table *table);
// Of cells of such a table: PAPER_NOT_MEASURED where the definition has a query, or says "not measured" in `missing`; else
// PAPER_NOT_IMPLEMENTED.
const char *report_published_flag(const struct report_table *table);
// Puts the panels in the order in which a reader wants them, and names them; unless `all`, drops those that another
// device counted the same. report_table_build has done so.
void report_arrange(struct report_table *table, bool all);
// A copy of the text; where it equals `before`, that.
const char *report_keep(struct arena *memory, const char *text, const char *before);

// A fact of the panel, "" where it has none of that name.
const char *report_fact(const struct report_panel *panel, const char *name);
// What titles call the panel's device: a GPU's name, also through OpenCL, or what `--device` calls another.
const char *report_device(const struct report_panel *panel);
// Whether the panel's scene stands in for the one that the published table is of, or nothing depends on it: else no
// ratio means anything.
bool report_stands_in(const struct report_table *table, const struct report_panel *panel);
// The next of a cell's flags into `text`, and `*flags` behind it; false where there is none left.
bool report_next_flag(const char **flags, char *text, size_t size);
// Its footnote.
const char *report_flag_text(const struct report_table *table, const char *flag);
// Whether it is the paper's half alone: its cells say "not implemented" or "not measured".
bool report_published_only(const struct report_table *table);
// Its place in the panel's list; the list's length where it is not in it.
size_t report_flag_index(const struct report_panel *panel, const char *flag);
// Whether any row of the column was measured.
bool report_measured(const struct report_panel *panel, size_t column);

// "245760.5" with its thousands separated.
const char *report_thousands(struct document *document, const char *digits);

// The command that produces what the table needs.
void report_remedy(const struct report_table *table, char *text, size_t size);

// As CSV, all panels.
void report_write_csv(const struct report_table *table, FILE *stream);
