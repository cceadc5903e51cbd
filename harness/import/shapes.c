// SPDX-License-Identifier: MIT
#include "import/shapes.h"

const struct shape_kind *const shape_kinds[] = {
    &shape_plane,    &shape_quad,    &shape_box,   &shape_room,  &shape_sphere,
    &shape_cylinder, &shape_terrain, &shape_trees, &shape_grass, NULL,
};
