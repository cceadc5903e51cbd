// SPDX-License-Identifier: MIT
#include "bench/ray_bound.h"

// Of the L1 cache, in percent; the least, 8 KiB, has room for two blocks of the second kernel. Both kernels must ask for the same, as it
// cannot be divided differently while blocks run on the multiprocessor.
enum { CARVEOUT = 1 };
enum { HELPERS = 2 }; // warps of the second kernel, by multiprocessor

_Static_assert(CUT_GROUPS - 1 < 1 << (32 - CUT_COUNT_SHIFT) && 3 * CUT_GROUPS <= CUT_NODES &&
                   2 * 3 * CUT_GROUPS <= CUT_RECORDS,
               "an entry has room for the number of groups, a warp's shared memory for their children");

static bool prepare_list(struct ray_bound *bound, struct cut_list *list, uint32_t most, struct error *error)
{
    const struct device_ops *ops = bound->device->ops;
    const size_t counters = CUT_COUNTERS * sizeof *list->counters;
    const size_t entries =
        ((size_t)most + bound->helpers) * sizeof *list->entries; // a warp may ask for one behind the last
    list->rows = bound->rows;
    return (list->counters = ops->alloc(bound->device, counters, error)) &&
           (list->entries = ops->alloc(bound->device, entries, error)) &&
           (list->groups = ops->alloc(bound->device, (size_t)list->rows * CUT_GROUPS * sizeof *list->groups, error)) &&
           ops->fill(bound->device, NULL, list->counters, 0, counters, error) &&
           ops->fill(bound->device, NULL, list->entries, 0, entries, error);
}

bool ray_bound_prepare(struct ray_bound *bound, struct device *device, const struct device_build *build, uint32_t most,
                       struct error *error)
{
    const struct device_ops *ops = device->ops;
    struct device_build mine = *build;
    mine.variant = "tools/cut_rays";
    bound->device = device;
    bound->helpers = HELPERS * ops->properties(device)->multiprocessors;
    bound->rows = bound->rows ? bound->rows : RAY_BOUND_ROWS;
    bound->rows = bound->rows < most ? bound->rows : most;
    if (most > CUT_RAYS_MAX)
        return error_set(error, ERROR_USE, "%u rays with a bound: %d are the most", most, (int)CUT_RAYS_MAX);
    return (bound->program = ops->build(device, &mine, error)) &&
           (bound->first = ops->kernel(bound->program, "trace_bounded", error)) &&
           (bound->second = ops->kernel(bound->program, "trace_cut", error)) &&
           prepare_list(bound, &bound->lists[0], most, error) && prepare_list(bound, &bound->lists[1], most, error);
}

bool ray_bound_launch(struct ray_bound *bound, struct device_stream *stream, const struct trace_rays_args *args,
                      uint32_t block, struct error *error)
{
    const struct device_ops *ops = bound->device->ops;
    bound->turn ^= 1u;
    const struct cut_rays_args both = {.trace = *args,
                                       .rounds = bound->rounds,
                                       .list = bound->lists[bound->turn],
                                       .other = bound->lists[bound->turn ^ 1u]};
    const struct device_launch first = {.kernel = bound->first,
                                        .grid = (args->count + block - 1) / block,
                                        .block = block,
                                        .args = &both,
                                        .args_size = sizeof both,
                                        .carveout = CARVEOUT};
    const struct device_launch second = {.kernel = bound->second,
                                         .grid = bound->helpers,
                                         .block = ops->properties(bound->device)->warp_width,
                                         .shared_bytes = CUT_SHARED,
                                         .args = &both,
                                         .args_size = sizeof both,
                                         .dependent = true,
                                         .carveout = CARVEOUT};
    return ops->launch(bound->device, stream, &first, error) && ops->launch(bound->device, stream, &second, error);
}

bool ray_bound_cut(struct ray_bound *bound, uint32_t *count, struct error *error)
{
    return bound->device->ops->download(bound->device, NULL, count, &bound->lists[bound->turn].counters[CUT_LISTED],
                                        sizeof *count, error);
}

void ray_bound_finish(struct ray_bound *bound)
{
    if (!bound->device)
        return;
    const struct device_ops *ops = bound->device->ops;
    for (int i = 0; i < 2; ++i) {
        ops->release(bound->device, bound->lists[i].counters);
        ops->release(bound->device, bound->lists[i].entries);
        ops->release(bound->device, bound->lists[i].groups);
    }
    if (bound->program)
        ops->release_program(bound->device, bound->program);
    bound->device = NULL;
}
