// SPDX-License-Identifier: MIT
// Claims of the papers, measured by their queries and judged part by part by their bounds. docs/reports.md tells how a
// verdict follows.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "report/claims/claims_file.h"
#include "report/papers/paper.h"
#include "report/tables/table.h"

enum claim_verdict {
    VERDICT_REPRODUCED,
    VERDICT_DIRECTION, // the direction holds, the size does not
    VERDICT_MIXED,
    VERDICT_REFUTED,
    VERDICT_UNDECIDED,
    VERDICT_NOT_IMPLEMENTED,
    VERDICT_COUNT
};
extern const char *const claim_verdict_names[VERDICT_COUNT]; // "reproduced", ...

// What a case says of a test, a test of its part, a part of its claim: of several the first of these.
enum claim_outcome {
    OUTCOME_REFUTED,
    OUTCOME_MISSING, // needs a variant that does not exist here
    OUTCOME_UNMEASURED,
    OUTCOME_EXCLUDED,  // measured only where it does not count
    OUTCOME_BETWEEN,   // neither accepted nor refuted
    OUTCOME_DIRECTION, // on the right side, but not of the size that is printed
    OUTCOME_ACCEPTED,
    OUTCOME_COUNT
};

// One case of a claim's query: a scene, a configuration, or a line of arithmetic.
struct claim_case {
    const char *place;          // "forest (fairy), 1280x768, NVIDIA H200"
    const char *excluded;       // why it does not count: words of the paper's flags, or sentences; "" where it does
    const char *flags;          // what weakens it but lets it count
    const char *trials;         // "12, 15"
    const char *sql;            // the query that it is of: tests of others have no value here
    const char *vote;           // cases of one vote count once: the scene, where several settings were measured
    double literal;             // how near to the document's own setting: of a vote the nearest count
    bool elsewhere;             // on a scene that is neither the document's nor stands for one: shown beside
    double *value, *low, *high; // one per test; NaN where there is none
    bool *votes;                // one per test: it counts
};

struct claim_result {
    const struct claim *claim;
    enum claim_verdict verdict;
    const char *confidence; // exact, high, medium, low; "" where nothing is decided
    bool arithmetic;        // decided without a measurement: from the document's numbers, or from source code
    const char *here;       // of the first part that decides: "speedup: 1.11 to 1.48 x"; "" without any
    const char *found;      // the claim's sentence of what was found; "" where a value in it is missing
    const char **evidence;  // of each part: "speedup 1.11 to 1.48 x, within in 3 of 7 cases; ..."
    const char *parts;      // all with their outcome and evidence: "speed-ups of 12-16 %: refuted (speedup ...); ..."
    const char *left_out;   // cases that are excluded or have no value, and why; "" where there are none
    const char *held, *failed; // places of the cases that were accepted, and of the others; joined by "; "
    const char *trials;        // behind all cases with a value: "12, 15"
    struct claim_case *cases;
    size_t case_count;
    bool *read;          // of each test: a row of its query had its column
    bool *interval;      // of each test: its query gives an interval, so that the value is no count
    struct arena memory; // of all of that
};

// Everything judged of one paper.
struct claim_results {
    struct paper *paper;
    struct claims *claims;
    struct claim_result *results; // one per claim
    size_t count;
    size_t of[VERDICT_COUNT]; // how many of each, but for those that are decided without a measurement
    size_t arithmetic;        // how many of these
};

// Judges the claims of a paper, or only that one. Needs report_prepare before. NULL and an error where a query fails.
struct claim_results *claims_judge(struct store *store, struct paper *paper, const char *only,
                                   const struct report_options *options, struct error *error);
void claims_free(struct claim_results *results); // NULL is fine

enum claim_outcome claim_case_outcome(const struct claim_test *test, const struct claim_case *at, size_t index);
enum claim_outcome claim_part_outcome(const struct claim_result *result, const struct claim_part *part);
// "accepted", "refuted", ...; of a test that wants a value between two bounds "within" and "outside". NULL: of a part.
const char *claim_outcome_word(const struct claim_test *test, enum claim_outcome outcome);
