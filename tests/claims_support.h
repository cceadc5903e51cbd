// SPDX-License-Identifier: MIT
// Verdicts of Wald's claims over made-up databases.
#pragma once

#include "report/claims/claims.h"
#include "report_study.h"

// Parameters that the claims' cases want, beside those of on_gpu and made_fairy.
extern const char claim_parameters[];

// "C04 held": the part of claim C04 that has a test of column `held`; fails, with the evidence, where its outcome is
// another. `row`: of the test's table, for the message.
void assert_outcome(struct bench *bench, size_t row, const char *part, enum claim_outcome wanted);

// Of one claim the value of that name in the last case whose place contains `place` and that has one; NaN without any.
double claim_value(struct bench *bench, const char *id, const char *place, const char *value);

// What one part of a claim comes to, and that value in its last case that has one (NaN: any). Claims are judged once for
// neighbours of one claim; a row ends where `part` is NULL.
struct claim_expected {
    const char *part; // as above
    enum claim_outcome outcome;
    double value;
};
void assert_verdicts(struct bench *bench, size_t row, const struct claim_expected *verdicts, size_t count);

// What a part of claim `id` comes to, by its place, from 0: where several parts test one column.
void assert_part(struct bench *bench, size_t row, const char *id, size_t part, enum claim_outcome wanted);

// How many cases it has, those without a value among them.
size_t claim_cases_of(struct bench *bench, const char *id);

// Frame times, five replicates each: "VARIANT SCENE[:CAMERA] SECONDS [held=WARPS] [limit=BOUNCES] [PARAMETER=VALUE
// ...], ..."; with the paper's counts. timeless: of a device whose clock means nothing.
void claim_frames(struct bench *bench, const char *text, bool timeless);
struct claim_frames_row {
    const char *part; // of assert_outcome
    enum claim_outcome outcome;
    const char *frames; // of claim_frames
};
// Each row in a database of its own: on a device with a clock, and on one without, where nothing is decided.
void assert_frames(const struct claim_frames_row *rows, size_t count);
// Times of launches; us: of each bounce, a warp, in microseconds. share: of the frame, that compaction takes.
void claim_launches(struct bench *bench, struct made made, const double *us, double share);

// Counts of naive and whole_frame, without times: "SCENE[:CAMERA] SAVED LEAVING [nodes=A_RAY] [PARAMETER=VALUE ...],
// ...": the paper's paths, SAVED times as many warps of naive as of whole_frame; of the paths a share of LEAVING leave
// the scene. With variant=V the counts are of that one alone, beside naive ones of CLAIM_SAVED. device: NULL =
// emulator.
#define CLAIM_SAVED 2.0
void claim_views(struct bench *bench, const char *text, const char *device);
