// SPDX-License-Identifier: MIT
// From the cases of a claim to its verdict: no database, no files.
#pragma once

#include "report/claims.h"

// How the cases of one test fell.
struct claim_tally {
    size_t deciding, accepted, forward, refuted; // forward: accepted, or of the right direction
    size_t excluded;                             // with a value, but decide nothing
    double least, most;                          // of the deciding values; of the excluded ones where none decides
};
struct claim_tally claim_tally(const struct claim_result *result, size_t test);

// Whether the case decides, for any of the tests.
bool claim_case_decides(const struct claim_result *result, const struct claim_case *at);
// Whether every test with a value accepts the case.
bool claim_case_holds(const struct claim_result *result, const struct claim_case *at);

// Fills in verdict and confidence from claim, cases and interval.
void claim_decide(struct claim_result *result);
// Fills in evidence, held and failed, from all of that. `paper`: for the words of its flags. False without memory.
bool claim_describe(const struct paper *paper, struct claim_result *result, struct error *error);
