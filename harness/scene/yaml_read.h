// SPDX-License-Identifier: MIT
// Reads YAML mappings by tables of fields. Every mistake is an error with file, line and key.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <yaml.h>

#include "base/error.h"

// A parsed file. Texts and nodes handed out point into it.
struct yaml_source {
    const char *path;
    yaml_document_t document;
    bool loaded;
};

enum { YAML_SOURCE_MAX = 1 << 20 }; // bytes a scene file may have

// Parses one document. `path` is for messages and must outlive the source; the text need not.
bool yaml_source_parse(struct yaml_source *source, const char *path, const char *text, size_t size,
                       struct error *error);
void yaml_source_finish(struct yaml_source *source);

yaml_node_t *yaml_source_root(struct yaml_source *source);
int yaml_line(const yaml_node_t *node); // from 1

enum yaml_type {
    YAML_TEXT,     // const char *
    YAML_FLAG,     // bool: true | false
    YAML_REAL,     // double within [low, high]
    YAML_COUNT,    // uint64_t within [low, high]
    YAML_REAL2,    // double[2]
    YAML_REAL3,    // double[3]
    YAML_UNIFORM3, // double[3]: three numbers, or one for all
    YAML_TURN,     // double[3]: degrees about x, y, z, or one number about y
    YAML_REAL9,    // double[9]
    YAML_NODE      // yaml_node_t *, read later
};

struct yaml_field {
    const char *name; // NULL ends the table
    enum yaml_type type;
    size_t offset;    // of the member in `to`
    double low, high; // of every number; ignored where both are 0
    const char *help;
};

// Fills `to` from a mapping; members whose key is absent keep their value. Bit i of `*present` (may be NULL) tells that
// key i of the table was there. Keys in the NULL-terminated list `others` (may be NULL) are left to somebody else;
// unknown and doubled keys are errors. `what` names the mapping in messages ("a camera").
bool yaml_read_mapping(struct yaml_source *source, yaml_node_t *node, const char *what, const struct yaml_field *fields,
                       const char *const *others, void *to, uint64_t *present, struct error *error);

// One finite decimal number; `what` names it in messages.
bool yaml_number(struct yaml_source *source, yaml_node_t *node, const char *what, double *value, struct error *error);

// Value of a key of a mapping, or NULL.
yaml_node_t *yaml_find(struct yaml_source *source, yaml_node_t *mapping, const char *key);

bool yaml_expect(struct yaml_source *source, yaml_node_t *node, yaml_node_type_t type, const char *what,
                 struct error *error);

// The error of a key that the mapping held before. `what` goes before the key: "camera ", or "".
bool yaml_twice(struct yaml_source *source, yaml_node_t *mapping, const yaml_node_t *key, const char *what,
                struct error *error);

// One of a NULL-terminated list of words, as its index; otherwise an error with a suggestion.
bool yaml_choose(struct yaml_source *source, yaml_node_t *node, const char *what, const char *const *words,
                 uint32_t *chosen, struct error *error);

// "did you mean WORD?" where one is near, else the list of what there is.
bool yaml_unknown(struct yaml_source *source, yaml_node_t *node, const char *what, const char *word,
                  const char *const *words, struct error *error);
