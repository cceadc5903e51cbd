// SPDX-License-Identifier: MIT
// Rays from a packed file: nothing but struct ray_record, 32 bytes each, little-endian.
#pragma once

#include "bench/ray_sets.h"

// Makes a single set, sets->sets[0], of the file's rays and what they hit in double precision. A ray that begins at t_min > 0 has
// its origin moved there, which a warning says; an infinite t_max becomes the largest float. `sets` is for ray_sets_finish.
bool ray_file_read(const char *path, const struct ray_mesh *mesh, struct ray_sets *sets, struct error *error);
