// SPDX-License-Identifier: MIT
// Times the traversal kernel alone over rays that lie packed in an array.
#pragma once

#include "device/device.h"
#include "bench/ray_bound.h"
#include "bench/ray_idle.h"
#include "bench/ray_scene.h"
#include "tools/trace_ray.h"
#include "trial/execute_settings.h"

struct ray_tracer {
    struct parameters parameters;
    struct device *device;
    const struct device_properties *properties;
    struct device_program *program;
    const struct device_kernel *kernel;
    struct device_stream *stream;
    struct device_event *from, *to;
    struct config config;
    struct scene_on_device uploaded;
    void *rays, *hits; // on the device
    uint32_t most;     // rays that fit
    struct ray_bound bound;
};

// Opens the device that `spec` names; `tracer` is zero but for its parameters and bound.rounds and bound.rows. To be finished even
// after a failure.
bool ray_tracer_open(struct ray_tracer *tracer, const char *spec, struct error *error);
// Whether its bound goes with its parameters. To be asked before it is opened.
bool ray_tracer_suits(const struct ray_tracer *tracer, struct error *error);
// Builds the kernel and uploads the scene; space for `most` rays.
bool ray_tracer_prepare(struct ray_tracer *tracer, const struct ray_scene *scene, uint32_t most, struct error *error);
// Traces `count` rays `repetitions` times, after a quarter as many warm-up runs unless it is once. `median`: of the kernel's
// seconds, undefined on a device without a clock. `hits`: `count` of them, or NULL.
bool ray_tracer_time(struct ray_tracer *tracer, const struct ray_input *rays, uint32_t count, uint32_t repetitions,
                     double *median, struct ray_output *hits, struct error *error);
// Traces the rays once more by the instrumented kernel, which counts: `work` of `count` rays.
bool ray_tracer_count(struct ray_tracer *tracer, const struct ray_input *rays, uint32_t count, struct ray_work *work,
                      struct error *error);
// Traces the rays once more by a kernel that notes where its warps are and when. *known: whether the device has a timer for that.
bool ray_tracer_idle(struct ray_tracer *tracer, const struct ray_input *rays, uint32_t count, bool *known,
                     struct ray_idle *idle, struct error *error);
void ray_tracer_finish(struct ray_tracer *tracer);
