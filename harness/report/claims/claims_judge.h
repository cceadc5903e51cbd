// SPDX-License-Identifier: MIT
// From the cases of a claim to its verdict: no database, no files.
#pragma once

#include "report/claims/claims.h"

// How the cases of one test fell.
struct claim_tally {
    size_t deciding, accepted, refuted;
    size_t excluded;    // with a value, but do not count
    double least, most; // of the deciding values; of the excluded ones where none decides
};
struct claim_tally claim_tally(const struct claim_result *result, size_t test);

// Whether the case has a value of some test, and whether it counts for one of a part that decides.
bool claim_case_measured(const struct claim_result *result, const struct claim_case *at);
bool claim_case_decides(const struct claim_result *result, const struct claim_case *at);
// Whether every such test accepts the case.
bool claim_case_holds(const struct claim_result *result, const struct claim_case *at);

// Fills in verdict and confidence from claim, cases and interval.
void claim_decide(struct claim_result *result);
// Fills in the texts, from all of that. `paper`: for the words of its flags.
void claim_describe(const struct paper *paper, struct claim_result *result);
