// SPDX-License-Identifier: MIT
// Which executions of a plan have no result in a database, each once however many experiments share it.
#pragma once

#include "base/hash_index.h"
#include "store/outcome.h"

struct due {
    struct store *store; // NULL: there is no database yet, so that nothing has a result
    struct outcomes *outcomes;
    struct hash_index seen; // of trials and collections
    bool *is_missing;       // by their number
    size_t count;
    int64_t done, skipped, failed, missing;
};

bool due_open(struct due *due, const char *database, struct error *error);
void due_close(struct due *due);
// *missing: of this row of a plan, where the scene's first camera is "", the collection has neither a result nor a reason
// why it is skipped. `made_by` as in outcomes_find.
bool due_add(struct due *due, const struct trial_row *row, enum collection kind, const char *made_by, bool *missing,
             struct error *error);
void due_print(const struct due *due); // a line for people
// An error where something is missing.
bool due_check(const struct due *due, const char *database, struct error *error);
