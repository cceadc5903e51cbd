// SPDX-License-Identifier: MIT
// The map from the variants that claims name to what exists here: paper_figures/variants.yaml.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/yaml.h"

struct claim_variants {
    struct yaml_file yaml;
    const char **ids; // ends with NULL
    bool *exists;
};

// Reads and checks the map: whatever is said to be ours must be a variant, PARAMETER=VALUE, or PARAMETER. On failure
// claim_variants_close is still to be called.
bool claim_variants_open(struct claim_variants *variants, struct error *error);
void claim_variants_close(struct claim_variants *variants);

// Those `wanted` that do not exist here, joined by ", "; false and an error where the map does not know one. `node`: their list, for the
// line; may be NULL where there is none.
bool claim_variants_missing(const struct claim_variants *variants, struct yaml_source *source, yaml_node_t *node,
                            struct arena *arena, const char *const *wanted, size_t count, const char **missing,
                            struct error *error);
