// SPDX-License-Identifier: MIT
// Files of one report appear when all are made: until then they are in a hidden folder, and at the end they are renamed. A list in
// the folder names what reports made: only that is ever replaced or removed.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

#define STAGING_LIST ".warpstudy-report" // the list's name

struct staging {
    char folder[512];    // where the files will be
    char temporary[544]; // where they are made
    int lock;            // on `folder`, while files are made: other reports into it wait
    char prefix[96];     // put before every name that is given: "figures/"; "" at first
    bool replaces;       // to be set: what earlier reports made here, and this one does not, goes
    size_t made_from;    // where in `folder` the first folder's name ends that was made for it; 0: all were there
    char **names;        // of its files, within the folder: "figures/a.svg"
    size_t count;
    char **older; // of those that reports made there before, as known while it is committed
    size_t older_count;
};

// Makes `folder`, and those above it, where missing, waits for other reports into it, and removes what a killed one left. Errors: not
// a folder, not writable, disk full.
bool staging_begin(struct staging *staging, const char *folder, struct error *error);
// A new file called `name`: its path, to be written by somebody else. Folders in the name are made. Errors: disk full.
bool staging_path(struct staging *staging, const char *name, char *path, size_t size, struct error *error);
// The same, opened. Close it with staging_close, which reports what could not be written.
FILE *staging_open(struct staging *staging, const char *name, struct error *error);
bool staging_close(const struct staging *staging, FILE *stream, struct error *error);
// Moves everything into place, over files of earlier reports; the names stay known until staging_abandon. Errors: a file or
// folder of somebody else is in the way: then nothing is moved.
bool staging_commit(struct staging *staging, struct error *error);
// Removes what is not in place, folders that were made for it too, and forgets the names. Always the last call;
// harmless on a zeroed struct.
void staging_abandon(struct staging *staging);
