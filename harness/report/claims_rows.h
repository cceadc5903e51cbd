// SPDX-License-Identifier: MIT
// What papers claim as rows of the database's tables `claim` and `conflict`: see paper_rows.h.
#pragma once

#include "report/paper_rows.h"

bool claims_rows_of_paper(struct paper_rows *rows, const struct published *published, struct error *error);
bool claims_rows_of_conflicts(struct paper_rows *rows, struct error *error);
