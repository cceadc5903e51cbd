// SPDX-License-Identifier: MIT
// A table of a paper as a document: its panels, each with what was measured on what and what to know of the numbers.
#pragma once

#include "report/write/document.h"
#include "report/tables/table.h"

void report_document(const struct report_table *table, struct document *document);

// Its parts. "scene open (...), 1280x768": what was measured, on what, the paper's own, and a warning where the scene is
// fitted.
void report_setting(struct document *document, const struct report_table *table, const struct report_panel *panel);
// All that stands below a panel: what it shows in short, footnotes, what is missing, trials.
void report_notes(struct document *document, const struct report_table *table, const struct report_panel *panel);
// Into the last list: how to read all panels, what the paper says of them, misprints.
void report_reading(struct document *document, const struct report_table *table);

// ---- formats

struct report_format {
    const char *name, *suffix;                                    // "markdown", "md"
    void (*write)(const struct document *document, FILE *stream); // NULL: CSV, written from the table itself
};
extern const struct report_format report_formats[];             // ends with a NULL name
const struct report_format *report_format_of(const char *name); // the first, text, for NULL

// The whole table, which `document` shows.
void report_write(const struct report_format *format, const struct report_table *table, const struct document *document,
                  FILE *stream);
