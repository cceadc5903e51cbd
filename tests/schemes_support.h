// SPDX-License-Identifier: MIT
// Made-up frames of the schemes of the 2018 thesis, and what is counted in them, on the stand-ins of its volumes.
#pragma once

#include "claims_support.h"

enum { SCHEME_VOLUMES = 4 };
extern const char *const scheme_volumes[SCHEME_VOLUMES]; // of cgg-logo, ad, artifix, manix

// What one setting of a scheme gives; 0: as scheme_standard has it.
struct scheme_frame {
    const char *variant, *parameters; // beside the thesis's own
    double seconds;                   // of a frame; below 0: it is not timed
    double live;                      // share of the lanes of running warps, all or one of which are live
    double uniform, mixed, partial;   // shares of the extensions of warps; partly filled warps a trip of a block
    double albedo, density;           // lines of a warp's request
    double apart;                     // share of neighbours in a sort's order
    double tracking, first;           // lanes at work in steps of tracking: of all bounces; of the first, 0: as later
    double first_density;             // the same of lines
    double beyond;                    // atomic operations beyond one for 32 paths
    int registers, spill;
    int64_t side, samples; // of a square image
};
extern const struct scheme_frame scheme_standard;

void scheme_open(struct bench *bench); // with the thesis's claims
// Frames and counts on a GPU, five replicates; timeless: its clock means nothing.
void scheme_add(struct bench *bench, const char *scene, struct scheme_frame frame, bool timeless);
// The trial of a collection of its own, of replicate 0.
struct made scheme_made(const char *scene, const struct scheme_frame *frame, char parameters[200]);

// One outcome, of what a function adds for each of the volumes.
struct scheme_row {
    const char *part; // of assert_outcome
    enum claim_outcome outcome;
    double values[SCHEME_VOLUMES], more;
};
typedef void scheme_maker(struct bench *bench, const struct scheme_row *row, int volume, bool timeless);
// Neighbours of equal values share a database. timed: the first is not decided on a device whose clock means nothing.
void scheme_decide(const struct scheme_row *rows, size_t count, scheme_maker *make, bool timed);
#define SCHEME_DECIDE(rows, make, timed) scheme_decide(rows, sizeof(rows) / sizeof *(rows), make, timed)
