// SPDX-License-Identifier: MIT
// V-REGEN-T: a single cooperative launch of as many blocks as the device holds, or fewer where there are fewer paths.
#include "variants/volpt2018/paths.h"

#include "variants/volpt2018/regenerate_thread.kernel.h"

struct regenerate_thread {
    uint32_t grid;
    uint32_t *words; // of the queue
};

static struct frame_launch launch_of(const struct frame *frame, struct regenerate_thread_args *args, uint32_t grid)
{
    const uint32_t block = (uint32_t)frame->parameters->block;
    return (struct frame_launch){
        .kernel = "regenerate_thread",
        .grid = grid,
        .block = block,
        .shared_bytes = block_scan_words(block, frame->properties->warp_width) * sizeof(uint32_t),
        .args = args,
        .args_size = sizeof *args,
        .bounce = -1,
        .cooperative = true,
    };
}

static bool prepare(struct frame *frame, struct error *error)
{
    struct regenerate_thread_args args = {.frame = frame->args};
    const struct frame_launch launch = launch_of(frame, &args, 0);
    struct regenerate_thread *state = frame->state = frame_state(frame, sizeof *state, error);
    if (!state || !frame_resident_grid(frame, &launch, &state->grid, error))
        return false;
    const uint32_t needed = (volume_paths(frame) - 1) / launch.block + 1;
    state->grid = state->grid < needed ? state->grid : needed;
    state->words = frame_memory(frame, queue_words(state->grid) * sizeof *state->words, error);
    return state->words != NULL;
}

static bool render(struct frame *frame, struct error *error)
{
    const struct regenerate_thread *state = frame->state;
    struct regenerate_thread_args args = {.frame = frame->args, .queue = {state->words, volume_paths(frame)}};
    const struct frame_launch launch = launch_of(frame, &args, state->grid);
    return frame_clear(frame, state->words, 0, queue_words(state->grid) * sizeof *state->words, 0, error) &&
           frame_launch(frame, &launch, error);
}

static bool schedule_repeats(const struct parameters *parameters)
{
    return parameters->tickets == TICKETS_ORDERED;
}

static const char *const parameters[] = {VOLUME_PARAMETERS, "tickets", "resident_blocks", "multiprocessors", NULL};

const struct variant variant_regenerate_thread = {
    .name = "regenerate_thread",
    .summary = "persistent kernel: a lane whose path has ended takes the next one from a queue",
    .paper = "volpt2018",
    .estimator = &estimator_volume,
    .parameters = parameters,
    .supports = volume_supports,
    .prepare = prepare,
    .render = render,
    .persistent = true,
    .all_samples = true,
    .schedule_repeats = schedule_repeats,
};
