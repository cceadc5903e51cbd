// SPDX-License-Identifier: MIT
#include "report/claims_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/claims_file.h"

// "a, b"; what does not fit is left out.
static void join(const char *const *words, size_t count, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0, used = 0; i < count && used < size; ++i)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", words[i]);
}

static void add_claim(struct paper_rows *rows, const char *paper, const struct claim *claim)
{
    char variants[1000], checks[100], low[40], high[40], tier[24];
    join(claim->variants, claim->variant_count, variants, sizeof variants);
    join(claim->checks, claim->check_count, checks, sizeof checks);
    snprintf(tier, sizeof tier, "%" PRIu64, claim->tier);
    const char *const cells[] = {paper,
                                 claim->id,
                                 claim->where,
                                 claim->statement,
                                 variants,
                                 claim->missing,
                                 claim->scenes,
                                 claim->setting,
                                 claim->metric,
                                 "",
                                 claim->published,
                                 paper_rows_number(claim->low, low),
                                 paper_rows_number(claim->high, high),
                                 "",
                                 "",
                                 "",
                                 checks,
                                 tier,
                                 "",
                                 claim->note};
    paper_rows_add(rows, cells);
}

bool claims_rows_of_paper(struct paper_rows *rows, const struct published *published, struct error *error)
{
    struct claims *claims = claims_load(published->id, error);
    for (size_t i = 0; claims && i < claims->count; ++i)
        add_claim(rows, published->id, &claims->list[i]);
    claims_unload(claims);
    return claims != NULL;
}

bool claims_rows_of_conflicts(struct paper_rows *rows, struct error *error)
{
    struct claim_conflicts *conflicts = claim_conflicts_load(error);
    for (size_t i = 0; conflicts && i < conflicts->count; ++i) {
        const struct claim_conflict *conflict = &conflicts->list[i];
        char claims[400];
        join(conflict->claims, conflict->claim_count, claims, sizeof claims);
        const char *const cells[] = {conflict->id, claims, conflict->issue, conflict->experiment};
        paper_rows_add(rows, cells);
    }
    claim_conflicts_free(conflicts);
    return conflicts != NULL;
}
