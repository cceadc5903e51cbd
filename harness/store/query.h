// SPDX-License-Identifier: MIT
// Reading by SQL.
#pragma once

#include <stdint.h>

#include "store/store.h"

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
// value, name, value, ..., NULL for :name parameters; may be NULL. A value is text (what looks like a number may be a label), and of a name
// "NAME INTEGER" a number.
bool store_query(struct store *store, const char *sql, const char *const *bindings,
                 bool (*visit)(void *context, const struct store_row *), void *context, struct error *error);
// Such a visitor: the first value of the first row, as an integer. `context`: int64_t *.
bool store_take_integer(void *context, const struct store_row *row);
