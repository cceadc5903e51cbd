// SPDX-License-Identifier: MIT
// One execution: buffers and program, the frame, and the order of things.
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "frame/pixel_table.h"
#include "trial/execute.h"
#include "trial/execution.h"

// ---- preparation

static bool fill_args(struct execution *run, struct error *error)
{
    const struct parameters *parameters = &run->request->spec->parameters;
    struct frame_args *args = &run->frame.args;
    args->scene = *run->scene.view;
    execute_scene_options(parameters, &args->scene);
    args->width = args->film_width = (uint32_t)parameters->width;
    args->height = (uint32_t)parameters->height;
    args->pixel_count = args->width * args->height;
    args->seed = (uint32_t)parameters->seed;
    args->samples = (uint32_t)parameters->spp;
    args->max_bounces = run->variant->estimator->limit(parameters);
    args->count_rows = count_bin(args->max_bounces) + 2;
    args->dummy_flops = (uint32_t)parameters->dummy_flops;
    struct device_constant constants[EXECUTE_CONSTANTS];
    execute_constants(parameters, constants, &args->config);
    return scene_camera(run->scene.scene, run->request->spec->camera, args->width, args->height, &args->camera, error);
}

static bool upload_order(struct execution *run, struct error *error)
{
    const struct parameter *order = parameter_find("pixel_order");
    char text[32];
    parameter_format(order, run->request->spec->parameters.pixel_order, text, sizeof text);
    const bool random = !strcmp(text, "random");
    if (!random && strcmp(text, "morton"))
        return true;
    struct frame_args *args = &run->frame.args;
    const size_t bytes = (size_t)args->pixel_count * sizeof(uint32_t);
    uint32_t *table = (random ? pixel_table_random : pixel_table_morton)(args->width, args->height);
    if (!table)
        return error_memory(error, "for the %s order of the pixels", text);
    void *memory = frame_memory(&run->frame, bytes, error);
    const bool done = memory && run->device->ops->upload(run->device, NULL, memory, table, bytes, error);
    free(table);
    args->pixel_table = memory;
    return done;
}

static bool make_buffers(struct execution *run, struct error *error)
{
    struct frame *frame = &run->frame;
    const size_t lengths = (size_t)frame->args.pixel_count * sizeof *frame->args.path_length;
    run->film_bytes = (size_t)3 * frame->args.pixel_count * sizeof *frame->args.film;
    run->film = frame->parameters->tile_film == TILE_FILM_TILE ? frame_host_memory(frame, run->film_bytes, error)
                                                               : frame_memory(frame, run->film_bytes, error);
    frame->args.film = run->film;
    if (!run->film || !(frame->args.bad_values = frame_memory(frame, BAD_VALUES * sizeof(uint32_t), error)))
        return false;
    if (run->request->collection == COLLECTION_COUNTS &&
        (!(frame->args.path_length = frame_memory(frame, lengths, error)) ||
         !run->device->ops->fill(run->device, NULL, frame->args.path_length, 0, lengths, error)))
        return false;
    for (int i = 0; i < 2 && run->request->collection == COLLECTION_LAUNCHES; ++i)
        if (!(run->span[i] = run->device->ops->create_event(run->device, error)))
            return false;
    return upload_order(run, error);
}

// Wants four times the memory that there is: to come close by degrees would starve the machine of an emulator.
static bool use_memory_up(struct execution *run, struct error *error)
{
    return frame_memory(&run->frame, 4 * (size_t)run->properties->memory, error) &&
           error_set(error, ERROR_FAILED, "%s gave four times its memory", run->properties->name);
}

static bool inject_fault(struct execution *run, struct error *error)
{
    enum { NOWHERE = 16 };
    if (run->request->fault == EXECUTE_FAULT_ILLEGAL)
        run->frame.args.film = (uint64_t *)(uintptr_t)NOWHERE; // run->film stays
    return run->request->fault != EXECUTE_FAULT_OOM || use_memory_up(run, error);
}

// What to do for each collection.
static bool (*const gather[COLLECTION_KINDS])(struct execution *, const char **reason, struct error *) = {
    [COLLECTION_COUNTS] = execution_repeat,   [COLLECTION_FRAME] = execution_repeat,
    [COLLECTION_LAUNCHES] = execution_repeat, [COLLECTION_COUNTERS] = execution_counters,
    [COLLECTION_STALLS] = execution_stalls,   [COLLECTION_TIMELINE] = execution_timeline,
};

static bool check_collection(const struct execution *run, struct error *error)
{
    return run->request->collection < COLLECTION_COUNTERS || execution_can_count(run, error);
}

static bool begin_frame(struct execution *run, const struct trial_spec *spec, struct error *error)
{
    const int64_t carveout = spec->parameters.carveout;
    run->internal = (struct frame_internal){.device = run->device,
                                            .collection = run->request->collection,
                                            .shared_pad = (size_t)spec->parameters.shared_pad,
                                            .carveout = carveout == PARAMETER_AUTO ? 0 : (uint32_t)carveout};
    run->frame =
        (struct frame){.parameters = &spec->parameters, .properties = run->properties, .internal = &run->internal};
    if (!fill_args(run, error))
        return false;
    run->frame.pixels = run->frame.args.pixel_count;
    run->internal.program = executor_program(run->executor, spec, run->request->collection == COLLECTION_COUNTS, error);
    return run->internal.program && frame_open(&run->frame, error) && make_buffers(run, error) &&
           (!run->variant->prepare || run->variant->prepare(&run->frame, error));
}

static bool execute_frame_prepare(struct execution *run, struct error *error)
{
    const struct trial_spec *spec = run->request->spec;
    run->properties = execute_device(run->executor, spec, error);
    if (!run->properties)
        return false;
    run->device = run->executor->device;
    if (!check_collection(run, error))
        return false;
    run->variant = executor_variant(run->properties, spec, error);
    return run->variant && executor_can_trace(run->device, spec, error) &&
           executor_upload_scene(run->executor, spec, &run->scene, error) && begin_frame(run, spec, error) &&
           inject_fault(run, error);
}

// ---- the whole

static bool perform(struct execution *run, struct error *error)
{
    const double start = clock_seconds();
    const char *reason = "";
    if (!execute_frame_prepare(run, error))
        return false;
    run->measurement->prepare_seconds = clock_seconds() - start;
    return execution_gate(run, error) && gather[run->request->collection](run, &reason, error) &&
           execution_conditions_after(run, error) && execution_results(run, reason, error);
}

static void execute_frame_finish(struct execution *run, bool done, const struct error *error)
{
    if (run->internal.device) {
        for (int i = 0; i < 2; ++i)
            if (run->span[i])
                run->device->ops->destroy_event(run->device, run->span[i]);
        frame_close(&run->frame);
    }
    free(run->host_seconds);
    if (!done && error && error->kind != ERROR_UNSUPPORTED && error->kind != ERROR_UNAVAILABLE)
        executor_drop_device(run->executor);
}

bool execute(struct executor *executor, const struct execute_request *request, struct measurement *measurement,
             struct error *error)
{
    *measurement = (struct measurement){0};
    struct execution run = {.executor = executor, .request = request, .measurement = measurement};
    const bool done = perform(&run, error);
    execute_frame_finish(&run, done, error);
    return done;
}

bool execute_watched(struct executor *executor, const struct trial_spec *spec, const struct frame_hooks *hooks,
                     void *context, struct error *error)
{
    const struct execute_request request = {.spec = spec, .collection = COLLECTION_FRAME, .policy = policy_once()};
    struct measurement measurement = {0};
    struct execution run = {.executor = executor, .request = &request, .measurement = &measurement};
    bool done = execute_frame_prepare(&run, error);
    run.internal.hook_context = context;
    done = done && execution_frame(&run, hooks, false, error);
    execute_frame_finish(&run, done, error);
    return done;
}
