// SPDX-License-Identifier: MIT
// Runs, and the trials that they ask for.
#pragma once

#include "store/key.h"

// What is kept of an experiment: its names, its file's path and bytes, and the order of its trials. NULL texts are "".
struct run_experiment {
    const char *name, *study, *path, *text;
    uint64_t order_seed;
    bool breadth_first;
};
struct run_header {
    const char *label, *command_line;
    struct run_experiment experiment;
    const char *const
        *environment; // name, value, name, value, ..., NULL: git commit, compiler, CPU, kernel, library versions
};
bool store_begin_run(struct store *store, const struct run_header *header, int64_t *run, struct error *error);
bool store_end_run(struct store *store, int64_t run, const char *reason,
                   struct error *error); // "complete", "until", "interrupted", ...

// Finds or creates the trial with this key, links it to run and experiment point, and stores what the row derives. *key: 32 hex digits.
bool store_trial(struct store *store, int64_t run, const struct trial_row *row,
                 const struct trial_provenance *provenance, int64_t *trial, char key[HASH_TEXT], struct error *error);
