// SPDX-License-Identifier: MIT
// Views that a report evaluates once: tables in their place, never in the file, gone with the connection.
#pragma once

#include "store/store.h"

// Evaluates once each view that the query reads, directly or through others: those of scripts and the slow ones of the database are
// replaced by temporary tables of the same name, with the rows of this moment, until store_forget_tables.
bool store_keep_views(struct store *store, const char *sql, struct error *error);
// Drops also those tables that outlast store_forget_tables.
bool kept_forget(struct store *store, struct error *error);

struct store_shared;
// What is made from now on is shared with another connection (store/shared.h). NULL: no longer.
void store_share(struct store *store, struct store_shared *shared);
