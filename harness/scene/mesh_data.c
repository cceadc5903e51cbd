// SPDX-License-Identifier: MIT
#include "scene/mesh_data.h"

#include <stdlib.h>

void mesh_finish(struct mesh_data *mesh)
{
    free(mesh->vertices);
    free(mesh->indices);
    free(mesh->materials);
    free(mesh->palette);
    *mesh = (struct mesh_data){0};
}
