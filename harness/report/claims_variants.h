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
    char **texts; // kept as long
    size_t text_count;
};

// Reads and checks the map: whatever is said to be ours must be a variant, PARAMETER=VALUE, or PARAMETER. On failure
// claim_variants_close is still to be called.
bool claim_variants_open(struct claim_variants *variants, struct error *error);
void claim_variants_close(struct claim_variants *variants);

// Those of a claim's variants that do not exist here, as a text kept like a copy; NULL and an error where the map does not
// know one. `node`: their list, for the line, may be NULL where there is none.
const char *claim_variants_missing(struct claim_variants *variants, struct yaml_source *source, yaml_node_t *node,
                                   const char *const *wanted, size_t count, struct error *error);
// A copy that lives as long as the map.
const char *claim_variants_keep(struct claim_variants *variants, const char *text, struct error *error);
