// SPDX-License-Identifier: MIT
// What an instrumented build counts. One table per launch: a row per bounce and a last row for what has no bounce. Rows
// are striped over COUNT_STRIPES copies, so that lanes of different blocks seldom meet; the host adds the stripes.
#pragma once

#include "lib/platform.h"

enum camera_warp { CAMERA_ALONE, CAMERA_MIXED, CAMERA_WARPS };

enum branch {
    BRANCH_HIT,    // a surface, or out of the scene
    BRANCH_KIND,   // the kind of material that is evaluated
    BRANCH_SHADOW, // a shadow ray, or none
    BRANCH_END,    // the path ends, or goes on
    BRANCHES
};

enum death { DEATH_MISS, DEATH_DEPTH, DEATH_ABSORB, DEATH_ROULETTE, DEATH_CAUSES };

enum {
    COUNT_EXACT = 64, // bounces with a row of their own
    COUNT_BINS = COUNT_EXACT + 26,
    COUNT_MATERIALS = 16, // hits per material id; the last cell takes every id from there on
    COUNT_KINDS = 9,      // of materials: those of enum material_kind, blends of either kind together
    COUNT_STRIPES = 16
};

// Row of a bounce: its own below COUNT_EXACT, then one for each power of two.
DEVICE uint32_t count_bin(uint32_t bounce)
{
    uint32_t bin = bounce;
    if (bounce >= (uint32_t)COUNT_EXACT)
        for (bin = (uint32_t)COUNT_EXACT; bounce >= 2u * (uint32_t)COUNT_EXACT; bounce >>= 1)
            ++bin;
    return bin;
}

// The first bounce of a row.
DEVICE uint32_t count_bin_first(uint32_t bin)
{
    return bin < (uint32_t)COUNT_EXACT ? bin : (uint32_t)COUNT_EXACT << (bin - (uint32_t)COUNT_EXACT);
}

struct bounce_counts { // nothing but 64-bit words
#define COUNT(field, class, unit, meaning) uint64_t field;
#define COUNT_LIST(field, size, names, class, unit, meaning) uint64_t field[size];
#include "lib/counts.def"
#undef COUNT
#undef COUNT_LIST
};

// What a lane's traversals do, as far as an instrumented build counts it; rows of counts.def say what is meant.
struct traversal_work {
    uint32_t nodes, triangles;
    uint32_t loads, never_visited, sectors, leaves, leaf_lines, list_lines;
    uint32_t hops, hop_octaves; // kd-trees: from one node to the next
    uint32_t top_nodes, entered;
    uint32_t turns;  // calls of traversal_round
    uint32_t rounds; // these up to the last in which the ray did something
};

DEVICE struct traversal_work traversal_work_none(void)
{
    struct traversal_work none;
    none.nodes = none.triangles = 0;
    none.loads = none.never_visited = none.sectors = 0;
    none.leaves = none.leaf_lines = none.list_lines = 0;
    none.hops = none.hop_octaves = 0;
    none.top_nodes = none.entered = 0;
    none.turns = none.rounds = 0;
    return none;
}

// Ends one round of a lane's traversal: inner-node steps, then triangle tests.
DEVICE void traversal_round(struct traversal_work *work, uint32_t steps, uint32_t tests)
{
#if COUNTING
    work->nodes += steps;
    work->triangles += tests;
    ++work->turns;
    if (steps + tests != 0)
        work->rounds = work->turns;
    lockstep_round(steps, tests);
#else
    (void)work;
    (void)steps;
    (void)tests;
#endif
}
