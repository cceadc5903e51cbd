// SPDX-License-Identifier: MIT
// The build that runs: vector bodies where the processor has them.
#undef COUNTING
#define COUNTING 0
#include "trace_rays.h"
#include "trace_rays_body.h"

void trace_rays_vector(const struct scene_view *scene, const struct trace_options *options,
                       const struct ray_record *rays, uint32_t count, struct hit *hits)
{
    trace_rays(scene, options, rays, count, hits);
}
