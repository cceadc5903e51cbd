// SPDX-License-Identifier: MIT
// The keys of an experiment file, but for those that are about axes.
#include <stdlib.h>
#include <string.h>

#include "device/counters.h"
#include "experiment/reader.h"

static bool read_label(struct reader *reader, const yaml_node_t *node, const char *what, char *text, size_t size)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    if (!read_short_text(reader, node, what, text, size))
        return false;
    if (strspn(text, allowed) == strlen(text))
        return true;
    reader_fail(reader, node_line(node), "%s: '%s' has a character that cannot stand in a file's name", what, text);
    return error_remedy(reader->error, "use letters, digits and . _ -");
}

static bool read_name(struct reader *reader, const yaml_node_t *node, const char *name)
{
    return read_label(reader, node, name, reader->experiment->name, sizeof reader->experiment->name);
}

static bool read_study(struct reader *reader, const yaml_node_t *node, const char *name)
{
    return read_label(reader, node, name, reader->experiment->study, sizeof reader->experiment->study);
}

static bool add_collection(struct reader *reader, const yaml_node_t *node, const char *what)
{
    size_t index;
    if (!read_choice(reader, node, what, collection_names, &index))
        return false;
    reader->experiment->collections |= 1u << index;
    return true;
}

static bool read_collect(struct reader *reader, const yaml_node_t *node, const char *name)
{
    reader->experiment->collections = 0;
    return each_value(reader, node, name, add_collection);
}

// A short name of device/metrics.def, or one of the hardware's own, which all have two underscores in a row.
static bool check_counter(struct reader *reader, const char *name, int line)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    const char *names[256];
    size_t count = 0;
    if (device_metric_find(name))
        return true;
    if (strstr(name, "__") && strlen(name) < 96 && strspn(name, allowed) == strlen(name))
        return true;
    for (; device_metrics[count].name && count < 255; ++count)
        names[count] = device_metrics[count].name;
    names[count] = NULL;
    reader_fail(reader, line, "counters: there is no counter '%.96s'", name);
    return reader_suggest(reader, name, names);
}

static bool add_counter(struct reader *reader, const yaml_node_t *node, const char *what)
{
    struct experiment *experiment = reader->experiment;
    const char *name = read_text(reader, node, what);
    if (!name || !check_counter(reader, name, node_line(node)))
        return false;
    if (experiment->counter_count >= 256) {
        reader_fail(reader, node_line(node), "%s: more than 256 counters", what);
        return error_remedy(reader->error, "split them over several experiments");
    }
    struct experiment_text *counters =
        realloc(experiment->counters, (experiment->counter_count + 1) * sizeof *counters);
    if (!counters)
        return error_set(reader->error, ERROR_SYSTEM, "no memory for the experiment");
    experiment->counters = counters;
    return read_copy(reader, node, what, &counters[experiment->counter_count]) && ++experiment->counter_count;
}

static bool read_counters(struct reader *reader, const yaml_node_t *node, const char *name)
{
    reader->counters_line = node_line(node);
    return each_value(reader, node, name, add_counter);
}

static bool read_int32(struct reader *reader, const yaml_node_t *node, const char *name, int64_t least, int64_t most,
                       int32_t *value)
{
    int64_t wide;
    if (!read_integer(reader, node, name, least, most, &wide))
        return false;
    *value = (int32_t)wide;
    return true;
}

static bool read_replicates(struct reader *reader, const yaml_node_t *node, const char *name)
{
    reader->experiment->replicates_given = true;
    return read_int32(reader, node, name, 1, 1000, &reader->experiment->replicates);
}

static bool read_relative_ci(struct reader *reader, const yaml_node_t *node, const char *name)
{
    return read_real(reader, node, name, 0, 1, &reader->experiment->relative_ci);
}

static bool read_min_repetitions(struct reader *reader, const yaml_node_t *node, const char *name)
{
    return read_int32(reader, node, name, 1, 1000000, &reader->experiment->min_repetitions);
}

static bool read_max_repetitions(struct reader *reader, const yaml_node_t *node, const char *name)
{
    return read_int32(reader, node, name, 1, 1000000, &reader->experiment->max_repetitions);
}

static bool read_max_seconds(struct reader *reader, const yaml_node_t *node, const char *name)
{
    return read_real(reader, node, name, 0, 86400, &reader->experiment->max_seconds);
}

static bool read_stop(struct reader *reader, const yaml_node_t *node, const char *name)
{
    static const struct reader_key keys[] = {
        {"relative_ci", read_relative_ci},
        {"min_repetitions", read_min_repetitions},
        {"max_repetitions", read_max_repetitions},
        {"max_seconds", read_max_seconds},
        {NULL, NULL},
    };
    reader->stop_line = node_line(node);
    return read_mapping(reader, node, name, keys);
}

static bool read_max_temperature(struct reader *reader, const yaml_node_t *node, const char *name)
{
    return read_real(reader, node, name, 0, 200, &reader->experiment->max_temperature);
}

static bool read_gate_seconds(struct reader *reader, const yaml_node_t *node, const char *name)
{
    return read_real(reader, node, name, 0, 86400, &reader->experiment->gate_seconds);
}

static bool read_gate(struct reader *reader, const yaml_node_t *node, const char *name)
{
    static const struct reader_key keys[] = {
        {"max_temperature", read_max_temperature},
        {"max_seconds", read_gate_seconds},
        {NULL, NULL},
    };
    return read_mapping(reader, node, name, keys);
}

static bool read_shared_device(struct reader *reader, const yaml_node_t *node, const char *name)
{
    static const char *const answers[] = {"no", "yes", NULL};
    size_t index;
    if (!read_choice(reader, node, name, answers, &index))
        return false;
    reader->shared_device = (int)index;
    return true;
}

static bool read_order(struct reader *reader, const yaml_node_t *node, const char *name)
{
    static const char *const orders[] = {"breadth_first", "depth_first", NULL};
    size_t index;
    if (!read_choice(reader, node, name, orders, &index))
        return false;
    reader->breadth_first = index == 0;
    return true;
}

static bool read_time_limit(struct reader *reader, const yaml_node_t *node, const char *name)
{
    return read_real(reader, node, name, 0, 7 * 86400, &reader->experiment->time_limit);
}

static bool read_retries(struct reader *reader, const yaml_node_t *node, const char *name)
{
    return read_int32(reader, node, name, 0, 100, &reader->experiment->retries);
}

// `seed` is the former name of order_seed. It is easily taken for the parameter `seed`, which belongs to an axis.
static bool read_order_seed(struct reader *reader, const yaml_node_t *node, const char *name)
{
    int64_t seed;
    if (!read_integer(reader, node, name, 0, INT64_MAX, &seed))
        return false;
    if (reader->order_seed_line) {
        reader_fail(reader, node_line(node), "%s: the order has a seed already, on line %d", name,
                    reader->order_seed_line);
        return error_remedy(reader->error, "keep `order_seed`; the seed of the paths belongs into `fixed` or `sweep`");
    }
    reader->order_seed_line = node_line(node);
    reader->experiment->order_seed = (uint64_t)seed;
    return true;
}

static bool add_include(struct reader *reader, const yaml_node_t *node, const char *what)
{
    struct reader_include *include = &reader->include;
    if (include->count >= EXPERIMENT_INCLUDES_MAX) {
        reader_fail(reader, node_line(node), "%s: more than %d files", what, EXPERIMENT_INCLUDES_MAX);
        return error_remedy(reader->error, "include files that include some of them");
    }
    struct experiment_text *paths = realloc(include->paths, (include->count + 1) * sizeof *paths);
    if (!paths)
        return error_set(reader->error, ERROR_SYSTEM, "no memory for the experiment");
    include->paths = paths;
    return read_copy(reader, node, what, &paths[include->count]) && ++include->count;
}

static bool read_include(struct reader *reader, const yaml_node_t *node, const char *name)
{
    return each_value(reader, node, name, add_include);
}

const struct reader_key experiment_keys[] = {
    {"name", read_name},
    {"study", read_study},
    {"device", read_device},
    {"fixed", read_fixed},
    {"sweep", read_sweep},
    {"where", read_where},
    {"derive", read_derive},
    {"collect", read_collect},
    {"counters", read_counters},
    {"replicates", read_replicates},
    {"stop", read_stop},
    {"gate", read_gate},
    {"shared_device", read_shared_device},
    {"order", read_order},
    {"order_seed", read_order_seed},
    {"seed", read_order_seed},
    {"time_limit", read_time_limit},
    {"retries", read_retries},
    {"include", read_include},
    {NULL, NULL},
};
