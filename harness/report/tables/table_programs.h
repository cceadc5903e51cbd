// SPDX-License-Identifier: MIT
// Which cells are not, or not alone, of the program that measured most of the page: for table_build.c alone.
#pragma once

#include "report/tables/table.h"

// Gives cells with a value and such trials a footnote that names the program. Before ratios are made of them. Needs
// store_prefer_programs (tables.h of store/), which report_prepare calls.
bool table_note_programs(struct store *store, struct report_table *table, struct error *error);
