// SPDX-License-Identifier: MIT
// Settings to verify, from the tables alone.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/verify.h"

// Values tried for whole numbers of each role, where in bounds: small, odd, not a power of two, large.
static const int64_t schedule_values[] = {1, 2, 3, 8, 20, 32, 96, 256, 1024, -1};
static const int64_t tree_values[] = {1, 2, 8, 15, 64, -1};
static const int64_t machine_values[] = {1, 3, 4, 8, 16, 32, 64, -1};

static const int64_t thread_values[] = {1, 2, 16, -1};
static const int64_t no_values[] = {-1};

// Settings that need or change one another: all combinations are tried, by every variant that heeds all of them.
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
    {"resident_blocks=1", "lane_order=reversed|seeded"}, // a block that goes on to its next tile too early
    {"next_path=queue", "tickets=ordered|atomic", "pool=32|96"},
    {"tile_slots=1", "pool=1|2|3|8|20|32|96"}, // a pool is of whole tiles
    {"tile_slots=16|64", "pool=64|256", "regenerate_every=1|3", "regenerate_above=0|100"},
};

static const int64_t *values_of(const struct parameter *parameter)
{
    if (!strcmp(parameter->name, "threads"))
        return thread_values;
    switch (parameter->role) {
    case PARAMETER_SCHEDULE: return schedule_values;
    case PARAMETER_TREE: return tree_values;
    case PARAMETER_MACHINE: return machine_values;
    case PARAMETER_WORK: break;
    }
    return no_values;
}

static int64_t choice_count(const struct parameter *parameter)
{
    int64_t count = 1;
    for (const char *place = parameter->choices; (place = strchr(place, '|')); ++place)
        ++count;
    return count;
}

bool verify_values(const struct parameter *parameter, bool (*visit)(void *context, int64_t value), void *context)
{
    const struct parameters standard = parameters_default();
    const int64_t usual = parameter_get(&standard, parameter);
    for (int64_t value = 0; parameter->choices && value < choice_count(parameter); ++value)
        if (value != usual && !visit(context, value))
            return false;
    for (const int64_t *value = values_of(parameter); !parameter->choices && *value >= 0; ++value)
        if (*value >= parameter->least && *value <= parameter->most && *value != usual && !visit(context, *value))
            return false;
    return true;
}

struct casting {
    struct verify_case made;
    bool (*visit)(void *context, const struct verify_case *);
    void *context;
    const struct parameters *standard;
    const struct parameter *parameter;
};

// Adds one setting to the case that is being made.
static void set(struct verify_case *made, const struct parameter *parameter, int64_t value)
{
    char text[48];
    const size_t used = strlen(made->label);
    memcpy((char *)&made->parameters + parameter->offset, &value, sizeof value);
    parameter_format(parameter, value, text, sizeof text);
    snprintf(made->label + used, sizeof made->label - used, "%s%.15s=%.40s", used ? " " : "", parameter->name, text);
}

static bool visit_value(void *context, int64_t value)
{
    struct casting *casting = context;
    casting->made.parameters = *casting->standard;
    casting->made.label[0] = 0;
    set(&casting->made, casting->parameter, value);
    casting->made.host_only =
        casting->parameter->role == PARAMETER_MACHINE && strcmp(casting->parameter->name, "warp_width");
    return casting->visit(casting->context, &casting->made);
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
static bool visit_together(struct casting *casting, const struct verify_case *so_far, const char *const *settings,
                           int i)
{
    if (i == TOGETHER || !settings[i])
        return casting->visit(casting->context, so_far);
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
        set(&made, parameter, value);
        if (!visit_together(casting, &made, settings, i + 1))
            return false;
    }
    return true;
}

// ---- all cases

static bool visit_thoroughly(struct casting *casting, bool emulator)
{
    const struct variant *variant = casting->made.variant;
    for (size_t i = 0; i < parameter_count; ++i) {
        casting->parameter = &parameter_table[i];
        casting->made.host_only = false;
        if (casting->parameter->role == PARAMETER_WORK ||
            (casting->parameter->role == PARAMETER_MACHINE && !emulator) || !variant_uses(variant, casting->parameter))
            continue;
        if (!verify_values(casting->parameter, visit_value, casting))
            return false;
    }
    const struct verify_case plain = {.variant = variant, .parameters = *casting->standard};
    for (size_t i = 0; i < sizeof together / sizeof *together; ++i)
        if (uses_all(variant, together[i]) && !visit_together(casting, &plain, together[i], 0))
            return false;
    return true;
}

// What both devices are told to be where a grid is all that a device holds at once, which is not the same on two.
static const int64_t few_multiprocessors = 4, few_blocks = 2;

bool verify_cases(const struct variant *variant, const struct parameters *work, bool emulator, bool thorough,
                  bool (*visit)(void *context, const struct verify_case *), void *context)
{
    struct parameters standard = *work;
    if (variant->persistent && !emulator) {
        standard.multiprocessors = few_multiprocessors;
        standard.resident_blocks = few_blocks;
    }
    struct casting casting = {.made = {.variant = variant, .parameters = standard},
                              .visit = visit,
                              .context = context,
                              .standard = &standard};
    if (!visit(context, &casting.made))
        return false;
    casting.made.clean = true;
    snprintf(casting.made.label, sizeof casting.made.label, "clean build");
    if (!visit(context, &casting.made))
        return false;
    casting.made.clean = false;
    return !thorough || visit_thoroughly(&casting, emulator);
}
