// SPDX-License-Identifier: MIT
// Whole YAML files and their lists, on top of the reader that scene and experiment files use.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "scene/yaml_read.h"

// A row of a table of fields, named as the member is.
#define YAML_FIELD(type, name, kind, help)                                                                             \
    {                                                                                                                  \
#name, kind, offsetof(type, name), 0, 0, help                                                                  \
    }
#define YAML_FIELDS_END                                                                                                \
    {                                                                                                                  \
        NULL, YAML_TEXT, 0, 0, 0, NULL                                                                                 \
    }

struct yaml_file {
    struct yaml_source source;
    char path[512];
    char *text;
};

// A whole file as text, to be freed; NULL and an error where it cannot be read or is longer than YAML_SOURCE_MAX.
// `size` may be NULL.
char *yaml_file_text(const char *path, size_t *size, struct error *error);

// Reads and parses; the root must be a mapping. On failure nothing is left to finish.
bool yaml_file_open(struct yaml_file *file, const char *path, struct error *error);
void yaml_file_close(struct yaml_file *file);

// Entries of a list (`values`) or of a mapping (`keys` too): how many, and the i-th.
size_t yaml_length(const yaml_node_t *node);
yaml_node_t *yaml_value(struct yaml_source *source, const yaml_node_t *node, size_t i);
const char *yaml_key(struct yaml_source *source, const yaml_node_t *mapping, size_t i);
// The text of a single value; NULL where the node is something else.
const char *yaml_text(const yaml_node_t *node);
// The value under `key`, which must be there and of that type.
yaml_node_t *yaml_member(struct yaml_source *source, yaml_node_t *mapping, const char *key, yaml_node_type_t type,
                         struct error *error);
// The list of texts under `key`, the array to be freed; none where the key is not there.
bool yaml_texts(struct yaml_source *source, yaml_node_t *mapping, const char *key, const char ***texts, size_t *count,
                struct error *error);
// `count` zeroed elements, never of no size; NULL with the error set without memory.
void *yaml_array(size_t count, size_t size, struct error *error);
