// SPDX-License-Identifier: MIT
// The keys of an experiment file, but for those that are about axes.
#include <stdlib.h>
#include <string.h>

#include "device/counters.h"
#include "plan/numbers.h"
#include "plan/reader.h"

bool reader_is_label(const char *text)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    return text[0] && strlen(text) < 64 && strspn(text, allowed) == strlen(text);
}

static bool read_label(struct reader *reader, const yaml_node_t *node, const char *what, char text[64])
{
    const char *label = yaml_word(&reader->yaml, node, what, reader->error);
    if (!label)
        return false;
    if (reader_is_label(label)) {
        strcpy(text, label);
        return true;
    }
    yaml_fail(&reader->yaml, node, reader->error,
              "%s: '%.80s' has a character that cannot be used in a file name, or is longer than 63", what, label);
    return error_remedy(reader->error, "use letters, digits and . _ -");
}

static bool read_name(struct reader *reader, yaml_node_t *node, const char *name)
{
    return read_label(reader, node, name, reader->experiment->name);
}

static bool read_study(struct reader *reader, yaml_node_t *node, const char *name)
{
    return read_label(reader, node, name, reader->experiment->study);
}

static bool add_collection(struct reader *reader, const yaml_node_t *node, const char *what)
{
    (void)what;
    uint32_t index;
    if (!yaml_choose(&reader->yaml, node, "collection", collection_names, &index, reader->error))
        return false;
    reader->experiment->collections |= 1u << index;
    return true;
}

static bool read_collect(struct reader *reader, yaml_node_t *node, const char *name)
{
    reader->experiment->collections = 0;
    return each_value(reader, node, name, add_collection);
}

// A short name of device/metrics.def, or one of the hardware's own, which all have two underscores in a row.
static bool check_counter(struct reader *reader, const yaml_node_t *node, const char *name)
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
    return yaml_unknown(&reader->yaml, node, "counter", name, names, reader->error);
}

static bool add_counter(struct reader *reader, const yaml_node_t *node, const char *what)
{
    struct experiment *experiment = reader->experiment;
    return read_copy(reader, node, what, &experiment->counters, &experiment->counter_count, 256,
                     "split them over several experiments") &&
           check_counter(reader, node, experiment->counters[experiment->counter_count - 1].text);
}

static bool read_counters(struct reader *reader, yaml_node_t *node, const char *name)
{
    reader->counters_line = yaml_line(node);
    return each_value(reader, node, name, add_counter);
}

#define WHOLE YAML_INT
#define REAL YAML_REAL
#define NUMBER(key, member, kind, least, most, help)                                                                   \
    {#key, kind, offsetof(struct experiment, member), least, most, help},

static bool read_stop(struct reader *reader, yaml_node_t *node, const char *name)
{
    static const struct yaml_field fields[] = {EXPERIMENT_STOP_NUMBERS(NUMBER) YAML_FIELDS_END};
    reader->stop_line = yaml_line(node);
    return yaml_read_mapping(&reader->yaml, node, name, fields, NULL, reader->experiment, NULL, reader->error);
}

static bool read_gate(struct reader *reader, yaml_node_t *node, const char *name)
{
    static const struct yaml_field fields[] = {EXPERIMENT_GATE_NUMBERS(NUMBER) YAML_FIELDS_END};
    return yaml_read_mapping(&reader->yaml, node, name, fields, NULL, reader->experiment, NULL, reader->error);
}

static bool read_timeline(struct reader *reader, yaml_node_t *node, const char *name)
{
    static const struct yaml_field fields[] = {EXPERIMENT_TIMELINE_NUMBERS(NUMBER) YAML_FIELDS_END};
    reader->timeline_line = yaml_line(node);
    return yaml_read_mapping(&reader->yaml, node, name, fields, NULL, reader->experiment, NULL, reader->error);
}

static bool read_shared_device(struct reader *reader, yaml_node_t *node, const char *name)
{
    static const char *const answers[] = {"no", "yes", NULL};
    (void)name;
    uint32_t index = 0;
    const bool done = yaml_choose(&reader->yaml, node, "answer to shared_device", answers, &index, reader->error);
    reader->shared_device = (int)index;
    return done;
}

static bool read_order(struct reader *reader, yaml_node_t *node, const char *name)
{
    static const char *const orders[] = {"depth_first", "breadth_first", NULL};
    uint32_t index = 0;
    const bool done = yaml_choose(&reader->yaml, node, name, orders, &index, reader->error);
    reader->breadth_first = (int)index;
    return done;
}

// `seed` is the former name of order_seed. It is easily taken for the parameter `seed`, which belongs to an axis.
static bool read_order_seed(struct reader *reader, yaml_node_t *node, const char *name)
{
    const char *text = yaml_word(&reader->yaml, node, name, reader->error);
    char *end = NULL;
    if (!text)
        return false;
    if (reader->order_seed_line) {
        yaml_fail(&reader->yaml, node, reader->error, "%s: the order has a seed already, on line %d", name,
                  reader->order_seed_line);
        return error_remedy(reader->error, "keep `order_seed`; the seed of the paths belongs in `fixed` or `sweep`");
    }
    reader->order_seed_line = yaml_line(node);
    reader->experiment->order_seed = strtoull(text, &end, 10);
    if (!*end && strspn(text, "0123456789") == strlen(text) && reader->experiment->order_seed <= INT64_MAX)
        return true;
    yaml_fail(&reader->yaml, node, reader->error, "%s: '%.60s' is not a whole number, or too large", name, text);
    return error_remedy(reader->error, "give a whole number from 0 to %lld", (long long)INT64_MAX);
}

static bool add_include(struct reader *reader, const yaml_node_t *node, const char *what)
{
    return read_copy(reader, node, what, &reader->include.paths, &reader->include.count, EXPERIMENT_INCLUDES_MAX,
                     "include files that include some of them");
}

static bool read_include(struct reader *reader, yaml_node_t *node, const char *name)
{
    return each_value(reader, node, name, add_include);
}

static const struct yaml_field plain_keys[] = {EXPERIMENT_PLAIN_NUMBERS(NUMBER) YAML_FIELDS_END};

// Those with a reader of their own, which are read in the file's order: axes are nested by it.
static const struct {
    const char *name;
    bool (*read)(struct reader *, yaml_node_t *value, const char *name);
} other_keys[] = {
    {"name", read_name},
    {"study", read_study},
    {"device", read_device},
    {"fixed", read_fixed},
    {"sweep", read_sweep},
    {"where", read_where},
    {"derive", read_derive},
    {"collect", read_collect},
    {"counters", read_counters},
    {"stop", read_stop},
    {"gate", read_gate},
    {"timeline", read_timeline},
    {"shared_device", read_shared_device},
    {"order", read_order},
    {"order_seed", read_order_seed},
    {"seed", read_order_seed},
    {"include", read_include},
    {"report", read_report},
};
enum { OTHER_KEYS = sizeof other_keys / sizeof *other_keys };

static bool read_other(struct reader *reader, yaml_node_t *value, const char *name, int line)
{
    (void)line;
    for (size_t i = 0; i < OTHER_KEYS; ++i)
        if (!strcmp(other_keys[i].name, name))
            return other_keys[i].read(reader, value, name);
    return true;
}

bool read_settings(struct reader *reader, yaml_node_t *root)
{
    const char *others[OTHER_KEYS + 1] = {NULL};
    for (size_t i = 0; i < OTHER_KEYS; ++i)
        others[i] = other_keys[i].name;
    if (!yaml_read_mapping(&reader->yaml, root, "an experiment", plain_keys, others, reader->experiment, NULL,
                           reader->error))
        return false;
    reader->experiment->replicates_given = reader->experiment->replicates > 0;
    return each_entry(reader, root, "an experiment", read_other);
}
