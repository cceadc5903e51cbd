// SPDX-License-Identifier: MIT
// What `warpstudy report --claims` and `warpstudy report PAPER CLAIM` do.
#pragma once

#include <stdbool.h>

#include "report/report_request.h"
#include "report/staging.h"
#include "report/claims/claims_document.h"

// Whether request->item is a claim of the paper request->target.
bool report_names_claim(const struct report_request *request);
// The claims of request->target (a paper; NULL = all papers), or the one claim that request->item names, to the stream,
// or as claims.SUFFIX into the folder. Errors: no such paper or claim, a bad database, a query that fails.
bool report_claims(const struct report_request *request, struct error *error);
// The page in every format, or in the one of that name: files claims.SUFFIX.
bool report_claims_files(struct staging *staging, const struct claims_page *page, const char *format,
                         struct error *error);
