// SPDX-License-Identifier: MIT
// Claims as HTML.
#pragma once

#include "report/claims_page.h"

// How many of each verdict, in words and as a bar. Nothing where `claims` is NULL or empty, as below.
void html_claims_summary(const struct claim_results *claims, FILE *stream);
// All of them with their cases; page.js sorts and filters.
void html_claims(const struct claim_results *claims, FILE *stream);
// Conflicts between claims that the page shows, with the verdict of each side. Nothing where there are none.
void html_conflicts(const struct claims_page *page, FILE *stream);
