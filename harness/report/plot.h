// SPDX-License-Identifier: MIT
// Figures drawn by gnuplot from a table's CSV.
#pragma once

#include "report/staging.h"
#include "report/table.h"

enum plot_result { PLOT_DONE, PLOT_NO_GNUPLOT, PLOT_FAILED };

// Draws one panel (from 1) of the CSV that is already in the staging folder, as STEM.svg and STEM.png. PLOT_NO_GNUPLOT:
// the program is not installed, and nothing was made. PLOT_FAILED: the error tells what gnuplot said.
enum plot_result plot_draw(struct staging *staging, const struct paper_figure *figure, const char *csv,
                           const char *stem, size_t panel, const char *heading, struct error *error);
