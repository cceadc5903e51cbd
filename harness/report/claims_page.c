// SPDX-License-Identifier: MIT
#include "report/claims_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/claims_words.h"
#include "report/escape.h"

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

static void put_field(const char *text, FILE *stream)
{
    fputc(',', stream);
    csv_text(text, stream);
}

static void put_number(double value, FILE *stream)
{
    fputc(',', stream);
    if (isfinite(value))
        fprintf(stream, "%.10g", value);
}

static void write_csv_line(const struct claim_results *results, const struct claim_result *result, FILE *stream)
{
    const struct claim *claim = result->claim;
    char *trials = claim_trials(result), *evidence = claim_evidence(result);
    csv_text(results->paper->id, stream);
    put_field(claim->id, stream);
    fprintf(stream, ",%llu", (unsigned long long)claim->tier);
    const char *const texts[] = {claim_verdict_names[result->verdict],
                                 result->confidence,
                                 claim->statement,
                                 claim->words,
                                 claim->where,
                                 claim->published};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
        put_field(texts[i], stream);
    put_number(claim->low, stream);
    put_number(claim->high, stream);
    const char *const more[] = {result->here, evidence, result->left_out, result->held, result->failed, trials};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; ++i)
        put_field(more[i], stream);
    fputs("\r\n", stream);
    free(evidence);
    free(trials);
}

void claims_write_csv(const struct claims_page *page, FILE *stream)
{
    fputs("paper,claim,tier,verdict,confidence,statement,words,where,published,low,high,here,evidence,left_out,held_on,"
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
