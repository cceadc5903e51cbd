// SPDX-License-Identifier: MIT
// Tables that nothing measures yet: the paper's half alone.
#pragma once

#include "report/table.h"

// Fills a table whose definition has no query: one panel without facts, a row for each that is published. No cell has a
// measured value; all have the flag PAPER_NOT_IMPLEMENTED.
bool published_only_fill(struct report_table *table, struct error *error);
