// SPDX-License-Identifier: MIT
// One execution: buffers, program, repetitions, and what becomes of them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trial/executor.h"
#include "trial/frame_internal.h"

struct execution {
    struct executor *executor;
    const struct execute_request *request;
    const struct variant *variant;
    const struct device_properties *properties;
    struct device *device;
    struct frame frame;
    struct frame_internal internal;
    struct device_event *span[2];
    size_t film_bytes;
    double *host_seconds; // of each repetition, for the stop rule
    struct measurement *measurement;
    size_t repetition_room;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// ---- preparation
// -------------------------------------------------------------------------------------------------------

static bool upload_scene(struct executor *executor, const struct trial_spec *spec, struct error *error)
{
    uint32_t width, height;
    execute_light_table(&spec->parameters, &width, &height);
    if (!execute_scene(executor, spec, error) ||
        !execute_scene_suits(&spec->parameters, scene_facts(executor->scene), error))
        return false;
    if (!executor->uploaded)
        executor->uploaded = scene_upload(executor->scene, executor->device, &executor->on_device, error);
    return executor->uploaded &&
           scene_upload_cdf(executor->scene, executor->device, width, height, &executor->on_device, error);
}

static bool fill_args(struct execution *run, struct error *error)
{
    const struct parameters *parameters = &run->request->spec->parameters;
    struct frame_args *args = &run->frame.args;
    args->scene = run->executor->on_device.view;
    args->width = (uint32_t)parameters->width;
    args->height = (uint32_t)parameters->height;
    args->pixel_count = args->width * args->height;
    args->seed = (uint32_t)parameters->seed;
    args->max_bounces = (uint32_t)parameters->max_bounces;
    args->count_rows = args->max_bounces + 2;
    args->dummy_flops = (uint32_t)parameters->dummy_flops;
    struct device_constant constants[EXECUTE_CONSTANTS];
    execute_constants(parameters, constants, &args->config);
    return scene_camera(run->executor->scene, run->request->spec->camera, args->width, args->height, &args->camera,
                        error);
}

static bool upload_morton(struct execution *run, struct error *error)
{
    const struct parameter *order = parameter_find("pixel_order");
    char text[32];
    parameter_format(order, run->request->spec->parameters.pixel_order, text, sizeof text);
    if (strcmp(text, "morton"))
        return true;
    struct frame_args *args = &run->frame.args;
    const size_t bytes = (size_t)args->pixel_count * sizeof(uint32_t);
    uint32_t *table = execute_morton_table(args->width, args->height);
    if (!table)
        return error_set(error, ERROR_SYSTEM, "no memory left for the Morton order of the pixels");
    void *memory = frame_memory(&run->frame, bytes, error);
    const bool done = memory && run->device->ops->upload(run->device, NULL, memory, table, bytes, error);
    free(table);
    args->pixel_table = memory;
    return done;
}

static bool make_buffers(struct execution *run, struct error *error)
{
    struct frame *frame = &run->frame;
    run->film_bytes = (size_t)3 * frame->args.pixel_count * sizeof *frame->args.film;
    frame->args.film = frame_memory(frame, run->film_bytes, error);
    if (!frame->args.film || !(frame->args.bad_values = frame_memory(frame, sizeof(uint32_t), error)))
        return false;
    if (run->request->collection == COLLECTION_COUNTS &&
        (!(frame->args.path_length = frame_memory(frame, frame->args.pixel_count, error)) ||
         !run->device->ops->fill(run->device, NULL, frame->args.path_length, 0, frame->args.pixel_count, error)))
        return false;
    for (int i = 0; i < 2; ++i)
        if (!(run->span[i] = run->device->ops->create_event(run->device, error)))
            return false;
    return upload_morton(run, error);
}

static bool check_collection(const struct execution *run, struct error *error)
{
    const enum collection collection = run->request->collection;
    if (collection <= COLLECTION_LAUNCHES)
        return true;
    return error_set(error, ERROR_UNSUPPORTED, "%s: %s has no hardware counters that this program can read",
                     collection_names[collection], run->properties->name);
}

static bool prepare(struct execution *run, struct error *error)
{
    const struct trial_spec *spec = run->request->spec;
    struct executor *executor = run->executor;
    run->properties = execute_device(executor, spec, error);
    if (!run->properties || !check_collection(run, error))
        return false;
    run->device = executor->device;
    run->variant = executor_variant(run->properties, spec, error);
    if (!run->variant || !upload_scene(executor, spec, error))
        return false;
    run->internal = (struct frame_internal){.device = run->device,
                                            .collection = run->request->collection,
                                            .shared_pad = (size_t)spec->parameters.shared_pad};
    run->frame =
        (struct frame){.parameters = &spec->parameters, .properties = run->properties, .internal = &run->internal};
    if (!fill_args(run, error))
        return false;
    run->frame.pixels = run->frame.args.pixel_count;
    run->internal.program = executor_build(run->device, spec, run->request->collection == COLLECTION_COUNTS, error);
    return run->internal.program && frame_open(&run->frame, error) && make_buffers(run, error) &&
           (!run->variant->prepare || run->variant->prepare(&run->frame, error));
}

// ---- repetitions
// -------------------------------------------------------------------------------------------------------

static bool clear_film(struct execution *run, struct error *error)
{
    const struct device_ops *ops = run->device->ops;
    struct device_stream *stream = run->internal.stream;
    return ops->fill(run->device, stream, run->frame.args.film, 0, run->film_bytes, error) &&
           ops->fill(run->device, stream, run->frame.args.bad_values, 0, sizeof(uint32_t), error) &&
           ops->synchronize(run->device, stream, error);
}

static bool check_values(struct execution *run, struct error *error)
{
    uint32_t bad = 0;
    if (!run->device->ops->download(run->device, NULL, &bad, run->frame.args.bad_values, sizeof bad, error))
        return false;
    if (!bad)
        return true;
    error_set(error, ERROR_FAILED, "%u paths brought radiance that is not finite or does not fit the film", bad);
    return error_remedy(error, "check the scene's emission and materials: no channel of a pixel may reach 2^31");
}

static bool render_passes(struct execution *run, struct error *error)
{
    const uint32_t spp = (uint32_t)run->request->spec->parameters.spp;
    for (uint32_t pass = 0; pass < spp; ++pass) {
        run->frame.pass = run->frame.args.sample = pass;
        if (!run->variant->render(&run->frame, error))
            return false;
    }
    return true;
}

// One frame between two clock reads and one pair of events.
static bool render_frame(struct execution *run, struct measured_repetition *row, struct error *error)
{
    const struct device_ops *ops = run->device->ops;
    struct device_stream *stream = run->internal.stream;
    const double start = now();
    if (!ops->record(run->device, stream, run->span[0], error) || !render_passes(run, error) ||
        !ops->record(run->device, stream, run->span[1], error) || !ops->synchronize(run->device, stream, error))
        return false;
    const double end = now();
    double launches;
    if (!frame_end(&run->frame, &launches, error))
        return false;
    *row = run->internal.totals;
    row->host_seconds = end - start;
    if (!ops->elapsed(run->device, run->span[0], run->span[1], &row->device_seconds, error))
        return false;
    row->gap_seconds = row->device_seconds - launches;
    return true;
}

static bool next_repetition(struct execution *run, struct measured_repetition **row, struct error *error)
{
    struct measurement *measurement = run->measurement;
    if (measurement->repetition_count == run->repetition_room) {
        const size_t room = run->repetition_room ? 2 * run->repetition_room : 16;
        void *rows = realloc(measurement->repetitions, room * sizeof *measurement->repetitions);
        if (rows)
            measurement->repetitions = rows;
        void *seconds = realloc(run->host_seconds, room * sizeof *run->host_seconds);
        if (seconds)
            run->host_seconds = seconds;
        if (!rows || !seconds)
            return error_set(error, ERROR_SYSTEM, "no memory left for %zu repetitions", room);
        run->repetition_room = room;
    }
    *row = &measurement->repetitions[measurement->repetition_count];
    return true;
}

static bool repeat(struct execution *run, const struct policy *policy, const char **reason, struct error *error)
{
    struct measurement *measurement = run->measurement;
    for (*reason = NULL; !*reason;) {
        struct measured_repetition *row = NULL;
        if (!next_repetition(run, &row, error) || !clear_film(run, error))
            return false;
        frame_begin(&run->frame, true, (uint32_t)measurement->repetition_count);
        if (!render_frame(run, row, error) || !check_values(run, error))
            return false;
        run->host_seconds[measurement->repetition_count++] = row->host_seconds;
        *reason = policy_stop(policy, run->host_seconds, measurement->repetition_count);
    }
    return true;
}

static bool warm_up(struct execution *run, const struct policy *policy, struct error *error)
{
    for (uint32_t i = 0; i < policy->warmups; ++i) {
        struct measured_repetition ignored;
        frame_begin(&run->frame, false, 0);
        if (!clear_film(run, error) || !render_frame(run, &ignored, error))
            return false;
    }
    return true;
}

// ---- results
// -----------------------------------------------------------------------------------------------------------

static bool take_film(struct execution *run, struct error *error)
{
    struct measurement *measurement = run->measurement;
    int64_t *film = malloc(run->film_bytes);
    if (!film)
        return error_set(error, ERROR_SYSTEM, "no memory left for the image");
    const bool done = run->device->ops->download(run->device, NULL, film, run->frame.args.film, run->film_bytes, error);
    if (done)
        measurement->image = hash_bytes(film, run->film_bytes);
    if (!done || !run->request->keep_film) {
        free(film);
        return done;
    }
    measurement->film = film;
    measurement->film_width = run->frame.args.width;
    measurement->film_height = run->frame.args.height;
    if (!run->frame.args.path_length)
        return true;
    measurement->path_length = malloc(run->frame.pixels);
    return measurement->path_length ? run->device->ops->download(run->device, NULL, measurement->path_length,
                                                                 run->frame.args.path_length, run->frame.pixels, error)
                                    : error_set(error, ERROR_SYSTEM, "no memory left for the path lengths");
}

static bool take_kernels(struct execution *run, struct error *error)
{
    struct measurement *measurement = run->measurement;
    measurement->kernels = calloc(run->internal.kernel_count + 1, sizeof *measurement->kernels);
    if (!measurement->kernels)
        return error_set(error, ERROR_SYSTEM, "no memory left");
    for (size_t i = 0; i < run->internal.kernel_count; ++i) {
        struct measured_kernel *row = &measurement->kernels[measurement->kernel_count++];
        memcpy(row->kernel, run->internal.kernels[i].name, sizeof row->kernel);
        row->facts = run->device->ops->facts(run->internal.kernels[i].kernel);
    }
    return true;
}

static void take_rows(struct execution *run)
{
    struct measurement *measurement = run->measurement;
    struct frame_rows *rows = &run->internal.rows;
    measurement->launches = rows->launches;
    measurement->launch_count = rows->launch_count;
    measurement->counts = rows->counts;
    measurement->count_count = rows->count_count;
    measurement->lockstep = rows->lockstep;
    measurement->lockstep_count = rows->lockstep_count;
    *rows = (struct frame_rows){0};
    measurement->path_hash = run->internal.path_hash;
}

static bool take_results(struct execution *run, const char *reason, struct error *error)
{
    struct measurement *measurement = run->measurement;
    const struct device_properties *properties = run->properties;
    measurement->collection = run->request->collection;
    snprintf(measurement->stop_reason, sizeof measurement->stop_reason, "%s", reason);
    measurement->warp_width = properties->warp_width;
    measurement->multiprocessors = properties->multiprocessors;
    measurement->times = properties->times;
    snprintf(measurement->device_name, sizeof measurement->device_name, "%s", properties->name);
    snprintf(measurement->driver, sizeof measurement->driver, "%s", properties->driver);
    snprintf(measurement->provenance, sizeof measurement->provenance, "%s",
             run->device->ops->provenance(run->internal.program));
    measurement->scene_content = scene_facts(run->executor->scene)->content;
    take_rows(run);
    return take_kernels(run, error) && take_film(run, error);
}

// Counts are exact, and a device without a clock has nothing to repeat for.
static const char *run_policy(const struct execution *run, struct policy *policy)
{
    *policy = policy_once();
    if (run->request->collection == COLLECTION_COUNTS)
        return "fixed";
    if (!run->properties->times)
        return "untimed";
    *policy = run->request->policy;
    return NULL;
}

static bool perform(struct execution *run, struct error *error)
{
    const double start = now();
    if (!prepare(run, error))
        return false;
    struct policy policy;
    const char *fixed = run_policy(run, &policy), *reason;
    run->measurement->prepare_seconds = now() - start;
    return warm_up(run, &policy, error) && repeat(run, &policy, &reason, error) &&
           take_results(run, fixed ? fixed : reason, error);
}

bool execute(struct executor *executor, const struct execute_request *request, struct measurement *measurement,
             struct error *error)
{
    *measurement = (struct measurement){0};
    struct execution run = {.executor = executor, .request = request, .measurement = measurement};
    const bool done = perform(&run, error);
    if (run.internal.device) {
        struct device_program *program = run.internal.program;
        for (int i = 0; i < 2; ++i)
            if (run.span[i])
                run.device->ops->destroy_event(run.device, run.span[i]);
        frame_close(&run.frame);
        if (program)
            run.device->ops->release_program(run.device, program);
    }
    free(run.host_seconds);
    if (!done && error && error->kind != ERROR_UNSUPPORTED)
        executor_drop_device(executor);
    return done;
}
