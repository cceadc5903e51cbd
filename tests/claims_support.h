// SPDX-License-Identifier: MIT
// Verdicts of Wald's claims over made-up databases.
#pragma once

#include "report/claims.h"
#include "report_study.h"

// Parameters that the claims' cases want, beside those of on_gpu and made_fairy.
extern const char claim_parameters[];

// Judges all claims of the bench's paper; fails the test, with the evidence, where that one has another verdict. `row`:
// of the test's table, for the message.
void assert_verdict(struct bench *bench, size_t row, const char *id, enum claim_verdict wanted);
