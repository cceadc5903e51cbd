// SPDX-License-Identifier: MIT
#include "variants/volpt2018/persistent.h"

#include "variants/volpt2018/regenerate_block.kernel.h"

static bool prepare(struct frame *frame, struct error *error)
{
    const struct persistent_kernel kernel = {
        .name = "regenerate_block", .shared_words = regenerate_words, .paths = 1u << frame->parameters->lane_paths};
    return persistent_prepare(frame, &kernel, error);
}

static const char *const parameters[] = {PERSISTENT_PARAMETERS, "lane_paths", NULL};

const struct variant variant_regenerate_block = {
    .name = "regenerate_block",
    .summary = "persistent kernel: the lanes of a block take new paths once all of theirs have ended",
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
