// SPDX-License-Identifier: MIT
// The database as a file: which one a path leads to, who may write it, and what becomes of it where it is removed while it is in use.
#pragma once

#include "sql/handle.h"

struct sql_file {
    const char *path; // as it was given, for messages
    char *name;       // what that leads to: symbolic links are followed once, and the log stands beside the file itself
    int held;         // a descriptor of it where it is open for writing, else -1
    bool fresh;       // there was no file before sql_file_hold
    bool locked;
};

// Finds the file that the path leads to, for reading.
void sql_file_find(struct sql_file *file, const char *path);
// The same for writing, before SQLite opens it: makes an empty file where there is none. Errors: it has several names (hard links).
bool sql_file_hold(struct sql_file *file, const char *path, struct error *error);
// After the database is closed: a closed descriptor takes all of SQLite's locks on the file with it.
void sql_file_release(struct sql_file *file);
// Whether a log with something in it stands beside the file.
bool sql_file_has_log(const struct sql_file *file);
// Whether the path still leads to the file that is held.
bool sql_file_present(const struct sql_file *file);
bool sql_file_check(const struct sql_file *file, struct error *error); // the same, with an error that says so
// Exclusive use, until the file is released or the process ends, however it ends. Nothing where it is not held.
// Errors: another process has it; the drive knows no locks.
bool sql_file_lock(struct sql_file *file, struct error *error);
// What has it now is a run, for others to tell; whether another process is one that has it: false where it cannot be told.
void sql_file_mark_run(const struct sql_file *file);
bool sql_file_is_run(struct sql_file *file);
// Of a file that is no longer present: all that the connection sees is written into its folder, under its own name if that is free,
// else into the working folder or /tmp. Always false; the error says where it is.
bool sql_file_rescue(const struct sql_file *file, struct sql *db, struct error *error);
void sql_file_remove(const struct sql_file *file); // and its log
