// SPDX-License-Identifier: MIT
// The page of a run: one HTML file that reloads itself while the run goes on, and then stays as its record.
#pragma once

#include "run/watch.h"
#include "store/store.h"

struct run_page {
    struct run_watch watch;
    const char *path;
    struct store *store; // opened for reading at the first time
};

// `database`: that the run will have. Errors: the file cannot be written there, or there is one that is no page of a run
// into this database. Nothing is written.
bool run_page_open(struct run_page *page, const char *path, const char *database, struct error *error);
void run_page_close(struct run_page *page);
