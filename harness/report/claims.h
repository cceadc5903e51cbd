// SPDX-License-Identifier: MIT
// Claims of the papers: read from paper_figures/PAPER/claims.yaml, measured by their queries, judged by their bounds.
// docs/reports.md tells how a verdict follows.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "report/paper.h"
#include "report/table.h"

// An interval of values; -INFINITY and INFINITY where a side is open.
struct claim_bounds {
    double least, most;
};

// How many of the deciding cases must lie within bounds.
enum claim_quantifier { CLAIM_ALL, CLAIM_MOST, CLAIM_HALF, CLAIM_ANY };

// One figure of a claim's query, with its bounds. A claim is accepted if all its tests are, refuted if any is.
struct claim_test {
    const char *value; // column of the query; VALUE_low and VALUE_high are its interval, where the query has them
    const char *title, *unit;
    struct claim_bounds accept, direction, refute; // direction: the sign is right, the size is not
    bool has_direction, has_refute;
    uint32_t on, refuted_on; // enum claim_quantifier
    uint64_t decimals;
};

struct claim {
    const char *id; // "C01"
    const char *where, *statement, *scenes, *setting, *metric, *direction, *published, *accept, *refute, *hardware,
        *support, *note;
    double low, high; // of the published values; NaN where none are given
    uint64_t tier;
    const char **variants; // ids of paper_figures/variants.yaml
    const char **checks;   // counts, static, times, counters
    size_t variant_count, check_count;
    const char *missing; // of the variants, those that do not exist here, joined by ", "; "" where all do
    const char *sql;     // path of its query; "" without one
    struct claim_test *tests;
    size_t test_count;
};

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
    const char *confidence; // exact, high, medium, low; "" where nothing was decided
    char *evidence;         // one sentence or more, of figures: "saved 1.53 to 2.41 in 7 of 7 cases; ..."
    char *held, *failed;    // places of the deciding cases that were accepted, and that were not; joined by "; "
    struct claim_case *cases;
    size_t case_count;
};

// Everything judged of one paper.
struct claim_results {
    const struct paper *paper;
    struct claim_result *results;
    size_t count;
    size_t of[VERDICT_COUNT]; // how many of each
};

// Conflicts between claims of papers (paper_figures/conflicts.yaml).
struct claim_conflict {
    const char *id, *issue, *experiment;
    const char **claims; // "wald2011-C13"
    size_t claim_count;
};

// Judges all claims of a paper. Needs report_prepare before. NULL and an error where a query fails.
struct claim_results *claims_judge(struct store *store, const struct paper *paper, const struct report_options *options,
                                   struct error *error);
void claims_free(struct claim_results *results); // NULL is fine
