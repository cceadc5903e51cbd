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
// "245760.5" with its thousands separated.
const char *report_thousands(struct document *document, const char *digits);
