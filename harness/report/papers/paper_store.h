// SPDX-License-Identifier: MIT
// What all papers say, for SQL: the tables paper, fact, published, quotation, misprint, choice and conflict. No file
// holds them: they are temporary.
#pragma once

#include "store/store.h"

// Makes those tables from paper_figures/ where the SQL mentions one of them; NULL: in any case. Errors: no folder of
// papers, one of its files is damaged; the tables are empty then.
bool papers_load(struct store *store, const char *sql, struct error *error);
// The same for a program to which papers are not the point: a failure is a line on standard error.
void papers_load_if_any(struct store *store, const char *sql);
