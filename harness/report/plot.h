// SPDX-License-Identifier: MIT
// Figures drawn by gnuplot from a table's CSV, several at once.
#pragma once

#include <stdio.h>

#include "report/staging.h"
#include "report/tables/table.h"

enum plot_result { PLOT_DONE, PLOT_NO_GNUPLOT, PLOT_FAILED };

// Drawings under way; zero at first. It stays usable after plot_finish.
struct plots {
    struct plot_feed {
        FILE *stream; // to a gnuplot
        size_t told;  // how much it has to read
    } * feeds;
    size_t feed_count, copies; // gnuplots; tables of one panel
    bool without_png;          // of 56 figures it takes 2.9 of 5.0 s
    char log[1200];
};

// Has one panel of the CSV that is already in the staging folder drawn (from 1; 0: all, by a script that draws them
// together), as STEM.svg, STEM.pdf and, unless it is left out, STEM.png: their names are in `staging` at once, the
// files are there after plot_finish. PLOT_NO_GNUPLOT: the program is not installed, and nothing was named. Whatever it returns, call
// plot_finish before the CSV or `plots` goes.
enum plot_result plot_begin(struct plots *plots, struct staging *staging, const struct paper_figure *figure,
                            const char *csv, const char *stem, size_t panel, const char *heading, struct error *error);
// Waits for all that was begun: PLOT_DONE, or PLOT_FAILED with what gnuplot said of the first that failed.
enum plot_result plot_finish(struct plots *plots, struct error *error);

// The figure's script as one file that needs no other: what it loads from beside it stands in the place of that line.
// `remarks`, whole comment lines or "", come behind its first line.
bool plot_write_script(const struct paper_figure *figure, const char *remarks, FILE *stream, struct error *error);
