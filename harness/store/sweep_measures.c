// SPDX-License-Identifier: MIT
#include "store/sweep_measures.h"

#include <string.h>

#include "device/counters.h"
#include "frame/counts.h"

static const struct sweep_source sources[] = {
    {{"frame_ms", "median frame time", "ms"}, "w.frame_ms", "w.frame_ms_low", "w.frame_ms_high"},
    {{"speedup", "speed relative to naive", "x"}, "w.speedup", "w.speedup_low", "w.speedup_high"},
    {{"live_lanes", "live lanes of active warps", "%"}, "w.live_lanes", "NULL", "NULL"},
    {{"saved_warps", "active warps of naive / own", "x"}, "w.saved_warps", "NULL", "NULL"},
    {{"noise_floor", "greatest difference between replicates", "%"}, "w.noise_floor", "NULL", "NULL"},
};
enum { SOURCES = sizeof sources / sizeof *sources, NAMES = 600 };

static bool find_count(const char *name, struct arena *memory, struct sweep_source *source)
{
    for (size_t i = 0; i < COUNT_WORDS; ++i) {
        const struct count_word *word = &count_words()[i];
        if (strcmp(word->name, name) != 0)
            continue;
        // What is counted both by bounce and in the totals counts once. Where no warps were counted, what is 0 was not either,
        // but for paths; nor where the lockstep model did not run, what it alone counts. Without results nothing was.
        *source = (struct sweep_source){{word->name, word->meaning, word->unit}, NULL, "NULL", "NULL"};
        source->value = arena_format(
            memory,
            "(SELECT coalesce(nullif(sum(iif(c.bounce >= 0, c.%s, 0)), 0), nullif(sum(iif(c.bounce < 0, c.%s, 0)), 0), "
            "iif(s.counted NOTNULL AND %s, 0, NULL)) FROM bounce_counts AS c WHERE c.attempt = s.counted)",
            word->name, word->name,
            word->class == COUNT_PATH    ? "1"
            : word->class == COUNT_MODEL ? "EXISTS (SELECT 1 FROM lockstep WHERE attempt = s.counted)"
                                         : "sum(c.active_warps) > 0");
        return true;
    }
    return false;
}

static bool find_metric(const char *name, struct arena *memory, struct sweep_source *source)
{
    const struct device_metric *metric = device_metric_find(name);
    if (!metric || !metric->expression[0])
        return false;
    *source = (struct sweep_source){{metric->name, metric->meaning, metric->unit}, NULL, "NULL", "NULL"};
    source->value = arena_format(memory,
                                 "(SELECT v.value FROM metric_value AS v JOIN metric_name AS n ON n.id = v.metric "
                                 "WHERE v.attempt = s.metered AND v.launch = -1 AND n.name = '%s')",
                                 metric->name);
    return true;
}

bool sweep_source_find(const char *name, struct arena *memory, struct sweep_source *source, struct error *error)
{
    const char *names[NAMES];
    size_t count = 0;
    for (size_t i = 0; i < SOURCES; ++i) {
        if (!strcmp(sources[i].measure.name, name)) {
            *source = sources[i];
            return true;
        }
        names[count++] = sources[i].measure.name;
    }
    if (find_count(name, memory, source) || find_metric(name, memory, source))
        return true;
    for (size_t i = 0; i < COUNT_WORDS && count < NAMES - 1; ++i)
        names[count++] = count_words()[i].name;
    for (const struct device_metric *metric = device_metrics; metric->name && count < NAMES - 1; ++metric)
        names[count++] = metric->name;
    names[count] = NULL;
    error_set(error, ERROR_USE, "there is no measure '%s'", name);
    return error_near(error, name, names,
                      "frame_ms, speedup, live_lanes, saved_warps, noise_floor, a count (docs/metrics.md) or a metric "
                      "(warpstudy list metrics)");
}
