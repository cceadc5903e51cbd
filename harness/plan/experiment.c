// SPDX-License-Identifier: MIT
#include "plan/experiment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool experiment_is_timed(const struct experiment *experiment)
{
    return (experiment->collections & (1u << COLLECTION_FRAME | 1u << COLLECTION_LAUNCHES)) != 0;
}

struct timeline_policy experiment_timeline(const struct experiment *experiment)
{
    return (struct timeline_policy){(uint64_t)llround(experiment->timeline_interval_us * 1e3),
                                    (uint64_t)llround(experiment->timeline_window_ms * 1e6)};
}

bool experiment_check_stop(const struct experiment *experiment, struct error *error)
{
    if (experiment->min_repetitions <= experiment->max_repetitions)
        return true;
    error_set(error, ERROR_USE, "stop: min_repetitions %d is more than max_repetitions %d", experiment->min_repetitions,
              experiment->max_repetitions);
    return error_remedy(error, "lower the first, which is 10 unless given, or raise the second, which is 1000");
}

// Samples take memory while they are measured, see docs/experiments.md.
enum { TIMELINE_SAMPLES_MAX = 100000 };

bool experiment_check_window(const struct experiment *experiment, struct error *error)
{
    const double window = experiment->timeline_window_ms, samples = window * 1e3 / experiment->timeline_interval_us;
    if (samples <= (double)TIMELINE_SAMPLES_MAX)
        return true;
    error_set(error, ERROR_USE, "timeline: a window of %g milliseconds has %.0f samples, more than %d", window, samples,
              TIMELINE_SAMPLES_MAX);
    return error_remedy(error, "choose an interval of %g microseconds or more, or a shorter window",
                        ceil(window) * 1e3 / (double)TIMELINE_SAMPLES_MAX);
}

void experiment_default_replicates(struct experiment *experiment)
{
    if (!experiment->replicates_given)
        experiment->replicates = experiment_is_timed(experiment) ? 5 : 1;
}

void experiment_set_untimed(struct experiment *experiment)
{
    if (!experiment->replicates_given)
        experiment->replicates = 1;
}

struct experiment_axis *experiment_axis_named(struct experiment *experiment, const char *name)
{
    for (size_t i = 0; i < experiment->axis_count; ++i)
        if (!strcmp(experiment->axes[i].name, name))
            return &experiment->axes[i];
    struct experiment_axis *axis = ARRAY_ADD(experiment->axes, experiment->axis_count);
    snprintf(axis->name, sizeof axis->name, "%s", name);
    return axis;
}

void experiment_free_texts(struct experiment_text *texts, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        free(texts[i].text);
    free(texts);
}

void experiment_free(struct experiment *experiment)
{
    if (!experiment)
        return;
    for (size_t i = 0; i < experiment->axis_count; ++i)
        experiment_free_texts(experiment->axes[i].values, experiment->axes[i].count);
    for (size_t i = 0; i < experiment->derived_count; ++i)
        free(experiment->derived[i].expression.text);
    experiment_free_texts(experiment->where, experiment->where_count);
    experiment_free_texts(experiment->counters, experiment->counter_count);
    free(experiment->derived);
    free(experiment->axes);
    free(experiment->path);
    free(experiment->text);
    free(experiment);
}

void experiment_replace_axis(struct experiment *experiment, const struct experiment_axis *by)
{
    struct experiment_axis *axis = experiment_axis_named(experiment, by->name);
    experiment_free_texts(axis->values, axis->count);
    axis->values = NULL;
    axis->count = 0;
    for (size_t i = 0; i < by->count; ++i)
        ARRAY_ADD(axis->values, axis->count)->text = memory_copy(by->values[i].text);
}

size_t experiment_column_count(const struct experiment *experiment)
{
    return experiment->axis_count + experiment->derived_count;
}

const char *experiment_column(const struct experiment *experiment, size_t index)
{
    return index < experiment->axis_count ? experiment->axes[index].name
                                          : experiment->derived[index - experiment->axis_count].name;
}

bool experiment_has_column(const struct experiment *experiment, const char *name)
{
    for (size_t i = 0; i < experiment_column_count(experiment); ++i)
        if (!strcmp(experiment_column(experiment, i), name))
            return true;
    return false;
}

struct run_experiment experiment_record(const struct experiment *experiment)
{
    return (struct run_experiment){.name = experiment->name,
                                   .study = experiment->study,
                                   .path = experiment->path,
                                   .text = experiment->text,
                                   .order_seed = experiment->order_seed,
                                   .breadth_first = experiment->breadth_first};
}
