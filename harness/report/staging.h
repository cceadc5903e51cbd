// SPDX-License-Identifier: MIT
// Files of one report appear together or not at all: they are made in a hidden folder and moved into place at the end.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

enum { STAGING_FILES = 512 };

struct staging {
    char folder[512];    // where the files will be
    char temporary[544]; // where they are made
    char *names[STAGING_FILES];
    size_t count;
};

// Makes `folder`, and those above it, where missing. Errors: not a folder, not writable, disk full.
bool staging_begin(struct staging *staging, const char *folder, struct error *error);
// A new file called `name`: its path, to be written by somebody else. False and an error where there are too many.
bool staging_path(struct staging *staging, const char *name, char *path, size_t size, struct error *error);
// The same, opened. Close it with staging_close, which reports what could not be written.
FILE *staging_open(struct staging *staging, const char *name, struct error *error);
bool staging_close(struct staging *staging, FILE *stream, struct error *error);
// Removes the files named since there were `count`.
void staging_drop(struct staging *staging, size_t count);
// Moves everything into place, over older files; the names stay known until staging_abandon.
bool staging_commit(struct staging *staging, struct error *error);
// Removes what is not in place and forgets the names. Always the last call; harmless on a zeroed struct.
void staging_abandon(struct staging *staging);
