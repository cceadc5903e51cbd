// SPDX-License-Identifier: MIT
#include "variants/volpt2018/persistent.h"

#include "variants/volpt2018/persistent_args.h"

struct persistent {
    struct persistent_kernel kernel;
    uint32_t grid;
    uint32_t *words; // of the queue
    struct path_store store;
};

static struct frame_launch launch_of(const struct frame *frame, struct persistent_args *args)
{
    const struct persistent *state = frame->state;
    const uint32_t block = (uint32_t)frame->parameters->block;
    return (struct frame_launch){
        .kernel = state->kernel.name,
        .grid = state->grid,
        .block = block,
        .shared_bytes = state->kernel.shared_words(block, frame->properties->warp_width) * sizeof(uint32_t),
        .args = args,
        .args_size = sizeof *args,
        .bounce = -1,
        .cooperative = true,
    };
}

bool persistent_prepare(struct frame *frame, const struct persistent_kernel *kernel, struct error *error)
{
    struct persistent *state = frame->state = frame_state(frame, sizeof *state, error);
    if (!state)
        return false;
    state->kernel = *kernel;
    struct persistent_args args = {.frame = frame->args};
    const struct frame_launch launch = launch_of(frame, &args);
    if (!frame_resident_grid(frame, &launch, &state->grid, error))
        return false;
    const uint32_t needed = (volume_paths(frame) - 1) / (launch.block * kernel->paths) + 1;
    state->grid = state->grid < needed ? state->grid : needed;
    state->words = frame_memory(frame, queue_words(state->grid) * sizeof *state->words, error);
    return state->words &&
           (!kernel->stores || volume_store_alloc(frame, state->grid * launch.block, &state->store, error));
}

bool persistent_render(struct frame *frame, struct error *error)
{
    const struct persistent *state = frame->state;
    struct persistent_args args = {
        .frame = frame->args,
        .queue = {state->words, volume_paths(frame)},
        .store = state->store,
        .sort_key = (uint32_t)frame->parameters->sort_key,
        .dead_key = (uint32_t)frame->parameters->dead_key,
    };
    const struct frame_launch launch = launch_of(frame, &args);
    const size_t bytes = queue_words(state->grid) * sizeof *state->words;
    if (!frame_clear(frame, state->words, 0, bytes, 0, error))
        return false;
    frame_note(frame, &(struct bounce_counts){.scheme_bytes = bytes + volume_store_bytes(state->store.slots)});
    return frame_launch(frame, &launch, error);
}

bool persistent_repeats(const struct parameters *parameters)
{
    return parameters->tickets == TICKETS_ORDERED;
}
