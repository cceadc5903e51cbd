// SPDX-License-Identifier: MIT
#include "variants/volpt2018/persistent.h"

#include "variants/volpt2018/persistent_args.h"

struct persistent {
    struct persistent_kernel kernel;
    uint32_t grid;
    struct tiles tiles;
    uint32_t *words[FRAME_STREAMS]; // of the queue, for each tile that runs at the same time
    struct path_store stores[FRAME_STREAMS];
};

bool persistent_supports(const struct parameters *parameters, const struct device_properties *device, char *reason,
                         size_t size)
{
    if (parameters->tile_streams > 1 && parameters->tickets == TICKETS_ORDERED) {
        snprintf(reason, size, "tiles at the same time need tickets: atomic, since ordered ones wait for a whole grid");
        return false;
    }
    return tiles_support(parameters, device, reason, size);
}

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
        .cooperative = state->tiles.streams == 1, // grids that run beside one another are not all resident
    };
}

// Blocks that have a path for each lane.
static uint32_t blocks_for(const struct frame *frame, uint32_t paths)
{
    const struct persistent *state = frame->state;
    const uint32_t needed = (paths - 1) / ((uint32_t)frame->parameters->block * state->kernel.paths) + 1;
    return state->grid < needed ? state->grid : needed;
}

bool persistent_prepare(struct frame *frame, const struct persistent_kernel *kernel, struct error *error)
{
    struct persistent *state = frame->state = frame_state(frame, sizeof *state, error);
    if (!state || !tiles_prepare(frame, &state->tiles, error))
        return false;
    state->kernel = *kernel;
    struct persistent_args args = {.frame = frame->args};
    const struct frame_launch launch = launch_of(frame, &args);
    if (!frame_resident_grid(frame, &launch, &state->grid, error))
        return false;
    state->grid = blocks_for(frame, volume_paths(frame));
    for (uint32_t i = 0; i < state->tiles.streams; ++i) {
        state->words[i] = frame_memory(frame, queue_words(state->grid) * sizeof(uint32_t), error);
        if (!state->words[i] ||
            (kernel->stores && !volume_store_alloc(frame, state->grid * launch.block, &state->stores[i], error)))
            return false;
    }
    return true;
}

static bool launch_tile(struct frame *frame, const struct volume_tile *tile, uint32_t place, struct error *error)
{
    const struct persistent *state = frame->state;
    const uint32_t paths = tile->pixels * frame->args.samples;
    struct persistent_args args = {
        .frame = frame->args,
        .tile = *tile,
        .queue = {state->words[place], paths},
        .store = state->stores[place],
        .sort_key = (uint32_t)frame->parameters->sort_key,
        .dead_key = (uint32_t)frame->parameters->dead_key,
    };
    const size_t bytes = queue_words(state->grid) * sizeof(uint32_t);
    struct frame_launch launch = launch_of(frame, &args);
    launch.grid = blocks_for(frame, paths);
    if (!frame_clear(frame, state->words[place], 0, bytes, 0, error))
        return false;
    if (tile->x == 0 && tile->y == 0)
        frame_note(frame, &(struct bounce_counts){.scheme_bytes = bytes + volume_store_bytes(args.store.slots)});
    return frame_launch(frame, &launch, error);
}

bool persistent_render(struct frame *frame, struct error *error)
{
    const struct persistent *state = frame->state;
    return tiles_render(frame, &state->tiles, launch_tile, error);
}

bool persistent_repeats(const struct parameters *parameters)
{
    return parameters->tickets == TICKETS_ORDERED;
}
