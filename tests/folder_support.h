// SPDX-License-Identifier: MIT
// Folders for the files of a test.
#pragma once

#include <stddef.h>

// Makes an empty one and returns its path; it goes, with what is in it, when the process ends. The test fails where it cannot be made.
const char *folder_new(void);

// Write a file of a folder, or of any path where that is NULL; the test fails where they cannot.
void folder_write(const char *folder, const char *name, const void *bytes, size_t size);
void folder_write_text(const char *folder, const char *name, const char *text);

// The path of a new file of that name in a folder of its own; as long as the process.
const char *folder_file(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
