// SPDX-License-Identifier: MIT
// V-NAIVE-MK: for each sample of all pixels, a launch for every extension that one of its paths takes. Controls: slots that
// live found through a list, made anew after each extension; and all extensions of a sample in one cooperative launch.
#include "variants/volpt2018/paths.h"

#include "variants/volpt2018/volume_steps.kernel.h"

struct volume_steps {
    struct path_store store;
    uint32_t *ended, *lists[2], *listed; // device
    uint8_t *lives;
    uint32_t grid; // of the cooperative launch
    size_t bytes;
};

static bool makes_lists(const struct frame *frame)
{
    return frame->parameters->step_list == STEP_LIST_INDICES;
}

static struct frame_launch launch_of(const struct frame *frame, struct volume_steps_args *args)
{
    const uint32_t block = (uint32_t)frame->parameters->block;
    return (struct frame_launch){
        .kernel = "volume_steps_extend",
        .grid = (args->count + block - 1) / block,
        .block = block,
        .args = args,
        .args_size = sizeof *args,
        .stage = "extend",
        .bounce = -1,
    };
}

static struct frame_launch whole_launch_of(const struct frame *frame, struct volume_steps_args *args)
{
    struct frame_launch launch = launch_of(frame, args);
    launch.kernel = "volume_steps_whole";
    launch.cooperative = true;
    return launch;
}

static bool volume_steps_prepare(struct frame *frame, struct error *error)
{
    struct volume_steps *state = frame->state = frame_state(frame, sizeof *state, error);
    const uint32_t slots = frame->pixels;
    if (!state || !volume_store_alloc(frame, slots, &state->store, error) ||
        !(state->ended = frame_memory(frame, STEPS_SWITCHES * sizeof *state->ended, error)))
        return false;
    state->bytes = volume_store_bytes(slots) + STEPS_SWITCHES * sizeof *state->ended;
    if (frame->parameters->launches == LAUNCHES_ONE) {
        struct volume_steps_args args = {.frame = frame->args, .count = slots};
        const struct frame_launch launch = whole_launch_of(frame, &args);
        if (!frame_resident_grid(frame, &launch, &state->grid, error))
            return false;
        state->grid = state->grid < launch.grid ? state->grid : launch.grid;
    }
    if (!makes_lists(frame))
        return true;
    state->bytes += slots * (2 * sizeof(uint32_t) + 1) + sizeof *state->listed;
    for (int i = 0; i < 2; ++i)
        if (!(state->lists[i] = frame_memory(frame, slots * sizeof(uint32_t), error)))
            return false;
    return (state->listed = frame_memory(frame, sizeof *state->listed, error)) &&
           (state->lives = frame_memory(frame, slots, error));
}

// How many paths go on; through a list of their slots where one is made.
static bool count_living(struct frame *frame, struct volume_steps_args *args, uint32_t step, uint32_t *living,
                         struct error *error)
{
    const struct volume_steps *state = frame->state;
    if (!makes_lists(frame)) {
        uint32_t ended;
        if (!frame_read(frame, state->ended, &ended, 1, error))
            return false;
        *living = args->count - ended;
        return true;
    }
    uint32_t *list = state->lists[step % 2];
    if (!frame_select_flagged(frame, args->list, state->lives, list, state->listed, args->count, (int32_t)step,
                              error) ||
        !frame_read(frame, state->listed, living, 1, error))
        return false;
    args->list = list;
    args->count = *living;
    return true;
}

// A launch of as many lanes as the extension before it had, which leaves the paths as they are.
static bool launch_train(struct frame *frame, struct volume_steps_args *args, uint32_t step, struct error *error)
{
    struct frame_launch launch = launch_of(frame, args);
    launch.kernel = frame->parameters->step_train == STEP_TRAIN_EMPTY ? "volume_steps_empty" : "volume_steps_state";
    launch.stage = "train";
    launch.iteration = (int32_t)step;
    launch.auxiliary = true;
    return frame->parameters->step_train == STEP_TRAIN_NONE || frame_launch(frame, &launch, error);
}

static bool volume_steps_render(struct frame *frame, struct error *error)
{
    const struct volume_steps *state = frame->state;
    struct volume_steps_args args = {
        .frame = frame->args,
        .store = state->store,
        .first = frame->args.sample * frame->pixels,
        .count = frame->pixels,
        .lives = state->lives,
        .ended = makes_lists(frame) ? NULL : state->ended,
    };
    if (!makes_lists(frame) && !frame_clear(frame, state->ended, 0, STEPS_SWITCHES * sizeof *state->ended, 0, error))
        return false;
    if (frame->args.sample == 0)
        frame_note(frame, &(struct bounce_counts){.scheme_bytes = state->bytes});
    if (frame->parameters->launches == LAUNCHES_ONE) {
        struct frame_launch launch = whole_launch_of(frame, &args);
        launch.grid = state->grid;
        return frame_launch(frame, &launch, error);
    }
    for (uint32_t step = 0, living = args.count; living > 0; ++step) {
        struct frame_launch launch = launch_of(frame, &args);
        launch.iteration = (int32_t)step;
        if (step == 0)
            launch.kernel = "volume_steps_begin";
        if (!frame_launch(frame, &launch, error) || !launch_train(frame, &args, step, error) ||
            !count_living(frame, &args, step, &living, error))
            return false;
    }
    return true;
}

static bool volume_steps_supports(const struct parameters *parameters, const struct device_properties *device,
                                  char *reason, size_t size)
{
    if (parameters->launches == LAUNCHES_ONE && parameters->step_list == STEP_LIST_INDICES) {
        snprintf(reason, size, "the host makes the list of step_list: indices, between launches");
        return false;
    }
    if (parameters->launches == LAUNCHES_ONE && parameters->step_train != STEP_TRAIN_NONE) {
        snprintf(reason, size, "step_train follows each of many launches: launches: many");
        return false;
    }
    return volume_supports(parameters, device, reason, size);
}

const struct variant variant_volume_steps = {
    .name = "volume_steps",
    .summary = "a launch for each extension of a sample's paths through a volume, their state in memory",
    .paper = "volpt2018",
    .estimator = &estimator_volume,
    .parameters = {VOLUME_PARAMETERS, .launches = true, .step_list = true, .step_train = true, .resident_blocks = true,
                   .multiprocessors = true, .exact_rounds = true},
    .supports = volume_steps_supports,
    .prepare = volume_steps_prepare,
    .render = volume_steps_render,
    .persistent = true,
};
