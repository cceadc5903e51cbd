// SPDX-License-Identifier: MIT
// Shared by the files that read an experiment: a parsed YAML document and the values that come out of it.
#pragma once

#include "base/yaml.h"
#include "plan/experiment.h"

enum {
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
    struct yaml_source yaml;
    size_t values; // added so far
    int counters_line, timeline_line, order_seed_line, stop_line;
    int breadth_first, shared_device; // -1: not given
    struct error *error;
};

// ---- experiment_file.c

// Reads text into reader->experiment and reader->include, which reader_finish() frees, also after a failure. Values
// that a file with `include` does not give are NAN, 0 or -1. `path`: for messages and the default name.
bool reader_run(struct reader *reader, const char *path, const char *text, size_t size, struct error *error);
void reader_finish(struct reader *reader);
// The file's text, to be freed.
char *reader_file(const char *path, size_t *size, struct error *error);
bool reader_check_stop(struct reader *reader, const struct experiment *experiment);

// ---- reader.c: every function returns false after setting reader->error with file and line of the node

#define reader_fail(reader, line, ...)                                                                                 \
    error_set_at((reader)->error, ERROR_USE, (reader)->experiment->path, line, __VA_ARGS__)

// Gives an error that names no place that of a line of this file.
bool reader_stands_at(struct reader *reader, int line);

// One more of the list of texts: the node's. `most`: how many it may have; `remedy`: of more.
bool read_copy(struct reader *reader, const yaml_node_t *node, const char *what, struct experiment_text **texts,
               size_t *count, size_t most, const char *remedy);

// Calls visit for each element of a list, or once for a scalar. An empty list is an error.
bool each_value(struct reader *reader, const yaml_node_t *node, const char *what,
                bool (*visit)(struct reader *, const yaml_node_t *, const char *what));
// Calls visit for each entry of a mapping, whose keys must differ.
bool each_entry(struct reader *reader, yaml_node_t *node, const char *what,
                bool (*visit)(struct reader *, yaml_node_t *value, const char *name, int line));

// ---- settings.c

// The whole file.
bool read_settings(struct reader *reader, yaml_node_t *root);
// Whether it can be the name of an experiment or of a study.
bool reader_is_label(const char *text);

// ---- experiment_report.c

bool read_report(struct reader *reader, yaml_node_t *node, const char *name);
// Whether the parameters that it names are the experiment's.
bool check_report(struct reader *reader);

// ---- axes.c

bool read_fixed(struct reader *reader, yaml_node_t *node, const char *name);
bool read_sweep(struct reader *reader, yaml_node_t *node, const char *name);
bool read_device(struct reader *reader, yaml_node_t *node, const char *name);
bool read_where(struct reader *reader, yaml_node_t *node, const char *name);
bool read_derive(struct reader *reader, yaml_node_t *node, const char *name);
// What can only be told at the end: scene and variant are there, derived names are free, `device` has a value.
bool finish_axes(struct reader *reader);
