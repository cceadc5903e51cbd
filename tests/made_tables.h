// SPDX-License-Identifier: MIT
// What is expected of a table of a report over made-up results (tests/claims/README.md).
#pragma once

#include "made_rows.h"
#include "report_support.h"

// "WORD ... [\[PLACE\]] [RELATION EXPRESSION]". RELATION: "=", "~", "is", "has", "lacks", "as".
struct expected {
    const char *words[4], *place, *relation, *expression; // of what is not there ""
    double relative, absolute;                            // how far a value may be off
};
struct expected expected_read(struct arena *memory, const char *text);
// Whether a value is what is expected of it; `wanted`: what that is.
bool expected_value(struct made_scope *scope, const struct expected *expected, double value, double *wanted);

// The table that the last expectation was about. Zeroed but for the bench and the scope at the start of a case.
struct made_tables {
    struct bench *bench;
    struct made_scope *scope;
    const char *table, *place; // NULL: none
    const char *built;         // the table that the bench has
    bool refresh;              // expected files are written, not compared
};
// Whether the expectation is about a table: it says so, or goes on with the last one.
bool made_tables_take(struct made_tables *tables, struct expected *expected);
// What is wrong, in the scope's arena; NULL where nothing is.
const char *made_tables_check(struct made_tables *tables, const struct expected *expected);
