// SPDX-License-Identifier: MIT
#include "trial/execute.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "scene/scene_cache.h"
#include "trees/tree.h"
#include "trial/execution.h"

struct executor *executor_create(void)
{
    struct executor *executor = memory_new(1, sizeof *executor);
    executor->ordinal = -1;
    return executor;
}

void executor_pin(struct executor *executor, uint32_t ordinal)
{
    executor->ordinal = (int32_t)ordinal;
}

void executor_drop_device(struct executor *executor)
{
    executor_release_scenes(executor);
    if (executor->device) {
        executor_forget_programs(executor);
        execution_free_slices(executor);
    }
    device_close(executor->device);
    executor->device = NULL;
    executor->asked_foreign = false;
}

void executor_destroy(struct executor *executor)
{
    if (!executor)
        return;
    executor_drop_device(executor);
    executor_close_scenes(executor);
    free(executor);
}

void executor_progress(struct executor *executor, void (*progress)(void *context, const char *step, double fraction),
                       void *context)
{
    executor->progress = progress;
    executor->progress_context = context;
}

static bool open_device(struct executor *executor, const struct trial_spec *spec, struct error *error)
{
    struct device_settings settings;
    if (!execute_device_settings(&spec->parameters, &settings, error))
        return false;
    settings.ordinal = executor->ordinal < 0 ? 0 : (uint32_t)executor->ordinal;
    if (executor->device && !strcmp(executor->device_spec, spec->device) &&
        execute_device_settings_equal(&executor->settings, &settings))
        return true;
    executor_drop_device(executor);
    executor->device = device_open(spec->device, &settings, error);
    executor->settings = settings;
    snprintf(executor->device_spec, sizeof executor->device_spec, "%s", spec->device);
    return executor->device != NULL;
}

const struct device_properties *execute_device(struct executor *executor, const struct trial_spec *spec,
                                               struct error *error)
{
    return open_device(executor, spec, error) ? executor->device->ops->properties(executor->device) : NULL;
}

// Where paths are not decided one by one, the variant must be able to, and which run together must be no race.
static bool check_together(const struct variant *variant, const struct parameters *parameters, struct error *error)
{
    char choice[32];
    const struct parameter *roulette = parameter_find("roulette");
    if (estimator_alone(variant->estimator, parameters, NULL))
        return true;
    parameter_format(roulette, parameter_get(parameters, roulette), choice, sizeof choice);
    if (!variant->together)
        return error_set(error, ERROR_UNSUPPORTED,
                         "%s: roulette: %s makes one decision for several paths, and this variant one for each: choose "
                         "roulette: thread, or pool_refill, tile_regenerate, stream_compact or thread_regenerate",
                         variant->name, choice);
    if (!variant->schedule_repeats || variant->schedule_repeats(parameters))
        return true;
    return error_set(
        error, ERROR_UNSUPPORTED,
        "%s: roulette: %s makes one decision for several paths, and with tickets: atomic a race decides for "
        "which, so that no image could be repeated: choose tickets: ordered",
        variant->name, choice);
}

// Whether the device traverses a tree of its own.
static bool traced(const struct variant *variant, const struct parameters *parameters)
{
    return tree_kinds[parameters->tree]->traced && estimator_uses(variant->estimator, parameter_find("tree"));
}

const struct variant *executor_variant(const struct device_properties *properties, const struct trial_spec *spec,
                                       struct error *error)
{
    const struct variant *variant = variant_find(spec->variant);
    if (!variant) {
        error_set(error, ERROR_USE, "unknown variant '%s'", spec->variant);
        error_remedy(error, "see warpstudy list variants");
        return NULL;
    }
    if (spec->parameters.block > properties->max_block) {
        error_set(error, ERROR_UNSUPPORTED, "block: %lld lanes are more than the %u that %s allows",
                  (long long)spec->parameters.block, properties->max_block, properties->name);
        return NULL;
    }
    if (!check_together(variant, &spec->parameters, error))
        return NULL;
    if (traced(variant, &spec->parameters) && !variant->traces_alone) {
        error_set(error, ERROR_UNSUPPORTED, "%s: lanes that trace wait for others, which tree: %s does not allow",
                  variant->name, tree_name((uint32_t)spec->parameters.tree));
        error_remedy(error, "choose another tree, or naive or a pipeline, such as two_stage");
        return NULL;
    }
    char reason[512] = "";
    if (variant->supports && !variant->supports(&spec->parameters, properties, reason, sizeof reason)) {
        error_set(error, ERROR_UNSUPPORTED, "%s: %s", variant->name, reason[0] ? reason : "not supported so");
        return NULL;
    }
    return variant;
}

bool executor_can_trace(struct device *device, const struct trial_spec *spec, struct error *error)
{
    const struct variant *variant = variant_find(spec->variant);
    const uint32_t tree = (uint32_t)spec->parameters.tree;
    struct device_tracing tracing;
    if (!traced(variant, &spec->parameters))
        return true;
    if (!device->ops->tracing) {
        error_set(error, ERROR_UNSUPPORTED, "tree: %s is a GPU's own, and device %s has none", tree_name(tree),
                  spec->device);
        return error_remedy(error, "choose device: cuda, or another tree");
    }
    if (!device->ops->tracing(device, &tracing, error))
        return false;
    return spec->parameters.reorder == REORDER_NONE || tracing.reorders ||
           error_set(error, ERROR_UNSUPPORTED, "reorder: this GPU cannot sort lanes anew (%s)", tracing.name);
}

static bool describe_programs(struct executor *executor, const struct trial_spec *spec, struct execute_facts *facts,
                              struct error *error)
{
    const char *clean = executor_provenance(executor, spec, false, error),
               *counting = clean ? executor_provenance(executor, spec, true, error) : NULL;
    if (!counting)
        return false;
    hash_text(hash_bytes(counting, strlen(counting)), facts->counting);
    const struct variant *variant = variant_find(spec->variant);
    const struct scene_tree_options tree = execute_tree_options(&spec->parameters);
    const bool walks = estimator_uses(variant->estimator, parameter_find("tree"));
    return snprintf(facts->programs, sizeof facts->programs, "clean: %s; schedule %s; tree %s", clean,
                    variant_source(variant), walks ? scene_tree_source(&tree) : "none") < (int)sizeof facts->programs ||
           error_set(error, ERROR_FAILED, "the provenance of %s is too long", spec->variant);
}

static int32_t look_for_others(struct device *device)
{
    struct device_conditions conditions;
    struct error ignored = {0};
    return device->ops->conditions && device->ops->conditions(device, &conditions, &ignored)
               ? conditions.foreign_processes
               : -1;
}

// Other programs on the device, asked once. What is only just ending, such as workers whose coordinator was killed,
// gets a second and a half to be gone.
static int32_t foreign_processes(struct executor *executor)
{
    const struct timespec between = {.tv_nsec = 100000000};
    const double start = clock_seconds();
    if (executor->asked_foreign)
        return executor->foreign_processes;
    executor->foreign_processes = look_for_others(executor->device);
    while (executor->foreign_processes > 0 && clock_seconds() - start < 1.5) {
        nanosleep(&between, NULL);
        executor->foreign_processes = look_for_others(executor->device);
    }
    executor->asked_foreign = true;
    return executor->foreign_processes;
}

bool execute_open(struct executor *executor, const struct trial_spec *spec, struct execute_facts *facts,
                  struct error *error)
{
    *facts = (struct execute_facts){.foreign_processes = -1};
    const struct device_properties *properties = execute_device(executor, spec, error);
    if (!properties)
        return false;
    snprintf(facts->device_name, sizeof facts->device_name, "%s", properties->name);
    snprintf(facts->driver, sizeof facts->driver, "%s", properties->driver);
    snprintf(facts->uuid, sizeof facts->uuid, "%s", properties->uuid);
    facts->compute_capability = properties->compute_capability;
    facts->warp_width = properties->warp_width;
    facts->multiprocessors = properties->multiprocessors;
    facts->times = properties->times;
    facts->foreign_processes = foreign_processes(executor);
    return true;
}

bool execute_describe(struct executor *executor, const struct trial_spec *spec, struct execute_facts *facts,
                      struct error *error)
{
    struct error cause = {0};
    if (execute_open(executor, spec, facts, &cause) &&
        executor_variant(execute_device(executor, spec, &cause), spec, &cause) &&
        executor_can_trace(executor->device, spec, &cause) && describe_programs(executor, spec, facts, &cause))
        return true;
    if (cause.kind == ERROR_UNSUPPORTED) {
        snprintf(facts->unsupported, sizeof facts->unsupported, "%.480s", cause.message);
        return true;
    }
    *error = cause;
    return false;
}
