// SPDX-License-Identifier: MIT
// Renders nothing, with the same calls as a real variant: the runner's own test subject.
#include "frame/variant.h"

#include "variants/examples/null.kernel.h"

static bool null_render(struct frame *frame, struct error *error)
{
    struct null_args args = {.frame = frame->args};
    const struct frame_launch launch = {
        .kernel = "null_touch",
        .grid = 1,
        .block = (uint32_t)frame->parameters->block,
        .args = &args,
        .args_size = sizeof args,
        .bounce = -1,
    };
    return frame_launch(frame, &launch, error);
}

const struct variant variant_null = {
    .name = "null",
    .summary = "does nothing: tests the harness itself",
    .paper = "",
    .estimator = &estimator_nothing,
    .parameters = {.block = true},
    .render = null_render,
};
