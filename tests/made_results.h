// SPDX-License-Identifier: MIT
// Made-up results from words, for tests of claims and reports: "frames naive forest 1.13 max_bounces=2". What words there are, and
// which rows each kind of result has, stands in tests/claims/kinds.yaml, whose head explains it.
#pragma once

#include "made_rows.h"
#include "report_support.h"

struct made_results {
    struct yaml_file kinds; // tests/claims/kinds.yaml
    struct yaml_file *own;  // kinds of one file's own, under `kinds`; NULL: none
    struct arena memory;
    struct made_scope scope;
    const char *parameters;   // of all results, before those of their kinds
    struct bench *bench;      // what they are added to
    bool timeless;            // all clocks mean nothing
    const char *instead, *of; // scene `instead` takes the place of scene `of`; NULL: none does
};

void made_results_open(struct made_results *results);
void made_results_close(struct made_results *results);
// Fails where a mapping has a key that is not among these, which end with NULL.
void made_expect_keys(struct yaml_source *source, yaml_node_t *node, const char *const *keys);
// One line of words. `kind`: of a line whose first word is none; NULL: each begins with its kind.
void made_results_add(struct made_results *results, const char *kind, const char *line);
