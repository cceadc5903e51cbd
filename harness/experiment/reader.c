// SPDX-License-Identifier: MIT
#include "experiment/reader.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int node_line(const yaml_node_t *node)
{
    return (int)node->start_mark.line + 1;
}

bool reader_fail(struct reader *reader, int line, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return error_set_at(reader->error, ERROR_USE, reader->experiment->path, line, "%s", message);
}

bool reader_suggest(struct reader *reader, const char *word, const char *const *candidates)
{
    const char *near = error_suggest(word, candidates);
    if (near)
        return error_remedy(reader->error, "did you mean '%s'?", near);
    char list[480] = "";
    size_t used = 0;
    for (size_t i = 0; candidates[i] && used < sizeof list; ++i)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", candidates[i]);
    return error_remedy(reader->error, "choose one of %s", list);
}

// ---- scalars

static const char *kind_of(const yaml_node_t *node)
{
    return node->type == YAML_SEQUENCE_NODE ? "a list" : node->type == YAML_MAPPING_NODE ? "a mapping" : "a value";
}

const char *read_text(struct reader *reader, const yaml_node_t *node, const char *what)
{
    if (node->type != YAML_SCALAR_NODE) {
        reader_fail(reader, node_line(node), "%s: a single value is wanted here, not %s", what, kind_of(node));
        error_remedy(reader->error, node->type == YAML_MAPPING_NODE
                                        ? "put a value after the colon, not 'key: value' lines"
                                        : "take the brackets away");
        return NULL;
    }
    const char *text = (const char *)node->data.scalar.value;
    if (!node->data.scalar.length || strlen(text) != node->data.scalar.length) {
        reader_fail(reader, node_line(node), "%s: %s", what,
                    node->data.scalar.length ? "the value has a NUL character in it" : "the value is missing");
        error_remedy(reader->error, node->data.scalar.length
                                        ? "remove the \\0"
                                        : "put a value there, or remove the line to have its default");
        return NULL;
    }
    return text;
}

bool read_short_text(struct reader *reader, const yaml_node_t *node, const char *what, char *text, size_t size)
{
    const char *value = read_text(reader, node, what);
    if (!value)
        return false;
    if (strlen(value) >= size) {
        reader_fail(reader, node_line(node), "%s: longer than %zu characters", what, size - 1);
        return error_remedy(reader->error, "shorten it");
    }
    memcpy(text, value, strlen(value) + 1);
    return true;
}

bool read_integer(struct reader *reader, const yaml_node_t *node, const char *what, int64_t least, int64_t most,
                  int64_t *value)
{
    const char *text = read_text(reader, node, what);
    if (!text)
        return false;
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    if (*end || errno)
        reader_fail(reader, node_line(node), "%s: '%s' is not a whole number", what, text);
    else if (*value < least || *value > most)
        reader_fail(reader, node_line(node), "%s: %lld is out of bounds", what, (long long)*value);
    else
        return true;
    return error_remedy(reader->error, "give a whole number from %lld to %lld", (long long)least, (long long)most);
}

bool read_real(struct reader *reader, const yaml_node_t *node, const char *what, double above, double most,
               double *value)
{
    const char *text = read_text(reader, node, what);
    if (!text)
        return false;
    char *end;
    *value = strtod(text, &end);
    if (*end || strpbrk(text, "xXnN"))
        reader_fail(reader, node_line(node), "%s: '%s' is not a number", what, text);
    else if (!(*value > above && *value <= most))
        reader_fail(reader, node_line(node), "%s: %g is out of bounds", what, *value);
    else
        return true;
    return error_remedy(reader->error, "give a number above %g and up to %g", above, most);
}

bool read_copy(struct reader *reader, const yaml_node_t *node, const char *what, struct experiment_text *copy)
{
    const char *text = read_text(reader, node, what);
    if (!text)
        return false;
    copy->line = node_line(node);
    copy->text = strdup(text);
    return copy->text || error_set(reader->error, ERROR_SYSTEM, "no memory for the experiment");
}

bool read_choice(struct reader *reader, const yaml_node_t *node, const char *what, const char *const *choices,
                 size_t *index)
{
    const char *text = read_text(reader, node, what);
    if (!text)
        return false;
    for (*index = 0; choices[*index]; ++*index)
        if (!strcmp(choices[*index], text))
            return true;
    reader_fail(reader, node_line(node), "%s: there is no '%s'", what, text);
    return reader_suggest(reader, text, choices);
}

// ---- lists and mappings

bool each_value(struct reader *reader, const yaml_node_t *node, const char *what,
                bool (*visit)(struct reader *, const yaml_node_t *, const char *))
{
    if (node->type != YAML_SEQUENCE_NODE)
        return visit(reader, node, what);
    const yaml_node_item_t *item = node->data.sequence.items.start;
    if (item == node->data.sequence.items.top) {
        reader_fail(reader, node_line(node), "%s: the list is empty", what);
        return error_remedy(reader->error, "give it a value, or remove the key to have its default");
    }
    for (; item < node->data.sequence.items.top; ++item)
        if (!visit(reader, yaml_document_get_node(&reader->document, *item), what))
            return false;
    return true;
}

// The line of an earlier entry with this name, 0 where there is none.
static int earlier_line(struct reader *reader, const yaml_node_t *mapping, const yaml_node_pair_t *pair,
                        const char *name)
{
    for (const yaml_node_pair_t *other = mapping->data.mapping.pairs.start; other < pair; ++other) {
        const yaml_node_t *key = yaml_document_get_node(&reader->document, other->key);
        if (key->type == YAML_SCALAR_NODE && !strcmp((const char *)key->data.scalar.value, name))
            return node_line(key);
    }
    return 0;
}

enum { KEYS_MAX = 256 }; // of one mapping; it also bounds the search for doubled keys

bool each_entry(struct reader *reader, const yaml_node_t *node, const char *what,
                bool (*visit)(struct reader *, const yaml_node_t *, const char *, int))
{
    if (node->type != YAML_MAPPING_NODE) {
        reader_fail(reader, node_line(node), "%s: 'key: value' lines are wanted here, not %s", what, kind_of(node));
        return error_remedy(reader->error, "see docs/experiments.md for an example");
    }
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    if (node->data.mapping.pairs.top - pair > KEYS_MAX) {
        reader_fail(reader, node_line(node), "%s: more than %d keys", what, KEYS_MAX);
        return error_remedy(reader->error, "split the experiment into several files");
    }
    for (; pair < node->data.mapping.pairs.top; ++pair) {
        const yaml_node_t *key = yaml_document_get_node(&reader->document, pair->key);
        const char *name = read_text(reader, key, what);
        if (!name)
            return false;
        const int earlier = earlier_line(reader, node, pair, name);
        if (earlier) {
            reader_fail(reader, node_line(key), "%s: the key '%s' is there twice", what, name);
            return error_remedy(reader->error, "remove one of the two, here or on line %d", earlier);
        }
        if (!visit(reader, yaml_document_get_node(&reader->document, pair->value), name, node_line(key)))
            return false;
    }
    return true;
}

static const struct reader_key *find_key(const struct reader_key *keys, const char *name)
{
    for (; keys->name; ++keys)
        if (!strcmp(keys->name, name))
            return keys;
    return NULL;
}

static bool unknown_key(struct reader *reader, const struct reader_key *keys, const char *what, const char *name,
                        int line)
{
    const char *names[64];
    size_t count = 0;
    for (; keys[count].name && count < 63; ++count)
        names[count] = keys[count].name;
    names[count] = NULL;
    reader_fail(reader, line, "%s: unknown key '%s'", what, name);
    return reader_suggest(reader, name, names);
}

static bool accept(struct reader *reader, const yaml_node_t *value, const char *name, int line)
{
    (void)reader, (void)value, (void)name, (void)line;
    return true;
}

bool read_mapping(struct reader *reader, const yaml_node_t *node, const char *what, const struct reader_key *keys)
{
    if (!each_entry(reader, node, what, accept))
        return false;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; ++pair) {
        const yaml_node_t *name = yaml_document_get_node(&reader->document, pair->key);
        const struct reader_key *key = find_key(keys, (const char *)name->data.scalar.value);
        if (!key)
            return unknown_key(reader, keys, what, (const char *)name->data.scalar.value, node_line(name));
        if (!key->read(reader, yaml_document_get_node(&reader->document, pair->value), key->name))
            return false;
    }
    return true;
}
