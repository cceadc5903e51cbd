// SPDX-License-Identifier: MIT
// The rays of a pipeline's rounds, taken from its pool before each launch of the stage `trace`.
#pragma once

#include "trial/execute.h"

struct ray_input; // kernels/tools/trace_ray.h

struct rounds_watch {
    // Before the trace of each round: how many slots it has and how many of them live; where others wait for another
    // stage, how many are traced, rounded up to whole blocks. Returns whether it wants the rays.
    bool (*round)(void *context, uint32_t round, uint32_t slots, uint32_t live);
    // The rays of the slots that live, in their order; from_camera[i]: ray i is the first of its path. Both are freed after the call.
    bool (*rays)(void *context, uint32_t round, const struct ray_input *rays, const bool *from_camera, uint32_t count,
                 struct error *error);
    void *context;
};

// Renders one frame of a variant whose stages have a pool. ERROR_USE where it has no stage of that name.
bool rounds_visit(struct executor *executor, const struct trial_spec *spec, const struct rounds_watch *watch,
                  struct error *error);
