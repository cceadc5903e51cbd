// SPDX-License-Identifier: MIT
// The figures of a report's folder.
#pragma once

#include "report/plot.h"
#include "report/report_page.h"

// Begins to draw a figure, of every panel of its table (NULL: pictures of scenes), into figures/ with the script that
// draws it. Without gnuplot page->no_gnuplot is set and nothing is drawn. What is left out is told in page->remarks.
// `alone`: it was asked for by name, so that scenes that are not at hand are an error.
bool folder_figure(struct staging *staging, struct plots *plots, struct report_page *page,
                   const struct paper_figure *figure, const struct report_table *table, bool alone,
                   struct error *error);
