// SPDX-License-Identifier: MIT
// What the queries of a paper's tables and claims share: temporary tables, made once and only as far as one needs them.
#pragma once

#include "report/table.h"

// Makes the temporary tables of sql_tables.h that a paper's queries read, and forgets those of the scripts under
// `prepare`. Once before its tables are built, and again after the database, the paper or the options changed.
bool report_prepare(struct store *store, const struct paper *paper, struct error *error);
// Runs those of these scripts that the query needs and that did not run yet, in their order: of the first on until the
// query lacks no table. Needs report_prepare before.
bool report_prepare_for(struct store *store, const struct paper *paper, const struct report_options *options,
                        const char *sql, struct error *error);
