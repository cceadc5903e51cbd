// SPDX-License-Identifier: MIT
// A database in a folder of the test's own, with runs and trials that were never measured.
#pragma once

#include "store/attempt.h"

extern const char *folder; // once make_folder has run, as `path`: of the database
extern char path[128];

enum { ROWS = 9 }; // bounces of a_measurement

int make_folder(void **state);
int make_database(void **state); // and a trial in it
int free_experiment(void **state);
struct store *open_store(enum store_mode mode);
int64_t begin_run(struct store *store);
struct trial_row a_row(int seed);
int64_t a_trial(struct store *store, int64_t run, int seed);
struct measurement a_measurement(void);
void finish_one(struct store *store, int64_t run, int64_t trial);
bool there_is(const char *file, const char *ending);
void refuses(const char *file, enum store_mode mode, const char *message);
void check_stored(struct store *store, int stored);
