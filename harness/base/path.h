// SPDX-License-Identifier: MIT
// Files that users and other files name. No path is ever cut, so that none names another file; and only regular files are
// read, so that no reader waits for whoever else may write.
#pragma once

#include <stdio.h>

#include "base/error.h"

// Writes a path. False and ERROR_USE where it has no room.
bool path_format(char *path, size_t size, struct error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Whether a name that a file gives can be that of a file of ours, in a folder of our choice: at most PATH_NAME_MAX bytes, no
// slash, no control character, and no dot or hyphen at its beginning.
enum { PATH_NAME_MAX = 60 };
bool path_is_name(const char *name);

// Folder of the files that come with the program, laid out as the source tree: of an installed program the data folder of its
// prefix, wherever that has been moved, and never the tree it was built from; else that tree. Until the next call of the thread.
const char *path_data(void);

// Where a file that comes with the program is, `name` as in the source tree ("docs/scenes.md"): below the working folder, or
// in path_data(); for messages, until the next call of the thread.
const char *path_shipped(const char *name);

// Path of a file that another one names: beside it, unless it is absolute; backslashes count as slashes. To be freed.
char *path_beside(const char *file, const char *name);
// Whether a name is a whole path, of this system or with a drive, which the author's machine alone may have.
bool path_is_foreign(const char *name);

// Opens a file to read: a descriptor, to be closed; -1 and ERROR_INPUT where it is a folder, a pipe, a device or a socket,
// or as error_set_errno. A pipe or terminal that the process was started with (/dev/stdin, /dev/fd/N) is read as it is.
int path_open(const char *path, struct error *error);
// The same as a stream; NULL on failure.
FILE *path_stream(const char *path, struct error *error);

// Writes all of it to a descriptor, whatever signals arrive. False where that fails, with the cause in errno.
bool path_write(int file, const void *bytes, size_t size);

// Writes a file under another name first: whoever reads it never sees a part, and nothing of it is left where that fails. Text NULL: only
// whether it could be written.
bool path_replace(const char *path, const char *text, size_t size, struct error *error);
