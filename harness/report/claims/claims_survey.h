// SPDX-License-Identifier: MIT
// The claims of all papers, judged from one database, and the conflicts between them.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "report/claims/claims.h"

struct claims_survey {
    struct claim_results **results; // one per paper; the papers are the survey's
    size_t count;
    const struct paper *prepared; // whose temporary tables the store has; NULL: of none
    struct claim_conflicts *conflicts;
};

// Judges everything, or with `paper` its claims, and then those of others that a conflict lists beside one of its own. Makes the
// temporary tables of the papers that have queries, but for those of the paper `prepared`, which the store has (NULL: of none):
// before tables of any but the survey's `prepared` are built, report_prepare is needed again. NULL and an error where a file
// is damaged, a query fails, or a conflict names a claim that its paper does not have.
struct claims_survey *claims_survey(struct store *store, const char *paper, const struct report_options *options,
                                    const struct paper *prepared, struct error *error);
void claims_survey_free(struct claims_survey *survey); // NULL is fine

const struct claim_results *claims_survey_paper(const struct claims_survey *survey, const char *paper);
// Of "wald2011-C13"; NULL where there is none. *results, where not NULL: of its paper.
const struct claim_result *claims_survey_find(const struct claims_survey *survey, const char *name,
                                              const struct claim_results **results);
