// SPDX-License-Identifier: MIT
// What a query says of a database; fails the test where it cannot be asked.
#pragma once

#include "store/query.h"

// The first value of the first row, valid until the next call: "NULL" where it is none, "no row" where there is none.
const char *ask(struct store *store, const char *sql);
int64_t ask_int(struct store *store, const char *sql); // -1 where there is no row
