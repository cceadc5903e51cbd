// SPDX-License-Identifier: MIT
// Parts of judged claims in words, the same in every format.
#pragma once

#include <stdio.h>

#include "report/claims/claims.h"

enum { CLAIM_VALUE_TEXT = 400 }; // DBL_MAX has 309 digits before the point

// "at least 1.5", "1.02 to 1.4", "below 1 or above 1.6" (outside).
void claim_bounds_text(struct claim_bounds bounds, bool outside, char *text, size_t size);
// With the test's decimals, and as many more as show on which side of a bound it lies; "-" for NaN.
void claim_value_text(const struct claim_test *test, double value, char text[CLAIM_VALUE_TEXT]);
// "speedup: at least 1.1 on all, refuted below 1 on half".
void claim_test_text(const struct claim_test *test, char *text, size_t size);
// "counts, times".
const char *claim_join(struct arena *arena, const char *const *words, size_t count);
// "7 reproduced, 1 refuted": of the verdicts that were given.
void claim_counts_text(const struct claim_results *results, char *text, size_t size);
// The first of result->held or ->failed, "a; b; and 12 more".
const char *claim_some_places(struct arena *arena, const char *places);
// The outcome of a case, and where it does not count, why: "accepted", "refuted, also seen".
const char *claim_case_word(struct arena *arena, const struct claim_test *test, const struct claim_case *at,
                            size_t index);
