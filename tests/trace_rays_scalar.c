// SPDX-License-Identifier: MIT
// The build that CUDA sees: scalar bodies only.
#undef COUNTING
#define COUNTING 0
#define PLATFORM_SCALAR
#include "trace_rays.h"

#include "trace_rays_body.h"

struct trace_work trace_rays_scalar(const struct scene_view *scene, const struct trace_options *options,
                                    const struct ray_record *rays, uint32_t count, struct hit *hits)
{
    return trace_rays(scene, options, rays, count, hits);
}

uint32_t two_box_test_scalar(const struct bvh_node *node, const struct box_ray *ray, float t_best, float entry[2])
{
    bool met[2];
    two_box_test(node, ray, t_best, met, entry);
    return (uint32_t)met[0] | (uint32_t)met[1] << 1;
}
