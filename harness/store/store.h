// SPDX-License-Identifier: MIT
// A database of results. Its .sql files are embedded at build time.
#pragma once

#include "base/error.h"

struct store;

enum store_mode {
    STORE_READ,   // must exist; nothing is changed, also where the folder is read-only
    STORE_WRITE,  // created where missing
    STORE_MEMORY, // private, in memory; path is ignored
};

// Errors: not a database, of another version, locked by another run, with several hard links, folder missing or not writable,
// disk full: each with its remedy. A process has a database open for writing once at a time.
struct store *store_open(const char *path, enum store_mode mode, struct error *error);
void store_close(struct store *store);
const char *store_path(const struct store *store);
// While another process holds the database, every call waits as long as `wait` returns true; it is called some times a
// second with the seconds waited so far. Without it a call fails after 5 s.
void store_wait(struct store *store, bool (*wait)(void *context, double seconds), void *context);
// $WARPSTUDY_DB, else ./results/warpstudy.db where ./results is a folder, else ./warpstudy.db
const char *store_default_path(void);
// Exclusive use by one process: an advisory lock of the file itself, by whatever name it was opened, released when the
// process ends however it ends.
// Waits for one whose process has ended, for at most 5 s. Errors: another has it; or the file is lost, and store_keep was called.
bool store_lock(struct store *store, struct error *error);
// The same of a run, and whether another process has the database so now.
bool store_lock_to_run(struct store *store, struct error *error);
bool store_is_run(struct store *store);
// After the last that was written: true where the path still leads to the file that is open. Where it was removed, replaced
// or renamed meanwhile, all that the file holds is written under its own name, if that is free, else beside it or, where
// its folder is gone, into the working folder or /tmp; false, and the error says where it is.
bool store_keep(struct store *store, struct error *error);
// All that is stored at this moment as a new file, which has its name only once it is complete. Errors: there is such a
// file; no space.
bool store_snapshot(struct store *store, const char *path, struct error *error);
