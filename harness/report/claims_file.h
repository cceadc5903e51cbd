// SPDX-License-Identifier: MIT
// Claims as the papers make them: paper_figures/PAPER/claims.yaml, with what would decide each; the map from the
// claims' variants to what exists here, paper_figures/variants.yaml; and conflicts between claims,
// paper_figures/conflicts.yaml. docs/reports.md explains the keys.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

// An interval of values, its ends included; -INFINITY and INFINITY where a side is open.
struct claim_bounds {
    double least, most;
};

// How many of the deciding cases must lie within bounds: all, more than half, at least half, one.
enum claim_quantifier { CLAIM_ALL, CLAIM_MOST, CLAIM_HALF, CLAIM_ANY };
extern const char *const claim_quantifier_words[]; // ends with NULL

// One figure of a claim's query, with its bounds. A claim is accepted if all its tests are, refuted if any is.
struct claim_test {
    const char *value; // column of the query; VALUE_low and VALUE_high are its interval, where the query has them
    const char *title, *unit;
    struct claim_bounds accept, direction, refute; // direction: the sign is right, the size is not
    bool has_direction, has_refute;
    bool refute_outside;     // it is what lies outside `refute` that refutes
    uint32_t on, refuted_on; // enum claim_quantifier
    uint64_t decimals;
};

// Texts are "" where not given.
struct claim {
    const char *id; // "C01"
    const char *where, *statement, *scenes, *setting, *metric, *direction, *published, *accept, *refute, *hardware,
        *support, *note;
    double low, high; // of the published values; NaN where none are given
    uint64_t tier;
    const char **variants; // ids of paper_figures/variants.yaml
    const char **checks;   // counts, static, times, counters
    size_t variant_count, check_count;
    const char *missing;    // of the variants, those that do not exist here, joined by ", "; "" where all do
    const char *sql;        // path of its query; "" without one
    const char *experiment; // file that produces what the query needs
    struct claim_test *tests;
    size_t test_count;
    int line; // in its file
};

struct claims {
    struct claim *list;
    size_t count;
    struct claims_file *file; // what the texts point into
};

// The claims of a paper (its id); none where it has no claims.yaml. NULL and an error with file and line where a file
// is damaged, names a variant that the map does not have, or a query that is not there.
struct claims *claims_load(const char *paper, struct error *error);
void claims_unload(struct claims *claims);                                   // NULL is fine
const struct claim *claim_find(const struct claims *claims, const char *id); // NULL where there is none

struct claim_conflict {
    const char *id, *issue, *experiment;
    const char **claims; // "wald2011-C13"
    size_t claim_count;
};

struct claim_conflicts {
    struct claim_conflict *list;
    size_t count;
    struct yaml_file *file;
};

// None where there is no such file. Whether the claims exist is not checked.
struct claim_conflicts *claim_conflicts_load(struct error *error);
void claim_conflicts_free(struct claim_conflicts *conflicts); // NULL is fine
