// SPDX-License-Identifier: MIT
// The instrumented build.
#undef COUNTING
#define COUNTING 1
#include "trace_rays.h"

#include "trace_rays_body.h"

struct trace_work trace_rays_counted(const struct scene_view *scene, const struct trace_options *options,
                                     const struct ray_record *rays, uint32_t count, struct hit *hits)
{
    return trace_rays(scene, options, rays, count, hits);
}
