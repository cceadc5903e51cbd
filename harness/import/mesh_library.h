// SPDX-License-Identifier: MIT
// Material libraries (MTL) of OBJ files.
#pragma once

#include "base/error.h"
#include "import/mesh_data.h"

struct mesh_library_material {
    char *name;
    struct mesh_material material;
    char *texture; // path, NULL where there is none; its mean is no part of `material` yet
    bool unknown;  // to every library
};

struct mesh_library {
    struct mesh_library_material *materials;
    size_t count;
    const char *twice; // a name that was defined again, which did not count; NULL where none was
};

// What an OBJ material is of which nothing is said.
struct mesh_material mesh_library_default(const char *name);
// Adds the materials of a library, of `size` bytes with a zero behind them, but none whose name is there. `obj` is the
// path of the mesh.
bool mesh_library_add(struct mesh_library *library, const char *bytes, size_t size, const char *path, const char *obj,
                      struct error *error);
// Calls `each`, until it says false, with the path of every library that a line mtllib names, whether it exists or not.
bool mesh_library_find(const char *obj, char *names, bool (*each)(void *context, const char *path), void *context);
void mesh_library_finish(struct mesh_library *library);
