// SPDX-License-Identifier: MIT
// Reading one test of a claim's part. docs/reports.md explains the keys.
#pragma once

#include "report/claims/claims_file.h"

// [least, most] under `key`, null for an open side; *found tells whether it is there. false and an error with file and line
// where it is damaged.
bool claims_read_bounds(struct yaml_source *source, yaml_node_t *mapping, const char *key, struct claim_bounds *bounds,
                        bool *found, struct error *error);
// Its values and bounds; not to which query and part it belongs.
bool claims_read_test(struct yaml_source *source, yaml_node_t *node, struct claim_test *test, struct error *error);
