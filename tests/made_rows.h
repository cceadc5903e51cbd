// SPDX-License-Identifier: MIT
// Rows of a made-up measurement from words: "launch stage=trace seconds=2*trace", "count each=paths bounce=key active_paths=value".
// The first word says of what table; every other one names a column and gives an expression of SQL over the names of a scope.
#pragma once

#include "base/arena.h"
#include "frame/measurement.h"
#include "store/store.h"

// Names with their values, as SQL writes them; of equal names the last counts. Zeroed but for the store is an empty one.
struct made_scope {
    struct store *store; // which evaluates expressions; nothing in it is read
    struct arena *memory;
    struct made_name {
        const char *name, *value;
    } * names;
    size_t count;
};
void made_set(struct made_scope *scope, const char *name, const char *value); // what is a number as such, else a text
// A list or, `index` not below 0, its element of that index.
void made_set_list(struct made_scope *scope, const char *name, const char *list, int index);
// Every $NAME replaced by its value.
const char *made_replace(const struct made_scope *scope, const char *text);
// What an expression comes to, as SQL writes it; as a number, NaN for anything else.
const char *made_literal(struct made_scope *scope, const char *expression);
double made_number(struct made_scope *scope, const char *expression);

// The next word of a text behind `*at`, in the arena, without the quotes around a part with blanks; NULL at the end.
const char *made_word(struct arena *memory, const char **at);
// "NAME=VALUE" in two; false where it is no such word.
bool made_split(struct arena *memory, const char *word, const char **name, const char **value);

// Adds the rows. Words without an expression: `each=LIST` makes a row of every element, whose index and value are named `key`
// and `value`; `times=N` makes N rows; `if=CONDITION` leaves the others out. Columns that are texts (stage, kernel, metric,
// reason, file, site) take the word itself, or behind a $ an expression. Without a word for it: the launch of a count is the
// last one before it, of all else the frame. A time that is NULL is not measured.
// Tables: launch, count, total (of a launch, all bounces), lockstep, entry, repetition, kernel, metric, site, stall, sample, span;
// and what there is once: `measured` (passes, samples dropped, seconds at the gate, the card, hashes), conditions `before` and `after`.
void made_rows(struct made_scope *scope, const char *text, struct measurement *measurement);
