// SPDX-License-Identifier: MIT
// Made-up databases to merge, and what must come out, worked out with SQLite alone on the files.
#pragma once

#include "report_support.h"
#include "store/merge.h"
#include "store/store_handle.h"

extern const char *a, *b, *into, *other; // names of databases, once name_databases has run
extern sqlite3 *files;                   // the merged one, and the sources as a and b

int name_databases(void **state);
struct store *open_file(const char *path, enum store_mode mode);
void exec(struct store *store, const char *sql);
struct made on_gpu(const char *variant, int32_t replicate);
void add_trial(struct store *store, int64_t run, const struct made *made, double seconds);
void make_source(const char *path, const char *label, const char *variant, const char *kernels);
void make_sources(void);
struct merge_counts merge(const char *target, const char *source);
void open_files(void);
char *ask(const char *sql);
void check(const char *sql, const char *wanted);
void assert_tables(void);
void hash_of(const char *path, char text[HASH_TEXT]);
