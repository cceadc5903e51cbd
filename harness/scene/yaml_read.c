// SPDX-License-Identifier: MIT
#include "scene/yaml_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool yaml_source_parse(struct yaml_source *source, const char *path, const char *text, size_t size, struct error *error)
{
    *source = (struct yaml_source){.path = path};
    if (size > YAML_SOURCE_MAX) {
        error_set_at(error, ERROR_INPUT, path, 0, "the file is longer than %d bytes", YAML_SOURCE_MAX);
        return error_remedy(error, "keep what is long, such as meshes, in files of their own");
    }
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return error_set(error, ERROR_SYSTEM, "no memory to read %s", path);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    source->loaded = yaml_parser_load(&parser, &source->document);
    if (!source->loaded) {
        error_set_at(error, ERROR_INPUT, path, (int)parser.problem_mark.line + 1, "not YAML: %s%s%s",
                     parser.problem ? parser.problem : "cannot be read", parser.context ? ", " : "",
                     parser.context ? parser.context : "");
        error_remedy(error, "look there, and in the line before, for indentation, brackets, colons and quotes");
    }
    yaml_parser_delete(&parser);
    return source->loaded;
}

void yaml_source_finish(struct yaml_source *source)
{
    if (source->loaded)
        yaml_document_delete(&source->document);
    source->loaded = false;
}

yaml_node_t *yaml_source_root(struct yaml_source *source)
{
    return yaml_document_get_root_node(&source->document);
}

int yaml_line(const yaml_node_t *node)
{
    return (int)node->start_mark.line + 1;
}

static const char *type_word(yaml_node_type_t type)
{
    return type == YAML_MAPPING_NODE    ? "a mapping"
           : type == YAML_SEQUENCE_NODE ? "a list"
           : type == YAML_SCALAR_NODE   ? "a single value"
                                        : "nothing";
}

static const char *type_remedy(yaml_node_type_t type)
{
    return type == YAML_MAPPING_NODE    ? "write `key: value` lines, indented below it, or {key: value, ...}"
           : type == YAML_SEQUENCE_NODE ? "write a list: [a, b, c], or lines that begin with `- `"
                                        : "write one number or word, without brackets and keys of its own";
}

bool yaml_expect(struct yaml_source *source, yaml_node_t *node, yaml_node_type_t type, const char *what,
                 struct error *error)
{
    if (node && node->type == type)
        return true;
    error_set_at(error, ERROR_USE, source->path, node ? yaml_line(node) : 1, "%s must be %s, not %s", what,
                 type_word(type), type_word(node ? node->type : YAML_NO_NODE));
    return error_remedy(error, "%s", type_remedy(type));
}

static const char *scalar_text(const yaml_node_t *node)
{
    return (const char *)node->data.scalar.value;
}

static yaml_node_t *node_at(struct yaml_source *source, int index)
{
    return yaml_document_get_node(&source->document, index);
}

yaml_node_t *yaml_find(struct yaml_source *source, yaml_node_t *mapping, const char *key)
{
    if (mapping->type != YAML_MAPPING_NODE)
        return NULL;
    for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start; pair < mapping->data.mapping.pairs.top;
         ++pair) {
        const yaml_node_t *name = node_at(source, pair->key);
        if (name && name->type == YAML_SCALAR_NODE && strcmp(scalar_text(name), key) == 0)
            return node_at(source, pair->value);
    }
    return NULL;
}

static void list_words(const char *const *words, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (; *words && used < size; ++words) {
        const int wrote = snprintf(text + used, size - used, "%s%s", used ? ", " : "", *words);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
}

bool yaml_unknown(struct yaml_source *source, yaml_node_t *node, const char *what, const char *word,
                  const char *const *words, struct error *error)
{
    error_set_at(error, ERROR_USE, source->path, yaml_line(node), "unknown %s \"%.100s\"", what, word);
    const char *near = error_suggest(word, words);
    if (near)
        return error_remedy(error, "did you mean \"%s\"?", near);
    char list[400];
    list_words(words, list, sizeof list);
    return list[0] ? error_remedy(error, "there are: %s", list) : error_remedy(error, "none is defined");
}

bool yaml_choose(struct yaml_source *source, yaml_node_t *node, const char *what, const char *const *words,
                 uint32_t *chosen, struct error *error)
{
    if (!yaml_expect(source, node, YAML_SCALAR_NODE, what, error))
        return false;
    for (uint32_t i = 0; words[i]; ++i)
        if (strcmp(words[i], scalar_text(node)) == 0) {
            *chosen = i;
            return true;
        }
    return yaml_unknown(source, node, what, scalar_text(node), words, error);
}

static bool check_bounds(struct yaml_source *source, const yaml_node_t *node, const struct yaml_field *field,
                         double value, struct error *error)
{
    if ((field->low == 0 && field->high == 0) || (value >= field->low && value <= field->high))
        return true;
    error_set_at(error, ERROR_USE, source->path, yaml_line(node), "%s: %g is out of bounds, %g to %g", field->name,
                 value, field->low, field->high);
    return error_remedy(error, "choose a number from %g to %g (%s: %s)", field->low, field->high, field->name,
                        field->help ? field->help : "a number");
}

static bool read_number(struct yaml_source *source, yaml_node_t *node, const struct yaml_field *field, double *value,
                        struct error *error)
{
    if (!yaml_expect(source, node, YAML_SCALAR_NODE, field->name, error))
        return false;
    const char *text = scalar_text(node);
    char *end;
    *value = strtod(text, &end);
    // strtod also takes hexadecimal, "nan" and "infinity"; a scene file has no use for them.
    if (end == text || *end || strspn(text, "+-.0123456789eE") != strlen(text) || !isfinite(*value)) {
        error_set_at(error, ERROR_USE, source->path, yaml_line(node), "%s: \"%.60s\" is not a number", field->name,
                     text);
        return error_remedy(error, "write a finite decimal number, such as 0.25 or 1e-3");
    }
    // Everything ends up in float32: keep clear of its limits, where differences and areas overflow.
    if (fabs(*value) > 1e12) {
        error_set_at(error, ERROR_USE, source->path, yaml_line(node), "%s: %g is out of bounds, -1e12 to 1e12",
                     field->name, *value);
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
    const yaml_node_item_t *item = node->data.sequence.items.start;
    const ptrdiff_t length = node->data.sequence.items.top - item;
    if (length != (ptrdiff_t)count) {
        error_set_at(error, ERROR_USE, source->path, yaml_line(node), "%s: %td values where %zu are wanted",
                     field->name, length, count);
        return error_remedy(error, "write %s: %s", field->name,
                            count == 2   ? "[a, b]"
                            : count == 3 ? "[x, y, z]"
                                         : "[xx, xy, xz, yx, yy, yz, zx, zy, zz]");
    }
    for (size_t i = 0; i < count; ++i)
        if (!read_number(source, node_at(source, item[i]), field, &values[i], error))
            return false;
    return true;
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
        error_set_at(error, ERROR_USE, source->path, yaml_line(node), "%s: %g is not a whole number", field->name,
                     number);
        return error_remedy(error, "write it without a fraction");
    }
    *value = (uint64_t)number;
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
        *(const char **)to = scalar_text(node);
        return true;
    case YAML_FLAG: return read_flag(source, node, field, to, error);
    case YAML_REAL: return read_number(source, node, field, to, error);
    case YAML_COUNT: return read_count(source, node, field, to, error);
    case YAML_REAL2: return read_numbers(source, node, field, 2, to, error);
    case YAML_REAL3: return read_numbers(source, node, field, 3, to, error);
    case YAML_REAL9: return read_numbers(source, node, field, 9, to, error);
    case YAML_UNIFORM3:
    case YAML_TURN: return read_three(source, node, field, to, error);
    case YAML_NODE: *(yaml_node_t **)to = node; return true;
    }
    return false;
}

static bool in_list(const char *word, const char *const *words)
{
    for (; words && *words; ++words)
        if (strcmp(*words, word) == 0)
            return true;
    return false;
}

static bool unknown_key(struct yaml_source *source, yaml_node_t *key, const char *what, const struct yaml_field *fields,
                        const char *const *others, struct error *error)
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
    return yaml_unknown(source, key, kind, scalar_text(key), words, error);
}

bool yaml_twice(struct yaml_source *source, yaml_node_t *mapping, const yaml_node_t *key, const char *what,
                struct error *error)
{
    const char *word = scalar_text(key);
    const yaml_node_t *first = key;
    for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.top; pair-- > mapping->data.mapping.pairs.start;) {
        const yaml_node_t *other = node_at(source, pair->key);
        if (other && other->type == YAML_SCALAR_NODE && strcmp(scalar_text(other), word) == 0)
            first = other;
    }
    error_set_at(error, ERROR_USE, source->path, yaml_line(key), "%s\"%.100s\" is given twice", what, word);
    return error_remedy(error, "keep one of the two, or rename it; the first is in line %d", yaml_line(first));
}

bool yaml_read_mapping(struct yaml_source *source, yaml_node_t *node, const char *what, const struct yaml_field *fields,
                       const char *const *others, void *to, uint64_t *present, struct error *error)
{
    uint64_t seen = 0;
    if (!yaml_expect(source, node, YAML_MAPPING_NODE, what, error))
        return false;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; ++pair) {
        yaml_node_t *key = node_at(source, pair->key);
        if (!yaml_expect(source, key, YAML_SCALAR_NODE, "a key", error))
            return false;
        size_t i = 0;
        while (fields[i].name && strcmp(fields[i].name, scalar_text(key)) != 0)
            ++i;
        if (!fields[i].name) {
            if (in_list(scalar_text(key), others))
                continue;
            return unknown_key(source, key, what, fields, others, error);
        }
        if (seen >> i & 1)
            return yaml_twice(source, node, key, "", error);
        seen |= (uint64_t)1 << i;
        if (!read_field(source, node_at(source, pair->value), &fields[i], (char *)to + fields[i].offset, error))
            return false;
    }
    if (present)
        *present = seen;
    return true;
}
