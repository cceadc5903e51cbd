// SPDX-License-Identifier: MIT
#include "trial/execute_settings.h"

#include <stdlib.h>
#include <string.h>

#include "frame/pixel_table.h"
#include "lib/place.h"
#include "surface/lights.h"

bool execute_device_settings(const struct parameters *parameters, struct device_settings *settings, struct error *error)
{
    const int64_t width = parameters->warp_width;
    if (width < 1 || width > 64 || (width & (width - 1)) || width == 2) {
        error_set(error, ERROR_UNSUPPORTED, "warp_width: no machine has %lld lanes a warp", (long long)width);
        return error_remedy(error, "choose one of 1, 4, 8, 16, 32, 64");
    }
    *settings = (struct device_settings){
        .warp_width = (uint32_t)width,
        .threads = parameters->threads == PARAMETER_AUTO ? 0 : (uint32_t)parameters->threads,
        .multiprocessors = parameters->multiprocessors == PARAMETER_AUTO ? 0 : (uint32_t)parameters->multiprocessors,
        .lane_order = (enum choice_lane_order)parameters->lane_order,
        .lane_seed = 1,
    };
    return true;
}

bool execute_device_settings_equal(const struct device_settings *a, const struct device_settings *b)
{
    return a->warp_width == b->warp_width && a->threads == b->threads && a->multiprocessors == b->multiprocessors &&
           a->lane_order == b->lane_order && a->lane_seed == b->lane_seed && a->portable == b->portable &&
           a->ordinal == b->ordinal;
}

struct scene_tree_options execute_tree_options(const struct parameters *parameters)
{
    return (struct scene_tree_options){
#define TREE_OPTION(member, value, when) .member = (uint32_t)(value),
#include "trees/tree_options.def"
#undef TREE_OPTION
    };
}

// Of what decides how our own trees are walked, nothing means anything to a tree of the device's own.
static bool check_traced(const struct parameters *parameters, struct error *error)
{
    const struct parameters standard = parameters_default();
    static const char *const ours[] = {"triangle_test", "traversal", "far_first", "tree_loads",      "reinsert",
                                       "leaf_size",     "bins",      "top_tree",  "trace_compaction"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; ++i) {
        const struct parameter *parameter = parameter_find(ours[i]);
        char text[48];
        if (parameter_get(parameters, parameter) == parameter_get(&standard, parameter))
            continue;
        parameter_format(parameter, parameter_get(&standard, parameter), text, sizeof text);
        error_set(error, ERROR_UNSUPPORTED,
                  "%s means nothing to tree: %s, which the device builds and traverses itself", ours[i],
                  tree_name((uint32_t)parameters->tree));
        return error_remedy(error, "leave %s at %s, or choose another tree", ours[i], text);
    }
    return true;
}

bool execute_tree_suits(const struct parameters *parameters, struct error *error)
{
    const uint32_t kind = (uint32_t)parameters->tree;
    if (tree_kinds[kind]->traced)
        return check_traced(parameters, error);
    if (parameters->reorder != REORDER_NONE || parameters->optix_build != DEVICE_STRUCTURE_FAST_TRACE ||
        parameters->optix_compact != OPTIX_COMPACT_YES) {
        error_set(error, ERROR_UNSUPPORTED, "reorder, optix_build and optix_compact are of tree: optix");
        return error_remedy(error, "choose tree: optix, or leave them at none, fast_trace and yes");
    }
    if (!tree_kinds[kind]->watertight || parameters->triangle_test == TRIANGLE_TEST_WATERTIGHT)
        return true;
    error_set(error, ERROR_UNSUPPORTED, "tree: %s keeps what the watertight triangle test reads, and no other",
              tree_name(kind));
    return error_remedy(error, "choose triangle_test: watertight, or another tree");
}

void execute_scene_options(const struct parameters *parameters, struct scene_view *scene)
{
    scene->kd_step = (uint32_t)parameters->kd_step;
    scene->kd_stack = (uint32_t)parameters->kd_stack;
    scene->triangle_test = (uint32_t)parameters->triangle_test;
    scene->affine_order = (uint32_t)parameters->affine_order;
}

void execute_light_table(const struct parameters *parameters, uint32_t *width, uint32_t *height)
{
    static const uint32_t sizes[][2] = {
        [LIGHT_SEARCH_ALIAS] = {0, 0}, [LIGHT_SEARCH_CDF] = {2000, 1000}, [LIGHT_SEARCH_CDF_LARGE] = {16384, 8192}};
    const bool samples = parameters->lighting != LIGHTING_HITS;
    *width = samples ? sizes[parameters->light_search][0] : 0;
    *height = samples ? sizes[parameters->light_search][1] : 0;
}

// The value of a choice whose choices are numbers ("48|64|88").
static int32_t execute_choice_number(const struct parameters *parameters, const char *name)
{
    char text[32];
    const struct parameter *parameter = parameter_find(name);
    parameter_format(parameter, parameter_get(parameters, parameter), text, sizeof text);
    return (int32_t)strtol(text, NULL, 10);
}

// A field of config.def is the parameter of its name, but for three.
static int32_t config_value(const struct parameters *parameters, const char *field)
{
    if (!strcmp(field, "path_bytes"))
        return execute_choice_number(parameters, field);
    if (!strcmp(field, "pixel_order") && parameters->pixel_order == PIXEL_ORDER_RANDOM)
        return PIXEL_ORDER_MORTON; // to kernels any table is the same
    if (!strcmp(field, "resident"))
        return parameters->resident_blocks != PARAMETER_AUTO;
    const struct parameter *parameter = parameter_find(field);
    if (!parameter)
        abort(); // config.def names a field that no parameter sets
    return (int32_t)parameter_get(parameters, parameter);
}

size_t execute_constants(const struct parameters *parameters, struct device_constant constants[EXECUTE_CONSTANTS],
                         struct config *config)
{
    size_t count = 0;
#define CONFIG_FIELD(name)                                                                                             \
    config->name = config_value(parameters, #name);                                                                    \
    constants[count++] = (struct device_constant){#name, config->name};
#include "lib/config.def"
#undef CONFIG_FIELD
    return count;
}
