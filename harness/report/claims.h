// SPDX-License-Identifier: MIT
// Claims of the papers, measured by their queries and judged by their bounds. docs/reports.md tells how a verdict
// follows.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "report/claims_file.h"
#include "report/paper.h"
#include "report/table.h"

enum claim_verdict {
    VERDICT_REPRODUCED,
    VERDICT_DIRECTION, // direction only
    VERDICT_REFUTED,
    VERDICT_INCONCLUSIVE,
    VERDICT_NOT_MEASURED,
    VERDICT_NOT_IMPLEMENTED,
    VERDICT_COUNT
};
extern const char *const claim_verdict_names[VERDICT_COUNT]; // "reproduced", "direction only", ...

// One case of a claim's query: a scene, a configuration, or a line of arithmetic.
struct claim_case {
    char *place;                // "forest (fairy), 1280x768, NVIDIA H200"
    char *excluded;             // why it decides nothing: words of the paper's flags, or sentences; "" where it decides
    char *flags;                // what weakens it but lets it decide
    char *trials;               // "12, 15"
    double *value, *low, *high; // one per test; NaN where there is none
};

struct claim_result {
    const struct claim *claim;
    enum claim_verdict verdict;
    const char *confidence; // exact, high, medium, low; "" where no case decides
    char *evidence;         // of figures: "warps saved 1.53 to 2.41 x, accepted in 7 of 7 cases; ..."
    char *held, *failed;    // places of the deciding cases that were accepted, and that were not; joined by "; "
    struct claim_case *cases;
    size_t case_count;
    bool *interval; // of each test: its query gives an interval, so that the value is no count
};

// Everything judged of one paper.
struct claim_results {
    const struct paper *paper;
    struct claims *claims;
    struct claim_result *results; // one per claim
    size_t count;
    size_t of[VERDICT_COUNT]; // how many of each
};

// Judges all claims of a paper. Needs report_prepare before. NULL and an error where a query fails.
struct claim_results *claims_judge(struct store *store, const struct paper *paper, const struct report_options *options,
                                   struct error *error);
// The same of claims that are loaded; they belong to the results from then on, and are gone where it fails.
struct claim_results *claims_judge_loaded(struct store *store, const struct paper *paper, struct claims *claims,
                                          const struct report_options *options, struct error *error);
void claims_free(struct claim_results *results); // NULL is fine

// What a test says of one case.
enum claim_outcome { CASE_NOT_MEASURED, CASE_EXCLUDED, CASE_ACCEPTED, CASE_DIRECTION, CASE_REFUTED, CASE_BETWEEN };
extern const char *const claim_outcome_names[];
enum claim_outcome claim_case_outcome(const struct claim_test *test, const struct claim_case *at, size_t index);
// The verdict of one test of a claim alone; VERDICT_REPRODUCED: accepted.
enum claim_verdict claim_test_verdict(const struct claim_result *result, size_t index);
