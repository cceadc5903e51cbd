// SPDX-License-Identifier: MIT
// What the queries of a paper's tables and claims share: temporary views, evaluated once and only where one reads them.
#pragma once

#include "report/table.h"

// Makes the tables of sql_tables.h, `report_option` (run, scene: '' for any; everything: 1 or 0) and the views of the
// scripts under `prepare`; all that was temporary before is gone. Once before a paper's tables are built, and again
// after the database, the paper or the options changed. Queries are then run after store_keep_views.
bool report_prepare(struct store *store, const struct paper *paper, const struct report_options *options,
                    struct error *error);
