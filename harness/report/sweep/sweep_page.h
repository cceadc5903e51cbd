// SPDX-License-Identifier: MIT
// The sweeps of a database that are of no study, as the first part of a report's page.
#pragma once

#include "report/staging.h"
#include "report/write/document.h"
#include "store/store.h"

// Appends a section for each, the latest first: its table and figures, whose files go into sweeps/. count: how many there are.
bool sweep_sections(struct store *store, struct staging *staging, struct document *document, size_t *count,
                    bool *no_gnuplot, struct error *error);
