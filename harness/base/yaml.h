// SPDX-License-Identifier: MIT
// YAML as scenes, experiments and papers use it: libyaml's documents, and mappings read by tables of fields. Every
// mistake is an error with file, line, key and remedy.
#pragma once

#include <stdint.h>
#include <yaml.h>

#include "base/arena.h"

// ---- documents (yaml.c)

enum { YAML_SOURCE_MAX = 1 << 20 }; // bytes a file may have

// A parsed document. Texts and nodes handed out point into it.
struct yaml_source {
    const char *path;
    yaml_document_t document;
    bool loaded;
};

// Parses a text that holds one document, not an empty one. `path` is for messages and must outlive the source; the text
// need not.
bool yaml_source_parse(struct yaml_source *source, const char *path, const char *text, size_t size,
                       struct error *error);
void yaml_source_finish(struct yaml_source *source);

struct yaml_file {
    struct yaml_source source;
    char path[512];
};

// A whole file as text, to be freed; NULL and an error where it cannot be read or is longer than YAML_SOURCE_MAX.
// `size` may be NULL.
char *yaml_file_text(const char *path, size_t *size, struct error *error);
// Reads and parses; the root must be a mapping. On failure nothing is left to finish.
bool yaml_file_open(struct yaml_file *file, const char *path, struct error *error);
void yaml_file_close(struct yaml_file *file);

yaml_node_t *yaml_source_root(struct yaml_source *source);
int yaml_line(const yaml_node_t *node); // from 1

// The error of a node, which may be NULL; returns false.
#define yaml_fail(source, node, error, ...)                                                                            \
    error_set_at(error, ERROR_USE, (source)->path, (node) ? yaml_line(node) : 1, __VA_ARGS__)

// Entries of a list (`values`) or of a mapping (`keys` too): how many, and the i-th.
size_t yaml_length(const yaml_node_t *node);
yaml_node_t *yaml_value(struct yaml_source *source, const yaml_node_t *node, size_t i);
yaml_node_t *yaml_key_node(struct yaml_source *source, const yaml_node_t *mapping, size_t i);
const char *yaml_key(struct yaml_source *source, const yaml_node_t *mapping, size_t i);
// The text of a single value; NULL where the node is something else.
const char *yaml_text(const yaml_node_t *node);
// Value of a key of a mapping, or NULL.
yaml_node_t *yaml_find(struct yaml_source *source, yaml_node_t *mapping, const char *key);

bool yaml_expect(struct yaml_source *source, const yaml_node_t *node, yaml_node_type_t type, const char *what,
                 struct error *error);
// That it is a mapping whose keys are words, each there once.
bool yaml_expect_keys(struct yaml_source *source, yaml_node_t *node, const char *what, struct error *error);
// The text of a single value, which must not be empty; `what` names it in messages.
const char *yaml_word(struct yaml_source *source, const yaml_node_t *node, const char *what, struct error *error);
// The value under `key`, which must be there and of that type.
yaml_node_t *yaml_member(struct yaml_source *source, yaml_node_t *mapping, const char *key, yaml_node_type_t type,
                         struct error *error);
// The list of texts under `key`, in the arena; none where the key is not there.
bool yaml_texts(struct yaml_source *source, yaml_node_t *mapping, const char *key, struct arena *arena,
                const char ***texts, size_t *count, struct error *error);

// One of a NULL-terminated list of words, as its index; otherwise an error with a suggestion.
bool yaml_choose(struct yaml_source *source, const yaml_node_t *node, const char *what, const char *const *words,
                 uint32_t *chosen, struct error *error);
// The same of the value under `key`; *chosen stays where the key is not there.
bool yaml_choice(struct yaml_source *source, yaml_node_t *mapping, const char *key, const char *const *words,
                 uint32_t *chosen, struct error *error);
// "did you mean WORD?" where one is near, else the list of what there is.
bool yaml_unknown(struct yaml_source *source, const yaml_node_t *node, const char *what, const char *word,
                  const char *const *words, struct error *error);

// ---- fields of a mapping (yaml_fields.c)

enum yaml_type {
    YAML_TEXT,     // const char *
    YAML_FLAG,     // bool: true | false
    YAML_REAL,     // double within [low, high]
    YAML_COUNT,    // uint64_t within [low, high]
    YAML_INT,      // int32_t within [low, high]
    YAML_REAL2,    // double[2]
    YAML_RANGE,    // double[2]: from, to
    YAML_REAL3,    // double[3]
    YAML_UNIFORM3, // double[3]: three numbers, or one for all
    YAML_TURN,     // double[3]: degrees about x, y, z, or one number about y
    YAML_REAL9,    // double[9]
    YAML_REAL12,   // double[12]
    YAML_NODE      // yaml_node_t *, read later
};

struct yaml_field {
    const char *name; // NULL ends the table
    enum yaml_type type;
    size_t offset;    // of the member in `to`
    double low, high; // of every number; ignored where both are 0
    const char *help;
};

// A row of a table of fields, named as the member is.
#define YAML_FIELD(type, name, kind, help) YAML_FIELD_IN(type, name, kind, 0, 0, help)
#define YAML_FIELD_IN(type, name, kind, low, high, help)                                                               \
    {                                                                                                                  \
#name, kind, offsetof(type, name), low, high, help                                                             \
    }
#define YAML_FIELDS_END                                                                                                \
    {                                                                                                                  \
        NULL, YAML_TEXT, 0, 0, 0, NULL                                                                                 \
    }

// Fills `to` from a mapping; members whose key is absent keep their value. Bit i of `*present` (may be NULL) tells that
// key i of the table was there. Keys in the NULL-terminated list `others` (may be NULL) are left to somebody else;
// unknown and doubled keys are errors. `what` names the mapping in messages ("a camera").
bool yaml_read_mapping(struct yaml_source *source, yaml_node_t *node, const char *what, const struct yaml_field *fields,
                       const char *const *others, void *to, uint64_t *present, struct error *error);

// Makes every text of the table "", for those whose key is absent.
void yaml_empty_texts(const struct yaml_field *fields, void *to);

// One finite decimal number; `what` names it in messages.
bool yaml_number(struct yaml_source *source, yaml_node_t *node, const char *what, double *value, struct error *error);
