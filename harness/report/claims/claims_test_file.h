// SPDX-License-Identifier: MIT
// A test of a claim's part: a value of a query with its bounds, and its reading. docs/reports.md explains the keys.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/yaml.h"

// An interval of values, its ends included; -INFINITY and INFINITY where a side is open.
struct claim_bounds {
    double least, most;
};

// How many of the deciding cases must lie within bounds: at least `count` of every `of`, or more than that.
struct claim_share {
    char words[16]; // all, most, half, any, or N of M
    uint32_t count, of;
    bool above;
};

// false: `text`, which may be NULL, names no share.
bool claim_share_read(const char *text, struct claim_share *share);

// One value of a query, with its bounds.
struct claim_test {
    const char *value; // column of the query; VALUE_half is half of its interval, where the query has one
    const char *title, *unit;
    const char *
        sql; // query, FILE or FILE#NAME in the paper's folder: its part's, else its claim's; "" where nothing measures it yet
    struct claim_bounds accept, refute;
    struct claim_bounds direction; // values that have the direction at least
    size_t part;                   // of the claim
    bool has_refute, has_direction;
    bool decides;        // its part does
    bool refute_outside; // it is what lies outside `refute` that refutes
    struct claim_share on, refuted_on;
    uint64_t decimals;
};

// [least, most] under `key`, null for an open side; *found tells whether it is there. false and an error with file and line
// where it is damaged.
bool claims_read_bounds(struct yaml_source *source, yaml_node_t *mapping, const char *key, struct claim_bounds *bounds,
                        bool *found, struct error *error);
// Its values and bounds; not to which query and part it belongs.
bool claims_read_test(struct yaml_source *source, yaml_node_t *node, struct claim_test *test, struct error *error);
