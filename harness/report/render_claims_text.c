// SPDX-License-Identifier: MIT
// Claims as text of at most REPORT_WIDTH columns, but for commands.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/claims_page.h"
#include "report/claims_words.h"
#include "report/escape.h"

enum { INDENT = 5, LABELLED = 16, PAPER = 12 };

static void write_summary(const struct claims_page *page, FILE *stream)
{
    fprintf(stream, "Claims, judged from %s\n\n%-*s  claims", page->database, PAPER, "paper");
    for (size_t i = 0; i < VERDICT_COUNT; ++i)
        fprintf(stream, "  %s", claim_verdict_names[i]);
    fputc('\n', stream);
    for (size_t i = 0; i < page->survey->count; ++i) {
        const struct claim_results *results = page->survey->results[i];
        if (!claims_page_shows(page, results))
            continue;
        fprintf(stream, "%-*s  %6zu", PAPER, results->paper->id, results->count);
        for (size_t k = 0; k < VERDICT_COUNT; ++k)
            fprintf(stream, "  %*zu", (int)strlen(claim_verdict_names[k]), results->of[k]);
        fputc('\n', stream);
    }
}

static void write_labelled(const char *label, const char *text, FILE *stream)
{
    if (!text[0])
        return;
    fprintf(stream, "%*s%-*s", INDENT, "", LABELLED - INDENT, label);
    text_wrapped(text, LABELLED, LABELLED, stream);
}

// All of them, or the first.
static void write_places(const char *label, const char *places, bool all, FILE *stream)
{
    char *some = claim_some_places(places);
    write_labelled(label, all || !some ? places : some, stream);
    free(some);
}

static void write_claim(const struct claim_result *result, bool all, FILE *stream)
{
    const struct claim *claim = result->claim;
    char said[1400];
    fprintf(stream, "%-*s%s%s%s\n", INDENT, claim->id, claim_verdict_names[result->verdict],
            result->confidence[0] ? ", confidence: " : "", result->confidence);
    snprintf(said, sizeof said, "%s (%s)", claim->statement, claim->where);
    fprintf(stream, "%*s", INDENT, "");
    text_wrapped(said, INDENT, INDENT, stream);
    write_labelled("published", claim->published, stream);
    write_labelled("here", result->evidence, stream);
    write_places("held on", result->held, all, stream);
    write_places("not on", result->failed, all, stream);
}

static void write_paper(const struct claim_results *results, FILE *stream)
{
    char title[600];
    snprintf(title, sizeof title, "%s: %s, \"%s\"", results->paper->id, results->paper->published->authors,
             results->paper->published->title);
    fputc('\n', stream);
    text_wrapped(title, 0, 2, stream);
    for (size_t i = 0; i < results->count; ++i) {
        fputc('\n', stream);
        write_claim(&results->results[i], false, stream);
    }
}

static void write_side(const struct claims_page *page, const char *name, FILE *stream)
{
    const struct claim_result *result = claims_survey_find(page->survey, name, NULL);
    char text[1600];
    snprintf(text, sizeof text, "%s %s%s%s: %s", name, result ? claim_verdict_names[result->verdict] : "unknown here",
             result && result->confidence[0] ? ", " : "", result ? result->confidence : "",
             result ? result->claim->statement : "its paper is not installed");
    fprintf(stream, "%*s", INDENT, "");
    text_wrapped(text, INDENT, INDENT + 2, stream);
}

static void write_conflicts(const struct claims_page *page, FILE *stream)
{
    bool first = true;
    for (size_t i = 0; i < page->survey->conflicts->count; ++i) {
        const struct claim_conflict *conflict = &page->survey->conflicts->list[i];
        if (!claims_page_shows_conflict(page, conflict))
            continue;
        fputs(first ? "\nClaims that cannot all hold as general truths\n\n" : "\n", stream);
        first = false;
        fprintf(stream, "%-*s", INDENT, conflict->id);
        text_wrapped(conflict->issue, INDENT, INDENT, stream);
        for (size_t k = 0; k < conflict->claim_count; ++k)
            write_side(page, conflict->claims[k], stream);
        write_labelled("to tell", conflict->experiment, stream);
    }
}

// ---- one claim

static void write_test(const struct claim_result *result, size_t index, FILE *stream)
{
    const struct claim_test *test = &result->claim->tests[index];
    char text[600], bounds[80];
    size_t used = (size_t)snprintf(text, sizeof text, "%.120s: %s", test->title,
                                   claim_verdict_names[claim_test_verdict(result, index)]);
    claim_bounds_text(test->accept, false, bounds, sizeof bounds);
    used += (size_t)snprintf(text + used, sizeof text - used, "; accepted: %s, on %s", bounds,
                             claim_quantifier_words[test->on]);
    if (test->has_direction) {
        claim_bounds_text(test->direction, false, bounds, sizeof bounds);
        used += (size_t)snprintf(text + used, sizeof text - used, "; direction: %s", bounds);
    }
    if (test->has_refute) {
        claim_bounds_text(test->refute, test->refute_outside, bounds, sizeof bounds);
        snprintf(text + used, sizeof text - used, "; refuted: %s, on %s", bounds,
                 claim_quantifier_words[test->refuted_on]);
    }
    write_labelled(index ? "" : "tests", text, stream);
}

static void write_value(const struct claim_result *result, const struct claim_case *at, size_t index, FILE *stream)
{
    const struct claim_test *test = &result->claim->tests[index];
    char text[400];
    const int decimals = (int)test->decimals;
    size_t used = (size_t)snprintf(text, sizeof text, "%.120s %.*f", test->title, decimals, at->value[index]);
    if (!isnan(at->low[index]) && !isnan(at->high[index]))
        used += (size_t)snprintf(text + used, sizeof text - used, " (%.*f..%.*f)", decimals, at->low[index], decimals,
                                 at->high[index]);
    snprintf(text + used, sizeof text - used, "%s%.40s: %s", test->unit[0] ? " " : "", test->unit,
             claim_outcome_names[claim_case_outcome(test, at, index)]);
    write_labelled("", text, stream);
}

static void write_flags(const struct paper *paper, const char *label, const char *flags, FILE *stream)
{
    char flag[REPORT_FLAG_TEXT];
    for (; report_next_flag(&flags, flag, sizeof flag); label = "")
        write_labelled(label, paper_flag_text(paper, flag), stream);
}

static void write_case(const struct claim_results *results, const struct claim_result *result,
                       const struct claim_case *at, FILE *stream)
{
    fprintf(stream, "\n%*s%s\n", INDENT, "", at->place[0] ? at->place : "(no name)");
    for (size_t i = 0; i < result->claim->test_count; ++i)
        if (!isnan(at->value[i]))
            write_value(result, at, i, stream);
    write_flags(results->paper, "left out", at->excluded, stream);
    write_flags(results->paper, "weak", at->flags, stream);
    write_labelled("trials", at->trials, stream);
}

static void write_one(const struct claims_page *page, const struct claim_results *results,
                      const struct claim_result *result, FILE *stream)
{
    const struct claim *claim = result->claim;
    fprintf(stream, "%s, claim %s, judged from %s\n\n", results->paper->id, claim->id, page->database);
    write_claim(result, true, stream);
    const char *const labels[] = {"scenes",  "setting",  "measured", "direction", "accepted",
                                  "refuted", "hardware", "not here", "note",      "query"},
                      *const texts[] = {claim->scenes, claim->setting,  claim->metric,  claim->direction, claim->accept,
                                        claim->refute, claim->hardware, claim->missing, claim->note,      claim->sql};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
        write_labelled(labels[i], texts[i], stream);
    for (size_t i = 0; i < claim->test_count; ++i)
        write_test(result, i, stream);
    for (size_t i = 0; i < result->case_count; ++i)
        write_case(results, result, &result->cases[i], stream);
}

void claims_write_text(const struct claims_page *page, FILE *stream)
{
    if (!page->claim)
        write_summary(page, stream);
    for (size_t i = 0; i < page->survey->count; ++i) {
        const struct claim_results *results = page->survey->results[i];
        if (!claims_page_shows(page, results))
            continue;
        for (size_t k = 0; page->claim && k < results->count; ++k)
            if (claims_page_shows_claim(page, &results->results[k]))
                write_one(page, results, &results->results[k], stream);
        if (!page->claim)
            write_paper(results, stream);
    }
    write_conflicts(page, stream);
}
