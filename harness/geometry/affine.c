// SPDX-License-Identifier: MIT
#include "geometry/affine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void affine_cross(const double a[3], const double b[3], double to[3])
{
    to[0] = a[1] * b[2] - a[2] * b[1];
    to[1] = a[2] * b[0] - a[0] * b[2];
    to[2] = a[0] * b[1] - a[1] * b[0];
}

static double affine_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The coordinate that grows by 1 along `normal / square`, 0 at `origin`.
static struct affine_row row_of(const double normal[3], double square, const double origin[3])
{
    return (struct affine_row){{(float)(normal[0] / square), (float)(normal[1] / square), (float)(normal[2] / square)},
                               (float)(-affine_dot(normal, origin) / square)};
}

static bool row_finite(const struct affine_row *row)
{
    return isfinite(row->normal.x) && isfinite(row->normal.y) && isfinite(row->normal.z) && isfinite(row->shift);
}

// A point is v0 + x first + y second + z normal.
void affine_map_make(const struct triangle *triangle, struct affine_map *map)
{
    const double v0[3] = {triangle->v0.x, triangle->v0.y, triangle->v0.z};
    const double first[3] = {triangle->v1.x - v0[0], triangle->v1.y - v0[1], triangle->v1.z - v0[2]};
    const double second[3] = {triangle->v2.x - v0[0], triangle->v2.y - v0[1], triangle->v2.z - v0[2]};
    double normal[3], along[3], across[3];
    affine_cross(first, second, normal);
    affine_cross(second, normal, along);
    affine_cross(normal, first, across);
    const double square = affine_dot(normal, normal);
    *map = (struct affine_map){row_of(along, square, v0), row_of(across, square, v0), row_of(normal, square, v0)};
    if (!row_finite(&map->x) || !row_finite(&map->y) || !row_finite(&map->z))
        memset(map, 0, sizeof *map);
}

struct affine_map *affine_maps(const struct triangle *triangles, uint64_t count)
{
    struct affine_map *maps = malloc(count * sizeof *maps + 1);
    for (uint64_t i = 0; maps && i < count; ++i)
        affine_map_make(&triangles[i], &maps[i]);
    return maps;
}
