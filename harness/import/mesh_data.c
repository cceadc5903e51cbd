// SPDX-License-Identifier: MIT
#include "import/mesh_data.h"

#include <stdlib.h>

const struct mesh_material mesh_material_white = {.name = "default", .diffuse = {1, 1, 1}, .ior = 1.5, .opacity = 1};

void mesh_finish(struct mesh_data *mesh)
{
    free(mesh->vertices);
    free(mesh->indices);
    free(mesh->materials);
    free(mesh->palette);
    *mesh = (struct mesh_data){0};
}
