// SPDX-License-Identifier: MIT
// traverse() over many rays, in the builds that tests compare. Link lane_stub.c.
#pragma once

#include "lib/platform.h"
#include "lib/traverse.h"
#include "scene/ray_reference.h"

struct trace_options {
    uint32_t traversal; // TRAVERSAL_*
    bool far_first;
    bool any;
};

struct trace_work {
    uint64_t nodes, triangles; // only counted by trace_rays_counted
};

// hits[i] for every i < count.
void trace_rays_vector(const struct scene_view *scene, const struct trace_options *options,
                       const struct ray_record *rays, uint32_t count, struct hit *hits);
void trace_rays_scalar(const struct scene_view *scene, const struct trace_options *options,
                       const struct ray_record *rays, uint32_t count, struct hit *hits);
struct trace_work trace_rays_counted(const struct scene_view *scene, const struct trace_options *options,
                                     const struct ray_record *rays, uint32_t count, struct hit *hits);
