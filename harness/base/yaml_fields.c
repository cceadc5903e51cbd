// SPDX-License-Identifier: MIT
#include "base/yaml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool check_bounds(struct yaml_source *source, const yaml_node_t *node, const struct yaml_field *field,
                         double value, struct error *error)
{
    if ((field->low == 0 && field->high == 0) || (value >= field->low && value <= field->high))
        return true;
    yaml_fail(source, node, error, "%s: %g is out of bounds, %g to %g", field->name, value, field->low, field->high);
    return error_remedy(error, "choose a number from %g to %g (%s: %s)", field->low, field->high, field->name,
                        field->help ? field->help : "a number");
}

static bool read_number(struct yaml_source *source, yaml_node_t *node, const struct yaml_field *field, double *value,
                        struct error *error)
{
    const char *text = yaml_word(source, node, field->name, error);
    char *end;
    if (!text)
        return false;
    *value = strtod(text, &end);
    // strtod also takes hexadecimal, "nan" and "infinity"; no file has a use for them.
    if (end == text || *end || strspn(text, "+-.0123456789eE") != strlen(text) || !isfinite(*value)) {
        yaml_fail(source, node, error, "%s: \"%.60s\" is not a number", field->name, text);
        return error_remedy(error, "write a finite decimal number, such as 0.25 or 1e-3");
    }
    // Everything ends up in float32: keep clear of its limits, where differences and areas overflow.
    if (fabs(*value) > 1e12) {
        yaml_fail(source, node, error, "%s: %g is out of bounds, -1e12 to 1e12", field->name, *value);
        return error_remedy(error, "choose a smaller unit of length");
    }
    return check_bounds(source, node, field, *value, error);
}

bool yaml_number(struct yaml_source *source, yaml_node_t *node, const char *what, double *value, struct error *error)
{
    return read_number(source, node, &(struct yaml_field){.name = what, .type = YAML_REAL}, value, error);
}

static bool read_numbers(struct yaml_source *source, yaml_node_t *node, const struct yaml_field *field, size_t count,
                         double *values, struct error *error)
{
    if (!yaml_expect(source, node, YAML_SEQUENCE_NODE, field->name, error))
        return false;
    if (yaml_length(node) != count) {
        yaml_fail(source, node, error, "%s: %zu values where %zu are wanted", field->name, yaml_length(node), count);
        return error_remedy(error, "write %s: %s", field->name,
                            count == 2   ? "[a, b]"
                            : count == 3 ? "[x, y, z]"
                            : count == 9 ? "[xx, xy, xz, yx, yy, yz, zx, zy, zz]"
                                         : "[xx, xy, xz, x, yx, yy, yz, y, zx, zy, zz, z]");
    }
    for (size_t i = 0; i < count; ++i)
        if (!read_number(source, yaml_value(source, node, i), field, &values[i], error))
            return false;
    return true;
}

static bool read_range(struct yaml_source *source, yaml_node_t *node, const struct yaml_field *field, double values[2],
                       struct error *error)
{
    if (!read_numbers(source, node, field, 2, values, error))
        return false;
    if (values[0] <= values[1])
        return true;
    yaml_fail(source, node, error, "%s: from %g to %g", field->name, values[0], values[1]);
    return error_remedy(error, "write the smaller number first");
}

static bool read_three(struct yaml_source *source, yaml_node_t *node, const struct yaml_field *field, double values[3],
                       struct error *error)
{
    if (!node || node->type != YAML_SCALAR_NODE)
        return read_numbers(source, node, field, 3, values, error);
    double value;
    if (!read_number(source, node, field, &value, error))
        return false;
    for (int i = 0; i < 3; ++i)
        values[i] = field->type == YAML_TURN && i != 1 ? 0 : value;
    return true;
}

static bool read_count(struct yaml_source *source, yaml_node_t *node, const struct yaml_field *field, uint64_t *value,
                       struct error *error)
{
    double number = 0;
    if (!read_number(source, node, field, &number, error))
        return false;
    if (number < 0 || number > 0x1p53 || number != floor(number)) {
        yaml_fail(source, node, error, "%s: %g is not a whole number", field->name, number);
        return error_remedy(error, "write it without a fraction");
    }
    *value = (uint64_t)number;
    return true;
}

static bool read_int(struct yaml_source *source, yaml_node_t *node, const struct yaml_field *field, int32_t *value,
                     struct error *error)
{
    uint64_t count;
    if (!read_count(source, node, field, &count, error))
        return false;
    *value = (int32_t)count;
    return true;
}

static bool read_flag(struct yaml_source *source, yaml_node_t *node, const struct yaml_field *field, bool *value,
                      struct error *error)
{
    static const char *const words[] = {"false", "true", NULL};
    uint32_t chosen;
    if (!yaml_choose(source, node, field->name, words, &chosen, error))
        return false;
    *value = chosen == 1;
    return true;
}

static bool read_field(struct yaml_source *source, yaml_node_t *node, const struct yaml_field *field, void *to,
                       struct error *error)
{
    switch (field->type) {
    case YAML_TEXT:
        if (!yaml_expect(source, node, YAML_SCALAR_NODE, field->name, error))
            return false;
        *(const char **)to = yaml_text(node);
        return true;
    case YAML_FLAG: return read_flag(source, node, field, to, error);
    case YAML_REAL: return read_number(source, node, field, to, error);
    case YAML_COUNT: return read_count(source, node, field, to, error);
    case YAML_INT: return read_int(source, node, field, to, error);
    case YAML_REAL2: return read_numbers(source, node, field, 2, to, error);
    case YAML_RANGE: return read_range(source, node, field, to, error);
    case YAML_REAL3: return read_numbers(source, node, field, 3, to, error);
    case YAML_REAL9: return read_numbers(source, node, field, 9, to, error);
    case YAML_REAL12: return read_numbers(source, node, field, 12, to, error);
    case YAML_UNIFORM3:
    case YAML_TURN: return read_three(source, node, field, to, error);
    case YAML_NODE: *(yaml_node_t **)to = node; return true;
    }
    return false;
}

void yaml_empty_texts(const struct yaml_field *fields, void *to)
{
    for (; fields->name; ++fields)
        if (fields->type == YAML_TEXT)
            *(const char **)((char *)to + fields->offset) = "";
}

static bool in_list(const char *word, const char *const *words)
{
    for (; words && *words; ++words)
        if (strcmp(*words, word) == 0)
            return true;
    return false;
}

static bool unknown_key(struct yaml_source *source, const yaml_node_t *key, const char *what,
                        const struct yaml_field *fields, const char *const *others, struct error *error)
{
    const char *words[80];
    size_t count = 0;
    for (; fields->name && count < 78; ++fields)
        words[count++] = fields->name;
    for (; others && *others && count < 79; ++others)
        words[count++] = *others;
    words[count] = NULL;
    char kind[100];
    snprintf(kind, sizeof kind, "key of %s", what);
    return yaml_unknown(source, key, kind, yaml_text(key), words, error);
}

bool yaml_read_mapping(struct yaml_source *source, yaml_node_t *node, const char *what, const struct yaml_field *fields,
                       const char *const *others, void *to, uint64_t *present, struct error *error)
{
    uint64_t seen = 0;
    if (!yaml_expect_keys(source, node, what, error))
        return false;
    for (size_t k = 0; k < yaml_length(node); ++k) {
        const char *key = yaml_key(source, node, k);
        size_t i = 0;
        while (fields[i].name && strcmp(fields[i].name, key) != 0)
            ++i;
        if (!fields[i].name && in_list(key, others))
            continue;
        if (!fields[i].name)
            return unknown_key(source, yaml_key_node(source, node, k), what, fields, others, error);
        seen |= (uint64_t)1 << i;
        if (!read_field(source, yaml_value(source, node, k), &fields[i], (char *)to + fields[i].offset, error))
            return false;
    }
    if (present)
        *present = seen;
    return true;
}
