// SPDX-License-Identifier: MIT
// What is done with each table when databases are merged. For merge.c and its test.
#pragma once

enum merge_how {
    MERGE_END,
    MERGE_NOT,     // of this program, made anew from its own files
    MERGE_NAMES,   // rows known by their `natural` columns; others refer to their id
    MERGE_STAGED,  // merge.sql says how
    MERGE_RUNS,    // rows that belong to a run: those that are not there yet
    MERGE_RESULTS, // rows that belong to an attempt: those of attempts that were added
    MERGE_ONCE     // known by their primary key: the first one stays
};
struct merge_table {
    const char *name;
    enum merge_how how;
    const char *natural;
};
// In the order in which they are filled; ends with MERGE_END. A table that is missing here would be lost.
extern const struct merge_table merge_tables[];
