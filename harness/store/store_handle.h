// SPDX-License-Identifier: MIT
// An open database. Only for files of store/.
#pragma once

#include "sql/file.h"
#include "sql/handle.h"

struct store {
    struct sql db;
    struct sql_file file;
    bool tables_made;                            // temporary ones, or views, beside those of schema_views
    bool reading;                                // nothing is changed
    bool outranked;                              // store_prefer_programs left something out
    bool run_chosen;                             // store_prefer_programs was asked for certain runs alone
    int64_t kept_version;                        // data_version of the rows of kept.*; 0: there is none
    struct store_shared *shared;                 // what another connection of this process keeps too; NULL: nothing
    bool scripts_shared;                         // views of scripts too: prepared for the study of `shared`
    char *path;                                  // as it was given
    double synced;                               // monotonic time of the latest commit that waited for the disk
    bool (*wait)(void *context, double seconds); // while another process holds the database
    void *wait_context;
    double wait_began; // monotonic time
};

// SQL of the time of day.
#define STORE_NOW "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
