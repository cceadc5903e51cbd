// SPDX-License-Identifier: MIT
// What there is to choose from, for people and for completion.
#pragma once

#include "commands/text_table.h"

// The table of one list; the first column has the names. text_table_finish() it, also after a failure.
bool list_make(const char *name, struct text_table *table, struct error *error);
