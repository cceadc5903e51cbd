// SPDX-License-Identifier: MIT
// What an expression of an experiment file may do: read the plan's columns, call pure functions, and end.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct plan;

enum {
    EXPRESSION_MAX = 10000, // bytes of a text that an expression makes; twice those that one may have itself
    PLAN_TEXT_MAX = 4 << 20 // bytes of any other statement or text
};

// Of processor time, for all expressions of a plan together: 20, and less in tests.
extern double plan_expression_seconds;

// Whether the text is one expression that cannot leave the parentheses around it. False with `why` otherwise.
bool expression_contained(const char *text, char *why, size_t size);
// Limits what the plan's database does, and lets `stop` end it at any time.
void plan_watch(struct plan *plan);
// Restricts the plan to reading columns and calling listed functions (plus UPDATE and DELETE of table `plan`), for as long
// as `expression_seconds` says; the inverse takes from these what was used: false where nothing is left.
void expression_guard(struct plan *plan);
bool expression_unguard(struct plan *plan);
