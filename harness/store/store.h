// SPDX-License-Identifier: MIT
// The database: the only module that knows SQL's C interface. Its .sql files are embedded at build time.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "experiment/experiment.h"
#include "frame/measurement.h"
#include "frame/parameters.h"

struct store;

enum store_mode {
    STORE_READ,   // must exist; nothing is changed, also where the folder is read-only
    STORE_WRITE,  // created where missing
    STORE_MEMORY, // private, in memory; path is ignored
};

// Errors: not a database, of another version, locked by another run, with several hard links, used by another host on a
// network file system, folder missing or not writable, disk full: each with its remedy. A process has a database open for writing once at a time.
struct store *store_open(const char *path, enum store_mode mode, struct error *error);
void store_close(struct store *store);
const char *store_path(const struct store *store);
// While another process holds the database, every call waits as long as `wait` returns true; it is called some times a
// second with the seconds waited so far and the holder: "sqlite3 (process 1234)", "" where that is not known. Without
// it a call fails after 5 s.
void store_wait(struct store *store, bool (*wait)(void *context, double seconds, const char *holder), void *context);
// $WARPSTUDY_DB, else ./results/warpstudy.db where ./results is a folder, else ./warpstudy.db
const char *store_default_path(void);

// ---- plan: an experiment expanded into a temporary table

struct plan_clause {
    const char *expression; // of the experiment's `where`
    int line;
    int64_t removed; // rows that this clause, applied after the ones before it, removed
};
struct plan_summary {
    int64_t repeated;  // values of the sweep that are listed before, and are left out
    int64_t product;   // size of the full product of the others
    int64_t points;    // after `where` and after parameters that a variant ignores have fallen together
    int64_t collapsed; // how many fell together
    int64_t trials;    // points x replicates
    struct plan_clause clauses[32];
    size_t clause_count;
};
// `device_auto` is what `auto` stands for here. Parameters that a row's variant ignores become NULL (their default is
// used), after `where` has been applied. Errors: an expression that does not compile, reads anything but the plan's
// columns, uses double quotes or runs too long (with file and line of it); nothing left.
bool store_plan(struct store *store, const struct experiment *experiment, const char *device_auto,
                struct plan_summary *summary, struct error *error);

// While a plan is made or read, `stop` is asked often; where it returns true that ends with ERROR_INTERRUPTED.
void store_stop(struct store *store, bool (*stop)(void));

struct plan_row {
    int64_t
        ordinal; // in the order of execution (breadth-first: replicate 0 of every point first; seeded shuffle within)
    int64_t point;
    int32_t replicate;
    struct trial_spec spec;
    uint32_t collections; // replicates beyond 0 omit `counts`: they are exact
};
// Calls visit for each row in order until it returns false.
bool store_plan_rows(struct store *store, bool (*visit)(void *context, const struct plan_row *), void *context,
                     struct error *error);

// Hash of what a row asks to be measured, replicate included: equal for rows of any plan that are the same trial on a device.
struct hash store_row_identity(const struct plan_row *row);

// ---- runs, trials, attempts

struct run_header {
    const char *label, *command_line;
    const struct experiment *experiment;
    const char *const
        *environment; // name, value, name, value, ..., NULL: git commit, compiler, CPU, kernel, library versions
};
bool store_begin_run(struct store *store, const struct run_header *header, int64_t *run, struct error *error);
bool store_end_run(struct store *store, int64_t run, const char *reason,
                   struct error *error); // "complete", "until", "interrupted", ...

// What the trial is keyed by (contract 4), besides spec and replicate.
struct trial_provenance {
    const char *scene_content; // hash text
    const char *programs;      // provenance of the clean kernels, of the host schedule and of the tree's builder
    const char *device_name, *driver;
    const char *policy;  // measurement policy that applies (repetitions, stop rule), as text
    const char *harness; // version of the measuring code
};
// Finds or creates the trial with this key and links it to run and experiment point. *key: 32 hex digits.
bool store_trial(struct store *store, int64_t run, const struct plan_row *row,
                 const struct trial_provenance *provenance, int64_t *trial, char key[HASH_TEXT], struct error *error);

enum attempt_status {
    ATTEMPT_RUNNING,
    ATTEMPT_DONE,
    ATTEMPT_FAILED,
    ATTEMPT_KILLED,
    ATTEMPT_TIMEOUT,
    ATTEMPT_SKIPPED,
    ATTEMPT_ABANDONED,
    ATTEMPT_STATUSES
};
extern const char *const attempt_status_names[ATTEMPT_STATUSES + 1];

// `made_by`: what besides its trial's key makes a collection's result, as words with blanks between; "" where nothing does.
// An attempt counts for everybody whose words are all among its own:
bool store_covers(const char *made, const char *wanted);

// What became of (trial, collection): ATTEMPT_DONE, ATTEMPT_SKIPPED or, where it failed as often as `retries` allows,
// ATTEMPT_FAILED; ATTEMPT_RUNNING: it needs another attempt.
bool store_settled(struct store *store, int64_t trial, enum collection collection, const char *made_by, int32_t retries,
                   enum attempt_status *state, struct error *error);
// Error: the database's file was removed or replaced; store_keep then saves what it holds.
bool store_begin_attempt(struct store *store, int64_t run, int64_t trial, enum collection collection,
                         const char *made_by, int64_t *attempt, struct error *error);
// All rows of the measurement and the status in one transaction: after a kill either all is there or none. What was made
// by other things is superseded by it, and not before.
bool store_finish_attempt(struct store *store, int64_t attempt, const struct measurement *measurement,
                          struct error *error);
// status: anything but DONE; `reason` is kept for the reader. Where it may pass, the next run tries again.
bool store_fail_attempt(struct store *store, int64_t attempt, enum attempt_status status, const char *reason,
                        bool may_pass, struct error *error);
// Attempts left RUNNING by a coordinator that is gone become ABANDONED (they are tried again and count as no failure).
bool store_recover(struct store *store, int64_t *abandoned, struct error *error);
// Exclusive use by one coordinator: an advisory lock of the file itself, by whatever name it was opened, released when the
// process ends however it ends.
// Waits for one whose process has ended, for at most 5 s. Errors: another has it; or the file is lost, and store_keep was called.
bool store_lock(struct store *store, struct error *error);
// The network file system that the database is on, such as "NFS"; NULL: none that is known. One host at a time may use it
// there: while one writes it, store_open fails on all others.
const char *store_network(const struct store *store);
// After the last that was written: true where the path still leads to the file that is open. Where it was removed, replaced
// or renamed meanwhile, all that the file holds is written under its own name, if that is free, else beside it or, where
// its folder is gone, into the working folder or /tmp; false, and the error says where it is.
bool store_keep(struct store *store, struct error *error);
// Bytes that n more trials of this plan will need, from what is stored or from a rule where nothing is; and what the
// disk has.
bool store_space(struct store *store, int64_t trials, int64_t *needed, int64_t *available, struct error *error);
// Makes the results of matching trials due again (kept, marked superseded). `where`: SQL over view `trial`;
// `collections`: of these alone, 1 << collection.
bool store_redo(struct store *store, const char *where, uint32_t collections, int64_t *count, struct error *error);

// What is stored of a plan's rows, for a reader that has neither their devices nor their kernels.
struct outcomes;
struct outcomes *outcomes_open(struct store *store, struct error *error); // uses the store until outcomes_close
void outcomes_close(struct outcomes *outcomes);                           // NULL is fine
// Of this collection of a row where the scene's first camera is "", measured on whichever model of its device with
// whichever kernels: ATTEMPT_DONE (by `made_by`: words of the policy, of counters and timeline also theirs),
// ATTEMPT_SKIPPED, ATTEMPT_FAILED, or ATTEMPT_RUNNING: none of these.
bool outcomes_find(const struct outcomes *outcomes, const struct plan_row *row, enum collection kind,
                   const char *made_by, enum attempt_status *state, struct error *error);

// All that is stored at this moment as a new file, which has its name only once it is complete. Errors: there is such a
// file; no space.
bool store_snapshot(struct store *store, const char *path, struct error *error);

// ---- pictures

// A render of a scene, for contact sheets.
struct store_picture {
    const char *scene, *scene_content, *camera; // camera: '' is the scene's first
    const char *materials;                      // as the parameter has them; of one that is put: not kept
    int32_t width, height, spp;
    const char *image; // hash of its film
    const void *jpeg;
    size_t size; // of jpeg, in bytes
};
// Whether there is no film yet, of as many paths as the trial's, of its scene as it is now, by the first camera with these
// materials: an attempt whose measurement has one, made small, stores it in the place of others.
bool store_lacks_film(struct store *store, int64_t trial, bool *lacks, struct error *error);
// Replaces one of the same scene, content, camera, size and paths per pixel.
bool store_put_picture(struct store *store, const struct store_picture *picture, struct error *error);
// Those that were put, and films of attempts, which come last, each in the order in which they were stored, until `visit`
// returns false. Pointers live until it returns.
bool store_each_picture(struct store *store, bool (*visit)(void *context, const struct store_picture *), void *context,
                        struct error *error);

// ---- reading

enum store_type { STORE_NULL, STORE_INTEGER, STORE_REAL, STORE_TEXT };
struct store_value {
    enum store_type type;
    int64_t integer;
    double real;
    const char *text; // of any type but NULL, bytes as hexadecimal digits; lives until the visit returns
};
struct store_row {
    size_t count;
    const char *const *names;
    const struct store_value *values;
};
// One statement, read-only whatever the mode: anything that would change the database is an error. `bindings`: name,
// value, name, value, ..., NULL for :name parameters (bound as text that compares like a number where it looks like
// one); may be NULL.
bool store_query(struct store *store, const char *sql, const char *const *bindings,
                 bool (*visit)(void *context, const struct store_row *), void *context, struct error *error);
// Loads published values or claims into tables of the report (temporary, never in the file): a table is dropped and
// made anew. A column is NAME, and takes what looks like a number as one, or "NAME TEXT".
bool store_load_table(struct store *store, const char *table, const char *const *columns, size_t column_count,
                      const char *const *cells, size_t row_count, struct error *error);
// A script of statements CREATE TEMP VIEW ..., CREATE TEMP TABLE NAME AS SELECT ... and CREATE INDEX temp.NAME ON TABLE
// (...), and nothing else: what several queries share. `bindings` as in store_query; a view takes none. `path`: of the
// script, for messages.
bool store_make_tables(struct store *store, const char *script, const char *path, const char *const *bindings,
                       struct error *error);
// Drops all that these made.
bool store_forget_tables(struct store *store, struct error *error);
// Views are evaluated once that the query reads, itself or through others: those of scripts and the slow ones of the
// database become temporary tables of their names, with rows as of now, until store_forget_tables.
bool store_keep_views(struct store *store, const char *sql, struct error *error);

// ---- comparing

struct store_side {
    struct store *store;
    const char *label; // results of the runs with this label; NULL: all current ones
};
// A private database with the tables of compare.sql: `compared`, a row per cell (what decides work and schedule, and
// the device where both sides have it), and if `bounces` `compared_bounce`. The sides may be of one store. Close it
// with store_close. Errors: no run has the label (with a suggestion); nothing was measured.
struct store *store_compare(const struct store_side *a, const struct store_side *b, bool same_file, bool bounces,
                            struct error *error);

// ---- merging

struct merge_counts {
    int64_t runs, trials, attempts; // added
    int64_t known;                  // attempts that were there already
    int64_t second;                 // of the trials added: copies of one that another database also has
};
// Between begin and end, which commits, any number of databases are added to the target, which is open for writing;
// closing it before undoes all. What is there already is known by the database that measured it, so that merging twice
// adds nothing. What does not fit together is a row of temp.merge_conflict (source, conflict, trials, example).
bool store_merge_begin(struct store *target, struct error *error);
bool store_merge(struct store *target, struct store *source, struct merge_counts *counts, struct error *error);
bool store_merge_end(struct store *target, struct error *error);
