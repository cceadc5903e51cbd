// SPDX-License-Identifier: MIT
// Adds the rows of other databases to one.
#pragma once

#include <stdint.h>

#include "store/store.h"

struct merge_counts {
    int64_t runs, trials, attempts; // added
    int64_t known;                  // attempts that were there already
    int64_t second;                 // of the trials added: copies of one that another database also has
};
// Between begin and end, which commits, any number of databases are added to the target, which must be open for writing; closing it
// earlier undoes everything. Rows are recognised by the database that measured them, so merging twice adds nothing. What does not fit
// together becomes a row of temp.merge_conflict (source, conflict, trials, example).
bool store_merge_begin(struct store *target, struct error *error);
bool store_merge(struct store *target, struct store *source, struct merge_counts *counts, struct error *error);
bool store_merge_end(struct store *target, struct error *error);
