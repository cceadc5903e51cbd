// SPDX-License-Identifier: MIT
// The build that CUDA sees: scalar bodies only.
#undef COUNTING
#define COUNTING 0
#define PLATFORM_SCALAR
#include "trace_rays.h"
#include "trace_rays_body.h"

void trace_rays_scalar(const struct scene_view *scene, const struct trace_options *options,
                       const struct ray_record *rays, uint32_t count, struct hit *hits)
{
    trace_rays(scene, options, rays, count, hits);
}
