// SPDX-License-Identifier: MIT
#include "variants/volpt2018/persistent.h"

#include "variants/volpt2018/regenerate_thread.kernel.h"

static bool prepare(struct frame *frame, struct error *error)
{
    const struct persistent_kernel kernel = {
        .name = "regenerate_thread", .shared_words = regenerate_words, .paths = 1u << frame->parameters->lane_paths};
    return persistent_prepare(frame, &kernel, error);
}

static const char *const parameters[] = {PERSISTENT_PARAMETERS, "lane_paths", NULL};

const struct variant variant_regenerate_thread = {
    .name = "regenerate_thread",
    .summary = "persistent kernel: a lane whose path has ended takes the next one from a queue",
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
