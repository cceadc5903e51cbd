// SPDX-License-Identifier: MIT
#include "variants/volpt2018/persistent.h"

#include "variants/volpt2018/regenerate_warp.kernel.h"

static bool prepare(struct frame *frame, struct error *error)
{
    const struct persistent_kernel kernel = {
        .name = "regenerate_warp", .shared_words = regenerate_words, .paths = 1u << frame->parameters->lane_paths};
    return persistent_prepare(frame, &kernel, error);
}

static const char *const parameters[] = {PERSISTENT_PARAMETERS, "lane_paths", NULL};

const struct variant variant_regenerate_warp = {
    .name = "regenerate_warp",
    .summary = "persistent kernel: the lanes of a warp take new paths once all of theirs have ended",
    .paper = "volpt2018",
    .estimator = &estimator_volume,
    .parameters = parameters,
    .supports = persistent_supports,
    .prepare = prepare,
    .render = persistent_render,
    .persistent = true,
    .all_samples = true,
    .schedule_repeats = persistent_repeats,
};
