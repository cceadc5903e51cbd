// SPDX-License-Identifier: MIT
// What published_file.c reads of a file with its neighbours: nobody else needs it.
#pragma once

#include "base/yaml.h"

struct published;

// `tables`; corrections name misprints, which must have been read.
bool published_read_tables(struct yaml_source *source, yaml_node_t *node, struct published *published,
                           struct error *error);

// Adds the values of a section to the list of facts; no node, no facts. `only`: NULL-terminated names that are taken,
// NULL for all.
bool published_read_facts(struct yaml_source *source, yaml_node_t *node, const char *section, const char *const *only,
                          struct published *published, struct error *error);
