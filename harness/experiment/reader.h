// SPDX-License-Identifier: MIT
// Shared by the files of experiment/: a parsed YAML document and the values that come out of it.
#pragma once

#include <yaml.h>

#include "experiment/experiment.h"

enum {
    EXPERIMENT_FILE_MAX = 1 << 20,
    EXPERIMENT_VALUES_MAX = 10000000, // of all axes together
    EXPERIMENT_CLAUSES_MAX = 32,      // of `where`; `derive` as well
    EXPERIMENT_AXES_MAX = 60,         // SQLite joins at most 64 tables
    EXPERIMENT_INCLUDES_MAX = 100
};

// A file with `include` has no experiment of its own.
struct reader_include {
    struct experiment_text *paths;
    size_t count;
};

struct reader {
    struct experiment *experiment;
    struct reader_include include;
    yaml_document_t document;
    size_t values; // added so far
    int counters_line, order_seed_line, stop_line;
    int breadth_first, shared_device; // -1: not given
    struct error *error;
};

// ---- experiment_file.c

// Reads text into reader->experiment and reader->include, which reader_finish() frees, also after a failure. Values
// that a file with `include` does not give are NAN, 0 or -1. `path`: for messages and the default name.
bool reader_run(struct reader *reader, const char *path, const char *text, size_t size, struct error *error);
void reader_finish(struct reader *reader);
// The file's bytes, to be freed; one more than EXPERIMENT_FILE_MAX at most.
char *reader_file(const char *path, size_t *size, struct error *error);
bool reader_check_stop(struct reader *reader, const struct experiment *experiment);

// ---- reader.c: every function returns false after setting reader->error with file and line of the node

int node_line(const yaml_node_t *node); // from 1
bool reader_fail(struct reader *reader, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
// "did you mean X?" where one of the NULL-terminated candidates is near, else the list of them.
bool reader_suggest(struct reader *reader, const char *word, const char *const *candidates);

// The node's text, or NULL: not a scalar, empty, or with a NUL inside. `what` names it in the message.
const char *read_text(struct reader *reader, const yaml_node_t *node, const char *what);
bool read_short_text(struct reader *reader, const yaml_node_t *node, const char *what, char *text, size_t size);
bool read_integer(struct reader *reader, const yaml_node_t *node, const char *what, int64_t least, int64_t most,
                  int64_t *value);
// Within (above, most].
bool read_real(struct reader *reader, const yaml_node_t *node, const char *what, double above, double most,
               double *value);
bool read_copy(struct reader *reader, const yaml_node_t *node, const char *what, struct experiment_text *copy);
// Whether `text` is one of the NULL-terminated choices; an error with a suggestion otherwise.
bool read_choice(struct reader *reader, const yaml_node_t *node, const char *what, const char *const *choices,
                 size_t *index);

// Calls visit for each element of a list, or once for a scalar. An empty list is an error.
bool each_value(struct reader *reader, const yaml_node_t *node, const char *what,
                bool (*visit)(struct reader *, const yaml_node_t *, const char *what));

struct reader_key {
    const char *name; // NULL ends a table
    bool (*read)(struct reader *, const yaml_node_t *value, const char *name);
};
// Calls a key's function for each entry of a mapping. Unknown and doubled keys are errors.
bool read_mapping(struct reader *reader, const yaml_node_t *node, const char *what, const struct reader_key *keys);
// The same where any key may come.
bool each_entry(struct reader *reader, const yaml_node_t *node, const char *what,
                bool (*visit)(struct reader *, const yaml_node_t *value, const char *name, int line));

extern const struct reader_key experiment_keys[]; // settings.c

// ---- axes.c

bool read_fixed(struct reader *reader, const yaml_node_t *node, const char *name);
bool read_sweep(struct reader *reader, const yaml_node_t *node, const char *name);
bool read_device(struct reader *reader, const yaml_node_t *node, const char *name);
bool read_where(struct reader *reader, const yaml_node_t *node, const char *name);
bool read_derive(struct reader *reader, const yaml_node_t *node, const char *name);
// What can only be told at the end: scene and variant are there, derived names are free, `device` has a value.
bool finish_axes(struct reader *reader);
