// SPDX-License-Identifier: MIT
// A database in memory, filled by hand, and queries whose one row must be a certain text. Shared by the tests of views.
#pragma once

#include "check.h"
#include "frame/measurement.h"
#include "store/query.h"

extern struct store *store;
extern struct experiment *experiment;
extern int64_t run; // that trials belong to

int open_empty(void **state); // for cmocka: store, experiment and run
int close_all(void **state);

// Keeps the row as text: values with a space between, NULL as -. `context`: 512 bytes. For store_query.
bool take_row(void *context, const struct store_row *row);
const char *first_row(const char *sql, const char *const *bindings); // valid until the next call
void check(const char *sql, const char *wanted);
// Ends `measurement` as a new attempt of the trial; it gets a stop reason and warps of 32.
void finish(int64_t trial, struct measurement *measurement);
