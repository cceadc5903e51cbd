// SPDX-License-Identifier: MIT
#include "report/claims/claims_page.h"

#include <math.h>
#include <string.h>

#include "report/write/escape.h"

bool claims_page_shows(const struct claims_page *page, const struct claim_results *results)
{
    return results->count > 0 && (!page->paper || !strcmp(page->paper, results->paper->id));
}

bool claims_page_shows_claim(const struct claims_page *page, const struct claim_result *result)
{
    return !page->claim || !strcmp(page->claim, result->claim->id);
}

bool claims_page_shows_conflict(const struct claims_page *page, const struct claim_conflict *conflict)
{
    for (size_t i = 0; i < conflict->claim_count; ++i) {
        const struct claim_results *results;
        const struct claim_result *result = claims_survey_find(page->survey, conflict->claims[i], &results);
        if (result && claims_page_shows(page, results) && claims_page_shows_claim(page, result))
            return true;
    }
    return false;
}

// ---- CSV

static void put_fields(size_t count, const char *const *texts, FILE *stream)
{
    for (size_t i = 0; i < count; ++i) {
        fputs(i ? "," : "", stream);
        csv_text(texts[i], stream);
    }
    fputs("\r\n", stream);
}

static const char *claims_page_number(double value, char text[32])
{
    snprintf(text, 32, "%.10g", value);
    return isfinite(value) ? text : "";
}

static void write_csv_line(const struct claim_results *results, const struct claim_result *result, FILE *stream)
{
    const struct claim *claim = result->claim;
    char tier[32], low[32], high[32];
    const char *const texts[] = {results->paper->id,
                                 claim->id,
                                 claims_page_number((double)claim->tier, tier),
                                 claim_verdict_names[result->verdict],
                                 result->confidence,
                                 claim->statement,
                                 claim->words,
                                 claim->where,
                                 claim->published,
                                 claims_page_number(claim->low, low),
                                 claims_page_number(claim->high, high),
                                 result->here,
                                 result->found,
                                 result->parts,
                                 result->left_out,
                                 result->held,
                                 result->failed,
                                 result->trials};
    put_fields(sizeof texts / sizeof *texts, texts, stream);
}

void claims_write_csv(const struct claims_page *page, FILE *stream)
{
    fputs("paper,claim,tier,verdict,confidence,statement,words,where,published,low,high,here,found,evidence,left_out,"
          "held_on,"
          "not_on,"
          "trials\r\n",
          stream);
    for (size_t i = 0; i < page->survey->count; ++i) {
        const struct claim_results *results = page->survey->results[i];
        for (size_t k = 0; claims_page_shows(page, results) && k < results->count; ++k)
            if (claims_page_shows_claim(page, &results->results[k]))
                write_csv_line(results, &results->results[k], stream);
    }
}
