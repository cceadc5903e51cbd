// SPDX-License-Identifier: MIT
// Claims as the papers make them: paper_figures/PAPER/claims.yaml, with what would decide each part; the map from the
// claims' variants to what exists here, paper_figures/variants.yaml; and conflicts between claims,
// paper_figures/conflicts.yaml. docs/reports.md explains the keys.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/yaml.h"
#include "report/claims/claims_test_file.h"

// On which scenes a claim is decided.
enum claim_scenes {
    SCENES_DOCUMENT, // the document's, and those that stand for them
    SCENES_ANY,
};

// What a part is to its claim. The literal parts decide; a claim without any is one part, the whole of it, which does.
enum claim_kind {
    KIND_LITERAL,   // the document's words
    KIND_WHOLE,     // the claim in one, where its words are not taken apart
    KIND_TABLE,     // what the printed table says, without a sentence
    KIND_CAUSE,     // the reason that is given
    KIND_DIRECTION, // a weaker reading
    KIND_EXTENSION, // beyond the claim's words
    KIND_SURROGATE, // another quantity in place of the one that is meant
    KIND_HARNESS,   // a threshold of this program's
};
extern const char *const claim_kind_words[]; // ends with NULL

// A part is accepted if all its tests are, refuted if any is.
struct claim_part {
    const char *text, *accept, *refute; // text: "" of a whole claim
    const char *experiment;             // "": that of the claim
    uint32_t kind;                      // enum claim_kind
    const char *missing;                // of the variants that it needs those that do not exist here; "" where all do
    const char **checks;                // what decides it: its own, or the claim's
    size_t check_count;
    bool decides;
    size_t first, count; // of the claim's tests
};

// Texts are "" where not given.
struct claim {
    const char *id;                  // "C01"
    const char *words, *translation; // of the document, literally
    const char *where, *statement, *scenes, *setting, *metric, *published, *note;
    double low, high;       // of the published values; NaN where none are given
    const char *found;      // template of a sentence over its tests: {VALUE_least}, ...; docs/reports.md has the names
    const char *comparable; // why only the direction is judged; "": the size is, too
    uint32_t scenes_decide; // enum claim_scenes
    uint64_t tier;
    const char **variants; // ids of paper_figures/variants.yaml
    const char **checks;   // counts, static, times, counters
    size_t variant_count, check_count;
    const char *missing;    // of the variants, those that do not exist here, joined by ", "; "" where all do
    const char *sql;        // query of the parts without their own, FILE or FILE#NAME
    const char *place;      // template of what names a case; "": the query's column `place` does
    const char *experiment; // file that produces what the query needs
    struct claim_part *parts;
    struct claim_test *tests; // of all parts
    size_t part_count, test_count;
    int line; // in its file
};

// Why a case is excluded: a word of queries, and the sentence that it stands for, a template over the case's row.
struct claim_reason {
    const char *word, *text;
};

struct claims {
    struct claim *list;
    size_t count;
    struct claim_reason *reasons;
    size_t reason_count;
    const char *queries;    // file of the queries, each under its claim's id; NULL where claims name their own
    const char **excluding; // words among a case's flags for which it does not count
    size_t excluding_count;
    char folder[4096];     // of the paper
    struct yaml_file file; // what the texts point into
    struct arena memory;   // of all lists
};

// The claims of a paper (its id); none where it has no claims.yaml. NULL and an error with file and line where a file
// is damaged, names a variant that the map does not have, or a query that is not there.
struct claims *claims_load(const char *paper, struct error *error);
void claims_unload(struct claims *claims);                                   // NULL is fine
const struct claim *claim_find(const struct claims *claims, const char *id); // NULL where there is none
// Whether times or counters decide it, and not counts or source code alone.
bool claim_part_is_timed(const struct claim_part *part);

struct claim_conflict {
    const char *id, *issue, *experiment;
    const char **claims; // "wald2011-C13"
    size_t claim_count;
};

struct claim_conflicts {
    struct claim_conflict *list;
    size_t count;
    struct yaml_file file;
    struct arena memory; // of all lists
};

// None where there is no such file. Whether the claims exist is not checked.
struct claim_conflicts *claim_conflicts_load(struct error *error);
void claim_conflicts_free(struct claim_conflicts *conflicts); // NULL is fine
