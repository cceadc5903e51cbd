// SPDX-License-Identifier: MIT
// Programs compiled ahead of time: both builds of every spec that a device supports.
#include <stdlib.h>

#include "base/memory.h"
#include "trial/execute.h"
#include "trial/executor.h"

// Adds one of a spec's builds unless it is there.
static void add_build(struct executor_build *builds, size_t *count, const struct trial_spec *spec, bool counting)
{
    struct executor_build *made = &builds[*count];
    executor_build_make(spec, counting, made);
    for (size_t i = 0; i < *count; ++i)
        if (hash_equal(builds[i].key, made->key))
            return;
    *count += 1;
}

// Both builds of every spec that this device supports.
static size_t list_builds(const struct device_properties *properties, const struct trial_spec *specs, size_t count,
                          struct executor_build *builds)
{
    size_t listed = 0;
    for (size_t i = 0; i < count; ++i) {
        struct error ignored = {0};
        if (!executor_variant(properties, &specs[i], &ignored))
            continue;
        add_build(builds, &listed, &specs[i], false);
        add_build(builds, &listed, &specs[i], true);
    }
    return listed;
}

struct relay {
    void (*progress)(void *context, size_t done, size_t total);
    void *context;
    size_t total;
};

static void relay_progress(void *context, size_t done)
{
    const struct relay *relay = context;
    if (relay->progress)
        relay->progress(relay->context, done, relay->total);
}

bool execute_compile(struct executor *executor, const struct trial_spec *specs, size_t count,
                     void (*progress)(void *context, size_t done, size_t total), void *context, struct error *error)
{
    const struct device_properties *properties = count ? execute_device(executor, &specs[0], error) : NULL;
    if (!properties || !executor->device->ops->compile_ahead)
        return properties || !count;
    struct executor_build *builds = memory_new(2 * count, sizeof *builds);
    struct device_build *list = memory_new(2 * count, sizeof *list);
    struct relay relay = {progress, context, list_builds(properties, specs, count, builds)};
    for (size_t i = 0; i < relay.total; ++i)
        list[i] = builds[i].build;
    const bool done = !relay.total || executor->device->ops->compile_ahead(executor->device, list, relay.total,
                                                                           relay_progress, &relay, error);
    free(list);
    free(builds);
    return done;
}
