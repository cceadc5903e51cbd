// SPDX-License-Identifier: MIT
#include "plan/overrides.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plan/numbers.h"
#include "plan/device_choice.h"
#include "frame/variant.h"

// ---- settings that are numbers

struct number {
    const char *name;
    size_t offset;
    bool real;
    double least, most;
};

enum { WHOLE, REAL };
#define NUMBER(key, member, kind, least, most, help)                                                                   \
    {#member, offsetof(struct experiment, member), kind == REAL, least, most},
static const struct number numbers[] = {EXPERIMENT_PLAIN_NUMBERS(NUMBER) EXPERIMENT_STOP_NUMBERS(NUMBER)
                                            EXPERIMENT_GATE_NUMBERS(NUMBER) EXPERIMENT_TIMELINE_NUMBERS(NUMBER)};

static bool set_number(struct experiment *experiment, const struct number *row, const char *text, struct error *error)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end || !(value >= row->least && value <= row->most) ||
        (!row->real && value != (double)(int32_t)value))
        return error_set(error, ERROR_USE, "%s: '%s' is not a %snumber from %g to %g", row->name, text,
                         row->real ? "" : "whole ", row->least, row->most);
    char *place = (char *)experiment + row->offset;
    if (row->real)
        memcpy(place, &value, sizeof value);
    else
        memcpy(place, &(int32_t){(int32_t)value}, sizeof(int32_t));
    experiment->replicates_given |= row->offset == offsetof(struct experiment, replicates);
    return true;
}

static bool set_seed(struct experiment *experiment, const char *text, struct error *error)
{
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (end == text || *end || errno || strspn(text, "0123456789") != strlen(text) || value > INT64_MAX)
        return error_set(error, ERROR_USE, "order_seed: '%s' is not a whole number from 0 to %lld", text,
                         (long long)INT64_MAX);
    experiment->order_seed = value;
    return true;
}

static bool set_collections(struct experiment *experiment, char *text, struct error *error)
{
    uint32_t bits = 0;
    for (char *place = NULL, *word = strtok_r(text, ",", &place); word; word = strtok_r(NULL, ",", &place)) {
        uint32_t bit = 0;
        for (int i = 0; i < COLLECTION_KINDS; ++i)
            bit |= strcmp(word, collection_names[i]) ? 0 : 1u << i;
        if (!bit) {
            error_set(error, ERROR_USE, "collect: there is no '%s'", word);
            return error_remedy(error, "choose from counts, frame, launches, counters, stalls, timeline");
        }
        bits |= bit;
    }
    experiment->collections = bits;
    return bits != 0 || error_set(error, ERROR_USE, "collect: nothing is named");
}

// ---- axes

static bool check_value(const char *name, const char *text, struct error *error)
{
    const struct parameter *parameter = parameter_find(name);
    int64_t ignored;
    if (parameter)
        return parameter_parse(parameter, text, &ignored, error);
    if (!strcmp(name, "device"))
        return device_check_name(text, error);
    return strcmp(name, "variant") != 0 || variant_check(text, error);
}

// The words of one value: itself, or the numbers of a range.
static bool add_values(const char *name, const char *text, struct experiment_text **values, size_t *count,
                       struct error *error)
{
    const struct parameter *parameter = parameter_find(name);
    struct parameter_range range;
    if (!parameter || !parameter_is_range(parameter, text)) {
        if (!check_value(name, text, error))
            return false;
        ARRAY_ADD(*values, *count)->text = memory_copy(text);
        return true;
    }
    if (!parameter_range_parse(parameter, text, &range, error))
        return false;
    for (int64_t value = range.from; value <= range.to; ++value)
        ARRAY_ADD(*values, *count)->text = memory_format("%lld", (long long)value);
    return true;
}

static bool replace_values(struct experiment_axis *axis, char *text, struct error *error)
{
    struct experiment_text *values = NULL;
    size_t count = 0;
    bool done = true;
    for (char *place = NULL, *word = strtok_r(text, ",", &place); done && word; word = strtok_r(NULL, ",", &place))
        done = add_values(axis->name, word, &values, &count, error);
    if (done && !count)
        done = error_set(error, ERROR_USE, "%s: no value is given", axis->name);
    if (!done) {
        experiment_free_texts(values, count);
        return false;
    }
    experiment_free_texts(axis->values, axis->count);
    axis->values = values;
    axis->count = count;
    return true;
}

static bool unknown_name(const char *name, struct error *error)
{
    const char *names[128] = {"scene", "camera", "variant", "device", "collect", "order_seed"};
    size_t count = 6;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        names[count++] = numbers[i].name;
    for (size_t i = 0; i < parameter_count && count < 127; ++i)
        names[count++] = parameter_table[i].name;
    names[count] = NULL;
    error_set(error, ERROR_USE, "--set: there is no '%s'", name);
    return error_near(error, name, names, "see warpstudy list parameters");
}

static bool is_axis(const char *name)
{
    return parameter_find(name) || !strcmp(name, "scene") || !strcmp(name, "camera") || !strcmp(name, "variant") ||
           !strcmp(name, "device");
}

static bool set_named(struct experiment *experiment, const char *name, char *value, struct error *error)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        if (!strcmp(numbers[i].name, name))
            return set_number(experiment, &numbers[i], value, error);
    if (!strcmp(name, "order_seed"))
        return set_seed(experiment, value, error);
    if (!strcmp(name, "collect"))
        return set_collections(experiment, value, error);
    if (!is_axis(name))
        return unknown_name(name, error);
    return replace_values(experiment_axis_named(experiment, name), value, error);
}

bool override_experiment(struct experiment *experiment, const char *text, struct error *error)
{
    const char *equals = strchr(text, '=');
    if (!equals) {
        error_set(error, ERROR_USE, "--set: '%s' gives no value", text);
        return error_remedy(error, "write NAME=VALUE");
    }
    char *name = memory_copy(text), *value = name + (equals - text) + 1;
    name[equals - text] = '\0';
    const bool done = set_named(experiment, name, value, error);
    free(name);
    return done;
}

static bool override_all(struct experiment *experiment, const struct run_options *options, struct error *error)
{
    for (size_t i = 0; i < options->set_count; ++i)
        if (!override_experiment(experiment, options->sets[i], error))
            return false;
    if (!options->device)
        return true;
    char text[96];
    snprintf(text, sizeof text, "device=%.80s", options->device);
    return override_experiment(experiment, text, error);
}

// A device without a clock that means something needs no replicates for its times.
static void set_untimed(struct experiment *experiment)
{
    bool timed = false;
    for (size_t i = 0; i < experiment->axis_count; ++i)
        for (size_t j = 0; !strcmp(experiment->axes[i].name, "device") && j < experiment->axes[i].count; ++j)
            timed |= device_has_clock(experiment->axes[i].values[j].text);
    if (!timed)
        experiment_set_untimed(experiment);
}

bool experiments_load(const struct run_options *options, struct experiment_list *list, struct error *error)
{
    for (size_t i = 0; i < options->experiment_count; ++i)
        if (!experiment_list_load(list, options->experiments[i], error))
            return false;
    for (size_t i = 0; i < list->count; ++i) {
        if (!override_all(list->items[i], options, error))
            return false;
        list->items[i]->shared_device |= options->shared_device;
        set_untimed(list->items[i]);
    }
    return true;
}
