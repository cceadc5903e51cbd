// SPDX-License-Identifier: MIT
// Attempts at the collections of trials, and what came of them.
#pragma once

#include "frame/measurement.h"
#include "store/store.h"

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

// `made_by`: what determines a collection's result besides its trial's key, as words separated by blanks; "" if nothing does.
// An attempt counts wherever all the words that are wanted are among its own:
bool store_covers(const char *made, const char *wanted);

// What became of (trial, collection): ATTEMPT_DONE, ATTEMPT_SKIPPED or, where it failed as often as `retries` allows,
// ATTEMPT_FAILED; ATTEMPT_RUNNING: it needs another attempt.
bool store_settled(struct store *store, int64_t trial, enum collection collection, const char *made_by, int32_t retries,
                   enum attempt_status *state, struct error *error);
// Error (attempt: 0): among others, the database's file was removed or replaced; store_keep then saves what it holds.
bool store_begin_attempt(struct store *store, int64_t run, int64_t trial, enum collection collection,
                         const char *made_by, int64_t *attempt, struct error *error);
// All rows of the measurement and the status in one transaction: after a kill either all is there or none. It supersedes
// attempts with other words in `made_by`, at that moment and not before.
bool store_finish_attempt(struct store *store, int64_t attempt, const struct measurement *measurement,
                          struct error *error);
// status: anything but DONE; `reason` is for the reader. `may_pass`: the cause may go away, so the next run tries again.
bool store_fail_attempt(struct store *store, int64_t attempt, enum attempt_status status, const char *reason,
                        bool may_pass, struct error *error);
// Attempts that a dead coordinator left RUNNING become ABANDONED (they are tried again and do not count as failures).
bool store_recover(struct store *store, int64_t *abandoned, struct error *error);
// Makes the results of matching trials due again (kept, marked superseded). `where`: SQL over columns of view `trial`;
// `collections`: only of these, bits 1 << collection.
bool store_redo(struct store *store, const char *where, uint32_t collections, int64_t *count, struct error *error);
