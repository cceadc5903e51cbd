// SPDX-License-Identifier: MIT
// What became of the papers' claims, as a page: a summary, the claims with verdict and evidence, conflicts.
#pragma once

#include <stdio.h>

#include "report/claims/claims_survey.h"

// What to write of a survey.
struct claims_page {
    const struct claims_survey *survey;
    const char *paper; // only of this one; NULL = all
    const char *claim; // only this one, with all its cases; NULL = all
    const char *database;
};

void claims_write_csv(const struct claims_page *page, FILE *stream);

// Whether the page shows this paper, this claim, and this conflict.
bool claims_page_shows(const struct claims_page *page, const struct claim_results *results);
bool claims_page_shows_claim(const struct claims_page *page, const struct claim_result *result);
bool claims_page_shows_conflict(const struct claims_page *page, const struct claim_conflict *conflict);
