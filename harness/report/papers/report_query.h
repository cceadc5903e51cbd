// SPDX-License-Identifier: MIT
// What every query of a report is given, and how its rows are read.
#pragma once

#include <stdbool.h>

#include "store/query.h"

struct report_options {
    const char *run, *scene; // only trials of runs with this label, of this scene; NULL = any
    bool all;                // every configuration, not the nearest to the paper's of each scene and device
};

// :run, :scene and :all.
struct report_bindings {
    const char *list[7];
};
struct report_bindings report_bind(const struct report_options *options);

// The row's column of that name; NULL where there is none, and for the name "".
const struct store_value *row_value(const struct store_row *row, const char *name);
double row_number(const struct store_row *row, const char *name);    // NaN for NULL, a text or no column
const char *row_text(const struct store_row *row, const char *name); // "" for NULL or no column
