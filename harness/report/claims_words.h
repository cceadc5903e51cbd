// SPDX-License-Identifier: MIT
// Parts of judged claims in words, the same in every format.
#pragma once

#include <stdio.h>

#include "report/claims.h"

// "at least 1.5", "1.02 to 1.4", "below 1 or above 1.6" (outside).
void claim_bounds_text(struct claim_bounds bounds, bool outside, char *text, size_t size);
// The trials behind all cases with a value: "12, 15"; to be freed, NULL without memory.
char *claim_trials(const struct claim_result *result);
// "7 reproduced, 1 refuted": of the verdicts that were given.
void claim_counts_text(const struct claim_results *results, char *text, size_t size);
// The first of result->held or ->failed, "a; b; and 12 more"; to be freed, NULL without memory.
char *claim_some_places(const char *places);
