// SPDX-License-Identifier: MIT
#include "claims_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

const char claim_parameters[] = "registers=64";

// The verdict of one claim; the evidence goes where a failure prints it.
static enum claim_verdict verdict(struct bench *bench, const char *id, char *evidence, size_t size)
{
    struct error error = {0};
    const struct report_options options = {0};
    must(report_prepare(bench->store, bench->paper, &options, &error), &error);
    struct claim_results *results = claims_judge(bench->store, bench->paper, &options, &error);
    must(results != NULL, &error);
    enum claim_verdict found = VERDICT_COUNT;
    for (size_t i = 0; results && i < results->count; ++i)
        if (!strcmp(results->results[i].claim->id, id)) {
            found = results->results[i].verdict;
            snprintf(evidence, size, "%s", results->results[i].evidence);
        }
    claims_free(results);
    return found;
}

void assert_verdict(struct bench *bench, size_t row, const char *id, enum claim_verdict wanted)
{
    char evidence[1000] = "";
    const enum claim_verdict found = verdict(bench, id, evidence, sizeof evidence);
    if (found != wanted)
        fail_msg("row %zu, %s: %s, not %s: %s", row, id,
                 found < VERDICT_COUNT ? claim_verdict_names[found] : "no such claim", claim_verdict_names[wanted],
                 evidence);
}
