// SPDX-License-Identifier: MIT
// Numbers, intervals and marks as every format prints them. Texts are written into `text`, always terminated.
#pragma once

#include "report/table.h"

// "-245760.5" with its thousands separated: "-245,760.5".
void report_thousands(const char *digits, char *text, size_t size);
// The column's heading, with a star where the paper's value is derived.
void report_title(const struct paper_column *column, char *text, size_t size);
// Of a cell's value, and of its running value; "" where there is none.
enum { REPORT_TEXT = PUBLISHED_TEXT + 48 };
struct report_texts {
    char value[REPORT_TEXT], cumulative[REPORT_TEXT];
};
// Ratios: "1.02", "=1.02" where the measured value is within the rounding of the published one.
struct report_texts report_ratios(const struct report_cell *cell);
// A value by its column's style: "245,760", "12.5", "54%", "+3.1"; "-" for NaN.
void report_number(const struct paper_column *column, double value, char *text, size_t size);
// The same of a cell's value; "not implemented" where nothing can measure it yet.
void report_measured_number(const struct paper_column *column, const struct report_cell *cell, char *text, size_t size);
// The interval of a cell, "12.5..13.5"; "" where there is none.
void report_interval(const struct paper_column *column, const struct report_cell *cell, char *text, size_t size);
// What stands in the paper, or what follows from it.
struct report_texts report_published(const struct report_table *table, const struct paper_column *column,
                                     const struct report_cell *cell);
// The right value of a misprinted cell, "18,651 W-M2"; "" for a good one.
struct report_texts report_corrections(const struct report_table *table, const struct paper_column *column,
                                       const struct report_cell *cell);
// "path is 'a b'" made safe for a shell: quoted where it has to be.
void report_shell_word(const char *word, char *text, size_t size);
