// SPDX-License-Identifier: MIT
// The sweep: value lists, and the expressions over them.
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "plan/axis_values.h"
#include "plan/reader.h"

static struct experiment_axis *find_axis(struct reader *reader, const char *name)
{
    for (size_t i = 0; i < reader->experiment->axis_count; ++i)
        if (!strcmp(reader->experiment->axes[i].name, name))
            return &reader->experiment->axes[i];
    return NULL;
}

static struct experiment_axis *add_axis(struct reader *reader, const char *name, int line)
{
    struct experiment *experiment = reader->experiment;
    const struct experiment_axis *there = find_axis(reader, name);
    if (there) {
        reader_fail(reader, line, "'%s' has a value already, on line %d", name, there->line);
        error_remedy(reader->error, "name it once, in `fixed` or in `sweep`");
        return NULL;
    }
    if (experiment->axis_count >= EXPERIMENT_AXES_MAX) {
        reader_fail(reader, line, "more than %d parameters are given", EXPERIMENT_AXES_MAX);
        error_remedy(reader->error, "leave out those that have their default");
        return NULL;
    }
    struct experiment_axis *axis = ARRAY_ADD(experiment->axes, experiment->axis_count);
    axis->line = line;
    snprintf(axis->name, sizeof axis->name, "%s", name);
    return axis;
}

// ---- values

static struct experiment_axis *latest_axis(struct reader *reader)
{
    return &reader->experiment->axes[reader->experiment->axis_count - 1];
}

static bool read_value(struct reader *reader, const yaml_node_t *node, const char *name)
{
    struct experiment_axis *axis = latest_axis(reader);
    const char *text = yaml_word(&reader->yaml, node, name, reader->error);
    const size_t before = axis->count;
    if (!text)
        return false;
    if (!axis_add_values(axis, text, yaml_line(node), reader->error))
        return reader_stands_at(reader, yaml_line(node));
    reader->values += axis->count - before;
    if (reader->values <= EXPERIMENT_VALUES_MAX)
        return true;
    reader_fail(reader, yaml_line(node), "more than %d values", EXPERIMENT_VALUES_MAX);
    return error_remedy(reader->error, "split the experiment into several files");
}

static bool read_axis(struct reader *reader, const char *what, yaml_node_t *node, const char *name, int line)
{
    if (!axis_exists(name)) {
        axis_unknown(what, name, NULL, reader->error);
        return reader_stands_at(reader, line);
    }
    return add_axis(reader, name, line) && each_value(reader, node, name, read_value);
}

static bool read_sweep_axis(struct reader *reader, yaml_node_t *node, const char *name, int line)
{
    return read_axis(reader, "sweep", node, name, line);
}

static bool read_fixed_axis(struct reader *reader, yaml_node_t *node, const char *name, int line)
{
    if (!read_axis(reader, "fixed", node, name, line))
        return false;
    if (latest_axis(reader)->count == 1)
        return true;
    reader_fail(reader, line, "fixed: '%s' has %zu values", name, latest_axis(reader)->count);
    return error_remedy(reader->error, "lists belong in `sweep`");
}

bool read_sweep(struct reader *reader, yaml_node_t *node, const char *name)
{
    return each_entry(reader, node, name, read_sweep_axis);
}

bool read_fixed(struct reader *reader, yaml_node_t *node, const char *name)
{
    return each_entry(reader, node, name, read_fixed_axis);
}

bool read_device(struct reader *reader, yaml_node_t *node, const char *name)
{
    return read_axis(reader, "experiment", node, name, yaml_line(node));
}

// ---- expressions

static bool add_clause(struct reader *reader, const yaml_node_t *node, const char *what)
{
    return read_copy(reader, node, what, &reader->experiment->where, &reader->experiment->where_count,
                     EXPERIMENT_CLAUSES_MAX, "join some of them with AND");
}

bool read_where(struct reader *reader, yaml_node_t *node, const char *name)
{
    return each_value(reader, node, name, add_clause);
}

static bool is_identifier(const char *name)
{
    size_t length = 0;
    for (; name[length]; ++length)
        if (!(name[length] == '_' || (name[length] >= 'a' && name[length] <= 'z') ||
              (length && isdigit((unsigned char)name[length]))))
            return false;
    return length && length < 64;
}

static bool add_derived(struct reader *reader, yaml_node_t *node, const char *name, int line)
{
    struct experiment *experiment = reader->experiment;
    if (experiment->derived_count >= EXPERIMENT_CLAUSES_MAX) {
        reader_fail(reader, line, "derive: more than %d columns", EXPERIMENT_CLAUSES_MAX);
        return error_remedy(reader->error, "remove those that nothing uses");
    }
    if (!is_identifier(name) || (axis_exists(name) && !parameter_find(name)) || !strcmp(name, "number")) {
        reader_fail(reader, line, "derive: '%.64s' cannot name a column", name);
        return error_remedy(reader->error, "use lower-case letters, digits and _, and none of number, scene, camera, "
                                           "variant, device");
    }
    const char *expression = yaml_word(&reader->yaml, node, name, reader->error);
    if (!expression)
        return false;
    struct experiment_derived *derived = ARRAY_ADD(experiment->derived, experiment->derived_count);
    snprintf(derived->name, sizeof derived->name, "%s", name);
    derived->expression = (struct experiment_text){memory_copy(expression), yaml_line(node)};
    return true;
}

bool read_derive(struct reader *reader, yaml_node_t *node, const char *name)
{
    return each_entry(reader, node, name, add_derived);
}

// ---- the end

static bool check_derived_names(struct reader *reader)
{
    for (size_t i = 0; i < reader->experiment->derived_count; ++i) {
        const struct experiment_derived *derived = &reader->experiment->derived[i];
        if (!find_axis(reader, derived->name))
            continue;
        reader_fail(reader, derived->expression.line, "derive: '%s' has a value already", derived->name);
        return error_remedy(reader->error, "give the column another name, or remove it from `fixed` and `sweep`");
    }
    return true;
}

bool finish_axes(struct reader *reader)
{
    for (int i = 0; i < 2; ++i) {
        const char *name = i ? "variant" : "scene";
        if (find_axis(reader, name))
            continue;
        reader_fail(reader, 1, "the experiment names no %s", name);
        return error_remedy(reader->error,
                            "add `%s: NAME` under `fixed:` or `sweep:`; `warpstudy list %ss` shows what there is", name,
                            name);
    }
    if (!find_axis(reader, "device") &&
        !(add_axis(reader, "device", 1) && axis_add_values(latest_axis(reader), "auto", 1, reader->error)))
        return false;
    return check_derived_names(reader);
}
