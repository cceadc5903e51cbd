// SPDX-License-Identifier: MIT
// Files of one report appear together or not at all: they are made in a hidden folder and moved into place at the end.
// A list in the folder names what reports made there: only that is ever replaced or removed.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

#define STAGING_LIST ".warpstudy-report" // the list's name

struct staging {
    char folder[512];    // where the files will be
    char temporary[544]; // where they are made
    int lock;            // on that, while it is made: what a killed report left has none
    char prefix[96];     // put before every name that is given: "figures/"; "" at first
    bool replaces;       // to be set: what earlier reports made here, and this one does not, goes
    size_t made_from;    // length of the part of `folder` that was there before; 0: all of it was
    char **names;        // of its files, within the folder: "figures/a.svg"
    size_t count, capacity;
    char **older; // of those that reports made there before, as known while it is committed
    size_t older_count, older_capacity;
};

// Makes `folder`, and those above it, where missing, and removes there what a killed report left. Errors: not a folder,
// not writable, disk full.
bool staging_begin(struct staging *staging, const char *folder, struct error *error);
// A new file called `name`: its path, to be written by somebody else. Folders in the name are made. Errors: disk full.
bool staging_path(struct staging *staging, const char *name, char *path, size_t size, struct error *error);
// The same, opened. Close it with staging_close, which reports what could not be written.
FILE *staging_open(struct staging *staging, const char *name, struct error *error);
bool staging_close(struct staging *staging, FILE *stream, struct error *error);
// Removes the files named since there were `count`.
void staging_drop(struct staging *staging, size_t count);
// Moves everything into place, over files of earlier reports; the names stay known until staging_abandon. On failure
// everything is as it was. Errors: a file or folder of somebody else is in the way.
bool staging_commit(struct staging *staging, struct error *error);
// Removes what is not in place, folders that were made for it too, and forgets the names. Always the last call;
// harmless on a zeroed struct.
void staging_abandon(struct staging *staging);

// For staging_commit.c: reads the list of what reports made there before; whether a file of this name is on it; makes
// the folders in which `path` lies, from the place `from` of its text on; length of the path's part that is there, its
// whole length where all is.
bool staging_read_list(struct staging *staging, struct error *error);
size_t staging_existing_part(const char *path);
bool staging_made_before(const struct staging *staging, const char *name);
bool staging_make_parents(const char *path, size_t from, struct error *error);
// staging_rest.c: a descriptor that keeps other reports from changing the folder until it is closed, and waits for
// those that do; -1 where that cannot be had. Locks the folder where files are made; removes such folders of others
// that nobody locks; removes a folder with all that is in it.
int staging_hold(const char *path);
bool staging_lock(struct staging *staging, struct error *error);
void staging_remove_left(const struct staging *staging);
void staging_remove_folder(const char *path);
