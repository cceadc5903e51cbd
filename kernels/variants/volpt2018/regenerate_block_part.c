// SPDX-License-Identifier: MIT
#include "variants/volpt2018/persistent.h"

#include "variants/volpt2018/regenerate_block_part.kernel.h"

static bool prepare(struct frame *frame, struct error *error)
{
    const struct persistent_kernel kernel = {.name = "regenerate_block_part",
                                             .shared_words = regenerate_words,
                                             .paths = 1u << frame->parameters->lane_paths};
    return persistent_prepare(frame, &kernel, error);
}

static const char *const parameters[] = {PERSISTENT_PARAMETERS, "lane_paths", NULL};

const struct variant variant_regenerate_block_part = {
    .name = "regenerate_block_part",
    .summary = "persistent kernel: after each extension the lanes of a block without a path take new ones together",
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
