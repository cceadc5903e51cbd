// SPDX-License-Identifier: MIT
// The words around a panel, the same in every format: what was measured on what, and what to know of the numbers.
#pragma once

#include <stdio.h>

#include "report/table.h"

enum { REPORT_LINES = 96 };
struct report_lines {
    char *text[REPORT_LINES];
    size_t size[REPORT_LINES];
    size_t count;
};

// Adds a line; what is beyond REPORT_LINES is lost.
void report_line(struct report_lines *lines, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The same in pieces: a stream to write one line to, NULL where there is no room or memory. report_line_end takes NULL.
FILE *report_line_begin(struct report_lines *lines);
void report_line_end(FILE *stream);
void report_lines_finish(struct report_lines *lines);

// Up to four lines: what was measured, on what, the paper's own, and a warning where the scene is fitted.
void report_heading(const struct report_table *table, const struct report_panel *panel, struct report_lines *lines);
// All that stands below a panel, in the order of the four that follow.
void report_notes(const struct report_table *table, const struct report_panel *panel, struct report_lines *lines);
// What it shows in short, and why not to trust it.
void report_findings(const struct report_panel *panel, struct report_lines *lines);
// "^a: ...", a line for each letter at the cells.
void report_footnotes(const struct report_table *table, const struct report_panel *panel, struct report_lines *lines);
// What is missing and how to get it, how to read the numbers, what the paper says elsewhere, misprints.
void report_remarks(const struct report_table *table, const struct report_panel *panel, struct report_lines *lines);
// The trials behind the cells, and the command that shows their raw rows.
void report_sources(const struct report_table *table, const struct report_panel *panel, struct report_lines *lines);
// The command that produces what a table needs.
void report_remedy(const struct report_table *table, char *text, size_t size);
// The letters of a cell's flags, "ab"; "" where nothing weakens it. report_notes has a line for each.
void report_flag_letters(const struct report_panel *panel, const struct report_cell *cell, char *text, size_t size);
