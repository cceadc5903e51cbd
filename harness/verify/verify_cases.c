// SPDX-License-Identifier: MIT
// Settings to verify, from the tables alone.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "verify/verify.h"

// Values tried for whole numbers of each role, where in bounds: small, odd, not a power of two, large.
static const struct values {
    size_t count;
    int64_t list[10];
} schedule_values = {9, {1, 2, 3, 8, 20, 32, 96, 256, 1024}}, tree_values = {5, {1, 2, 8, 15, 64}},
  machine_values = {7, {1, 3, 4, 8, 16, 32, 64}}, no_values;

// Parameters with values of their own.
static const struct {
    const char *name;
    struct values values;
} own_values[] = {
    {"threads", {3, {1, 2, 16}}}, {"exact_rounds", {1, {0}}}, {"dead_share", {1, {90}}},
    {"tiles", {3, {2, 3, 20}}},   {"tile_streams", {1, {2}}},
};

// Settings that need or change one another: all combinations are tried, by every variant that uses all of them.
enum { TOGETHER = 4 };
static const char *const together[][TOGETHER] = {
    {"storage=move", "scan=previous", "compact_every=1|2|3", "grid=full|shrink"},
    {"scan=previous", "compact_every=2|3", "grid=full|shrink"},
    {"block=1024", "tile_m=1",
     "registers=64"}, // a larger tile would not fit in shared memory, nor more registers on a GPU
    {"block=1024", "registers=64"},
    {"lane_map=8x8", "resident_blocks=1|2"},
    {"tile_m=1", "block=96", "resident_blocks=1"},
    {"tickets=ordered|atomic", "multiprocessors=1", "resident_blocks=1|3", "block=32|96"}, // few lanes, many paths
    {"tickets=ordered|atomic", "extend_over=rays", "ray_sort=origin|direction|material"},
    {"tickets=ordered|atomic", "extend_over=rays", "queues=matte|merged"},
    {"resident_blocks=1", "lane_order=reversed|seeded"}, // a block that goes on to its next tile too early
    {"tiles=2|3", "tile_streams=1|2", "tile_download=none|wait|overlap"},
    {"tickets=atomic", "tiles=3", "tile_streams=1|2", "tile_download=none|wait|overlap"},
    {"tickets=atomic", "tiles=3", "tile_streams=1|2", "tile_film=tile"},
    {"tiles=1|3", "tile_film=tile", "tile_download=none|wait"},
    {"next_path=queue", "tickets=ordered|atomic", "pool=32|96"},
    {"tile_slots=1", "pool=1|2|3|8|20|32|96"}, // a pool is of whole tiles
    {"dead_share=50|90", "dead_places=apart", "pool=256"},
    {"tree=wide", "tree_width=2|4"},
    {"tree=wide|wide_compressed", "tree_stack=groups"},
    {"tree=wide", "child_order=distance", "node_align=128"},
    {"tree=kd_ptr25|kd16_soa", "kd_stack=address|record", "kd_step=branchy|all", "traversal=speculative"},
    {"tree=optix", "instances=two_level", "optix_compact=yes|no"},
    {"tile_slots=16|64", "pool=64|256", "regenerate_every=1|3", "regenerate_above=0|100"},
};

static const struct values *values_of(const struct parameter *parameter)
{
    for (size_t i = 0; i < sizeof own_values / sizeof *own_values; ++i)
        if (!strcmp(parameter->name, own_values[i].name))
            return &own_values[i].values;
    switch (parameter->role) {
    case PARAMETER_SCHEDULE: return &schedule_values;
    case PARAMETER_TREE: return &tree_values;
    case PARAMETER_MACHINE: return &machine_values;
    case PARAMETER_WORK: break;
    }
    return &no_values;
}

static size_t choice_count(const struct parameter *parameter)
{
    size_t count = 1;
    for (const char *place = parameter->choices; (place = strchr(place, '|')); ++place)
        ++count;
    return count;
}

bool verify_next_value(const struct parameter *parameter, size_t *place, int64_t *value)
{
    const struct parameters standard = parameters_default();
    const struct values *values = values_of(parameter);
    const bool choices = parameter->choices != NULL;
    const size_t count = choices ? choice_count(parameter) : values->count;
    while (*place < count) {
        const size_t index = (*place)++;
        *value = choices ? (int64_t)index : values->list[index];
        if (*value != parameter_get(&standard, parameter) &&
            (choices || (*value >= parameter->least && *value <= parameter->most)))
            return true;
    }
    return false;
}

static struct verify_case *verify_cases_add(struct verify_cases *cases, const struct verify_case *from)
{
    struct verify_case *made = ARRAY_ADD(cases->rows, cases->count);
    *made = *from;
    return made;
}

// Adds one setting to a case that is being made.
static void verify_cases_set(struct verify_case *made, const struct parameter *parameter, int64_t value)
{
    char text[48];
    const size_t used = strlen(made->label);
    memcpy((char *)&made->parameters + parameter->offset, &value, sizeof value);
    parameter_format(parameter, value, text, sizeof text);
    snprintf(made->label + used, sizeof made->label - used, "%s%.15s=%.40s", used ? " " : "", parameter->name, text);
}

// Whether it changes nothing but what the host does.
static bool of_host(const struct parameter *parameter)
{
    return parameter->role == PARAMETER_MACHINE && strcmp(parameter->name, "warp_width");
}

// Parameters of kd-trees mean nothing to the default tree.
static void set_what_it_needs(struct verify_case *made, const struct parameter *parameter)
{
    static const char prefix[] = "kd_";
    const struct parameter *tree = parameter_find("tree");
    struct error error = {0};
    int64_t kd16;
    if (!strncmp(parameter->name, prefix, sizeof prefix - 1) && parameter_parse(tree, "kd16", &kd16, &error))
        verify_cases_set(made, tree, kd16);
}

static void add_alone(struct verify_cases *cases, const struct verify_case *plain, const struct parameter *parameter)
{
    int64_t value;
    for (size_t place = 0; verify_next_value(parameter, &place, &value);) {
        struct verify_case *made = verify_cases_add(cases, plain);
        set_what_it_needs(made, parameter);
        verify_cases_set(made, parameter, value);
        made->host_only = of_host(parameter);
    }
}

// ---- several settings at once

// The parameter that a row of `together` names.
static const struct parameter *named_by(const char *setting)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(setting, "="), setting);
    const struct parameter *parameter = parameter_find(name);
    if (!parameter) {
        fprintf(stderr, "verify_cases.c: there is no parameter '%s'\n", name);
        abort();
    }
    return parameter;
}

static bool uses_all(const struct variant *variant, const char *const *settings)
{
    for (int i = 0; i < TOGETHER && settings[i]; ++i)
        if (!variant_uses(variant, named_by(settings[i])))
            return false;
    return true;
}

// All combinations of the settings from the i-th on, added to what has been made of the case.
static void add_together(struct verify_cases *cases, const struct verify_case *so_far, const char *const *settings,
                         int i)
{
    if (i == TOGETHER || !settings[i]) {
        verify_cases_add(cases, so_far);
        return;
    }
    const struct parameter *parameter = named_by(settings[i]);
    for (const char *place = strchr(settings[i], '='); place; place = strchr(place + 1, '|')) {
        struct verify_case made = *so_far;
        struct error error = {0};
        char text[48];
        int64_t value;
        snprintf(text, sizeof text, "%.*s", (int)strcspn(place + 1, "|"), place + 1);
        if (!parameter_parse(parameter, text, &value, &error)) {
            fprintf(stderr, "verify_cases.c: %s\n", error.message);
            abort();
        }
        verify_cases_set(&made, parameter, value);
        add_together(cases, &made, settings, i + 1);
    }
}

// ---- all cases

// What both devices are told to be where a grid is all that a device holds at once, which is not the same on two.
static const int64_t few_multiprocessors = 4, few_blocks = 2;

void verify_add_cases(struct verify_cases *cases, const struct variant *variant, const struct parameters *work,
                      bool emulator, bool thorough)
{
    struct verify_case plain = {.variant = variant, .parameters = *work};
    if (variant->persistent && !emulator) {
        plain.parameters.multiprocessors = few_multiprocessors;
        plain.parameters.resident_blocks = few_blocks;
    }
    verify_cases_add(cases, &plain);
    struct verify_case *clean = verify_cases_add(cases, &plain);
    clean->clean = true;
    snprintf(clean->label, sizeof clean->label, "clean build");
    // Where paths are not decided one by one, a setting that changes which run together gives another image.
    const bool alone = estimator_alone(variant->estimator, work, NULL);
    for (size_t i = 0; (thorough || !alone) && i < parameter_count; ++i) {
        const struct parameter *parameter = &parameter_table[i];
        if (parameter->role != PARAMETER_WORK && (parameter->role != PARAMETER_MACHINE || emulator) &&
            (alone || of_host(parameter)) && variant_uses(variant, parameter))
            add_alone(cases, &plain, parameter);
    }
    for (size_t i = 0; thorough && alone && i < sizeof together / sizeof *together; ++i)
        if (uses_all(variant, together[i]))
            add_together(cases, &plain, together[i], 0);
}
