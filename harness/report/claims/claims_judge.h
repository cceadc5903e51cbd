// SPDX-License-Identifier: MIT
// From the cases of a claim to its verdict: no database, no files.
#pragma once

#include "report/claims/claims.h"

// How the cases of one test fell.
struct claim_tally {
    size_t deciding, accepted, refuted; // votes
    size_t directed;                    // accepted, or on the right side
    size_t elsewhere, agreeing;         // cases on other scenes, and those of them that would be accepted
    size_t excluded;                    // with a value, but do not count
    double least, median, most;         // of the votes; of the excluded cases where there are none
    double all_least, all_most;         // of all settings of the scenes that vote
    double other_least, other_most;     // on other scenes
};
struct claim_tally claim_tally(const struct claim_result *result, size_t test);

// Decides which cases count for each test: one of each vote, the literal one or the median.
void claim_vote(struct claim_result *result);

// Whether the case has a value of some test, whether it counts for one, and whether for one of a part that decides.
bool claim_case_measured(const struct claim_result *result, const struct claim_case *at);
bool claim_case_votes(const struct claim_result *result, const struct claim_case *at);
bool claim_case_decides(const struct claim_result *result, const struct claim_case *at);
// Whether every such test accepts the case.
bool claim_case_holds(const struct claim_result *result, const struct claim_case *at);

// Fills in votes, verdict, confidence and arithmetic from claim, cases and interval.
void claim_decide(struct claim_result *result);
// Fills in the texts, from all of that. `paper`: for the words of its flags.
void claim_describe(const struct paper *paper, struct claim_result *result);
