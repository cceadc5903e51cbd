// SPDX-License-Identifier: MIT
#include "geometry/types.h"

#include "scene/volume_bricks.h"

static uint32_t bricks_along(uint32_t voxels)
{
    return (voxels + BRICK_EDGE - 1) / BRICK_EDGE;
}

uint64_t volume_brick_count(const uint32_t size[3])
{
    return (uint64_t)bricks_along(size[0]) * bricks_along(size[1]) * bricks_along(size[2]);
}

static float density_of(const void *density, uint32_t bits, uint64_t voxel)
{
    return bits == 8    ? (float)((const uint8_t *)density)[voxel]
           : bits == 16 ? (float)((const uint16_t *)density)[voxel]
                        : ((const float *)density)[voxel];
}

struct voxel_range {
    uint32_t from, to; // `to` is the first behind it
};

// The voxels of a brick along an axis, and those beside it: interpolation reads one voxel farther.
static struct voxel_range range_of(uint32_t brick, uint32_t voxels)
{
    const uint32_t from = brick * BRICK_EDGE, to = from + BRICK_EDGE + 1;
    return (struct voxel_range){from > 0 ? from - 1 : 0, to < voxels ? to : voxels};
}

bool volume_bricks(const void *density, uint32_t bits, const uint32_t size[3], float top, float *bricks)
{
    const uint32_t nx = bricks_along(size[0]), ny = bricks_along(size[1]);
    const uint64_t count = volume_brick_count(size);
    for (uint64_t i = 0; i < count; ++i) {
        const struct voxel_range xs = range_of((uint32_t)(i % nx), size[0]);
        const struct voxel_range ys = range_of((uint32_t)(i / nx % ny), size[1]);
        const struct voxel_range zs = range_of((uint32_t)(i / nx / ny), size[2]);
        bricks[i] = 0;
        for (uint32_t z = zs.from; z < zs.to; ++z)
            for (uint32_t y = ys.from; y < ys.to; ++y)
                for (uint32_t x = xs.from; x < xs.to; ++x) {
                    const float d = density_of(density, bits, ((uint64_t)z * size[1] + y) * size[0] + x);
                    if (!(d >= 0.0f && d <= top))
                        return false;
                    bricks[i] = d > bricks[i] ? d : bricks[i];
                }
    }
    return true;
}
