// SPDX-License-Identifier: MIT
// What all papers say, in the database: the tables paper, fact, published, quotation, misprint, choice, claim and
// conflict.
#pragma once

#include "store/store.h"

// Makes those tables hold what paper_figures/ says: does nothing where they do already, which a digest of the files
// tells; else writes them into the file, or, where that is only read, hides its tables behind temporary ones. Errors:
// no folder of papers, one of its files is damaged.
bool papers_load(struct store *store, struct error *error);
// The same for a program to which papers are not the point: a failure is a line on standard error.
void papers_load_if_any(struct store *store);
