// SPDX-License-Identifier: MIT
#include "bench/ray_tracer.h"

#include <stdlib.h>

#include "base/memory.h"

bool ray_tracer_open(struct ray_tracer *tracer, const char *spec, struct error *error)
{
    struct device_settings settings;
    if (!execute_device_settings(&tracer->parameters, &settings, error))
        return false;
    tracer->device = device_open(spec, &settings, error);
    if (!tracer->device)
        return false;
    tracer->properties = tracer->device->ops->properties(tracer->device);
    return true;
}

// `constants`: room for them. The variant is the caller's to set.
static struct device_build describe_build(struct ray_tracer *tracer, struct device_constant *constants)
{
    const int64_t cap = tracer->parameters.registers;
    const size_t count = execute_constants(&tracer->parameters, constants, &tracer->config);
    return (struct device_build){
        .register_cap = cap == PARAMETER_AUTO ? 0 : (uint32_t)cap, .constants = constants, .constant_count = count};
}

static const struct device_kernel *build_kernel(struct ray_tracer *tracer, const char *tool, const char *name,
                                                bool counting, struct device_program **program, struct error *error)
{
    const struct device_ops *ops = tracer->device->ops;
    struct device_constant constants[EXECUTE_CONSTANTS];
    struct device_build build = describe_build(tracer, constants);
    build.variant = tool;
    build.counting = counting;
    *program = ops->build(tracer->device, &build, error);
    return *program ? ops->kernel(*program, name, error) : NULL;
}

bool ray_tracer_suits(const struct ray_tracer *tracer, struct error *error)
{
    const struct parameters *parameters = &tracer->parameters;
    if (tracer->bound.rounds == 0 ||
        (parameters->tree == TREE_WIDE4 && parameters->traversal == TRAVERSAL_VOTED && !parameters->far_first))
        return true;
    error_set(error, ERROR_USE,
              "a bound of rounds is for the tree wide4, traversed by voted phases, the nearest child first");
    return error_remedy(error, "add --set tree=wide4 --set traversal=voted, and leave far_first at no");
}

static bool prepare_bound(struct ray_tracer *tracer, uint32_t most, struct error *error)
{
    struct device_constant constants[EXECUTE_CONSTANTS];
    if (tracer->bound.rounds == 0)
        return true;
    if (tracer->uploaded.view.tree == TREE_WIDE4_FLOAT) {
        error_set(error, ERROR_UNSUPPORTED,
                  "a bound of rounds: this scene's detail is too fine for the grid of wide4's nodes");
        return error_remedy(error, "add --set splits=spatial, whose boxes are on the grid");
    }
    const struct device_build build = describe_build(tracer, constants);
    return ray_bound_prepare(&tracer->bound, tracer->device, &build, most, error);
}

bool ray_tracer_prepare(struct ray_tracer *tracer, const struct ray_scene *scene, uint32_t most, struct error *error)
{
    struct device *device = tracer->device;
    const struct device_ops *ops = device->ops;
    tracer->most = most;
    tracer->kernel = build_kernel(tracer, "tools/rays", "trace_rays", false, &tracer->program, error);
    return tracer->kernel && ray_scene_upload(scene, device, &tracer->uploaded, error) &&
           prepare_bound(tracer, most, error) &&
           (tracer->rays = ops->alloc(device, (size_t)most * sizeof(struct ray_input), error)) &&
           (tracer->hits = ops->alloc(device, (size_t)most * sizeof(struct ray_output), error)) &&
           (tracer->stream = ops->create_stream(device, error)) && (tracer->from = ops->create_event(device, error)) &&
           (tracer->to = ops->create_event(device, error));
}

void ray_tracer_finish(struct ray_tracer *tracer)
{
    struct device *device = tracer->device;
    if (!device)
        return;
    const struct device_ops *ops = device->ops;
    ray_bound_finish(&tracer->bound);
    if (tracer->from)
        ops->destroy_event(device, tracer->from);
    if (tracer->to)
        ops->destroy_event(device, tracer->to);
    if (tracer->stream)
        ops->destroy_stream(device, tracer->stream);
    ops->release(device, tracer->rays);
    ops->release(device, tracer->hits);
    scene_release(device, &tracer->uploaded);
    if (tracer->program)
        ops->release_program(device, tracer->program);
    device_close(device);
    tracer->device = NULL;
}

// `work`, `spans`: on the device, of the kernels that write them; else NULL.
static bool trace_rays(struct ray_tracer *tracer, const struct device_kernel *kernel, uint32_t count,
                       struct ray_work *work, struct ray_span *spans, struct error *error)
{
    const uint32_t block = (uint32_t)tracer->parameters.block;
    execute_scene_options(&tracer->parameters, &tracer->uploaded.view);
    const struct trace_rays_args args = {.scene = tracer->uploaded.view,
                                         .config = tracer->config,
                                         .rays = tracer->rays,
                                         .hits = tracer->hits,
                                         .count = count,
                                         .work = work,
                                         .spans = spans};
    if (kernel == tracer->kernel && tracer->bound.rounds > 0)
        return ray_bound_launch(&tracer->bound, tracer->stream, &args, block, error);
    const struct device_launch launch = {.kernel = kernel,
                                         .grid = (args.count + block - 1) / block,
                                         .block = block,
                                         .args = &args,
                                         .args_size = sizeof args};
    return tracer->device->ops->launch(tracer->device, tracer->stream, &launch, error);
}

static bool trace_once(struct ray_tracer *tracer, uint32_t count, double *seconds, struct error *error)
{
    const struct device_ops *ops = tracer->device->ops;
    return ops->record(tracer->device, tracer->stream, tracer->from, error) &&
           trace_rays(tracer, tracer->kernel, count, NULL, NULL, error) &&
           ops->record(tracer->device, tracer->stream, tracer->to, error) &&
           ops->synchronize(tracer->device, tracer->stream, error) &&
           ops->elapsed(tracer->device, tracer->from, tracer->to, seconds, error);
}

static int compare_times(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool time_runs(struct ray_tracer *tracer, uint32_t count, uint32_t repetitions, double *median,
                      struct error *error)
{
    const uint32_t warm = repetitions > 1 ? (repetitions + 3) / 4 : 0;
    double unused, *times = memory_new(repetitions, sizeof *times);
    bool done = true;
    for (uint32_t i = 0; done && i < warm; ++i)
        done = trace_once(tracer, count, &unused, error);
    for (uint32_t i = 0; done && i < repetitions; ++i)
        done = trace_once(tracer, count, &times[i], error);
    if (done) {
        qsort(times, repetitions, sizeof *times, compare_times);
        *median = 0.5 * (times[(repetitions - 1) / 2] + times[repetitions / 2]);
    }
    free(times);
    return done;
}

bool ray_tracer_time(struct ray_tracer *tracer, const struct ray_input *rays, uint32_t count, uint32_t repetitions,
                     double *median, struct ray_output *hits, struct error *error)
{
    const struct device_ops *ops = tracer->device->ops;
    return ops->upload(tracer->device, NULL, tracer->rays, rays, count * sizeof *rays, error) &&
           ops->fill(tracer->device, NULL, tracer->hits, 0xA5, count * sizeof *hits, error) &&
           time_runs(tracer, count, repetitions, median, error) &&
           (!hits || ops->download(tracer->device, NULL, hits, tracer->hits, count * sizeof *hits, error));
}

bool ray_tracer_count(struct ray_tracer *tracer, const struct ray_input *rays, uint32_t count, struct ray_work *work,
                      struct error *error)
{
    struct device *device = tracer->device;
    const struct device_ops *ops = device->ops;
    struct device_program *program = NULL;
    struct ray_work *counted = NULL;
    const struct device_kernel *kernel = build_kernel(tracer, "tools/rays", "trace_rays", true, &program, error);
    const bool done = kernel && (counted = ops->alloc(device, count * sizeof *counted, error)) &&
                      ops->upload(device, NULL, tracer->rays, rays, count * sizeof *rays, error) &&
                      trace_rays(tracer, kernel, count, counted, NULL, error) &&
                      ops->synchronize(device, tracer->stream, error) &&
                      ops->download(device, NULL, work, counted, count * sizeof *work, error);
    ops->release(device, counted);
    if (program)
        ops->release_program(device, program);
    return done;
}

bool ray_tracer_idle(struct ray_tracer *tracer, const struct ray_input *rays, uint32_t count, bool *known,
                     struct ray_idle *idle, struct error *error)
{
    struct device *device = tracer->device;
    const struct device_ops *ops = device->ops;
    const uint32_t block = (uint32_t)tracer->parameters.block, width = tracer->properties->warp_width;
    const uint32_t warps = (block + width - 1) / width, last = count % block;
    const size_t spans = (size_t)(count / block) * warps + (last + width - 1) / width,
                 bytes = spans * sizeof(struct ray_span);
    struct device_program *program = NULL;
    struct ray_span *noted = NULL, *read = memory_new(spans, sizeof *read);
    const struct device_kernel *kernel =
        build_kernel(tracer, "tools/ray_spans", "trace_ray_spans", false, &program, error);
    bool done = kernel && (noted = ops->alloc(device, bytes, error)) &&
                ops->upload(device, NULL, tracer->rays, rays, count * sizeof *rays, error);
    for (int i = 0; done && i < 2; ++i) // the first loads the kernel, and fills the caches as warm-up runs do
        done = trace_rays(tracer, kernel, count, NULL, noted, error);
    done = done && ops->synchronize(device, tracer->stream, error) &&
           ops->download(device, NULL, read, noted, bytes, error);
    *known = done && ray_idle_of(read, spans, tracer->properties->multiprocessors, idle);
    free(read);
    ops->release(device, noted);
    if (program)
        ops->release_program(device, program);
    return done;
}
