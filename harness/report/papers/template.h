// SPDX-License-Identifier: MIT
// Sentences with values in them, as a paper's YAML files have them: "a frame takes {time:.2f} times as long".
// docs/reports.md, "Sentences", has the syntax.
#pragma once

#include "base/arena.h"
#include "base/yaml.h"
#include "store/query.h"

// Where the fields of a template have their values. `text` is "" where there is none. `range` gives the least and the most of
// a column of the whole table, for {NAME..}, and false where nothing was measured; NULL: there is no table.
struct template_source {
    const char *(*text)(const void *context, const char *name);
    bool (*range)(const void *context, const char *name, double *least, double *most);
    const void *context;
};
struct template_source template_of_row(const struct store_row *row);

// The sentence; "" where a field outside square brackets has no value.
const char *template_fill(const char *template, const struct template_source *source, struct arena *memory);
// Whether every field that is no range of a column of the table is a column of the row; else an error that names the field
// and the query, which is that of `what`.
bool template_check(const char *template, const struct store_row *row, const char *what, struct error *error);
// Whether its brackets match; else an error with the place of `key` in the mapping.
bool template_is_whole(struct yaml_source *source, yaml_node_t *mapping, const char *key, const char *template,
                       struct error *error);
