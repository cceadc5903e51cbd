// SPDX-License-Identifier: MIT
// Made-up frames of the pipelines of Frolov and Galaktionov 2015, stage by stage, on the paper's tests.
#pragma once

#include "claims_support.h"

enum { STAGED_TESTS = 4 };
extern const char *const staged_scenes[STAGED_TESTS]; // T1 to T4

// Seconds of a frame's stages, and what is counted in it; 0: as staged_standard has it.
struct staged {
    const char *variant, *parameters;                                      // beside the pool
    int limit, pool;                                                       // limit -1: 0
    double trace, shadow, others, listing, moving, regenerate, gap, frame; // frame 0: not timed as a whole
    uint32_t regenerations, traces;
    uint64_t begun, lanes, warps, sectors, sparse, moved, copied; // lanes, warps: of the stage trace
    uint64_t alone[2], mixed[2];                                  // camera rays, and steps
    uint32_t resident;
};
extern const struct staged staged_standard;

void staged_open(struct bench *bench); // with the paper's claims
void staged_add(struct bench *bench, const char *scene, struct staged staged);

// One outcome, of made-up frames that a function adds for each of the tests.
struct staged_row {
    const char *part; // of assert_outcome
    enum claim_outcome outcome;
    double values[STAGED_TESTS], more;
};
void staged_decide(const struct staged_row *rows, size_t count,
                   void (*make)(struct bench *, const struct staged_row *, int test));
#define STAGED_DECIDE(rows, make) staged_decide(rows, sizeof(rows) / sizeof *(rows), make)
