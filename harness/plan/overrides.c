// SPDX-License-Identifier: MIT
#include "plan/overrides.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plan/numbers.h"
#include "plan/axis_values.h"

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
    // as in a file: strtod also takes hexadecimal
    if (end == text || *end || strspn(text, "+-.0123456789eE") != strlen(text) ||
        !(value >= row->least && value <= row->most) || (!row->real && value != (double)(int32_t)value))
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

static bool replace_values(struct experiment *experiment, const char *name, char *text, struct error *error)
{
    struct experiment_axis by = {.count = 0};
    bool done = true;
    snprintf(by.name, sizeof by.name, "%s", name);
    for (char *place = NULL, *word = strtok_r(text, ",", &place); done && word; word = strtok_r(NULL, ",", &place))
        done = axis_add_values(&by, word, 0, error);
    if (done && !by.count)
        done = error_set(error, ERROR_USE, "%s: no value is given", name);
    if (done)
        experiment_replace_axis(experiment, &by);
    experiment_free_texts(by.values, by.count);
    return done;
}

static bool unknown_name(const char *name, struct error *error)
{
    const char *names[sizeof numbers / sizeof *numbers + 3] = {"collect", "order_seed"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        names[2 + i] = numbers[i].name;
    return axis_unknown("--set", name, names, error);
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
    return axis_exists(name) ? replace_values(experiment, name, value, error) : unknown_name(name, error);
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
    if (!experiment_check_stop(experiment, error) || !experiment_check_window(experiment, error)) {
        snprintf(error->file, sizeof error->file, "%s", experiment->path);
        return false;
    }
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
