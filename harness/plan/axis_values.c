// SPDX-License-Identifier: MIT
#include "plan/axis_values.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frame/variant.h"
#include "plan/device_choice.h"
#include "scene/scene_find.h"

static const char *const named_axes[] = {"scene", "camera", "variant", "device", NULL};

bool axis_exists(const char *name)
{
    const char *const *row = named_axes;
    while (*row && strcmp(*row, name))
        ++row;
    return *row || parameter_find(name);
}

bool axis_unknown(const char *what, const char *name, const char *const *others, struct error *error)
{
    const char *names[256];
    size_t count = 0;
    for (; named_axes[count]; ++count)
        names[count] = named_axes[count];
    for (; others && *others && count < 127; ++others)
        names[count++] = *others;
    for (size_t i = 0; i < parameter_count && count < 255; ++i)
        names[count++] = parameter_table[i].name;
    names[count] = NULL;
    error_set(error, ERROR_USE, "%s: there is no %s'%s'", what, others ? "" : "parameter ", name);
    return error_near(error, name, names, "`warpstudy list parameters` shows them all");
}

static void add_value(struct experiment_axis *axis, const char *text, int line)
{
    *ARRAY_ADD(axis->values, axis->count) = (struct experiment_text){memory_copy(text), line};
}

static bool add_parameter_values(struct experiment_axis *axis, const struct parameter *parameter, const char *text,
                                 int line, struct error *error)
{
    char number[64];
    struct parameter_range range;
    if (!parameter_is_range(parameter, text)) {
        if (!parameter_parse(parameter, text, &range.from, error))
            return false;
        range.to = range.from;
    } else if (!parameter_range_parse(parameter, text, &range, error)) {
        return false;
    }
    for (int64_t value = range.from; value <= range.to; ++value) {
        parameter_format(parameter, value, number, sizeof number);
        add_value(axis, number, line);
    }
    return true;
}

static bool check_length(const char *axis, const char *text, size_t room, struct error *error)
{
    if (strlen(text) < room)
        return true;
    error_set(error, ERROR_USE, "%s: '%.40s...' is too long", axis, text);
    return error_remedy(error, "use at most %zu characters", room - 1);
}

static bool add_scene(struct experiment_axis *axis, const char *text, int line, struct error *error)
{
    char *name = scene_one_name(text);
    const bool done = check_length(axis->name, name, TRIAL_TEXT, error);
    if (done)
        add_value(axis, name, line);
    free(name);
    return done;
}

bool axis_add_values(struct experiment_axis *axis, const char *text, int line, struct error *error)
{
    const struct parameter *parameter = parameter_find(axis->name);
    if (parameter)
        return add_parameter_values(axis, parameter, text, line, error);
    if (!strcmp(axis->name, "scene"))
        return add_scene(axis, text, line, error);
    if (!check_length(axis->name, text, 64, error) || (!strcmp(axis->name, "variant") && !variant_check(text, error)) ||
        (!strcmp(axis->name, "device") && !device_check_name(text, error)))
        return false;
    add_value(axis, text, line);
    return true;
}
