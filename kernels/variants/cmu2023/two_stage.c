// SPDX-License-Identifier: MIT
// C-2S: rounds of extend and logic over a pool of slots, until all samples are done.
#include "variants/cmu2023/schedule.h"

#include "surface/pool.h"

static bool two_stage_prepare(struct frame *frame, struct error *error)
{
    return wavefront_prepare(frame, "two_stage", POOL_EXTENSION, false, error);
}

const struct variant variant_two_stage = {
    .name = "two_stage",
    .summary = "rounds of two kernels, extend and logic, over a pool of slots that take sample after sample",
    .paper = "cmu2023",
    .estimator = &estimator_surface,
    .traces_alone = true,
    .parameters = {WAVEFRONT_PARAMETERS},
    .supports = wavefront_supports,
    .prepare = two_stage_prepare,
    .render = wavefront_render,
    .all_samples = true,
    .schedule_repeats = wavefront_repeats,
};
