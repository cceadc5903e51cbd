// SPDX-License-Identifier: MIT
// Settings to verify, from the tables alone.
#include <stdio.h>
#include <string.h>

#include "run/verify.h"

// Values tried for whole numbers of each role, where in bounds: small, odd, not a power of two, large.
static const int64_t schedule_values[] = {1, 2, 3, 8, 20, 32, 96, 256, 1024, -1};
static const int64_t tree_values[] = {1, 2, 8, 15, 64, -1};
static const int64_t machine_values[] = {1, 3, 4, 8, 16, 32, 64, -1};

static const int64_t no_values[] = {-1};

static const int64_t *values_of(const struct parameter *parameter)
{
    switch (parameter->role) {
    case PARAMETER_SCHEDULE: return schedule_values;
    case PARAMETER_TREE: return tree_values;
    case PARAMETER_MACHINE: return machine_values;
    case PARAMETER_WORK: break;
    }
    return no_values;
}

struct casting {
    struct verify_case made;
    bool (*visit)(void *context, const struct verify_case *);
    void *context;
    const struct parameters *standard;
};

static bool visit_value(struct casting *casting, const struct parameter *parameter, int64_t value)
{
    if (value == parameter_get(casting->standard, parameter))
        return true;
    char text[48];
    casting->made.parameters = *casting->standard;
    memcpy((char *)&casting->made.parameters + parameter->offset, &value, sizeof value);
    parameter_format(parameter, value, text, sizeof text);
    snprintf(casting->made.label, sizeof casting->made.label, "%.15s=%.40s", parameter->name, text);
    return casting->visit(casting->context, &casting->made);
}

static int64_t choice_count(const struct parameter *parameter)
{
    int64_t count = 1;
    for (const char *place = parameter->choices; (place = strchr(place, '|')); ++place)
        ++count;
    return count;
}

static bool visit_parameter(struct casting *casting, const struct parameter *parameter)
{
    if (parameter->choices) {
        for (int64_t value = 0; value < choice_count(parameter); ++value)
            if (!visit_value(casting, parameter, value))
                return false;
        return true;
    }
    for (const int64_t *value = values_of(parameter); *value >= 0; ++value)
        if (*value >= parameter->least && *value <= parameter->most && !visit_value(casting, parameter, *value))
            return false;
    return true;
}

bool verify_cases(const struct variant *variant, const struct parameters *work, bool emulator, bool thorough,
                  bool (*visit)(void *context, const struct verify_case *), void *context)
{
    struct casting casting = {
        .made = {.variant = variant, .parameters = *work}, .visit = visit, .context = context, .standard = work};
    if (!visit(context, &casting.made))
        return false;
    casting.made.clean = true;
    snprintf(casting.made.label, sizeof casting.made.label, "clean build");
    if (!visit(context, &casting.made))
        return false;
    casting.made.clean = false;
    for (size_t i = 0; thorough && i < parameter_count; ++i) {
        const struct parameter *parameter = &parameter_table[i];
        if (parameter->role == PARAMETER_WORK || (parameter->role == PARAMETER_MACHINE && !emulator) ||
            !variant_uses(variant, parameter))
            continue;
        if (!visit_parameter(&casting, parameter))
            return false;
    }
    return true;
}
