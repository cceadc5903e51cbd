// SPDX-License-Identifier: MIT
// The collection `counters`: metrics of every launch and of the whole frame, and exact counts at the sites.
//
// The hardware counts a few metrics at a time, so the whole frame is rendered once per pass (user replay), film and the
// like cleared before each, outside of what is counted. Every launch is a range of its own, and so is every primitive
// (select, sort), which the library may split into several kernels. The first frame runs without any counting: its film
// is the image, and the last pass must leave the same.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/counters.h"
#include "trial/execute.h"
#include "trial/execution.h"

struct metric_list {
    const char **names, **expressions;
    size_t count;
    bool sites; // are asked for, too
};

bool execution_can_count(const struct execution *run, struct error *error)
{
    const char *collection = collection_names[run->request->collection];
    const struct device_counter_ops *counters = run->device->ops->counters;
    if (!counters)
        return error_set(error, ERROR_UNSUPPORTED, "%s: %s has no hardware counters", collection,
                         run->properties->name);
    const char *why = counters->unavailable(run->device);
    return !why || error_set(error, ERROR_UNAVAILABLE, "%s: %s", collection, why);
}

// ---- metrics

static void free_list(struct metric_list *list)
{
    free(list->names);
    free(list->expressions);
}

// What the request names, else all that metrics.def lists.
static bool make_list(const struct execute_request *request, struct metric_list *list, struct error *error)
{
    size_t count = request->counter_count;
    while (!request->counter_count && device_metrics[count].name)
        ++count;
    *list = (struct metric_list){.names = memory_new(count, sizeof *list->names),
                                 .expressions = memory_new(count, sizeof *list->expressions)};
    for (size_t i = 0; i < count; ++i) {
        const char *name = request->counter_count ? request->counters[i] : device_metrics[i].name;
        const struct device_metric *row = device_metric_find(name);
        if (strlen(name) >= sizeof((struct measured_metric *)0)->metric)
            return error_set(error, ERROR_USE, "the name of counter %.40s... is too long", name);
        if (row && !*row->expression) {
            list->sites = true;
            continue;
        }
        list->names[list->count] = name;
        list->expressions[list->count++] = row ? row->expression : name;
    }
    return true;
}

static bool keep_metrics(struct measurement *measurement, const struct metric_list *list, const double *values,
                         uint32_t ranges, bool frame, struct error *error)
{
    const size_t count = measurement->metric_count, more = list->count * ranges;
    if (!memory_resize(&measurement->metrics, count + more, sizeof *measurement->metrics, error,
                       "for %zu values of counters", more))
        return false;
    for (size_t i = 0; i < more; ++i) {
        struct measured_metric *row = &measurement->metrics[count + i];
        *row = (struct measured_metric){.launch = frame ? MEASURED_FRAME : (uint32_t)(i / list->count),
                                        .value = values[i]};
        snprintf(row->metric, sizeof row->metric, "%s", list->names[i % list->count]);
    }
    measurement->metric_count = count + more;
    return true;
}

static bool push_range(struct frame *frame, const struct frame_launch *launch, uint32_t index, struct error *error)
{
    (void)launch, (void)index;
    return frame->internal->device->ops->counters->profile_push(frame->internal->hook_context, error);
}

static bool pop_range(struct frame *frame, const struct frame_launch *launch, uint32_t index, struct error *error)
{
    (void)launch, (void)index;
    return frame->internal->device->ops->counters->profile_pop(frame->internal->hook_context, error);
}

static const struct frame_hooks range_hooks = {.before = push_range, .after = pop_range};

// One pass: the whole frame, with a range around each launch or one around all.
static bool render_pass(struct execution *run, struct device_profile *profile, uint32_t ranges, bool whole,
                        bool *complete, struct error *error)
{
    const struct device_counter_ops *counters = run->device->ops->counters;
    if (!execution_clear(run, error))
        return false;
    run->internal.hook_context = profile;
    frame_begin(&run->frame, whole ? NULL : &range_hooks, false, 0);
    if (!counters->profile_begin_pass(profile, error) || (whole && !counters->profile_push(profile, error)) ||
        !execution_render(run, error) || (whole && !counters->profile_pop(profile, error)) ||
        !counters->profile_end_pass(profile, complete, error))
        return false;
    run->measurement->passes += 1;
    return whole || run->internal.launch_index == ranges ||
           error_set(error, ERROR_FAILED, "the frame had %u launches in one pass and %u in another", ranges,
                     run->internal.launch_index);
}

static bool run_profile(struct execution *run, const struct metric_list *list, uint32_t ranges, bool whole,
                        struct device_profile *profile, struct error *error)
{
    bool complete = false;
    while (!complete)
        if (!render_pass(run, profile, ranges, whole, &complete, error))
            return false;
    const size_t count = list->count;
    double *values = memory_try(count * ranges, sizeof *values, error, "for the values of %zu counters", count);
    const bool done = values && run->device->ops->counters->profile_values(profile, values, ranges, error) &&
                      keep_metrics(run->measurement, list, values, ranges, whole, error);
    free(values);
    return done;
}

static bool profile(struct execution *run, const struct metric_list *list, uint32_t ranges, bool whole,
                    struct error *error)
{
    const struct device_counter_ops *counters = run->device->ops->counters;
    struct device_profile *made = counters->profile_create(run->device, list->expressions, list->count, ranges, error);
    const bool done = made && run_profile(run, list, ranges, whole, made, error);
    counters->profile_destroy(made);
    return done;
}

// ---- sites

static bool take_sites(struct frame *frame, const struct frame_launch *launch, uint32_t index, struct error *error)
{
    struct measurement *measurement = frame->internal->hook_context;
    struct device_site_count counts[DEVICE_SITES];
    (void)launch;
    if (!frame->internal->device->ops->counters->sites_take(frame->internal->device, counts, error))
        return false;
    if (!memory_resize(&measurement->sites, measurement->site_count + DEVICE_SITES, sizeof *measurement->sites, error,
                       "for the counts of instructions"))
        return false;
    for (uint32_t site = 0; site < DEVICE_SITES; ++site)
        measurement->sites[measurement->site_count++] = (struct measured_site){
            index, site, counts[site].copies, counts[site].instructions, counts[site].thread_instructions};
    return true;
}

static const struct frame_hooks site_hooks = {.after = take_sites};

static bool count_sites(struct execution *run, struct error *error)
{
    const struct device_counter_ops *counters = run->device->ops->counters;
    if (!counters->sites_begin(run->device, error))
        return false;
    run->internal.hook_context = run->measurement;
    const bool done = execution_frame(run, &site_hooks, false, error);
    counters->end(run->device);
    return done;
}

// ---- the whole

bool execution_counters(struct execution *run, const char **reason, struct error *error)
{
    struct metric_list list = {0};
    struct hash first;
    *reason = "fixed";
    bool done = make_list(run->request, &list, error) && execution_frame(run, NULL, true, error) &&
                execution_hash_film(run, &first, NULL, error);
    const uint32_t launches = run->internal.launch_index;
    done = done && (!launches || !list.count || profile(run, &list, launches, false, error)) &&
           (!list.count || profile(run, &list, 1, true, error)) &&
           execution_same_film(run, first, "the passes of the counters", error) &&
           (!list.sites ||
            (count_sites(run, error) && execution_same_film(run, first, "the count of instructions", error)));
    free_list(&list);
    return done;
}
