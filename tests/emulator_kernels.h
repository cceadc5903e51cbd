// SPDX-License-Identifier: MIT
// The kernels on which the emulator is tested; all take one kind of argument.
#pragma once

#include <stdint.h>

#include "lib/platform.h"

struct emulator_test_args {
    uint32_t *out;      // one for each lane of the grid, unless a kernel says otherwise
    uint64_t *votes;    // the same
    const uint32_t *in; // the same
    uint32_t a, b;      // a kernel's own parameters
};

// What a lane plays to the recorder of the lockstep model.
enum { SCRIPT_TRAVERSALS = 5, SCRIPT_ROUNDS = 6 };
struct script_traversal {
    uint32_t kind, bounce, round_count;
    uint32_t inner[SCRIPT_ROUNDS], triangles[SCRIPT_ROUNDS];
    // Its n-th inner step reads script_place(seed, n) and answers script_answers(seed, n), its n-th test script_place(seed + 1, n).
    uint32_t seed;
};
static inline uint32_t script_place(uint32_t seed, uint32_t n)
{
    return ((seed + n * n) % 23 << seed % 11) * PLACE_SECTORS +
           n % PLACE_SECTORS; // few, so that lanes meet, and far apart
}
static inline uint32_t script_answers(uint32_t seed, uint32_t n) // STEP_...
{
    return (seed + n) % 3 == 0 ? STEP_AT_LEAF
                               : STEP_AT_INNER | (n % 5 < 3 ? STEP_LEFT_FIRST : STEP_RIGHT_FIRST) |
                                     (uint32_t)STEP_NEARER << (seed + n * n) % 7 / 2 % 3;
}
struct script {
    uint32_t traversal_count;
    struct script_traversal traversals[SCRIPT_TRAVERSALS];
};
// How the lanes of `drain` leave it, and whether they let others pass.
enum drain_way { DRAIN_ALONE, DRAIN_AS_A_WARP, DRAIN_SELFISHLY };

enum script_votes {
    SCRIPT_NO_VOTES,
    SCRIPT_VOTES_BETWEEN, // all lanes vote before each traversal
    SCRIPT_VOTES_WITHIN,  // and, with those in step, within each: as a speculative traversal does
    SCRIPT_BARRIERS,      // all lanes meet at a barrier before each traversal
};

// KERNEL_ROW(name) for each
#define EMULATOR_TEST_KERNELS(ROW)                                                                                     \
    ROW(block_scans)                                                                                                   \
    ROW(block_ranks)                                                                                                   \
    ROW(block_sorts)                                                                                                   \
    ROW(block_sort_rounds)                                                                                             \
    ROW(block_scan_rounds)                                                                                             \
    ROW(block_rank_rounds)                                                                                             \
    ROW(queue_drain)                                                                                                   \
    ROW(cover)                                                                                                         \
    ROW(vote_all)                                                                                                      \
    ROW(shuffle)                                                                                                       \
    ROW(shuffle_some)                                                                                                  \
    ROW(shuffle_stranger)                                                                                              \
    ROW(atomics)                                                                                                       \
    ROW(vote_some)                                                                                                     \
    ROW(vote_loop)                                                                                                     \
    ROW(reverse)                                                                                                       \
    ROW(reverse_racing)                                                                                                \
    ROW(order)                                                                                                         \
    ROW(fresh_shared)                                                                                                  \
    ROW(wait_for_other_warp)                                                                                           \
    ROW(grid_mirror)                                                                                                   \
    ROW(drain)                                                                                                         \
    ROW(turns)                                                                                                         \
    ROW(grid_left)                                                                                                     \
    ROW(grid_sites)                                                                                                    \
    ROW(grid_and_block)                                                                                                \
    ROW(yield_and_vote)                                                                                                \
    ROW(return_early)                                                                                                  \
    ROW(two_sites)                                                                                                     \
    ROW(trip_counts)                                                                                                   \
    ROW(barrier_and_vote)                                                                                              \
    ROW(two_votes)                                                                                                     \
    ROW(nested_votes)                                                                                                  \
    ROW(two_masks)                                                                                                     \
    ROW(foreign_mask)                                                                                                  \
    ROW(absent_mask)                                                                                                   \
    ROW(leave_vote)                                                                                                    \
    ROW(spin)                                                                                                          \
    ROW(past_shared)                                                                                                   \
    ROW(deep)                                                                                                          \
    ROW(stray)                                                                                                         \
    ROW(divide)                                                                                                        \
    ROW(play)                                                                                                          \
    ROW(unread_triangles)                                                                                              \
    ROW(unread_nodes)                                                                                                  \
    ROW(stray_answers)                                                                                                 \
    ROW(round_outside)                                                                                                 \
    ROW(bench_start)                                                                                                   \
    ROW(bench_barriers)                                                                                                \
    ROW(bench_votes)
