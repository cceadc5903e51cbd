// SPDX-License-Identifier: MIT
// What the queries of a paper's tables and claims share besides the database's own views: temporary tables, and views
// that are evaluated once and only where one reads them.
#pragma once

#include "base/error.h"
#include "report/papers/paper.h"
#include "report/papers/report_query.h"
#include "store/store.h"

// Once before a paper's tables are built, and again after the database, the paper or the options changed: all that was
// temporary before is gone. Queries are then run after store_keep_views. Makes the views of the scripts under `prepare`, and
// published_TABLE: of every published table the row's key and, as numbers, all columns, corrected and in their units,
//     and as COLUMN_half how far rounding may have moved them. NULL where the paper prints nothing;
// stand_in: of every scene of the database `scene`, `title`, `stands_for`, `camera` (its first), `fitted` and `known`;
// trial_words: of every `trial` those parameters of tree and schedule that differ from their default, in words ("leaf size
//     2, block 32"): `schedule` those in which settings are equal that are compared, `own` what only some variants use,
//     `axes` those that the paper's tables compare (view `axis`). All of it follows from the table of parameters and from
//     what variants use. `work`: equal where the same is computed. It is that of trial_record except with `roulette: warp`
//     and `block`, where that one holds variant and schedule too, for they decide who shares a decision: then images differ,
//     and estimate the same;
// report_option: run, scene ('' for any), everything (1 or 0).
bool report_prepare(struct store *store, const struct paper *paper, const struct report_options *options,
                    struct error *error);
