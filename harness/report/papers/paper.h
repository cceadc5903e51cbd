// SPDX-License-Identifier: MIT
// A paper's folder: its published values, and the list of tables and figures made for it (tables.yaml). A folder without
// published values is a synthesis: it has no document, and its tables are of the results of all of them.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "report/papers/published.h"

enum column_style { COLUMN_COUNT, COLUMN_NUMBER, COLUMN_PERCENT };
enum column_compare { COMPARE_NEVER, COMPARE_ALWAYS, COMPARE_SAME_WARP };

// One column of a table. Texts are "" where not given.
struct paper_column {
    const char *name;
    const char *value;  // SQL column that holds the value
    const char *series; // of the rows that have it, where the table has a `column`; "" = any
    const char *ci,
        *time_ci; // SQL columns: half of the value's relative 95 % interval, or of that of the time whose inverse it is
    const char *half;   // SQL column: half of the 95 % interval in the value's own unit, before `scale`
    const char *absent; // flag of a cell for which the query has no row, or no flag
    double scale;       // what the value is multiplied by
    const char *title, *unit;
    const char *direction;                        // "higher" or "lower" is better, or "none"
    const char *cumulative;                       // SQL column of the running value
    const char *published, *published_cumulative; // columns of the published table
    const char *published_value,
        *published_value_cumulative; // or SQL columns, where the paper's value follows from others
    const char *published_half,
        *published_half_cumulative; // SQL columns: how far the paper's rounding may have moved that value
    const char *of, *against; // columns of the table whose ratio it is, in place of SQL columns; see docs/reports.md
    bool follows;             // the paper's value is the ratio of theirs
    bool sign;                // a plus sign before values that are not negative
    const char *derived;      // how it follows: "active paths / (32 x naive warps)"
    const char *ratio;        // SQL column of the ratio to the paper, where it is not value / published
    const char *low,
        *high;          // SQL columns: the 95 % interval of the value; where there is `ci`, `time_ci` or `half`, that
    const char *flags;  // SQL column: what weakens the value, or why there is none; see paper_flag
    const char *trials; // SQL column that lists the trials behind the value
    const char *needs;  // the data it is made from, for messages: "counts of naive and whole_frame"
    uint32_t style;     // enum column_style: a whole number, a number, a share printed in percent
    uint32_t compare;   // enum column_compare: when a ratio to the paper means something
    uint64_t decimals;
    bool csv_only; // too much for a page
};

// Word of the cells of a table without `sql`; its footnote is the table's `missing`.
#define PAPER_NOT_IMPLEMENTED "not_implemented"
#define PAPER_NOT_MEASURED "not_measured" // of a table for which the database has nothing

#define PAPER_NO_SCENE "no_scene" // of a row of `others`

// A word of a column's `flags`, and the footnote that it stands for, which may be a template over the row. A query may join
// several words by '|'; what is not a word of the list is a footnote as it stands.
struct paper_flag {
    const char *word, *text;
};

struct paper_table {
    const char *id, *title;
    const char *like; // entry of the shared file that it was read from
    const char *sql;  // path of the query, FILE or FILE#NAME; NULL: nothing measures it, only the paper's half is shown
    const char *missing;       // and why: "not implemented: needs ..."
    const char *published;     // id of the published table
    const char *row;           // SQL column that names a row
    const char *row_title;     // heading of the rows; its column's name where none is given
    const char *published_row; // SQL column that names the published row, NULL where there is none; "": the row
    const char *experiment;    // file that produces what the table needs
    const char *view;          // of the database: its rows of the trials are those behind the table
    const char *column;        // SQL column that names the series of a row's values; "": a row has all values
    const char *label;         // template of what names a row; "": the value of `row`
    const char *
        *panel; // SQL columns: rows alike in all of them are one panel; none: the column `panel` is their number
    const char **one_per;   // SQL columns: of panels alike in these, one is shown
    const char *listed;     // SQL column: a panel in which it is 0 is shown with --all alone; "": none is
    const char **most;      // which: with the most rows ("rows"), then the greatest value of these SQL columns
    const char *others;     // published table whose rows without a measurement follow; "" where there is none
    const char *others_row; // SQL column that names its rows
    const char *finding, *headline, *drawn, *problem; // templates of the panel's facts of these names
    uint64_t least_rows;                              // of a panel; others are not shown
    const char **remarks;                             // sentences below every panel
    const char **cited;  // ids of quoted statements, misprints and choices of published.yaml, for the notes
    const char **common; // paths of the files that are put before it, in their order
    size_t remark_count, cited_count, common_count, panel_count, one_per_count, most_count;
    struct paper_column *columns;
    size_t column_count;
};

struct paper_figure {
    const char *id, *title;
    const char *table, *script; // a plot: the table whose CSV it draws, and its gnuplot file (path)
    const char **scenes;        // pictures: the paper's scenes
    const char *materials;      // of the pictures; "" = those that the study rendered with
    size_t scene_count;
    bool key;      // stands below the opening sentences of a page
    bool together; // all panels of the table are one picture, as small multiples
};

struct paper {
    char id[64], folder[4096];
    bool synthesis;
    struct published *published;
    struct paper_table *tables;
    struct paper_figure *figures;
    struct paper_flag *flags;
    const char
        *queries; // file with the queries of tables that name none, each under its table's id; NULL where none is given
    const char **prepare; // paths of scripts of views that the queries share, in their order
    size_t table_count, figure_count, flag_count, prepare_count;
    struct yaml_file file, shared; // tables.yaml, and the file of entries that it shares with other papers
};

// Where papers are: $WARPSTUDY_PAPERS, the source tree's paper_figures/, the installed data folder. The first that is a
// folder.
bool paper_root(char *path, size_t size, struct error *error);
// The path of a file below it.
bool paper_path(char *path, size_t size, struct error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// The ids of all papers, in alphabetical order; the list ends with NULL, and points into the struct.
enum { PAPERS_MAX = 64 };
struct paper_names {
    char ids[PAPERS_MAX][64];
    const char *list[PAPERS_MAX + 1];
    size_t count;
};
bool paper_names(struct paper_names *names, struct error *error);
// Whether it has published values: false for a synthesis.
bool paper_is_published(const char *id);
// The error of a name that no paper has, with a suggestion. Returns false.
bool paper_unknown(const char *id, struct error *error);

// A file of those folders as text, to be freed.
char *paper_file_text(const char *path, struct error *error);
// A query, to be freed: of FILE#NAME what follows the line "-- [NAME]" in that file, up to the next such line; where several
// have that name, the one at `place`, from 0. NULL and `*found` false where there are fewer, which is no
// error; NULL and `*found` true where the file cannot be read.
char *paper_query_text(const char *path, size_t place, bool *found, struct error *error);
// That each query of the file is known to its reader; else an error with its line.
bool paper_queries_check(const char *path, bool (*is_known)(const void *context, const char *name), const void *context,
                         struct error *error);

// NULL and an error where there is no such paper (with a suggestion) or one of its files is damaged.
struct paper *paper_load(const char *id, struct error *error);
void paper_free(struct paper *paper); // NULL is fine
const struct paper_table *paper_table_find(const struct paper *paper, const char *id);
const struct paper_figure *paper_figure_find(const struct paper *paper, const char *id);
// The footnote of a flag: of a word of the list, else the flag itself.
const char *paper_flag_text(const struct paper *paper, const char *flag);
