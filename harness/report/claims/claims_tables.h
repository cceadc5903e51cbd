// SPDX-License-Identifier: MIT
// Judged claims as tables that SQL can read.
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "report/claims/claims.h"

// Makes the temporary tables `claims` (a row per claim) and `claim_cases` (a row per case and test) of all papers,
// where the SQL mentions one of them: else there is nothing to judge.
bool claims_tables_load(struct store *store, const char *sql, struct error *error);
