// SPDX-License-Identifier: MIT
// A sweep as a table of rows and columns, for any format.
#pragma once

#include "report/sweep/sweep_rows.h"
#include "report/write/document.h"

enum { SWEEP_SIDES_MOST = 8 };

// Which axes run down and across. What varies and is named in neither runs down too.
struct sweep_layout {
    const struct sweep_axis *down[SWEEP_SIDES_MOST], *across[SWEEP_SIDES_MOST];
    size_t down_count, across_count;
};

// `rows`, `columns`: names with commas between, NULL or "" for none; without any the last axis runs across, if there are two. ERROR_USE:
// one of them does not vary (with a suggestion), is named twice, or there are too many.
bool sweep_layout_of(const struct sweep_rows *rows, const char *down, const char *across, struct sweep_layout *layout,
                     struct error *error);
// The values of one side of a row, with names of numbers: "naive, tile_m 4".
const char *sweep_side_text(const struct sweep_rows *rows, const struct sweep_row *row,
                            const struct sweep_axis *const *side, size_t count, struct document *document);
// Appends heading, table and footnotes.
void sweep_document(const struct sweep_rows *rows, const struct sweep_layout *layout, struct document *document);
