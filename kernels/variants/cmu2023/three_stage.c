// SPDX-License-Identifier: MIT
// C-3S: rounds of extend, logic and a kernel for each material over a pool of slots, until all samples are done.
#include "variants/cmu2023/schedule.h"

#include "surface/pool.h"

static bool three_stage_prepare(struct frame *frame, struct error *error)
{
    return wavefront_prepare(frame, "three_stage", POOL_LIGHT, true, error);
}

const struct variant variant_three_stage = {
    .name = "three_stage",
    .summary = "as two_stage, but materials have queues, and a kernel each",
    .paper = "cmu2023",
    .estimator = &estimator_surface,
    .traces_alone = true,
    .parameters = {WAVEFRONT_PARAMETERS, .queues = true},
    .supports = wavefront_supports,
    .prepare = three_stage_prepare,
    .render = wavefront_render,
    .all_samples = true,
    .schedule_repeats = wavefront_repeats,
};
