// SPDX-License-Identifier: MIT
// What the queries of tables are given besides the database's own views, as temporary tables.
#pragma once

#include "report/published.h"
#include "store/store.h"

// published_TABLE: of every published table the row's key and, as numbers, all columns, corrected and in their units,
// and as COLUMN_half how far rounding may have moved them. NULL where the paper prints nothing. stand_in: of every
// scene of the database `scene`, `title`, `stands_for`, `camera` (its first), `fitted` and `known`. trial_words: of
// every `trial` those parameters of tree and schedule that differ from their default, in words ("leaf size 2, block 32"):
// `schedule` those in which settings are equal that are compared, `own` what only some variants heed, `axes` those that the
// paper's tables compare (view `axis`). All of it follows from the table of
// parameters and from what variants heed.
bool sql_tables_load(struct store *store, const struct published *published, struct error *error);
