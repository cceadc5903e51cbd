// SPDX-License-Identifier: MIT
// What became of the papers' claims, as a page: a summary, the claims with verdict and evidence, conflicts.
#pragma once

#include <stdio.h>

#include "report/claims_survey.h"

// What to write of a survey.
struct claims_page {
    const struct claims_survey *survey;
    const char *paper; // only of this one; NULL = all
    const char *claim; // only this one, with all its cases; NULL = all
    const char *database;
};

struct claims_format {
    const char *name, *suffix; // "markdown", "md"
    void (*write)(const struct claims_page *page, FILE *stream);
};
extern const struct claims_format claims_formats[]; // those of report_formats and LaTeX; ends with a NULL name

// Text and Markdown show one claim with its cases; CSV and LaTeX as a list of one.
void claims_write_text(const struct claims_page *page, FILE *stream);
void claims_write_markdown(const struct claims_page *page, FILE *stream);
void claims_write_csv(const struct claims_page *page, FILE *stream);
// A fragment that needs booktabs and longtable.
void claims_write_latex(const struct claims_page *page, FILE *stream);

// Whether the page shows this paper, this claim, and this conflict.
bool claims_page_shows(const struct claims_page *page, const struct claim_results *results);
bool claims_page_shows_claim(const struct claims_page *page, const struct claim_result *result);
bool claims_page_shows_conflict(const struct claims_page *page, const struct claim_conflict *conflict);
