// SPDX-License-Identifier: MIT
// Judged claims as a document.
#pragma once

#include "report/claims/claims_page.h"
#include "report/tables/table_document.h"
#include "report/write/document.h"

// All that a page of claims shows: how many of each verdict, the claims of each paper, conflicts; or one claim with all
// its cases. In one of report_formats; LaTeX is a fragment that needs array, booktabs and longtable.
void claims_write(const struct report_format *format, const struct claims_page *page, FILE *stream);
// Parts of it. How many claims of each verdict, a row a paper.
void claims_summary(const struct claims_page *page, struct document *document);
// How many of each verdict, as a bar; one paper's claims, each with its cases to unfold; conflicts.
void claims_bar(const struct claim_results *results, struct document *document);
void claims_list(const struct claims_page *page, const struct claim_results *results, struct document *document);
void claims_conflicts_part(const struct claims_page *page, struct document *document);
