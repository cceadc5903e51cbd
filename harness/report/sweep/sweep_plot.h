// SPDX-License-Identifier: MIT
// Figures of a sweep: a measure against one of the parameters that vary, a line for each series, a figure for each panel.
#pragma once

#include <stdio.h>

#include "report/staging.h"
#include "report/sweep/sweep_document.h"

struct sweep_figure {
    const char *x;               // NULL: the number with most values, else the last parameter
    const char *series, *panels; // names with commas between; NULL: variant, else the first other; the rest
    const char *log;             // "x", "y", "xy", "none"; NULL: where values are powers or span a factor of 100
    const char *folder;
};

// A figure that was made: stem of its files, "" where there is no gnuplot, and what it is of.
struct sweep_picture {
    const char *stem, *heading;
};

// Into a folder in the making: EXPERIMENT.csv, and for each panel a script and pictures, of which it keeps a list in `memory`.
bool sweep_plot_into(const struct sweep_rows *rows, const struct sweep_figure *figure, struct staging *staging,
                     struct arena *memory, struct sweep_picture **pictures, size_t *count, bool *no_gnuplot,
                     struct error *error);
// Writes EXPERIMENT.csv and, for each panel, .gp, .svg, .pdf and .png into the folder, and their paths to `stream`. Without gnuplot the
// pictures are missing, and `remarks` says so. ERROR_USE: a parameter does not vary, more than 8 series or 100 panels.
bool sweep_plot(const struct sweep_rows *rows, const struct sweep_figure *figure, FILE *stream, FILE *remarks,
                struct error *error);
