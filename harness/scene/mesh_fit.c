// SPDX-License-Identifier: MIT
#include "scene/mesh_fit.h"

static struct exact_transform orientation(const struct scene_mesh *mesh)
{
    struct exact_transform orient = exact_transform_identity();
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            orient.m[i][j] = mesh->orient[3 * i + j];
    return orient;
}

static void bounds_extend(double *low, double *high, double value)
{
    *low = value < *low ? value : *low;
    *high = value > *high ? value : *high;
}

// Without area at any size, so that it is dropped.
static bool is_flat(const struct mesh_data *data, const uint32_t *corners)
{
    const struct exact_vec a = data->vertices[corners[0]];
    const struct exact_vec n =
        exact_vec_cross(exact_vec_sub(data->vertices[corners[1]], a), exact_vec_sub(data->vertices[corners[2]], a));
    return n.x == 0 && n.y == 0 && n.z == 0;
}

// Box of the vertices that triangles with area use. False where there are none.
static bool mesh_bounds(const struct mesh_data *data, const struct exact_transform *transform, double low[3],
                        double high[3])
{
    for (int i = 0; i < 3; ++i) {
        low[i] = INFINITY;
        high[i] = -INFINITY;
    }
    for (uint64_t i = 0; i < 3 * data->triangle_count; ++i) {
        if (is_flat(data, &data->indices[i - i % 3]))
            continue;
        const struct exact_vec p = exact_transform_point(transform, data->vertices[data->indices[i]]);
        bounds_extend(&low[0], &high[0], p.x);
        bounds_extend(&low[1], &high[1], p.y);
        bounds_extend(&low[2], &high[2], p.z);
    }
    return low[0] <= high[0];
}

struct exact_transform mesh_fit(const struct scene_mesh *mesh, const struct mesh_data *data)
{
    const struct exact_transform orient = orientation(mesh);
    double low[3], high[3], factor[3];
    double longest = 1e-9;
    if ((mesh->size[0] <= 0 && mesh->fit <= 0) || !mesh_bounds(data, &orient, low, high))
        return orient;
    for (int i = 0; i < 3; ++i)
        longest = high[i] - low[i] > longest ? high[i] - low[i] : longest;
    for (int i = 0; i < 3; ++i)
        factor[i] =
            mesh->fit > 0 ? mesh->fit / longest : mesh->size[i] / (high[i] - low[i] > 1e-9 ? high[i] - low[i] : 1e-9);
    const struct exact_transform move =
        exact_transform_translate(-(low[0] + high[0]) / 2, -low[1], -(low[2] + high[2]) / 2);
    const struct exact_transform stretch = exact_transform_scale(factor[0], factor[1], factor[2]);
    const struct exact_transform moved = exact_transform_multiply(&move, &orient);
    return exact_transform_multiply(&stretch, &moved);
}
