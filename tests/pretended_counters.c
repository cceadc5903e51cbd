// SPDX-License-Identifier: MIT
// Counters that nobody counted: every value is a function of its name and place, so that a test can tell what should
// have arrived.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#include "pretended_gpu.h"

struct device_profile {
    struct pretended_gpu *device;
    char (*names)[96];
    size_t count;
    uint32_t ranges, pushed, passes;
    bool in_pass, in_range;
};

static const char *unavailable(struct device *device)
{
    return pretends("forbidden", 1) ? "counters are not permitted (WARPSTUDY_NULL=forbidden)" : NULL;
}

// ---- metrics

static void profile_destroy(struct device_profile *profile)
{
    if (profile)
        free(profile->names);
    free(profile);
}

static bool take_names(struct device_profile *profile, const char *const *expressions, struct error *error)
{
    for (size_t i = 0; i < profile->count; ++i) {
        if (strstr(expressions[i], "__unknown"))
            return error_set(error, ERROR_USE, "the null device has no counter '%s'", expressions[i]);
        snprintf(profile->names[i], sizeof profile->names[i], "%s", expressions[i]);
    }
    return true;
}

static struct device_profile *profile_create(struct device *device, const char *const *expressions, size_t count,
                                             uint32_t ranges, struct error *error)
{
    struct device_profile *profile = memory_new(1, sizeof *profile);
    *profile = (struct device_profile){.device = pretended_of(device), .count = count, .ranges = ranges};
    profile->names = memory_new(count + 1, sizeof *profile->names);
    if (take_names(profile, expressions, error))
        return profile;
    profile_destroy(profile);
    return NULL;
}

static bool profile_begin_pass(struct device_profile *profile, struct error *error)
{
    if (profile->in_pass)
        return error_set(error, ERROR_USE, "a pass begins in a pass");
    if (pretends("badpass", ++profile->device->passes))
        return error_set(error, ERROR_FAILED, "a pass failed (WARPSTUDY_NULL=badpass)");
    profile->in_pass = true;
    profile->pushed = 0;
    return true;
}

static bool profile_push(struct device_profile *profile, struct error *error)
{
    if (!profile->in_pass || profile->in_range || profile->pushed == profile->ranges)
        return error_set(error, ERROR_USE, "a range outside of a pass, in a range, or one too many");
    profile->in_range = true;
    profile->pushed += 1;
    return true;
}

static bool profile_pop(struct device_profile *profile, struct error *error)
{
    if (!profile->in_range)
        return error_set(error, ERROR_USE, "the end of a range that was not begun");
    profile->in_range = false;
    return true;
}

static bool profile_end_pass(struct device_profile *profile, bool *complete, struct error *error)
{
    if (!profile->in_pass || profile->in_range)
        return error_set(error, ERROR_USE, "the end of a pass that was not begun, or in a range");
    profile->in_pass = false;
    *complete = ++profile->passes >= PRETENDED_PASSES;
    return true;
}

// The length of the name, plus a hundred for each range before.
static bool profile_values(struct device_profile *profile, double *values, uint32_t ranges, struct error *error)
{
    if (profile->passes < PRETENDED_PASSES || ranges != profile->pushed)
        return error_set(error, ERROR_USE, "values of %u ranges are asked for, and there are %u", ranges,
                         profile->pushed);
    for (uint32_t range = 0; range < ranges; ++range)
        for (size_t i = 0; i < profile->count; ++i)
            values[range * profile->count + i] = (double)strlen(profile->names[i]) + 100.0 * range;
    return true;
}

// ---- sites

static bool sites_begin(struct device *device, struct error *error)
{
    pretended_of(device)->launches = 0;
    return true;
}

// A warp per launch at the extension, ten more at each further site; all lanes at work.
static bool sites_take(struct device *device, struct device_site_count counts[DEVICE_SITES], struct error *error)
{
    struct pretended_gpu *gpu = pretended_of(device);
    for (uint32_t site = 0; site < DEVICE_SITES; ++site) {
        const uint64_t warps = gpu->launches ? 1 + 10 * (uint64_t)site : 0;
        counts[site] = (struct device_site_count){site + 1, warps, warps * gpu->null.properties.warp_width};
    }
    gpu->launches = 0;
    return true;
}

// ---- stalls

static bool stalls_begin(struct device *device, struct error *error)
{
    pretended_of(device)->launched_count = 0;
    return true;
}

// Of each kernel launched since: 7 samples that issued, and 5 that waited for memory on two lines.
static bool stalls_take(struct device *device, void (*visit)(void *context, const struct device_stall *), void *context,
                        uint64_t *dropped, struct error *error)
{
    struct pretended_gpu *gpu = pretended_of(device);
    for (uint32_t i = 0; i < gpu->launched_count; ++i) {
        const char *kernel = gpu->launched[i];
        visit(context, &(struct device_stall){kernel, "selected", "surface/extend.h", 10, 7});
        visit(context, &(struct device_stall){kernel, "long_scoreboard", "trees/traverse.h", 20, 3});
        visit(context, &(struct device_stall){kernel, "long_scoreboard", "trees/traverse.h", 21, 2});
    }
    gpu->launched_count = 0;
    *dropped = 1;
    return true;
}

const struct device_counter_ops pretended_counter_ops = {
    .unavailable = unavailable,
    .profile_create = profile_create,
    .profile_begin_pass = profile_begin_pass,
    .profile_push = profile_push,
    .profile_pop = profile_pop,
    .profile_end_pass = profile_end_pass,
    .profile_values = profile_values,
    .profile_destroy = profile_destroy,
    .end = pretended_timeline_close, // the others keep nothing
    .sites_begin = sites_begin,
    .sites_take = sites_take,
    .stalls_begin = stalls_begin,
    .stalls_take = stalls_take,
    .timeline_open = pretended_timeline_open,
    .timeline_prepare = pretended_timeline_prepare,
    .timeline_begin = pretended_timeline_begin,
    .timeline_end = pretended_timeline_end,
};
