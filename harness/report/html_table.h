// SPDX-License-Identifier: MIT
// A table of a report as HTML: each cell holds what a trace of it needs, as attributes that page.js reads.
#pragma once

#include "report/table.h"

// All panels; those after the first can be folded.
void html_table(const struct report_table *table, FILE *stream);
// "forest, stands in for fairy, camera main, 1280x768, NVIDIA H200": what sets the panel apart.
void html_panel_title(const struct report_panel *panel, char *text, size_t size);
// ` data-t="12 15"`: the numbers in a list of trials; nothing where there are none.
void html_trials(const char *trials, FILE *stream);
// ` NAME="0.1234"`, in as many digits as the value has; nothing for NaN.
void html_number(const char *name, double value, FILE *stream);
