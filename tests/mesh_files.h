// SPDX-License-Identifier: MIT
// Mesh files that a test writes into a folder of its own, and what is read from them.
#pragma once

#include <stddef.h>

// The rectangle that most of them hold, split along its diagonal.
#define RECTANGLE "0 0 0, 2 0 0, 2 3 0; 0 0 0, 2 3 0, 0 3 0"

// A file's path, to be freed.
char *mesh_files_write_bytes(const char *name, const void *bytes, size_t size);
void mesh_files_write(const char *name, const char *text);

// Writes a file; its triangles must be `wanted`, corner by corner as above, or why it cannot be read hold it.
void mesh_files_expect(const char *name, const void *bytes, size_t size, const char *wanted);
// The material of each triangle of a file that was written must be `wanted`: "NAME R G B OPACITY, ...", with a question mark
// behind the name where it is missing, and ", R G B to EXPONENT" behind one with a highlight; behind a tilde, a part of why the
// file cannot be read.
void mesh_files_expect_materials(const char *name, const char *wanted);

int mesh_files_set_up(void **state);
