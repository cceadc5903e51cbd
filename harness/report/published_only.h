// SPDX-License-Identifier: MIT
// Tables that nothing measures yet, or nothing of this database: the paper's half alone.
#pragma once

#include "report/table.h"

// Fills a table that has published values and no panel: one panel without facts, a row for each that is published. No
// cell has a measured value; all have the flag PAPER_NOT_IMPLEMENTED, or PAPER_NOT_MEASURED where the definition has a
// query.
bool published_only_fill(struct report_table *table, struct error *error);
