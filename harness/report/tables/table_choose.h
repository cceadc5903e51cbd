// SPDX-License-Identifier: MIT
// Which of the panels that a query's rows make are shown, and what is said of them: for table_build.c alone.
#pragma once

#include "report/tables/table.h"
#include "store/query.h"

enum { CHOICE_KEYS = 8 };

// Of a panel, in the order of the table's.
struct table_choice {
    const char *key;          // of what its rows are alike in
    const char *group;        // of what it shares with those among which one is chosen
    double most[CHOICE_KEYS]; // greatest value of each column of `most`
    bool unlisted, left_out;
};

// The values of those columns, joined; of none, that of the column `panel`.
const char *table_panel_key(struct report_table *table, const struct store_row *row, const char *const *columns,
                            size_t count);
// That the query has every column that the table's definition names.
bool table_check_row(const struct report_table *table, const struct store_row *row, struct error *error);
// Takes a row of the query into account.
void table_choice_count(const struct paper_table *definition, struct table_choice *choice, const struct store_row *row);
// Drops the panels that are too short and, unless `all`, those that were not chosen, and counts these; says the sentences of
// the others.
void table_choose(struct report_table *table, struct table_choice *choices, bool all);
