// SPDX-License-Identifier: MIT
// The words around a panel, the same in every format: what was measured on what, and what to know of the numbers.
#pragma once

#include "report/table.h"

enum { REPORT_LINES = 48 };
struct report_lines {
    char *text[REPORT_LINES];
    size_t count;
};

void report_lines_finish(struct report_lines *lines);

// Three or four lines: what was measured, on what, the paper's own, and a warning where the scene is fitted.
void report_heading(const struct report_table *table, const struct report_panel *panel, struct report_lines *lines);
// What is missing and how to get it, misprints, trials and the command that shows their raw rows.
void report_notes(const struct report_table *table, const struct report_panel *panel, struct report_lines *lines);
// "path is 'a b'" made safe for a shell: quoted where it has to be.
void report_shell_word(const char *word, char *text, size_t size);
// The command that produces what a table needs.
void report_remedy(const struct report_table *table, char *text, size_t size);

// ---- numbers as text
// ----------------------------------------------------------------------------------------------------

// The column's heading, with a star where the paper's value is derived.
void report_title(const struct paper_column *column, char *text, size_t size);
// "1.02", "=1.02" where the measured value is within the rounding of the published one; "" for NaN.
void report_ratio(double ratio, bool within, char *text, size_t size);
// A value by its column's style: "245,760", "12.5", "54%"; "-" for NaN.
void report_number(const struct paper_column *column, double value, char *text, size_t size);
// What stands in the paper, or what follows from it; "" where there is nothing.
void report_published(const struct report_table *table, const struct paper_column *column,
                      const struct published_cell *printed, const char *published, double value, char *text,
                      size_t size);
// The right value of a misprinted cell, "18,651 W-M2"; "" for a good one.
void report_correction(const struct report_table *table, const char *published, const struct published_cell *printed,
                       char *text, size_t size);
