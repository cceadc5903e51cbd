// SPDX-License-Identifier: MIT
// The columns of a paper's table: of tables.yaml, or taken over from what is published.
#pragma once

#include "report/papers/paper.h"
#include "base/yaml.h"

// The mapping `columns` of a table, and `defaults`, which has what its columns do not say; NULL where there is none.
bool paper_columns_read(struct yaml_source *source, yaml_node_t *node, yaml_node_t *defaults,
                        const struct published_table *published, struct arena *arena, struct paper_table *table,
                        struct error *error);
// One column for each that is published, of a table that nothing measures.
void paper_columns_published(const struct published_table *published, struct arena *arena, struct paper_table *table);
